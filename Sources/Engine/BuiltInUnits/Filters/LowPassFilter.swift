import AudioCore
import AudioEngine
import DSPKernels

/// The low-pass filter: cookbook section with Q = 10^(resonance / 20).
///
/// ```swift
/// let filter = try LowPassFilter(cutoffHertz: 1000, resonanceDecibels: 6)
/// let response = try #require(filter.closedForm(sampleRate: 48_000))
/// #expect(abs(try #require(response.magnitudeDecibels(atHertz: 1000)) - 6) < 0.01)
/// ```
public final class LowPassFilter: SecondOrderFilter, HasNamedParameters, @unchecked Sendable {
  /// `aufx lpas appl`, in graph files `lowPassFilter`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "lpas"), shortName: "lowPassFilter", name: "Apple: AULowpass",
    summary: "A resonant low-pass filter, 12 dB per octave."
  ) { LowPassFilter() }

  /// In the order of ``init(cutoffHertz:resonanceDecibels:)``.
  public enum Parameter: UInt32, Sendable { case cutoffFrequency, resonance }

  /// 6900 Hz and a resonance of 0 dB.
  public init() {
    super.init(
      Self.component,
      [.cutoff(10...Float.infinity, initial: 6900), .resonance]
    ) { rate, value in
      CookbookFilter.lowPass(atHertz: value(0), sampleRate: rate, width: .q(Decibels.amplitude(value(1))))
    } prototype: { response, value in
      response.lowPass(value(0), .damping(1 / Decibels.amplitude(value(1))))
    }
  }

  /// A filter with these values; beyond the parameters' ranges they are kept as given.
  public convenience init(cutoffHertz: Float = 6900, resonanceDecibels: Float = 0) throws(AudioStatus) {
    self.init()
    try setAll([cutoffHertz, resonanceDecibels])
  }
}
