// Sample rate conversion of a stream. Runs on the thread that renders; push, pop and inputFramesNeeded do not allocate,
// lock or throw. The frame count law is that of `FrameCount.converted`.

import AudioCore
import DSPKernels

/// Converts a stream of planar Float32 from one sample rate to another.
///
/// - Frame 0 of the output lies at frame 0 of the input: the filters' delay is removed. Before frame 0 the input is
///   silence; past its end the caller pushes silence.
/// - The output bits follow from the input alone, never from how the stream is cut into calls. Each channel's bits are
///   those that a converter of that channel alone would give, so channels may be spread over converters and threads.
/// - Equal rates copy the input exactly.
///
/// One thread at a time may use a converter. The order of a slice is: ask ``inputFramesNeeded(toProduce:)``,
/// ``push(_:offset:frames:)`` that many, ``pop(into:offset:frames:)``.
public final class RateConverter: @unchecked Sendable {
  /// Hertz of the frames pushed.
  public let inputRate: Double
  /// Hertz of the frames popped.
  public let outputRate: Double
  /// Planes of each push and pop, 1 to 128.
  public let channelCount: Int
  /// The filter; without effect where the rates are equal.
  public let quality: RateConversionQuality
  /// The most frames that one pop may ask for.
  public let maximumOutputFrames: Int
  /// The most channels of one converter.
  public static let maximumChannelCount = samplerateMaximumChannels
  /// The largest ratio of the two rates, either way.
  public static let maximumRatio = 256.0

  /// The largest ratio of output to input rate in minimum phase. From 64 on libsoxr 0.1.3 makes more output than the
  /// rates say (measured: 0.5 to 1.5 % more), and so drifts; up to there it does not.
  public static let maximumMinimumPhaseRatio = 48.0

  /// The bank that converts; nil if another method was set, or there is none for the rates.
  package let bank: FilterBank?
  private let engine: any ConversionEngine
  private var pushedFrames = 0
  private var poppedFrames = 0

  /// A converter at the start of its stream, with all the memory it will need.
  ///
  /// - Parameters:
  ///   - inputRate: hertz, above 0.
  ///   - outputRate: hertz, from 1/256 to 256 times `inputRate` (48 times in minimum phase).
  ///   - channelCount: 1 to 128.
  ///   - quality: the filter.
  ///   - method: the implementation of the filter, if it is one of libsamplerate's sinc filters.
  ///   - maximumOutputFrames: the most frames of one pop, 1 or more.
  /// - Throws: `usage` with the numbers where one is out of its range; `render` where the library has no memory.
  public init(
    from inputRate: Double, to outputRate: Double, channelCount: Int, quality: RateConversionQuality = .standard,
    method: RateConversionMethod = .standard, maximumOutputFrames: Int
  ) throws(BenchError) {
    try Self.check(inputRate, outputRate, channelCount, quality, maximumOutputFrames)
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    self.quality = quality
    self.maximumOutputFrames = maximumOutputFrames
    bank = method == .bank ? try FilterBanks.bank(quality, from: inputRate, to: outputRate) : nil
    if inputRate == outputRate {
      engine = CopyEngine(channelCount: channelCount, maximumOutputFrames: maximumOutputFrames)
    } else if let bank {
      engine = FilterBankEngine(bank, channelCount: channelCount, maximumOutputFrames: maximumOutputFrames)
    } else {
      let ratio = outputRate / inputRate
      let library: any LibraryEngine
      switch quality.library {
      case .libsamplerate(let converter):
        library = try SamplerateEngine(converter: converter, ratio: ratio, channelCount: channelCount)
      case .libsoxr(let minimumPhase):
        library = try SoxrEngine(
          from: inputRate, to: outputRate, channelCount: channelCount, minimumPhase: minimumPhase)
      }
      engine = BlockEngine(
        library, ratio: ratio, step: inputRate / outputRate, channelCount: channelCount,
        maximumOutputFrames: maximumOutputFrames)
    }
  }

  /// About how many bytes a converter takes, with what the library behind it holds or the bank that it shares.
  public static func memoryBytes(
    from inputRate: Double, to outputRate: Double, channelCount: Int, quality: RateConversionQuality,
    method: RateConversionMethod = .standard, maximumOutputFrames: Int
  ) -> Int {
    let ratio = min(maximumRatio, max(1 / maximumRatio, outputRate / inputRate))
    let ahead = Int(clamping: Double(quality.halfLengthFrames) / min(1, ratio))
    let float = MemoryLayout<Float>.size
    if method == .bank, let whole = FilterBanks.ratio(quality, from: inputRate, to: outputRate) {
      let kept = FilterBankEngine.frameCapacity(
        windowFrames: 2 * ahead, maximumOutputFrames: maximumOutputFrames, step: 1 / ratio)
      return channelCount * float * kept + 2 * float * LibraryFilter.weightCount(quality, whole)
    }
    let queued = BlockEngine.mostQueuedFrames(
      maximumOutputFrames, lookAheadFrames: ahead, blockFrames: conversionBlockFrames(ratio: ratio), ratio: ratio)
    return channelCount * (2 * float * queued + quality.bytesPerChannel + 4096)
  }

