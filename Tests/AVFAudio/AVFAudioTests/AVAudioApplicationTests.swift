import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

@Suite("AVAudioApplication, and latencies of an engine")
struct AVAudioApplicationTests {
  @Test("A muted input is told once, with its new state, and a program's function may refuse")
  func muting() throws {
    let application = AVAudioApplication.shared
    let told = Locked([Bool]())
    let observer = NotificationCenter.default.addObserver(
      forName: AVAudioApplication.inputMuteStateChangeNotification, object: application, queue: nil
    ) { notification in
      let isMuted = notification.userInfo?[AVAudioApplication.muteStateKey] as? Bool ?? false
      told.withLock { $0.append(isMuted) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try application.setInputMuted(true)
    try application.setInputMuted(true)
    #expect(application.isInputMuted)
    try application.setInputMuteStateChangeHandler { $0 }
    #expect(throws: NSError.self) { try application.setInputMuted(false) }
    #expect(application.isInputMuted)
    try application.setInputMuteStateChangeHandler(nil)
    try application.setInputMuted(false)
    #expect(told.withLock { $0 } == [true, false])
  }

  @Test("The latency behind a node is that of the slowest way to the output")
  func latency() throws {
    let harness = try EngineHarness(48_000)
    let player = AVAudioPlayerNode()
    let limiter = AVAudioUnitEffect(
      audioComponentDescription: AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_PeakLimiter,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
    for node in [player, limiter] { harness.engine.attach(node) }
    #expect(player.outputPresentationLatency == 0)
    harness.engine.connect(player, to: limiter, format: harness.format)
    #expect(player.outputPresentationLatency == 0, "the way ends in front of the output")
    harness.engine.connect(limiter, to: harness.engine.mainMixerNode, format: harness.format)
    try harness.engine.start()
    #expect(limiter.latency > 0)
    #expect(player.outputPresentationLatency == limiter.latency + harness.engine.mainMixerNode.latency)
    #expect(limiter.outputPresentationLatency == harness.engine.mainMixerNode.latency)
    // A quicker way beside it changes nothing, and a longer one of two counts.
    harness.engine.connect(
      player,
      to: [
        AVAudioConnectionPoint(node: limiter, bus: 0),
        AVAudioConnectionPoint(node: harness.engine.mainMixerNode, bus: 1),
      ], fromBus: 0, format: harness.format)
    #expect(player.outputPresentationLatency == limiter.latency + harness.engine.mainMixerNode.latency)
  }
}
