// What a client reads of a converter and sets on it. Runs on the thread that calls; not while rendering.

import AudioCore
import CAudioToolbox

extension StreamConverter {
  /// The size of a value and whether it can be set.
  ///
  /// - Throws: 'prop' for a property that a converter of PCM has not, or that has no value yet.
  func info(of id: UInt32) throws(AudioStatus) -> (size: Int, isWritable: Bool) {
    let property = try ConverterProperty(id: id)
    return (try size(of: property), property.isWritable)
  }

  private func size(of property: ConverterProperty) throws(AudioStatus) -> Int {
    if let size = property.fixedSize { return size }
    switch property {
    case .channelMap: return 4 * output.stream.channelCount
    default: return try layout(property).count
    }
  }

  private func layout(_ property: ConverterProperty) throws(AudioStatus) -> [UInt8] {
    let layout = property == .inputChannelLayout ? settings.inputLayout : settings.outputLayout
    guard let layout else { throw ConverterError.propertyNotSupported }
    return layout
  }

  /// Writes a value; `size` comes in as the room and goes out as what was written.
  ///
  /// - Throws: 'prop'; '!siz' where there is too little room; 'insz' and 'otsz' where a size to be converted is no whole
  ///   number of packets or has no answer in 32 bits.
  func get(_ id: UInt32, size: inout UInt32, to data: UnsafeMutableRawPointer) throws(AudioStatus) {
    let property = try ConverterProperty(id: id)
    let bytes = try self.size(of: property)
    guard size >= bytes else { throw ConverterError.badPropertySize }
    switch property {
    case .minimumInputBufferSize: store(smallest(input, against: output), to: data)
    case .minimumOutputBufferSize: store(smallest(output, against: input), to: data)
    case .maximumInputBufferSize: store(pending.roomFrames * input.bytesPerFrame, to: data)
    case .maximumInputPacketSize: store(input.bytesPerFrame, to: data)
    case .maximumOutputPacketSize: store(output.bytesPerFrame, to: data)
    case .calculateInputBufferSize: store(try inputBytes(forOutput: word(data)), to: data)
    case .calculateOutputBufferSize: store(try outputBytes(forInput: word(data)), to: data)
    case .complexity, .algorithm: store(Int(settings.complexity.rawValue), to: data)
    case .quality: store(Int(settings.quality), to: data)
    case .initialPhase: data.storeBytes(of: 0, as: Float64.self)
    case .primeMethod: store(Int(settings.primeMethod.rawValue), to: data)
    case .primeInfo:
      store(leadingFrames, to: data)
      store(trailingFrames, to: data + 4)
    case .channelMap:
      for channel in 0..<output.stream.channelCount {
        let straight = channel < input.stream.channelCount ? Int32(channel) : -1
        data.storeBytes(of: settings.channelMap?[channel] ?? straight, toByteOffset: 4 * channel, as: Int32.self)
      }
    case .inputChannelLayout, .outputChannelLayout: data.copyMemory(from: try layout(property), byteCount: bytes)
    case .currentInputStreamDescription:
      data.storeBytes(of: input.audioStreamBasicDescription, as: AudioStreamBasicDescription.self)
    case .currentOutputStreamDescription:
      data.storeBytes(of: output.audioStreamBasicDescription, as: AudioStreamBasicDescription.self)
    case .dithering: store(settings.hasDither ? 1 : 0, to: data)
    case .ditherBitDepth: store(output.bitsPerChannel, to: data)
    case .canResumeFromInterruption: store(1, to: data)
    }
    size = UInt32(bytes)
  }

