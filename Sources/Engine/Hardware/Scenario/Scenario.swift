import AudioCore

/// What the simulated hardware is and what happens to it over time: the same scenario gives a program the same calls
/// and the same sound.
public struct Scenario: Hashable, Sendable {
  /// What the hardware is when the scenario begins.
  public var device = ScenarioDevice()
  /// What the microphone records when the scenario begins.
  public var microphone = SoundSource.silence
  /// The file that gets what the loudspeaker plays, 32-bit float; nil: none. After a change of rate a new one is begun,
  /// with -2, -3, … in front of its suffix.
  public var loudspeakerPath: String?
  /// The ways from the loudspeaker to the microphone.
  public var echo: [EchoPath] = []
  /// What another program plays; nil: there is none.
  public var otherAudio: SoundSource?
  /// What a cycle's callbacks are taken to cost, seconds; 0 where nothing is declared.
  public var costSeconds = 0.0
  /// What happens, in order of time.
  public var events: [ScenarioEvent] = []
  /// Device time after which nothing is pulled any more; nil: there is no end.
  public var seconds: Double?

  /// Nothing happens: silence, cycles of 512 frames at 44,100 Hz, as fast as the program delivers.
  public init() {}
}

/// What the hardware of a scenario is.
public struct ScenarioDevice: Hashable, Sendable {
  /// What paces it.
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
  /// What it takes from programs that a simulator would take.
  public var refusals: Set<Refusal> = []
  /// Where it plays and records.
  public var route = DeviceRoute()
  /// Whether callbacks get buffers with what was in them last, as from real devices, and not silence.
  public var leavesBuffers = false

  /// What is broken in it.
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
  /// What happens.
  public var change: Change

  /// A change at a time.
  public init(seconds: Double, _ change: Change) {
    self.seconds = seconds
    self.change = change
  }

  /// What can happen.
  public enum Change: Hashable, Sendable {
    /// Cycles of other lengths, in frames, repeated; empty: as the program prefers.
    case slices([Int])
    /// Callbacks come in groups; nil: one a cycle again.
    case burst(Burst?)
    case route(RouteChange)
    /// A phone call, say: the system deactivates the session, stops what runs, and says so.
    case interruptionBegins
    case interruptionEnds(InterruptionEnd)
    /// What the microphone records from now on.
    case microphone(SoundSource)
    /// The microphone gives silence until a unit is started again.
    case microphoneFails
    /// How much faster than its nominal rate the hardware's clock runs, parts per million.
    case drift(Double)
    /// How long after the beginning of its cycle a callback is called, seconds.
    case late(Double)
    /// What a cycle's callbacks are taken to cost, seconds.
    case cost(Double)
    /// What another program plays; nil: nothing any more.
    case otherAudio(SoundSource?)
    /// The loudspeaker's volume, a factor of 0 to 1.
    case volume(Double)
  }

  /// Callbacks that come one after another, and then none for a while.
  public struct Burst: Hashable, Sendable {
    /// How many.
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
    /// What listeners are told.
    public var reason = DeviceRoute.Reason.unknown

    /// To the hardware that is built in, with 200 ms without callbacks.
    public init() {}
  }

  /// How an interruption ends.
  public struct InterruptionEnd: Hashable, Sendable {
    /// What the interruption type then says: to resume, or not.
    public var resumes = true
    /// Whether the program is told; a system does not always.
    public var isTold = true

    /// An end that is told, with the advice to resume.
    public init() {}
  }
}
