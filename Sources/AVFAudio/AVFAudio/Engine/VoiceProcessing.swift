import AVFAudioFiles
import AudioCore
import AudioEngine
import DeviceUnits
import Foundation

/// The treatment of other programs' sound while voice processing is on.
public struct AVAudioVoiceProcessingOtherAudioDuckingConfiguration: Sendable {
  /// How much quieter other sound is.
  public enum Level: Int, Sendable {
    /// 12 dB.
    case `default` = 0
    /// 6 dB.
    case min = 10
    /// 12 dB.
    case mid = 20
    /// 24 dB.
    case max = 30
  }
  /// True: only while somebody speaks. Kept; other sound is quieter all the time.
  public var enableAdvancedDucking: ObjCBool
  /// The level.
  public var duckingLevel: Level

  /// A treatment.
  public init(enableAdvancedDucking: ObjCBool = false, duckingLevel: Level = .default) {
    self.enableAdvancedDucking = enableAdvancedDucking
    self.duckingLevel = duckingLevel
  }
}

/// Speech of a user whose input is muted.
public enum AVAudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
  case started = 0
  case ended = 1
}

/// The voice processing of an engine.
struct VoiceSettings {
  var isEnabled = false
  var isBypassed = false
  var controlsGain = true
  var isMuted = false
  var ducking = AVAudioVoiceProcessingOtherAudioDuckingConfiguration()
  /// Hears of speech while the input is muted.
  var speechListener: ((AVAudioVoiceProcessingSpeechActivityEvent) -> Void)?
  /// True where it was told of a beginning, and not of the end.
  var toldOfSpeech = false

  /// Takes the settings over to a unit that processes voices; others have none.
  func apply(to output: DeviceOutput) {
    guard output.kind == .voiceProcessing else { return }
    let words = [ducking.enableAdvancedDucking.boolValue ? 1 : 0, Int32(clamping: ducking.duckingLevel.rawValue)]
    let values: [(PropertyID, PropertyValue)] = [
      (.bypassVoiceProcessing, .uint32(isBypassed ? 1 : 0)),
      (.voiceProcessingEnableAGC, .uint32(controlsGain ? 1 : 0)), (.muteOutput, .uint32(isMuted ? 1 : 0)),
      (.otherAudioDuckingConfiguration, .int32s(words)),
    ]
    for (id, value) in values { try? output.setProperty(id, to: value) }
  }
}

extension AVAudioIONode {
  /// True where the echo of what the engine plays is taken out of what it records.
  public var isVoiceProcessingEnabled: Bool {
    engine.map { engine in engine.locked { engine.voice.isEnabled } } ?? false
  }

  /// Switches voice processing on or off, for input and output together: under a scenario the echo of what the engine
  /// plays is taken out, and the microphone's sound is mono, 40 ms late.
  /// - Throws: `NSError`: −10849 while the engine runs, −80800 in manual rendering mode, −10879 without an engine.
  public func setVoiceProcessingEnabled(_ enabled: Bool) throws {
    guard let engine else { throw NSError(AudioStatus.invalidProperty, "the node has no engine") }
    let former = try engine.locked {
      guard engine.mode == nil else {
        throw NSError(
          AVAudioEngineManualRenderingError.invalidMode, "in manual rendering mode there is no voice processing")
      }
      guard !engine.isRunning else {
        throw NSError(AudioStatus.initialized, "the engine runs: stop it in front of a change of voice processing")
      }
      guard engine.voice.isEnabled != enabled else { return nil as HardwareLink? }
      engine.voice.isEnabled = enabled
      defer { engine.link = nil }
      return engine.link
    }
    former?.end()
  }
}

extension AVAudioInputNode {
  private func voice<Value>(_ path: WritableKeyPath<VoiceSettings, Value>) -> Value {
    guard let engine else { return VoiceSettings()[keyPath: path] }
    return engine.locked { engine.voice[keyPath: path] }
  }

  private func setVoice<Value>(_ path: WritableKeyPath<VoiceSettings, Value>, _ value: Value) {
    guard let engine else { return }
    engine.locked {
      engine.voice[keyPath: path] = value
      if let output = engine.link?.output { engine.voice.apply(to: output) }
    }
  }

  /// True: the microphone passes unprocessed.
  public var isVoiceProcessingBypassed: Bool {
    get { voice(\.isBypassed) }
    set { setVoice(\.isBypassed, newValue) }
  }

  /// True, at first: the level of speech is controlled.
  public var isVoiceProcessingAGCEnabled: Bool {
    get { voice(\.controlsGain) }
    set { setVoice(\.controlsGain, newValue) }
  }

  /// True: the microphone gives silence while voice processing is on.
  public var isVoiceProcessingInputMuted: Bool {
    get { voice(\.isMuted) }
    set { setVoice(\.isMuted, newValue) }
  }

  /// The treatment of other programs' sound.
  public var voiceProcessingOtherAudioDuckingConfiguration: AVAudioVoiceProcessingOtherAudioDuckingConfiguration {
    get { voice(\.ducking) }
    set { setVoice(\.ducking, newValue) }
  }

  /// Sets a function that hears when the user begins and ends to speak while ``isVoiceProcessingInputMuted`` is true;
  /// nil: none. Called behind a cycle, on the thread beside the hardware's. The end of the mute, or of the engine's run, is
  /// no end of speech: nothing is told of it.
  /// - Returns: false, and nothing is set, where voice processing is off.
  public func setMutedSpeechActivityEventListener(
    _ listenerBlock: ((AVAudioVoiceProcessingSpeechActivityEvent) -> Void)?
  ) -> Bool {
    guard let engine, isVoiceProcessingEnabled else { return false }
    engine.locked { engine.voice.speechListener = listenerBlock }
    return true
  }
}

extension AVAudioEngine {
  /// Tells the program of speech into a muted microphone. Not on the thread that renders.
  func tellOfSpeech() {
    let call: (() -> Void)? = locked {
      guard let listener = voice.speechListener else { return nil }
      let (isMuted, hears) = (voice.isMuted, link?.output.hearsSpeech ?? false)
      guard (isMuted && hears) != voice.toldOfSpeech else { return nil }
      voice.toldOfSpeech = isMuted && hears
      return isMuted ? { listener(hears ? .started : .ended) } : nil
    }
    call?()
  }
}
