import Glibc

/// A limiter that looks ahead: straight lines down to each peak, and back by a constant share of what is missing.
///
///     g[n] = c/P[n] where P[n] > c, else 1
///     e[n] = min over 0 ≤ k < A of g[n + k] + (1 − g[n + k])·k/A
///     r[n] = min(e[n], r[n − 1] + (1 − r[n − 1])·ρ)
///     y[n + L] = clamp(z[n]·r[n], −c, c)
///
/// With `truePeak` P also is the bound of the waveform to either side of the sample.
struct PeakLimiterLaw: EffectLaw {
  static let unit = "peakLimiter"
  static let keys: Set = ["ceiling", "truePeak"]
  /// The bound of true peaks is summed up in 32-bit floats.
  static func residual(of node: LawNode) -> Double { node.keys["truePeak"]?.flag == true ? -105 : residual }
  static let parameters = [
    LawParameter("attackTime", 0.001...0.03, initial: 0.012, form: .geometric, steps: true),
    LawParameter("decayTime", 0.001...0.06, initial: 0.024, form: .geometric, steps: true),
    LawParameter("preGain", -40...40, initial: 0),
  ]

  private let rate: Double
  private let courses: LawCourses
  private let ceiling: Double
  private let longestAttack: Int
  private let channels: Int
  private let isTrue: Bool

  /// z of each channel, and what was derived from it, from the last restart on.
  private var driven: [[Double]] = []
  private var bounds: WaveformBound?
  private var lines: [Double] = []
  private var release = 1.0

  init(_ node: LawNode, channels: Int, frames: Int) {
    (rate, self.channels) = (node.rate, channels)
    courses = LawCourses(node, Self.parameters)
    ceiling = pow(10, (node.keys["ceiling"]?.number ?? 0) / 20)
    isTrue = node.keys["truePeak"]?.flag ?? false
    let times = node.points("attackTime")?.map(\.value) ?? [node.start("attackTime", 0.012)]
    longestAttack = times.map { Self.frames($0, node.rate) }.max() ?? 1
    restart()
  }

  private static func frames(_ seconds: Double, _ rate: Double) -> Int {
    max(1, Int(exactly: (min(max(seconds, 0), 0.03) * rate).rounded()) ?? 1)
  }

  mutating func restart() {
    driven = Array(repeating: [], count: channels)
    bounds = isTrue ? WaveformBound(channels: channels) : nil
    (lines, release) = ([], 1)
  }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let values = courses.held(at: frame)
    let preGain = courses.ramped(frame) { pow(10, min(max($0[2], -40), 40) / 20) }
    for (channel, x) in samples.enumerated() { driven[channel].append(x * preGain) }
    let attack = min(max(values[0], 0.001), 0.03)
    let decay = min(max(values[1], 0.001), 0.06)
    let quickness = 0.001 / attack + 0.001 / decay

    // The newest frame whose peak is known.
    let newest = driven[0].count - 1 - (isTrue ? 64 : 0)
    bounds?.take(driven.map { $0[$0.count - 1] }, share: 1.4 + 0.2 * quickness)
    if newest >= 0 {
      var peak = driven.map { abs($0[newest]) }.max() ?? 0
      var limit = ceiling
      if let bounds {
        peak = max(peak, bounds.value(newest - 1), bounds.value(newest))
        limit *= pow(10, -0.2 * quickness / 20)
      }
      take(peak > limit ? limit / peak : 1, attack: min(longestAttack, Self.frames(values[0], rate)))
    }

    let out = newest - longestAttack
    guard out >= 0 else { return samples.map { _ in 0 } }
    // In 32-bit floats, as the page says: near 1 steps get smaller than these have.
    let share = single(1 - exp(-1 / (decay * rate)))
    release = single(min(lines[out], single(release + single(single(1 - release) * share))))
    return driven.map { min(max($0[out] * release, -ceiling), ceiling) }
  }

  /// The next frame's gain: the frames before come down to it, from the peak back, to the first one that is low enough.
  private mutating func take(_ gain: Double, attack: Int) {
    lines.append(gain)
    let peak = lines.count - 1
    for k in 1..<max(2, attack) where k < attack && peak - k >= 0 {
      let line = gain + (1 - gain) * Double(k) / Double(attack)
      guard lines[peak - k] > line else { break }
      lines[peak - k] = line
    }
  }

  static func draw(_ draw: inout CrossDraw) {
    var node: LawValue = ["unit": .text(unit)]
    if draw.random.chance(0.7) {
      node["ceiling"] = .number(draw.random.pick([0, -1, -6, -20, -60, -Double(draw.random.whole(0...300)) / 10]))
    }
    if draw.random.chance(0.4) {
      node["truePeak"] = true
      draw.channels = min(draw.channels, 3)
    }
    draw.effectCase(node, parameters, canBypass: true)
  }
}
