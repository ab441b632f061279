import AudioCore
import Foundation
import Measurement
import TestSupport
import Testing

/// A sum of sines on frames 0 ..< count, by the C library alone.
func sines(_ tones: [(hertz: Double, amplitude: Double, phase: Double)], count: Int, rate: Double) -> [Double] {
  (0..<count).map { frame in
    tones.reduce(0) { sum, tone in
      let turns = tone.hertz * Double(frame) / rate
      return sum + tone.amplitude * sin(2 * .pi * (turns - turns.rounded(.down)) + tone.phase)
    }
  }
}

/// Tₙ(x) by its recurrence Tₙ₊₁ = 2x·Tₙ − Tₙ₋₁: of a full-scale cosine it makes the n-th harmonic alone.
func chebyshev(_ order: Int, _ x: Double) -> Double {
  var (last, now) = (1.0, x)
  for _ in 1..<max(1, order) { (last, now) = (now, 2 * x * now - last) }
  return order == 0 ? 1 : now
}

@Suite("Analysis of a tone")
struct ToneAnalysisTests {
  static let rate = 48_000.0
  static let frames = 1 << 16

  /// x = cos θ in; Σ cₙ·Tₙ(x) = Σ cₙ·cos nθ out (DLMF 18.5.1).
  @Test(
    "the harmonics of Chebyshev polynomials are read within 0.01 dB down to −120 dB",
    arguments: [997.0, 1000, 123.4567, 2345.678])
  func chebyshevHarmonics(hertz: Double) {
    // T2 ... T7, decibels relative to the fundamental.
    let levels: [Double] = [-40, -60, -80, -100, -110, -120]
    let input = sines([(hertz, 1, .pi / 2)], count: Self.frames, rate: Self.rate)
    let output = input.map { x in
      levels.enumerated().reduce(x) { $0 + pow(10, $1.element / 20) * chebyshev($1.offset + 2, x) }
    }
    let tone = ToneAnalysis(output, frequencyHertz: hertz, sampleRate: Self.rate)
    for (index, level) in levels.enumerated() {
      let found = tone.harmonicDecibels(index + 2) ?? .nan
      #expect(abs(found - level) < 0.01, "harmonic \(index + 2): \(found) dB, not \(level) dB")
    }
    let thd = 10 * log10(levels.reduce(0) { $0 + pow(10, $1 / 10) })
    #expect(abs(tone.thdDecibels - thd) < 0.001)
    #expect(abs(tone.fundamental.amplitude - 1) < 1e-9)
  }

  @Test("THD alone at −120 dB is read within 0.01 dB", arguments: 2...7)
  func faint(order: Int) {
    let input = sines([(997, 1, .pi / 2)], count: Self.frames, rate: Self.rate)
    let output = input.map { $0 + 1e-6 * chebyshev(order, $0) }
    let tone = ToneAnalysis(output, frequencyHertz: 997, sampleRate: Self.rate)
    #expect(abs(tone.thdDecibels + 120) < 0.01, "\(tone.thdDecibels) dB")
    #expect(abs(tone.thdPlusNoiseDecibels + 120) < 0.01, "\(tone.thdPlusNoiseDecibels) dB")
  }

  /// A single T7 at −120 dB through float32: the rounding is 30 dB below it in power over all of the band, and 60 dB
  /// and more below it in its own bins.
  @Test("float32 samples take nothing away from that")
  func faintInFloat() {
    let input = sines([(997, 0.99, .pi / 2)], count: Self.frames, rate: Self.rate)
    let output = input.map { Double(Float($0 + 1e-6 * 0.99 * chebyshev(3, $0 / 0.99))) }
    var options = ToneAnalysis.Options()
    options.highestHarmonic = 7
    let tone = ToneAnalysis(output, frequencyHertz: 997, sampleRate: Self.rate, options: options)
    #expect(abs(tone.thdDecibels + 120) < 0.01, "\(tone.thdDecibels) dB")
  }

  @Test("a gain in float reads THD+N below −140 dB", arguments: [1.0, 0.7071, 0.5, 0.3333])
  func floatGain(gain: Double) {
    let input = sines([(997, 0.891, 0)], count: Self.frames, rate: Self.rate).map { Float($0) }
    let output = input.map { Double($0 * Float(gain)) }
    let tone = ToneAnalysis(output, frequencyHertz: 997, sampleRate: Self.rate)
    #expect(tone.thdPlusNoiseDecibels < -140, "\(tone.thdPlusNoiseDecibels) dB")
    #expect(tone.sinadDecibels == -tone.thdPlusNoiseDecibels)
  }

  @Test("a pure tone in double reads below −200 dB")
  func pure() {
    let samples = sines([(997, 0.5, 1)], count: Self.frames, rate: Self.rate)
    let tone = ToneAnalysis(samples, frequencyHertz: 997, sampleRate: Self.rate)
    #expect(tone.thdPlusNoiseDecibels < -200)
    #expect(tone.thdDecibels < -200)
  }

