// The examples of the documentation, as a user would compile them: the target sees no `package` declarations.
// Made of the comments in Sources by `make held PART=tests`; DocumentationExampleTests compares the two.

import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import DeviceUnits
import Foundation
import GraphMeasurement
import Hardware
import Measurement
import RenderGraph
import Testing
import Verification
import VerificationTesting

@Suite("Examples of the documentation")
struct DocumentationExamples {
  @Test func alignedNullComparator() throws {
    let inTime = try FormulaDevice([Formula("in(c)")])
    let late = try FormulaDevice([Formula("in(c, n - 10)")])
    expect(late, equals: inTime, .alignedNull(-90, delay: 10))
  }

  @Test func bandComparator() throws {
    // Another phase, and the same level in each third of an octave.
    let inverted = try FormulaDevice([Formula("-in(c)")])
    expect(inverted, equals: try FormulaDevice([Formula("in(c)")]), .bands(0.1))
  }

  @Test func bandPassFilter() throws {
    let filter = try BandPassFilter(centerHertz: 1000, bandwidthCents: 1200)
    let response = try #require(filter.closedForm(sampleRate: 48_000))
    #expect(abs(try #require(response.magnitudeDecibels(atHertz: 1000)) - 0) < 0.01)
  }

  @Test func crosstalkMeasurement() throws {
    // A hundredth of the other channel: −40 dB.
    let leaking = try FormulaDevice(["in(0) + 0.01 * in(1)", "in(1)"].map { try Formula($0) })
    let findings = try CrosstalkMeasurement.findings(of: leaking)
    let leak = try #require(findings.readings.first { $0.id == "crosstalk" && $0.channel == 0 })
    #expect(abs(leak.value + 40) < 0.01)
  }

  @Test func delay() throws {
    let echo = Delay()
    try echo.set(.delayTime, to: 0.25)
    try echo.set(.feedback, to: 30)
    try echo.set(.wetDryMix, to: 40)
    expectResetEqualsNew(of: echo)
  }

  @Test func deviceInput() throws {
    let output = DeviceOutput(.remoteIO, hardware: SimulatedHardware(DeviceConfiguration()))
    let graph = Graph(sampleRate: 44_100)
    let microphone = try graph.add(DeviceInput(of: output))
    try graph.connect(microphone, to: graph.add(PeakLimiter()))
    try graph.connect(#require(graph.node(named: "peakLimiter1")).unit, to: graph.add(output))
  }

  @Test func deviceOutput() throws {
    var scenario = Scenario()
    scenario.device.clock = .told
    let hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
    let output = DeviceOutput(.remoteIO, hardware: hardware)
    try output.setRenderCallback(RenderCallback { _, _, _, _ in .noError }, input: 0)
    try output.initialize()
    try output.start()
    try hardware.advance(seconds: 0.1)
    output.stop()
  }

  @Test func distortion() throws {
    let distortion = Distortion()
    let radio = try #require(Distortion.presets.first { $0.name.contains("Radio") })
    try distortion.select(preset: radio.number)
    try distortion.set(.finalMix, to: 40)
    expectSliceInvariance(of: distortion)
  }

  @Test func distortionMeasurement() throws {
    // A square of 0.01: the second harmonic of a sine a is a/2 · 0.01 as loud as it.
    let device = try FormulaDevice([Formula("in(c) + 0.01 * in(c)^2")])
    var measurement = DistortionMeasurement()
    measurement.parts = [.tone]
    measurement.levelDecibels = -6
    let thd = try #require(try measurement.measure(device).reading("thd", channel: 0))
    #expect(abs(thd.value + 52.02) < 0.1)
  }

  @Test func dynamicsMeasurement() throws {
    var measurement = DynamicsMeasurement()
    measurement.levels = stride(from: -60.0, through: 0, by: 4).map { $0 }
    measurement.settleSeconds = 0.1
    let limiter = try PeakLimiter().device(sampleRate: 48_000)
    let curve = try #require(try measurement.measure(limiter).curve("staticCurve", channel: 0))
    #expect(curve.points.count == 16)
  }

  @Test func dynamicsProcessor() throws {
    let compressor = DynamicsProcessor()
    try compressor.set(.threshold, to: -30)
    try compressor.set(.headRoom, to: 10)
    try compressor.set(.attackTime, to: 0.01)
    let loud = try compressor.device(sampleRate: 48_000).process(
      AudioSignal(sampleRate: 48_000, channelCount: 2, (0..<48_000).map { 0.5 * sin(0.1 * Double($0)) }))
    #expect(loud.channels[0].suffix(100).allSatisfy { abs($0) < 0.3 })
  }

  @Test func exactComparator() throws {
    let signal = AudioSignal(sampleRate: 48_000, channels: [[0, 0.5, -0.25]])
    let outcome = ExactComparator().compare(signal, with: signal)
    #expect(outcome.verdict == .passed)
  }

  @Test func filePlayer() throws {
    let player = try FilePlayer("fixtures/audio/drums.flac")
    player.region = 0..<11_025
    player.loops = 3
    let graph = Graph(sampleRate: 44_100)
    try graph.connect(graph.add(player), to: graph.add(GenericOutput()))
    #expect(try OfflineRenderer(graph).renderToMemory().report.frames == 4 * 11_025)
  }

  @Test func formatConverterUnit() throws {
    let graph = Graph(sampleRate: 48_000)
    let converter = try graph.add(FormatConverterUnit())
    converter.options.quality = .best
    converter.channelMap = [1, 0]
    try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: converter)
    try graph.setOutputFormat(.init(sampleRate: 48_000), of: converter)
    try graph.connect(converter, to: graph.add(GenericOutput()))
    #expect(try OfflineRenderer(graph).renderToMemory().report.sampleRate == 48_000)
  }

