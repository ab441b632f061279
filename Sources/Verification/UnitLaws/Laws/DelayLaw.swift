import Glibc

/// An echo that is fed back through a low pass.
///
/// With D = delayTime · rate rounded to whole frames, 1 at least, and p = e^(−2π·lowPassCutoff/rate), 0 from 0.49 of the
/// rate on:
///
///     w[n] = (1 − p) · u[n − D] + p · w[n − 1]
///     u[n] = x[n] + feedback/100 · w[n]
///     y[n] = x[n] · cos(m·π/2) + w[n] · sin(m·π/2)    m = wetDryMix/100
///
/// Another delay time is faded to over 20 ms, in a straight line that has begun in the first frame. Gains of the mix run in
/// a straight line where it moves.
struct DelayLaw: EffectLaw {
  static let unit = "delay"
  static let parameters = [
    LawParameter("wetDryMix", 0...100, initial: 50),
    LawParameter("delayTime", 0...2, initial: 1, form: .small, steps: true),
    LawParameter("feedback", -100...100, initial: 50),
    LawParameter("lowPassCutoff", from: 10, toRate: 0.5, initial: 15_000, form: .geometric),
  ]

  private let rate: Double
  private let courses: LawCourses
  private let channels: Int
  private var line: [[Double]]
  private var low: [Double]
  private var delay: FadedDelay

  init(_ node: LawNode, channels: Int, frames: Int) {
    rate = node.rate
    self.channels = channels
    courses = LawCourses(node, Self.parameters)
    line = Array(repeating: [], count: channels)
    low = Array(repeating: 0, count: channels)
    delay = FadedDelay(length: (0.02 * node.rate).rounded())
  }

  mutating func restart() {
    line = Array(repeating: [], count: channels)
    low = Array(repeating: 0, count: channels)
    delay.restart()
  }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let values = courses.held(at: frame)
    let pole = values[3] >= 0.49 * rate ? 0 : single(exp(-2 * .pi * values[3] / rate))
    let share = single(values[2] / 100)
    delay.take(max(1, Int(exactly: (values[1] * rate).rounded()) ?? 1), at: frame)
    let dry = courses.ramped(frame) { cos($0[0] / 100 * .pi / 2) }
    let wet = courses.ramped(frame) { sin($0[0] / 100 * .pi / 2) }
    var output = samples
    for (channel, x) in samples.enumerated() {
      let echo = single(delay.value(line[channel], at: frame))
      // Rounded one by one, as the page says: with short delays and low cutoffs roundings add up.
      low[channel] = single(single((1 - pole) * echo) + single(pole * low[channel]))
      line[channel].append(single(x + single(share * low[channel])))
      output[channel] = x * dry + low[channel] * wet
    }
    return output
  }

  /// Some sounds are longer than the longest delay, so that its memory begins anew while the mix moves.
  static func draw(_ draw: inout CrossDraw) {
    if draw.random.chance(0.3) {
      (draw.rate, draw.channels) = (11_025, min(2, draw.channels))
      draw.frames = draw.random.whole(27_000...32_000)
      let ends = [0, 32_000].map { frame in
        LawValue.list([.whole(frame), .number(draw.value(of: parameters[0]))])
      }
      let node: LawValue = ["unit": .text(unit), "ramp": [["parameter": "wetDryMix", "points": .list(ends)]]]
      return draw.effectCase(node, Array(parameters.dropFirst()), canBypass: true)
    }
    draw.effectCase(of: Self.self)
  }
}
