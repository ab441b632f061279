// The choices of an audio session. Names and values: Apple's documentation of AVAudioSession.

import Foundation
import Hardware

extension AVAudioSession {
  /// The kind of a program, by what it does with sound.
  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// The category of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Sound that a program can do without; others are heard beside it.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Sound that a program can do without; others are silenced. The category of a new session.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Sound that a program is for.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recording alone.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Recording and playing at once.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Neither: a codec that works in hardware.
    public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
    /// Several routes at once; the simulated hardware has one.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")

    static let known: [(category: Category, state: SessionState.Category)] = [
      (.ambient, .ambient), (.soloAmbient, .soloAmbient), (.playback, .playback), (.record, .record),
      (.playAndRecord, .playAndRecord), (.audioProcessing, .audioProcessing), (.multiRoute, .multiRoute),
    ]
  }

  /// The use of a category, which processing is adapted to.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// The mode of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// No particular one.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// A conversation.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// A conversation in a game.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// The sound of a film that is recorded.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// A measurement, with the least processing.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// A film that is played.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// A conversation with pictures.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Speech that is played, as of a book.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Short announcements.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")

    static let known: [(mode: Mode, state: SessionState.Mode)] = [
      (.default, .standard), (.voiceChat, .voiceChat), (.gameChat, .gameChat), (.videoRecording, .videoRecording),
      (.measurement, .measurement), (.moviePlayback, .moviePlayback), (.videoChat, .videoChat),
      (.spokenAudio, .spokenAudio), (.voicePrompt, .voicePrompt),
    ]
  }

  /// Departures from what a category does by itself.
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    /// The options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Other programs are heard beside this one.
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    /// Other programs are heard, and quieter while the session is active.
    public static let duckOthers = CategoryOptions(rawValue: 2)
    /// A hands-free device may be the input.
    public static let allowBluetooth = CategoryOptions(rawValue: 4)
    /// The speaker plays, and not the receiver.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
    /// Other programs are heard, except for speech.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    /// Bluetooth devices for music may play.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// AirPlay devices may play.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// A muted microphone does not interrupt the program.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)

    /// The options that the model of the session knows.
    static let modelled: CategoryOptions = [.mixWithOthers, .duckOthers, .allowBluetooth, .defaultToSpeaker]

    /// The options that a category may have.
    static func allowed(in category: SessionState.Category) -> CategoryOptions {
      let mixing: CategoryOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
      return switch category {
      case .playAndRecord:
        mixing.union([
          .allowBluetooth, .defaultToSpeaker, .allowBluetoothA2DP, .allowAirPlay,
          .overrideMutedMicrophoneInterruption,
        ])
      case .playback, .multiRoute: mixing.union([.allowBluetoothA2DP, .allowAirPlay])
      case .ambient: mixing.union([.allowBluetoothA2DP, .allowAirPlay])
      case .record: [.allowBluetooth, .overrideMutedMicrophoneInterruption]
      case .soloAmbient: [.allowBluetoothA2DP, .allowAirPlay]
      default: []
      }
    }
  }

  /// Options of activation.
  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    /// The options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Programs that were interrupted learn that they may go on.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// Options of asynchronous activation: none.
  public struct ActivationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    /// The options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  /// The two ends of an interruption.
  public enum InterruptionType: UInt, Sendable {
    case ended = 0
    case began = 1
  }

  /// Advice at the end of an interruption.
  public struct InterruptionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    /// The options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The program may go on with what it did.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  /// Why an interruption began.
  public enum InterruptionReason: UInt, Sendable {
    case `default` = 0
    case appWasSuspended = 1
    case builtInMicMuted = 2
    case routeDisconnected = 4
  }

  /// Why a route has changed.
  public enum RouteChangeReason: UInt, Sendable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
  }

  /// A route in place of the one that category and devices give.
  public enum PortOverride: UInt, Sendable {
    case none = 0
    /// 'spkr': the built-in speaker and microphone.
    case speaker = 0x7370_6B72
  }

  /// The user's answer to the question for the microphone.
  public enum RecordPermission: UInt, Sendable {
    /// 'undt'
    case undetermined = 0x756E_6474
    /// 'deny'
    case denied = 0x6465_6E79
    /// 'grnt'
    case granted = 0x6772_6E74
  }

  /// The routes that a program shares with others.
  public enum RouteSharingPolicy: UInt, Sendable {
    case `default` = 0
    case longFormAudio = 1
    case independent = 2
    case longFormVideo = 3
  }

  /// The advice to silence what is less important while another program plays.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    case end = 0
    case begin = 1
  }

  /// Input and output by one clock, or as they come.
  public enum IOType: UInt, Sendable {
    case notSpecified = 0
    case aggregated = 1
  }

  /// The orientation of stereo from built-in microphones.
  public enum StereoOrientation: Int, Sendable {
    case none = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4
  }

  /// How long a program's announcements should be.
  public enum PromptStyle: UInt, Sendable {
    /// 'none'
    case none = 0x6E6F_6E65
    /// 'shrt'
    case short = 0x7368_7274
    /// 'nrml'
    case normal = 0x6E72_6D6C
  }

  /// The codes of errors, in the domain `NSOSStatusErrorDomain`.
  public enum ErrorCode: Int, Error, Sendable {
    case none = 0
    /// 'msrv'
    case mediaServicesFailed = 1_836_282_486
    /// '!act'
    case isBusy = 560_030_580
    /// '!cat'
    case incompatibleCategory = 560_161_140
    /// '!int'
    case cannotInterruptOthers = 560_557_684
    /// 'ent?'
    case missingEntitlement = 1_701_737_535
    /// 'siri'
    case siriIsRecording = 1_936_290_409
    /// '!pla'
    case cannotStartPlaying = 561_015_905
    /// '!rec'
    case cannotStartRecording = 561_145_187
    case badParam = -50
    /// '!pri'
    case insufficientPriority = 561_017_449
    /// '!res'
    case resourceNotAvailable = 561_145_203
    /// 'what'
    case unspecified = 2_003_329_396
    /// '!ses'
    case expiredSession = 561_210_739
    /// 'inac'
    case sessionNotActive = 1_768_841_571
  }
}
