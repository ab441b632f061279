import AudioCore
import Glibc
import Measurement

/// The delay, gain and drift that align a signal with another: actual(n) ≈ gain · expected(n − delay − drift·n).
public struct SignalAlignment: Hashable, Sendable {
  /// Frames by which the actual signal is later, at its first frame; negative: earlier.
  public var delayFrames: Double
  /// By how much the delay grows, in millionths: the actual signal's clock counts more frames for the same sound.
  public var driftPartsPerMillion: Double
  /// A factor without sign.
  public var gain: Double
  /// True when the actual signal has the other polarity.
  public var isInverted: Bool
  /// The correlation of the aligned signals, 0 ... 1: at 1 they are the same but for the gain. √(1 − c²) is the part of
  /// the level that remains.
  public var correlation: Double
  /// Gain of each channel against the expected one, negative where inverted; not a number where either is silent.
  public var channelGains: [Double]
  /// The frames of the actual signal that the expected one, moved, reaches: all of them without a delay.
  public var comparedFrames: Range<Int>

  /// ``gain`` in dB; −∞ for a gain of 0.
  public var gainDecibels: Double { 20 * log10(gain) }
  /// With the sign of the polarity.
  public var signedGain: Double { isInverted ? -gain : gain }

  /// The alignment of two signals of one shape, with what the expected one is when moved so; nil where one is silent.
  ///
  /// For clean copies the delay is right within 0.001 frame, mostly far better.
  /// - Parameters:
  ///   - actual: the signal that stays.
  ///   - expected: the signal that is moved.
  ///   - maximumDelay: seconds, either way.
  ///   - findsDrift: true if the clocks may run apart.
  public static func find(
    _ actual: AudioSignal, _ expected: AudioSignal, maximumDelay: Double = 1, findsDrift: Bool = false
  ) -> (alignment: SignalAlignment, moved: AudioSignal)? {
    let reach = Int(clamping: (maximumDelay * actual.sampleRate).rounded())
    guard
      let coarse = CoarseDelay(actual, expected, maximumFrames: reach, keepsBlocks: findsDrift)
    else { return nil }
    if !findsDrift {
      let delay = DelayRefinement(actual, expected, segmentFrames: 65_536).constant(from: Double(coarse.frames))
      // A whole number of frames needs no interpolation: it is taken where it fits at least as well.
      let fine = Candidate(actual, expected, .init(delay: delay))
      guard abs(delay - delay.rounded()) < 0.01 else { return fine?.result }
      let whole = Candidate(actual, expected, .init(delay: delay.rounded()))
      guard let fine, let whole else { return (fine ?? whole)?.result }
      return (whole.residue <= fine.residue ? whole : fine).result
    }
    var line = start(coarse)
    line = DelayRefinement(actual, expected, segmentFrames: 8_192).line(from: line)
    for _ in 0..<2 {
      // Against the moved signal nearly no drift is left, and longer segments are not smeared by it.
      guard let moved = Candidate(actual, expected, line)?.moved else { return nil }
      let rest = DelayRefinement(actual, moved, segmentFrames: 16_384).line(from: .init(delay: 0))
      line = .init(
        delay: rest.delay + line.delay - line.slope * rest.delay,
        slope: rest.slope + line.slope - line.slope * rest.slope)
    }
    guard let last = Candidate(actual, expected, line) else { return nil }
    // Signals that do not drift are better off without.
    let still = find(actual, expected, maximumDelay: maximumDelay)
    if let still, still.alignment.correlation >= last.alignment.correlation { return still }
    return last.result
  }

  /// The middle line through the delays of the blocks (Theil and Sen: medians, which a few wrong delays do not move).
  private static func start(_ coarse: CoarseDelay) -> DelayRefinement.Line {
    var slopes: [Double] = []
    for (index, first) in coarse.blocks.enumerated() {
      for second in coarse.blocks[(index + 1)...] {
        slopes.append((second.delay - first.delay) / (second.frame - first.frame))
      }
    }
    guard !slopes.isEmpty else { return .init(delay: Double(coarse.frames)) }
    let slope = slopes.sorted()[slopes.count / 2]
    let offsets = coarse.blocks.map { $0.delay - slope * $0.frame }.sorted()
    return .init(delay: offsets[offsets.count / 2], slope: slope)
  }

  /// An alignment tried.
  private struct Candidate {
    let moved: AudioSignal
    let alignment: SignalAlignment
    /// Energy that the alignment leaves.
    let residue: Double

    init?(
      _ actual: AudioSignal, _ expected: AudioSignal, _ line: DelayRefinement.Line
    ) {
      let channels = expected.channels.map {
        FractionalInterpolator.samples(of: $0, from: -line.delay, step: 1 - line.slope, count: actual.frameCount)
      }
      moved = AudioSignal(sampleRate: expected.sampleRate, channels: channels)
      let range = Self.reached(line, frameCount: actual.frameCount)
      var total = Products()
      var gains: [Double] = []
      for channel in channels.indices {
        let own = Products(actual.channels[channel], channels[channel], range)
        gains.append(own.expected > 0 && own.actual > 0 ? own.cross / own.expected : .nan)
        total.add(own)
      }
      guard total.actual > 0, total.expected > 0 else { return nil }
      let gain = total.cross / total.expected
      alignment = SignalAlignment(
        delayFrames: line.delay, driftPartsPerMillion: line.slope * 1e6, gain: abs(gain), isInverted: gain < 0,
        correlation: min(1, abs(total.cross) / (total.actual * total.expected).squareRoot()), channelGains: gains,
        comparedFrames: range)
      var residue = 0.0
      for channel in channels.indices {
        let (a, e) = (actual.channels[channel], channels[channel])
        a.withUnsafeBufferPointer { a in
          e.withUnsafeBufferPointer { e in
            for index in range {
              let rest = a[index] - gain * e[index]
              residue += rest * rest
            }
          }
        }
      }
      self.residue = residue
    }

    var result: (alignment: SignalAlignment, moved: AudioSignal) { (alignment, moved) }

    private static func reached(_ line: DelayRefinement.Line, frameCount: Int) -> Range<Int> {
      let step = 1 - line.slope
      let first = ((line.delay - 0.5) / step).rounded(.up)
      let last = ((Double(frameCount) - 0.5 + line.delay) / step).rounded(.down)
      guard first.isFinite, last.isFinite, abs(first) < 1e15, abs(last) < 1e15 else { return 0..<0 }
      let low = min(max(0, Int(clamping: first)), frameCount)
      return low..<max(low, min(frameCount, Int(clamping: last) + 1))
    }
  }

  /// Σa², Σe², Σae.
  private struct Products {
    var actual = 0.0
    var expected = 0.0
    var cross = 0.0

    init() {}

    init(_ actual: [Double], _ expected: [Double], _ range: Range<Int>) {
      var (aa, ee, ae) = (0.0, 0.0, 0.0)
      actual.withUnsafeBufferPointer { a in
        expected.withUnsafeBufferPointer { e in
          for index in range {
            aa += a[index] * a[index]
            ee += e[index] * e[index]
            ae += a[index] * e[index]
          }
        }
      }
      (self.actual, self.expected, cross) = (aa, ee, ae)
    }

    mutating func add(_ other: Products) {
      actual += other.actual
      expected += other.expected
      cross += other.cross
    }
  }
}
