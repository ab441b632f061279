import AVFAudio
import BuiltInUnits
import Testing

@Suite("Effects: defaults, ranges and the units underneath")
struct AVAudioUnitTests {
  @Test("Values are the documented ones at first, and stay within their ranges")
  func defaults() throws {
    let delay = AVAudioUnitDelay()
    #expect((delay.delayTime, delay.feedback, delay.lowPassCutoff, delay.wetDryMix) == (1, 50, 15_000, 100))
    delay.delayTime = 3
    delay.feedback = -101
    delay.wetDryMix = .nan
    #expect((delay.delayTime, delay.feedback, delay.wetDryMix) == (2, -100, 100))
    let distortion = AVAudioUnitDistortion()
    #expect((distortion.preGain, distortion.wetDryMix) == (-6, 50))
    let pitch = AVAudioUnitTimePitch()
    #expect((pitch.rate, pitch.pitch, pitch.overlap) == (1, 0, 8))
    pitch.rate = 0.001
    pitch.pitch = 9999
    #expect((pitch.rate, pitch.pitch) == (1 / 32, 2400))
    let speed = AVAudioUnitVarispeed()
    #expect(speed.rate == 1)
    speed.rate = 9
    #expect(speed.rate == 4)
    let equalizer = AVAudioUnitEQ(numberOfBands: 3)
    #expect(equalizer.globalGain == 0)
    #expect(equalizer.bands.count == 3)
    #expect(equalizer.bands.allSatisfy { $0.bypass && $0.filterType == .parametric && $0.gain == 0 })
    equalizer.bands[2].frequency = 1e6
    equalizer.bands[2].bandwidth = 0
    #expect((equalizer.bands[2].frequency, equalizer.bands[2].bandwidth) == (22_050, 0.05))
    #expect((equalizer.name, equalizer.manufacturerName) == ("AUNBandEQ", "Apple"))
  }

  @Test("A bypassed effect passes its input, and one that is not passes an echo at its frame")
  func echo() throws {
    let harness = try EngineHarness()
    let (player, delay) = (AVAudioPlayerNode(), AVAudioUnitDelay())
    for node in [player, delay] { harness.engine.attach(node) }
    harness.engine.connect(player, to: delay, format: harness.format)
    harness.engine.connect(delay, to: harness.engine.outputNode, format: harness.format)
    delay.delayTime = 441.0 / 44_100
    delay.feedback = 0
    delay.lowPassCutoff = 22_050
    delay.bypass = true
    try harness.engine.start()
    player.scheduleBuffer(try harness.ramp(100, from: 1))
    player.play()
    #expect(try harness.render(200)[0] == EngineHarness.ramp(0..<100, from: 1) + EngineHarness.silence(100))
    delay.bypass = false
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 1) { _, _ in 1 })
    let out = try harness.render(600)[0]
    #expect(out.indices.filter { abs(out[$0]) > 0.5 } == [441])
  }

  @Test("At twice the speed a ramp climbs twice as fast, and the player is asked for twice the frames")
  func speed() throws {
    let harness = try EngineHarness()
    let (player, speed) = (AVAudioPlayerNode(), AVAudioUnitVarispeed())
    for node in [player, speed] { harness.engine.attach(node) }
    harness.engine.connect(player, to: speed, format: harness.format)
    harness.engine.connect(speed, to: harness.engine.outputNode, format: harness.format)
    speed.rate = 2
    try harness.engine.start()
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 4000) { frame, _ in Float(frame) / 4000 })
    player.play()
    let out = try harness.render(1500)[0]
    #expect((200..<1500).allSatisfy { abs(out[$0] - Float(2 * $0) / 4000) < 0.002 })
    let last = try #require(player.lastRenderTime)
    #expect((2000...3000).contains(last.sampleTime))
  }
}
