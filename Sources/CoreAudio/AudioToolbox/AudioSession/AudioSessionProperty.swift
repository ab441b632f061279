import AudioCore
import CAudioToolbox

/// The audio session's properties: what each is made of, and what may be done with it.
struct AudioSessionProperty {
  /// The layout of a value in memory.
  enum Form {
    case uint32, float32, float64
    /// A CoreFoundation object, of which the caller gets a reference of its own.
    case object

    var byteCount: Int {
      switch self {
      case .uint32, .float32: 4
      case .float64, .object: 8
      }
    }
  }

  let form: Form
  let isReadable: Bool
  let isWritable: Bool
  let hasListeners: Bool

  private init(_ form: Form, _ access: String) {
    self.form = form
    isReadable = access.contains("R")
    isWritable = access.contains("W")
    hasListeners = access.contains("L")
  }

  /// R: can be read, W: can be written, L: can be listened to.
  private static let table: [AudioSessionPropertyID: AudioSessionProperty] = [
    kAudioSessionProperty_PreferredHardwareSampleRate: .init(.float64, "RW"),
    kAudioSessionProperty_PreferredHardwareIOBufferDuration: .init(.float32, "RW"),
    kAudioSessionProperty_AudioCategory: .init(.uint32, "RW"),
    kAudioSessionProperty_AudioRouteChange: .init(.object, "L"),
    kAudioSessionProperty_CurrentHardwareSampleRate: .init(.float64, "RL"),
    kAudioSessionProperty_CurrentHardwareInputNumberChannels: .init(.uint32, "R"),
    kAudioSessionProperty_CurrentHardwareOutputNumberChannels: .init(.uint32, "R"),
    kAudioSessionProperty_CurrentHardwareOutputVolume: .init(.float32, "RL"),
    kAudioSessionProperty_CurrentHardwareInputLatency: .init(.float32, "R"),
    kAudioSessionProperty_CurrentHardwareOutputLatency: .init(.float32, "R"),
    kAudioSessionProperty_CurrentHardwareIOBufferDuration: .init(.float32, "R"),
    kAudioSessionProperty_OtherAudioIsPlaying: .init(.uint32, "R"),
    kAudioSessionProperty_OverrideAudioRoute: .init(.uint32, "W"),
    kAudioSessionProperty_AudioInputAvailable: .init(.uint32, "RL"),
    kAudioSessionProperty_ServerDied: .init(.uint32, "L"),
    kAudioSessionProperty_OtherMixableAudioShouldDuck: .init(.uint32, "RW"),
    kAudioSessionProperty_OverrideCategoryMixWithOthers: .init(.uint32, "RW"),
    kAudioSessionProperty_OverrideCategoryDefaultToSpeaker: .init(.uint32, "RW"),
    kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: .init(.uint32, "RW"),
    kAudioSessionProperty_InterruptionType: .init(.uint32, "R"),
    kAudioSessionProperty_Mode: .init(.uint32, "RW"),
    kAudioSessionProperty_InputSources: .init(.object, "R"),
    kAudioSessionProperty_OutputDestinations: .init(.object, "R"),
    kAudioSessionProperty_InputSource: .init(.object, "RW"),
    kAudioSessionProperty_OutputDestination: .init(.object, "RW"),
    kAudioSessionProperty_InputGainAvailable: .init(.uint32, "R"),
    kAudioSessionProperty_InputGainScalar: .init(.float32, "RW"),
    kAudioSessionProperty_AudioRouteDescription: .init(.object, "R"),
    kAudioSessionProperty_AudioRoute: .init(.object, "R"),
  ]

  static func named(_ id: AudioSessionPropertyID) -> AudioSessionProperty? { table[id] }
}

/// The rights of a session to play and record, by category.
enum AudioSessionCategory {
  private static let playing: Set<UInt32> = [
    kAudioSessionCategory_AmbientSound, kAudioSessionCategory_SoloAmbientSound, kAudioSessionCategory_MediaPlayback,
    kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_UserInterfaceSoundEffects,
    kAudioSessionCategory_LiveAudio,
  ]
  private static let recording: Set<UInt32> = [
    kAudioSessionCategory_RecordAudio, kAudioSessionCategory_PlayAndRecord,
  ]

  static func plays(_ category: UInt32) -> Bool { playing.contains(category) }
  static func records(_ category: UInt32) -> Bool { recording.contains(category) }
  static func exists(_ category: UInt32) -> Bool {
    plays(category) || records(category) || category == kAudioSessionCategory_AudioProcessing
  }

  /// The categories in which a switch or mode means something; nil: all of them.
  static func allowing(_ id: AudioSessionPropertyID) -> Set<UInt32>? {
    switch id {
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
      [kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_MediaPlayback]
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, kAudioSessionProperty_OverrideAudioRoute:
      [kAudioSessionCategory_PlayAndRecord]
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: recording
    default: nil
    }
  }

  /// The categories of a mode; nil: there is no such mode.
  static func allowing(mode: UInt32) -> Set<UInt32>? {
    switch mode {
    case kAudioSessionMode_VoiceChat, kAudioSessionMode_GameChat: [kAudioSessionCategory_PlayAndRecord]
    case kAudioSessionMode_VideoRecording: recording
    case kAudioSessionMode_Default, kAudioSessionMode_Measurement:
      playing.union(recording).union([kAudioSessionCategory_AudioProcessing])
    default: nil
    }
  }
}