  /// The memory of the filter banks that this process keeps for the next converters.
  package static var keptBankBytes: Int { FilterBanks.keptBytes }

  /// The most input frames that a pop can ask for beyond the frame at the position of its last output frame.
  public var readAheadFrames: Int { engine.readAheadFrames }

  /// The number of frames that must be pushed until a pop of `frames` succeeds; 0 if they are there. It depends only on
  /// the numbers of frames pushed and popped so far.
  ///
  /// - Parameter frames: 0 to `maximumOutputFrames`.
  public func inputFramesNeeded(toProduce frames: Int) -> Int {
    precondition(frames >= 0 && frames <= maximumOutputFrames, "more frames than the converter was made for")
    return frames > 0 ? max(0, engine.inputFrames(for: poppedFrames + frames) - pushedFrames) : 0
  }

  /// The number of input frames that must be pushed in all, from the start of the stream on, before its first `outputs`
  /// output frames can be popped: ``inputFramesNeeded(toProduce:)`` follows from it.
  package func inputFrames(for outputs: Int64) -> Int64 { Int64(engine.inputFrames(for: Int(outputs))) }

  /// Adds input.
  ///
  /// - Parameters:
  ///   - planes: `channelCount` planes, read from frame `offset`.
  ///   - offset: the first frame to read, 0 or more.
  ///   - frames: no more in all than `inputFramesNeeded(toProduce: maximumOutputFrames)` asked for, and 128 frames:
  ///     there the room ends.
  public func push(_ planes: FloatPlanes, offset: Int = 0, frames: Int) {
    precondition(offset >= 0 && frames >= 0, "a push of a negative number of frames")
    engine.push(planes, offset: offset, frames: frames)
    pushedFrames += frames
  }

  /// Adds silence, as ``push(_:offset:frames:)`` adds input: past the end of a stream.
  public func pushSilence(frames: Int) {
    precondition(frames >= 0)
    engine.push(nil, offset: 0, frames: frames)
    pushedFrames += frames
  }

  /// Takes the next output.
  ///
  /// - Parameters:
  ///   - planes: `channelCount` planes, written from frame `offset`.
  ///   - offset: the first frame to write, 0 or more.
  ///   - frames: 0 to `maximumOutputFrames`, and `inputFramesNeeded(toProduce: frames)` is 0.
  public func pop(into planes: FloatPlanes, offset: Int = 0, frames: Int) {
    precondition(offset >= 0 && inputFramesNeeded(toProduce: frames) == 0, "pop before enough was pushed")
    engine.pop(into: planes, offset: offset, frames: frames)
    poppedFrames += frames
  }

  /// Back to the start of a new stream, bit for bit as new. The two libsoxr qualities allocate here, the others do not.
  public func reset() {
    engine.reset()
    pushedFrames = 0
    poppedFrames = 0
  }

  /// Goes on as if `output` frames had been popped, bit for bit, whatever was pushed before. Not while rendering, as
  /// ``reset()``.
  /// - Returns: the input frame that the next push begins with, and the output frames to be popped and dropped: with a
  ///   bank a few frames before `output` and none, else 0 and all.
  package func restart(atOutput output: Int64) -> (input: Int64, surplus: Int64) {
    reset()
    guard output > 0, let input = engine.restart(atOutput: output) else { return (0, max(0, output)) }
    pushedFrames = Int(input)
    poppedFrames = Int(output)
    return (input, 0)
  }

  private static func check(
    _ inputRate: Double, _ outputRate: Double, _ channelCount: Int, _ quality: RateConversionQuality,
    _ maximumOutputFrames: Int
  ) throws(BenchError) {
    let place = "rate conversion"
    for (name, rate) in [("input", inputRate), ("output", outputRate)] where !(rate.isFinite && rate > 0) {
      throw BenchError(.usage, at: place, "the \(name) rate must be above 0 Hz and finite, not \(rate) Hz")
    }
    let ratio = outputRate / inputRate
    guard ratio <= maximumRatio, ratio >= 1 / maximumRatio else {
      throw BenchError(
        .usage, at: place,
        "from \(inputRate) Hz to \(outputRate) Hz is a ratio of \(ratio); 1/256 to 256 can be converted",
        advice: "convert in two steps")
    }
    guard quality != .minimumPhase || ratio <= maximumMinimumPhaseRatio else {
      throw BenchError(
        .usage, at: place,
        "from \(inputRate) Hz to \(outputRate) Hz is a ratio of \(ratio); minimum phase goes up to \(maximumMinimumPhaseRatio)",
        advice: "use the quality mastering: --quality mastering, or \"quality\": \"mastering\" in a graph")
    }
    guard channelCount >= 1, channelCount <= maximumChannelCount else {
      throw BenchError(.usage, at: place, "1 to \(maximumChannelCount) channels can be converted, not \(channelCount)")
    }
    guard maximumOutputFrames >= 1, maximumOutputFrames <= 1 << 28 else {
      throw BenchError(
        .usage, at: place, "the most frames of one pop must be 1 to \(1 << 28), not \(maximumOutputFrames)")
    }
  }
}
