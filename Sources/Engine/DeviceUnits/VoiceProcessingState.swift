import AudioEngine

/// The settings of a voice processor by a host.
struct VoiceProcessingState: Sendable {
  var isBypassed: UInt32 = 0
  var enablesAGC: UInt32 = 1
  var ducksOthers: UInt32 = 1
  /// 0 to 127. No default is published: the middle of the upper half, ours.
  var quality: UInt32 = 96
  /// True when residual echo is suppressed: ours.
  var suppressesResidual: UInt32 = 1
  /// Silences what the microphone gives.
  var mutesInput: UInt32 = 0
  /// Advanced ducking (0 or 1) and level (0, 10, 20 or 30).
  var ducking: [Int32] = [0, 0]

  /// The remaining level of other programs' sound: −6, −12 or −24 dB by the level, −12 without one. Apple publishes
  /// none.
  var duckingGain: Float {
    guard ducksOthers != 0 else { return 1 }
    return switch ducking[1] {
    case 10: 0.5
    case 30: 0.0625
    default: 0.25
    }
  }
}
