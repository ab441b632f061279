import AudioCore
import Foundation
import Measurement
import Spectrum
import Testing

/// A peaking section of the Audio EQ Cookbook, in double, behind ends of a precision: its answer is a closed form.
private struct Peaking {
  let sampleRate: Double
  let hertz: Double
  let quality: Double
  let gainDecibels: Double

  private var coefficients: (b: [Double], a: [Double]) {
    let omega = 2 * Double.pi * hertz / sampleRate
    let (alpha, gain) = (sin(omega) / (2 * quality), pow(10, gainDecibels / 40))
    let a0 = 1 + alpha / gain
    return (
      [(1 + alpha * gain) / a0, -2 * cos(omega) / a0, (1 - alpha * gain) / a0],
      [1, -2 * cos(omega) / a0, (1 - alpha / gain) / a0]
    )
  }

  func magnitudeDecibels(_ frequency: Double) -> Double {
    func power(_ c: [Double]) -> Double {
      let omega = 2 * Double.pi * frequency / sampleRate
      let real = c[0] + c[1] * cos(omega) + c[2] * cos(2 * omega)
      let imaginary = c[1] * sin(omega) + c[2] * sin(2 * omega)
      return real * real + imaginary * imaginary
    }
    return 10 * log10(power(coefficients.b) / power(coefficients.a))
  }

  /// −dφ/dω by a central difference of the closed-form phase.
  func groupDelayFrames(_ frequency: Double) -> Double {
    func phase(_ omega: Double) -> Double {
      func angle(_ c: [Double]) -> Double {
        atan2(-c[1] * sin(omega) - c[2] * sin(2 * omega), c[0] + c[1] * cos(omega) + c[2] * cos(2 * omega))
      }
      return angle(coefficients.b) - angle(coefficients.a)
    }
    let omega = 2 * Double.pi * frequency / sampleRate
    return -(phase(omega + 1e-6) - phase(omega - 1e-6)) / 2e-6
  }

  func device(_ precision: SamplePrecision) -> FunctionDevice {
    let (b, a) = coefficients
    return FunctionDevice("peaking", precision: precision) { input in
      var output = precision.rounded(input)
      for channel in output.channels.indices {
        var (first, second) = (0.0, 0.0)
        for index in output.channels[channel].indices {
          let x = output.channels[channel][index]
          let y = b[0] * x + first
          first = b[1] * x - a[1] * y + second
          second = b[2] * x - a[2] * y
          output.channels[channel][index] = y
        }
      }
      return precision.rounded(output)
    }
  }
}

private func findings(
  _ device: any Device, rate: Double = 48_000, methods: [LinearSettings.Method]? = nil, channels: Int = 1,
  responseFrames: Int? = nil
) throws -> Findings {
  let settings = LinearSettings(
    device, sampleRate: rate, channelCount: channels, responseFrames: responseFrames, methods: methods)
  return try LinearMeasurement(settings).findings(of: device)
}

/// A signal delayed by any fraction of a frame: its spectrum turned, over a length that nothing wraps around in.
private func delayed(_ samples: [Double], by frames: Double) -> [Double] {
  let transform = RealFFT(length: RealFFT.fastLength(atLeast: samples.count + 4096))
  transform.forward(samples)
  for index in transform.bins.indices {
    let angle = -2 * Double.pi * Double(index) * frames / Double(transform.length)
    transform.bins[index] = transform.bins[index] * Complex(magnitude: 1, phase: angle)
  }
  transform.bins[transform.binCount - 1].imaginary = 0
  transform.inverse()
  return Array(transform.samples.prefix(samples.count))
}

@Suite("The linear measurement tells the truth")
struct LinearMeasurementTests {
  @Test(
    "Magnitude and group delay are those of the closed form, by every stimulus that shows a response",
    arguments: [LinearSettings.Method.impulse, .sweep], [44_100.0, 96_000])
  func closedForm(method: LinearSettings.Method, rate: Double) throws {
    let filter = Peaking(sampleRate: rate, hertz: 440, quality: 4, gainDecibels: -18)
    let device = filter.device(.float32)
    let settings = LinearSettings(device, sampleRate: rate, channelCount: 1, methods: [method])
    let found = try LinearMeasurement(settings).findings(of: device)
    let magnitude = try #require(found.curve("magnitude"))
    let delay = try #require(found.curve("groupDelay"))
    var checked = 0
    for (level, time) in zip(magnitude.points, delay.points) where settings.trustedHertz.contains(level.x) {
      #expect(abs(level.y - filter.magnitudeDecibels(level.x)) < 0.001, "\(level.x) Hz")
      #expect(abs(time.y - filter.groupDelayFrames(time.x)) < 0.01, "\(time.x) Hz")
      #expect((level.uncertainty ?? 1) < 0.001)
      checked += 1
    }
    #expect(checked > 200)
    #expect(found.remarks.isEmpty, "\(found.remarks)")
  }

