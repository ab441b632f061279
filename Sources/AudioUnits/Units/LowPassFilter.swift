import AudioCore
import DSPKernels

/// The low-pass filter: cookbook section with Q = 10^(resonance / 20).
public final class LowPassFilter: SecondOrderFilter, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "lpas"), shortName: "lowPassFilter", name: "Apple: AULowpass",
    summary: "A resonant low-pass filter, 12 dB per octave."
  ) { LowPassFilter() }

  public init() {
    super.init(
      Self.component,
      [
        ParameterDescriptor(0, "cutoffFrequency", unit: .hertz, 10...Float.infinity, initial: 6900),
        ParameterDescriptor(1, "resonance", unit: .decibels, -20...40, initial: 0),
      ]
    ) { rate, value in
      CookbookFilter.lowPass(atHertz: value(0), sampleRate: rate, width: .q(Decibels.amplitude(value(1))))
    }
  }
}
