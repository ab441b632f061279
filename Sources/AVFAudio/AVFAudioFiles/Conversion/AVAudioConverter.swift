import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import Foundation

/// The state of an input block: what it has for the converter.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// The block returns a buffer.
  case haveData
  /// There is nothing at this moment; the conversion stops where it is, and goes on with the next call.
  case noDataNow
  /// The stream is over: what the converter still holds comes out, and nothing more until ``AVAudioConverter/reset()``.
  case endOfStream
}

/// The result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The output has frames: as many as it has room for, or the last of the stream.
  case haveData
  /// The input had nothing more at this moment; the output has what could be made.
  case inputRanDry
  /// The stream is over, and nothing came out.
  case endOfStream
  /// The conversion failed; the error says how.
  case error
}

/// The frames that a filter needs around those that it makes: `leadingFrames` before the first, `trailingFrames` behind
/// the last, in frames of the input.
public struct AVAudioConverterPrimeInfo: Sendable {
  public var leadingFrames: AVAudioFrameCount
  public var trailingFrames: AVAudioFrameCount

  /// No frames.
  public init() { self.init(leadingFrames: 0, trailingFrames: 0) }
  /// So many frames.
  public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
    self.leadingFrames = leadingFrames
    self.trailingFrames = trailingFrames
  }
}

/// The source of the frames before a stream's first, for the filter of a rate conversion.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// The client gives them: the input begins with `leadingFrames` that belong to the past.
  case pre
  /// None are given: the filter begins with silence, centred; the client gives those behind the last.
  case normal
  /// Silence on both sides, as of a filter with latency.
  case none
}

/// Gives the converter input: at least so many packets if it can. It says what it has, and returns a buffer of the
/// input's format, which stays as it is until the next call; nil with any other status than `haveData`.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// A conversion between two formats of PCM, or µ-law and A-law: rate, samples, channels; or from packets of a codec, which
/// the input block gives in an ``AVAudioCompressedBuffer``. A stream goes through it in pieces of any length; the pieces
/// make no difference to a bit of the output. One thread at a time.
///
/// Channels go straight through: of more inputs than outputs the last are dropped, of more outputs the last are silent,
/// and where both formats have layouts with the same loudspeakers the channels change places. See ``downmix`` and
/// ``channelMap``.
open class AVAudioConverter: NSObject, @unchecked Sendable {
  /// The format of the input.
  public let inputFormat: AVAudioFormat
  /// The format of the output.
  public let outputFormat: AVAudioFormat
  let stream: StreamConverter
  /// The buffer that the block gave last: the converter may still read from it.
  private var held: AVAudioBuffer?

  /// Nil where there is no such conversion: a codec that is not decoded here, or is to be encoded, a rate or a number of
  /// channels beyond bounds.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    guard
      let stream = try? StreamConverter(
        from: fromFormat.streamDescription.pointee, to: toFormat.streamDescription.pointee)
    else { return nil }
    inputFormat = fromFormat
    outputFormat = toFormat
    self.stream = stream
    super.init()
    if let cookie = fromFormat.magicCookie { stream.packets?.cookie = Array(cookie) }
    if let layout = fromFormat.channelLayout, let other = toFormat.channelLayout {
      var settings = stream.settings
      settings.inputLayout = [UInt8](layout.settingsData)
      settings.outputLayout = [UInt8](other.settingsData)
      apply(settings)
    }
  }

  /// Forgets the stream, also that it ended; the settings stay.
  public func reset() {
    stream.reset()
    held = nil
  }

  /// True where rates differ.
  private var convertsRate: Bool { stream.convertsRate }

  /// Takes over settings; a change that cannot be made in the middle of a rate conversion is left undone.
  private func apply(_ settings: ConverterSettings) { try? stream.apply(settings) }

  private func change(_ body: (inout ConverterSettings) -> Void) {
    var settings = stream.settings
    body(&settings)
    apply(settings)
  }
}

// MARK: Settings

extension AVAudioConverter {
  /// The source of each output channel, counted from 0; negative: silence. A map of another length than the output's
  /// channels, or with a channel that the input has not, ends the process.
  public var channelMap: [NSNumber] {
    get {
      let (inputs, outputs) = (Int(inputFormat.channelCount), Int(outputFormat.channelCount))
      return stream.settings.matrix(inputCount: inputs, outputCount: outputs)?.map?.map { NSNumber(value: $0) }
        ?? (0..<outputs).map { NSNumber(value: $0 < inputs ? $0 : -1) }
    }
    set {
      require(newValue.count == Int(outputFormat.channelCount), "channelMap.count == outputFormat.channelCount")
      require(
        newValue.allSatisfy { $0.intValue < Int(inputFormat.channelCount) }, "channelMap[i] < inputFormat.channelCount")
      change { $0.channelMap = newValue.map { Int32(max(-1, $0.intValue)) } }
    }
  }

