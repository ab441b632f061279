import AudioCore
import Glibc
import Spectrum

/// Puts other plays beside the first.
struct Comparer {
  let settings: LinearSettings
  /// The frames of a response in which it stands out; nil: it has none.
  let window: Range<Int>?
  /// True when the frames outside ``window`` are noise.
  let isNoisy: Bool
  let main: TransferEstimate

  /// - Parameter bias: the error of both methods in H, by frequency.
  func compare(
    _ what: String, _ other: TransferEstimate, bias: (Double) -> Double
  ) -> StimulusAgreement.Comparison {
    let frequencies = points(main) ?? points(other) ?? settings.trustedFrequencies
    let range = range(beside: other)
    // If the stimulus has frequencies of its own, responses are read there.
    let (one, two) = (values(main, at: frequencies, range), values(other, at: frequencies, range))
    var pairs: [(hertz: Double, one: Complex, two: Complex)] = []
    for (index, hertz) in frequencies.enumerated() {
      guard let a = one[index], let b = two[index] else { continue }
      pairs.append((hertz, a, b))
    }
    let top = pairs.reduce(0) { max($0, $1.one.magnitude) }
    let (a, b) = (part(of: main, range), part(of: other, range))
    return StimulusAgreement.Comparison(
      what, pairs, top: top, deviation: { hypot(main.noise($0) * a, other.noise($0) * b) }, bias: bias)
  }

  private func points(_ estimate: TransferEstimate) -> [Double]? {
    estimate.response == nil ? estimate.points.map(\.hertz).filter { settings.trustedHertz.contains($0) } : nil
  }

  /// The frames that are compared: where the first stands out, and all where the other has more outside than noise and
  /// rounding; nil: all.
  private func range(beside other: TransferEstimate) -> Range<Int>? {
    guard let window, let response = other.response else { return nil }
    if isNoisy { return window }
    let limit = 1e-6 * response.peak.magnitude
    let outside = [response.samples[..<window.lowerBound], response.samples[window.upperBound...]]
    return outside.contains { $0.contains { abs($0) > limit } } ? nil : window
  }

  private func values(_ estimate: TransferEstimate, at frequencies: [Double], _ range: Range<Int>?) -> [Complex?] {
    guard let response = estimate.response else {
      let known = Dictionary(estimate.points.map { ($0.hertz, $0.value) }, uniquingKeysWith: { $1 })
      return frequencies.map { known[$0] }
    }
    guard let range else { return response.values(atHertz: frequencies) }
    return ImpulseResponse(
      Array(response.samples[range]), leadFrames: response.leadFrames - range.lowerBound,
      sampleRate: response.sampleRate
    ).values(atHertz: frequencies)
  }

  /// The part of the noise that remains in a range of the response.
  private func part(of estimate: TransferEstimate, _ range: Range<Int>?) -> Double {
    guard let range, let response = estimate.response else { return 1 }
    return (Double(range.count) / Double(response.samples.count)).squareRoot()
  }
}