  /// Takes over a value.
  ///
  /// - Throws: 'prop'; 'op??' for a property that is only read, for a value that the engine has not (a phase, shaped
  ///   noise), and for a change of a rate conversion that has begun; '!siz'; -50 for a value that means nothing.
  func set(_ id: UInt32, size: Int, from data: UnsafeRawPointer) throws(AudioStatus) {
    let property = try ConverterProperty(id: id)
    guard property.isWritable else { throw ConverterError.operationNotSupported }
    if let expected = property.fixedSize, size != expected { throw ConverterError.badPropertySize }
    var changed = settings
    switch property {
    case .complexity, .algorithm:
      guard let value = ConverterSettings.Complexity(rawValue: word(data)) else { throw .parameterError }
      changed.complexity = value
    case .quality:
      guard word(data) <= ConverterSettings.maximumQuality else { throw .parameterError }
      changed.quality = word(data)
    case .initialPhase:
      let phase = data.loadUnaligned(as: Float64.self)
      guard phase >= 0, phase < 1 else { throw .parameterError }
      guard phase == 0 else { throw ConverterError.operationNotSupported }
    case .primeMethod:
      guard let value = ConverterSettings.PrimeMethod(rawValue: word(data)) else { throw .parameterError }
      changed.primeMethod = value
    case .channelMap: changed.channelMap = try map(size: size, from: data)
    case .inputChannelLayout:
      changed.inputLayout = try layout(size: size, from: data, channelCount: input.stream.channelCount)
    case .outputChannelLayout:
      changed.outputLayout = try layout(size: size, from: data, channelCount: output.stream.channelCount)
    case .dithering:
      guard word(data) <= 2 else { throw .parameterError }
      guard word(data) < 2 else { throw ConverterError.operationNotSupported }
      changed.hasDither = word(data) == 1
    case .ditherBitDepth:
      guard word(data) == UInt32(output.bitsPerChannel) else { throw ConverterError.operationNotSupported }
    default: throw ConverterError.operationNotSupported
    }
    try apply(changed)
  }

  private func map(size: Int, from data: UnsafeRawPointer) throws(AudioStatus) -> [Int32] {
    let channels = output.stream.channelCount
    guard size == 4 * channels else { throw ConverterError.badPropertySize }
    let map = (0..<channels).map { data.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    guard map.allSatisfy({ $0 >= -1 && $0 < input.stream.channelCount }) else { throw .parameterError }
    return map
  }

  private func layout(size: Int, from data: UnsafeRawPointer, channelCount: Int) throws(AudioStatus) -> [UInt8] {
    guard let channels = ChannelLayouts.channelCount(of: data, size: size) else {
      throw ConverterError.badPropertySize
    }
    guard channels == channelCount else { throw .parameterError }
    return Array(UnsafeRawBufferPointer(start: data, count: size))
  }

  private func word(_ data: UnsafeRawPointer) -> UInt32 { data.loadUnaligned(as: UInt32.self) }

  private func store(_ value: Int, to data: UnsafeMutableRawPointer) {
    data.storeBytes(of: UInt32(clamping: value), as: UInt32.self)
  }
}

// MARK: Sizes

extension StreamConverter {
  /// The bytes in a buffer of one end that are worth at least a packet at the other.
  private func smallest(_ end: ConverterFormat, against other: ConverterFormat) -> Int {
    let frames = (end.stream.sampleRate / other.stream.sampleRate).rounded(.up)
    return max(1, Int(frames)) * end.bytesPerFrame
  }

  /// The most input that a fresh converter asks for to make so much output, with what its filter looks ahead.
  private func inputBytes(forOutput bytes: UInt32) throws(AudioStatus) -> Int {
    guard Int(bytes) % output.bytesPerFrame == 0 else { throw ConverterError.invalidOutputSize }
    var frames = Int(bytes) / output.bytesPerFrame
    if convertsRate && frames > 0 {
      let last = (Double(frames - 1) * input.stream.sampleRate / output.stream.sampleRate).rounded(.down)
      frames = Int(last) + 1 + trailingFrames
    }
    let needed = frames * input.bytesPerFrame
    guard needed <= Int(UInt32.max) else { throw ConverterError.invalidOutputSize }
    return needed
  }

  /// The output of a whole stream of so much input.
  private func outputBytes(forInput bytes: UInt32) throws(AudioStatus) -> Int {
    guard Int(bytes) % input.bytesPerFrame == 0 else { throw ConverterError.invalidInputSize }
    let frames = FrameCount.converted(
      Int64(Int(bytes) / input.bytesPerFrame), from: input.stream.sampleRate, to: output.stream.sampleRate)
    let made = Int(frames) * output.bytesPerFrame
    guard made <= Int(UInt32.max) else { throw ConverterError.invalidInputSize }
    return made
  }
}
