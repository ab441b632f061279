// The properties of a converter. Runs on the thread that calls; not while rendering.

import AudioCore
import CAudioToolbox

extension StreamConverter {
  /// The size of a value and whether it can be set.
  ///
  /// - Throws: 'prop' for a property that a converter of PCM has not, or that has no value yet.
  func info(of id: AudioConverterPropertyID) throws(AudioStatus) -> (size: Int, isWritable: Bool) {
    let isWritable =
      switch id {
      case kAudioConverterSampleRateConverterComplexity, kAudioConverterSampleRateConverterAlgorithm,
        kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterInitialPhase,
        kAudioConverterPrimeMethod, kAudioConverterChannelMap, kAudioConverterInputChannelLayout,
        kAudioConverterOutputChannelLayout, kAudioConverterPropertyDithering, kAudioConverterPropertyDitherBitDepth,
        kAudioConverterPropertyBitDepthHint, kAudioConverterPropertyPerformDownmix,
        kAudioConverterPropertyChannelMixMap:
        true
      case kAudioConverterDecompressionMagicCookie, kAudioConverterPrimeInfo: packets != nil
      default: false
      }
    return (try value(of: id).size, isWritable)
  }

  /// Writes a value; `size` comes in as the room and goes out as what was written.
  ///
  /// - Throws: 'prop'; '!siz' where there is too little room; 'insz' and 'otsz' where a size to be converted is no
  ///   whole number of packets or has no answer in 32 bits.
  func get(
    _ id: AudioConverterPropertyID, size: inout UInt32, to data: UnsafeMutableRawPointer
  ) throws(AudioStatus) {
    let question = size < 4 ? 0 : data.loadUnaligned(as: UInt32.self)
    try value(of: id, question: question).write(to: data, size: &size, orThrow: ConverterError.badPropertySize)
  }

