// The path of one slice: convert. Runs on the render thread; allocates nothing after init.

import AudioCore
import DSPKernels
import SampleRate

/// Converts a stream of PCM into another: sample format, channels and rate, in that order of work.
///
/// Frame 0 of the output is aligned with frame 0 of the input, and the bits do not depend on how the stream is cut.
/// Samples are converted as Float, or as Double where both ends are wider than 24 bits and the rate stays (so that
/// int32 and float64 pass unchanged). Rate conversion is libsamplerate's or libsoxr's, by quality.
public final class FormatConverter {
  /// The choices that the two formats leave open: the filter, the way of the channels, and dither.
  public struct Options: Hashable, Sendable {
    /// The filter of the rate conversion; without effect where the rates are equal.
    public var quality: RateConversionQuality
    /// Nil: channels go straight through.
    public var channels: ChannelMatrix?
    /// Seed of the TPDF dither that is added when the output is integer; nil: none. Integers that become integers of as
    /// many bits or more, at the same rate and gain, get none: nothing of them is lost.
    public var ditherSeed: UInt64?

    /// The standard filter, channels straight through and no dither, unless given otherwise.
    public init(
      quality: RateConversionQuality = .standard, channels: ChannelMatrix? = nil, ditherSeed: UInt64? = nil
    ) {
      self.quality = quality
      self.channels = channels
      self.ditherSeed = ditherSeed
    }
  }

  /// The format of what ``push(_:frames:)`` and ``convert(_:to:frames:)`` read.
  package let inputFormat: StreamFormat
  /// The format of what ``pop(into:frames:)`` and ``convert(_:to:frames:)`` write.
  package let outputFormat: StreamFormat
  /// The most frames of one push, pop or conversion.
  package let maximumFrames: Int
  /// Samples that did not fit the output's integers since the last reset.
  package private(set) var clippedSamples: Int64 = 0
  /// Samples that were NaN or infinite and became integers since the last reset.
  package var nonFiniteSamples: Int64 { Int64(nonFiniteCount) }
  private var nonFiniteCount = 0

  private let rate: RateConverter?
  private let matrix: ChannelMatrix?
  private let mapsBeforeRate: Bool
  private let dither: DitherGenerator?
  private let isWide: Bool
  private let decoded: PlanarBuffer
  private let mapped: PlanarBuffer
  private let resampled: PlanarBuffer
  private let wideDecoded: DoubleBuffer
  private let wideMapped: DoubleBuffer
  private var outputFrame: Int64 = 0

  /// - Parameter maximumFrames: the longest slice that is pushed, popped or converted at once.
  /// - Throws: `.input` where the rates or the channel matrix do not fit the formats.
  package init(
    from inputFormat: StreamFormat, to outputFormat: StreamFormat, maximumFrames: Int, options: Options = Options()
  ) throws(BenchError) {
    guard inputFormat.isValid, outputFormat.isValid else {
      throw BenchError(.input, "cannot convert \(inputFormat) to \(outputFormat)")
    }
    let inputs = inputFormat.channelCount
    let outputs = outputFormat.channelCount
    let matrix = options.channels ?? .straight(inputCount: inputs, outputCount: outputs)
    guard matrix.inputCount == inputs, matrix.outputCount == outputs else {
      throw BenchError(
        .input,
        "the channel map is for \(matrix.inputCount) to \(matrix.outputCount) channels, but the streams have "
          + "\(inputs) and \(outputs)")
    }
    self.inputFormat = inputFormat
    self.outputFormat = outputFormat
    self.maximumFrames = maximumFrames
    self.matrix = matrix.isIdentity ? nil : matrix
    mapsBeforeRate = outputs <= inputs
    rate =
      inputFormat.sampleRate == outputFormat.sampleRate
      ? nil
      : try RateConverter(
        from: inputFormat.sampleRate, to: outputFormat.sampleRate, channelCount: min(inputs, outputs),
        quality: options.quality, maximumOutputFrames: maximumFrames)
    let (source, target) = (inputFormat.encoding, outputFormat.encoding)
    let isExact = source.kind != .float && source.bits <= target.bits && rate == nil && matrix.map != nil
    dither = target.kind == .float || isExact ? nil : options.ditherSeed.map { DitherGenerator(seed: $0) }
    isWide = rate == nil && inputFormat.encoding.isWide && outputFormat.encoding.isWide
    let buffers = BufferChannels(inputFormat, outputFormat, hasMatrix: self.matrix != nil)
    decoded = PlanarBuffer(channelCount: buffers.decoded, frameCapacity: maximumFrames)
    mapped = PlanarBuffer(channelCount: buffers.mapped, frameCapacity: maximumFrames)
    resampled = PlanarBuffer(channelCount: buffers.resampled, frameCapacity: maximumFrames)
    wideDecoded = DoubleBuffer(channelCount: buffers.wideDecoded, frameCapacity: maximumFrames)
    wideMapped = DoubleBuffer(channelCount: buffers.wideMapped, frameCapacity: maximumFrames)
  }

