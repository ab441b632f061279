import AVFAudio
import Testing

@Suite("Classes of AVFAudio are open, as those of Apple's frameworks are to Swift")
struct SubclassTests {
  /// A source with a sound of its own, as public client programs have.
  private final class Ramp: AVAudioSourceNode, @unchecked Sendable {
    init?(step: Float) {
      guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1) else { return nil }
      var value: Float = 0
      super.init(format: format) { _, _, frames, list in
        let samples = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) {
          samples?[frame] = value
          value += step
        }
        return noErr
      }
    }
  }
  private final class NamedPlayer: AVAudioPlayerNode, @unchecked Sendable {
    var title = ""
  }
  private final class Tone: AVAudioPCMBuffer, @unchecked Sendable {
    var frequency = 440.0
  }
  private final class Session: AVAudioEngine, @unchecked Sendable {
    let player = NamedPlayer()
    override init() {
      super.init()
      attach(player)
    }
  }

  @Test("A source, a player, a buffer and an engine with properties of their own work as their classes do")
  func subclasses() throws {
    let engine = Session()
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let ramp = try #require(Ramp(step: 0.25))
    engine.attach(ramp)
    engine.connect(ramp, to: engine.mainMixerNode, format: format)
    engine.player.title = "one"
    engine.connect(engine.player, to: engine.mainMixerNode, format: format)
    let tone = try #require(Tone(pcmFormat: format, frameCapacity: 4))
    tone.frameLength = 4
    tone.floatChannelData?[0][2] = 8
    engine.player.scheduleBuffer(tone)
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4)
    try engine.start()
    engine.player.play()
    let output = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 4))
    #expect(try engine.renderOffline(4, to: output) == .success)
    let samples = try #require(output.floatChannelData)[0]
    #expect((0..<4).map { samples[$0] } == [0, 0.25, 8.5, 0.75])
    #expect(engine.attachedNodes.contains(engine.player))
  }
}
