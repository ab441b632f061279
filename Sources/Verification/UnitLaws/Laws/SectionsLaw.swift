/// Sections in series with a gain behind them, all made from the values of parameters: the filters and equalizers.
///
/// Sections are made of the values at the first frame of a cell. A section keeps its state when it is made anew, and one that is left out loses it.
protocol SectionsLaw: EffectLaw {
  /// The sections for the values of all parameters, in their order; nil for one that is left out.
  static func sections(_ node: LawNode, _ values: [Double]) -> (sections: [CookbookSection?], gain: Double)
  /// The parameters of one node: as the page lists them, unless there are as many as bands.
  static func parameters(of node: LawNode) -> [LawParameter]
  var series: SectionSeries { get set }
}

extension SectionsLaw {
  static func parameters(of node: LawNode) -> [LawParameter] { parameters }

  mutating func restart() { series.restart() }

  mutating func output(_ samples: [Double], at frame: Int) -> [Double] {
    if let values = series.newValues(at: frame) {
      let made = Self.sections(series.node, values)
      series.take(made.sections, gain: made.gain)
    }
    return series.output(samples)
  }
}

struct SectionSeries {
  let node: LawNode
  private let courses: LawCourses
  private var taken: [Double] = []
  private let channels: Int
  private var sections: [CookbookSection?] = []
  private var gain = 1.0
  private var states: [[SectionState]] = []

  init(_ node: LawNode, _ parameters: [LawParameter], channels: Int) {
    self.node = node
    self.channels = channels
    courses = LawCourses(node, parameters)
  }

  /// The values at a frame; nil where they are those for which the sections were made.
  mutating func newValues(at frame: Int) -> [Double]? {
    let values = courses.held(at: frame)
    guard values != taken || sections.isEmpty else { return nil }
    taken = values
    return values
  }

  mutating func take(_ made: [CookbookSection?], gain: Double) {
    if states.isEmpty {
      states = Array(repeating: Array(repeating: SectionState(), count: channels), count: made.count)
    }
    for (index, section) in made.enumerated() where section == nil {
      states[index] = Array(repeating: SectionState(), count: channels)
    }
    (sections, self.gain) = (made, gain)
  }

  mutating func restart() {
    for index in states.indices { states[index] = Array(repeating: SectionState(), count: channels) }
  }

  mutating func output(_ samples: [Double]) -> [Double] {
    var output = samples
    for (index, section) in sections.enumerated() {
      guard let section else { continue }
      for channel in output.indices { output[channel] = states[index][channel].output(output[channel], section) }
    }
    return output.map { $0 * gain }
  }
}