  /// The number of channels of each buffer between the steps: none where nothing is kept there.
  private struct BufferChannels {
    var decoded = 0
    var mapped = 0
    var resampled = 0
    var wideDecoded = 0
    var wideMapped = 0

    init(_ input: StreamFormat, _ output: StreamFormat, hasMatrix: Bool) {
      let convertsRate = input.sampleRate != output.sampleRate
      if !convertsRate && input.encoding.isWide && output.encoding.isWide {
        wideDecoded = input.channelCount
        wideMapped = hasMatrix ? output.channelCount : 0
      } else {
        decoded = input.isFloatPlanar ? 0 : input.channelCount
        mapped = hasMatrix ? output.channelCount : 0
        // The output of the rate conversion is the output if nothing follows.
        let mapsAfterwards = hasMatrix && output.channelCount > input.channelCount
        let isDirect = output.isFloatPlanar && !mapsAfterwards
        resampled = convertsRate && !isDirect ? min(input.channelCount, output.channelCount) : 0
      }
    }
  }

  /// About how many bytes a converter takes.
  package static func memoryBytes(
    from input: StreamFormat, to output: StreamFormat, maximumFrames: Int, options: Options = Options()
  ) -> Int {
    let buffers = BufferChannels(input, output, hasMatrix: true)
    let floats = buffers.decoded + buffers.mapped + buffers.resampled
    let doubles = buffers.wideDecoded + buffers.wideMapped
    let rate =
      input.sampleRate == output.sampleRate
      ? 0
      : RateConverter.memoryBytes(
        from: input.sampleRate, to: output.sampleRate, channelCount: min(input.channelCount, output.channelCount),
        quality: options.quality, maximumOutputFrames: maximumFrames)
    return (4 * floats + 8 * doubles) * (maximumFrames + 16) + 4 * input.channelCount * output.channelCount + rate
      + 1024
  }

  /// True: every output frame needs just the input frame of the same number.
  package var isSynchronous: Bool { rate == nil }

  /// The number of frames that must still be pushed before so many can be popped.
  package func inputFramesNeeded(toProduce frames: Int) -> Int { rate?.inputFramesNeeded(toProduce: frames) ?? frames }

  /// Takes over input frames, at most `maximumFrames` at once. For rate conversions; see ``convert(_:to:frames:)``.
  package func push(_ input: BusBuffer, frames: Int) {
    guard let rate else { preconditionFailure("equal rates convert slice by slice") }
    precondition(frames <= maximumFrames)
    var planes = decode(input, frames: frames)
    if let matrix, mapsBeforeRate {
      matrix.apply(from: planes, to: mapped.planes, frames: frames)
      planes = mapped.planes
    }
    rate.push(planes, offset: 0, frames: frames)
  }