  /// True: channels are mixed where loudspeakers differ, by the coefficients of ITU-R BS.775, in place of dropped or left
  /// silent. Without a layout mono and stereo are taken for what they are; other channels go straight through.
  public var downmix: Bool {
    get { stream.settings.mixing != nil }
    set {
      var mixing: ChannelMatrix?
      if newValue, let source = inputFormat.loudspeakers, let target = outputFormat.loudspeakers {
        mixing = .between(source, target)
      }
      change { $0.mixing = mixing }
    }
  }

  /// True: triangular dither where samples become integers of fewer bits.
  public var dither: Bool {
    get { stream.settings.hasDither }
    set { change { $0.hasDither = newValue } }
  }

  /// 0 to 127: see ``AVAudioQuality``. Which filters it chooses stands in the project's pages.
  public var sampleRateConverterQuality: Int {
    get { Int(stream.settings.quality) }
    set { change { $0.quality = UInt32(clamping: min(Int(ConverterSettings.maximumQuality), max(0, newValue))) } }
  }

  /// ``AVSampleRateConverterAlgorithm_Normal``, `…_Mastering` or `…_MinimumPhase`; others, and nil, are the normal one.
  public var sampleRateConverterAlgorithm: String? {
    get {
      switch stream.settings.complexity {
      case .mastering: AVSampleRateConverterAlgorithm_Mastering
      case .minimumPhase: AVSampleRateConverterAlgorithm_MinimumPhase
      default: AVSampleRateConverterAlgorithm_Normal
      }
    }
    set {
      change {
        switch newValue {
        case AVSampleRateConverterAlgorithm_Mastering: $0.complexity = .mastering
        case AVSampleRateConverterAlgorithm_MinimumPhase: $0.complexity = .minimumPhase
        default: $0.complexity = .normal
        }
      }
    }
  }

  /// The source of the frames before the first.
  public var primeMethod: AVAudioConverterPrimeMethod {
    get { AVAudioConverterPrimeMethod(rawValue: Int(stream.settings.primeMethod.rawValue)) ?? .normal }
    set {
      guard let method = ConverterSettings.PrimeMethod(rawValue: UInt32(newValue.rawValue)) else { return }
      change { $0.primeMethod = method }
    }
  }

  /// The frames that the filter needs around those of the stream, which follow from the formats: setting them does nothing.
  /// A converter of packets leaves out so many frames in front of the sound and behind it; to be set before the first
  /// conversion.
  public var primeInfo: AVAudioConverterPrimeInfo {
    get {
      if let trim = stream.packets?.trim {
        return AVAudioConverterPrimeInfo(leadingFrames: trim.leadingFrames, trailingFrames: trim.trailingFrames)
      }
      return AVAudioConverterPrimeInfo(
        leadingFrames: AVAudioFrameCount(clamping: stream.leadingFrames),
        trailingFrames: AVAudioFrameCount(clamping: stream.trailingFrames))
    }
    set {
      guard !stream.hasConverted else { return }
      stream.packets?.trim.leadingFrames = newValue.leadingFrames
      stream.packets?.trim.trailingFrames = newValue.trailingFrames
    }
  }

  /// The configuration of the input's codec, as files keep it; converters of PCM have none.
  public var magicCookie: Data? {
    get { inputFormat.magicCookie }
    set {
      inputFormat.magicCookie = newValue
      stream.packets?.cookie = newValue.map { Array($0) } ?? []
    }
  }
}

// MARK: Conversion

