import AudioCore

/// The simulated hardware and its events over time: the same scenario gives a program the same calls and the same
/// sound.
public struct Scenario: Hashable, Sendable {
  /// The hardware when the scenario begins.
  public var device = ScenarioDevice()
  /// The sound of the microphone when the scenario begins.
  public var microphone = SoundSource.silence
  /// The file that gets what the loudspeaker plays, 32-bit float; nil: none. After a change of rate a new one is begun,
  /// with -2, -3, … in front of its suffix.
  public var loudspeakerPath: String?
  /// The ways from the loudspeaker to the microphone.
  public var echo: [EchoPath] = []
  /// The sound of another program; nil: there is none.
  public var otherAudio: SoundSource?
  /// The declared cost of a cycle's callbacks, seconds; 0 if none is declared.
  public var costSeconds = 0.0
  /// The events, in order of time.
  public var events: [ScenarioEvent] = []
  /// Device time after which nothing is pulled any more; nil: there is no end.
  public var seconds: Double?

  /// Nothing happens: silence, cycles of 512 frames at 44,100 Hz, as fast as the program delivers.
  public init() {}
}

/// The hardware of a scenario.
public struct ScenarioDevice: Hashable, Sendable {
  /// The clock that paces it.
  public var clock = DeviceConfiguration.Clock.free
  /// Hertz, a whole number of ``DeviceConfiguration/sampleRates``.
  public var sampleRate = 44_100.0
  /// The rates that it can have; empty: any of ``DeviceConfiguration/sampleRates``.
  public var sampleRates: [Double] = []
  /// Channels of the loudspeaker, 1 to 8.
  public var outputChannels = 2
  /// Channels of the microphone, 0 to 8; 0: it has none.
  public var inputChannels = 1
  /// Frames of one cycle after another, repeated; empty: as the program prefers.
  public var slices: [Int] = []
  /// The formats and settings that it refuses although a simulator would take them.
  public var refusals: Set<Refusal> = []
  /// The route.
  public var route = DeviceRoute()
  /// True when callbacks get buffers with their former contents, as from real devices, and not silence.
  public var leavesBuffers = false

  /// The defects of the device.
  public var defects: Set<Defect> = []

  /// Something that real devices do, and should not.
  public enum Defect: String, Hashable, Sendable, CaseIterable {
    /// While sound goes to the built-in speaker, a voice processor's microphone gives silence.
    case silentVoiceOnSpeaker
    /// While sound goes to the built-in speaker, a voice processor's microphone gives noise.
    case noisyVoiceOnSpeaker
    /// After a unit that was disposed of with other formats than a new one has, all sound is quieter and rougher; until
    /// one is disposed of that has them again.
    case unrestoredFormats
  }

  /// A format on the program's side that the device does not take.
  public enum Refusal: String, Hashable, Sendable, CaseIterable {
    /// Floating point: −50.
    case float
    /// One channel: −10868.
    case mono
    /// A rate that is not the hardware's: −10868.
    case otherRates
  }

  /// A simulator: it takes any format, has a microphone of one channel and two loudspeakers.
  public init() {}
}

/// One way from the loudspeaker to the microphone: what was played is recorded again.
public struct EchoPath: Hashable, Sendable {
  /// Seconds from the sample time at which a frame is played to that at which it is recorded; never less than the cycle
  /// that it is played in.
  public var delaySeconds: Double
  /// A factor of amplitude.
  public var gain: Double

  /// A way of so many seconds and decibels.
  public init(delaySeconds: Double, gainDecibels: Double) {
    self.delaySeconds = delaySeconds
    gain = Decibels.amplitude(gainDecibels)
  }
}

/// Something that happens to the hardware at the first cycle that begins at its time, or after.
public struct ScenarioEvent: Hashable, Sendable {
  /// Device time, seconds from the start of the scenario.
  public var seconds: Double
  /// The change.
  public var change: Change

  /// A change at a time.
  public init(seconds: Double, _ change: Change) {
    self.seconds = seconds
    self.change = change
  }

  /// The possible changes.
  public enum Change: Hashable, Sendable {
    /// Cycles of other lengths, in frames, repeated; empty: as the program prefers.
    case slices([Int])
    /// Callbacks come in groups; nil: one a cycle again.
    case burst(Burst?)
    case route(RouteChange)
    /// A phone call, say: the system deactivates the session, stops what runs, and says so.
    case interruptionBegins
    case interruptionEnds(InterruptionEnd)
    /// The sound of the microphone from now on.
    case microphone(SoundSource)
    /// The microphone gives silence until a unit is started again.
    case microphoneFails
    /// The excess of the hardware's clock over its nominal rate, parts per million.
    case drift(Double)
    /// The delay of a callback after the beginning of its cycle, seconds.
    case late(Double)
    /// The declared cost of a cycle's callbacks, seconds.
    case cost(Double)
    /// The sound of another program; nil: none any more.
    case otherAudio(SoundSource?)
    /// The loudspeaker's volume, a factor of 0 to 1.
    case volume(Double)
  }

  /// Callbacks that come one after another, and then none for a while.
  public struct Burst: Hashable, Sendable {
    /// The number of callbacks.
    public var callbacks: Int
    /// Seconds without any; the rest of the cycles' time lies between the callbacks.
    public var pauseSeconds: Double

    /// - Parameters:
    ///   - callbacks: 2 to 1000.
    ///   - pauseSeconds: no more than the cycles of a burst last.
    public init(callbacks: Int, pauseSeconds: Double) {
      self.callbacks = callbacks
      self.pauseSeconds = pauseSeconds
    }
  }

  /// Another way for the sound.
  public struct RouteChange: Hashable, Sendable {
    /// The new route.
    public var route = DeviceRoute()
    /// Seconds for which no callback comes.
    public var blockedSeconds = 0.2
    /// The new hardware's rate, hertz; nil: the same.
    public var sampleRate: Double?
    /// The new hardware's channels; nil: the same.
    public var inputChannels: Int?
    /// The reason that listeners get.
    public var reason = DeviceRoute.Reason.unknown

    /// To the hardware that is built in, with 200 ms without callbacks.
    public init() {}
  }

  /// The end of an interruption.
  public struct InterruptionEnd: Hashable, Sendable {
    /// The interruption type at its end: to resume, or not.
    public var resumes = true
    /// True when the program is notified; a system does not always do so.
    public var isTold = true

    /// An end with a notification, with the advice to resume.
    public init() {}
  }
}
