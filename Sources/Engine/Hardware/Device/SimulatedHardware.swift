// The state of the simulated hardware that all units and programs of a process share: one set-up, one object number,
// the scenario that it follows, and the count of files written so far. Not used on the render path.

import AudioCore
import Glibc
import Synchronization

/// The simulated audio hardware of the machine: 2 channels out and 2 channels in, unless a scenario says otherwise.
public final class SimulatedHardware: @unchecked Sendable {
  /// The `AudioObjectID` of the device.
  public static let deviceID: UInt32 = 50
  /// The `AudioObjectID` of the stream that plays.
  public static let outputStreamID: UInt32 = 51
  /// The `AudioObjectID` of the stream that records.
  public static let inputStreamID: UInt32 = 52
  /// The value of `kAudioObjectPropertyName` and `kAudioObjectPropertyModelName`.
  public static let name = "Simulated Device"
  /// The value of `kAudioDevicePropertyDeviceUID` and `kAudioDevicePropertyModelUID`.
  public static let uniqueID = "aubench-simulated-device"
  /// The value of `kAudioObjectPropertyManufacturer`.
  public static let maker = "aubench"

  /// The device of this process, set up by its environment when it is first asked for: also with the scenario that
  /// `AUBENCH_DEVICE_SCENARIO` names.
  public static let shared: SimulatedHardware = {
    let hardware = SimulatedHardware(
      DeviceConfiguration(variable: { FileSystem.environment($0) }, complain: complain))
    hardware.movesHostClock = true
    if let path = FileSystem.environment("AUBENCH_DEVICE_SCENARIO"), !path.isEmpty {
      do {
        try hardware.follow(try ScenarioFile.load(path))
        for name in ["AUBENCH_DEVICE_RATE", "AUBENCH_DEVICE_CLOCK", "AUBENCH_DEVICE_SECONDS"]
        where FileSystem.environment(name)?.isEmpty == false {
          complain("\(name) counts for nothing: the scenario says that")
        }
      } catch {
        // A program that is tested against a scenario must not pass without it.
        complain("AUBENCH_DEVICE_SCENARIO: \(error)")
        exit(EX_CONFIG)
      }
    }
    return hardware
  }()

  /// Registers the report at a program's end; evaluated once a scenario is followed.
  private static let complainsAtExit: Bool = {
    let process = getpid()
    ownProcess.withLock { $0 = process }
    return atexit { SimulatedHardware.shared.complainOfWhatDidNotHappen() } == 0
  }()
  /// The process whose end that is, and not a copy of it.
  private static let ownProcess = Locked<pid_t>(0)

  /// A program that ended before an event was not tested against it.
  private func complainOfWhatDidNotHappen() {
    // A copy has none of its threads, and locks that they may have held.
    guard Self.ownProcess.withLock({ $0 }) == getpid(), let (count, first, now) = timeline?.eventsLeft else { return }
    let untold =
      scenario?.device.clock == .told && now == 0 ? "; its clock is told, and nobody has told it to go on" : ""
    Self.complain(
      "\(NumberText.count(count, "event")) of the scenario did not happen, the first at \(NumberText.short(first)) s: "
        + "the hardware has come to \(NumberText.short((now * 1e6).rounded() / 1e6)) s\(untold)")
  }

  private struct State {
    var configuration: DeviceConfiguration
    /// Files that have been begun under one path.
    var files = 0
    var filesPath = ""
    var timeline: HardwareTimeline?
    var route = DeviceRoute()
    var volume = 1.0
    var isInterrupted = false
    var otherAudio = OtherAudio.none
    /// True when another program plays at all.
    var hasOtherAudio = false
    var holders: [ObjectIdentifier: Holding] = [:]
    var observers: [(number: Int, call: @Sendable (HardwareEvent) -> Void)] = []
    var lastObserver = 0
    var companions: [ObjectIdentifier: AnyObject] = [:]
    var runningDevices: Set<ObjectIdentifier> = []
    /// The output by the session's category and override; nil: the program has no session.
    var sessionOutput: String?
    /// True when the unit disposed of last had other formats than a new one.
    var hasUnrestoredFormats = false
    var listener: (any LoudspeakerListener)?

    /// The defect of a voice processor's microphone.
    func voiceDefect(_ defects: Set<ScenarioDevice.Defect>) -> VoiceDefect {
      guard (sessionOutput ?? route.output) == "BuiltInSpeaker" else { return .none }
      return defects.contains(.silentVoiceOnSpeaker)
        ? .silence : defects.contains(.noisyVoiceOnSpeaker) ? .noise : .none
    }
  }