extension AVAudioConverter {
  /// Converts a whole buffer at equal rates.
  /// - Throws: −50 where the rates or a buffer's format differ from the converter's or the output has no room.
  public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    guard !convertsRate else {
      throw NSError(
        .parameterError,
        "\(inputFormat.sampleRate) Hz becomes \(outputFormat.sampleRate) Hz: only an input block can be converted so")
    }
    try check(inputBuffer.format, is: inputFormat, "input")
    try check(outputBuffer.format, is: outputFormat, "output")
    guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
      throw NSError(
        .parameterError, "the output has room for \(outputBuffer.frameCapacity) frames of \(inputBuffer.frameLength)")
    }
    outputBuffer.frameLength = 0
    do {
      try stream.convertLists(
        from: inputBuffer.audioBufferList, to: outputBuffer.mutableAudioBufferList, frames: Int(inputBuffer.frameLength)
      )
    } catch { throw NSError(error) }
    outputBuffer.frameLength = inputBuffer.frameLength
  }

  private func check(_ found: AVAudioFormat, is expected: AVAudioFormat, _ side: String) throws(NSError) {
    guard found.isEqual(expected) || (found.stream != nil && found.stream == expected.stream) else {
      throw NSError(.parameterError, "the \(side) buffer has \(found), the converter's \(side) is \(expected)")
    }
  }

  /// Fills the output from what the block gives, and sets its length.
  ///
  /// - `endOfStream` of the block is final until ``reset()``: the filters' rest comes out, over as many calls as it
  ///   takes, and then this answers `endOfStream` with no frames.
  /// - `noDataNow` stops here: the output has the frames that could be made, and the next call goes on.
  /// - A buffer that the block gives is read to its end before the block is asked again, also by later calls.
  ///
  /// - Parameters:
  ///   - outputBuffer: a buffer of ``outputFormat``; filled up to its capacity.
  ///   - outError: takes the error where this answers `error`.
  ///   - inputBlock: called on this thread, until the output is full.
  @discardableResult
  public func convert(
    to outputBuffer: AVAudioBuffer, error outError: UnsafeMutablePointer<NSError?>?,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    convert(to: outputBuffer, frames: nil, error: outError, withInputFrom: inputBlock)
  }

  /// The same up to a number of frames, no more than the capacity.
  @discardableResult
  package func convert(
    to outputBuffer: AVAudioPCMBuffer, frames: AVAudioFrameCount, withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus { convert(to: outputBuffer, frames: frames, error: nil, withInputFrom: inputBlock) }

  private func convert(
    to outputBuffer: AVAudioBuffer, frames limit: AVAudioFrameCount?, error outError: UnsafeMutablePointer<NSError?>?,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    outError?.pointee = nil
    func failed(_ error: NSError) -> AVAudioConverterOutputStatus {
      outError?.pointee = error
      return .error
    }
    let output = outputBuffer
    guard output is AVAudioPCMBuffer || stream.output.code != nil else {
      return failed(
        NSError(ConverterError.formatNotSupported, "the output is no buffer of PCM: encoders are not built in"))
    }
    do { try check(output.format, is: outputFormat, "output") } catch { return failed(error) }
    output.setFrames(0)
    guard output.roomFrames > 0 else { return .haveData }
    var refusal: NSError?
    let list = output.mutableAudioBufferList
    do {
      _ = try stream.output.addresses(
        of: list, into: stream.outputBases, orThrow: ConverterError.invalidOutputSize)
    } catch { return failed(NSError(error)) }
    let (frames, status) = stream.fill(
      from: { list, packets, descriptions in
        var inputStatus = AVAudioConverterInputStatus.haveData
        let given = inputBlock(AVAudioPacketCount(clamping: packets), &inputStatus)
        packets = 0
        switch inputStatus {
        case .endOfStream: return 0
        case .noDataNow: return Self.noDataNow
        case .haveData: break
        }
        guard let input = given else {
          refusal = NSError(.parameterError, "the input block has data and returns none")
          return AudioStatus.parameterError.rawValue
        }
        do throws(NSError) { try check(input.format, is: inputFormat, "input") } catch {
          refusal = error
          return AudioStatus.parameterError.rawValue
        }
        // An empty buffer is no end: the block says that by its status.
        guard input.validPackets > 0 else { return Self.noDataNow }
        held = input
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for (index, buffer) in input.readable.enumerated() { buffers[index] = buffer }
        packets = Int(input.validPackets)
        descriptions = (input as? AVAudioCompressedBuffer)?.packetDescriptions
        return 0
      }, capacity: Int(min(limit ?? .max, output.roomFrames)))
    output.setFrames(AVAudioFrameCount(frames))
    if let refusal { return failed(refusal) }
    switch status {
    case 0: return frames > 0 ? .haveData : .endOfStream
    case Self.noDataNow: return .inputRanDry
    default: return failed(NSError(AudioStatus(status)))
    }
  }

  /// The status inside of a conversion for "nothing at this moment".
  private static let noDataNow: OSStatus = Int32(bitPattern: ("!now" as AudioCore.FourCharCode).rawValue)
}

extension AVAudioBuffer {
  /// The frames, or packets, that there is room for.
  fileprivate var roomFrames: AVAudioFrameCount {
    (self as? AVAudioPCMBuffer)?.frameCapacity ?? (self as? AVAudioCompressedBuffer)?.packetCapacity ?? 0
  }

  /// The frames, or packets, that are there.
  fileprivate var validPackets: AVAudioPacketCount {
    (self as? AVAudioPCMBuffer)?.frameLength ?? (self as? AVAudioCompressedBuffer)?.packetCount ?? 0
  }

  /// Says how many frames there are now: of µ-law and A-law each is a packet.
  fileprivate func setFrames(_ count: AVAudioFrameCount) {
    if let buffer = self as? AVAudioPCMBuffer { buffer.frameLength = count }
    guard let buffer = self as? AVAudioCompressedBuffer else { return }
    buffer.packetCount = count
    buffer.byteLength = count * format.streamDescription.pointee.mBytesPerPacket
  }
}
