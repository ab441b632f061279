import AudioCore
import Measurement

/// The rate, channels and length that two signals must share before their samples are compared: one that is cut short,
/// or has lost a channel, is never "the same as far as it goes".
public struct SignalShape: Hashable, Sendable, CustomStringConvertible {
  /// Hertz.
  public var sampleRate: Double
  /// All channels have the same number of frames.
  public var channelCount: Int
  /// Frames of each channel.
  public var frameCount: Int64

  /// Seconds.
  public var duration: Double { Double(frameCount) / sampleRate }

  /// For people: "2 channels, 48000 Hz, 24000 frames (0.500 s)".
  public var description: String {
    "\(NumberText.count(channelCount, "channel")), \(NumberText.significant(sampleRate, digits: 9)) Hz, "
      + "\(NumberText.count(frameCount, "frame")) (\(ComparisonText.fixed(duration, 3)) s)"
  }

  func place(_ frame: Int64, channel: Int) -> CheckOutcome.Place {
    CheckOutcome.Place(frame: frame, seconds: Double(frame) / sampleRate, channel: channel)
  }

  /// The failed outcome of a check on signals that cannot be compared; nil where they can.
  ///
  /// - Parameters:
  ///   - expected: the shape that this one is compared with.
  ///   - id: the id of the check.
  public func mismatch(expected: SignalShape, id: String) -> CheckOutcome? {
    guard self != expected else { return nil }
    var found: [String] = []
    if channelCount != expected.channelCount {
      found.append("\(NumberText.count(channelCount, "channel")) instead of \(expected.channelCount)")
    }
    if sampleRate != expected.sampleRate {
      found.append(
        "\(NumberText.significant(sampleRate, digits: 9)) Hz instead of \(NumberText.significant(expected.sampleRate, digits: 9))"
      )
    }
    var firstFailure: CheckOutcome.Place?
    if frameCount != expected.frameCount {
      let surplus = frameCount - expected.frameCount
      found.append(
        "\(NumberText.count(frameCount, "frame")) instead of \(expected.frameCount): "
          + "\(abs(surplus)) too \(surplus > 0 ? "many" : "few")")
      firstFailure = place(min(frameCount, expected.frameCount), channel: 0)
    }
    return CheckOutcome(
      id, .failed, found: found.joined(separator: "; "), expected: "\(expected)", readings: [],
      firstFailure: firstFailure)
  }
}

extension SignalShape {
  /// The shape of a signal in memory.
  public init(_ signal: AudioSignal) {
    self.init(
      sampleRate: signal.sampleRate, channelCount: signal.channelCount, frameCount: Int64(signal.frameCount))
  }
}

/// The first sample that is not a number, or infinite, in two signals of one shape.
struct NonFiniteSample {
  var place: CheckOutcome.Place
  var actual: Double
  var expected: Double

  static func search(
    _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>, channel: Int, firstFrame: Int64,
    shape: SignalShape
  ) -> NonFiniteSample? {
    guard hasNonFinite(actual) || hasNonFinite(expected) else { return nil }
    guard let index = actual.indices.first(where: { !actual[$0].isFinite || !expected[$0].isFinite }) else {
      return nil
    }
    return NonFiniteSample(
      place: shape.place(firstFrame + Int64(index), channel: channel), actual: actual[index],
      expected: expected[index])
  }

  /// A finite number times 0 is 0; anything else is not a number, and stays so in a sum.
  private static func hasNonFinite(_ samples: UnsafeBufferPointer<Double>) -> Bool {
    guard let base = samples.baseAddress else { return false }
    var lanes = SIMD8<Double>(repeating: 0)
    var index = 0
    while index + 8 <= samples.count {
      lanes += UnsafeRawPointer(base + index).loadUnaligned(as: SIMD8<Double>.self) * 0
      index += 8
    }
    var sum = lanes.sum()
    while index < samples.count {
      sum += base[index] * 0
      index += 1
    }
    return sum.isNaN
  }

  func outcome(id: String) -> CheckOutcome {
    let whose =
      actual.isFinite ? "only in the expected signal" : expected.isFinite ? "in the actual signal" : "in both signals"
    let value = actual.isFinite ? expected : actual
    let name = value.isNaN ? "NaN" : value < 0 ? "-infinity" : "infinity"
    return CheckOutcome(
      id, .failed, found: "\(name) \(whose) at \(place)", expected: "finite samples on both sides", firstFailure: place)
  }
}

extension NonFiniteSample {
  init?(_ actual: AudioSignal, _ expected: AudioSignal) {
    var first: NonFiniteSample?
    let shape = SignalShape(actual)
    eachChannel(actual, expected) { channel, a, e in
      let found = Self.search(a, e, channel: channel, firstFrame: 0, shape: shape)
      if let found, first.map({ found.place.frame < $0.place.frame }) ?? true { first = found }
    }
    guard let first else { return nil }
    self = first
  }
}
