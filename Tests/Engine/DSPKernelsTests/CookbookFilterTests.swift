import DSPKernels
import Foundation
import Testing

@Suite("Cookbook filters")
struct CookbookFilterTests {
  struct Design: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let section: BiquadCoefficients
    /// b0, b1, b2, a1, a2.
    let expected: [Double]
  }

  /// Source: bilinear transform, s = cot(w0/2) · (1 − z⁻¹)/(1 + z⁻¹), of the analogue prototypes in 60-digit decimal
  /// arithmetic (Python `decimal`), not the cookbook's closed forms. The two Butterworth ones agree with scipy 1.17.1,
  /// `signal.butter(2, 20, fs=192000)` and `signal.butter(2, 80, 'high', fs=44100)`.
  static let designs = [
    Design(
      testDescription: "peaking 1000 Hz, an octave, +6 dB",
      section: CookbookFilter.peaking(
        atHertz: 1000, sampleRate: 48_000, width: .bandwidthOctaves(1), gainDecibels: 6),
      expected: [
        1.0315775240355287, -1.919976913794512, 0.9049667948629194, -1.919976913794512, 0.9365443188984481,
      ]),
    Design(
      testDescription: "peaking 20 Hz at 192 kHz, half an octave, -12 dB",
      section: CookbookFilter.peaking(
        atHertz: 20, sampleRate: 192_000, width: .bandwidthOctaves(0.5), gainDecibels: -12),
      expected: [
        0.99982973745592, -1.9995448175577146, 0.9997155083726249, -1.9995448175577146, 0.9995452458285448,
      ]),
    Design(
      testDescription: "low-pass 20 Hz at 192 kHz, Butterworth",
      section: CookbookFilter.lowPass(atHertz: 20, sampleRate: 192_000, width: .q(0.5.squareRoot())),
      expected: [
        1.0704251851406887e-07, 2.1408503702813775e-07, 1.0704251851406887e-07, -1.9990743994539208,
        0.9990748276239949,
      ]),
    Design(
      testDescription: "low-pass 8000 Hz, Q from half an octave",
      section: CookbookFilter.lowPass(
        atHertz: 8000, sampleRate: 44_100, width: .q(fromBandwidthOctaves: 0.5)),
      expected: [
        0.25134487244977716, 0.5026897448995543, 0.25134487244977716, -0.7213942497062722, 0.7267737395053808,
      ]),
    Design(
      testDescription: "high-pass 80 Hz, Butterworth",
      section: CookbookFilter.highPass(atHertz: 80, sampleRate: 44_100, width: .q(0.5.squareRoot())),
      expected: [
        0.9919727398025888, -1.9839454796051776, 0.9919727398025888, -1.9838810416608386, 0.9840099175495167,
      ]),
    Design(
      testDescription: "high-pass above the rate, clamped to 0.49 of it",
      section: CookbookFilter.highPass(atHertz: 90_000, sampleRate: 44_100, width: .q(2)),
      expected: [
        0.00097138730743964, -0.00194277461487928, 0.00097138730743964, 1.965204405456565, 0.9690899546863234,
      ]),
    Design(
      testDescription: "band-pass 5000 Hz, 600 cents",
      section: CookbookFilter.bandPass(atHertz: 5000, sampleRate: 44_100, width: .bandwidthOctaves(0.5)),
      expected: [0.11046359371837165, 0, -0.11046359371837165, -1.3464180166069002, 0.7790728125632567]),
    Design(
      testDescription: "notch 50 Hz, Q 30",
      section: CookbookFilter.notch(atHertz: 50, sampleRate: 48_000, width: .q(30)),
      expected: [
        0.9998909295981944, -1.99973902719686, 0.9998909295981944, -1.99973902719686, 0.9997818591963887,
      ]),
    Design(
      testDescription: "low shelf 80 Hz, slope 1, -9 dB",
      section: CookbookFilter.lowShelf(
        atHertz: 80, sampleRate: 48_000, width: .shelfSlope1, gainDecibels: -9),
      expected: [
        0.9961282527214003, -1.9808709088886765, 0.9848073552978011, -1.9808120849913695, 0.9809944319165083,
      ]),
    Design(
      testDescription: "high shelf 10 kHz, slope 1, +4.5 dB",
      section: CookbookFilter.highShelf(
        atHertz: 10_000, sampleRate: 44_100, width: .shelfSlope1, gainDecibels: 4.5),
      expected: [
        1.3246836377084603, -0.4243951790114863, 0.25139290410387494, -0.01996195524711845, 0.17164331804796726,
      ]),
  ]

  @Test("are the bilinear transforms of their prototypes, to 1e-15 of 1, small ones to 14 digits", arguments: designs)
  func coefficients(design: Design) {
    let s = design.section
    for (found, expected) in zip([s.b0, s.b1, s.b2, s.a1, s.a2], design.expected) {
      let tolerance = abs(expected) < 1e-3 ? 1e-14 * abs(expected) : 1e-15
      #expect(abs(found - expected) <= tolerance, "\(found), expected \(expected)")
    }
  }

  /// Source: what the cookbook promises of each design at its own frequency and at the ends.
  @Test("have the gain they are named for", arguments: [(20.0, 192_000.0), (1000, 44_100), (12_000, 48_000)])
  func landmarks(hertz: Double, sampleRate: Double) {
    func decibels(_ section: BiquadCoefficients, at frequency: Double) -> Double {
      20 * log10(section.magnitude(atHertz: frequency, sampleRate: sampleRate))
    }
    let nyquist = sampleRate / 2
    let peak = CookbookFilter.peaking(
      atHertz: hertz, sampleRate: sampleRate, width: .bandwidthOctaves(1), gainDecibels: 7)
    #expect(abs(decibels(peak, at: hertz) - 7) < 1e-6)
    #expect(abs(decibels(peak, at: nyquist)) < 1e-6)
    let low = CookbookFilter.lowPass(atHertz: hertz, sampleRate: sampleRate, width: .q(3))
    #expect(abs(decibels(low, at: hertz) - 20 * log10(3)) < 1e-6)
    #expect(abs(decibels(low, at: 0)) < 1e-6)
    let high = CookbookFilter.highPass(atHertz: hertz, sampleRate: sampleRate, width: .q(3))
    #expect(abs(decibels(high, at: hertz) - 20 * log10(3)) < 1e-6)
    #expect(abs(decibels(high, at: nyquist)) < 1e-6)
    let band = CookbookFilter.bandPass(atHertz: hertz, sampleRate: sampleRate, width: .bandwidthOctaves(1))
    #expect(abs(decibels(band, at: hertz)) < 1e-6)
    let notch = CookbookFilter.notch(atHertz: hertz, sampleRate: sampleRate, width: .q(1))
    #expect(decibels(notch, at: hertz) < -120)
    #expect(abs(decibels(notch, at: 0)) < 1e-6)
    let lowShelf = CookbookFilter.lowShelf(
      atHertz: hertz, sampleRate: sampleRate, width: .shelfSlope1, gainDecibels: -8)
    #expect(abs(decibels(lowShelf, at: 0) + 8) < 1e-6)
    #expect(abs(decibels(lowShelf, at: hertz) + 4) < 1e-6)
    #expect(abs(decibels(lowShelf, at: nyquist)) < 1e-6)
    let highShelf = CookbookFilter.highShelf(
      atHertz: hertz, sampleRate: sampleRate, width: .shelfSlope1, gainDecibels: 8)
    #expect(abs(decibels(highShelf, at: nyquist) - 8) < 1e-6)
    #expect(abs(decibels(highShelf, at: hertz) - 4) < 1e-6)
    #expect(abs(decibels(highShelf, at: 0)) < 1e-6)
  }

  @Test("of 0 dB cancel to the identity's response")
  func zeroDecibels() {
    let peak = CookbookFilter.peaking(atHertz: 440, sampleRate: 48_000, width: .q(2), gainDecibels: 0)
    #expect(peak.b0 == 1 && peak.b1 == peak.a1 && peak.b2 == peak.a2)
  }
}
