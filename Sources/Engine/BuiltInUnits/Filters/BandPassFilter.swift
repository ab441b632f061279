import AudioCore
import AudioEngine
import DSPKernels

/// The band-pass filter: cookbook section with 0 dB peak, bandwidth in cents.
///
/// ```swift
/// let filter = try BandPassFilter(centerHertz: 1000, bandwidthCents: 1200)
/// let response = try #require(filter.closedForm(sampleRate: 48_000))
/// #expect(abs(try #require(response.magnitudeDecibels(atHertz: 1000)) - 0) < 0.01)
/// ```
public final class BandPassFilter: SecondOrderFilter, HasNamedParameters, @unchecked Sendable {
  /// `aufx bpas appl`, in graph files `bandPassFilter`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "bpas"), shortName: "bandPassFilter", name: "Apple: AUBandpass",
    summary: "A band-pass filter with 0 dB at its centre."
  ) { BandPassFilter() }

  /// In the order of ``init(centerHertz:bandwidthCents:)``.
  public enum Parameter: UInt32, Sendable { case centerFrequency, bandwidth }

  /// 5000 Hz and 600 cents wide.
  public init() {
    super.init(
      Self.component,
      [
        .center(initial: 5000),
        Self.row(.bandwidth, .cents, 100...12000, 600),
      ]
    ) { rate, value in
      CookbookFilter.bandPass(atHertz: value(0), sampleRate: rate, width: .bandwidthOctaves(value(1) / 1200))
    } prototype: { response, value in
      response.bandPass(value(0), .octaves(value(1) / 1200))
    }
  }

  /// A filter with these values; beyond the parameters' ranges they are kept as given.
  public convenience init(centerHertz: Float = 5000, bandwidthCents: Float = 600) throws(AudioStatus) {
    self.init()
    try setAll([centerHertz, bandwidthCents])
  }
}
