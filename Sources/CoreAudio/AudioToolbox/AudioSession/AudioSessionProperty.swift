import AudioCore
import CAudioToolbox
import Hardware

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

/// The interface's codes of categories, modes and switches.
enum AudioSessionCategory {
  private static let categories: [(code: UInt32, category: SessionState.Category)] = [
    (kAudioSessionCategory_AmbientSound, .ambient), (kAudioSessionCategory_SoloAmbientSound, .soloAmbient),
    (kAudioSessionCategory_MediaPlayback, .playback), (kAudioSessionCategory_RecordAudio, .record),
    (kAudioSessionCategory_PlayAndRecord, .playAndRecord), (kAudioSessionCategory_AudioProcessing, .audioProcessing),
    (kAudioSessionCategory_UserInterfaceSoundEffects, .interfaceSounds),
    (kAudioSessionCategory_LiveAudio, .liveAudio),
  ]
  private static let modes: [(code: UInt32, mode: SessionState.Mode)] = [
    (kAudioSessionMode_Default, .standard), (kAudioSessionMode_VoiceChat, .voiceChat),
    (kAudioSessionMode_VideoRecording, .videoRecording), (kAudioSessionMode_Measurement, .measurement),
    (kAudioSessionMode_GameChat, .gameChat),
  ]

  /// The code of a category; of one that the interface has no name for, the nearest.
  static func code(of category: SessionState.Category) -> UInt32 {
    categories.first { $0.category == category }?.code ?? kAudioSessionCategory_PlayAndRecord
  }
  static func category(of code: UInt32) -> SessionState.Category? { categories.first { $0.code == code }?.category }

  /// The code of a mode; of one that the interface has no name for, the default one.
  static func code(of mode: SessionState.Mode) -> UInt32 {
    modes.first { $0.mode == mode }?.code ?? kAudioSessionMode_Default
  }
  static func mode(of code: UInt32) -> SessionState.Mode? { modes.first { $0.code == code }?.mode }

  /// The option that a switch is; nil: the property is no switch.
  static func option(_ id: AudioSessionPropertyID) -> SessionState.Options? {
    switch id {
    case kAudioSessionProperty_OtherMixableAudioShouldDuck: .ducksOthers
    case kAudioSessionProperty_OverrideCategoryMixWithOthers: .mixesWithOthers
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker: .usesSpeaker
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: .allowsBluetooth
    default: nil
    }
  }

  /// The categories in which a switch means something; nil: all of them.
  static func allowing(_ id: AudioSessionPropertyID) -> Set<UInt32>? {
    switch id {
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
      [kAudioSessionCategory_PlayAndRecord, kAudioSessionCategory_MediaPlayback]
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, kAudioSessionProperty_OverrideAudioRoute:
      [kAudioSessionCategory_PlayAndRecord]
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput:
      [kAudioSessionCategory_RecordAudio, kAudioSessionCategory_PlayAndRecord]
    default: nil
    }
  }
}
