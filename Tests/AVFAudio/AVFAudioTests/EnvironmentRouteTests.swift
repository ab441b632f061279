import AVFAudio
import BuiltInUnits
import Foundation
import Hardware
import Testing

@Suite("An environment's output type follows the route")
struct EnvironmentRouteTests {
  private func change(_ seconds: Double, output: String?) -> ScenarioEvent {
    var change = ScenarioEvent.RouteChange()
    change.route = DeviceRoute(output: output)
    change.blockedSeconds = 0
    return ScenarioEvent(seconds: seconds, .route(change))
  }

  @Test("Built-in speakers, headphones, external ones; the override to the speaker counts, a type that is set more")
  func route() throws {
    let harness = try HardwareHarness { scenario in
      let outputs = ["Headphones", "HDMI", "BluetoothA2DP", "LineOut", nil]
      scenario.events = outputs.enumerated().map { change(0.15 + 0.2 * Double($0.offset), output: $0.element) }
    }
    let (engine, environment) = (harness.engine, AVAudioEnvironmentNode())
    engine.attach(environment)
    engine.connect(environment, to: engine.outputNode, format: harness.format)
    let mixer = try #require(environment.unit as? SpatialMixer)
    try engine.start()
    #expect(mixer.outputType == .builtInSpeakers)
    let session = AVAudioSession(hardware: harness.hardware)
    try session.setCategory(.playAndRecord)
    let types: [SpatialOutputType] = [.headphones, .externalSpeakers, .headphones, .headphones, .builtInSpeakers]
    for (step, type) in types.enumerated() {
      try harness.hardware.advance(seconds: 0.2 * Double(step + 1) - harness.hardware.scenarioSeconds)
      #expect(mixer.outputType == type, "step \(step)")
      guard step == 0 else { continue }
      try session.overrideOutputAudioPort(.speaker)
      try harness.hardware.advance(seconds: 0.02)
      #expect(mixer.outputType == .builtInSpeakers)
      try session.overrideOutputAudioPort(.none)
      environment.outputType = .externalSpeakers
      try harness.hardware.advance(seconds: 0.02)
      #expect(mixer.outputType == .externalSpeakers)
      environment.outputType = .auto
    }
    engine.stop()
  }

  @Test(
    "A source to the right is heard by the left ear in headphones alone, from the second cycle behind the change on",
    .enabled(if: SpatialMixer.hasHeadResponses))
  func sound() throws {
    let harness = try HardwareHarness { $0.events = [change(0.2, output: "Headphones")] }
    let (engine, environment, player) = (harness.engine, AVAudioEnvironmentNode(), AVAudioPlayerNode())
    for node in [environment, player] { engine.attach(node) }
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    engine.connect(player, to: environment, format: mono)
    engine.connect(environment, to: engine.outputNode, format: harness.format)
    (player.renderingAlgorithm, player.position) = (.auto, AVAudioMake3DPoint(1, 0, 0))
    player.scheduleBuffer(try EngineHarness.buffer(mono, 48_000, HardwareHarness.noise))
    try engine.start()
    player.play()
    try harness.hardware.advance(seconds: 0.4)
    engine.stop()
    let left = harness.loudspeaker.samples()[0]
    #expect(left[..<9600].allSatisfy { abs($0) < 1e-6 })
    let first = try #require(left.indices.first { abs(left[$0]) > 1e-3 })
    #expect((10_080..<10_800).contains(first), "frame \(first)")
  }

  @Test("In manual rendering mode two channels are external speakers, as documented")
  func manual() throws {
    let harness = try EngineHarness(channels: 2)
    let environment = AVAudioEnvironmentNode()
    harness.engine.attach(environment)
    harness.engine.connect(environment, to: harness.engine.outputNode, format: harness.format)
    try harness.engine.start()
    #expect((environment.unit as? SpatialMixer)?.outputType == .externalSpeakers)
  }
}