  @Test("The multitone reads the same magnitudes at its own frequencies")
  func multitone() throws {
    let filter = Peaking(sampleRate: 48_000, hertz: 1000, quality: 1, gainDecibels: 9)
    let found = try findings(filter.device(.float32), methods: [.multitone])
    let magnitude = try #require(found.curve("magnitude"))
    #expect(magnitude.points.count > 100)
    for point in magnitude.points {
      #expect(abs(point.y - filter.magnitudeDecibels(point.x)) < 0.001, "\(point.x) Hz")
    }
  }

  @Test("Latency is within 0.001 frame, whole or not", arguments: [0.0, 1, 63, 12.25, 100.5, 7.937])
  func latency(frames: Double) throws {
    let device = FunctionDevice("delay", precision: .float32) { input in
      var output = input
      output.channels = input.channels.map { delayed($0, by: frames) }
      return SamplePrecision.float32.rounded(output)
    }
    // A response that is never over would be listened to for 44 s.
    let found = try findings(device, responseFrames: 4800)
    #expect(abs(try #require(found.reading("latency")).value - frames) < 0.001)
    #expect(abs(try #require(found.reading("delay")).value - frames) < 0.001)
    // Between two samples the sound has begun before its first one: at the end of the period.
    if frames == frames.rounded() { #expect(found.remarks.isEmpty, "\(found.remarks)") }
  }

  @Test("An output that ends before its stimulus is an error, and one that ends in the silence behind it is told")
  func shortOutputs() throws {
    func device(_ frames: @escaping @Sendable (Int) -> Int) -> FunctionDevice {
      FunctionDevice("short", precision: .float32) { input in
        AudioSignal(
          sampleRate: input.sampleRate, channels: input.channels.map { Array($0.prefix(frames($0.count))) })
      }
    }
    // An impulse stands behind 4096 frames of silence.
    do throws(BenchError) {
      _ = try LinearMeasurement(LinearSettings(device { _ in 1000 })).findings(of: device { _ in 1000 })
      Issue.record("it was measured")
    } catch {
      #expect(error.kind == .render && error.message.contains("the output ends after 1000 frames, before the impulse"))
    }
    let found = try findings(device { $0 - 100 })
    #expect(found.remarks == ["the output ends 100 frames before its input: what is missing counts as silence"])
    #expect(abs(try #require(found.reading("latency")).value) < 0.001)
  }

  @Test("Behind an equalizer the delay is still that of the delay line")
  func delayBehindEqualizer() throws {
    let filter = Peaking(sampleRate: 48_000, hertz: 200, quality: 2, gainDecibels: 12).device(.float32)
    let device = FunctionDevice("delayed equalizer", precision: .float32) { (input) throws(BenchError) in
      var output = try filter.process(input)
      output.channels = output.channels.map { [Double](repeating: 0, count: 64) + $0.dropLast(64) }
      return output
    }
    #expect(abs(try #require(try findings(device).reading("delay")).value - 64) < 0.001)
  }

  @Test("A clipper is called not linear, with its odd harmonics")
  func clipper() throws {
    let device = FunctionDevice("clipper", precision: .float32) { input in
      var output = input
      output.channels = input.channels.map { $0.map { min(max($0, -0.1), 0.1) } }
      return SamplePrecision.float32.rounded(output)
    }
    let found = try findings(device)
    #expect(found.remarks.contains { $0.contains("not linear") && $0.contains("harmonic 3") }, "\(found.remarks)")
    #expect(!found.remarks.contains { $0.contains("harmonic 2") })
    #expect(found.remarks.contains { $0.contains("impulse and sweep differ") })
  }

  @Test("The third harmonic of a cubic is read at its level")
  func cubic() throws {
    // x − c·x³: sin³ = (3·sin − sin 3θ)/4, so the third harmonic stands at c·a³/4 over a − 3·c·a³/4.
    let (a, c) = (pow(10, -12.0 / 20), 0.5)
    let device = FunctionDevice("cubic") { input in
      var output = input
      output.channels = input.channels.map { $0.map { $0 - c * $0 * $0 * $0 } }
      return output
    }
    let third = try #require(try findings(device, methods: [.sweep]).curve("harmonic3"))
    let expected = 20 * log10((c * a * a * a / 4) / (a - 3 * c * a * a * a / 4))
    for point in third.points where (100...4000).contains(point.x) {
      #expect(abs(point.y - expected) < 0.05, "\(point.x) Hz: \(point.y), not \(expected)")
    }
  }

  @Test("A tremolo is said to vary in time")
  func tremolo() throws {
    let device = FunctionDevice("tremolo", precision: .float32) { input in
      var output = input
      output.channels = input.channels.map { channel in
        channel.enumerated().map { $1 * (1 + 0.2 * sin(2 * .pi * 3 * Double($0) / 48_000)) }
      }
      return SamplePrecision.float32.rounded(output)
    }
    #expect(try findings(device).remarks.contains { $0.contains("varies in time") })
  }

  @Test(
    "A gain that changes only after seconds varies in time: a slow drift, a step", arguments: [(0.01, 0.0), (0, -6.0)])
  func lateChange(decibelsPerSecond: Double, stepAtFourSeconds: Double) throws {
    let device = FunctionDevice("late", precision: .float32) { input in
      var output = input
      output.channels = input.channels.map { channel in
        channel.enumerated().map { frame, sample in
          let seconds = Double(frame) / 48_000
          return sample * pow(10, (decibelsPerSecond * seconds + (seconds < 4 ? 0 : stepAtFourSeconds)) / 20)
        }
      }
      return SamplePrecision.float32.rounded(output)
    }
    let found = try findings(device)
    #expect(!found.disagreements.isEmpty)
    let variance = try #require(found.reading("timeVariance"))
    let expected = 20 * log10(abs(pow(10, (decibelsPerSecond * 10.923 + stepAtFourSeconds) / 20) - 1))
    #expect(abs(variance.value - expected) < 1 && !variance.isBelowFloor, "\(variance), not \(expected)")
    #expect(!found.remarks.contains { $0.contains("not linear") }, "\(found.remarks)")
  }

  @Test("A device that dithers its 16 bits is no false alarm")
  func dither() throws {
    let device = FunctionDevice("dithered", precision: .integer(bits: 16)) { input in
      var generator = SplitMix64(seed: 3)
      var output = input
      for channel in output.channels.indices {
        for index in output.channels[channel].indices {
          let noise = generator.unit() - generator.unit()
          output.channels[channel][index] = (output.channels[channel][index] * 32768 + noise).rounded() / 32768
        }
      }
      return output
    }
    let found = try findings(device)
    #expect(found.remarks.isEmpty, "\(found.remarks)")
    let magnitude = try #require(found.curve("magnitude"))
    for point in magnitude.points where (20...20_000).contains(point.x) {
      #expect(abs(point.y) <= point.uncertainty ?? 0, "\(point.x) Hz: \(point.y) ± \(point.uncertainty ?? .nan)")
    }
  }

  @Test("Each channel is measured by itself; one that inverts is said to")
  func channels() throws {
    let device = FunctionDevice("pair", inputChannelCount: 2, precision: .float32) { input in
      AudioSignal(
        sampleRate: input.sampleRate, channels: [input.channels[0], input.channels[1].map { -0.5 * $0 }])
    }
    let found = try findings(device, channels: 2)
    #expect(found.reading("polarity", channel: 0)?.value == 1)
    #expect(found.reading("polarity", channel: 1)?.value == -1)
    let gain = try #require(found.reading("gainMaximum", channel: 1)).value
    #expect(abs(gain - 20 * log10(0.5)) < 1e-5)
  }
}

extension LinearMeasurementTests {
  @Test("Noise reads the closed form within the error that its coherence tells, and coherence is 1 without noise")
  func noise() throws {
    let filter = Peaking(sampleRate: 48_000, hertz: 1000, quality: 1, gainDecibels: 6)
    let found = try findings(filter.device(.float32), methods: [.noise])
    for point in try #require(found.curve("magnitude")).points {
      #expect(abs(point.y - filter.magnitudeDecibels(point.x)) < 0.02, "\(point.x) Hz")
    }
    #expect(try #require(found.curve("coherence")).points.allSatisfy { $0.y > 0.9999 })
  }
}
