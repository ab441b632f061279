import AudioCore
import AudioEngine
import DSPKernels

/// The common parts of filter units, beside those of effects: a tail and a closed form.
public class FilterEffect: EffectUnit, LongTailUnit, @unchecked Sendable {
  /// Makes the processor of a design over all the unit's global parameters.
  final func makeFilter(_ design: some FilterDesign) -> EffectProcessor {
    FilterProcessor(design, slotCount: store.count, format: format)
  }

  /// Two cascades, of which one is laid out anew while the other renders.
  final func filterBytes(sections: Int) -> Int {
    MemoryBudget.product(sections, 256 + 2 * 16 * outputs[0].format.channelCount)
  }

  /// The longest tail of a design: at the present values, and at every bend of the timelines.
  final func tail(of design: some FilterDesign) -> Int64 {
    if isBypassed { return 0 }
    let rate = outputs[0].format.sampleRate
    let courses = store.addresses.map { timelines[$0] }
    let bends = Set(courses.flatMap { $0?.points.map(\.frame) ?? [] }).union([0])
    return bends.map { frame in
      design.tailFrames(sampleRate: rate) { slot in
        courses[slot].map { $0.segment(at: frame).value(at: frame) } ?? Double(store[slot])
      }
    }.max() ?? 0
  }

  public override func closedForm(sampleRate: Double) -> AnalogResponse? {
    var response = AnalogResponse(sampleRate: sampleRate)
    if !isBypassed { addSections(to: &response) { Double(store[$0]) } }
    return response
  }

  /// Adds what the filter is made of. `value` gives the value of a slot.
  func addSections(to response: inout AnalogResponse, value: (Int) -> Double) {}
}

/// A filter unit that is one section designed from its global parameters.
public class SecondOrderFilter: FilterEffect, @unchecked Sendable {
  private let design: SingleSection
  private let prototype: @Sendable (inout AnalogResponse, (Int) -> Double) -> Void

  /// - Parameters:
  ///   - section: the section that is rendered.
  ///   - prototype: the same in closed form.
  init(
    _ component: Component, _ table: [ParameterDescriptor],
    section: @escaping @Sendable (_ sampleRate: Double, _ value: (Int) -> Double) -> BiquadCoefficients,
    prototype: @escaping @Sendable (inout AnalogResponse, _ value: (Int) -> Double) -> Void
  ) {
    self.prototype = prototype
    design = SingleSection(slotCount: table.count, section: section)
    super.init(component, parameters: table)
  }

  /// Sets the parameters in the order of the table.
  final func setAll(_ values: [Float]) throws(AudioStatus) {
    precondition(values.count == store.count)
    for (parameter, value) in zip(allParameters, values) { try setParameter(parameter.address, to: value) }
  }

  override func addSections(to response: inout AnalogResponse, value: (Int) -> Double) { prototype(&response, value) }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor { makeFilter(design) }
  public override var processorBytes: Int { filterBytes(sections: 1) }
  public override var tailFrames: Int64? { tail(of: design) }
}

/// Rows that several filters have.
extension ParameterDescriptor {
  static func cutoff(_ range: ClosedRange<Float>, initial: Float) -> ParameterDescriptor {
    ParameterDescriptor(0, "cutoffFrequency", unit: .hertz, range, initial: initial)
  }
  static func center(initial: Float) -> ParameterDescriptor {
    ParameterDescriptor(0, "centerFrequency", unit: .hertz, 20...Float.infinity, initial: initial)
  }
  static let resonance = ParameterDescriptor(1, "resonance", unit: .decibels, -20...40, initial: 0)
  static let shelfGain = ParameterDescriptor(1, "gain", unit: .decibels, -40...40, initial: 0)
}

/// A unit whose global parameters have names in Swift: `try filter.set(.resonance, to: 3)`.
public protocol HasNamedParameters: Unit {
  /// The parameters by name; the raw value is the id.
  associatedtype Parameter: RawRepresentable<UInt32>
}

extension HasNamedParameters {
  /// As `Unit.setParameter(_:to:)`.
  public func set(_ parameter: Parameter, to value: Float) throws(AudioStatus) {
    try setParameter(ParameterAddress(parameter.rawValue), to: value)
  }

  /// The row of a parameter under the name that it has in Swift.
  static func row(
    _ parameter: Parameter, _ unit: ParameterUnit, _ range: ClosedRange<Float>, _ initial: Float,
    isReadOnly: Bool = false, canRamp: Bool = true, valueNames: [String] = []
  ) -> ParameterDescriptor {
    ParameterDescriptor(
      parameter.rawValue, "\(parameter)", unit: unit, range, initial: initial, isReadOnly: isReadOnly,
      canRamp: canRamp, valueNames: valueNames)
  }
}

/// A design of one section, from a function of the parameters' values in table order.
struct SingleSection: FilterDesign {
  let slotCount: Int
  let section: @Sendable (_ sampleRate: Double, _ value: (Int) -> Double) -> BiquadCoefficients

  var sectionCount: Int { 1 }
  func slots(ofSection section: Int) -> Range<Int> { 0..<slotCount }
  func coefficients(ofSection section: Int, sampleRate: Double, value: (Int) -> Double) -> BiquadCoefficients? {
    self.section(sampleRate, value)
  }
}
