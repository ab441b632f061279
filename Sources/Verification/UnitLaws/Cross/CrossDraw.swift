/// Draws one case of a suite: a unit, and what surrounds it.
struct CrossDraw {
  static let rates: [Double] = [
    8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ]

  var random: CrossRandom
  var rate: Double
  var channels: Int
  /// The length of the stimulus.
  var frames: Int
  /// Frames that are rendered behind it.
  let tail: Int
  /// Slices of the second render, in turn.
  var slices: [Int]
  var device: LawValue = [:]
  /// The largest difference, dB; nil: what the laws state.
  var within: Double?
  /// The stimulus where it is not drawn.
  var stimulusFormula: String?
  /// True when nothing plays a stimulus.
  var playsItself = false
  /// Nodes and connections in front of the unit.
  var surroundingNodes: [LawValue] = []
  var surroundingConnections: [String] = []
  /// The rate of a mixer's input; nil: that of the mixer.
  var inputRate: Double?
  let seed: Int
  /// True where resets and switches come while something that was set is on its way.
  var isUnderWay = false
  /// In place of that of the law.
  var checks: [LawValue] = []

  init(unit: String, seed: Int) {
    self.seed = seed
    random = CrossRandom(seed: seed, name: unit)
    rate = random.pick(Self.rates)
    channels = random.pick([1, 2, 2, 3, 4, 5, 6, 8])
    frames = random.pick([random.whole(40...400), random.whole(400...3000), random.whole(3000...9000)])
    tail = random.pick([0, 1, random.whole(2...2000)])
    var patterns = [[1], [7], [32], [64], [511], [4096]]
    for longest in [40, 1500] {
      var irregular: [Int] = []
      for _ in 0..<5 { irregular.append(random.whole(1...longest)) }
      patterns.append(irregular)
    }
    slices = random.pick(patterns)
  }

  /// The whole case, by the name of its unit and its seed.
  static func testCase(_ law: any UnitLaw.Type, seed: Int) -> LawValue {
    var draw = CrossDraw(unit: law.unit, seed: seed)
    law.draw(&draw)
    if !draw.playsItself { draw.device["tail"] = draw.device["tail"] ?? .whole(draw.tail) }
    var check: LawValue = ["check": "law", "slices": .list(draw.slices.map { .whole($0) })]
    check["within"] = draw.within.map { .number($0) }
    var made: LawValue = [
      "silent": true, "id": .text("\(law.unit)-\(seed)"), "sampleRate": .number(draw.rate), "device": draw.device,
    ]
    if !draw.playsItself { made["stimulus"] = draw.stimulus() }
    made["checks"] = .list(draw.checks.isEmpty ? [check] : draw.checks)
    return made
  }

  // MARK: Parts

  /// A frame at which something happens: often at a boundary of pieces, slices or buffers, or beside it.
  mutating func eventFrame() -> Int {
    let last = frames + tail
    let slice = slices.reduce(0, +)
    let boundaries = [32 * random.whole(0...(last / 32)), slice, slices[0], 64, 512, 4096, 0]
    let near = random.pick(boundaries) + random.pick([-1, 0, 0, 0, 1])
    return random.chance(0.6) && (0..<last).contains(near) ? near : random.whole(0...max(0, last - 1))
  }

  /// A value over the whole range of a parameter, its ends among them.
  mutating func value(of parameter: LawParameter) -> Double {
    guard let range = parameter.range(atRate: rate) else { return parameter.initial }
    switch random.whole(0...11) {
    case 0: return range.lowerBound
    case 1: return range.upperBound
    case 2 where range.contains(parameter.initial): return parameter.initial
    default: break
    }
    let (low, high) = (range.lowerBound, range.upperBound)
    let part = random.part()
    return switch parameter.form {
    case .plain: Self.rounded(low + (high - low) * part, within: range)
    case .geometric: Self.rounded(low * power(high / low, part), within: range)
    case .small: Self.rounded(low + (high - low) * power(part, 4), within: range)
    case .whole where high - low < 16: Double(random.whole(Int(low)...Int(high)))
    // Small numbers are as frequent as large ones.
    case .whole: (low + (power(high - low + 1, part) - 1)).rounded(.down)
    }
  }

  /// Four digits: cases are read by people.
  private static func rounded(_ value: Double, within range: ClosedRange<Double>) -> Double {
    var unit = 1.0
    while abs(value) >= 10_000 * unit { unit *= 10 }
    while value != 0, abs(value) < 1000 * unit { unit /= 10 }
    let short = unit >= 1 ? (value / unit).rounded() * unit : (value / unit).rounded() / (1 / unit).rounded()
    return min(max(short, range.lowerBound), range.upperBound)
  }

  /// A sound: noise, a step, a sine, silence and then a burst, full scale.
  mutating func stimulus() -> LawValue {
    let length = LawValue.whole(frames)
    func formula(_ text: String) -> LawValue { ["frames": length, "type": "formula", "formula": .text(text)] }
    if let stimulusFormula { return formula(stimulusFormula) }
    // A fade needs a sound.
    let kind = isUnderWay ? 5 : random.whole(0...6)
    switch kind {
    case 0:
      return ["frames": length, "type": "impulse"]
    case 1:
      return formula("if(n < \(random.whole(0...(frames - 1))), 0.5 - c / 8, c / 8 - 0.75)")
    case 2:
      let hertz = Self.rounded(rate * power(0.001, random.part()) * 0.45, within: 0...rate)
      return formula("sin(2 * pi * \(hertz) * t + c)")
    case 3:
      let (from, count) = (random.whole(0...(frames / 2)), random.whole(1...max(1, frames / 3)))
      return formula("if(n < \(from) || n >= \(from + count), 0, sin(n * n / 7 + c))")
    default:
      var noise: LawValue = ["frames": length, "type": "noise", "seed": .whole(random.whole(1...1_000_000))]
      if kind == 4 { noise["level"] = 0 }
      return noise
    }
  }
}
