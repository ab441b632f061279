import Glibc

/// A resonant low pass: Q = 10^(resonance/20), which is the gain at the cutoff frequency.
enum LowPassFilterLaw: SectionsLaw {
  static let unit = "lowPassFilter"
  static let parameters = [
    LawParameter("cutoffFrequency", from: 10, toRate: 0.5, initial: 6900, form: .geometric),
    LawParameter("resonance", -20...40, initial: 0),
  ]
  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    [.lowPass(values[0], .q(pow(10, values[1] / 20)), node.rate)]
  }
}

/// A resonant high pass, as the low pass.
enum HighPassFilterLaw: SectionsLaw {
  static let unit = "highPassFilter"
  static let parameters = LowPassFilterLaw.parameters
  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    [.highPass(values[0], .q(pow(10, values[1] / 20)), node.rate)]
  }
}

/// A band pass of 0 dB at its centre, its width in cents.
enum BandPassFilterLaw: SectionsLaw {
  static let unit = "bandPassFilter"
  static let parameters = [
    LawParameter("centerFrequency", from: 20, toRate: 0.5, initial: 5000, form: .geometric),
    LawParameter("bandwidth", 100...12_000, initial: 600, form: .geometric),
  ]
  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    [.bandPass(values[0], .octaves(values[1] / 1200), node.rate)]
  }
}

/// A low shelf of slope 1.
enum LowShelfFilterLaw: SectionsLaw {
  static let unit = "lowShelfFilter"
  static let parameters = [
    LawParameter("cutoffFrequency", 10...200, initial: 80, form: .geometric),
    LawParameter("gain", -40...40, initial: 0),
  ]
  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    [.lowShelf(values[0], .slopeOne, gain: values[1], node.rate)]
  }
}

/// A high shelf of slope 1.
enum HighShelfFilterLaw: SectionsLaw {
  static let unit = "highShelfFilter"
  static let parameters = [
    LawParameter("cutoffFrequency", from: 10_000, toRate: 0.5, initial: 10_000, form: .geometric),
    LawParameter("gain", -40...40, initial: 0),
  ]
  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    [.highShelf(values[0], .slopeOne, gain: values[1], node.rate)]
  }
}

/// One peaking band.
enum ParametricEQLaw: SectionsLaw {
  static let unit = "parametricEQ"
  static let parameters = [
    LawParameter("centerFrequency", from: 20, toRate: 0.5, initial: 2000, form: .geometric),
    LawParameter("q", 0.1...20, initial: 1, form: .geometric), LawParameter("gain", -20...20, initial: 0),
  ]
  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    [.peaking(values[0], .q(values[1]), gain: values[2], node.rate)]
  }
}

/// A shelf or a high pass, three bells, and a shelf or a low pass, in series.
enum MultibandFilterLaw: SectionsLaw {
  static let unit = "multibandFilter"
  private static func bell(_ number: Int) -> [LawParameter] {
    [
      LawParameter("centerFrequency\(number)", from: 10, toRate: 0.5, initial: 100, form: .geometric),
      LawParameter("centerGain\(number)", -18...18, initial: 0),
      LawParameter("bandwidth\(number)", 0.05...3, initial: 2, form: .geometric),
    ]
  }
  private static func end(_ name: String) -> [LawParameter] {
    [
      LawParameter("\(name)FilterType", 0...1, initial: 0, form: .whole),
      LawParameter("\(name)Frequency", from: 10, toRate: 0.5, initial: 100, form: .geometric),
      LawParameter("\(name)Gain", -18...18, initial: 0),
    ]
  }
  static let parameters = end("low") + bell(1) + bell(2) + bell(3) + end("high")

  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    let butterworth = CookbookSection.Width.q(1 / sqrt(2))
    // Without a gain a section is out of use, but for the two passes.
    func inUse(_ gain: Double, _ section: CookbookSection) -> CookbookSection? { gain == 0 ? nil : section }
    let low: CookbookSection? =
      values[0] < 0.5
      ? inUse(values[2], .lowShelf(values[1], .slopeOne, gain: values[2], node.rate))
      : .highPass(values[1], butterworth, node.rate)
    let high: CookbookSection? =
      values[12] < 0.5
      ? inUse(values[14], .highShelf(values[13], .slopeOne, gain: values[14], node.rate))
      : .lowPass(values[13], butterworth, node.rate)
    let bells = [3, 6, 9].map { place in
      inUse(
        values[place + 1],
        .peaking(values[place], .octaves(values[place + 2]), gain: values[place + 1], node.rate))
    }
    return [low] + bells + [high]
  }

  /// Sections go out of use with their gain.
  static func draw(_ draw: inout CrossDraw) {
    guard draw.random.chance(0.4) else { return draw.effectCase(of: Self.self) }
    let switches = parameters.map { parameter in
      parameter.name.contains("Gain")
        ? LawParameter(parameter.name, -18...18, initial: 0, steps: true) : parameter
    }
    draw.switchCase(["unit": .text(unit)], switches, setsStart: true)
  }
}
