import AVFAudio
import AudioEngine
import Foundation
import Testing
import VerificationTesting

@Suite("Audio units of a program's own in engines, graph files and expectations")
struct AudioUnitAdapterTests {
  init() {
    GainAudioUnit.register()
    EchoAudioUnit.register()
    NumberInstrument.register()
    RefusingAudioUnit.register()
  }

  /// An engine with a player, a node and the output.
  private func harness(_ node: AVAudioUnit, channels: AVAudioChannelCount = 1) throws -> (
    EngineHarness, AVAudioPlayerNode
  ) {
    let harness = try EngineHarness(channels: channels)
    let player = AVAudioPlayerNode()
    for node in [player, node] { harness.engine.attach(node) }
    harness.engine.connect(player, to: node, format: harness.format)
    harness.engine.connect(node, to: harness.engine.outputNode, format: harness.format)
    try harness.engine.start()
    player.play()
    return (harness, player)
  }

  @Test("An echo in an engine is its arithmetic, bit for bit, in slices of any length")
  func echoInAnEngine() async throws {
    let node = try await AVAudioUnit.instantiate(with: EchoAudioUnit.codes)
    #expect(node is AVAudioUnitEffect)
    #expect((node.name, node.manufacturerName, node.latency) == ("Half Echo", "Test", 0.25))
    try checkEcho(node)
  }

  private func checkEcho(_ node: AVAudioUnit) throws {
    let (harness, player) = try harness(node, channels: 2)
    let input = try EngineHarness.buffer(harness.format, 3000) { frame, channel in
      sin(Float(frame * (channel + 1)) * 0.37)
    }
    player.scheduleBuffer(input)
    let samples = try #require(input.floatChannelData)
    let out = try harness.render(3000, seed: 11)
    for channel in 0..<2 {
      var expected = (0..<3000).map { samples[channel][$0] }
      for frame in EchoAudioUnit.delay..<3000 { expected[frame] += expected[frame - EchoAudioUnit.delay] / 2 }
      #expect(firstDifference(out[channel], expected) == nil)
    }
    harness.engine.stop()
    try harness.engine.start()
    #expect(try harness.render(200)[0] == EngineHarness.silence(200))
  }