  @Test func genericOutput() throws {
    let graph = Graph(sampleRate: 48_000)
    let noise = try graph.add(NoiseGenerator())
    try noise.setLength(frames: 48_000)
    try graph.connect(noise, to: graph.add(GenericOutput()))
    let report = try OfflineRenderer(graph).renderToMemory().report
    #expect(report.frames == 48_000)
  }

  @Test func graphicEQ() throws {
    let equalizer = GraphicEQ()
    try equalizer.setBands(.octaves)
    // The bands lie at 31.25 Hz · 2^band: 1 kHz is that of 5.
    try equalizer.setGain(6, band: 5)
    expect(equalizer, reading: "gainMaximum", of: .linear, equals: 6, within: 0.1)
  }

  @Test func highPassFilter() throws {
    let filter = try HighPassFilter(cutoffHertz: 80, resonanceDecibels: -3)
    let response = try #require(filter.closedForm(sampleRate: 48_000))
    #expect(abs(try #require(response.magnitudeDecibels(atHertz: 80)) - -3) < 0.01)
  }

  @Test func highShelfFilter() throws {
    let filter = try HighShelfFilter(cutoffHertz: 8000, gainDecibels: -4)
    let response = try #require(filter.closedForm(sampleRate: 48_000))
    #expect(abs(try #require(response.magnitudeDecibels(atHertz: 8000)) - -2) < 0.01)
  }

