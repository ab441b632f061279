import AudioCore
import AudioEngine
import DSPKernels

/// The high-pass filter: cookbook section with Q = 10^(resonance / 20).
///
/// ```swift
/// let filter = try HighPassFilter(cutoffHertz: 80, resonanceDecibels: -3)
/// let response = try #require(filter.closedForm(sampleRate: 48_000))
/// #expect(abs(try #require(response.magnitudeDecibels(atHertz: 80)) - -3) < 0.01)
/// ```
public final class HighPassFilter: SecondOrderFilter, HasNamedParameters, @unchecked Sendable {
  /// `aufx hpas appl`, in graph files `highPassFilter`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "hpas"), shortName: "highPassFilter", name: "Apple: AUHipass",
    summary: "A resonant high-pass filter, 12 dB per octave."
  ) { HighPassFilter() }

  /// In the order of ``init(cutoffHertz:resonanceDecibels:)``.
  public enum Parameter: UInt32, Sendable { case cutoffFrequency, resonance }

  /// 6900 Hz and a resonance of 0 dB.
  public init() {
    super.init(
      Self.component,
      [.cutoff(10...Float.infinity, initial: 6900), .resonance]
    ) { rate, value in
      CookbookFilter.highPass(atHertz: value(0), sampleRate: rate, width: .q(Decibels.amplitude(value(1))))
    } prototype: { response, value in
      response.highPass(value(0), .damping(1 / Decibels.amplitude(value(1))))
    }
  }

  /// A filter with these values; beyond the parameters' ranges they are kept as given.
  public convenience init(cutoffHertz: Float = 6900, resonanceDecibels: Float = 0) throws(AudioStatus) {
    self.init()
    try setAll([cutoffHertz, resonanceDecibels])
  }
}