  /// Fourier series of 1.5·x − 0.5·x³ (the cubic soft clip within its bounds), x = A·sin: sin³ = (3·sin θ − sin 3θ)/4.
  @Test("the cubic soft clip has its closed form's third harmonic, and no other", arguments: [1.0, 0.5, 0.1, 0.01])
  func cubicSoftClip(amplitude: Double) {
    let input = sines([(997, amplitude, 0)], count: Self.frames, rate: Self.rate)
    let tone = ToneAnalysis(
      input.map { 1.5 * $0 - 0.5 * $0 * $0 * $0 }, frequencyHertz: 997, sampleRate: Self.rate)
    let cube = amplitude * amplitude * amplitude
    let expected = (cube / 8) / (1.5 * amplitude - 3 * cube / 8)
    #expect(abs((tone.harmonicDecibels(3) ?? .nan) - 20 * log10(expected)) < 1e-6)
    #expect(tone.harmonicDecibels(2) ?? 0 < -200)
    #expect(tone.harmonicDecibels(5) ?? 0 < -200)
  }

  @Test("the harmonics of tanh, of an exponential and of a cubic are scipy's Fourier integrals")
  func scipyShapers() throws {
    let shapers: [String: (Double) -> Double] = [
      "tanh": { tanh(2 * $0) / 2 }, "exponential": { 1 - exp(-$0) }, "cubic": { 1.5 * $0 - 0.5 * $0 * $0 * $0 },
    ]
    let rows = try distortionReferences("shaper")
    #expect(rows.count == 9)
    for row in rows {
      let (shape, amplitude) = (try #require(shapers[row[1]]), try #require(Double(row[2])))
      let input = sines([(997, amplitude, 0.3)], count: Self.frames, rate: Self.rate)
      let tone = ToneAnalysis(input.map(shape), frequencyHertz: 997, sampleRate: Self.rate)
      for (index, cell) in row.dropFirst(3).enumerated() {
        let (expected, found) = (try #require(Double(cell)), tone.harmonicDecibels(index + 2) ?? .nan)
        let isRight = expected > -160 ? abs(found - expected) < 0.001 : found < -159
        #expect(isRight, "\(row[1]) \(amplitude), harmonic \(index + 2): \(found), not \(expected) dB")
      }
    }
  }

  @Test("amplitude, phase and DC are those of the signal")
  func parts() {
    let samples = sines([(440, 0.25, 0.7), (880, 0.01, -1.1)], count: Self.frames, rate: 44_100).map { $0 + 0.125 }
    let tone = ToneAnalysis(samples, frequencyHertz: 440, sampleRate: 44_100)
    #expect(abs(tone.fundamental.amplitude - 0.25) < 1e-10)
    #expect(abs(tone.fundamental.phase - 0.7) < 1e-9)
    #expect(abs(tone.dc - 0.125) < 1e-10)
    #expect(abs(tone.harmonics[0].phase + 1.1) < 1e-7)
    #expect(abs(tone.levelDecibels - 20 * log10(0.25)) < 1e-9)
  }

  /// Uniform noise of ±h has the mean square h²/3, spread evenly up to half the rate.
  @Test("at 0 Hz and at half the rate a tone has one line, of its whole amplitude; elsewhere two")
  func edges() {
    let count = 1024
    for (hertz, cosine) in [
      (0.0, { (_: Int) in 0.25 }), (24_000, { $0 % 2 == 0 ? 0.25 : -0.25 }), (12_000, { [0.25, 0, -0.25, 0][$0 % 4] }),
    ] {
      let spectrum = WindowedSpectrum.Transform(length: count).spectrum((0..<count).map(cosine), sampleRate: 48_000)
      #expect(abs(spectrum.amplitude(at: hertz).magnitude - 0.25) < 1e-9, "\(hertz)")
    }
  }

  @Test("a stimulus of many tones has each bin once, rising, below half the period")
  func tonesOnce() {
    let tones = Multitone(period: 4096, startHertz: 20, endHertz: 24_000, tonesPerOctave: 48, sampleRate: 48_000)
    #expect(zip(tones.bins, tones.bins.dropFirst()).allSatisfy { $0 < $1 })
    #expect(tones.bins.first == 2 && tones.bins.allSatisfy { $0 < 2048 })
  }

  @Test("THD+N counts noise of the band alone, relative to all")
  func noiseInBand() {
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<Self.frames).map { _ in generator.nextUniform() * 0.01 }
    let samples = zip(sines([(997, 1, 0)], count: Self.frames, rate: Self.rate), noise).map { $0 + $1 }
    let tone = ToneAnalysis(samples, frequencyHertz: 997, sampleRate: Self.rate)
    let square = 0.01 * 0.01 / 3 * (20_000 - 20) / 24_000
    let expected = 10 * log10(square / (0.5 + square))
    // 27 thousand independent bins at least: 3 σ is 0.13 dB.
    #expect(abs(tone.thdPlusNoiseDecibels - expected) < 0.13, "\(tone.thdPlusNoiseDecibels), not \(expected)")
    #expect(abs(20 * log10(tone.noiseRMS / tone.residualRMS)) < 0.1)
  }

  @Test("what lies above 20 kHz does not count")
  func limited() {
    let samples = sines([(997, 1, 0), (21_000, 0.1, 0)], count: Self.frames, rate: Self.rate)
    #expect(ToneAnalysis(samples, frequencyHertz: 997, sampleRate: Self.rate).thdPlusNoiseDecibels < -180)
    var options = ToneAnalysis.Options()
    options.bandHertz = 20...24_000
    let whole = ToneAnalysis(samples, frequencyHertz: 997, sampleRate: Self.rate, options: options)
    #expect(abs(whole.residualRMS - 0.1 / 2.0.squareRoot()) < 1e-6)
    #expect(whole.noiseRMS > 0.05)
  }
}

extension SeededGenerator {
  /// −1 ..< 1.
  mutating func nextUniform() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }
}