  @Test func iPodEQ() throws {
    let rock = try IPodEQ(named: "Rock")
    #expect(rock.preset.name == "Rock")
    let graph = Graph(sampleRate: 44_100)
    try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: graph.add(rock))
    try graph.connect(rock, to: graph.add(GenericOutput()))
  }

  @Test func levelMeasurement() throws {
    let findings = try LevelMeasurement.findings(ofFile: "fixtures/audio/drums.flac")
    let loudness = try #require(findings.reading("loudnessIntegrated"))
    let peak = try #require(findings.reading("truePeak", channel: 0))
    #expect(loudness.value < peak.value)
  }

  @Test func linearMeasurement() throws {
    let filter = try ParametricEQ(centerHertz: 1000, q: 1, gainDecibels: 6).device(sampleRate: 48_000)
    let findings = try LinearMeasurement(LinearSettings(filter)).findings(of: filter)
    let gain = try #require(findings.reading("gainMaximum", channel: 0))
    #expect(abs(gain.value - 6) < 0.001, "\(gain.text)")
    let phase = try #require(findings.curve("phase", channel: 0))
    #expect(phase.points.count > 100)
  }

  @Test func loudnessComparator() throws {
    let louder = try FormulaDevice([Formula("in(c) * 1.01")])
    // 1.01 is 0.086 LU.
    expect(louder, equals: try FormulaDevice([Formula("in(c)")]), .loudness(0.1), given: .noise(seconds: 1))
  }

  @Test func lowPassFilter() throws {
    let filter = try LowPassFilter(cutoffHertz: 1000, resonanceDecibels: 6)
    let response = try #require(filter.closedForm(sampleRate: 48_000))
    #expect(abs(try #require(response.magnitudeDecibels(atHertz: 1000)) - 6) < 0.01)
  }

  @Test func lowShelfFilter() throws {
    let filter = try LowShelfFilter(cutoffHertz: 200, gainDecibels: 6)
    let response = try #require(filter.closedForm(sampleRate: 48_000))
    #expect(abs(try #require(response.magnitudeDecibels(atHertz: 200)) - 3) < 0.01)
  }

  @Test func matrixMixer() throws {
    let mixer = MatrixMixer(inputs: 1, outputs: 1)
    // The left channel to the right one, and the other way round.
    try mixer.setParameter(MatrixMixer.masterAddress, to: 1)
    for channel in 0..<2 {
      try mixer.setParameter(MatrixMixer.channelAddress(.input, channel), to: 1)
      try mixer.setParameter(MatrixMixer.channelAddress(.output, channel), to: 1)
      try mixer.setParameter(MatrixMixer.crosspointAddress(input: channel, output: 1 - channel), to: 1)
    }
    expect(mixer, equals: try FormulaDevice(["in(1)", "in(0)"].map { try Formula($0) }))
  }

  @Test func merger() throws {
    let graph = Graph(sampleRate: 44_100)
    let merger = try graph.add(Merger())
    try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: merger, input: 0)
    try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: merger, input: 1)
    try graph.connect(merger, to: graph.add(GenericOutput()))
    #expect(try OfflineRenderer(graph).renderToMemory().report.channelCount == 3)
  }

  @Test func multiResolutionComparator() throws {
    let softer = try FormulaDevice([Formula("in(c) * 0.99")])
    // 0.99 is −0.087 dB at each frequency.
    expect(softer, equals: try FormulaDevice([Formula("in(c)")]), .spectrum(0.1))
  }

  @Test func multiSplitter() throws {
    let graph = Graph(sampleRate: 48_000)
    let splitter = try graph.add(MultiSplitter(outputs: 3))
    let mixer = try graph.add(MultichannelMixer(inputs: 3))
    try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: splitter)
    for bus in 0..<3 { try graph.connect(splitter, output: bus, to: mixer, input: bus) }
    try graph.connect(mixer, to: graph.add(GenericOutput()))
  }

  @Test func multibandFilter() throws {
    let filter = MultibandFilter()
    try filter.set(.centerFrequency1, to: 1000)
    try filter.set(.centerGain1, to: 6)
    try filter.set(.bandwidth1, to: 1)
    expect(filter, reading: "gainMaximum", of: .linear, equals: 6, within: 0.01)
  }

  @Test func multichannelMixer() throws {
    let graph = Graph(sampleRate: 44_100)
    let mixer = try graph.add(MultichannelMixer(inputs: 2))
    try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: mixer, input: 0)
    try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: mixer, input: 1)
    try graph.connect(mixer, to: graph.add(GenericOutput()))
    try mixer.setVolume(0.5, input: 0)
    try mixer.setPan(-0.3, input: 1)
    let mix = try OfflineRenderer(graph).renderToMemory()
    #expect(mix.channels.count == 2)
  }

  @Test func nBandEQ() throws {
    let equalizer = try NBandEQ([
      .init(.parametric, frequencyHertz: 350, bandwidthOctaves: 1, gainDecibels: -4),
      .init(.highShelf, frequencyHertz: 8000, gainDecibels: 3),
    ])
    let response = try #require(equalizer.closedForm(sampleRate: 48_000))
    #expect(abs(try #require(response.magnitudeDecibels(atHertz: 350)) + 4) < 0.1)
  }

  @Test func newTimePitch() throws {
    let higher = NewTimePitch()
    try higher.set(.pitch, to: 700)
    try higher.set(.enableTransientPreservation, to: 1)
    let graph = Graph(sampleRate: 44_100)
    try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: graph.add(higher))
    try graph.connect(higher, to: graph.add(GenericOutput()))
  }

  @Test func noiseGenerator() throws {
    let pink = NoiseGenerator()
    try pink.set(.color, to: 1)
    try pink.set(.level, to: -30)
    try pink.setLength(frames: 96_000)
    let graph = Graph(sampleRate: 48_000)
    try graph.connect(graph.add(pink), to: graph.add(GenericOutput()))
    #expect(try OfflineRenderer(graph).renderToMemory().channels[0].count == 96_000)
  }

  @Test func noiseMeasurement() throws {
    let humming = try FormulaDevice([Formula("in(c) + 0.0001 * sin(2 * pi * 50 * t)")])
    var measurement = NoiseMeasurement()
    measurement.seconds = 1
    let findings = try measurement.measure(humming)
    #expect(abs(try #require(findings.reading("noise", channel: 0)).value + 80) < 1)
  }

  @Test func normalizer() throws {
    let normalizer = Normalizer()
    try normalizer.set(.level, to: -23)
    let graph = Graph(sampleRate: 44_100)
    try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: graph.add(normalizer))
    try graph.connect(normalizer, to: graph.add(GenericOutput()))
    let channels = try OfflineRenderer(graph).renderToMemory().channels.map { $0.map(Double.init) }
    let levels = try LevelMeasurement.findings(of: AudioSignal(sampleRate: 44_100, channels: channels))
    #expect(abs(try #require(levels.reading("loudnessIntegrated")).value + 23) < 0.1)
  }

  @Test func parametricEQ() throws {
    let filter = try ParametricEQ(centerHertz: 1000, q: 2, gainDecibels: -9)
    let response = try #require(filter.closedForm(sampleRate: 48_000))
    #expect(abs(try #require(response.magnitudeDecibels(atHertz: 1000)) - -9) < 0.01)
  }

  @Test func peakLimiter() throws {
    let limiter = PeakLimiter()
    try limiter.setCeiling(-1)
    try limiter.setLimitsTruePeak(true)
    try limiter.set(.preGain, to: 12)
    let limited = try limiter.device(sampleRate: 48_000).process(AudioSignal(contentsOf: "fixtures/audio/drums.flac"))
    let truePeak = try #require(LevelMeasurement.findings(of: limited).reading("truePeak", channel: 0))
    #expect(truePeak.value < -0.9)
  }

  @Test func resamplerMeasurement() throws {
    let converter = LibraryConversionDevice(.best, to: 48_000)
    var measurement = ResamplerMeasurement(from: 44_100, to: 48_000)
    measurement.measuredFrames = 1 << 14
    let ripple = try #require(try measurement.measure(converter).reading("passbandRipple", channel: 0))
    #expect(ripple.value < 0.1)
  }

  @Test func residualComparator() throws {
    // A gain of 0.0001 dB leaves a difference of 0.0000115 of the sound: −99 dB.
    let almost = try FormulaDevice([Formula("in(c) * 1.0000115")])
    expect(almost, equals: try FormulaDevice([Formula("in(c)")]), .residual(peak: -90, rms: -100))
  }

  @Test func reverb() throws {
    let reverb = Reverb()
    try reverb.set(.decayTimeAt0Hz, to: 1.5)
    try reverb.set(.decayTimeAtNyquist, to: 0.4)
    try reverb.set(.dryWetMix, to: 30)
    expectSliceInvariance(of: reverb)
  }

  @Test func sampleDelay() throws {
    let delay = try SampleDelay(frames: 480)
    var law = try FormulaDevice([Formula("in(c, n - 480)")])
    law.outputFrames = 24_480
    expect(delay, equals: law)
  }

  @Test func scheduledFilePlayer() throws {
    let player = ScheduledFilePlayer()
    try player.setFiles(["fixtures/audio/drums.flac", "fixtures/audio/guitar.flac"])
    try player.scheduleRegion(ScheduledRegion(file: 0, frameCount: 22_050))
    try player.scheduleRegion(ScheduledRegion(file: 1, startFrame: 4410, frameCount: 22_050))
    try player.prime()
    player.setStartTime(sampleTime: 0)
  }

  @Test func scheduledSoundPlayer() throws {
    let player = ScheduledSoundPlayer()
    let click = [[Float](repeating: 0.5, count: 16), [Float](repeating: 0.5, count: 16)]
    for beat in 0..<4 { try player.schedule(ScheduledSlice(click, sampleTime: Int64(beat * 22_050))) }
    player.setStartTime(sampleTime: 0)
    let graph = Graph(sampleRate: 44_100)
    try graph.connect(graph.add(player), to: graph.add(GenericOutput()))
  }

  @Test func slicedDevice() throws {
    // Its state is the last sample: y[n] = (x[n] + x[n − 1]) / 2.
    let average = SlicedDevice("average", make: { _, _ in Float(0) }) { last, slice in
      for frame in slice[0].indices {
        let sample = slice[0][frame]
        slice[0][frame] = (sample + last) / 2
        last = sample
      }
    }
    expectSliceInvariance(of: average)
  }

  @Test func spatialMixer() throws {
    let graph = Graph(sampleRate: 48_000)
    let mixer = try graph.add(SpatialMixer(inputs: 1))
    try mixer.setAlgorithm(.sphericalHead, input: 0)
    try mixer.set(.azimuth, input: 0, to: 90)
    let noise = try graph.add(NoiseGenerator())
    try noise.setLength(frames: 4800)
    try graph.connect(noise, to: mixer)
    try graph.connect(mixer, to: graph.add(GenericOutput()))
    let peaks = try OfflineRenderer(graph).renderToMemory().report.peakDecibels
    #expect(peaks[1] > peaks[0], "it comes from the right")
  }

  @Test func splitter() throws {
    let graph = Graph(sampleRate: 48_000)
    let splitter = try graph.add(Splitter())
    let mixer = try graph.add(MultichannelMixer(inputs: 2))
    try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: splitter)
    try graph.connect(splitter, output: 0, to: mixer, input: 0)
    try graph.connect(splitter, output: 1, to: graph.add(Delay()))
    try graph.connect(#require(graph.node(named: "delay1")).unit, to: mixer, input: 1)
    try graph.connect(mixer, to: graph.add(GenericOutput()))
  }

  @Test func timePitch() throws {
    let slower = TimePitch()
    try slower.set(.rate, to: 0.5)
    let graph = Graph(sampleRate: 44_100)
    try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: graph.add(slower))
    try graph.connect(slower, to: graph.add(GenericOutput()))
  }

  @Test func toneGenerator() throws {
    let tone = ToneGenerator()
    try tone.set(.frequency, to: 440)
    try tone.set(.level, to: -20)
    try tone.setLength(frames: 4800)
    let graph = Graph(sampleRate: 48_000)
    try graph.connect(graph.add(tone), to: graph.add(GenericOutput()))
    let rendered = try OfflineRenderer(graph).renderToMemory()
    #expect(abs(rendered.report.peakDecibels[0] + 20) < 0.01)
  }

  @Test func ulpComparator() throws {
    let sound = AudioSignal(sampleRate: 48_000, channels: [[0.5]])
    let other = AudioSignal(sampleRate: 48_000, channels: [[Double(Float(0.5).nextUp)]])
    expect(sound, equals: other, .ulps(1))
  }

  @Test func varispeed() throws {
    let speed = Varispeed()
    try speed.set(.playbackRate, to: 2)
    let tone = ToneGenerator()
    try tone.setLength(frames: 48_000)
    let graph = Graph(sampleRate: 48_000)
    try graph.connect(graph.add(tone), to: graph.add(speed))
    try graph.connect(speed, to: graph.add(GenericOutput()))
    #expect(try OfflineRenderer(graph).renderToMemory().report.frames < 24_100)
  }

  @Test func voiceMeasurement() throws {
    // It passes the microphone and drops the loudspeaker: no echo is reduced.
    var nothing = try FormulaDevice([Formula("in(0)")])
    nothing.outputChannelCount = 1
    var measurement = VoiceMeasurement()
    measurement.sampleRate = 8000
    measurement.sceneCount = 1
    let reduction = try #require(try measurement.measure(nothing).reading("echoReturnLossSpeech"))
    #expect(abs(reduction.value) < 0.1)
  }
}
