import AudioCore
import AudioEngine
import DSPKernels
import Synchronization

/// The common parts of effects: one input, one output of the same format, and bypass.
///
/// A subclass declares its parameters and gives the render half: an ``EffectProcessor``, which is not called while the
/// effect is bypassed.
open class EffectUnit: Unit, @unchecked Sendable {
  /// The value of ``setBypass(_:)``; false in a new unit.
  public final private(set) var isBypassed = false

  /// One input and one output of the initial format, not bypassed.
  public init(_ component: Component, parameters: [ParameterDescriptor] = []) {
    super.init(component, inputs: 1, outputs: 1, parameters: parameters)
  }

  /// Makes the render half for the present formats and sizes.
  open func makeEffect() throws(AudioStatus) -> EffectProcessor { throw .failedInitialization }

  public final override func makeProcessor() throws(AudioStatus) -> Processor {
    let effect = try makeEffect()
    effect.begin(isBypassed: isBypassed)
    return effect
  }

  open override func checkFormats() throws(AudioStatus) {
    guard inputs[0].format == outputs[0].format else { throw .formatNotSupported }
  }

  /// The format of the input and of the output.
  public final var format: StreamFormat { outputs[0].format }

  /// Lets the input pass unchanged, or not. Switching it off clears delay lines and filters.
  public final func setBypass(_ isOn: Bool) {
    isBypassed = isOn
    edit(EffectProcessor.self) { $0.setBypass(isOn) }
  }

  /// A subclass adds its own to what this one has.
  open override var ownProperties: [PropertyDescriptor] { [Self.bypassProperty] }

  private static let bypassProperty = PropertyDescriptor.bypass(
    of: EffectUnit.self, get: { $0.isBypassed }, set: { $0.setBypass($1) })
}

/// The render half of an effect. Runs on the render thread: no allocation, no lock.
open class EffectProcessor: Processor {
  private var bypass = BypassSwitch(false)

  final func begin(isBypassed: Bool) { bypass = BypassSwitch(isBypassed) }
  final func setBypass(_ isOn: Bool) { bypass.set(isOn) }

  /// Renders the frames of one piece of a slice; the input has as many channels as the output.
  open func render(_ piece: RenderPiece) throws(AudioStatus) {}

  /// A subclass that overrides this calls it first.
  open override func latch() {
    if bypass.latch() { reset() }
  }

  open override var worksInPlace: Bool { true }

  public final override func process(_ piece: RenderPiece) throws(AudioStatus) {
    guard piece.inputs[0].count > 0 else { throw .noConnection }
    if bypass.isOn { return passBypassed(piece) }
    try render(piece)
  }

  /// Lets the input of one piece pass, while the effect is bypassed.
  func passBypassed(_ piece: RenderPiece) { piece.passInput() }
}

/// The switch that lets an effect's input pass, between the edit side and the render side.
final class BypassSwitch {
  private let wanted: Atomic<Bool>
  /// Switched off since the last slice, if only for a moment in between.
  private let wasSwitchedOff = Atomic<Bool>(false)
  /// The value in the present slice. For the render side.
  private(set) var isOn: Bool

  init(_ isOn: Bool) {
    self.isOn = isOn
    wanted = Atomic(isOn)
  }

  /// For the edit side.
  func set(_ isOn: Bool) {
    if wanted.exchange(isOn, ordering: .relaxed) && !isOn { wasSwitchedOff.store(true, ordering: .relaxed) }
  }

  /// Takes over what was set. For the render side.
  /// - Returns: true if the filter must clear its state: bypass was switched off since the last slice.
  func latch() -> Bool {
    isOn = wanted.load(ordering: .relaxed)
    return wasSwitchedOff.load(ordering: .relaxed) && wasSwitchedOff.exchange(false, ordering: .relaxed)
  }
}
