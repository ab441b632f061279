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
  private var present = 0
  private var former = 0
  private var fadeStart: Int?
  /// True at the first frame and behind a reset, where a delay time holds at once.
  private var begins = true

  init(_ node: LawNode, channels: Int, frames: Int) {
    rate = node.rate
    self.channels = channels
    courses = LawCourses(node, Self.parameters)
    line = Array(repeating: [], count: channels)
    low = Array(repeating: 0, count: channels)
    present = wanted(courses.held(at: 0)[1])
  }

  private func wanted(_ time: Double) -> Int { max(1, Int(exactly: (time * rate).rounded()) ?? 1) }

  mutating func restart() {
    line = Array(repeating: [], count: channels)
    low = Array(repeating: 0, count: channels)
    (fadeStart, begins) = (nil, true)
  }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let values = courses.held(at: frame)
    let a = values[3] >= 0.49 * rate ? 1 : 1 - exp(-2 * .pi * values[3] / rate)
    let share = values[2] / 100
    if fadeStart == nil, wanted(values[1]) != present {
      (former, present) = (present, wanted(values[1]))
      if !begins { fadeStart = frame }
    }
    begins = false
    let length = (0.02 * rate).rounded()
    let dry = courses.ramped(frame) { cos($0[0] / 100 * .pi / 2) }
    let wet = courses.ramped(frame) { sin($0[0] / 100 * .pi / 2) }
    var output = samples
    for (channel, x) in samples.enumerated() {
      var echo = past(channel, present)
      if let fadeStart {
        let part = min(1, Double(frame - fadeStart + 1) / length)
        echo = past(channel, former) * (1 - part) + echo * part
      }
      low[channel] = a * echo + (1 - a) * low[channel]
      line[channel].append(x + share * low[channel])
      output[channel] = x * dry + low[channel] * wet
    }
    if let start = fadeStart, Double(frame - start + 1) >= length { fadeStart = nil }
    return output
  }

  private func past(_ channel: Int, _ delay: Int) -> Double {
    let index = line[channel].count - delay
    return index >= 0 ? line[channel][index] : 0
  }
}
