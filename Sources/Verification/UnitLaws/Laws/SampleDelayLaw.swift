/// y[n] = x[n − d], d being the number of frames that holds at n; 0 before the start, and before the last restart.
struct SampleDelayLaw: EffectLaw {
  static let unit = "sampleDelay"
  static let residual = -200.0
  static let parameters = [LawParameter("delayFrames", from: 0, toRate: 1, initial: 0, form: .whole)]

  private let delays: [Double]
  private var past: [[Double]] = []

  init(_ node: LawNode, channels: Int, frames: Int) {
    delays = LawCourses(node, Self.parameters).values(0, frames: frames)
  }

  mutating func restart() { past = [] }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    past.append(samples)
    let delay = Int(exactly: delays[frame].rounded()) ?? 0
    return delay < past.count ? past[past.count - 1 - delay] : samples.map { _ in 0 }
  }

  /// Some sounds are longer than the longest delay.
  static func draw(_ draw: inout CrossDraw) {
    if draw.random.chance(0.4) {
      (draw.rate, draw.channels) = (draw.random.pick([11_025, 96_000]), 1)
      draw.frames = Int(draw.rate) + draw.random.whole(1...9000)
      let delay = Double(draw.random.whole(Int(draw.rate / 2)...Int(draw.rate)))
      let node: LawValue = ["unit": .text(unit), "set": ["delayFrames": .number(delay)]]
      return draw.effectCase(node, parameters, canBypass: true, setsStart: false)
    }
    draw.effectCase(of: Self.self)
  }
}
