import AudioCore
import DSPKernels

/// The parametric equalizer: one cookbook peaking section.
public final class ParametricEQ: SecondOrderFilter, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "pmeq"), shortName: "parametricEQ", name: "Apple: AUParametricEQ",
    summary: "One peaking band."
  ) { ParametricEQ() }

  public init() {
    super.init(
      Self.component,
      [
        ParameterDescriptor(0, "centerFrequency", unit: .hertz, 20...Float.infinity, initial: 2000),
        ParameterDescriptor(1, "q", unit: .generic, 0.1...20, initial: 1),
        ParameterDescriptor(2, "gain", unit: .decibels, -20...20, initial: 0),
      ]
    ) { rate, value in
      CookbookFilter.peaking(atHertz: value(0), sampleRate: rate, width: .q(value(1)), gainDecibels: value(2))
    }
  }
}
