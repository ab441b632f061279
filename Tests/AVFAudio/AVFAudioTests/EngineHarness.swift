import AVFAudio
import AudioEngine
import BuiltInUnits
import Hardware
import RenderGraph
import TestSupport
import Testing

/// An engine in offline mode, with what tests need of it.
struct EngineHarness {
  let engine: AVAudioEngine
  let format: AVAudioFormat

  init(
    _ rate: Double = 44_100, channels: AVAudioChannelCount = 1, maximumFrames: AVAudioFrameCount = 512,
    choices: AVFAudioChoices = AVFAudioChoices()
  ) throws {
    engine = AVAudioEngine(hardware: SimulatedHardware(DeviceConfiguration()), choices: choices)
    format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximumFrames)
  }

  /// A player that is connected to the output itself.
  func directPlayer() throws -> AVAudioPlayerNode {
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.outputNode, format: format)
    try engine.start()
    return player
  }

  /// The next frames, by channel, in slices of drawn lengths.
  func render(_ frames: Int, seed: UInt64? = nil) throws -> [[Float]] {
    var draw = SeededGenerator(seed: seed ?? 1)
    let largest = engine.manualRenderingMaximumFrameCount
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: largest))
    var out = [[Float]](repeating: [], count: Int(format.channelCount))
    while out[0].count < frames {
      let wanted = min(Int(largest), frames - out[0].count)
      let count = seed == nil ? wanted : Int.random(in: 1...wanted, using: &draw)
      #expect(try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success)
      #expect(buffer.frameLength == AVAudioFrameCount(count))
      let samples = try #require(buffer.floatChannelData)
      for channel in out.indices { out[channel] += UnsafeBufferPointer(start: samples[channel], count: count) }
    }
    return out
  }

  /// A buffer of a function of frame and channel.
  static func buffer(
    _ format: AVAudioFormat, _ frames: Int, _ value: (Int, Int) -> Float
  ) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    buffer.frameLength = AVAudioFrameCount(frames)
    let samples = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<frames { samples[channel][frame * buffer.stride] = value(frame, channel) }
    }
    return buffer
  }

  /// A ramp: frame n has the value `first` + n.
  func ramp(_ frames: Int, from first: Int) throws -> AVAudioPCMBuffer {
    try Self.buffer(format, frames) { frame, _ in Float(first + frame) }
  }

  /// The ramp's frames, as they should come out.
  static func ramp(_ frames: Range<Int>, from first: Int) -> [Float] { frames.map { Float(first + $0) } }
  static func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }
}

/// The frames of a graph of the Swift interface, by channel.
func frames(of graph: Graph, _ count: Int) throws -> [[Float]] {
  let renderer = GraphRenderer(try graph.compile(parallel: false))
  var out: [[Float]] = []
  var time = 0
  while time < count {
    let step = min(graph.maximumFramesPerSlice, count - time)
    try renderer.render(sampleTime: Int64(time), frames: step) { output, _, frames in
      if out.isEmpty { out = [[Float]](repeating: [], count: output.count) }
      for channel in 0..<output.count {
        out[channel] += UnsafeBufferPointer(start: output.planes[channel].start(of: frames), count: frames)
      }
    }
    time += step
  }
  return out
}

/// A sound player of the Swift interface that begins at once.
func soundPlayer(_ channels: [[Float]]) throws -> ScheduledSoundPlayer {
  let player = ScheduledSoundPlayer()
  try player.setStreamFormat(.init(sampleRate: 44_100, channelCount: channels.count), .output)
  try player.schedule(ScheduledSlice(channels, sampleTime: 0))
  player.setStartTime(sampleTime: 0)
  return player
}

/// The first frame at which two channels differ, with both values; nil: none does.
func firstDifference(_ found: [Float], _ expected: [Float]) -> String? {
  if let frame = (0..<min(found.count, expected.count)).first(where: { found[$0] != expected[$0] }) {
    return "frame \(frame): \(found[frame]), expected \(expected[frame])"
  }
  return found.count == expected.count ? nil : "\(found.count) frames, expected \(expected.count)"
}
