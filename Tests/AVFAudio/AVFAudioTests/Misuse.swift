import AVFAudio
import Foundation
import Glibc
import Hardware
import TestSupport

/// A use of a class that ends the process, with a part of the condition in its text.
struct Misuse: Sendable {
  let name: String
  let condition: String
  let use: @Sendable () throws -> Void

  init(_ name: String, _ condition: String, _ use: @escaping @Sendable () throws -> Void) {
    self.name = name
    self.condition = condition
    self.use = use
  }

  static let all = engines + nodes + players + buffers + converters + units

  private static func format(_ channels: AVAudioChannelCount = 2, rate: Double = 44_100) -> AVAudioFormat {
    needed(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  private static var compressed: AVAudioFormat {
    needed(
      AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]))
  }

  /// A value that there is. A process without one ends well, which no misuse may.
  private static func needed<Value>(_ value: Value?) -> Value {
    guard let value else { exit(0) }
    return value
  }

  private static func buffer(_ channels: AVAudioChannelCount = 2) throws -> AVAudioPCMBuffer {
    try EngineHarness.buffer(format(channels), 100) { _, _ in 0 }
  }

  /// An engine with a player in front of the main mixer.
  private static func engine() throws -> (engine: AVAudioEngine, player: AVAudioPlayerNode) {
    let harness = try EngineHarness(channels: 2)
    let player = AVAudioPlayerNode()
    harness.engine.attach(player)
    harness.engine.connect(player, to: harness.engine.mainMixerNode, format: harness.format)
    return (harness.engine, player)
  }

  private static let engines = [
    Misuse("attach a node of another engine", "node.engine == nil") {
      let (engine, player) = try Self.engine()
      withExtendedLifetime(engine) { AVAudioEngine().attach(player) }
    },
    Misuse("detach a node of no engine", "the node is attached to this engine") {
      AVAudioEngine().detach(AVAudioPlayerNode())
    },
    Misuse("connect a node of no engine", "node1 and node2 are attached to this engine") {
      let (engine, _) = try Self.engine()
      engine.connect(AVAudioPlayerNode(), to: engine.mainMixerNode, format: nil)
    },
    Misuse("connect a node of another engine", "node1 and node2 are attached to this engine") {
      let ((engine, _), (_, player)) = (try Self.engine(), try Self.engine())
      engine.connect(player, to: engine.mainMixerNode, format: nil)
    },
    Misuse("connect in a compressed format", "format is valid PCM") {
      let (engine, player) = try Self.engine()
      engine.connect(player, to: engine.mainMixerNode, format: compressed)
    },
    Misuse("connect an output that is not there", "bus1 < node1.numberOfOutputs") {
      let (engine, player) = try Self.engine()
      engine.connect(player, to: engine.mainMixerNode, fromBus: 1, toBus: 0, format: nil)
    },
    Misuse("connect an input that is not there", "bus2 < node2.numberOfInputs") {
      let (engine, player) = try Self.engine()
      let delay = AVAudioUnitDelay()
      engine.attach(delay)
      engine.connect(player, to: delay, fromBus: 0, toBus: 1, format: nil)
    },
    Misuse("connect into a source", "bus2 < node2.numberOfInputs") {
      let (engine, player) = try Self.engine()
      engine.connect(engine.mainMixerNode, to: player, format: nil)
    },
    Misuse("disconnect a node of no engine", "the node is attached to this engine") {
      AVAudioEngine().disconnectNodeOutput(AVAudioPlayerNode())
    },
    Misuse("start an engine without nodes", "inputNode != nullptr || outputNode != nullptr") {
      try AVAudioEngine().start()
    },
  ]

