import AudioCore
import AudioEngine
import DSPKernels

/// The low shelf: cookbook section of slope 1.
///
/// ```swift
/// let filter = try LowShelfFilter(cutoffHertz: 200, gainDecibels: 6)
/// let response = try #require(filter.closedForm(sampleRate: 48_000))
/// #expect(abs(try #require(response.magnitudeDecibels(atHertz: 200)) - 3) < 0.01)
/// ```
public final class LowShelfFilter: SecondOrderFilter, HasNamedParameters, @unchecked Sendable {
  /// `aufx lshf appl`, in graph files `lowShelfFilter`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "lshf"), shortName: "lowShelfFilter", name: "Apple: AULowShelfFilter",
    summary: "A low shelf of slope 1."
  ) { LowShelfFilter() }

  /// In the order of ``init(cutoffHertz:gainDecibels:)``.
  public enum Parameter: UInt32, Sendable { case cutoffFrequency, gain }

  /// 80 Hz and 0 dB.
  public init() {
    super.init(
      Self.component,
      [.cutoff(10...200, initial: 80), .shelfGain]
    ) { rate, value in
      CookbookFilter.lowShelf(atHertz: value(0), sampleRate: rate, width: .shelfSlope1, gainDecibels: value(1))
    } prototype: { response, value in
      response.lowShelf(value(0), .damping(2.squareRoot()), gainDecibels: value(1))
    }
  }

  /// A filter with these values; beyond the parameters' ranges they are kept as given.
  public convenience init(cutoffHertz: Float = 80, gainDecibels: Float = 0) throws(AudioStatus) {
    self.init()
    try setAll([cutoffHertz, gainDecibels])
  }
}
