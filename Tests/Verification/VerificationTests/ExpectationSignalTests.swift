import AudioCore
import BatchRender
import Foundation
import Measurement
import Testing
import Verification
import VerificationTesting

@Suite("Expectations of signals and of what is measured")
struct ExpectationSignalTests {
  let folder: ExpectationFolder
  init() throws { folder = try ExpectationFolder() }

  let signal = AudioSignal(
    sampleRate: 48_000, channelCount: 2, Stimulus.whiteNoise(frames: 4800, amplitude: 0.5, seed: 3))

  @Test("Equal signals pass; one sample that is off fails with its place and its limit")
  func equality() {
    var other = signal
    other.channels[1][480] += 0.001
    #expect(folder.recorded { expect(signal, equals: signal) }.issues.isEmpty)
    #expect(folder.recorded { expect(other, equals: signal, .residual(peak: -59.9)) }.issues.isEmpty)
    let found = folder.recorded { expect(other, equals: signal, .residual(peak: -60.1)) }
    #expect(found.failures == 1)
    #expect(found.text.contains("a difference of a peak of at most −60.1 dBFS"))
    #expect(found.text.contains("fails at   frame 480 (10 ms), channel 1"))
    #expect(found.text.contains("difference.wav"))
  }

  @Test("Units in the last place are counted")
  func ulps() {
    let one = AudioSignal(sampleRate: 48_000, channelCount: 1, [0.5, 0.25])
    let off = AudioSignal(sampleRate: 48_000, channelCount: 1, [0.5, Double((Float(0.25).nextUp).nextUp)])
    #expect(folder.recorded { expect(off, equals: one, .ulps(2)) }.issues.isEmpty)
    #expect(folder.recorded { expect(off, equals: one, .ulps(1)) }.text.contains("frame 1 "))
  }

  @Test("Another length, and what is no number, fail whatever the limit")
  func shapes() {
    var short = signal
    short.channels = short.channels.map { Array($0.dropLast()) }
    let found = folder.recorded { expect(short, equals: signal, .residual(peak: 0)) }
    #expect(found.failures == 1 && found.text.contains("4799 frames instead of 4800"))
    var bad = signal
    bad.channels[0][7] = .nan
    #expect(folder.recorded { expect(bad, equals: bad, .residual(peak: 0)) }.text.contains("frame 7 "))
  }

