// AudioFile.h: chunks by name and index.

import AudioCore
import CAudioToolbox
import SoundFile

/// Gets the number of chunks with that name. 'op??' for containers without chunks, and for files that a coder is
/// writing.
@c @implementation
public func AudioFileCountUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ outNumberItems: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  withAudioFile(inAudioFile, "'\(FourCharCode(rawValue: inUserDataID))'", result: CallText.answer(outNumberItems)) {
    (file) throws(AudioStatus) in
    try require(outNumberItems)
    outNumberItems.pointee = UInt32(try file.chunkCount(inUserDataID))
  }
}

/// The bytes in a chunk, by its index from 0 among those of its name. 'chk?' where there is none, 'off?' for more than
/// 32 bits can say.
@c @implementation
public func AudioFileGetUserDataSize(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ outUserDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  chunkSize(inAudioFile, inUserDataID, inIndex, outUserDataSize)
}

/// As ``AudioFileGetUserDataSize(_:_:_:_:)``, in 64 bits.
@c @implementation
public func AudioFileGetUserDataSize64(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ outUserDataSize: UnsafeMutablePointer<UInt64>
) -> OSStatus {
  chunkSize(inAudioFile, inUserDataID, inIndex, outUserDataSize)
}

private func chunkSize<Size: FixedWidthInteger>(
  _ file: AudioFileID, _ id: UInt32, _ index: UInt32, _ result: UnsafeMutablePointer<Size>,
  function: StaticString = #function
) -> OSStatus {
  withAudioFile(file, CallText.chunk(id, index), function: function) { (file) throws(AudioStatus) in
    try require(result)
    guard let size = Size(exactly: try file.chunk(id, index: index).bytes) else { throw .fileTooLarge }
    result.pointee = size
  }
}

/// A chunk's bytes from its first, as ``AudioFileGetUserDataAtOffset(_:_:_:_:_:_:)`` reads them.
@c @implementation
public func AudioFileGetUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ ioUserDataSize: UnsafeMutablePointer<UInt32>, _ outUserData: UnsafeMutableRawPointer
) -> OSStatus {
  readChunk(inAudioFile, inUserDataID, inIndex, 0, ioUserDataSize, outUserData)
}

/// Reads bytes of a chunk. The size is the room on the way in and what was read on the way out; -40 for an offset
/// outside, 'chk?' where there is no such chunk.
@c @implementation
public func AudioFileGetUserDataAtOffset(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ inOffset: Int64,
  _ ioUserDataSize: UnsafeMutablePointer<UInt32>, _ outUserData: UnsafeMutableRawPointer
) -> OSStatus { readChunk(inAudioFile, inUserDataID, inIndex, inOffset, ioUserDataSize, outUserData) }

private func readChunk(
  _ file: AudioFileID, _ id: UInt32, _ index: UInt32, _ offset: Int64, _ size: UnsafeMutablePointer<UInt32>,
  _ data: UnsafeMutableRawPointer, function: StaticString = #function
) -> OSStatus {
  withAudioFile(file, CallText.chunk(id, index), function: function) { (file) throws(AudioStatus) in
    try require(size, data)
    let chunk = try file.chunk(id, index: index)
    guard offset >= 0, offset <= chunk.bytes else { throw .filePosition }
    let count = Int(min(Int64(size.pointee), chunk.bytes - offset))
    size.pointee = UInt32(try stored(try file.storage.read(data, count: count, at: chunk.offset + offset)))
  }
}

/// Sets the content of a chunk, or adds one as index 0 or the next. 'prm?' for a file that is only read, 'chk?' for a
/// gap in the indices and for chunks of format and sound, 'op??' for Wave64 and containers without chunks.
@c @implementation
public func AudioFileSetUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ inUserDataSize: UInt32,
  _ inUserData: UnsafeRawPointer
) -> OSStatus {
  withAudioFile(inAudioFile, CallText.chunk(inUserDataID, inIndex)) { (file) throws(AudioStatus) in
    guard !isNull(inUserData) || inUserDataSize == 0 else { throw .parameterError }
    let bytes = inUserDataSize == 0 ? [] : Array(UnsafeRawBufferPointer(start: inUserData, count: Int(inUserDataSize)))
    try file.setChunk(inUserDataID, index: inIndex, bytes: bytes)
  }
}

/// Removes a chunk: the last one altogether, any other becomes a filler. Errors of
/// ``AudioFileSetUserData(_:_:_:_:_:)``.
@c @implementation
public func AudioFileRemoveUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32
) -> OSStatus {
  withAudioFile(inAudioFile, CallText.chunk(inUserDataID, inIndex)) { (file) throws(AudioStatus) in
    try file.removeChunk(inUserDataID, index: inIndex)
  }
}
