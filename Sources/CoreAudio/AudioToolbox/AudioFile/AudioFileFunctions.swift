// AudioFile.h: opening, creating, closing, and the file's own bytes and packets.
// Each function checks its arguments, finds the file, and answers with the number of what goes wrong.

import AudioCore
import CAudioToolbox
import CoreFoundation
import SoundFile
import Transcripts

/// Runs `body` with the file behind a handle, alone; recorded if calls are.
func withAudioFile(
  _ handle: AudioFileID, _ arguments: @autoclosure () -> String = "", result: @autoclosure () -> String = "",
  function: StaticString = #function, _ body: (AudioFileObject) throws(AudioStatus) -> Void
) -> OSStatus {
  recorded(CallSubject(file: handle), arguments(), result: result(), function: function) {
    let answer = HandleTable.shared.withObject(handle, AudioFileObject.self) { file in
      file.withLock { status { () throws(AudioStatus) in try body(file) } }
    }
    return answer ?? kAudioFileNotOpenError
  }
}

/// Hands out a handle, or the number of what went wrong and none; recorded where calls are.
func handOut(
  _ out: UnsafeMutablePointer<AudioFileID?>, _ arguments: @autoclosure () -> String = "", function: StaticString,
  _ body: () throws(AudioStatus) -> AudioFileObject
) -> OSStatus {
  recorded(nil, arguments(), result: CallSubject(file: out.pointee)?.description ?? "", function: function) {
    guard !isNull(out) else { return kAudio_ParamError }
    out.pointee = nil
    return status { () throws(AudioStatus) in out.pointee = try HandleTable.shared.add(try body()) }
  }
}

// A CoreFoundation class cannot be a parameter of a function that implements a header on Linux: these two come in under
// their C names with plain pointers, and the tests call them as the header declares them.

/// AudioFileCreateWithURL: a new file for packets of PCM, µ-law or A-law, whole after ``AudioFileClose(_:)``. 'typ?'
/// and 'fmt?' before anything is touched, 'op??' for codecs, 'prm?' where a file exists and may not be erased.
@c(AudioFileCreateWithURL)
public func createAudioFile(
  _ inFileRef: UnsafeRawPointer?, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inFlags: AudioFileFlags, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile, CallText.file(inFileType, inFormat), function: "AudioFileCreateWithURL") {
    () throws(AudioStatus) in
    try require(inFormat)
    guard let path = filePath(inFileRef) else { throw .parameterError }
    return try AudioFileObject.create(path: path, type: inFileType, format: inFormat.pointee, flags: inFlags.rawValue)
  }
}

/// AudioFileOpenURL: opens whatever libsndfile reads, and containers of packets whatever their codec is. -43 where there
/// is no file, 'typ?', 'fmt?' and 'dta?' for unknown types, codecs and damage, 'op??' for writing to a codec's packets.
@c(AudioFileOpenURL)
public func openAudioFile(
  _ inFileRef: UnsafeRawPointer?, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile, CallText.file(inFileTypeHint), function: "AudioFileOpenURL") { () throws(AudioStatus) in
    guard let path = filePath(inFileRef) else { throw .parameterError }
    return try AudioFileObject.open(path: path, permissions: inPermissions.rawValue, hint: inFileTypeHint)
  }
}

/// Creates a file in what the client's functions reach, which is emptied. Kinds and errors of AudioFileCreateWithURL;
/// -50 without one of the four functions.
@c @implementation
public func AudioFileInitializeWithCallbacks(
  _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: @escaping AudioFile_ReadProc,
  _ inWriteFunc: @escaping AudioFile_WriteProc, _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
  _ inSetSizeFunc: @escaping AudioFile_SetSizeProc, _ inFileType: AudioFileTypeID,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile, CallText.file(inFileType, inFormat), function: "AudioFileInitializeWithCallbacks") {
    () throws(AudioStatus) in
    try require(inFormat)
    guard !isMissing(inReadFunc), !isMissing(inWriteFunc), !isMissing(inGetSizeFunc),
      !isMissing(inSetSizeFunc)
    else { throw .parameterError }
    let storage = CallbackStorage(
      clientData: inClientData, read: inReadFunc, write: inWriteFunc, getSize: inGetSizeFunc, setSize: inSetSizeFunc)
    return try AudioFileObject.create(storage, type: inFileType, format: inFormat.pointee)
  }
}

/// Opens what the client's functions reach; for reading only without a function that writes, and where this kind of
/// file cannot be written. An error of a function comes back as it is.
@c @implementation
public func AudioFileOpenWithCallbacks(
  _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: @escaping AudioFile_ReadProc,
  _ inWriteFunc: AudioFile_WriteProc?, _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
  _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile, CallText.file(inFileTypeHint), function: "AudioFileOpenWithCallbacks") {
    () throws(AudioStatus) in
    guard !isMissing(inReadFunc), !isMissing(inGetSizeFunc) else { throw .parameterError }
    let storage = CallbackStorage(
      clientData: inClientData, read: inReadFunc, write: inWriteFunc, getSize: inGetSizeFunc, setSize: inSetSizeFunc)
    guard inWriteFunc != nil else {
      return try AudioFileObject.open(storage, path: nil, permissions: 1, hint: inFileTypeHint)
    }
    do throws(AudioStatus) {
      return try AudioFileObject.open(storage, path: nil, permissions: 3, hint: inFileTypeHint)
    } catch  where error == .fileOperationUnsupported {
      // A write function says that bytes could be written, not that this kind of file can.
      return try AudioFileObject.open(storage, path: nil, permissions: 1, hint: inFileTypeHint)
    }
  }
}

