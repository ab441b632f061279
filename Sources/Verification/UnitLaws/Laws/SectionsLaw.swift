/// Sections in series with a gain behind them, all made from the values of parameters: the filters and equalizers.
///
/// Sections are made of the values at the first frame of a cell. A section keeps its state when it is made anew, and one that is left out loses it.
protocol SectionsLaw: UnitLaw {
  /// The sections for the values of all parameters, in their order; nil for one that is left out.
  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?]
  /// The factor behind the sections.
  static func gain(_ values: [Double]) -> Double
}

extension SectionsLaw {
  static func gain(_ values: [Double]) -> Double { 1 }

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    try SectionSeries<Self>.outputs(of: node, inputs)
  }

  static func draw(_ draw: inout CrossDraw) { draw.effectCase(of: Self.self) }
}

private struct SectionSeries<Law: SectionsLaw>: EffectLaw {
  static var unit: String { Law.unit }

  private let node: LawNode
  private let courses: LawCourses
  private let channels: Int
  /// The values for which the sections were made.
  private var taken: [Double] = []
  private var sections: [CookbookSection?] = []
  private var gain = 1.0
  private var states: [[SectionState]] = []

  init(_ node: LawNode, channels: Int, frames: Int) {
    (self.node, self.channels) = (node, channels)
    courses = LawCourses(node, Law.parameters(of: node, inputs: []))
  }

  private var rest: [SectionState] { Array(repeating: SectionState(), count: channels) }

  mutating func restart() { states = states.map { _ in rest } }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    let values = courses.held(at: frame)
    if values != taken || sections.isEmpty {
      taken = values
      (sections, gain) = (Law.sections(node, values), Law.gain(values))
      if states.isEmpty { states = sections.map { _ in rest } }
      for (index, section) in sections.enumerated() where section == nil { states[index] = rest }
    }
    var output = samples
    for (index, section) in sections.enumerated() {
      guard let section else { continue }
      for channel in output.indices { output[channel] = states[index][channel].output(output[channel], section) }
    }
    return output.map { $0 * gain }
  }
}
