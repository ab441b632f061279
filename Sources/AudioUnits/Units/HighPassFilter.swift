import AudioCore
import DSPKernels

/// The high-pass filter: cookbook section with Q = 10^(resonance / 20).
public final class HighPassFilter: SecondOrderFilter, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "hpas"), shortName: "highPassFilter", name: "Apple: AUHipass",
    summary: "A resonant high-pass filter, 12 dB per octave."
  ) { HighPassFilter() }

  public init() {
    super.init(
      Self.component,
      [
        ParameterDescriptor(0, "cutoffFrequency", unit: .hertz, 10...Float.infinity, initial: 6900),
        ParameterDescriptor(1, "resonance", unit: .decibels, -20...40, initial: 0),
      ]
    ) { rate, value in
      CookbookFilter.highPass(atHertz: value(0), sampleRate: rate, width: .q(Decibels.amplitude(value(1))))
    }
  }
}
