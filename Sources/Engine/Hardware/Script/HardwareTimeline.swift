// The hardware under a scenario: one thread, and one time line for all that runs. Between two cycles the thread applies
// what the scenario says, reads and writes files, and calls who listens; within a cycle it calls the clients and
// nothing else.

import AudioCore
import Glibc
import Synchronization
import Transcripts

/// Asks all running devices for one cycle after another, and lets happen to them what the scenario says.
///
/// All values of a cycle are computed from frames and from declared costs, so that a program that does the same hears
/// and plays the same, however long anything takes here.
final class HardwareTimeline: @unchecked Sendable {
  let scenario: Scenario
  private weak var owner: SimulatedHardware?
  /// The owner, for as long as a cycle lasts. The thread's own.
  private var held: SimulatedHardware?

  private struct State {
    var members: [TimelineMember] = []
    /// The one that is inside its pull.
    var present: TimelineMember?
    /// Device time until which a told clock may go, nanoseconds.
    var target: UInt64 = 0
    /// True from a cycle's beginning until everything that it brings has been told.
    var isInCycle = false
    /// Device time at which the next cycle begins, and where a change of route that is under way ends.
    var now: UInt64 = 0
    var blockedUntil: UInt64 = 0
    /// Events that have happened.
    var eventsTaken = 0
    var isEnding = false
    var hasThread = false
    var thread: pthread_t?
  }
  private let lock = ConditionLock()
  private var state = State()

  /// The declared costs of the present cycle's callbacks, nanoseconds.
  private let spent = Atomic<UInt64>(0)
  private let shownHostTime = Atomic<UInt64>(HostClock.scenarioStart)
  /// The thread's own, but for what says otherwise.
  private let script: ScriptState

  /// - Throws: `.input` for a sound file that cannot be read.
  init(_ scenario: Scenario, _ hardware: SimulatedHardware) throws(BenchError) {
    self.scenario = scenario
    owner = hardware
    script = try ScriptState(scenario)
  }

  /// Within a cycle.
  private var hardware: SimulatedHardware {
    guard let held else { preconditionFailure("a cycle holds its hardware") }
    return held
  }

  private var clock: DeviceConfiguration.Clock { scenario.device.clock }

