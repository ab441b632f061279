import AudioCore
import DSPKernels

/// The high shelf: cookbook section of slope 1.
public final class HighShelfFilter: SecondOrderFilter, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "hshf"), shortName: "highShelfFilter",
    name: "Apple: AUHighShelfFilter",
    summary: "A high shelf of slope 1."
  ) { HighShelfFilter() }

  public init() {
    super.init(
      Self.component,
      [
        ParameterDescriptor(0, "cutoffFrequency", unit: .hertz, 10000...Float.infinity, initial: 10000),
        ParameterDescriptor(1, "gain", unit: .decibels, -40...40, initial: 0),
      ]
    ) { rate, value in
      CookbookFilter.highShelf(atHertz: value(0), sampleRate: rate, width: .shelfSlope1, gainDecibels: value(1))
    }
  }
}
