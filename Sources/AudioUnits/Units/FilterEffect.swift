import AudioCore
import DSPKernels

/// What every filter unit has in common: one input, one output of the same format, bypass, and a tail.
public class FilterEffect: Unit, @unchecked Sendable {
  private var isBypassed = false
  /// What the present processor answers to; set by ``makeFilter(_:)``.
  private var setProcessorBypass: (@Sendable (Bool) -> Void)?

  init(_ component: Component) { super.init(component, inputs: 1, outputs: 1) }

  public override func checkFormats() throws(AudioStatus) {
    guard inputs[0].format == outputs[0].format else { throw .formatNotSupported }
  }

  /// Makes the processor of a design over all the unit's global parameters.
  final func makeFilter(_ design: some FilterDesign) -> any Processor {
    let processor = FilterProcessor(
      design, slotCount: store.count, format: outputs[0].format, isBypassed: isBypassed)
    setProcessorBypass = { isOn in
      if !isOn && processor.isBypassed.load(ordering: .relaxed) {
        processor.wantsReset.store(true, ordering: .releasing)
      }
      processor.isBypassed.store(isOn, ordering: .relaxed)
    }
    return processor
  }

  /// The tail of a design at the present values.
  final func tail(of design: some FilterDesign) -> Int64 {
    isBypassed
      ? 0
      : design.tailFrames(sampleRate: outputs[0].format.sampleRate) { Double(store[$0]) }
  }

  /// Whether the input passes unchanged. Switching it off clears the filters.
  public final func setBypass(_ isOn: Bool) {
    isBypassed = isOn
    setProcessorBypass?(isOn)
  }

  public override var ownProperties: [PropertyDescriptor] { [Self.bypassProperty] }

  static let bypassProperty = PropertyDescriptor.of(
    FilterEffect.self, .bypassEffect, "bypassEffect", type: "UInt32, 0 or 1",
    get: { (unit, _, _) throws(AudioStatus) in .uint32(unit.isBypassed ? 1 : 0) },
    set: { (unit, _, _, value) throws(AudioStatus) in
      guard case .uint32(let isOn) = value else { throw .invalidPropertyValue }
      unit.setBypass(isOn != 0)
    })
}

/// A filter unit that is one section designed from its global parameters.
public class SecondOrderFilter: FilterEffect, @unchecked Sendable {
  private let table: [ParameterDescriptor]
  private let design: SingleSection

  init(
    _ component: Component, _ table: [ParameterDescriptor],
    section: @escaping @Sendable (_ sampleRate: Double, _ value: (Int) -> Double) -> BiquadCoefficients
  ) {
    self.table = table
    design = SingleSection(slotCount: table.count, section: section)
    super.init(component)
  }

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    scope == .global ? table : []
  }

  public override func makeProcessor() throws(AudioStatus) -> any Processor { makeFilter(design) }
  public override var tailFrames: Int64? { tail(of: design) }
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
