import AudioCore
import AudioEngine
import DSPKernels

/// The parametric equalizer: one cookbook peaking section.
///
/// ```swift
/// let filter = try ParametricEQ(centerHertz: 1000, q: 2, gainDecibels: -9)
/// let response = try #require(filter.closedForm(sampleRate: 48_000))
/// #expect(abs(try #require(response.magnitudeDecibels(atHertz: 1000)) - -9) < 0.01)
/// ```
public final class ParametricEQ: SecondOrderFilter, HasNamedParameters, @unchecked Sendable {
  /// `aufx pmeq appl`, in graph files `parametricEQ`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "pmeq"), shortName: "parametricEQ", name: "Apple: AUParametricEQ",
    summary: "One peaking band."
  ) { ParametricEQ() }

  /// In the order of ``init(centerHertz:q:gainDecibels:)``.
  public enum Parameter: UInt32, Sendable { case centerFrequency, q, gain }

  /// 2000 Hz, Q of 1 and 0 dB.
  public init() {
    super.init(
      Self.component,
      [
        .center(initial: 2000),
        Self.row(.q, .generic, 0.1...20, 1),
        Self.row(.gain, .decibels, -20...20, 0),
      ]
    ) { rate, value in
      CookbookFilter.peaking(atHertz: value(0), sampleRate: rate, width: .q(value(1)), gainDecibels: value(2))
    } prototype: { response, value in
      response.peaking(value(0), .damping(1 / value(1)), gainDecibels: value(2))
    }
  }

  /// A filter with these values; beyond the parameters' ranges they are kept as given.
  public convenience init(centerHertz: Float = 2000, q: Float = 1, gainDecibels: Float = 0) throws(AudioStatus) {
    self.init()
    try setAll([centerHertz, q, gainDecibels])
  }
}
