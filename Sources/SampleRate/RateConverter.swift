// Sample rate conversion of a stream. Runs on the thread that renders; push, pop and inputFramesNeeded do not allocate,
// lock or throw. The frame count law is that of `FrameCount.converted`.

import AudioCore

/// Converts a stream of planar Float32 from one sample rate to another.
///
/// - Frame 0 of the output lies at frame 0 of the input: the filters' delay is removed. Before frame 0 the input is
///   silence; past its end the caller pushes silence.
/// - The output bits follow from the input alone, never from how the stream is cut into calls: the library behind is
///   always given the same blocks. Each channel's bits are those that a converter of that channel alone would give, so
///   channels may be spread over converters and threads.
/// - Equal rates copy the input exactly.
///
/// One thread at a time may use a converter. The order of a slice is: ask ``inputFramesNeeded(toProduce:)``, ``push(_:offset:frames:)``
/// that many, ``pop(into:offset:frames:)``.
public final class RateConverter: @unchecked Sendable {
  /// Hertz of the frames pushed.
  public let inputRate: Double
  /// Hertz of the frames popped.
  public let outputRate: Double
  public let channelCount: Int
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

  private let engine: (any ConversionEngine)?
  private let blockFrames: Int
  private let lookAheadFrames: Int
  private let step: Double
  private var queue: OutputQueue
  /// Frames in the open block.
  private var stagedFrames = 0
  private var pushedFrames = 0
  private var poppedFrames = 0

  /// A converter at the start of its stream, with all the memory it will need.
  ///
  /// - Parameters:
  ///   - inputRate: hertz, above 0.
  ///   - outputRate: hertz, from 1/256 to 256 times `inputRate` (48 times in minimum phase).
  ///   - channelCount: 1 to 128.
  ///   - quality: which filter.
  ///   - maximumOutputFrames: the most frames of one pop, 1 or more.
  /// - Throws: `usage` with the numbers where one is out of its range; `render` where the library has no memory.
  public init(
    from inputRate: Double, to outputRate: Double, channelCount: Int, quality: RateConversionQuality = .medium,
    maximumOutputFrames: Int
  ) throws(BenchError) {
    try Self.check(inputRate, outputRate, channelCount, quality, maximumOutputFrames)
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    self.quality = quality
    self.maximumOutputFrames = maximumOutputFrames
    step = inputRate / outputRate
    let ratio = outputRate / inputRate
    if inputRate == outputRate {
      engine = nil
    } else {
      switch quality.library {
      case .libsamplerate(let converter):
        engine = try SamplerateEngine(converter: converter, ratio: ratio, channelCount: channelCount)
      case .libsoxr(let minimumPhase):
        engine = try SoxrEngine(
          from: inputRate, to: outputRate, channelCount: channelCount, minimumPhase: minimumPhase)
      }
    }
    blockFrames = engine?.blockFrames ?? 1
    lookAheadFrames = engine?.lookAheadFrames ?? 1
    queue = OutputQueue(
      channelCount: channelCount,
      mostFrames: Self.mostQueuedFrames(
        maximumOutputFrames, lookAheadFrames: lookAheadFrames, blockFrames: blockFrames, ratio: ratio))
  }

  /// The most output frames that can wait to be popped.
  private static func mostQueuedFrames(
    _ maximumOutputFrames: Int, lookAheadFrames: Int, blockFrames: Int, ratio: Double
  ) -> Int {
    maximumOutputFrames + Int(Double(lookAheadFrames + 3 * blockFrames) * ratio) + 64
  }

  /// About how many bytes a converter takes, with what the library behind it holds.
  public static func memoryBytes(
    from inputRate: Double, to outputRate: Double, channelCount: Int, quality: RateConversionQuality,
    maximumOutputFrames: Int
  ) -> Int {
    let ratio = min(maximumRatio, max(1 / maximumRatio, outputRate / inputRate))
    let ahead = Int(Double(quality.halfLengthFrames) / min(1, ratio))
    let queued = mostQueuedFrames(
      maximumOutputFrames, lookAheadFrames: ahead, blockFrames: conversionBlockFrames(ratio: ratio), ratio: ratio)
    return channelCount * (2 * 4 * queued + quality.bytesPerChannel + 4096)
  }

