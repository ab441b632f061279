import AudioCore
import AudioEngine
import DSPKernels

/// The high shelf: cookbook section of slope 1.
///
/// ```swift
/// let filter = try HighShelfFilter(cutoffHertz: 8000, gainDecibels: -4)
/// let response = try #require(filter.closedForm(sampleRate: 48_000))
/// #expect(abs(try #require(response.magnitudeDecibels(atHertz: 8000)) - -2) < 0.01)
/// ```
public final class HighShelfFilter: SecondOrderFilter, HasNamedParameters, @unchecked Sendable {
  /// `aufx hshf appl`, in graph files `highShelfFilter`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "hshf"), shortName: "highShelfFilter",
    name: "Apple: AUHighShelfFilter",
    summary: "A high shelf of slope 1."
  ) { HighShelfFilter() }

  /// In the order of ``init(cutoffHertz:gainDecibels:)``.
  public enum Parameter: UInt32, Sendable { case cutoffFrequency, gain }

  /// 10,000 Hz and 0 dB.
  public init() {
    super.init(
      Self.component,
      [.cutoff(10000...Float.infinity, initial: 10000), .shelfGain]
    ) { rate, value in
      CookbookFilter.highShelf(atHertz: value(0), sampleRate: rate, width: .shelfSlope1, gainDecibels: value(1))
    } prototype: { response, value in
      response.highShelf(value(0), .damping(2.squareRoot()), gainDecibels: value(1))
    }
  }

  /// A filter with these values; beyond the parameters' ranges they are kept as given.
  public convenience init(cutoffHertz: Float = 10000, gainDecibels: Float = 0) throws(AudioStatus) {
    self.init()
    try setAll([cutoffHertz, gainDecibels])
  }
}
