import AudioCore
import Glibc
import Measurement

/// A gain, a delay or the other polarity, where that is all by which two signals differ: what `compare --align` finds,
/// as a clause for the failure of another comparison.
///
/// Channels may have gains of their own, as where one fader was moved; a delay is that of all channels.
package struct SimpleDifference: Sendable {
  /// "0.1 dB louder, otherwise the same to −147 dB": the level of what is left, RMS in the worst 10 ms, against that of
  /// the whole signal.
  package let text: String
  /// The largest sample of what is left at the level of the expected signal, dBFS.
  package let leftPeak: Double

  /// The residual must be so much lower than the signal, and than the difference was, decibels.
  private static let leastDepth = 40.0
  private static let leastGain = 6.0
  /// Below these there is no gain and no delay to speak of: dB, and frames.
  private static let leastDecibels = 0.00005
  private static let leastFrames = 0.0005
  /// Channels whose gains differ by less have one, dB.
  private static let sameGain = 0.0005
  /// As many as `compare --align` loads.
  private static let mostSamples = 1 << 26
  private static let mostChannelsListed = 8

  /// Nil where they differ in more than that, in nothing, or in their shapes.
  package init?(_ actual: AudioSignal, _ expected: AudioSignal) {
    let shape = SignalShape(actual)
    guard shape == SignalShape(expected), actual.frameCount * actual.channelCount <= Self.mostSamples,
      NonFiniteSample(actual, expected) == nil, let (alignment, moved) = SignalAlignment.find(actual, expected)
    else { return nil }
    // A channel that is silent in both has no gain of its own; one that is silent in one has no gain that could be
    // undone.
    var gains = alignment.channelGains
    for channel in gains.indices where gains[channel].isNaN {
      guard Self.isSilent(actual.channels[channel]), Self.isSilent(expected.channels[channel]) else { return nil }
      gains[channel] = alignment.signedGain
    }
    guard gains.allSatisfy({ $0 != 0 && $0.isFinite }) else { return nil }
    let words = Self.words(alignment, gains)
    guard !words.isEmpty else { return nil }
    let whole = 0..<actual.frameCount
    let before = Self.residual(actual, expected, gains.map { _ in 1 }, whole, shape)
    let left = Self.residual(actual, moved, gains, alignment.comparedFrames, shape)
    let depth = left.worstWindow - left.wholeSignal
    guard left.worstWindow < before.worstWindow - Self.leastGain, depth < -Self.leastDepth else { return nil }
    leftPeak = left.peak
    let rest = left.isZero ? "bit for bit" : "to \(NumberText.decimal(depth, digits: 0)) dB"
    text = "\(words.joined(separator: ", ")), otherwise the same \(rest)"
  }

  private static func isSilent(_ samples: [Double]) -> Bool { samples.allSatisfy { $0 == 0 } }

  /// The residual actual ÷ gain − expected.
  private static func residual(
    _ actual: AudioSignal, _ expected: AudioSignal, _ gains: [Double], _ frames: Range<Int>, _ shape: SignalShape
  ) -> Residual {
    var compared = shape
    compared.frameCount = Int64(frames.count)
    var accumulator = ResidualComparator().accumulator(compared)
    for (channel, gain) in gains.enumerated() {
      let scaled = gain == 1 ? actual.channels[channel] : actual.channels[channel].map { $0 / gain }
      accumulator.add(scaled, expected.channels[channel], frames, channel: channel)
    }
    return accumulator.residual()
  }

  // MARK: Words

  private static func words(_ alignment: SignalAlignment, _ gains: [Double]) -> [String] {
    var words: [String] = []
    let delay = alignment.delayFrames
    if abs(delay) >= leastFrames {
      let frames = NumberText.decimal(abs(delay), digits: 3)
      words.append("\(frames) frame\(frames == "1" ? "" : "s") \(delay > 0 ? "later" : "earlier")")
    }
    let levels = gains.map { 20 * log10(abs($0)) }
    let isOne = zip(gains, levels).allSatisfy { gain, level in
      (gain < 0) == alignment.isInverted && abs(level - levels[0]) < sameGain
    }
    if isOne { return words + Self.words(decibels: alignment.gainDecibels, isInverted: alignment.isInverted) }
    let channels = gains.indices.compactMap { channel -> String? in
      let own = Self.words(decibels: levels[channel], isInverted: gains[channel] < 0)
      return own.isEmpty ? nil : "\(own.joined(separator: " and ")) in channel \(channel)"
    }
    let more = channels.count - mostChannelsListed
    return words + channels.prefix(mostChannelsListed)
      + (more > 0 ? ["and so in \(NumberText.count(more, "more channel"))"] : [])
  }

  private static func words(decibels: Double, isInverted: Bool) -> [String] {
    var words: [String] = []
    if abs(decibels) >= leastDecibels {
      words.append("\(NumberText.decimal(abs(decibels), digits: 4)) dB \(decibels > 0 ? "louder" : "quieter")")
    }
    if isInverted { words.append("inverted") }
    return words
  }
}

extension CheckOutcome {
  /// Begins what was found with how simple the difference is, where it is.
  mutating func nameSimpleDifference(
    _ actual: AudioSignal, _ expected: AudioSignal, bits: Int? = nil, rounding: Double? = nil
  ) {
    guard let simple = SimpleDifference(actual, expected) else { return }
    var words = simple.text
    if let bits, let rounding, simple.leftPeak <= rounding + 6, simple.leftPeak > -.infinity {
      words += ", no more than the rounding of the \(bits) bits that are kept"
    }
    found = "\(words); \(found)"
  }
}