  /// The replacement of a voice processor's microphone signal.
  package enum VoiceDefect: UInt8, Sendable { case none, silence, noise }

  /// As the state says, for the hardware's thread.
  private let presentVoiceDefect = Atomic<UInt8>(0)
  package var voiceDefect: VoiceDefect {
    VoiceDefect(rawValue: presentVoiceDefect.load(ordering: .relaxed)) ?? .none
  }

  private func settleVoice() {
    let defects = scenario?.device.defects ?? []
    presentVoiceDefect.store(state.withLock { $0.voiceDefect(defects) }.rawValue, ordering: .relaxed)
  }

  /// Says what plays by the program's session: one of ``DeviceRoute/outputs``.
  package func setSessionOutput(_ output: String?) {
    state.withLock { $0.sessionOutput = output }
    settleVoice()
  }

  /// True when all sound is quieter and rougher, because a unit has left other formats.
  var isRough: Bool {
    scenario?.device.defects.contains(.unrestoredFormats) == true && state.withLock { $0.hasUnrestoredFormats }
  }

  /// A unit is disposed of, with the formats of a new one or with others.
  package func noteFormats(areThoseOfANewUnit isRestored: Bool) {
    state.withLock { $0.hasUnrestoredFormats = !isRestored }
  }
  private let state: Locked<State>
  /// True when its scenario's clock is the host's time for programs: for the process's own hardware.
  private(set) var movesHostClock = false

  /// The state of another program's sound.
  package enum OtherAudio: Sendable {
    /// There is none, or this program has silenced it.
    case none, plays, isDucked
  }

  /// The hold of a telephone's unit on the hardware, from its initialization until it is disposed of.
  struct Holding {
    let isVoiceProcessor: Bool
    /// Initialized now; else left without being disposed of.
    var isInUse: Bool
    /// The gain of other programs' sound while it is in use.
    var ducking: Float = 1
  }

  /// Hardware apart from ``shared``, with a set-up of its own. Nothing of the set-up is checked here.
  public init(_ configuration: DeviceConfiguration) { state = Locked(State(configuration: configuration)) }

  deinit { state.withLock { $0.timeline }?.end() }

  // MARK: Set-up

  /// The set-up that the next run will have.
  public var configuration: DeviceConfiguration { state.withLock { $0.configuration } }

  /// Makes the hardware of this process where its environment names a scenario: a program that never asks for hardware
  /// is not tested against it either.
  package static func readScenario() { _ = scenarioIsRead }
  private static let scenarioIsRead: Bool = {
    guard FileSystem.environment("AUBENCH_DEVICE_SCENARIO")?.isEmpty == false else { return false }
    return shared.scenario != nil
  }()

  /// Sets the rate: without a scenario for units that are initialized from now on, with one for those that run as well.
  /// - Throws: `.invalidPropertyValue` for anything but a whole number of hertz in ``DeviceConfiguration/sampleRates``,
  ///   or a rate that a scenario's device has not.
  public func setSampleRate(_ rate: Double) throws(AudioStatus) {
    guard DeviceConfiguration.sampleRates.contains(rate), rate == rate.rounded(),
      sampleRates.isEmpty || sampleRates.contains(rate)
    else { throw .invalidPropertyValue }
    state.withLock { $0.configuration.sampleRate = rate }
  }

  /// Sets the frames of a cycle for runs that start from now on; under a scenario from the next cycle on.
  /// - Throws: `.invalidPropertyValue` outside of ``DeviceConfiguration/bufferFrameCounts``.
  public func setBufferFrames(_ frames: Int) throws(AudioStatus) {
    guard DeviceConfiguration.bufferFrameCounts.contains(frames) else { throw .invalidPropertyValue }
    state.withLock { $0.configuration.bufferFrames = frames }
  }

  /// The rates that the device has; empty: any of ``DeviceConfiguration/sampleRates``.
  public var sampleRates: [Double] { timeline?.scenario.device.sampleRates ?? [] }

  /// The reasons for which programs' formats are refused.
  public var refusals: Set<ScenarioDevice.Refusal> { timeline?.scenario.device.refusals ?? [] }

  /// The route.
  public var route: DeviceRoute { state.withLock { $0.route } }
  /// The loudspeaker's volume, 0 to 1.
  public var volume: Double { state.withLock { $0.volume } }
  /// True when a phone call, say, has the hardware.
  public var isInterrupted: Bool { state.withLock { $0.isInterrupted } }
  /// True when there is a microphone.
  public var hasMicrophone: Bool { configuration.inputChannelCount > 0 }

  // MARK: Scenario