  /// The value of a property.
  /// - Parameter question: the size to be converted, for the properties that convert one.
  private func value(of id: AudioConverterPropertyID, question: UInt32 = 0) throws(AudioStatus) -> CValue {
    func number(_ value: Int) -> CValue { .number(UInt32(clamping: value)) }
    switch id {
    case kAudioConverterPropertyMinimumInputBufferSize: return number(smallest(input, against: output))
    case kAudioConverterPropertyMinimumOutputBufferSize: return number(smallest(output, against: input))
    case kAudioConverterPropertyMaximumInputBufferSize:
      return number(packets == nil ? pending.roomFrames * input.bytesPerFrame : PacketInput.roomBytes)
    case kAudioConverterPropertyMaximumInputPacketSize: return number(packets?.mostBytes ?? input.bytesPerFrame)
    case kAudioConverterDecompressionMagicCookie:
      guard let cookie = packets?.cookie, !cookie.isEmpty else { throw ConverterError.propertyNotSupported }
      return .bytes(cookie)
    case kAudioConverterPrimeInfo where packets != nil:
      return CValue(packets?.trim ?? AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0))
    case kAudioConverterPropertyMaximumOutputPacketSize: return number(output.bytesPerFrame)
    case kAudioConverterPropertyCalculateInputBufferSize: return number(try inputBytes(forOutput: question))
    case kAudioConverterPropertyCalculateOutputBufferSize: return number(try outputBytes(forInput: question))
    // The algorithm is the old name of the complexity, with the same values here.
    case kAudioConverterSampleRateConverterComplexity, kAudioConverterSampleRateConverterAlgorithm:
      return .number(settings.complexity.rawValue)
    case kAudioConverterSampleRateConverterQuality: return .number(settings.quality)
    case kAudioConverterSampleRateConverterInitialPhase: return CValue(Float64(0))
    case kAudioConverterPrimeMethod: return .number(settings.primeMethod.rawValue)
    case kAudioConverterPrimeInfo:
      return CValue(
        AudioConverterPrimeInfo(
          leadingFrames: UInt32(clamping: leadingFrames), trailingFrames: UInt32(clamping: trailingFrames)))
    case kAudioConverterChannelMap:
      let straight = (0..<output.stream.channelCount).map { $0 < input.stream.channelCount ? Int32($0) : -1 }
      return CValue(array: settings.channelMap ?? straight)
    case kAudioConverterPropertyPerformDownmix: return .number(settings.performsDownmix ? 1 : 0)
    case kAudioConverterPropertyChannelMixMap:
      let (inputs, outputs) = (input.stream.channelCount, output.stream.channelCount)
      let mix = settings.mix(inputCount: inputs, outputCount: outputs)
      return CValue(array: (0..<inputs).flatMap { from in (0..<outputs).map { mix.gains[$0 * inputs + from] } })
    case kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout:
      let layout = id == kAudioConverterInputChannelLayout ? settings.inputLayout : settings.outputLayout
      guard let layout else { throw ConverterError.propertyNotSupported }
      return .bytes(layout)
    case kAudioConverterCurrentInputStreamDescription: return CValue(input.audioStreamBasicDescription)
    case kAudioConverterCurrentOutputStreamDescription: return CValue(output.audioStreamBasicDescription)
    case kAudioConverterPropertyDithering: return .number(settings.hasDither ? 1 : 0)
    case kAudioConverterPropertyDitherBitDepth: return number(output.bitsPerChannel)
    case kAudioConverterPropertyCanResumeFromInterruption: return .number(1)
    default: return try encodingValue(of: id)
    }
  }

  /// The values of an encoder's properties. PCM and G.711 have one bit rate, that of their samples, take any rate and
  /// any channels, and have one quality.
  /// - Throws: 'prop' for cookies and codec parameters, which belong to compressing codecs.
  private func encodingValue(of id: AudioConverterPropertyID) throws(AudioStatus) -> CValue {
    let bitRate = output.stream.sampleRate * Double(8 * output.bytesPerFrame * output.bufferCount)
    func range(_ value: Double) -> CValue { CValue(array: [AudioValueRange(mMinimum: value, mMaximum: value)]) }
    switch id {
    case kAudioConverterEncodeBitRate: return .number(UInt32(clamping: bitRate.rounded()))
    case kAudioConverterApplicableEncodeBitRates, kAudioConverterAvailableEncodeBitRates: return range(bitRate)
    case kAudioConverterApplicableEncodeSampleRates: return range(output.stream.sampleRate)
    case kAudioConverterAvailableEncodeSampleRates: return CValue(array: [EncodingFacts.sampleRates])
    case kAudioConverterEncodeAdjustableSampleRate: return CValue(output.stream.sampleRate)
    case kAudioConverterAvailableEncodeChannelLayoutTags:
      return .numbers(EncodingFacts.layoutTags(channelCount: UInt32(output.stream.channelCount)))
    case kAudioConverterCodecQuality: return .number(kAudioConverterQuality_Max)
    case kAudioConverterPropertyBitDepthHint:
      let bits = Int32(input.bitsPerChannel)
      return CValue(settings.bitDepthHint ?? (input.stream.encoding.kind == .float ? -bits : bits))
    case kAudioConverterPropertyFormatList:
      return CValue(array: [EncodingFacts.listItem(output.audioStreamBasicDescription)])
    // No settings of a codec.
    case kAudioConverterPropertySettings: return .object(.texts([]))
    default: throw ConverterError.propertyNotSupported
    }
  }

  /// Takes over a value.
  ///
  /// - Throws: 'prop'; 'op??' for a property that is only read, for a value that the engine has not (a phase, shaped
  ///   noise), for a map of channels where they are mixed or gains where they are not, and for a change of a rate
  ///   conversion that has begun; '!siz'; -50 for a value that means nothing.
  func set(_ id: AudioConverterPropertyID, size: Int, from data: UnsafeRawPointer) throws(AudioStatus) {
    func value<T: BitwiseCopyable>(_ type: T.Type) throws(AudioStatus) -> T {
      guard size == MemoryLayout<T>.size else { throw ConverterError.badPropertySize }
      return data.loadUnaligned(as: type)
    }
    var changed = settings
    switch id {
    case kAudioConverterDecompressionMagicCookie:
      guard let packets else { throw ConverterError.propertyNotSupported }
      guard size > 0, size < 1 << 20 else { throw ConverterError.badPropertySize }
      packets.cookie = Array(UnsafeRawBufferPointer(start: data, count: size))
      return
    case kAudioConverterPrimeInfo where packets != nil:
      let trim = try value(AudioConverterPrimeInfo.self)
      guard !hasConverted, !isFilling else { throw ConverterError.operationNotSupported }
      packets?.trim = trim
      return
    case kAudioConverterSampleRateConverterComplexity, kAudioConverterSampleRateConverterAlgorithm:
      guard let complexity = ConverterSettings.Complexity(rawValue: try value(UInt32.self)) else {
        throw .parameterError
      }
      changed.complexity = complexity
    case kAudioConverterSampleRateConverterQuality:
      changed.quality = try value(UInt32.self)
      guard changed.quality <= ConverterSettings.maximumQuality else { throw .parameterError }
    case kAudioConverterSampleRateConverterInitialPhase:
      let phase = try value(Float64.self)
      guard phase >= 0, phase < 1 else { throw .parameterError }
      guard phase == 0 else { throw ConverterError.operationNotSupported }
    case kAudioConverterPrimeMethod:
      guard let method = ConverterSettings.PrimeMethod(rawValue: try value(UInt32.self)) else {
        throw .parameterError
      }
      changed.primeMethod = method
    case kAudioConverterChannelMap:
      let map = try map(size: size, from: data)
      guard !settings.performsDownmix else { throw ConverterError.operationNotSupported }
      changed.channelMap = map
    case kAudioConverterPropertyPerformDownmix:
      let performs = try value(UInt32.self)
      guard performs <= 1 else { throw .parameterError }
      changed.performsDownmix = performs == 1
    case kAudioConverterPropertyChannelMixMap:
      let gains = try gains(size: size, from: data)
      guard settings.performsDownmix else { throw ConverterError.operationNotSupported }
      changed.mixMap = gains
    case kAudioConverterInputChannelLayout:
      changed.inputLayout = try layout(size: size, from: data, channelCount: input.stream.channelCount)
    case kAudioConverterOutputChannelLayout:
      changed.outputLayout = try layout(size: size, from: data, channelCount: output.stream.channelCount)
    case kAudioConverterPropertyDithering:
      let dithering = try value(UInt32.self)
      guard dithering <= 2 else { throw .parameterError }
      guard dithering < 2 else { throw ConverterError.operationNotSupported }
      changed.hasDither = dithering == 1
    case kAudioConverterPropertyDitherBitDepth:
      guard try value(UInt32.self) == UInt32(output.bitsPerChannel) else {
        throw ConverterError.operationNotSupported
      }
    case kAudioConverterPropertyBitDepthHint: changed.bitDepthHint = try value(Int32.self)
    default:
      _ = try info(of: id)
      throw ConverterError.operationNotSupported
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

  private func gains(size: Int, from data: UnsafeRawPointer) throws(AudioStatus) -> [Float] {
    let count = input.stream.channelCount * output.stream.channelCount
    guard size == 4 * count else { throw ConverterError.badPropertySize }
    let gains = (0..<count).map { data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    guard gains.allSatisfy({ (0...1).contains($0) }) else { throw .parameterError }
    return gains
  }

  private func layout(size: Int, from data: UnsafeRawPointer, channelCount: Int) throws(AudioStatus) -> [UInt8] {
    guard let channels = ChannelLayouts.channelCount(of: data, size: size) else {
      throw ConverterError.badPropertySize
    }
    guard channels == channelCount else { throw .parameterError }
    return Array(UnsafeRawBufferPointer(start: data, count: size))
  }
}

// MARK: Sizes

extension StreamConverter {
  /// The bytes in a buffer of one end that make at least a packet at the other.
  private func smallest(_ end: ConverterFormat, against other: ConverterFormat) -> Int {
    if end.packets != nil, let packets { return packets.mostBytes }
    let frames = (end.stream.sampleRate / other.stream.sampleRate).rounded(.up)
    return max(1, Int(clamping: frames)) * end.bytesPerFrame
  }

  /// The most input that a fresh converter asks for to make so much output, with what its filter looks ahead.
  private func inputBytes(forOutput bytes: UInt32) throws(AudioStatus) -> Int {
    guard Int(bytes) % output.bytesPerFrame == 0 else { throw ConverterError.invalidOutputSize }
    var frames = Int(bytes) / output.bytesPerFrame
    if convertsRate && frames > 0 {
      let last = (Double(frames - 1) * input.stream.sampleRate / output.stream.sampleRate).rounded(.down)
      frames = Int(clamping: last) + 1 + trailingFrames
    }
    var (count, bytesOfEach) = (frames, input.bytesPerFrame)
    if let packets {
      let perPacket = max(1, Int(packets.format.framesPerPacket))
      (count, bytesOfEach) = (frames / perPacket + min(1, frames % perPacket), packets.mostBytes)
    }
    let (needed, overflow) = count.multipliedReportingOverflow(by: bytesOfEach)
    guard !overflow, needed <= Int(UInt32.max) else { throw ConverterError.invalidOutputSize }
    return needed
  }

  /// The output of a whole stream of so much input.
  private func outputBytes(forInput bytes: UInt32) throws(AudioStatus) -> Int {
    var inputFrames = Int(bytes) / input.bytesPerFrame
    if let format = packets?.format {
      // Nothing is known of how many frames packets hold that differ in size.
      guard format.bytesPerPacket > 0 else { throw ConverterError.operationNotSupported }
      guard bytes % format.bytesPerPacket == 0 else { throw ConverterError.invalidInputSize }
      let (product, overflow) = Int(bytes / format.bytesPerPacket).multipliedReportingOverflow(
        by: Int(format.framesPerPacket))
      guard !overflow, product < 1 << 40 else { throw ConverterError.invalidInputSize }
      inputFrames = product
    } else {
      guard Int(bytes) % input.bytesPerFrame == 0 else { throw ConverterError.invalidInputSize }
    }
    let frames = FrameCount.converted(
      Int64(inputFrames), from: input.stream.sampleRate, to: output.stream.sampleRate)
    let made = Int(frames) * output.bytesPerFrame
    guard made <= Int(UInt32.max) else { throw ConverterError.invalidInputSize }
    return made
  }
}
