/// The settings of a process's audio session, and what follows from them for its route.
package struct SessionState: Sendable {
  /// The kinds of program that a session can be of.
  package enum Category: String, Hashable, Sendable, CaseIterable {
    case ambient, soloAmbient, playback, record, playAndRecord, audioProcessing, multiRoute
    /// A category of former interfaces.
    case interfaceSounds, liveAudio

    package var plays: Bool { self != .record && self != .audioProcessing }
    package var records: Bool { self == .record || self == .playAndRecord || self == .multiRoute }
    /// True where other programs may always be heard.
    var mixesAlways: Bool { self == .ambient || self == .interfaceSounds }
  }

  /// The uses that processing is adapted to.
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    case standard, voiceChat, gameChat, videoChat, videoRecording, measurement, moviePlayback, spokenAudio, voicePrompt

    /// The categories that have the mode; nil: all.
    var categories: Set<Category>? {
      switch self {
      case .standard, .measurement, .spokenAudio, .voicePrompt: nil
      case .voiceChat, .gameChat, .videoChat: [.playAndRecord]
      case .videoRecording: [.record, .playAndRecord]
      case .moviePlayback: [.playback]
      }
    }

    package func isAllowed(in category: Category) -> Bool { categories?.contains(category) ?? true }
  }

  /// Departures from what a category does by itself.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }
    package static let mixesWithOthers = Options(rawValue: 1)
    package static let ducksOthers = Options(rawValue: 2)
    package static let allowsBluetooth = Options(rawValue: 4)
    package static let usesSpeaker = Options(rawValue: 8)
  }

  package var isActive = false
  package var category = Category.soloAmbient
  package var mode = Mode.standard
  package var options: Options = []
  /// True where the program wants the speaker, until its route or category changes.
  package var overridesWithSpeaker = false
  /// The microphone that the program wants, by its name in a route; one that is not there counts for nothing. Nil:
  /// what is plugged in comes first.
  package var preferredInput: String?
  /// Hertz; 0: no wish.
  package var preferredSampleRate = 0.0
  /// Seconds; 0: no wish.
  package var preferredBufferSeconds = 0.0
  /// 0 to 1.
  package var inputGain: Float = 1
  /// True from the first use on: a program without a session has the hardware as it is.
  package var isInUse = false

  package init() {}

  /// True when other programs may be heard beside this one.
  package var mixesWithOthers: Bool {
    category.mixesAlways || options.contains(.mixesWithOthers) || category == .playback && ducksOthers
  }
  package var ducksOthers: Bool { options.contains(.ducksOthers) }

  /// The route on a device. Playing and recording at once uses the receiver, as on a telephone, unless the speaker is
  /// asked for; what is plugged in comes first, unless the built-in microphone is preferred. The override leads to what
  /// is built in, whatever is plugged in.
  package func route(on hardware: DeviceRoute, hasMicrophone: Bool) -> SessionRoute {
    let plugged = overridesWithSpeaker ? DeviceRoute() : hardware
    let usesReceiver = category == .playAndRecord && !overridesWithSpeaker && !options.contains(.usesSpeaker)
    return SessionRoute(
      output: category.plays ? plugged.output ?? (usesReceiver ? "BuiltInReceiver" : "BuiltInSpeaker") : nil,
      input: category.records && hasMicrophone
        ? preferredInput == "BuiltInMic" ? preferredInput : plugged.input ?? "BuiltInMic" : nil)
  }
}

/// The ends of a session's sound: names of ``DeviceRoute``, or of what is built in; nil where there is none.
package struct SessionRoute: Hashable, Sendable {
  package let output: String?
  package let input: String?
}
