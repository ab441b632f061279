import AudioCore
import DSPKernels

/// The band-pass filter: cookbook section with 0 dB peak, bandwidth in cents.
public final class BandPassFilter: SecondOrderFilter, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "bpas"), shortName: "bandPassFilter", name: "Apple: AUBandpass",
    summary: "A band-pass filter with 0 dB at its centre."
  ) { BandPassFilter() }

  public init() {
    super.init(
      Self.component,
      [
        ParameterDescriptor(0, "centerFrequency", unit: .hertz, 20...Float.infinity, initial: 5000),
        ParameterDescriptor(1, "bandwidth", unit: .cents, 100...12000, initial: 600),
      ]
    ) { rate, value in
      CookbookFilter.bandPass(atHertz: value(0), sampleRate: rate, width: .bandwidthOctaves(value(1) / 1200))
    }
  }
}