  private static let nodes = [
    Misuse("the format of an output that is not there", "bus < numberOfOutputs") {
      _ = AVAudioPlayerNode().outputFormat(forBus: 1)
    },
    Misuse("the format of an input that is not there", "bus < numberOfInputs") {
      _ = AVAudioUnitDelay().inputFormat(forBus: -1)
    },
    Misuse("a tap on a bus that is not there", "bus < numberOfOutputs") {
      AVAudioPlayerNode().installTap(onBus: 1, bufferSize: 512, format: nil) { _, _ in }
    },
    Misuse("a second tap on a bus", "nullptr == Tap()") {
      let (engine, player) = try Self.engine()
      withExtendedLifetime(engine) {
        for _ in 0..<2 { player.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in } }
      }
    },
    Misuse("a tap in another format than the connection's", "format.sampleRate == hwFormat.sampleRate") {
      let (engine, player) = try Self.engine()
      withExtendedLifetime(engine) {
        player.installTap(onBus: 0, bufferSize: 512, format: format(rate: 48_000)) { _, _ in }
      }
    },
    Misuse("a tap of other channels than the connection's", "format.sampleRate == hwFormat.sampleRate") {
      let (engine, player) = try Self.engine()
      withExtendedLifetime(engine) { player.installTap(onBus: 0, bufferSize: 512, format: format(1)) { _, _ in } }
    },
    Misuse("a tap on a microphone that is not there", "IsFormatSampleRateAndChannelCountValid(format)") {
      let harness = try HardwareHarness { $0.device.inputChannels = 0 }
      harness.engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
    },
    Misuse("a source in a compressed format", "format is PCM") {
      _ = AVAudioSourceNode(format: compressed) { _, _, _, _ in 0 }
    },
    Misuse("an equalizer of more bands than there are", "numberOfBands <= ") { _ = AVAudioUnitEQ(numberOfBands: 1001) },
    Misuse("an equalizer of less bands than none", "numberOfBands <= ") { _ = AVAudioUnitEQ(numberOfBands: -1) },
  ]

  private static let players = [
    Misuse("play without an engine", "player is attached to an engine") { AVAudioPlayerNode().play() },
    Misuse("play while the engine is stopped", "_engine->IsRunning()") {
      let (engine, player) = try Self.engine()
      withExtendedLifetime(engine) { player.play() }
    },
    Misuse("play without a connection", "player started when in a disconnected state") {
      let (engine, player) = try Self.engine()
      try engine.start()
      engine.disconnectNodeOutput(player)
      player.play()
    },
    Misuse("schedule a buffer of other channels", "_outputFormat.channelCount == buffer.format.channelCount") {
      try Self.engine().player.scheduleBuffer(buffer(1))
    },
    Misuse("schedule a segment of no frames", "numberFrames > 0") {
      let harness = try PlayerHarness()
      let file = try AVAudioFile(forReading: harness.file(frames: 100))
      AVAudioPlayerNode().scheduleSegment(file, startingFrame: 0, frameCount: 0, at: nil)
    },
    Misuse("a player's channels for another number", "channelAssignments.count == numberOfChannels") {
      let harness = try PlayerHarness()
      let player = try AVAudioPlayer(contentsOf: harness.file(channels: 2, frames: 100), on: harness.hardware)
      player.channelAssignments = []
    },
    Misuse("a recorder's channels for another number", "channelAssignments.count == format.channelCount") {
      let harness = try PlayerHarness()
      let recorder = try AVAudioRecorder(
        url: URL(fileURLWithPath: harness.folder.file("r.wav")), settings: [:], on: harness.hardware)
      recorder.channelAssignments = []
    },
    Misuse("a file's position behind its end", "0 <= framePosition <= length") {
      let harness = try PlayerHarness()
      try AVAudioFile(forReading: harness.file(frames: 100)).framePosition = 101
    },
    Misuse("a file's position in front of it", "0 <= framePosition <= length") {
      let harness = try PlayerHarness()
      try AVAudioFile(forReading: harness.file(frames: 100)).framePosition = -1
    },
  ]

  private static let buffers = [
    Misuse("a buffer of compressed sound as PCM", "isPCMFormat") {
      _ = AVAudioPCMBuffer(pcmFormat: compressed, frameCapacity: 100)
    },
    Misuse("a longer buffer than there is room", "frameLength <= frameCapacity") { try buffer().frameLength = 101 },
    Misuse("PCM as packets", "!isPCMFormat") {
      _ = AVAudioCompressedBuffer(format: format(), packetCapacity: 1, maximumPacketSize: 10)
    },
    Misuse("more packets than there is room", "packetCount <= packetCapacity") {
      AVAudioCompressedBuffer(format: compressed, packetCapacity: 1, maximumPacketSize: 10).packetCount = 2
    },
    Misuse("more bytes than there is room", "byteLength <= byteCapacity") {
      AVAudioCompressedBuffer(format: compressed, packetCapacity: 1, maximumPacketSize: 10).byteLength = 11
    },
    Misuse("packets of less than no bytes", "byteCapacity <= UINT32_MAX") {
      _ = AVAudioCompressedBuffer(format: compressed, packetCapacity: 1, maximumPacketSize: -1)
    },
    Misuse("packets of a variable size without one", "format.streamDescription.mBytesPerPacket > 0") {
      _ = AVAudioCompressedBuffer(format: compressed, packetCapacity: 1)
    },
  ]

  private static let converters = [
    Misuse("a map of other channels than the output's", "channelMap.count == outputFormat.channelCount") {
      AVAudioConverter(from: format(), to: format(1))?.channelMap = [0, 1]
    },
    Misuse("a map of channels that the input has not", "channelMap[i] < inputFormat.channelCount") {
      AVAudioConverter(from: format(), to: format(1))?.channelMap = [2]
    },
  ]

  private static let units = [
    Misuse("an effect by the codes of a generator", "componentType is one of this class") {
      _ = AVAudioUnitEffect(
        audioComponentDescription: AudioComponentDescription(
          componentType: kAudioUnitType_Generator, componentSubType: 0, componentManufacturer: 0, componentFlags: 0,
          componentFlagsMask: 0))
    },
    Misuse("an effect that there is not", "component != nullptr") {
      _ = AVAudioUnitEffect(
        audioComponentDescription: AudioComponentDescription(
          componentType: kAudioUnitType_Effect, componentSubType: 1, componentManufacturer: 2, componentFlags: 0,
          componentFlagsMask: 0))
    },
    Misuse("a bus of a unit that is not there", "index < count") { _ = AVAudioUnitDelay().auAudioUnit.outputBusses[1] },
    Misuse("two parameters of one address", "addresses are unique in the tree") {
      _ = AUParameterTree.createTree(withChildren: [parameter("a", 1), parameter("b", 1)])
    },
    Misuse("two parameters of one name", "identifiers are unique in the group") {
      _ = AUParameterTree.createTree(withChildren: [parameter("a", 1), parameter("a", 2)])
    },
    Misuse("a parameter in two groups", "is in one group only") {
      let child = parameter("a", 1)
      let first = AUParameterTree.createGroup(withIdentifier: "g", name: "g", children: [child])
      withExtendedLifetime(first) {
        _ = AUParameterTree.createGroup(withIdentifier: "h", name: "h", children: [child])
      }
    },
    Misuse("a class that is none of audio units", "is a subclass of AUAudioUnit") {
      AUAudioUnit.registerSubclass(
        NSObject.self, as: AVAudioUnitDelay().audioComponentDescription, name: "Acme: None", version: 1)
    },
  ]

  private static func parameter(_ name: String, _ address: AUParameterAddress) -> AUParameter {
    AUParameterTree.createParameter(
      withIdentifier: name, name: name, address: address, min: 0, max: 1, unit: .generic, unitName: nil,
      valueStrings: nil, dependentParameters: nil)
  }
}