  /// The time line of the scenario that it follows; nil: none.
  var timeline: HardwareTimeline? { state.withLock { $0.timeline } }
  /// The scenario that it follows; nil: none.
  public var scenario: Scenario? { timeline?.scenario }

  /// Follows a scenario from its beginning on, in place of the one before. Running devices are stopped first.
  /// - Parameter scenario: nil: none any more; the set-up is left as it is.
  /// - Throws: `.input` for a sound file of the scenario that cannot be read.
  public func follow(_ scenario: Scenario?) throws(BenchError) {
    let next = try scenario.map { scenario throws(BenchError) in try HardwareTimeline(scenario, self) }
    let former = state.withLock { state in
      let former = state.timeline
      state.timeline = next
      state.isInterrupted = false
      state.volume = 1
      state.holders = [:]
      state.hasUnrestoredFormats = false
      state.route = scenario?.device.route ?? DeviceRoute()
      state.hasOtherAudio = scenario?.otherAudio != nil
      state.otherAudio = state.hasOtherAudio ? .plays : .none
      if let device = scenario?.device {
        state.configuration.sampleRate = device.sampleRate
        state.configuration.channelCount = device.outputChannels
        state.configuration.inputChannelCount = device.inputChannels
        state.configuration.clock = device.clock
      }
      return former
    }
    former?.end()
    settleVoice()
    if next != nil, movesHostClock { _ = Self.complainsAtExit }
    next?.showClock()
    if next == nil && movesHostClock { HostClock.set(nil) }
  }

  /// Lets the time of a scenario whose clock is `told` go on, and returns when it has: all callbacks of that time have
  /// been called.
  ///
  /// - Parameter seconds: 0 or more. Whole cycles are run: those that begin within this time.
  /// - Throws: `.cannotDoInCurrentContext` without such a scenario, or from within a callback of the hardware.
  public func advance(seconds: Double) throws(AudioStatus) {
    guard let timeline, seconds.isFinite, (0...DeviceConfiguration.longestSeconds).contains(seconds) else {
      throw .cannotDoInCurrentContext
    }
    // Whole nanoseconds, down: calls that each last some cycles never add up to the beginning of one more. A number of
    // seconds that is a nanosecond's but for its last bits is that nanosecond's.
    try timeline.advance(UInt64(clamping: (seconds * 1e9 * (1 + 2 * .ulpOfOne)).rounded(.down)))
  }

  /// Says from within a callback what that has cost, in place of the time that it took here: what lasts longer than its
  /// cycle leaves a gap. Adds up over a cycle; without a scenario nothing happens.
  public func spend(seconds: Double) { timeline?.spend(seconds) }

  /// The host's time, nanoseconds: that of the scenario, or of the machine.
  package var hostTime: UInt64 { timeline?.presentHostTime ?? MonotonicClock.now() }

  /// Device time of the scenario, seconds; 0 without one.
  public var scenarioSeconds: Double { timeline?.seconds ?? 0 }

  // MARK: Session

  private let sessionModel = Locked<AudioSessionModel?>(nil)
  /// The audio session of the program, behind each interface to it.
  package var session: AudioSessionModel {
    sessionModel.withLock { model in
      let present = model ?? AudioSessionModel(self)
      model = present
      return present
    }
  }

  /// The number of devices that run now.
  package var runningDevices: Int { state.withLock { $0.runningDevices.count } }

  func note(_ device: ObjectIdentifier, isRunning: Bool) {
    state.withLock { state in
      if isRunning { state.runningDevices.insert(device) } else { state.runningDevices.remove(device) }
    }
  }

  // MARK: Events

  /// Calls a function for what happens to the hardware, on the thread on which it happens.
  /// - Returns: the number by which ``stopObserving(_:)`` knows it.
  @discardableResult
  package func observe(_ observer: @escaping @Sendable (HardwareEvent) -> Void) -> Int {
    state.withLock { state in
      state.lastObserver += 1
      state.observers.append((state.lastObserver, observer))
      return state.lastObserver
    }
  }

  /// Ends what ``observe(_:)`` began; a call that is under way is finished.
  package func stopObserving(_ number: Int) { state.withLock { $0.observers.removeAll { $0.number == number } } }

  /// The one object of a kind that belongs to this hardware: made when it is first asked for, gone with the hardware,
  /// which it must not keep alive.
  package func companion<Companion: AnyObject>(_ make: (SimulatedHardware) -> Companion) -> Companion {
    let kind = ObjectIdentifier(Companion.self)
    if let known = state.withLock({ $0.companions[kind] }) as? Companion { return known }
    let fresh = make(self)
    return state.withLock { state in
      // Another thread may have been faster.
      if let known = state.companions[kind] as? Companion { return known }
      state.companions[kind] = fresh
      return fresh
    }
  }

