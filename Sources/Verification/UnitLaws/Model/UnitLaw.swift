/// The law of a unit: what its page says, as a plain program in float64 over whole signals.
///
/// Written from the unit's page without a look at the engine, from which nothing is imported or copied: the two can be
/// wrong in the same way only where the page is. Slow and obvious comes first.
protocol UnitLaw {
  /// As graph files name the unit.
  static var unit: String { get }
  /// The numbers that may be set, with their ranges as the page has them: what the cross draws from.
  static var parameters: [LawParameter] { get }
  /// The largest difference from the law, dB against full scale or the expected peak, whichever is larger.
  static var residual: Double { get }
  static func residual(of node: LawNode) -> Double
  /// All parameters of a node that are known, also of its buses and bands.
  static func parameters(of node: LawNode, inputs: [LawSignal?]) -> [LawParameter]
  /// The keys of a node that are known beside those of all.
  static var keys: Set<String> { get }
  /// The signals of all outputs for those of all inputs, each as long as its input; a nil input has no source.
  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal]
  /// A random case of the unit.
  static func draw(_ draw: inout CrossDraw)
}

extension UnitLaw {
  /// The only input.
  static func input(_ inputs: [LawSignal?]) throws(LawError) -> LawSignal {
    guard let input = inputs.first ?? nil else { throw LawError("\(unit) has no input") }
    return input
  }

  static var parameters: [LawParameter] { [] }
  static var residual: Double { -120 }
  static func residual(of node: LawNode) -> Double { residual }
  static func parameters(of node: LawNode, inputs: [LawSignal?]) -> [LawParameter] { parameters }
  static var keys: Set<String> { [] }

  /// Refuses what the law would leave out.
  static func check(_ node: LawNode, _ inputs: [LawSignal?]) throws(LawError) {
    let names = Set(parameters(of: node, inputs: inputs).map { LawNode.fullName($0.name) })
    let ramps = (node.keys["ramp"]?.list ?? []).map { $0["parameter"]?.text ?? "" }
    let written = Array((node.keys["set"]?.members ?? [:]).keys) + ramps + node.events.flatMap { $0.settings.keys }
    for name in written where !names.contains(LawNode.fullName(name)) {
      throw LawError("the law of \(unit) knows no parameter \"\(name)\"")
    }
    let common: Set = ["id", "unit", "set", "ramp", "edits", "bypass", "channels", "tail", "format"]
    for key in node.keys.keys.sorted() where !common.contains(key) && !keys.contains(key) {
      throw LawError("the law of \(unit) knows no key \"\(key)\"")
    }
    if node.events.contains(where: { $0.preset != nil }), !keys.contains("preset") {
      throw LawError("the law of \(unit) knows no presets")
    }
  }
  static func draw(_ draw: inout CrossDraw) { draw.effectCase(of: Self.self, canBypass: false) }
}

/// A parameter as a page lists it.
struct LawParameter: Sendable {
  enum Form: Sendable {
    case plain, geometric, whole
    /// Values near the lower end are frequent.
    case small
  }

  let name: String
  private let lower: Double
  private let upper: Double
  /// True when `upper` is a part of the rate.
  private let isOfRate: Bool
  let initial: Double
  /// How values are spread over the range.
  let form: Form
  /// True when the value goes to another in a step, also under a ramp.
  let steps: Bool

  init(_ name: String, _ range: ClosedRange<Double>, initial: Double, form: Form = .plain, steps: Bool = false) {
    (self.name, lower, upper, isOfRate) = (name, range.lowerBound, range.upperBound, false)
    (self.initial, self.form, self.steps) = (initial, form, steps || form == .whole)
  }

  /// - Parameter part: the upper end as a part of the rate: 0.5 for half of it.
  init(_ name: String, from lower: Double, toRate part: Double, initial: Double, form: Form = .plain) {
    (self.name, self.lower, upper, isOfRate) = (name, lower, part, true)
    (self.initial, self.form, steps) = (initial, form, form == .whole)
  }

  func contains(_ value: Double, _ rate: Double) -> Bool { range(atRate: rate)?.contains(value) ?? false }

  /// Nil where a rate leaves nothing of it.
  func range(atRate rate: Double) -> ClosedRange<Double>? {
    let end = isOfRate ? upper * rate : upper
    return end >= lower ? lower...end : nil
  }
}

/// Sources of laws outside of this module: sound files, and libraries called directly.
public struct LawSurroundings: Sendable {
  /// The samples of a sound file as the graph file names it.
  public var file: @Sendable (_ path: String) -> LawSignal?
  /// A signal at another rate by the library that a quality names, called directly.
  public var convert: @Sendable (_ signal: LawSignal, _ quality: String, _ rate: Double) -> LawSignal?

  /// A stream of SoundTouch; lengths in milliseconds, 0 for its own.
  public var stretcher:
    @Sendable (_ rate: Double, _ channels: Int, _ sequence: Int, _ seek: Int, _ overlap: Int) -> (any LawStretcher)?

  public init(
    file: @escaping @Sendable (_ path: String) -> LawSignal? = { _ in nil },
    convert: @escaping @Sendable (_ signal: LawSignal, _ quality: String, _ rate: Double) -> LawSignal? = { _, _, _ in
      nil
    },
    stretcher:
      @escaping @Sendable (
        _ rate: Double, _ channels: Int, _ sequence: Int, _ seek: Int, _ overlap: Int
      ) -> (any LawStretcher)? = { _, _, _, _, _ in nil }
  ) {
    (self.file, self.convert, self.stretcher) = (file, convert, stretcher)
  }
}

/// All units that have a law here.
enum UnitLawList {
  static var all: [any UnitLaw.Type] {
    [
      BandPassFilterLaw.self, ChainCross.self, DelayLaw.self, DistanceCross.self, DistortionLaw.self,
      DynamicsProcessorLaw.self,
      FilePlayerLaw.self, FormatConverterLaw.self, GenericOutputLaw.self, GraphicEQLaw.self, HighPassFilterLaw.self,
      HighShelfFilterLaw.self, IPodEQLaw.self, LeapCross.self, LowPassFilterLaw.self, LowShelfFilterLaw.self,
      MatrixMixerLaw.self,
      MergerLaw.self, MeterCross.self, Mixer3DLaw.self, MultibandFilterLaw.self, MultichannelMixerLaw.self,
      MultiSplitterLaw.self,
      NBandEQLaw.self, NewTimePitchLaw.self, NoiseGeneratorLaw.self, NormalizerLaw.self, ParametricEQLaw.self,
      PeakLimiterLaw.self, PresetCross.self, RangeCross.self, ReverbLaw.self, SampleDelayLaw.self, SpatialMixerLaw.self,
      SplitterLaw.self,
      TimePitchLaw.self, ToneGeneratorLaw.self, UnderWayCross.self, VarispeedLaw.self,
    ]
  }

  static func law(of unit: String) -> (any UnitLaw.Type)? { all.first { $0.unit == unit } }
}
