import Glibc

/// Bands in series, each of one of eleven types, and a gain.
enum NBandEQLaw: SectionsLaw {
  static let unit = "nBandEQ"
  static let keys: Set = ["bands", "globalGain"]
  static let parameters = [LawParameter("globalGain", -96...24, initial: 0)]
  private static let types = [
    "parametric", "lowPass", "highPass", "resonantLowPass", "resonantHighPass", "bandPass", "bandStop", "lowShelf",
    "highShelf", "resonantLowShelf", "resonantHighShelf",
  ]

  static func bandParameters(
    _ band: Int,
    initial: (bypass: Double, type: Double, hertz: Double, gain: Double, octaves: Double) = (
      0, 0, 1000, 0, 0.5
    )
  ) -> [LawParameter] {
    [
      LawParameter("bypass@band:\(band)", 0...1, initial: initial.bypass, form: .whole),
      LawParameter("type@band:\(band)", 0...10, initial: initial.type, form: .whole),
      LawParameter("frequency@band:\(band)", from: 20, toRate: 0.5, initial: initial.hertz, form: .geometric),
      LawParameter("gain@band:\(band)", -96...24, initial: initial.gain),
      LawParameter("bandwidth@band:\(band)", 0.05...5, initial: initial.octaves, form: .geometric),
    ]
  }

  /// Values that a band has written beside its type take the place of the initial ones.
  static func parameters(of node: LawNode, inputs: [LawSignal?]) -> [LawParameter] {
    let gain = LawParameter("globalGain", -96...24, initial: node.keys["globalGain"]?.number ?? 0)
    return (node.keys["bands"]?.list ?? []).enumerated().reduce(into: [gain]) { all, band in
      let type = band.element["type"]?.text.flatMap { types.firstIndex(of: $0) } ?? 0
      all += bandParameters(
        band.offset,
        initial: (
          band.element["bypass"]?.flag == true ? 1 : 0, Double(type), band.element["frequency"]?.number ?? 1000,
          band.element["gain"]?.number ?? 0, band.element["bandwidth"]?.number ?? 0.5
        ))
    }
  }

  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    stride(from: 1, to: values.count, by: 5).map { place -> CookbookSection? in
      guard values[place] == 0 else { return nil }
      return band(
        types[min(10, max(0, Int(exactly: values[place + 1].rounded()) ?? 0))], values[place + 2], values[place + 3],
        values[place + 4], node.rate)
    }
  }

  static func gain(_ values: [Double]) -> Double { pow(10, values[0] / 20) }

  private static func band(
    _ type: String, _ hertz: Double, _ gain: Double, _ octaves: Double, _ rate: Double
  ) -> CookbookSection {
    let butterworth = CookbookSection.Width.q(1 / sqrt(2))
    let resonant = CookbookSection.Width.q(CookbookSection.q(octaves: octaves))
    return switch type {
    case "lowPass": .lowPass(hertz, butterworth, rate)
    case "highPass": .highPass(hertz, butterworth, rate)
    case "resonantLowPass": .lowPass(hertz, resonant, rate)
    case "resonantHighPass": .highPass(hertz, resonant, rate)
    case "bandPass": .bandPass(hertz, .octaves(octaves), rate)
    case "bandStop": .notch(hertz, .octaves(octaves), rate)
    case "lowShelf": .lowShelf(hertz, .slopeOne, gain: gain, rate)
    case "highShelf": .highShelf(hertz, .slopeOne, gain: gain, rate)
    case "resonantLowShelf": .lowShelf(hertz, resonant, gain: gain, rate)
    case "resonantHighShelf": .highShelf(hertz, resonant, gain: gain, rate)
    default: .peaking(hertz, .octaves(octaves), gain: gain, rate)
    }
  }

  static func draw(_ draw: inout CrossDraw) {
    var bands: [LawValue] = []
    var parameters = Self.parameters
    for band in 0..<draw.random.pick([1, 2, 3, 6]) {
      let own = bandParameters(band)
      var written: LawValue = ["type": .text(draw.random.pick(types))]
      for (key, parameter) in [("frequency", own[2]), ("gain", own[3]), ("bandwidth", own[4])] {
        guard draw.random.chance(0.8) else { continue }
        written[key] = .number(key == "gain" ? min(24, max(-40, draw.value(of: parameter))) : draw.value(of: parameter))
      }
      if draw.random.chance(0.2) { written["bypass"] = true }
      bands.append(written)
      parameters += own
    }
    var node: LawValue = ["unit": .text(unit)]
    node["bands"] = .list(bands)
    if draw.random.chance(0.4) { return draw.switchCase(node, parameters, setsStart: false) }
    draw.effectCase(node, parameters, canBypass: true, setsStart: false)
  }
}