  @Test("Devices are compared by what they make of one stimulus")
  func devices() throws {
    let half = FunctionDevice("half") { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: input.channels.map { $0.map { $0 / 2 } })
    }
    let quarter = FunctionDevice("quarter") { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: input.channels.map { $0.map { $0 / 4 } })
    }
    #expect(folder.recorded { expect(half, equals: half, given: .sweep(seconds: 0.1)) }.issues.isEmpty)
    // Noise of −12 dBFS at its peak: half less a quarter is 12 dB below it.
    let found = folder.recorded { expect(half, equals: quarter, .residual(peak: -25), given: .signal(signal)) }
    #expect(found.failures == 1 && found.text.contains("FAIL  half: residual"))
    #expect(folder.recorded { expect(half, equals: quarter, .alignedNull(-100, gain: 6.03)) }.issues.isEmpty)
  }

  @Test("A response passes by its closed form and fails beside it, with a table to look at")
  func responses() throws {
    let right = Response.within(0.01, of: { OnePole.decibels(hertz: 1000, sampleRate: 48_000, at: $0) })
    #expect(folder.recorded { expect(OnePole.device(), response: right, to: 20_000) }.issues.isEmpty)
    let found = folder.recorded { expect(OnePole.device(hertz: 1010), response: right, to: 20_000) }
    #expect(found.failures == 1)
    #expect(found.text.hasPrefix("FAIL  one pole: magnitude\n"))
    #expect(found.text.contains("within ±0.01 dB from 20.0 Hz to 20.0 kHz"))
    #expect(found.text.contains("limit      −0.01 to +0.01 dB"))
    let table = try #require(folder.named(in: found.text).first { $0.hasSuffix("magnitude.tsv") })
    let lines = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 200 && lines[0] == "# frequency Hz\tmagnitude dB\texpected")
    // The table's own columns are the response of 1010 Hz and that of 1000 Hz.
    for line in lines.dropFirst() {
      let fields = line.split(separator: "\t").compactMap { Double($0) }
      try #require(fields.count == 3)
      #expect(abs(fields[1] - OnePole.decibels(hertz: 1010, sampleRate: 48_000, at: fields[0])) < 0.001)
      #expect(abs(fields[2] - OnePole.decibels(hertz: 1000, sampleRate: 48_000, at: fields[0])) < 1e-9)
    }
  }

  @Test("A response can be another device's, or lie inside a mask; limits that are none are told")
  func otherReferences() {
    let pole = OnePole.device()
    let mask = Response.inside([.init(20, lower: -0.1, upper: 0.1), .init(100, lower: -0.2, upper: 0.1)])
    let tight = Response.inside([.init(20, lower: -0.001, upper: 0.1), .init(1000, lower: -0.001, upper: 0.1)])
    #expect(folder.recorded { expect(pole, response: .within(0.001, of: pole)) }.issues.isEmpty)
    #expect(folder.recorded { expect(pole, response: .within(0.001, of: OnePole.device(hertz: 900))) }.failures == 1)
    #expect(folder.recorded { expect(pole, response: mask) }.issues.isEmpty)
    #expect(folder.recorded { expect(pole, response: tight) }.failures == 1)
    let none = folder.recorded { expect(pole, response: .inside([])) }
    #expect(none.failures == 1 && none.text.contains("a mask has two corners or more"))
    #expect(folder.recorded { expect(pole, response: .within(-1, of: pole)) }.text.contains("0 < from < to"))
  }

  @Test("Readings are held to limits; an unknown one lists those that there are")
  func readings() {
    let delayed = FunctionDevice("delay") { (input) throws(BenchError) in
      AudioSignal(
        sampleRate: input.sampleRate, channels: input.channels.map { [Double](repeating: 0, count: 5) + $0 })
    }
    #expect(
      folder.recorded { expect(delayed, reading: "latency", of: .linear, equals: 5, within: 0.001) }.issues.isEmpty)
    let found = folder.recorded { expect(delayed, reading: "latency", of: .linear, atMost: 4) }
    #expect(found.failures == 1 && found.text.contains("found      5 frames"), "\(found.text)")
    let unknown = folder.recorded { expect(delayed, reading: "latenzy", of: .linear, atMost: 4) }
    #expect(unknown.failures == 1 && unknown.text.contains("it has gainMaximum"))
    #expect(folder.recorded { expect(delayed, reading: "latency", of: .linear) }.text.contains("no limit is given"))
  }

  @Test("A unit runs at 48 kHz unless a rate was set or is asked for, and a failure says at which it ran")
  func rateUnlessSet() throws {
    #expect(try LowPassFilter(cutoffHertz: 1000).device(playsItself: false).preferredSampleRate == 48_000)
    let set = try LowPassFilter(cutoffHertz: 1000)
    try set.setStreamFormat(StreamFormat(sampleRate: 96_000, channelCount: 2), .input)
    #expect(try set.device(playsItself: false).preferredSampleRate == 96_000)
    let unit = try LowPassFilter(cutoffHertz: 1000)
    #expect(try unit.device(sampleRate: 44_100).preferredSampleRate == 44_100)
    #expect(throws: BenchError.self) { try unit.device(sampleRate: 0) }
    let short = StimulusDescription.noise(seconds: 0.01)
    let other = try LowPassFilter(cutoffHertz: 1000).device(sampleRate: 22_050)
    for (subject, rate) in [(other, "22050"), (try LowPassFilter().device(playsItself: false), "48000")] {
      let found = folder.recorded { expect(FixedDevice(subject), check: "length", ["frames": 1], given: short) }
      let rateLine = try Regex("ran at +\(rate) Hz")
      #expect(found.failures == 1 && found.text.contains(rateLine), "\(found.text)")
    }
    let signal = AudioSignal(sampleRate: 32_000, channels: [[0.5]])
    let found = folder.recorded { expect(signal, equals: AudioSignal(sampleRate: 32_000, channels: [[0.25]])) }
    #expect(found.text.contains(/ran at +32000 Hz/), "\(found.text)")
  }

  /// A device of any kind, for a list of several.
  private struct FixedDevice: DeviceConvertible {
    let device: any Device
    init(_ device: any Device) { self.device = device }
    var playsFiles: Bool { false }
    func device(playsItself: Bool) throws(BenchError) -> any Device { device }
  }

  @Test("A unit is put under test in its own stream format, and given back as it was")
  func units() throws {
    let unit = try LowPassFilter(cutoffHertz: 1000)
    try unit.setStreamFormat(StreamFormat(sampleRate: 96_000, channelCount: 1), .input)
    let format = try unit.streamFormat(.input)
    // Audio EQ Cookbook, low-pass, Q = 1, bilinear transform: |H|² = 1 / ((1 − x²)² + x²).
    let right = Response.within(0.01) { hertz in
      let x = tan(.pi * hertz / 96_000) / tan(.pi * 1000 / 96_000)
      return -10 * log10((1 - x * x) * (1 - x * x) + x * x)
    }
    let found = folder.recorded {
      expect(unit, response: right, to: 10_000)
      expectSliceInvariance(of: unit)
      expectResetEqualsNew(of: unit)
      expectSilence(afterTailOf: unit)
    }
    #expect(found.issues.isEmpty, "\(found.text)")
    #expect(folder.recorded { expect(unit, response: .within(0.01, of: { _ in 0 }), to: 2000) }.failures == 1)
    #expect(try unit.streamFormat(.input) == format && !unit.isInitialized)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 2), .input)
  }

  @Test(
    "A unit that puts out other channels than it takes is asked with those that it takes, and gives those that it puts out"
  )
  func outputChannels() throws {
    for (channels, expected) in [(1, 1), (4, 4)] {
      let mixer = MultichannelMixer(inputs: 1)
      try mixer.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .input)
      try mixer.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: channels), .output)
      let device = try mixer.device(playsItself: false)
      #expect(device.inputChannelCount == 2)
      let input = AudioSignal(sampleRate: 48_000, channels: [[0.5, 0.25], [0, 0.125]])
      #expect(try device.process(input).channelCount == expected)
    }
  }

  @Test("A graph that was given a stimulus has its own file again")
  func graphs() throws {
    let graph = try shelfGraph(gainDecibels: 6, in: folder)
    let player = try #require(graph.node(named: "noise")?.unit as? FilePlayer)
    (player.startFrame, player.loops) = (10, 1)
    let path = player.file?.path
    #expect(folder.recorded { expect(graph, response: .within(0.1, of: { _ in 6 }), to: 25) }.issues.isEmpty)
    #expect(player.file?.path == path && player.startFrame == 10 && player.loops == 1)
    #expect(player.file?.frameCount == 24_000)
    // Files of its own, twice, from frame 10 on; the output's length says so.
    let played = try graph.device(playsItself: true).process(AudioSignal(sampleRate: 48_000, channels: [[]]))
    #expect(played.frameCount >= 48_010)
  }

  @Test("A response is nothing to hold a device to whose gain follows level or time, unless that is said")
  func nonlinear() {
    let folds = FunctionDevice("folds") { (input) throws(BenchError) in
      AudioSignal(
        sampleRate: input.sampleRate, channels: input.channels.map { $0.map { $0 + 0.3 * $0 * $0 } })
    }
    let drifts = FunctionDevice("drifts") { (input) throws(BenchError) in
      AudioSignal(
        sampleRate: input.sampleRate,
        channels: input.channels.map { $0.enumerated().map { $1 * exp(Double($0) / 480_000) } })
    }
    for device in [folds, drifts] {
      let found = folder.recorded { expect(device, reading: "gainMaximum", of: .linear, atMost: 6) }
      #expect(found.failures == 1 && found.text.contains("the device has no one response"), "\(device.name)")
    }
  }

  @Test("Rates that a measurement cannot be made at are refused, the lowest that it can is taken")
  func rates() throws {
    for (rate, isTaken) in [(7_999.0, false), (8_000, true)] {
      var distortion = DistortionMeasurement()
      distortion.sampleRate = rate
      distortion.parts = [.tone]
      let findings = try? distortion.measure(FunctionDevice.identity(.float32))
      #expect((findings != nil) == isTaken, "\(rate)")
    }
  }
}
