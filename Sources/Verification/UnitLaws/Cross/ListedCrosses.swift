/// Cases that belong to no unit of their own.
protocol UnitlessCross: UnitLaw {}

extension UnitlessCross {
  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    throw LawError("\(unit) are no unit")
  }
}

/// Effects behind one another, each with its own law.
enum ChainCross: UnitlessCross {
  static let unit = "chain"

  static func draw(_ draw: inout CrossDraw) { draw.chainCase() }
}

/// Each unit in turn, with resets, switches and bypass while something that was set is on its way.
enum UnderWayCross: UnitlessCross {
  static let unit = "underWay"

  // Spatial mixers fade most.
  private static var laws: [any UnitLaw.Type] {
    UnitLawList.all.filter { !($0 is any UnitlessCross.Type) && $0.unit != GenericOutputLaw.unit }
      + Array(repeating: SpatialMixerLaw.self, count: 8) + Array(repeating: Mixer3DLaw.self, count: 6) + [DelayLaw.self]
  }

  static func draw(_ draw: inout CrossDraw) {
    let laws = laws
    let law = laws[draw.seed % laws.count]
    draw.isUnderWay = true
    draw.frames = draw.random.whole(300...4000)
    if [DistortionLaw.unit, ReverbLaw.unit].contains(law.unit) { draw.rate = min(draw.rate, 22_050) }
    law.draw(&draw)
  }
}

/// Players that are passed over and play on: at what place, and for how much longer.
enum LeapCross: UnitlessCross {
  static let unit = "leaps"

  static func draw(_ draw: inout CrossDraw) { draw.playerCase(leaps: true) }
}

/// Each factory preset of each unit: seed 0 is the first one's first.
enum PresetCross: UnitlessCross {
  static let unit = "presets"

  private static let all =
    named(DistortionLaw.unit, DistortionPresets.all.map { $0.name })
    + named(ReverbLaw.unit, ReverbLaw.presets.map { $0.name }) + named(IPodEQLaw.unit, IPodEQLaw.presetNames)

  private static func named(_ unit: String, _ names: [String]) -> [[String]] { names.map { [unit, $0] } }

  static func draw(_ draw: inout CrossDraw) {
    let chosen = all[draw.seed % all.count]
    let (unit, name) = (chosen[0], chosen[1])
    draw.channels = 1
    draw.rate = unit == IPodEQLaw.unit ? 44_100 : 8000
    draw.frames = unit == DistortionLaw.unit ? 4000 : 1800
    draw.stimulusFormula = "if(n >= 300, 0, sin(n * n / 7))"
    draw.slices = [511]
    draw.wrap(["unit": .text(unit), "preset": .text(name)], edits: [])
  }
}

/// The longest times of units, at several rates.
enum RangeCross: UnitlessCross {
  static let unit = "ranges"

  private static var all: [(unit: String, parameter: String, value: (Double) -> Double, seconds: Double)] {
    [
      (SampleDelayLaw.unit, "delayFrames", { $0 }, 1), (SampleDelayLaw.unit, "delayFrames", { $0 - 1 }, 1),
      (DelayLaw.unit, "delayTime", { _ in 2 }, 2), (PeakLimiterLaw.unit, "attackTime", { _ in 0.03 }, 0.03),
      (PeakLimiterLaw.unit, "decayTime", { _ in 0.06 }, 0.03), (DistortionLaw.unit, "delay", { _ in 500 }, 0.5),
      (ReverbLaw.unit, "maxDelayTime", { _ in 1 }, 1), (DynamicsProcessorLaw.unit, "releaseTime", { _ in 3 }, 0.03),
    ]
  }
  private static let rates: [Double] = [8000, 44_100, 48_000, 88_200, 96_000, 192_000]

  static func draw(_ draw: inout CrossDraw) {
    let longest = all[draw.seed % all.count]
    draw.rate = rates[draw.seed / all.count % rates.count]
    // Eight times the rate and sixteen lines are slow.
    if longest.unit == DistortionLaw.unit || longest.unit == ReverbLaw.unit { draw.rate = min(draw.rate, 16_000) }
    draw.channels = 1
    draw.frames = (Int(exactly: (longest.seconds * draw.rate).rounded(.up)) ?? 0) + 600
    draw.stimulusFormula = "if(n >= 400, 0, sin(n * n / 7))"
    draw.slices = [4096]
    var node: LawValue = ["unit": .text(longest.unit)]
    node["set"] = .object([longest.parameter: .number(longest.value(draw.rate))])
    if longest.unit == DistortionLaw.unit { node["set"]?["delayMix"] = 100 }
    draw.wrap(node, edits: [])
  }
}

/// Every curve of distance for other references, maxima and attenuations, over the whole way.
enum DistanceCross: UnitlessCross {
  static let unit = "distances"

  static func draw(_ draw: inout CrossDraw) {
    let curves = ["inverse", "exponential", "power", "linear"]
    var source: LawValue = [
      "sourceMode": "pointSource", "algorithm": "equalPowerPanning",
      "attenuationCurve": .text(curves[draw.seed % 4]), "renderingFlags": ["distanceAttenuation"],
    ]
    let reference = draw.value(of: LawParameter("reference", 0.2...50, initial: 2, form: .geometric))
    let maximum = draw.value(of: LawParameter("maximum", 60...5000, initial: 100, form: .geometric))
    source["distances"] = [
      "reference": .number(reference), "maximum": .number(maximum),
      "attenuation": .number(draw.value(of: LawParameter("attenuation", 6...80, initial: 40))),
    ]
    (draw.rate, draw.channels, draw.frames, draw.slices) = (48_000, 1, 700, [37])
    draw.stimulusFormula = "cos(n * n / 7)"
    let points: [(Double, Double)] = [
      (0, 0), (100, reference), (300, 4 * reference), (500, (reference + maximum) / 2), (640, maximum),
      (690, 3 * maximum),
    ]
    var node: LawValue = ["unit": .text(draw.seed % 8 < 4 ? SpatialMixerLaw.unit : Mixer3DLaw.unit)]
    node["sources"] = .list([source])
    node["ramp"] = [
      [
        "parameter": "distance@input:0",
        "points": .list(points.map { .list([.number($0.0), .number(min($0.1, 10_000))]) }),
      ]
    ]
    draw.wrap(node, edits: [])
  }
}
