import AudioCore
import Foundation
import Measurement
import TestSupport
import Testing

@Suite("Noise")
struct NoiseMeasurementTests {
  /// Rounded to 16 bits with TPDF dither of ±1 LSB: white, LSB²/4 (Lipshitz, Wannamaker, Vanderkooy 1992).
  static let dithered = FunctionDevice("16 bits, dithered", precision: .float32) { (input) throws(BenchError) in
    var generator = SeededGenerator(seed: 11)
    var output = input
    output.channels = output.channels.map { channel in
      channel.map { sample in
        let dither = (generator.nextUniform() + generator.nextUniform()) / 2
        return (sample * 32_768 + dither).rounded() / 32_768
      }
    }
    return output
  }

  static func brief() -> NoiseMeasurement {
    var measurement = NoiseMeasurement()
    measurement.seconds = 1
    return measurement
  }

  /// LSB = 2⁻¹⁵; LSB²/4 relative to a full-scale sine's 1/2 is −93.32 dB; of it, the band's share counts.
  @Test("16-bit TPDF dither reads −93.32 dBFS flat, less what lies outside the band", arguments: [44_100.0, 48_000])
  func flat(rate: Double) throws {
    var measurement = NoiseMeasurement()
    measurement.sampleRate = rate
    let findings = try measurement.measure(Self.dithered)
    let white = 10 * log10(0x1p-30 / 4 * 2)
    #expect(abs(white + 93.32) < 0.005)
    let expected = white + 10 * log10(19_980 / (rate / 2))
    let noise = try #require(findings.reading("noise"))
    #expect(abs(noise.value - expected) < 0.1, "\(noise.value), not \(expected)")
    #expect(try #require(noise.uncertainty) < 0.1)
    // The same, weighted: scipy's integral of the weighting.
    let row = try #require(try distortionReferences("noise").first { Double($0[2]) == rate })
    let weighted = try #require(findings.reading("noiseA"))
    #expect(abs(weighted.value - (white + (Double(row[3]) ?? .nan))) < 0.1)
    #expect(try #require(weighted.uncertainty) < 0.2)
    // Beside the tone at −60 dBFS it is the same noise: AES17's dynamic range.
    let range = try #require(findings.reading("dynamicRange"))
    #expect(abs(range.value + expected) < 0.1, "\(range.value)")
    #expect(abs(try #require(findings.reading("dynamicRangeA")).value + weighted.value) < 0.15)
    #expect(findings.readings.filter { $0.id == "idleTone" }.isEmpty)
  }

  /// Gaussian-like noise reads higher on a quasi-peak meter than as rms, by 4 to 6 dB.
  @Test("the quasi-peak reading of noise lies some 5 dB above its rms")
  func quasiPeak() throws {
    let findings = try Self.brief().measure(Self.dithered)
    let peak = try #require(findings.reading("noise468QuasiPeak")).value
    let rms = try #require(findings.reading("noise468")).value
    #expect(peak - rms > 4 && peak - rms < 6, "\(peak - rms)")
    let ccir = try #require(findings.reading("noiseCCIR")).value
    #expect(abs(rms - ccir - 5.63) < 0.01)
  }

  @Test("hum is found in noise, with its level and frequency; DC beside it")
  func hum() throws {
    let device = FunctionDevice("hum") { (input) throws(BenchError) in
      var output = try Self.dithered.process(input)
      let lines = sines([(50, 1e-4, 0), (150, 3e-5, 1)], count: input.frameCount, rate: input.sampleRate)
      output.channels = output.channels.map { zip($0, lines).map { $0 + $1 + 0.001 } }
      return output
    }
    let findings = try Self.brief().measure(device)
    let tones = findings.readings.filter { $0.id == "idleTone" }
    #expect(tones.count == 2)
    #expect(abs((tones.first?.at["frequency"] ?? 0) - 50) < 1)
    #expect(abs((tones.first?.value ?? 0) + 80) < 0.1)
    #expect(abs((tones.last?.value ?? 0) - 20 * log10(3e-5)) < 0.2)
    #expect(abs(try #require(findings.reading("idleDC")).value - 0.001) < 1e-6)
    #expect(findings.curve("noiseByThirdOctave")?.points.count == 31)
  }

  @Test("silence is digital silence, and a float32 device's dynamic range is said to be the format's")
  func silence() throws {
    let findings = try Self.brief().measure(FunctionDevice.identity(.float32))
    let noise = try #require(findings.reading("noise"))
    #expect(noise.value == -.infinity)
    #expect(noise.remark == "digital silence")
    #expect(try #require(findings.reading("noiseWithTone")).isBelowFloor)
    // Rounding to 24 bits of the sample: 145 dB or more below a tone at −60 dBFS.
    #expect(try #require(findings.reading("dynamicRange")).value > 200)
  }

  @Test("settings that cannot be, and outputs too short, are errors")
  func errors() {
    var measurement = NoiseMeasurement()
    measurement.toneHertz = 23_900
    #expect(throws: BenchError.self) { try measurement.measure(FunctionDevice.identity(.float32)) }
    let short = FunctionDevice("short") { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: [[0]])
    }
    #expect(throws: BenchError.self) { try NoiseMeasurement().measure(short) }
  }
}