  /// The most input frames that a pop can ask for beyond the frame at the position of its last output frame.
  public var readAheadFrames: Int { lookAheadFrames + blockFrames - 2 }

  /// How many frames must be pushed until a pop of `frames` succeeds; 0 where they are there. The answer follows from
  /// how many frames were pushed and popped so far and from nothing else; it asks for whole blocks.
  ///
  /// - Parameter frames: 0 to `maximumOutputFrames`.
  public func inputFramesNeeded(toProduce frames: Int) -> Int {
    precondition(frames >= 0 && frames <= maximumOutputFrames, "more frames than the converter was made for")
    guard frames > 0 else { return 0 }
    let last = Int((Double(poppedFrames + frames - 1) * step).rounded(.down))
    let blocks = (last + lookAheadFrames + blockFrames - 1) / blockFrames
    return max(0, blocks * blockFrames - pushedFrames)
  }

  /// Adds input.
  ///
  /// - Parameters:
  ///   - planes: `channelCount` planes, read from frame `offset`.
  ///   - offset: the first frame to read, 0 or more.
  ///   - frames: no more in all than `inputFramesNeeded(toProduce: maximumOutputFrames)` asked for, and one block of
  ///     16 to 128 frames: the queue ends there.
  public func push(_ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frames: Int) {
    precondition(offset >= 0 && frames >= 0, "a push of a negative number of frames")
    guard let engine else { return copy(planes, offset: offset, frames: frames) }
    var done = 0
    while done < frames {
      let part = min(frames - done, blockFrames - stagedFrames)
      engine.store(planes, offset: offset + done, frames: part, at: stagedFrames)
      advance(part, engine)
      done += part
    }
  }

  /// Adds silence, as ``push(_:offset:frames:)`` adds input: past the end of a stream.
  public func pushSilence(frames: Int) {
    precondition(frames >= 0)
    guard let engine else { return copy(nil, offset: 0, frames: frames) }
    var done = 0
    while done < frames {
      let part = min(frames - done, blockFrames - stagedFrames)
      engine.storeSilence(frames: part, at: stagedFrames)
      advance(part, engine)
      done += part
    }
  }

  /// Takes the next output.
  ///
  /// - Parameters:
  ///   - planes: `channelCount` planes, written from frame `offset`.
  ///   - offset: the first frame to write, 0 or more.
  ///   - frames: 0 to `maximumOutputFrames`, and `inputFramesNeeded(toProduce: frames)` is 0.
  public func pop(into planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frames: Int) {
    precondition(offset >= 0 && inputFramesNeeded(toProduce: frames) == 0, "pop before enough was pushed")
    queue.pop(into: planes, offset: offset, frames: frames)
    poppedFrames += frames
  }

  /// Back to the start of a new stream, bit for bit as new. The two libsoxr qualities allocate here, the others do not.
  public func reset() {
    engine?.reset()
    queue.removeAll()
    stagedFrames = 0
    pushedFrames = 0
    poppedFrames = 0
  }

  private func advance(_ frames: Int, _ engine: any ConversionEngine) {
    stagedFrames += frames
    pushedFrames += frames
    if stagedFrames == blockFrames {
      engine.convertBlock(into: &queue)
      stagedFrames = 0
    }
  }

  private func copy(_ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?, offset: Int, frames: Int) {
    precondition(queue.makeRoom() >= frames, "output queue overrun")
    for channel in 0..<channelCount {
      if let planes {
        queue.tail[channel].update(from: planes[channel] + offset, count: frames)
      } else {
        queue.tail[channel].update(repeating: 0, count: frames)
      }
    }
    queue.append(frames)
    pushedFrames += frames
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