  func tell(_ event: HardwareEvent) {
    for observer in state.withLock({ $0.observers }) { observer.call(event) }
  }

  func setInterrupted(_ isInterrupted: Bool) { state.withLock { $0.isInterrupted = isInterrupted } }
  func setVolume(_ volume: Double) { state.withLock { $0.volume = volume } }

  /// - Returns: the route before.
  func change(to change: ScenarioEvent.RouteChange) -> DeviceRoute {
    defer { settleVoice() }
    return state.withLock { state in
      let former = state.route
      state.route = change.route
      if let rate = change.sampleRate { state.configuration.sampleRate = rate }
      if let count = change.inputChannels { state.configuration.inputChannelCount = count }
      return former
    }
  }

  // MARK: Other programs, and other units

  /// Another program's sound: whether it plays, and how this program lets it. Setting it changes nothing where there is
  /// none.
  package var otherAudio: OtherAudio {
    get { state.withLock { $0.otherAudio } }
    set { state.withLock { $0.otherAudio = $0.hasOtherAudio ? newValue : .none } }
  }

  func setOtherAudio(isThere: Bool) {
    state.withLock { state in
      state.hasOtherAudio = isThere
      state.otherAudio = isThere ? .plays : .none
    }
  }

  /// A unit of a telephone's takes hold of the hardware: it is being initialized.
  /// - Throws: `.failedInitialization` while the hardware is interrupted, or for a second voice processor where the
  ///   first was not disposed of; `.failedInitialization` for one that records where there is no microphone.
  package func take(_ unit: AnyObject, isVoiceProcessor: Bool, records: Bool) throws(AudioStatus) {
    guard timeline != nil else { return }
    let id = ObjectIdentifier(unit)
    try state.withLock { (state) throws(AudioStatus) in
      let isTaken = state.holders.contains { $0.key != id && $0.value.isVoiceProcessor }
      guard !state.isInterrupted, !(isVoiceProcessor && isTaken),
        !records || state.configuration.inputChannelCount > 0
      else { throw .failedInitialization }
      state.holders[id] = Holding(isVoiceProcessor: isVoiceProcessor, isInUse: true)
    }
  }

  /// The unit was uninitialized, which gives nothing back.
  package func leave(_ unit: AnyObject) {
    state.withLock { $0.holders[ObjectIdentifier(unit)]?.isInUse = false }
  }

  /// The unit was disposed of.
  package func release(_ unit: ObjectIdentifier) { state.withLock { $0.holders[unit] = nil } }

  /// True when units were not disposed of: they keep a channel of the hardware, and all other sound is ducked.
  var hasForgottenUnits: Bool { state.withLock { $0.holders.values.contains { !$0.isInUse } } }
  /// Sets a voice processor's gain for other programs' sound: a factor.
  package func setDucking(_ gain: Float, of unit: AnyObject) {
    state.withLock { state in
      guard state.holders[ObjectIdentifier(unit)]?.isVoiceProcessor == true else { return }
      state.holders[ObjectIdentifier(unit)]?.ducking = gain
    }
  }

  /// The lowest gain of all voice processors in use.
  var voiceDucking: Float { state.withLock { $0.holders.values.filter(\.isInUse).map(\.ducking).min() ?? 1 } }

  // MARK: Files

  /// The listener to all that is played from the next ``follow(_:)`` on.
  package var listener: (any LoudspeakerListener)? {
    get { state.withLock { $0.listener } }
    set { state.withLock { $0.listener = newValue } }
  }

  /// The file of the next run: the path as it was given, then with -2, -3, … in front of its suffix.
  func nextWavePath() -> String? {
    state.withLock { state in
      guard let path = state.timeline?.scenario.loudspeakerPath ?? state.configuration.wavePath else { return nil }
      if path != state.filesPath { (state.files, state.filesPath) = (0, path) }
      state.files += 1
      return Self.numbered(path, state.files)
    }
  }

  package static func numbered(_ path: String, _ number: Int) -> String {
    guard number > 1 else { return path }
    // A name that begins with its only dot has no suffix.
    guard let ending = FileName.fileExtension(of: path), !FileName.stem(of: FileName.last(of: path)).isEmpty else {
      return "\(path)-\(number)"
    }
    return "\(FileName.stem(of: path))-\(number).\(ending)"
  }

  /// One line on standard error: the simulated hardware never ends the program.
  @Sendable package static func complain(_ message: String) {
    ErrorLine.write("simulated hardware: \(message)")
  }
}
