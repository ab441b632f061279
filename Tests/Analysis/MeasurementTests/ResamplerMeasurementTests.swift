import AudioCore
import BatchRender
import Foundation
import Measurement
import Spectrum
import Testing

@Suite("Resamplers")
struct ResamplerMeasurementTests {
  static func quick(_ from: Double, _ to: Double) -> ResamplerMeasurement {
    var measurement = ResamplerMeasurement(from: from, to: to)
    measurement.measuredFrames = 1 << 14
    measurement.imageToneCount = 8
    measurement.tonesAtOnce = 24
    return measurement
  }

  /// Each input frame held, or the straight line between two, at twice the rate.
  static func doubler(_ name: String, _ between: @escaping @Sendable (Double, Double) -> Double) -> FunctionDevice {
    FunctionDevice(name) { (input) throws(BenchError) in
      AudioSignal(
        sampleRate: 2 * input.sampleRate,
        channels: input.channels.map { channel in
          channel.indices.flatMap { [channel[$0], between(channel[$0], $0 + 1 < channel.count ? channel[$0 + 1] : 0)] }
        })
    }
  }

  /// The hold's kernel [1 1] has cos(πf/96000) at f, sin(πf/96000) at the image 48000 − f, and half a frame of delay.
  @Test("a hold at twice the rate has its closed form's response, images and delay")
  func hold() throws {
    let findings = try Self.quick(48_000, 96_000).measure(Self.doubler("hold") { a, _ in a })
    for point in try #require(findings.curve("response")).points {
      #expect(abs(point.y - 20 * log10(cos(.pi * point.x / 96_000))) < 1e-4, "\(point)")
    }
    for point in try #require(findings.curve("imagesByFrequency")).points {
      #expect(abs(point.y - 20 * log10(sin(.pi * point.x / 96_000))) < 0.01, "\(point)")
    }
    let delay = try #require(findings.reading("delay"))
    #expect(abs(delay.value - 0.5) < 1e-6, "\(delay.value)")
    #expect(try #require(delay.uncertainty) < 1e-6)
    #expect(findings.reading("lengthExcess")?.value == 0)
    // The input's length is odd, so that ratios have something to round.
    #expect(Int(clamping: try #require(findings.reading("length")).value) % 4 == 2)
    #expect(findings.reading("aliases") == nil)
    // −1 dB is above 20 kHz × 0.8; −3 dB is 24 kHz itself, and not reached below.
    #expect(findings.reading("minus3dB")?.value.isNaN == true)
  }

  /// The straight line's kernel [½ 1 ½] has cos²(πf/96000) at f: −3.01 dB at acos(2^−¼)·96000/π = 17475.8 Hz.
  @Test("a straight line at twice the rate has its closed form's corner")
  func line() throws {
    var measurement = Self.quick(48_000, 96_000)
    measurement.tonesAtOnce = 60
    let findings = try measurement.measure(Self.doubler("line") { ($0 + $1) / 2 })
    let corner = try #require(findings.reading("minus3dB")).value
    let expected = acos(pow(10, -3.0103 / 40)) * 96_000 / .pi
    #expect(abs(corner - expected) < 1, "\(corner), not \(expected)")
    #expect(abs(try #require(findings.reading("delay")).value) < 1e-6)
    let ripple = try #require(findings.reading("passbandRipple")).value
    // Up to 0.8 of half the rate, whether or not a tone is there.
    #expect(abs(ripple + 40 * log10(cos(.pi * 19_200 / 96_000))) < 0.001, "\(ripple)")
  }

  /// Every second frame of the mean of two: cos(πf/96000) at every f, also where it folds.
  @Test("a decimator's aliases are its filter's response above half the rate")
  func decimator() throws {
    let device = FunctionDevice("decimator") { (input) throws(BenchError) in
      AudioSignal(
        sampleRate: input.sampleRate / 2,
        channels: input.channels.map { channel in
          stride(from: 0, to: channel.count, by: 2).map { frame -> Double in
            let before = frame > 0 ? channel[frame - 1] : 0
            return (channel[frame] + before) / 2
          }
        })
    }
    let findings = try Self.quick(96_000, 48_000).measure(device)
    let aliases = try #require(findings.curve("aliasesByFrequency")).points
    #expect(aliases.count > 30)
    for point in aliases { #expect(abs(point.y - 20 * log10(cos(.pi * point.x / 96_000))) < 1e-3, "\(point)") }
    // Half an input frame is a quarter of an output frame.
    #expect(abs(try #require(findings.reading("delay")).value - 0.25) < 1e-6)
    let images = try #require(findings.reading("images"))
    #expect(images.value < -160)
    // In the passband below 19.2 kHz the worst comes from above 28.8 kHz.
    #expect(abs(try #require(findings.reading("aliases")).value - 20 * log10(cos(.pi * 28_900 / 96_000))) < 0.2)
  }

  /// The spectrum of all the input, filled up with zeros to the output's length, turned for a delay. From 20 kHz it
  /// fades out: cut at once, it would ring for long.
  @Test(
    "an ideal resampler is below every floor, and its delay right to a millionth of a frame", arguments: [0.0, 12.375])
  func ideal(delay: Double) throws {
    let device = FunctionDevice("Fourier") { (input) throws(BenchError) in
      let units = (input.frameCount + 1200 + 146) / 147
      let (a, b) = (RealFFT(length: units * 147), RealFFT(length: units * 160))
      let channels = input.channels.map { channel -> [Double] in
        a.forward(channel)
        for bin in 0..<b.binCount {
          let hertz = Double(bin) * 44_100 / Double(a.length)
          let fade = hertz < 20_000 ? 1 : max(0, cos(.pi / 2 * (hertz - 20_000) / 2050))
          let turn = Complex(
            magnitude: 160.0 / 147 * fade * fade, phase: -2 * .pi * Double(bin) * delay / Double(b.length))
          b.bins[bin] = hertz < 22_050 ? a.bins[bin] * turn : Complex(0)
        }
        b.inverse()
        return Array(b.samples.prefix(Int(FrameCount.converted(Int64(channel.count), from: 44_100, to: 48_000))))
      }
      return AudioSignal(sampleRate: 48_000, channels: channels)
    }
    let findings = try Self.quick(44_100, 48_000).measure(device)
    #expect(abs(try #require(findings.reading("delay")).value - delay) < 1e-6)
    #expect(try #require(findings.reading("delayDeviation")).value < 1e-6)
    #expect(try #require(findings.reading("passbandRipple")).value < 1e-5)
    let images = try #require(findings.reading("images"))
    #expect(images.value < -150, "\(images.value), \(images.remark ?? "")")
    #expect(try #require(findings.reading("thdPlusNoise")).value < -170)
    #expect(findings.reading("lengthExcess")?.value == 0)
  }

  @Test("a length that is not the exact ratio is found, and a polarity that is turned")
  func length() throws {
    let device = FunctionDevice("longer") { (input) throws(BenchError) in
      var output = try Self.doubler("hold") { a, _ in a }.process(input)
      output.channels = output.channels.map { $0.map { -$0 } + [0, 0, 0] }
      return output
    }
    let findings = try Self.quick(48_000, 96_000).measure(device)
    #expect(findings.reading("lengthExcess")?.value == 3)
    #expect(findings.remarks.contains { $0.contains("polarity") })
    #expect(abs(try #require(findings.reading("delay")).value - 0.5) < 1e-6)
  }

  static func converter(_ quality: RateConversionQuality, to rate: Double) -> FunctionDevice {
    FunctionDevice(quality.rawValue, precision: .float32) { (input) throws(BenchError) in
      let converted = try RateConverter.convert(
        input.channels.map { $0.map(Float.init) }, from: input.sampleRate, to: rate, quality: quality)
      return AudioSignal(sampleRate: rate, channels: converted.map { $0.map(Double.init) })
    }
  }

  /// The figures of `RateConversionQuality` were found in another way (bisection on sines), and `QualityTests` finds
  /// them again; they are rounded down, and the worse of both directions.
  @Test("an output whose rate is not the one that it states is reported")
  func wrongRate() throws {
    let held = Self.doubler("hold") { a, _ in a }
    let mislabelled = FunctionDevice("mislabelled") { (input) throws(BenchError) in
      var output = try held.process(input)
      output.sampleRate = 88_200
      return output
    }
    let remarks = try Self.quick(48_000, 88_200).measure(mislabelled).remarks
    #expect(remarks.contains { $0.contains("either its rate or its length is wrong") }, "\(remarks)")
    #expect(try Self.quick(48_000, 96_000).measure(held).remarks.isEmpty)
  }

  @Test("the engine's qualities are what their table says, side by side")
  func qualities() throws {
    var all: [(name: String, findings: Findings)] = []
    for quality in [RateConversionQuality.linear, .fast, .medium, .mastering] {
      let findings = try Self.quick(44_100, 48_000).measure(Self.converter(quality, to: 48_000))
      all.append((quality.rawValue, findings))
      let corner = try #require(findings.reading("minus3dB")).value / 22_050
      #expect(abs(corner - quality.passband) < 0.012, "\(quality): \(corner)")
      #expect(findings.reading("lengthExcess")?.value == 0)
      #expect(abs(try #require(findings.reading("delay")).value) < (quality == .linear ? 0.1 : 0.01))
      let noise = -(try #require(findings.reading("thdPlusNoise")).value)
      #expect(noise > min(quality.signalToNoiseDecibels, 140))
    }
    let table = ResamplerTable(all)
    #expect(table.rows.map(\.name) == ["linear", "fast", "medium", "mastering"])
    let images = try #require(table.columns.firstIndex { $0.id == "images" })
    let values = table.rows.map { $0.cells[images]?.value ?? .nan }
    #expect(values == values.sorted(by: >), "better ones leave less: \(values)")
    let lines = table.tsv.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(Set(lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).count }).count == 1)
    #expect(ResamplerTable(["b": all[0].findings, "a": all[1].findings]).rows.map(\.name) == ["a", "b"])
  }

  /// libsamplerate's documentation: medium has a signal-to-noise ratio of 121 dB and a bandwidth of 90 %.
  @Test("downward, the engine's filters hold aliases back")
  func downward() throws {
    let findings = try Self.quick(96_000, 44_100).measure(Self.converter(.medium, to: 44_100))
    let aliases = try #require(findings.reading("aliases")).value
    #expect(aliases < -115, "\(aliases)")
    #expect(try #require(findings.reading("images")).value < -115)
    #expect(abs(try #require(findings.reading("minus3dB")).value / 22_050 - 0.905) < 0.012)
  }

  @Test("an output at another rate than said, and settings that cannot be, are errors")
  func errors() {
    let wire = FunctionDevice.identity(.float32)
    #expect(throws: BenchError.self) { try Self.quick(48_000, 96_000).measure(wire) }
    var measurement = Self.quick(48_000, 96_000)
    measurement.passbandEdge = 2
    #expect(throws: BenchError.self) { try measurement.measure(wire) }
    #expect(throws: BenchError.self) { try Self.quick(48_000, 4000).measure(wire) }
  }
}
