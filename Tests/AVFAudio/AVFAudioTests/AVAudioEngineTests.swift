import AVFAudio
import AudioEngine
import BuiltInUnits
import Foundation
import RenderGraph
import TestSupport
import Testing

@Suite("AVAudioEngine: manual rendering")
struct AVAudioEngineTests {
  private typealias Harness = EngineHarness
  private let folder = TemporaryFolder()

  private func code(_ body: () throws -> Void) -> Int {
    do { try body() } catch {
      #expect((error as NSError).domain == "com.apple.coreaudio.avfaudio")
      return (error as NSError).code
    }
    return 0
  }

  private static func noise(_ frame: Int, _ channel: Int) -> Float {
    Float((frame * 7919 + channel * 131) % 2001 - 1000) / 2000
  }

  @Test("The documented example writes the same bits as the same graph through the Swift interface")
  func documentedExample() throws {
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    let sourcePlace = URL(fileURLWithPath: folder.file("source.caf"))
    let sound = try Harness.buffer(stereo, 9000, Self.noise)
    let written = try AVAudioFile(forWriting: sourcePlace, settings: stereo.settings)
    try written.write(from: sound)
    try written.finish()

    let sourceFile = try AVAudioFile(forReading: sourcePlace)
    let format = sourceFile.processingFormat
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let reverb = AVAudioUnitReverb()
    let equalizer = AVAudioUnitEQ(numberOfBands: 2)
    engine.attach(player)
    engine.attach(reverb)
    engine.attach(equalizer)
    reverb.loadFactoryPreset(.largeHall)
    reverb.wetDryMix = 50
    equalizer.globalGain = -3
    equalizer.bands[1].filterType = .highShelf
    equalizer.bands[1].frequency = 3000
    equalizer.bands[1].gain = 6
    equalizer.bands[1].bypass = false
    engine.connect(player, to: reverb, format: format)
    engine.connect(reverb, to: equalizer, format: format)
    engine.connect(equalizer, to: engine.mainMixerNode, format: format)
    player.scheduleFile(sourceFile, at: nil)
    let maximum: AVAudioFrameCount = 1000
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximum)
    try engine.start()
    player.play()

