import AudioCore
import Foundation
import Measurement
import Testing

@Suite("Distortion")
struct DistortionMeasurementTests {
  static func device(
    _ name: String, _ precision: SamplePrecision = .float64, delay: Int = 0,
    _ shape: @escaping @Sendable (Double) -> Double
  ) -> FunctionDevice {
    FunctionDevice(name, precision: precision) { (input) throws(BenchError) in
      var output = precision.rounded(input)
      output.channels = output.channels.map { channel in
        let shaped = channel.map(shape)
        return [Double](repeating: 0, count: delay) + shaped.dropLast(delay)
      }
      return precision.rounded(output)
    }
  }

  static func only(_ parts: DistortionMeasurement.Part...) -> DistortionMeasurement {
    var measurement = DistortionMeasurement()
    measurement.parts = Set(parts)
    return measurement
  }

  /// The gain rounds once more than the identity does, at a lower level: a few decibels above the floor.
  @Test("a pure float gain reads below −140 dB, close to the floor")
  func gain() throws {
    let findings = try Self.only(.tone).measure(Self.device("gain", .float32) { Double(Float($0) * 0.7071) })
    for id in ["thd", "thdPlusNoise"] {
      let reading = try #require(findings.reading(id))
      #expect(reading.value < -140, "\(id) \(reading.value) dB")
      #expect(try #require(reading.floor) < -140)
    }
    let reading = try #require(findings.reading("thdPlusNoise"))
    #expect(reading.value < (reading.floor ?? 0) + 6)
    #expect(abs((findings.reading("fundamental")?.value ?? 0) - (-1 + 20 * log10(0.7071))) < 1e-5)
  }

  @Test("a waveshaper's THD is read through a delay that nobody told, on every channel")
  func shaper() throws {
    let peak = pow(10, -1.0 / 20)
    var measurement = Self.only(.tone)
    measurement.channelCount = 2
    // T3 of the tone at its peak, at −90 dB.
    let device = Self.device("T3", delay: 1234) { $0 + pow(10, -90.0 / 20) * peak * chebyshev(3, $0 / peak) }
    let findings = try measurement.measure(device)
    for channel in 0..<2 {
      let thd = try #require(findings.reading("thd", channel: channel))
      #expect(abs(thd.value + 90) < 0.01)
      #expect(!thd.isBelowFloor)
      #expect(try #require(thd.uncertainty) < 0.01)
      let percent = try #require(findings.reading("thdPercent", channel: channel))
      #expect(abs(percent.value - 100 * pow(10, -90.0 / 20)) < 1e-6)
    }
    let third = findings.readings.first { $0.id == "harmonic" && $0.at["harmonic"] == 3 }
    #expect(abs((third?.value ?? 0) + 90) < 0.01)
    #expect(findings.remarks.isEmpty)
  }

  /// x + k·x³: the third harmonic is k·A³/4 beside A + 3·k·A³/4.
  @Test("harmonics over level follow the closed form of a cubic")
  func levels() throws {
    var measurement = Self.only(.levels)
    measurement.sweepLevels = [-60, -40, -20, 0]
    let findings = try measurement.measure(Self.device("cubic") { $0 - 0.1 * $0 * $0 * $0 })
    let curve = try #require(findings.curve("harmonic3ByLevel"))
    #expect(curve.points.map(\.x) == [-60, -40, -20, 0])
    for point in curve.points {
      let a = pow(10, point.x / 20)
      let expected = 20 * log10(0.025 * a * a / (1 - 0.075 * a * a))
      #expect(abs(point.y - expected) < 0.001, "\(point.x) dBFS: \(point.y), not \(expected)")
      #expect(try #require(point.uncertainty) < 0.01)
    }
    #expect(findings.curve("harmonic2ByLevel")?.points.allSatisfy { $0.y < -180 } == true)
  }

