import AudioCore
import Foundation
import Measurement
import RandomDevices
import TestSupport
import Testing

/// Devices that break what a measurement could assume, with answers in closed form: late, of another clock, modulated,
/// settling, noisy now and then, folding. Their numbers are drawn from a seed.
@Suite("Devices that are late, drift, move or fold")
struct UnsteadyDeviceTests {
  private static let rate = 48_000.0

  /// Numbers from a seed.
  private struct Numbers {
    private var generator: SeededGenerator
    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }
    mutating func uniform(_ low: Double, _ high: Double) -> Double {
      low + (high - low) * (generator.nextUniform() + 1) / 2
    }
    mutating func logarithmic(_ low: Double, _ high: Double) -> Double { exp(uniform(log(low), log(high))) }
    mutating func sign() -> Double { uniform(-1, 1) < 0 ? -1 : 1 }
  }

  /// Each sample by its time in seconds, on all channels.
  private static func device(
    _ name: String, _ body: @escaping @Sendable (_ sample: Double, _ seconds: Double) -> Double
  ) -> FunctionDevice {
    FunctionDevice(name, rate: rate, eachSample: body)
  }

  private static func distortion(_ parts: DistortionMeasurement.Part...) -> DistortionMeasurement {
    var measurement = DistortionMeasurement()
    measurement.parts = Set(parts)
    measurement.aliasToneCount = 2
    return measurement
  }

  /// By how many times its ± a reading is off.
  private static func miss(_ reading: Reading?, _ truth: Double) -> Double {
    guard let reading, !reading.value.isNaN else { return .infinity }
    return abs(reading.value - truth) / ((reading.uncertainty ?? 0) + 1e-9)
  }

  @Test("a plain copy with another clock has no distortion, and its clock is read")
  func clock() throws {
    var numbers = Numbers(7)
    for number in 0..<3 {
      let ppm = number == 0 ? 20 : numbers.sign() * numbers.logarithmic(0.1, 300)
      let findings = try Self.distortion(.tone, .intermodulation).measure(OtherClock.device(partsPerMillion: ppm))
      let noise = try #require(findings.reading("thdPlusNoise"))
      #expect(noise.value < -150, "\(ppm) ppm: \(noise.text)")
      #expect(Self.miss(findings.reading("clockDifference"), ppm) <= 1, "\(ppm): \(findings.readings.map(\.text))")
      #expect(try #require(findings.reading("timeVariance")).value < -140)
      for id in ["imdSMPTE", "imdDifference"] {
        #expect(try #require(findings.reading(id)).value < -130, "\(ppm) ppm: \(id)")
      }
    }
  }

  @Test("dynamic range of a copy with another clock, or seconds late, is that of the copy")
  func dynamicRange() throws {
    let plain = try NoiseMeasurement().measure(FunctionDevice.identity(.float32))
    let expected = try #require(plain.reading("dynamicRange"))
    var numbers = Numbers(8)
    let devices: [FunctionDevice] = [
      OtherClock.device(partsPerMillion: -numbers.logarithmic(0.1, 300), precision: .float32),
      DeviceTimingTests.late([Int(clamping: numbers.uniform(0.6, 4) * Self.rate)]),
    ]
    for device in devices {
      let range = try #require(try NoiseMeasurement().measure(device).reading("dynamicRange"))
      #expect(range.value > min(152, expected.value - 0.5), "\(device.name): \(range.text)")
    }
  }

  @Test("modulation and lines beside a tone are read, although its lobe hides them")
  func beside() throws {
    var numbers = Numbers(9)
    for number in 0..<4 {
      let depth = number == 0 ? 0.001 : number == 1 ? 0.05 : numbers.logarithmic(1e-5, 0.05)
      let hertz = number == 0 ? 3 : number == 1 ? 5 : numbers.uniform(1.3, 6)
      let modulated = Self.device("modulated") { $0 * (1 + depth * sin(2 * .pi * hertz * $1)) }
      let findings = try Self.distortion(.tone, .aliasing).measure(modulated)
      let name = "\(depth) at \(hertz) Hz"
      #expect(
        Self.miss(findings.reading("aliasing"), 20 * log10(depth / 2)) <= 1,
        "\(name): \(findings.reading("aliasing")?.text ?? "")")
      let all = 10 * log10(depth * depth / 2 / (1 + depth * depth / 2))
      #expect(
        Self.miss(findings.reading("thdPlusNoise"), all) <= 1,
        "\(name): \(findings.reading("thdPlusNoise")?.text ?? "") \(all)")
      #expect(try #require(findings.reading("timeVariance")).isBelowFloor == false, "\(name)")
      #expect(findings.remarks.contains { $0.contains("varies in time") })

      let (level, offset) =
        number == 0 ? (-60, 3) : (numbers.uniform(-90, -40), numbers.sign() * numbers.uniform(1.3, 6))
      let amplitude = pow(10, level / 20)
      let line = Self.device("line beside") { $0 + amplitude * sin(2 * .pi * (997 + offset) * $1) }
      let beside = try Self.distortion(.tone).measure(line).reading("thdPlusNoise")
      let tone = pow(10, -1.0 / 10)
      let truth = 10 * log10(amplitude * amplitude / (tone + amplitude * amplitude))
      #expect(Self.miss(beside, truth) <= 1, "\(level) dB at \(offset) Hz: \(beside?.text ?? "") \(truth)")
    }
  }

  @Test("a gain that settles is a gain that moves, not noise; crosstalk waits for it")
  func settling() throws {
    var numbers = Numbers(10)
    for number in 0..<3 {
      let (decibels, seconds) = number == 0 ? (1, 2) : (numbers.uniform(-3, 3), numbers.uniform(0.5, 2))
      // Linear in decibels until it stands.
      let device = Self.device("settles") { $0 * pow(10, decibels / 20 * max(0, 1 - $1 / seconds)) }
      let findings = try Self.distortion(.tone).measure(device)
      if seconds > 1 {
        #expect(try #require(findings.reading("timeVariance")).isBelowFloor == false)
        #expect(
          try #require(findings.reading("thdPlusNoise")).isBelowFloor, "\(findings.reading("thdPlusNoise")?.text ?? "")"
        )
        #expect(findings.remarks.contains { $0.contains("varies in time") })
      }
      for level in try CrosstalkMeasurement.findings(of: device).readings where level.id == "level" {
        guard level.channel.map(Double.init) == level.at["input"] else { continue }
        #expect(Self.miss(level, 0) <= 1, "\(decibels) dB in \(seconds) s: \(level.text)")
      }
    }
    // One that never stands is read with a ± that holds all that it was, and a figure.
    let drifting = Self.device("drifts") { $0 * pow(10, 0.1 * $1 / 20) }
    let findings = try CrosstalkMeasurement.findings(of: drifting)
    #expect(findings.remarks.contains { $0.contains("varies in time") })
    let level = try #require(findings.reading("level", channel: 0))
    #expect(try #require(level.uncertainty) > 0.03, "\(level.text)")
  }

  @Test("modulation too slow for the stretch is within the bound", arguments: [0.2, 0.45, 0.8])
  func slowModulation(hertz: Double) throws {
    let depth = 0.002
    let device = Self.device("slow") { $0 * (1 + depth * sin(2 * .pi * hertz * $1 + 1)) }
    let findings = try Self.distortion(.tone, .aliasing).measure(device)
    for (id, truth) in [("aliasing", depth / 2), ("thdPlusNoise", depth / 2.0.squareRoot())] {
      let reading = try #require(findings.reading(id))
      let level = 20 * log10(truth)
      let holds = reading.isBelowFloor ? reading.floor ?? 0 >= level : Self.miss(reading, level) <= 1
      #expect(holds, "\(id) at \(hertz) Hz: \(reading.text), \(level)")
    }
  }

  @Test("crosstalk of what is seconds late is read; what was not heard has no bound")
  func lateCrosstalk() throws {
    var numbers = Numbers(11)
    for _ in 0..<3 {
      let frames = Int(clamping: numbers.uniform(0.6, 4) * Self.rate)
      let findings = try CrosstalkMeasurement.findings(of: DeviceTimingTests.late([frames], gain: 0.5))
      let levels = findings.readings.filter { $0.id == "level" && $0.channel.map(Double.init) == $0.at["input"] }
      #expect(levels.count == 6 && levels.allSatisfy { Self.miss($0, 20 * log10(0.5)) <= 1 }, "\(levels.map(\.text))")
      #expect(findings.readings.filter { $0.id == "polarity" }.allSatisfy { $0.value == 1 })
      #expect(findings.readings.filter { $0.id == "crosstalk" }.allSatisfy { $0.isBelowFloor })
    }
    let mute = try CrosstalkMeasurement.findings(of: Self.device("mute") { _, _ in 0 })
    #expect(mute.readings.isEmpty)
    let other = try CrosstalkMeasurement.findings(of: OtherClock.device(partsPerMillion: 150))
    #expect(other.readings.filter { $0.id == "polarity" }.allSatisfy { $0.value == 1 })
  }

  /// A sine of a known frequency is turned by a phase φ: cos φ·x[n] + sin φ·(cos ω·x[n] − x[n − 1])/sin ω.
  @Test("a tone whose phase alone swings moves, though its level stays")
  func swingingPhase() throws {
    let measurement = Self.distortion(.tone)
    let omega = 2 * Double.pi * measurement.frequencyHertz / Self.rate
    for depth in [0.003, 0.03] {
      let device = FunctionDevice("phase") { (input) throws(BenchError) in
        var output = input
        output.channels[0] = input.channels[0].enumerated().map { frame, sample in
          let before = frame > 0 ? input.channels[0][frame - 1] : 0
          let phase = depth * sin(2 * .pi * 1.7 * Double(frame) / Self.rate)
          return cos(phase) * sample + sin(phase) * (cos(omega) * sample - before) / sin(omega)
        }
        return output
      }
      let variance = try #require(try measurement.measure(device).reading("timeVariance"))
      #expect(variance.value > 20 * log10(depth) - 4 && !variance.isBelowFloor, "\(depth): \(variance.text)")
    }
  }

  /// Their truth is the mean over any long time: of the pulses' energy and that of the noise beneath.
  @Test("noise that comes and goes is read as its mean, with a ± that says how little of it was heard")
  func intermittentNoise() throws {
    var numbers = Numbers(12)
    var misses = 0
    for number in 0..<4 {
      let interval = number == 0 ? 1.3 : numbers.uniform(0.4, 2.5)
      let length = number % 2 == 0 ? 1 / Self.rate : numbers.uniform(0.02, 0.3)
      let (loud, quiet) = number % 2 == 0 ? (0.5, 1e-5) : (numbers.logarithmic(1e-3, 1e-2), 1e-5)
      let seed = UInt64(number)
      let device = FunctionDevice("bursts") { (input) throws(BenchError) in
        var generator = SeededGenerator(seed: seed ^ UInt64(input.frameCount))
        var output = input
        output.channels[0] = input.channels[0].enumerated().map { frame, sample in
          let since = (Double(frame) / Self.rate + 0.3).truncatingRemainder(dividingBy: interval)
          let noise = 3.0.squareRoot() * generator.nextUniform()
          if length < 1e-4 { return sample + quiet * noise + (since < length ? loud : 0) }
          return sample + (since < length ? loud : quiet) * noise
        }
        return output
      }
      let share = 19_980 / 24_000.0
      let square = (loud * loud * length / interval + quiet * quiet) * share
      let truth = 10 * log10(2 * square)
      var measurement = NoiseMeasurement()
      measurement.channelCount = 1
      let findings = try measurement.measure(device)
      let noise = try #require(findings.reading("noise"))
      if Self.miss(noise, truth) > 1 { misses += 1 }
      #expect(abs(noise.value - truth) < 3, "\(interval) s, \(length) s: \(noise.text), not \(truth)")
      #expect(findings.remarks.contains { $0.contains("varies in time") }, "\(interval) s, \(length) s")
      #expect(
        Self.miss(findings.reading("dynamicRange"), -truth) <= 1.5,
        "\(findings.reading("dynamicRange")?.text ?? "") \(truth)")
    }
    #expect(misses == 0)
  }

  /// A part of the beat is heard, and no more is known of the rest: a ± of less than that was a millionth of the error.
  @Test("Lines that beat more slowly than they are listened to: the ± of SINAD is not far from the error")
  func slowBeats() throws {
    let lines = [
      (0.007444846, 980.608334, 3.2485), (0.000549246, 980.55692, 5.6349), (0.000540853, 980.817693, 2.2872),
    ]
    let device = FunctionDevice("beats", rate: 8_000) { sample, seconds in
      lines.reduce(sample) { $0 + $1.0 * sin(2 * Double.pi * $1.1 * seconds + $1.2) }
    }
    var measurement = Self.distortion(.tone)
    measurement.sampleRate = 8_000
    // Against the square of a tone of −1 dBFS.
    let beside = lines.reduce(0) { $0 + $1.0 * $1.0 } / pow(10, -0.1)
    #expect(Self.miss(try measurement.measure(device).reading("sinad"), 10 * log10(1 + 1 / beside)) <= 2)
  }

  @Test("what the rate folds is no second order: an odd shaper has none, and the fold has a name")
  func folding() throws {
    var numbers = Numbers(13)
    for number in 0..<5 {
      let part = number < 2 ? 0.5 : numbers.uniform(0.3, 0.9)
      let dead = number == 1 ? 0.02 : numbers.logarithmic(0.003, 0.1)
      let device =
        number % 2 == 0
        ? Self.device("clip") { sample, _ in min(max(sample, -part), part) }
        : Self.device("class B") { sample, _ in sample > dead ? sample - dead : sample < -dead ? sample + dead : 0 }
      var measurement = Self.distortion(.intermodulation)
      if number > 3 { measurement.sampleRate = 44_100 }
      let findings = try measurement.measure(device)
      let orders = findings.readings.filter { $0.id == "imdDifferenceOrder" }
      #expect(orders.first?.isBelowFloor == true, "\(part) \(dead): \(orders.map(\.text))")
      #expect(orders.last?.isBelowFloor == false)
      let folded = try #require(findings.reading("imdDifferenceFolded"))
      #expect(folded.remark?.contains("kHz, which the rate folds to") == true)
    }
    // x⁵ at 48 kHz: of all that folds, what 3·f₁ − 2·f₂ has leaves is below; H5 of 19 kHz has the amplitude A⁵/16.
    let fifth = try Self.distortion(.intermodulation).measure(
      Self.device("fifth") { x, _ in x + 0.01 * x * x * x * x * x })
    #expect(
      fifth.readings.filter { $0.at["order"] == 2 && $0.id == "imdDifferenceOrder" }.allSatisfy { $0.isBelowFloor })
  }
}
