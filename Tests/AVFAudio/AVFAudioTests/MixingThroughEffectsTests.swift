import AVFAudio
import Testing

@Suite("Volume and pan of a source count behind effects too")
struct MixingThroughEffectsTests {
  @Test("A player behind two bypassed effects is as loud as its volume says, before and while it is rendered")
  func chain() throws {
    let harness = try EngineHarness()
    let engine = harness.engine
    let player = AVAudioPlayerNode()
    let effects = [AVAudioUnitEQ(numberOfBands: 1), AVAudioUnitDistortion()]
    for effect in effects {
      engine.attach(effect)
      effect.bypass = true
    }
    engine.attach(player)
    player.volume = 0.5
    engine.connect(player, to: effects[0], format: harness.format)
    engine.connect(effects[0], to: effects[1], format: harness.format)
    engine.connect(effects[1], to: engine.mainMixerNode, format: harness.format)
    player.scheduleBuffer(try harness.ramp(400, from: 1000))
    try engine.start()
    player.play()
    #expect(try harness.render(100)[0] == (0..<100).map { Float(1000 + $0) * 0.5 })
    player.volume = 0.25
    #expect(try harness.render(100)[0] == (100..<200).map { Float(1000 + $0) * 0.25 })

    let place = try #require(player.destination(forMixer: engine.mainMixerNode, bus: 0))
    #expect(place.volume == 0.25)
    place.volume = 2
    #expect(try harness.render(100)[0] == (200..<300).map { Float(1000 + $0) * 2 })
    #expect(player.volume == 0.25)
    player.volume = 1
    #expect(try harness.render(100)[0] == (300..<400).map { Float(1000 + $0) })
  }

  @Test("A player's pan counts behind an effect, and that of another player behind the same mixer does not")
  func pan() throws {
    let harness = try EngineHarness(channels: 2)
    let engine = harness.engine
    let left = AVAudioPlayerNode(), inner = AVAudioPlayerNode()
    let effect = AVAudioUnitEQ(numberOfBands: 1)
    let group = AVAudioMixerNode()
    for node in [left, inner, effect, group] { engine.attach(node) }
    effect.bypass = true
    engine.connect(left, to: effect, format: harness.format)
    engine.connect(effect, to: engine.mainMixerNode, format: harness.format)
    engine.connect(inner, to: group, format: harness.format)
    engine.connect(group, to: engine.mainMixerNode, format: harness.format)
    // A mixer in between has values of its own: this one's player is silent in it, and the main mixer hears nothing of that.
    inner.volume = 0
    left.pan = -1
    for player in [left, inner] { player.scheduleBuffer(try EngineHarness.buffer(harness.format, 50) { _, _ in 1 }) }
    try engine.start()
    left.play()
    inner.play()
    #expect(try harness.render(50) == [[Float](repeating: 1, count: 50), [Float](repeating: 0, count: 50)])
    #expect(left.destination(forMixer: engine.mainMixerNode, bus: 1) == nil)
    #expect(inner.destination(forMixer: engine.mainMixerNode, bus: 1) == nil)
  }
}