  @Test("harmonics over frequency end where the band does")
  func frequencies() throws {
    var measurement = Self.only(.frequencies)
    measurement.sweepFrequencies = [20, 1000, 5000, 9000, 15_000]
    let findings = try measurement.measure(Self.device("cubic") { $0 - 0.1 * $0 * $0 * $0 })
    let curve = try #require(findings.curve("harmonic3ByFrequency"))
    // 3 × 9000 Hz lies outside.
    #expect(curve.points.count == 3)
    let a = pow(10, -1.0 / 20)
    for point in curve.points { #expect(abs(point.y - 20 * log10(0.025 * a * a / (1 - 0.075 * a * a))) < 0.001) }
    #expect(findings.curve("thdPlusNoiseByFrequency")?.points.count == 5)
  }

  /// (A·sin + B·sin)² has A·B at the sum and at the difference.
  @Test("the intermodulation of a squarer is what the definitions say")
  func squarer() throws {
    let findings = try Self.only(.intermodulation).measure(Self.device("squarer") { $0 + 0.001 * $0 * $0 })
    let peak = pow(10, -1.0 / 20)
    // Both sidebands 0.001·A·B beside B, added.
    let smpte = 20 * log10(2 * 0.001 * 0.8 * peak)
    #expect(abs((findings.reading("imdSMPTE")?.value ?? 0) - smpte) < 0.001)
    #expect(abs((findings.reading("imdSMPTEPercent")?.value ?? 0) - 0.16 * peak) < 1e-5)
    // 0.001·A² at 1 kHz beside 2·A, A half the peak.
    let difference = 20 * log10(0.001 * peak / 4)
    #expect(abs((findings.reading("imdDifference")?.value ?? 0) - difference) < 0.001)
    let third = findings.readings.first { $0.id == "imdDifferenceOrder" && $0.at["order"] == 3 }
    #expect(third?.value ?? 0 < -180)
    // A squarer has no third order, and that is all that it has not.
    let absent = findings.readings.filter { $0.at["order"] == 3 }
    #expect(absent.count == 2 && absent.allSatisfy(\.isBelowFloor))
    #expect(findings.readings.filter { $0.at["order"] != 3 }.allSatisfy { ($0.uncertainty ?? 1) < 0.01 })
  }

  /// (A·sin + B·sin)³ has 3·A²·B/4 at each of 2·f₁ ± f₂.
  @Test("the intermodulation of a cubic is what the definitions say")
  func cubic() throws {
    let findings = try Self.only(.intermodulation).measure(Self.device("cubic") { $0 + 0.001 * $0 * $0 * $0 })
    let half = pow(10, -1.0 / 20) / 2
    let tone = half + 0.001 * 9 / 4 * half * half * half
    let third = 2 * 0.001 * 3 / 4 * half * half * half / (2 * tone)
    #expect(abs((findings.reading("imdDifference")?.value ?? 0) - 20 * log10(third)) < 0.001)
    let (low, high) = (1.6 * half, 0.4 * half)
    let carrier = high + 0.001 * (0.75 * high * high * high + 1.5 * low * low * high)
    let smpte = 2 * 0.001 * 0.75 * low * low * high / carrier
    #expect(abs((findings.reading("imdSMPTE")?.value ?? 0) - 20 * log10(smpte)) < 0.001)
  }

  /// Every second sample held: x + an image of x around a quarter of the rate. For sin ωn, the held signal has the
  /// factor cos(ω/2) at ω and sin(ω/2) at π − ω (the transform of a hold of two samples).
  @Test("the aliases of a decimator without a filter are found, where and how strong they are")
  func decimator() throws {
    var measurement = Self.only(.aliasing)
    measurement.aliasToneCount = 6
    let device = FunctionDevice("hold") { (input) throws(BenchError) in
      var output = input
      output.channels = output.channels.map { channel in channel.indices.map { channel[$0 & ~1] } }
      return output
    }
    let findings = try measurement.measure(device)
    let curve = try #require(findings.curve("aliasingByFrequency"))
    #expect(curve.points.count == 6)
    for point in curve.points {
      let expected = 20 * log10(tan(.pi * point.x / 48_000))
      #expect(abs(point.y - expected) < 0.01, "\(point.x) Hz: \(point.y), not \(expected)")
    }
    let tone = try #require(findings.reading("aliasingTone")).value
    #expect(abs(try #require(findings.reading("aliasingFrequency")).value - (24_000 - tone)) < 1)
    // Nothing but that one component.
    #expect(abs(try #require(findings.reading("nonHarmonic")).value - (curve.points.map(\.y).max() ?? 0)) < 0.01)
  }

  /// x² of a tone has 2f: no alias below a quarter of the rate, one at rate − 2f above it, A²/2 beside A.
  @Test("a harmonic that folds is an alias, one that does not is none")
  func folded() throws {
    var measurement = Self.only(.aliasing)
    measurement.aliasToneCount = 5
    let findings = try measurement.measure(Self.device("square") { $0 + 0.01 * $0 * $0 })
    let expected = 20 * log10(0.005 * pow(10, -1.0 / 20))
    for point in try #require(findings.curve("aliasingByFrequency")).points {
      if point.x < 12_000 {
        #expect(point.y < -180)
      } else {
        #expect(abs(point.y - expected) < 0.01)
      }
    }
    #expect(try #require(findings.reading("aliasing")).isBelowFloor == false)
  }

