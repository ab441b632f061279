// The voice processing of an output unit. Settings are made on any thread and read by the hardware's thread as single
// words.

import AudioCore
import AudioEngine
import Hardware
import Synchronization

/// Voice processing of an output unit: the settings of its host and, under a scenario, the echo canceller.
///
/// Without a scenario only the mute switch changes the sound.
final class DeviceVoice {
  var settings = VoiceProcessingState() {
    didSet {
      isMuted.store(settings.mutesInput != 0, ordering: .relaxed)
      uplink?.set(settings)
    }
  }
  private let isMuted = Atomic<Bool>(false)
  private let speaks = Atomic<Bool>(false)
  /// The echo canceller, in a voice processor that records and is initialized.
  private var uplink: VoiceUplink?

  /// True while the microphone is to give silence.
  var mutesInput: Bool { isMuted.load(ordering: .relaxed) }

  /// True while the user speaks, also into a muted microphone, as of the last cycle. False without an echo canceller.
  var hearsSpeech: Bool { speaks.load(ordering: .relaxed) }

  /// Makes a new echo canceller, which knows nothing of the echo yet. While nothing runs.
  /// - Throws: `.render` where voice processing is not built, or does not take the rate.
  func makeUplink(_ microphone: StreamFormat, cycleFrames: Int) throws(BenchError) {
    let uplink = try VoiceUplink(
      sampleRate: microphone.sampleRate, channelCount: microphone.channelCount, cycleFrames: cycleFrames,
      quality: settings.quality)
    uplink.set(settings)
    self.uplink = uplink
  }

  func discardUplink() {
    uplink = nil
    speaks.store(false, ordering: .relaxed)
  }

  /// The microphone's frames of a cycle, without the echo where there is an echo canceller.
  func process(_ cycle: DeviceCycle, defect: SimulatedHardware.VoiceDefect) -> Plane<Float> {
    guard let uplink else { return cycle.input }
    defer { speaks.store(uplink.hearsSpeech, ordering: .relaxed) }
    return uplink.process(cycle.input, frames: cycle.frames, defect: defect)
  }

  /// Notes the frames that the unit plays in a cycle; nil: silence.
  func notePlayed(_ samples: Plane<Float>?, channelCount: Int, frames: Int) {
    uplink?.play(samples, channelCount: channelCount, frames: frames)
  }
}