/// Completes and closes a file; its handle is stale also where that fails. -38 for one that is not open.
@c @implementation
public func AudioFileClose(_ inAudioFile: AudioFileID) -> OSStatus {
  recorded(CallSubject(file: inAudioFile)) {
    guard let file = HandleTable.shared.remove(inAudioFile, AudioFileObject.self) else {
      return kAudioFileNotOpenError
    }
    return file.withLock { status { () throws(AudioStatus) in try file.close() } }
  }
}

/// Moves the sound behind all other chunks, so that it can grow; takes as long as copying the file. 'prm?' for a file
/// that is only read, 'op??' where more than 256 MiB lie behind the sound.
@c @implementation
public func AudioFileOptimize(_ inAudioFile: AudioFileID) -> OSStatus {
  withAudioFile(inAudioFile) { (file) throws(AudioStatus) in try file.optimize() }
}

// inUseCache is ignored: Linux decides by itself what stays in the page cache.

/// Reads bytes of the sound, counted from its first. -39 where it ends before the last of them, with those that there
/// were; -40 for a place before it, 'prm?' for a file that is only written.
@c @implementation
public func AudioFileReadBytes(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
  _ outBuffer: UnsafeMutableRawPointer
) -> OSStatus {
  withAudioFile(
    inAudioFile, "byte \(inStartingByte), \(CallText.count(ioNumBytes, "byte"))",
    result: CallText.count(ioNumBytes, "byte")
  ) { (file) throws(AudioStatus) in
    try require(ioNumBytes, outBuffer)
    try file.readBytes(from: inStartingByte, count: &ioNumBytes.pointee, into: outBuffer)
  }
}

/// Writes bytes over the sound or right behind it. -40 for a place further on, 'optm' where other chunks lie in the
/// way, 'off?' beyond what the container can say.
@c @implementation
public func AudioFileWriteBytes(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
  _ inBuffer: UnsafeRawPointer
) -> OSStatus {
  withAudioFile(
    inAudioFile, "byte \(inStartingByte), \(CallText.count(ioNumBytes, "byte"))",
    result: CallText.count(ioNumBytes, "byte")
  ) { (file) throws(AudioStatus) in
    try require(ioNumBytes, inBuffer)
    try file.writeBytes(at: inStartingByte, count: &ioNumBytes.pointee, from: inBuffer)
  }
}

/// Reads packets, as many as there is room for and the file has: at its end 0 packets and no error. Descriptions are
/// written for packets that differ in size; without a buffer only the numbers are. 'pck?' for a packet before the
/// first.
@c @implementation
public func AudioFileReadPacketData(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
  _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  withAudioFile(
    inAudioFile, "packet \(inStartingPacket), \(CallText.count(ioNumPackets, "packet"))",
    result: CallText.count(ioNumPackets, "packet")
  ) { (file) throws(AudioStatus) in
    try require(ioNumBytes, ioNumPackets)
    try file.readPackets(
      from: inStartingPacket, packetCount: &ioNumPackets.pointee, byteCount: &ioNumBytes.pointee,
      descriptions: outPacketDescriptions, into: outBuffer)
  }
}

/// As ``AudioFileReadPacketData(_:_:_:_:_:_:_:)``, with a buffer that the caller has made large enough for all packets.
@c @implementation
public func AudioFileReadPackets(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ outNumBytes: UnsafeMutablePointer<UInt32>,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
  _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  withAudioFile(
    inAudioFile, "packet \(inStartingPacket), \(CallText.count(ioNumPackets, "packet"))",
    result: CallText.count(ioNumPackets, "packet")
  ) { (file) throws(AudioStatus) in
    try require(outNumBytes, ioNumPackets)
    // The caller guarantees room for so many packets.
    outNumBytes.pointee = .max
    try file.readPackets(
      from: inStartingPacket, packetCount: &ioNumPackets.pointee, byteCount: &outNumBytes.pointee,
      descriptions: outPacketDescriptions, into: outBuffer)
  }
}

/// Writes packets of one size; their number decides, not `inNumBytes`. 'pck?' where a gap would lie before the first,
/// 'op??' for codecs, 'optm' and 'off?' as in ``AudioFileWriteBytes(_:_:_:_:_:)``.
@c @implementation
public func AudioFileWritePackets(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inNumBytes: UInt32,
  _ inPacketDescriptions: UnsafePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
  _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ inBuffer: UnsafeRawPointer
) -> OSStatus {
  withAudioFile(
    inAudioFile, "packet \(inStartingPacket), \(CallText.count(ioNumPackets, "packet"))",
    result: CallText.count(ioNumPackets, "packet")
  ) { (file) throws(AudioStatus) in
    try require(ioNumPackets, inBuffer)
    // Packets that are written have all the same size here, so their count decides: published programs give the number
    // of packets, or 0, as that of bytes.
    try file.writePackets(at: inStartingPacket, packetCount: &ioNumPackets.pointee, from: inBuffer)
  }
}
