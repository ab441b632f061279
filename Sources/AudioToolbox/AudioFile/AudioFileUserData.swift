// AudioFile.h: chunks by name and index.

import AudioCore
import CAudioToolbox
import SoundFile

@c @implementation
public func AudioFileCountUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ outNumberItems: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  withAudioFile(inAudioFile) { (file) throws(AudioStatus) in
    guard !isNull(outNumberItems) else { throw .parameterError }
    outNumberItems.pointee = UInt32(try file.chunkCount(inUserDataID))
  }
}

@c @implementation
public func AudioFileGetUserDataSize(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ outUserDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  withAudioFile(inAudioFile) { (file) throws(AudioStatus) in
    guard !isNull(outUserDataSize) else { throw .parameterError }
    guard let size = UInt32(exactly: try file.chunk(inUserDataID, index: inIndex).bytes) else { throw .fileTooLarge }
    outUserDataSize.pointee = size
  }
}

@c @implementation
public func AudioFileGetUserDataSize64(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ outUserDataSize: UnsafeMutablePointer<UInt64>
) -> OSStatus {
  withAudioFile(inAudioFile) { (file) throws(AudioStatus) in
    guard !isNull(outUserDataSize) else { throw .parameterError }
    outUserDataSize.pointee = UInt64(try file.chunk(inUserDataID, index: inIndex).bytes)
  }
}

@c @implementation
public func AudioFileGetUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ ioUserDataSize: UnsafeMutablePointer<UInt32>, _ outUserData: UnsafeMutableRawPointer
) -> OSStatus {
  AudioFileGetUserDataAtOffset(inAudioFile, inUserDataID, inIndex, 0, ioUserDataSize, outUserData)
}

@c @implementation
public func AudioFileGetUserDataAtOffset(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ inOffset: Int64,
  _ ioUserDataSize: UnsafeMutablePointer<UInt32>, _ outUserData: UnsafeMutableRawPointer
) -> OSStatus {
  withAudioFile(inAudioFile) { (file) throws(AudioStatus) in
    guard !isNull(ioUserDataSize), !isNull(outUserData) else { throw .parameterError }
    let chunk = try file.chunk(inUserDataID, index: inIndex)
    guard inOffset >= 0, inOffset <= chunk.bytes else { throw .filePosition }
    let count = Int(min(Int64(ioUserDataSize.pointee), chunk.bytes - inOffset))
    let got = try stored { () throws(StorageError) in
      try file.storage.read(outUserData, count: count, at: chunk.offset + inOffset)
    }
    ioUserDataSize.pointee = UInt32(got)
  }
}

@c @implementation
public func AudioFileSetUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ inUserDataSize: UInt32,
  _ inUserData: UnsafeRawPointer
) -> OSStatus {
  withAudioFile(inAudioFile) { (file) throws(AudioStatus) in
    guard !isNull(inUserData) || inUserDataSize == 0 else { throw .parameterError }
    let bytes = inUserDataSize == 0 ? [] : Array(UnsafeRawBufferPointer(start: inUserData, count: Int(inUserDataSize)))
    try file.setChunk(inUserDataID, index: inIndex, bytes: bytes)
  }
}

@c @implementation
public func AudioFileRemoveUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32
) -> OSStatus {
  withAudioFile(inAudioFile) { (file) throws(AudioStatus) in
    try file.removeChunk(inUserDataID, index: inIndex)
  }
}