    let buffer = try #require(
      AVAudioPCMBuffer(
        pcmFormat: engine.manualRenderingFormat, frameCapacity: engine.manualRenderingMaximumFrameCount))
    let place = URL(fileURLWithPath: folder.file("mixed.caf"))
    let outputFile = try AVAudioFile(forWriting: place, settings: sourceFile.fileFormat.settings)
    while engine.manualRenderingSampleTime < sourceFile.length {
      let left = sourceFile.length - engine.manualRenderingSampleTime
      let status = try engine.renderOffline(min(AVAudioFrameCount(left), buffer.frameCapacity), to: buffer)
      #expect(status == .success)
      try outputFile.write(from: buffer)
    }
    player.stop()
    engine.stop()
    try outputFile.finish()

    let graph = Graph(sampleRate: 44_100, maximumFramesPerSlice: 4096)
    let channels = (0..<2).map { channel in (0..<9000).map { Self.noise($0, channel) } }
    let room = try graph.add(Reverb())
    try room.select(preset: Int32(AVAudioUnitReverbPreset.largeHall.rawValue))
    try room.set(.dryWetMix, to: 50)
    let bands = try graph.add(
      NBandEQ(
        [.init(isBypassed: true), .init(.highShelf, frequencyHertz: 3000, gainDecibels: 6)], globalGainDecibels: -3))
    let mixer = try graph.add(MultichannelMixer(inputs: 1))
    try graph.connect(graph.add(soundPlayer(channels)), to: room)
    try graph.connect(room, to: bands)
    try graph.connect(bands, to: mixer)
    try graph.connect(mixer, to: graph.add(GenericOutput()))
    let expected = try frames(of: graph, 9000)

    let back = try AVAudioFile(forReading: place)
    let whole = try #require(AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 9001))
    try back.read(into: whole)
    #expect(whole.frameLength == 9000)
    let samples = try #require(whole.floatChannelData)
    for channel in 0..<2 {
      let found = Array(UnsafeBufferPointer(start: samples[channel], count: 9000))
      #expect(firstDifference(found, expected[channel]) == nil)
    }
    #expect(expected[0].contains { abs($0) > 0.1 })
  }

  @Test("A mixer takes inputs of other rates and channels, with volume and pan, as the mixer unit does")
  func mixerInputs() throws {
    let harness = try Harness(channels: 2)
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let sources = [(mono, Float(0.5), Float(-0.25)), (harness.format, 0.75, 0.5)]
    let players = sources.map { _ in AVAudioPlayerNode() }
    for (player, source) in zip(players, sources) {
      harness.engine.attach(player)
      harness.engine.connect(player, to: harness.engine.mainMixerNode, format: source.0)
      player.volume = source.1
      player.pan = source.2
      player.scheduleBuffer(try Harness.buffer(source.0, 3000, Self.noise))
    }
    harness.engine.mainMixerNode.outputVolume = 0.9
    try harness.engine.start()
    players.forEach { $0.play() }
    let found = try harness.render(3000)

    let graph = Graph(sampleRate: 44_100, maximumFramesPerSlice: 512)
    let mixer = try graph.add(MultichannelMixer(inputs: 2))
    for (bus, source) in sources.enumerated() {
      let channels = (0..<Int(source.0.channelCount)).map { channel in (0..<3000).map { Self.noise($0, channel) } }
      let player = try graph.add(soundPlayer(channels))
      try graph.setOutputFormat(.init(sampleRate: source.0.sampleRate, channelCount: channels.count), of: player)
      try graph.connect(player, to: mixer, input: bus)
      try mixer.setVolume(source.1, input: bus)
      try mixer.setPan(source.2, input: bus)
    }
    try mixer.setOutputVolume(0.9)
    try graph.connect(mixer, to: graph.add(GenericOutput()))
    let expected = try frames(of: graph, 3000)
    for channel in 0..<2 { #expect(firstDifference(found[channel], expected[channel]) == nil) }
    #expect(harness.engine.mainMixerNode.nextAvailableInputBus == 2)
  }

  @Test("Edits between slices hold from the next frame on, and leave alone what they do not touch")
  func edits() throws {
    let harness = try Harness(channels: 2)
    let engine = harness.engine
    let (first, second) = (AVAudioPlayerNode(), AVAudioPlayerNode())
    for player in [first, second] { engine.attach(player) }
    engine.connect(first, to: engine.mainMixerNode, format: harness.format)
    try engine.start()
    first.scheduleBuffer(try Harness.buffer(harness.format, 100) { _, _ in 1 }, at: nil, options: .loops)
    first.play()
    var out = try harness.render(150)[0]
    first.volume = 0.5
    out += try harness.render(50)[0]
    engine.connect(second, to: engine.mainMixerNode, format: harness.format)
    second.scheduleBuffer(try Harness.buffer(harness.format, 100) { _, _ in 4 }, at: nil, options: .loops)
    second.play()
    out += try harness.render(60)[0]
    engine.disconnectNodeOutput(first)
    out += try harness.render(40)[0]
    engine.detach(second)
    out += try harness.render(10)[0]
    let expected = [(150, 1), (50, 0.5), (60, 4.5), (40, 4), (10, 0)].flatMap { [Float](repeating: $1, count: $0) }
    #expect(out == expected)
    #expect(second.engine == nil)
    #expect(engine.attachedNodes == [first, engine.mainMixerNode, engine.outputNode])
  }

  @Test("A tap gets what its bus put out, each frame once, in buffers of its size")
  func taps() throws {
    let harness = try Harness()
    let player = try harness.directPlayer()
    var heard: [Float] = []
    var sizes: [AVAudioFrameCount] = []
    var starts: [AVAudioFramePosition] = []
    _ = try harness.render(10)
    player.installTap(onBus: 0, bufferSize: 256, format: nil) { buffer, time in
      guard let samples = buffer.floatChannelData else { return }
      heard += UnsafeBufferPointer(start: samples[0], count: Int(buffer.frameLength))
      sizes.append(buffer.frameLength)
      starts.append(time.sampleTime)
    }
    player.scheduleBuffer(try harness.ramp(900, from: 1))
    player.play()
    #expect(try harness.render(1000, seed: 8)[0] == Harness.ramp(0..<900, from: 1) + Harness.silence(100))
    player.removeTap(onBus: 0)
    _ = try harness.render(100)
    #expect(heard == Harness.ramp(0..<900, from: 1) + Harness.silence(100))
    #expect(sizes == [256, 256, 256, 232])
    #expect(starts == [10, 266, 522, 778])
  }

  @Test("A source node is asked for its frames, in its own format, and converted")
  func sourceNodes() throws {
    for interleaved in [false, true] {
      let harness = try Harness(channels: 2)
      let given = try #require(
        AVAudioFormat(
          commonFormat: interleaved ? .pcmFormatInt16 : .pcmFormatFloat32, sampleRate: 44_100, channels: 2,
          interleaved: interleaved))
      let source = AVAudioSourceNode(format: given) { _, time, frames, list in
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for frame in 0..<Int(frames) {
          let value = Int(time.pointee.mSampleTime) + frame
          for channel in 0..<2 {
            let data = buffers[interleaved ? 0 : channel].mData
            if interleaved {
              data?.assumingMemoryBound(to: Int16.self)[frame * 2 + channel] = Int16(value * (channel + 1))
            } else {
              data?.assumingMemoryBound(to: Float.self)[frame] = Float(value * (channel + 1)) / 32_768
            }
          }
        }
        return 0
      }
      harness.engine.attach(source)
      harness.engine.connect(source, to: harness.engine.mainMixerNode, format: nil)
      try harness.engine.start()
      let out = try harness.render(1200, seed: 6)
      #expect(out == (1...2).map { channel in (0..<1200).map { Float($0 * channel) / 32_768 } })
    }
  }

  @Test("The input node gives what the program's block gives, and says when that is nothing")
  func input() throws {
    let harness = try Harness()
    let engine = harness.engine
    let buffer = try harness.ramp(512, from: 7)
    var hasData = true
    #expect(
      engine.inputNode.setManualRenderingInputPCMFormat(harness.format) { frames in
        buffer.frameLength = frames
        return hasData ? buffer.audioBufferList : nil
      })
    engine.connect(engine.inputNode, to: engine.outputNode, format: nil)
    try engine.start()
    #expect(try harness.render(20)[0] == Harness.ramp(0..<20, from: 7))
    hasData = false
    let output = try #require(AVAudioPCMBuffer(pcmFormat: harness.format, frameCapacity: 20))
    #expect(try engine.renderOffline(20, to: output) == .insufficientDataFromInputNode)
    #expect(output.floatChannelData?[0][0] == 0)
  }

  @Test("The block of manual rendering gives the same frames, and statuses in place of errors")
  func block() throws {
    let harness = try Harness()
    try harness.engine.enableManualRenderingMode(.realtime, format: harness.format, maximumFrameCount: 64)
    let block = harness.engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: harness.format, frameCapacity: 65))
    var status: OSStatus = 0
    #expect(block(10, buffer.mutableAudioBufferList, &status) == .error)
    #expect(status == -80802)
    let player = try harness.directPlayer()
    player.scheduleBuffer(try harness.ramp(10, from: 3))
    player.play()
    #expect(block(64, buffer.mutableAudioBufferList, &status) == .success)
    #expect(buffer.floatChannelData?[0][9] == 12)
    #expect(block(65, buffer.mutableAudioBufferList, &status) == .error)
    #expect(status == -10874)
    #expect(code { _ = try harness.engine.renderOffline(10, to: buffer) } == -80800)
  }

  @Test("Calls at the wrong time, and what cannot be rendered, are the documented errors")
  func errors() throws {
    let plain = AVAudioEngine()
    let harness = try Harness()
    let engine = harness.engine
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: harness.format, frameCapacity: 100))
    #expect(code { _ = try plain.renderOffline(1, to: buffer) } == -80800)
    #expect(code { _ = try engine.renderOffline(1, to: buffer) } == -80802)
    _ = engine.mainMixerNode
    try engine.start()
    #expect(engine.isRunning)
    #expect(
      code { try engine.enableManualRenderingMode(.offline, format: harness.format, maximumFrameCount: 1) } == -80801)
    #expect(code { _ = try engine.renderOffline(513, to: buffer) } == -10874)
    #expect(code { _ = try engine.renderOffline(101, to: buffer) } == -50)
    #expect(try engine.renderOffline(100, to: buffer) == .success)
    #expect(engine.manualRenderingSampleTime == 100)
    engine.pause()
    #expect(code { _ = try engine.renderOffline(1, to: buffer) } == -80802)
    try engine.start()
    engine.stop()
    #expect(engine.manualRenderingSampleTime == 0)
    #expect(
      code { try engine.enableManualRenderingMode(.offline, format: harness.format, maximumFrameCount: 0) } == -50)

    // An effect between a stereo input and a mono output.
    let (player, delay) = (AVAudioPlayerNode(), AVAudioUnitDelay())
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    engine.attach(player)
    engine.attach(delay)
    engine.connect(player, to: delay, format: stereo)
    engine.connect(delay, to: engine.mainMixerNode, format: harness.format)
    #expect(code { try engine.start() } == -10868)
    // A ring.
    let (one, two) = (AVAudioMixerNode(), AVAudioMixerNode())
    engine.attach(one)
    engine.attach(two)
    engine.disconnectNodeInput(engine.mainMixerNode)
    engine.connect(one, to: two, format: nil)
    engine.connect(two, to: one, fromBus: 0, toBus: 0, format: nil)
    engine.connect(
      one,
      to: [
        AVAudioConnectionPoint(node: two, bus: 0), AVAudioConnectionPoint(node: engine.mainMixerNode, bus: 0),
      ], fromBus: 0, format: nil)
    #expect(code { try engine.start() } == -10875)
  }

  @Test("Misuse ends the process with the condition in its text")
  func misuse() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let engine = AVAudioEngine()
      let player = AVAudioPlayerNode()
      engine.attach(player)
      _ = engine.mainMixerNode
      player.play()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("_engine->IsRunning()"))
  }

  @Test("A node that is detached is freed with its unit: in an engine that never renders, and in one that does")
  func detachedNodes() throws {
    for renders in [false, true] {
      let harness = try EngineHarness(channels: 2)
      let engine = harness.engine
      weak var unit: AudioEngine.Unit?
      weak var node: AVAudioNode?
      do {
        let delay = AVAudioUnitDelay()
        engine.attach(delay)
        engine.connect(delay, to: engine.mainMixerNode, format: harness.format)
        if renders {
          try engine.start()
          _ = try harness.render(512)
          #expect(delay.unit.isInitialized)
        }
        (unit, node) = (delay.unit, delay)
        engine.detach(delay)
        #expect(!delay.unit.isInitialized)
      }
      if renders { _ = try harness.render(512) }
      #expect(unit == nil && node == nil, "renders: \(renders)")
    }
  }
}