  private func locked<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&state)
  }

  /// With the lock held.
  private var isOnThread: Bool { state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

  // MARK: Any thread

  var seconds: Double { Double(locked { $0.now }) / 1e9 }

  /// The number of events that have not happened, and the time of the first of them; and device time. Nil if all have
  /// happened.
  var eventsLeft: (count: Int, first: Double, now: Double)? {
    let (taken, now) = locked { ($0.eventsTaken, $0.now) }
    guard taken < scenario.events.count else { return nil }
    return (scenario.events.count - taken, scenario.events[taken].seconds, Double(now) / 1e9)
  }

  /// Lets the program read the scenario's time from the start on.
  func showClock() {
    if owner?.movesHostClock == true { HostClock.set(clock == .real ? nil : HostClock.scenarioStart) }
  }

  /// Nil: the machine's clock holds.
  var presentHostTime: UInt64? { clock == .real ? nil : shownHostTime.load(ordering: .relaxed) }

  /// - Throws: `.render` where the hardware does not run, or there is no thread for it.
  func join(_ member: TimelineMember) throws(BenchError) {
    guard owner?.isInterrupted != true else {
      throw BenchError(.render, "the hardware is interrupted", advice: "start again when the interruption has ended")
    }
    lock.lock()
    defer { lock.unlock() }
    guard !state.isEnding else { throw BenchError(.render, "the hardware follows another scenario now") }
    guard beginThread() else {
      throw BenchError(.render, "the system gives no thread for the simulated hardware")
    }
    state.members.append(member)
    script.restart()
    lock.broadcast()
  }

  /// Lets time begin. With the lock held.
  /// - Returns: false where the system gives no thread.
  private func beginThread() -> Bool {
    if !state.hasThread { state.hasThread = DetachedThread.run { self.serve() } }
    return state.hasThread
  }

  /// Ends a member; waits for its pull, and for the end of a change of route, unless the hardware's own thread asks.
  func leave(_ member: TimelineMember) {
    lock.lock()
    let isThere = state.members.contains { $0 === member }
    state.members.removeAll { $0 === member }
    // Within its own pull: that is the last, and ends it.
    var ends = isThere
    if isOnThread {
      ends = ends && state.present !== member
    } else {
      if isThere {
        while state.now < state.blockedUntil && !state.isEnding && !isOver {
          // A told clock goes on for as long as the stop takes, which another change of route makes longer.
          if state.target < state.blockedUntil {
            state.target = state.blockedUntil
            lock.broadcast()
          }
          lock.wait()
        }
      }
      while state.present === member { lock.wait() }
    }
    lock.unlock()
    if ends { member.client.end() }
  }

  func advance(_ nanoseconds: UInt64) throws(AudioStatus) {
    lock.lock()
    defer { lock.unlock() }
    guard clock == .told, !isOnThread, !CycleFollower.isCurrent, !state.isEnding else {
      throw .cannotDoInCurrentContext
    }
    guard beginThread() else { throw .cannotDoInCurrentContext }
    state.target = max(state.target, state.now) + nanoseconds
    let target = state.target
    lock.broadcast()
    while state.isInCycle || state.now < target && !isOver, !state.isEnding { lock.wait() }
  }

  func spend(_ seconds: Double) {
    guard seconds.isFinite, seconds > 0 else { return }
    spent.wrappingAdd(UInt64(clamping: min(seconds, 3600) * 1e9), ordering: .relaxed)
  }

  /// Stops all that runs, and the thread.
  func end() {
    lock.lock()
    state.isEnding = true
    let members = state.members
    for member in members { member.client.letGo() }
    lock.broadcast()
    if !isOnThread { while state.hasThread { lock.wait() } }
    state.members = []
    lock.unlock()
    for member in members { member.wasStopped() }
  }

  // MARK: The hardware's thread

  /// True when the scenario's time is up. Call with the lock held.
  private var isOver: Bool { scenario.seconds.map { state.now >= UInt64(clamping: $0 * 1e9) } ?? false }

  /// True when a cycle may begin. Call with the lock held.
  private var mayMove: Bool {
    guard !isOver else { return false }
    return switch clock {
    case .told: state.now < state.target
    case .real: true
    case .free:
      !state.members.isEmpty || state.now < state.blockedUntil
        || owner?.isInterrupted == true && script.willEndInterruption
    }
  }

  private func serve() {
    CallRecorder.shared?.nameThread("device")
    lock.lock()
    state.thread = pthread_self()
    if let owner { script.begin(owner.configuration, path: owner.nextWavePath(), listener: owner.listener) }
    while !state.isEnding {
      guard mayMove else {
        // The file is whole while nothing happens.
        if isOver { script.finish() }
        lock.broadcast()
        lock.wait()
        continue
      }
      state.isInCycle = true
      lock.unlock()
      held = owner
      if held != nil { cycle() }
      held = nil
      lock.lock()
      state.isInCycle = false
      lock.broadcast()
    }
    script.finish()
    state.hasThread = false
    state.thread = nil
    lock.broadcast()
    lock.unlock()
  }

  /// One cycle: what is due happens, who runs is called, and what is played goes its ways.
  private func cycle() {
    while let change = script.takeDueChange() {
      locked { $0.eventsTaken += 1 }
      apply(change)
    }
    adoptHardware()
    script.beginCycle()
    wait(until: script.callHostTime)
    if !script.isBlocked && !script.isLost { askAll() }
    for member in locked({ $0.members }) {
      let lost = script.lostFrames
      if lost > 0 {
        CallRecorder.shared?.note(
          .event, "frames lost",
          arguments: script.isLost ? "no callback could come in time" : "a callback came back too late",
          at: CallMoment(
            sampleTime: Double(member.clockEnd.frame), frames: lost, sampleRate: hardware.configuration.sampleRate))
        member.counts.lateCycles.wrappingAdd(1, ordering: .relaxed)
        member.counts.lostFrames.wrappingAdd(Int64(lost), ordering: .relaxed)
      }
      member.pass(frames: script.frames)
    }
    script.endCycle(
      duck: hardware.hasForgottenUnits, isRough: hardware.isRough, otherGain: otherGain, volume: hardware.volume)
    let end = script.now
    locked { $0.now = end }
    wait(until: script.hostTime)
    if let change = script.takeFinishedRoute() { finish(change) }
  }

  private func wait(until hostTime: UInt64) {
    if clock == .real {
      _ = MonotonicClock.sleep(until: hostTime)
      return
    }
    shownHostTime.store(hostTime, ordering: .relaxed)
    CallRecorder.shared?.moveClock(to: hostTime - HostClock.scenarioStart)
    if hardware.movesHostClock { HostClock.set(hostTime) }
  }

  private func askAll() {
    spent.store(0, ordering: .relaxed)
    let began = MonotonicClock.now()
    for member in locked({ $0.members }) { ask(member) }
    let measured = clock == .real ? MonotonicClock.now() - began : 0
    script.note(cost: measured + spent.load(ordering: .relaxed))
    for member in locked({ $0.members }) { member.client.follow(clock) }
  }

  private var otherGain: Float {
    switch hardware.otherAudio {
    case .none: 0
    case .plays: min(hardware.voiceDucking, hardware.hasForgottenUnits ? ScriptState.duckedGain : 1)
    case .isDucked: min(hardware.voiceDucking, ScriptState.duckedGain)
    }
  }

  private func ask(_ member: TimelineMember) {
    let isThere = locked { state in
      guard state.members.contains(where: { $0 === member }) else { return false }
      state.present = member
      return true
    }
    guard isThere else { return }
    member.client.run(
      script.time(of: member), playHostTime: script.playHostTime, frames: script.frames, input: script.input,
      inputChannels: script.inputChannels,
      sampleRate: hardware.configuration.sampleRate)
    if member.isAudible { script.mix(member.client.output) }
    let wasLast = locked { state in
      state.present = nil
      lock.broadcast()
      return !state.members.contains { $0 === member }
    }
    if wasLast { member.client.end() }
  }

  private func apply(_ change: ScenarioEvent.Change) {
    change.record(seconds: seconds)
    switch change {
    case .interruptionBegins:
      hardware.setInterrupted(true)
      let stopped = locked { state in
        defer { state.members = [] }
        return state.members
      }
      for member in stopped { member.wasStopped() }
      hardware.tell(.interruptionBegan)
    case .interruptionEnds(let end):
      hardware.setInterrupted(false)
      hardware.tell(.interruptionEnded(resumes: end.resumes, isTold: end.isTold))
    case .route(let change):
      let end = script.block(for: change)
      locked { $0.blockedUntil = end }
      // A change of route that takes no time is finished at once.
      if let change = script.takeFinishedRoute() { finish(change) }
    case .otherAudio(let source):
      script.apply(change)
      hardware.setOtherAudio(isThere: source != nil)
      hardware.tell(.otherAudioChanged)
    case .volume(let volume):
      hardware.setVolume(volume)
      hardware.tell(.volumeChanged)
    default: script.apply(change)
    }
  }

  /// The new route holds.
  private func finish(_ change: ScenarioEvent.RouteChange) {
    let hadMicrophone = hardware.hasMicrophone
    let former = hardware.change(to: change)
    adoptHardware()
    hardware.tell(.routeChanged(former: former, hadMicrophone: hadMicrophone, reason: change.reason))
  }

  /// Another rate, or other channels, since the last cycle: all that runs is set up anew.
  private func adoptHardware() {
    let present = hardware.configuration
    guard let former = script.adopt(present, nextPath: { hardware.nextWavePath() }) else { return }
    for member in locked({ $0.members }) { member.formatDidChange(sampleRate: present.sampleRate) }
    hardware.tell(.configurationChanged(former: former))
  }
}
