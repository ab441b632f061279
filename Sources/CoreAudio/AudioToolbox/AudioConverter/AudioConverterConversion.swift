// AudioConverter.h: the functions that convert. They check buffers and sizes and hand on to StreamConverter; nothing is
// allocated. Runs on the thread that converts.

import AudioCore
import AudioEngine
import CAudioToolbox

/// Fills a buffer list from what the procedure delivers; the number of packets is the room on the way in and what was
/// made on the way out. The end of the stream gives fewer packets, then 0.
/// Packets of a codec are decoded in the order in which they come; what cannot be decoded is passed over by the next call.
/// - Returns: the procedure's own error, with what could be made before it; 'op??' inside that procedure; 'otsz' for a
///   list without room; -50 for a list of the wrong shape; for packets '!pkd' where their sizes differ and are not
///   described, 'bada' for one that cannot be decoded, 'fmt?' where their decoder does not start.
@c @implementation
public func AudioConverterFillComplexBuffer(
  _ inAudioConverter: AudioConverterRef, _ inInputDataProc: @escaping AudioConverterComplexInputDataProc,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?, _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
  _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  guard !isMissing(inInputDataProc), !isNull(ioOutputDataPacketSize), !isNull(outOutputData) else {
    return kAudio_ParamError
  }
  return withConverter(inAudioConverter) { (converter) throws(AudioStatus) in
    // Inside its own proc a converter is busy with the outer call's buffers.
    guard !converter.isFilling else { throw ConverterError.operationNotSupported }
    let wanted = Int(ioOutputDataPacketSize.pointee)
    ioOutputDataPacketSize.pointee = 0
    let room = try converter.output.addresses(
      of: outOutputData, into: converter.outputBases, wanted: wanted, orThrow: ConverterError.invalidOutputSize)
    guard room > 0 || wanted == 0 else { throw ConverterError.invalidOutputSize }
    let (frames, status) = converter.fill(
      from: { list, count, descriptions in
        var packets = UInt32(clamping: count)
        defer { count = Int(packets) }
        guard converter.packets != nil else {
          return inInputDataProc(inAudioConverter, &packets, list, nil, inInputDataProcUserData)
        }
        return inInputDataProc(inAudioConverter, &packets, list, &descriptions, inInputDataProcUserData)
      }, capacity: min(wanted, room))
    ioOutputDataPacketSize.pointee = UInt32(frames)
    setByteSizes(of: outOutputData, frames * converter.output.bytesPerFrame, count: converter.output.bufferCount)
    try ensureSuccess(status)
  }
}

/// As ``AudioConverterFillComplexBuffer(_:_:_:_:_:_:)``, in bytes of one buffer. 'op??' where a side has a buffer per
/// channel and where packets are decoded, 'otsz' for a room that is no whole number of frames.
@c @implementation
public func AudioConverterFillBuffer(
  _ inAudioConverter: AudioConverterRef, _ inInputDataProc: @escaping AudioConverterInputDataProc,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?, _ ioOutputDataSize: UnsafeMutablePointer<UInt32>,
  _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
  guard !isMissing(inInputDataProc), !isNull(ioOutputDataSize), !isNull(outOutputData) else {
    return kAudio_ParamError
  }
  return withConverter(inAudioConverter) { (converter) throws(AudioStatus) in
    guard !converter.isFilling, converter.packets == nil, converter.input.bufferCount == 1,
      converter.output.bufferCount == 1
    else {
      throw ConverterError.operationNotSupported
    }
    let bytes = Int(ioOutputDataSize.pointee)
    guard bytes % converter.output.bytesPerFrame == 0 else { throw ConverterError.invalidOutputSize }
    converter.outputBases[0] = outOutputData
    let bytesPerFrame = UInt32(converter.input.bytesPerFrame)
    let (frames, status) = converter.fill(
      from: { list, frames, _ in
        let buffer = UnsafeMutableAudioBufferListPointer(list).buffers
        var bytes = buffer.pointee.mDataByteSize
        guard var data = buffer.pointee.mData else { return ConverterError.unspecified.rawValue }
        let status = inInputDataProc(inAudioConverter, &bytes, &data, inInputDataProcUserData)
        guard bytes % bytesPerFrame == 0 || status != 0 else { return ConverterError.invalidInputSize.rawValue }
        frames = Int(bytes / bytesPerFrame)
        buffer.pointee.mDataByteSize = bytes
        buffer.pointee.mData = data
        return status
      }, capacity: bytes / converter.output.bytesPerFrame)
    ioOutputDataSize.pointee = UInt32(frames * converter.output.bytesPerFrame)
    try ensureSuccess(status)
  }
}

/// One buffer to one buffer; 'op??' for a rate conversion, for packets and where a side has a buffer per channel.
@c @implementation
public func AudioConverterConvertBuffer(
  _ inAudioConverter: AudioConverterRef, _ inInputDataSize: UInt32, _ inInputData: UnsafeRawPointer,
  _ ioOutputDataSize: UnsafeMutablePointer<UInt32>, _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
  guard !isNull(inInputData), !isNull(ioOutputDataSize), !isNull(outOutputData) else {
    return kAudio_ParamError
  }
  return withConverter(inAudioConverter) { (converter) throws(AudioStatus) in
    let (input, output) = (converter.input, converter.output)
    guard !converter.convertsRate, converter.packets == nil, input.bufferCount == 1, output.bufferCount == 1 else {
      throw ConverterError.operationNotSupported
    }
    guard Int(inInputDataSize) % input.bytesPerFrame == 0 else { throw ConverterError.invalidInputSize }
    let frames = Int(inInputDataSize) / input.bytesPerFrame
    let bytes = frames * output.bytesPerFrame
    guard bytes <= Int(ioOutputDataSize.pointee) else { throw ConverterError.invalidOutputSize }
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer.self, capacity: 2) { pointers in
      guard let from = pointers.baseAddress else { return }
      from[0] = UnsafeMutableRawPointer(mutating: inInputData)
      from[1] = outOutputData
      converter.convertAll(
        from: BusBuffer(buffers: from, count: 1, frames: frames),
        to: BusBuffer(buffers: from + 1, count: 1, frames: frames), frames: frames)
    }
    ioOutputDataSize.pointee = UInt32(bytes)
  }
}

/// Buffer lists of either shape; 'op??' for a rate conversion and for packets.
@c @implementation
public func AudioConverterConvertComplexBuffer(
  _ inAudioConverter: AudioConverterRef, _ inNumberPCMFrames: UInt32, _ inInputData: UnsafePointer<AudioBufferList>,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  withConverter(inAudioConverter) { (converter) throws(AudioStatus) in
    try require(inInputData, outOutputData)
    guard !converter.convertsRate, converter.packets == nil else { throw ConverterError.operationNotSupported }
    try converter.convertLists(from: inInputData, to: outOutputData, frames: Int(inNumberPCMFrames))
  }
}
