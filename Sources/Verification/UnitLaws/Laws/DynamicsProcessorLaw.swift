import Glibc

/// A compressor and an expander whose gain is worked out every eight frames from a follower of the largest magnitude:
///
///     v[n] = v[n − 1] + (P[n] − v[n − 1])·(1 − e^(−1/(T·R)))      T: attack where P[n] > v[n − 1], else release
///     c(X) = headRoom·(1 − e^(−(X − threshold)/headRoom)) − (X − threshold)      above the threshold
///     e(X) = max(−120, (X − expansionThreshold)·(expansionRatio − 1))            below the expansion threshold
///
/// The gain is a straight line between those of two such frames; the sound is max(16, R·256/48000) frames late.
struct DynamicsProcessorLaw: EffectLaw {
  static let unit = "dynamicsProcessor"
  static let parameters = [
    LawParameter("threshold", -40...20, initial: -20), LawParameter("headRoom", 0.1...40, initial: 5, form: .geometric),
    LawParameter("expansionRatio", 1...50, initial: 2, form: .geometric),
    LawParameter("expansionThreshold", -120...0, initial: -120),
    LawParameter("attackTime", 0.0001...0.2, initial: 0.001, form: .geometric),
    LawParameter("releaseTime", 0.01...3, initial: 0.05, form: .geometric),
    LawParameter("overallGain", -40...40, initial: 0),
  ]

  private let rate: Double
  private let courses: LawCourses
  private var past: [[Double]] = []
  private var level = 0.0
  private var formerGain = 1.0
  private var presentGain = 1.0

  init(_ node: LawNode, channels: Int, frames: Int) {
    rate = node.rate
    courses = LawCourses(node, Self.parameters)
  }

  mutating func restart() { (past, level) = ([], 0) }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let values = courses.held(at: frame)
    let step = past.count % 8
    let peak = min(1e6, samples.map(abs).max() ?? 0)
    let time = peak > level ? values[4] : values[5]
    level += (peak - level) * (1 - exp(-1 / (time * rate)))
    if step == 0 {
      formerGain = presentGain
      presentGain = Self.gain(of: level, values)
      if past.isEmpty { formerGain = presentGain }
    }
    past.append(samples)
    let gain = Double(Float(formerGain + (presentGain - formerGain) * Double(step) / 8))
    let delay = max(16, Int(exactly: (rate * 256 / 48_000).rounded()) ?? 16)
    guard past.count > delay else { return samples.map { _ in 0 } }
    return past[past.count - 1 - delay].map { $0 * gain }
  }

  private static func gain(of level: Double, _ values: [Double]) -> Double {
    let curve = curve(of: level, values)
    return pow(10, (curve.compression + curve.expansion + values[6]) / 20)
  }

  /// dB of both halves of the curve.
  static func curve(of level: Double, _ values: [Double]) -> (compression: Double, expansion: Double) {
    let (threshold, headRoom) = (values[0], values[1])
    let decibels = 20 * log10(max(level, 1e-9))
    let above = decibels - threshold
    let compression = above > 0 ? headRoom * (1 - exp(-above / headRoom)) - above : 0
    let below = decibels - values[3]
    let expansion = below < 0 ? max(-120, below * (values[2] - 1)) : 0
    return (compression, expansion)
  }
}
