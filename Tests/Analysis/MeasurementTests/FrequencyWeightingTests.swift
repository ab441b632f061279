import AudioCore
import Foundation
import Measurement
import TestSupport
import Testing

@Suite("Weighting curves")
struct FrequencyWeightingTests {
  /// IEC 61672-1, table 2, by third octave number: frequency 1000·10^(n/10), decibels.
  @Test("A is the table of IEC 61672-1")
  func tableA() {
    let table: [Double] = [
      -70.4, -63.4, -56.7, -50.5, -44.7, -39.4, -34.6, -30.2, -26.2, -22.5, -19.1, -16.1, -13.4, -10.9, -8.6, -6.6,
      -4.8, -3.2, -1.9, -0.8, 0, 0.6, 1.0, 1.2, 1.3, 1.2, 1.0, 0.5, -0.1, -1.1, -2.5, -4.3, -6.6, -9.3,
    ]
    for (index, decibels) in table.enumerated() {
      let hertz = 1000 * pow(10, Double(index - 20) / 10)
      let found = FrequencyWeighting.a.gainDecibels(at: hertz)
      #expect(abs(found - decibels) <= 0.0501, "\(hertz) Hz: \(found), not \(decibels)")
    }
  }

  @Test("A is what scipy makes of the standard's poles")
  func scipyA() throws {
    let rows = try distortionReferences("weight")
    #expect(rows.count == 12)
    for row in rows {
      let (hertz, decibels) = (try #require(Double(row[2])), try #require(Double(row[3])))
      #expect(abs(FrequencyWeighting.a.gainDecibels(at: hertz) - decibels) < 1e-5)
    }
  }

  /// ITU-R BS.468-4, table 1.
  @Test("468 is the table of ITU-R BS.468-4, within a tenth of a decibel or its tolerance at the top")
  func table468() {
    let table: [(Double, Double, Double)] = [
      (31.5, -29.9, 0.1), (63, -23.9, 0.1), (100, -19.8, 0.1), (200, -13.8, 0.1), (400, -7.8, 0.1), (800, -1.9, 0.1),
      (1000, 0, 0.001), (2000, 5.6, 0.1), (3150, 9.0, 0.1), (4000, 10.5, 0.1), (5000, 11.7, 0.1), (6300, 12.2, 0.1),
      (7100, 12.0, 0.1), (8000, 11.4, 0.1), (9000, 10.1, 0.1), (10_000, 8.1, 0.1), (12_500, 0, 0.1),
      (14_000, -5.3, 0.1), (16_000, -11.7, 0.1), (20_000, -22.2, 0.1), (31_500, -42.7, 0.1),
    ]
    for (hertz, decibels, tolerance) in table {
      let found = FrequencyWeighting.itu468.gainDecibels(at: hertz)
      #expect(abs(found - decibels) <= tolerance, "\(hertz) Hz: \(found), not \(decibels)")
    }
  }

  @Test("CCIR-RMS is 468 with 0 dB at 2 kHz")
  func ccir() {
    #expect(abs(FrequencyWeighting.ccirRMS.gainDecibels(at: 2000)) < 1e-12)
    // 5.6 dB by the table, 5.63 by the network.
    let difference =
      FrequencyWeighting.itu468.gainDecibels(at: 9000) - FrequencyWeighting.ccirRMS.gainDecibels(at: 9000)
    #expect(abs(difference - 5.63) < 0.01)
  }

  @Test("a sine comes out of a weighting with its gain", arguments: FrequencyWeighting.allCases)
  func applied(weighting: FrequencyWeighting) {
    let rate = 48_000.0
    let samples = sines([(3000, 0.5, 0)], count: 48_000, rate: rate)
    let out = weighting.apply(to: samples, sampleRate: rate)
    let middle = out[24_000..<40_000]
    let rms = (middle.reduce(0) { $0 + $1 * $1 } / Double(middle.count)).squareRoot()
    #expect(abs(rms / (0.5 * 0.5.squareRoot()) - weighting.gain(at: 3000)) < 1e-4)
  }
}

/// ITU-R BS.468-4, tables 2 and 3: readings of 5 kHz bursts as percent of the steady reading, with limits.
@Suite("Quasi-peak meter")
struct QuasiPeakDetectorTests {
  static func reading(_ samples: [Double], rate: Double) -> Double {
    var meter = QuasiPeakDetector(sampleRate: rate)
    return meter.process(FrequencyWeighting.itu468.apply(to: samples, sampleRate: rate))
  }

  static func burst(_ milliseconds: Double, rate: Double) -> [Double] {
    sines([(5000, 1, 0)], count: Int(clamping: (milliseconds * rate / 1000).rounded()), rate: rate)
  }

  static func steady(_ rate: Double) -> Double {
    reading(sines([(5000, 1, 0)], count: Int(clamping: 2 * rate), rate: rate), rate: rate)
  }

  @Test("single bursts read within the limits of table 2", arguments: [44_100.0, 48_000, 96_000])
  func single(rate: Double) {
    let table: [(milliseconds: Double, low: Double, high: Double)] = [
      (1, 13.5, 21.4), (2, 22.4, 31.6), (5, 34, 46), (10, 41, 55), (20, 44, 60), (50, 50, 68), (100, 58, 78),
      (200, 68, 92),
    ]
    let steady = Self.steady(rate)
    for row in table {
      let samples = Self.burst(row.milliseconds, rate: rate) + [Double](repeating: 0, count: Int(clamping: 0.6 * rate))
      let percent = 100 * Self.reading(samples, rate: rate) / steady
      #expect(percent > row.low && percent < row.high, "\(row.milliseconds) ms: \(percent) %")
    }
  }

  @Test("repeated bursts read within the limits of table 3")
  func repeated() {
    let rate = 48_000.0
    let steady = Self.steady(rate)
    for (perSecond, low, high) in [(2, 43.0, 53.0), (10, 72, 82), (100, 94, 100)] {
      var samples = [Double](repeating: 0, count: Int(clamping: 3 * rate))
      let burst = Self.burst(5, rate: rate)
      for number in 0..<3 * perSecond {
        let start = number * Int(clamping: rate) / perSecond
        samples.replaceSubrange(start..<start + burst.count, with: burst)
      }
      let percent = 100 * Self.reading(samples, rate: rate) / steady
      #expect(percent > low && percent < high, "\(perSecond) a second: \(percent) %")
    }
  }

  @Test("a steady sine at 1 kHz reads its rms; at 5 kHz, 11.7 dB more")
  func calibrated() {
    let rate = 48_000.0
    let reading = Self.reading(sines([(1000, 0.1, 0)], count: 96_000, rate: rate), rate: rate)
    #expect(abs(20 * log10(reading / (0.1 * 0.5.squareRoot()))) < 0.02)
    let high = Self.steady(rate)
    #expect(abs(20 * log10(high / 0.5.squareRoot()) - 11.7) < 0.1)
  }
}

/// Rows of fixtures/reference/distortion.tsv of one kind.
func distortionReferences(_ kind: String) throws -> [[String]] {
  let text = try Repository.text("fixtures/reference/distortion.tsv")
  return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }.filter { $0.first == kind }
}