  @Test("Values of the tree, of the engine's parameters and of events are one, and sound from their frame on")
  func values() throws {
    let node = AVAudioUnitEffect(audioComponentDescription: GainAudioUnit.codes)
    let unit = try #require(node.auAudioUnit as? GainAudioUnit)
    unit.kernel.keepsEvents = true
    let (harness, player) = try harness(node)
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 1000) { _, _ in 1 })
    unit.parameterTree?.parameter(withAddress: 3)?.value = 2
    #expect(try node.unit.parameter(ParameterAddress(3)) == 2)
    #expect(try harness.render(4)[0] == [2, 2, 2, 2])
    try node.unit.setParameter(ParameterAddress(3), to: 3)
    #expect(unit.observed == [2, 3])
    #expect(try harness.render(4)[0] == [3, 3, 3, 3])
    // Neither needed an event.
    #expect(unit.kernel.events.isEmpty)
    unit.scheduleParameterBlock(10, 0, 3, 4)
    #expect(try harness.render(8)[0] == [3, 3, 4, 4, 4, 4, 4, 4])
    #expect(try node.unit.parameter(ParameterAddress(3)) == 4)
    #expect(try harness.render(2)[0] == [4, 4])
    try node.unit.scheduleParameters([.immediate(ParameterAddress(3), offset: 3, value: 5)])
    #expect(try harness.render(5)[0] == [4, 4, 4, 5, 5])
    #expect(unit.kernel.events.map(\.value) == [4, 5])
    node.bypass = true
    #expect(try harness.render(2)[0] == [1, 1])
  }

  @Test("A timeline comes as a ramp for each cell of 32 frames, in slices of any length")
  func timeline() throws {
    for seed in [UInt64?.none, 3, 4] {
      let node = AVAudioUnitEffect(audioComponentDescription: GainAudioUnit.codes)
      let unit = try #require(node.auAudioUnit as? GainAudioUnit)
      unit.kernel.keepsEvents = true
      let points = [(10, 0), (1010, 1), (1010, 0.5), (1200, 0.5)].map {
        ParameterTimeline.Point(frame: Int64($0.0), value: Float($0.1))
      }
      try node.unit.setTimeline(ParameterTimeline(points), for: ParameterAddress(3))
      let (harness, player) = try harness(node)
      player.scheduleBuffer(try EngineHarness.buffer(harness.format, 2000) { _, _ in 1 })
      let out = try harness.render(1400, seed: seed)[0]
      let line = { (frame: Int) -> Double in Double(min(max(frame - 10, 0), 1000)) / 1000 }
      let expected = (0..<1400).map { frame -> Float in
        if frame >= 1010 { return 0.5 }
        if frame < 10 { return 0 }
        let start = max(10, frame / 32 * 32)
        let end = min(1010, frame / 32 * 32 + 32)
        let (from, to) = (Double(Float(line(start))), Double(Float(line(end))))
        return Float(from + (to - from) * (Double(frame - start) / Double(end - start)))
      }
      #expect(firstDifference(out, expected) == nil, "seed \(seed ?? 0)")
      #expect(unit.kernel.events.allSatisfy { $0.ramp == 0 || $0.time % 32 == 0 || $0.time == 10 })
      #expect(unit.kernel.events.filter { $0.ramp > 0 }.count == 32)
    }
  }

  @Test("An instrument plays notes from the frame on, and its error ends the render")
  func instrument() async throws {
    let node = try #require(
      try await AVAudioUnit.instantiate(with: NumberInstrument.codes) as? AVAudioUnitMIDIInstrument)
    let harness = try EngineHarness()
    harness.engine.attach(node)
    harness.engine.connect(node, to: harness.engine.outputNode, format: harness.format)
    try harness.engine.start()
    node.startNote(64, withVelocity: 100, onChannel: 0)
    #expect(try harness.render(3)[0] == [64, 64, 64])
    node.stopNote(64, onChannel: 0)
    #expect(try harness.render(2)[0] == [0, 0])
    node.sendMIDIEvent(0x90, data1: 99, data2: 1)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: harness.format, frameCapacity: 8))
    let failed = #expect(throws: NSError.self) { try harness.engine.renderOffline(8, to: buffer) }
    #expect(failed?.code == Int(kAudioUnitErr_CannotDoInCurrentContext))
    #expect(failed?.localizedDescription.contains("the render block of Test: Number answered") ?? false)
  }

  @Test("A graph file names the unit in lower camel case, and sets, moves and bypasses it")
  func graphFile() throws {
    let node = #"{"unit": "lineGain", "set": {"gain": 2.5}}"#
    let device = try GraphDevice(unit: node, named: "gain", channelCount: 2, sampleRate: 44_100)
    let built = try GraphDevice(
      unit: #"{"unit": "lineGain", "set": {"gain": 2.5}, "bypass": true}"#, named: "bypassed", channelCount: 2,
      sampleRate: 44_100)
    let direct = try GraphDevice(unit: #"{"unit": "lineGain"}"#, named: "unity", channelCount: 2, sampleRate: 44_100)
    expect(built, equals: direct)
    expect(device, response: .within(0.001, of: { _ in 20 * log10(2.5) }), to: 20_000)
    #expect(throws: BenchError.self) {
      try GraphDevice(
        unit: #"{"unit": "lineGain", "set": {"gain": 9}}"#, named: "loud", channelCount: 2, sampleRate: 44_100)
    }
  }

  @Test("Slices and resets change no bit, also of an echo and of a gain that moves")
  func contract() throws {
    for node in [
      #"{"unit": "halfEcho"}"#, #"{"unit": "lineGain", "set": {"gain": 0.3}}"#,
      #"{"unit": "lineGain", "ramp": [{"parameter": "gain", "points": [[0, 0], [4410, 2], [9000, 0.5]]}]}"#,
    ] {
      let device = try GraphDevice(unit: node, named: "own", channelCount: 2, sampleRate: 44_100)
      expectSliceInvariance(of: device)
      expectResetEqualsNew(of: device)
    }
    let echo = try GraphDevice(unit: #"{"unit": "halfEcho"}"#, named: "echo", channelCount: 2, sampleRate: 44_100)
    expectSilence(afterTailOf: echo)
  }

  @Test("What a unit refuses is the graph's error, with the reason")
  func refusals() throws {
    let node = AVAudioUnitEffect(audioComponentDescription: RefusingAudioUnit.codes)
    let harness = try EngineHarness()
    let player = AVAudioPlayerNode()
    for node in [player, node] { harness.engine.attach(node) }
    harness.engine.connect(player, to: node, format: harness.format)
    harness.engine.connect(node, to: harness.engine.outputNode, format: harness.format)
    let refused = #expect(throws: NSError.self) { try harness.engine.start() }
    let text = refused?.localizedDescription ?? ""
    #expect(text.contains("Test: Refusing cannot allocate its render resources"), "\(text)")
    #expect(throws: AudioStatus.formatNotSupported) {
      try node.unit.setStreamFormat(StreamFormat(sampleRate: 8000, channelCount: 1), .output)
    }
    let echo = AVAudioUnitEffect(audioComponentDescription: EchoAudioUnit.codes)
    #expect(echo.unit.channelCapabilities.map(\.inputChannels) == [1, 2])
    #expect(echo.unit.latencyFrames == 11_025)
    #expect(echo.unit.tailFrames == 88_200)
  }

  @Test("A state of a file is taken over by a node, and that of another unit is refused")
  func presetFiles() throws {
    let node = AVAudioUnitEffect(audioComponentDescription: GainAudioUnit.codes)
    let unit = try #require(node.auAudioUnit as? GainAudioUnit)
    unit.parameterTree?.allParameters[0].value = 1.5
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString).aupreset")
    defer { try? FileManager.default.removeItem(at: url) }
    let state = try #require(unit.fullState)
    try PropertyListSerialization.data(fromPropertyList: state, format: .binary, options: 0).write(to: url)
    let other = AVAudioUnitEffect(audioComponentDescription: GainAudioUnit.codes)
    try other.loadPreset(at: url)
    #expect(try other.unit.parameter(ParameterAddress(3)) == 1.5)
    let device = try GraphDevice(
      unit: #"{"unit": "lineGain", "state": "\#(url.path)"}"#, named: "state", channelCount: 1, sampleRate: 44_100)
    expect(device, response: .within(0.001, of: { _ in 20 * log10(1.5) }), to: 20_000)
    let wrong = #expect(throws: NSError.self) { try AVAudioUnitReverb().loadPreset(at: url) }
    #expect(wrong?.code == Int(kAudioUnitErr_InvalidPropertyValue))
  }
}
