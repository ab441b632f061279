// AudioFileStream.h: each function tests its pointers, finds the stream behind its handle and hands on to
// AudioFileStreamObject.

import AudioCore
import CAudioToolbox
import Transcripts

/// Runs `body` with the stream of a handle; -50 for one that is stale, foreign or null. Recorded where calls are.
private func callStream(
  _ handle: AudioFileStreamID, _ arguments: @autoclosure () -> String = "", result: @autoclosure () -> String = "",
  function: StaticString = #function, _ body: (AudioFileStreamObject) throws(AudioStatus) -> Void
) -> OSStatus {
  recorded(CallSubject(stream: handle), arguments(), result: result(), function: function) {
    HandleTable.shared.withObject(handle, AudioFileStreamObject.self) { stream in
      status { () throws(AudioStatus) in try body(stream) }
    } ?? kAudio_ParamError
  }
}

/// AudioFileStreamOpen: a parser of a file whose bytes are yet to come. The hint is needed for frames that begin in the
/// middle of a stream alone: else the bytes say what the file is.
///
/// - Returns: -50 without one of the functions or a place for the result. The client's data may be null.
@c(AudioFileStreamOpen)
public func _audioFileStreamOpen(
  _ inClientData: UnsafeMutableRawPointer, _ inPropertyListenerProc: AudioFileStream_PropertyListenerProc,
  _ inPacketsProc: AudioFileStream_PacketsProc, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
  if isNull(outAudioFileStream) { return kAudio_ParamError }
  return recorded(
    nil, CallText.file(inFileTypeHint),
    result: outAudioFileStream.pointee.flatMap { CallSubject(stream: $0) }.map { "\($0)" } ?? "",
    function: "AudioFileStreamOpen"
  ) {
    outAudioFileStream.pointee = nil
    guard !isMissing(inPropertyListenerProc), !isMissing(inPacketsProc) else { return kAudio_ParamError }
    let client = AudioFileStreamObject.Client(
      data: inClientData, property: inPropertyListenerProc, packets: inPacketsProc)
    return status { () throws(AudioStatus) in
      outAudioFileStream.pointee = try HandleTable.shared.add(AudioFileStreamObject(client, hint: inFileTypeHint))
    }
  }
}

/// Ends a stream. From inside of one of its functions too: no function is called after that. -50 for one that is not
/// open.
@c @implementation
public func AudioFileStreamClose(_ inAudioFileStream: AudioFileStreamID) -> OSStatus {
  recorded(CallSubject(stream: inAudioFileStream)) {
    guard let stream = HandleTable.shared.remove(inAudioFileStream, AudioFileStreamObject.self) else {
      return kAudio_ParamError
    }
    stream.close()
    return noErr
  }
}

/// Takes the next bytes of the file, in pieces of any size, and calls the functions with what is whole. Bytes that follow
/// neither those before nor a seek need the flag.
///
/// 'typ?' for a file of no known kind, 'fmt?' for a codec whose packets cannot be told apart, 'dta?' for damage, 'optm'
/// where what describes the sound lies behind it: each for every later call too. 'dsc!' where packets cannot be found
/// again after a discontinuity, until a seek. 'nope' from inside of one of the functions. -50 for bytes that are null.
@c @implementation
public func AudioFileStreamParseBytes(
  _ inAudioFileStream: AudioFileStreamID, _ inDataByteSize: UInt32, _ inData: UnsafeRawPointer?,
  _ inFlags: AudioFileStreamParseFlags
) -> OSStatus {
  callStream(inAudioFileStream, CallText.bytes(inDataByteSize)) { (stream) throws(AudioStatus) in
    guard inData != nil || inDataByteSize == 0 else { throw .parameterError }
    try stream.parse(
      UnsafeRawBufferPointer(start: inData, count: Int(inDataByteSize)),
      isDiscontinuous: inFlags.contains(.discontinuity), handle: inAudioFileStream)
  }
}

/// The place of a packet, counted from `kAudioFileStreamProperty_DataOffset`; the bytes of the next call are taken for
/// those from there on. The flag says that the place is estimated: the first packet is then the one that begins next.
/// The rest of the bytes that are being parsed is dropped.
///
/// 'more' before the stream is ready, or where nothing is known about its packets yet; 'pck?' where there is no such
/// packet.
@c @implementation
public func AudioFileStreamSeek(
  _ inAudioFileStream: AudioFileStreamID, _ inPacketOffset: Int64, _ outDataByteOffset: UnsafeMutablePointer<Int64>,
  _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>
) -> OSStatus {
  callStream(inAudioFileStream, "packet \(inPacketOffset)", result: CallText.answer(outDataByteOffset)) {
    (stream) throws(AudioStatus) in
    try require(outDataByteOffset, ioFlags)
    let place = try stream.seek(to: inPacketOffset)
    outDataByteOffset.pointee = place.offset
    ioFlags.pointee = place.isEstimated ? .offsetIsEstimated : []
  }
}

/// A property's size in bytes; none can be set. Either result may be null. Errors of
/// ``AudioFileStreamGetProperty(_:_:_:_:)``.
@c @implementation
public func AudioFileStreamGetPropertyInfo(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  callStream(inAudioFileStream, CallText.property(inPropertyID)) { (stream) throws(AudioStatus) in
    let translated = StreamParser.translationSize(inPropertyID)
    let size = try stream.ask { (parser) throws(AudioStatus) in
      if let translated { return translated }
      return try parser.property(inPropertyID).size
    }
    outPropertyDataSize?.pointee = UInt32(clamping: size)
    outWritable?.pointee = false
  }
}

/// Reads a property, or answers a translation in place. 'pty?' for what no stream has, 'more' while it may still come,
/// 'unk?' where this stream does not say it, '!siz' for too little room. Objects are the caller's to release.
@c @implementation
public func AudioFileStreamGetProperty(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  callStream(inAudioFileStream, CallText.property(inPropertyID)) { (stream) throws(AudioStatus) in
    try require(ioPropertyDataSize, outPropertyData)
    if let size = StreamParser.translationSize(inPropertyID) {
      guard Int(ioPropertyDataSize.pointee) >= size else { throw .filePropertySize }
      try stream.ask { (parser) throws(AudioStatus) in try parser.translate(inPropertyID, outPropertyData) }
      ioPropertyDataSize.pointee = UInt32(size)
      return
    }
    let value = try stream.ask { (parser) throws(AudioStatus) in try parser.property(inPropertyID) }
    try value.write(to: outPropertyData, size: &ioPropertyDataSize.pointee, orThrow: .filePropertySize)
  }
}

/// 'nope' for every property that there is, 'pty?' for others: none can be set.
@c @implementation
public func AudioFileStreamSetProperty(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  callStream(inAudioFileStream, CallText.property(inPropertyID)) { (_) throws(AudioStatus) in
    throw StreamParser.isKnown(inPropertyID) ? .streamIllegal : .filePropertyUnsupported
  }
}