  @Test("in 16 bits the floor is that of 16 bits, and what lies below it is said to")
  func sixteenBits() throws {
    let findings = try Self.only(.tone).measure(Self.device("nothing", .integer(bits: 16)) { $0 })
    let reading = try #require(findings.reading("thdPlusNoise"))
    // Rounding makes LSB²/12: −98.1 dB below a full-scale sine, −97.1 beside −1 dBFS; of it, 20 of 24 kHz count.
    #expect(abs(reading.value + 97.1 + 0.8) < 0.5, "\(reading.value) dB")
    #expect(reading.isBelowFloor)
  }

  @Test("a device that cannot be measured is an error that says why")
  func errors() {
    let mute = FunctionDevice("none") { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: [])
    }
    let short = FunctionDevice("short") { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: input.channels.map { Array($0.prefix(1000)) })
    }
    let broken = Self.device("broken") { $0 > 0.5 ? .nan : $0 }
    let slow = FunctionDevice("slow") { (input) throws(BenchError) in
      AudioSignal(sampleRate: 44_100, channels: input.channels)
    }
    for (device, words) in [
      (mute, "no channels"), (short, "ends after"), (broken, "are NaN, the first at frame"), (slow, "44100"),
    ] {
      let error = #expect(throws: BenchError.self) { try Self.only(.tone).measure(device) }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
      #expect(error?.place == device.name)
    }
    var measurement = Self.only(.tone)
    measurement.frequencyHertz = 30_000
    #expect(throws: BenchError.self) { try measurement.measure(FunctionDevice.identity(.float32)) }
  }

  @Test("a delay of a second is no hindrance where the device reports it")
  func late() throws {
    var device = Self.device("late", delay: 48_000) { $0 + 0.001 * $0 * $0 }
    device.reportedLatencyFrames = 48_000
    let thd = try #require(try Self.only(.tone).measure(device).reading("thd"))
    #expect(abs(thd.value - 20 * log10(0.0005 * pow(10, -1.0 / 20))) < 0.001)
  }

  @Test("what does not fit the rate is left out, and said")
  func lowRate() throws {
    var measurement = Self.only(.intermodulation)
    measurement.sampleRate = 11_025
    let findings = try measurement.measure(Self.device("wire") { $0 })
    #expect(findings.readings.isEmpty)
    #expect(findings.remarks.count == 2)
  }

  @Test("a silent device leaves remarks, not numbers")
  func silent() throws {
    let findings = try Self.only(.tone).measure(Self.device("mute") { _ in 0 })
    #expect(findings.reading("thd") == nil)
    #expect(findings.remarks == ["channel 0 was not heard: no chirp came out within 5 s"])
  }
}