  /// Gives output frames, at most `maximumFrames` at once; as many input frames as needed must have been pushed.
  package func pop(into output: BusBuffer, frames: Int) {
    guard let rate else { preconditionFailure("equal rates convert slice by slice") }
    precondition(frames <= maximumFrames)
    let mapsAfterwards = matrix != nil && !mapsBeforeRate
    if outputFormat.isFloatPlanar && !mapsAfterwards {
      rate.pop(into: output.planes, offset: 0, frames: frames)
      outputFrame += Int64(frames)
      return
    }
    rate.pop(into: resampled.planes, offset: 0, frames: frames)
    guard mapsAfterwards else { return encode(resampled.planes, to: output, frames: frames) }
    map(resampled.planes, to: mapped.planes, into: output, frames: frames)
  }

  /// Converts a slice between streams of the same rate.
  package func convert(_ input: BusBuffer, to output: BusBuffer, frames: Int) {
    precondition(rate == nil && frames <= maximumFrames)
    if isWide {
      decode(input, to: wideDecoded.planes, frames: frames)
      map(wideDecoded.planes, to: wideMapped.planes, into: output, frames: frames)
    } else {
      map(decode(input, frames: frames), to: mapped.planes, into: output, frames: frames)
    }
  }

  /// The last steps: channels, if that is still to be done, and samples.
  private func map<Sample: PlaneSample>(
    _ planes: Planes<Sample>,
    to mapped: Planes<Sample>, into output: BusBuffer, frames: Int
  ) {
    guard let matrix else { return encode(planes, to: output, frames: frames) }
    matrix.apply(from: planes, to: mapped, frames: frames)
    encode(mapped, to: output, frames: frames)
  }

  /// Back to the state of a new converter.
  package func reset() {
    restart(atOutputFrame: 0)
    clippedSamples = 0
    nonFiniteCount = 0
  }

  /// Forgets what was pushed and goes on as if `frame` were the next frame put out: dither follows the frame number.
  package func restart(atOutputFrame frame: Int64) {
    rate?.reset()
    outputFrame = frame
  }

  /// Goes on as if `frame` frames had been put out.
  /// - Returns: the input frame that is pushed next, and the output frames to be popped and dropped before `frame`.
  package func resume(atOutputFrame frame: Int64) -> (input: Int64, surplus: Int64) {
    let (input, surplus) = rate?.restart(atOutput: frame) ?? (frame, 0)
    outputFrame = frame - surplus
    return (input, surplus)
  }

  private func decode(_ input: BusBuffer, frames: Int) -> FloatPlanes {
    if inputFormat.isFloatPlanar { return input.planes }
    decode(input, to: decoded.planes, frames: frames)
    return decoded.planes
  }

  private func decode<Sample: PlaneSample>(
    _ input: BusBuffer, to planes: Planes<Sample>, frames: Int
  ) {
    for channel in 0..<inputFormat.channelCount {
      let (source, stride) = inputFormat.address(of: channel, in: input)
      PCMCodec.decode(source, as: inputFormat.encoding, stride: stride, frames: frames, into: planes[channel])
    }
  }

  private func encode<Sample: PlaneSample>(
    _ planes: Planes<Sample>, to output: BusBuffer, frames: Int
  ) {
    for channel in 0..<outputFormat.channelCount {
      let (destination, stride) = outputFormat.address(of: channel, in: output)
      clippedSamples += Int64(
        PCMCodec.encode(
          planes[channel], frames: frames, as: outputFormat.encoding, to: destination, stride: stride, dither: dither,
          channel: channel, firstFrame: outputFrame, nonFinite: &nonFiniteCount))
    }
    outputFrame += Int64(frames)
  }
}

extension SampleEncoding {
  /// More than Float can hold.
  fileprivate var isWide: Bool { bits > 32 || (kind != .float && bits > 24) }
}

extension StreamFormat {
  /// The place of a channel's first sample in a bus of this format, and the bytes from one sample to its next.
  package func address(of channel: Int, in bus: BusBuffer) -> (UnsafeMutableRawPointer, stride: Int) {
    isInterleaved
      ? (bus.buffers[0] + channel * encoding.containerBytes, bytesPerFrame)
      : (bus.buffers[channel], encoding.containerBytes)
  }
}
