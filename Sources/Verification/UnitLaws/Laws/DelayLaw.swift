import Glibc

/// An echo that is fed back through a low pass.
///
/// With D = delayTime · rate rounded to whole frames, 1 at least, and a = 1 − e^(−2π·lowPassCutoff/rate), 1 from 0.49 of
/// the rate on:
///
///     w[n] = a · u[n − D] + (1 − a) · w[n − 1]
///     u[n] = x[n] + feedback/100 · w[n]
///     y[n] = x[n] · cos(m·π/2) + w[n] · sin(m·π/2)    m = wetDryMix/100
///
/// Another delay time is faded to over 20 ms, in a straight line that has begun in the first frame. Gains of the mix run in
/// a straight line where it moves.
struct DelayLaw: EffectLaw {
  static let unit = "delay"
  static let parameters = [
    LawParameter("wetDryMix", 0...100, initial: 50), LawParameter("delayTime", 0...2, initial: 1, steps: true),
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
    let a = values[3] >= 0.49 * rate ? 1 : 1 - exp(-2 * .pi * values[3] / rate)
    let share = values[2] / 100
    delay.take(max(1, Int(exactly: (values[1] * rate).rounded()) ?? 1), at: frame)
    let dry = courses.ramped(frame) { cos($0[0] / 100 * .pi / 2) }
    let wet = courses.ramped(frame) { sin($0[0] / 100 * .pi / 2) }
    var output = samples
    for (channel, x) in samples.enumerated() {
      let echo = delay.value(line[channel], at: frame)
      low[channel] = a * echo + (1 - a) * low[channel]
      line[channel].append(x + share * low[channel])
      output[channel] = x * dry + low[channel] * wet
    }
    return output
  }
}
