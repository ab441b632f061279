import AudioCore
import DSPKernels

/// The low shelf: cookbook section of slope 1.
public final class LowShelfFilter: SecondOrderFilter, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "lshf"), shortName: "lowShelfFilter", name: "Apple: AULowShelfFilter",
    summary: "A low shelf of slope 1."
  ) { LowShelfFilter() }

  public init() {
    super.init(
      Self.component,
      [
        ParameterDescriptor(0, "cutoffFrequency", unit: .hertz, 10...200, initial: 80),
        ParameterDescriptor(1, "gain", unit: .decibels, -40...40, initial: 0),
      ]
    ) { rate, value in
      CookbookFilter.lowShelf(atHertz: value(0), sampleRate: rate, width: .shelfSlope1, gainDecibels: value(1))
    }
  }
}
