// The state of a scenario: the next cycle, the time of its callbacks, their input, and the place of their output. The
// hardware's thread alone.

import AudioCore
import Glibc
import Synchronization

/// The course of a scenario, cycle by cycle, in frames and in nanoseconds of device time.
final class ScriptState {
  /// The gain of ducked sound: −12 dB.
  static let duckedGain: Float = 0.25
  private static let capacity = DeviceConfiguration.bufferFrameCounts.upperBound

  private let scenario: Scenario
  private var nextEvent = 0
  private var configuration = DeviceConfiguration()

  // Time. A segment is what goes by at one rate and one drift.
  private var segmentStart: UInt64 = 0
  private var segmentHostStart: UInt64 = HostClock.scenarioStart
  private var segmentFrames: Int64 = 0
  private var driftPPM = 0.0
  private var lateNanoseconds: UInt64 = 0
  private var costNanoseconds: UInt64
  /// Until then the hardware's thread is inside callbacks.
  private var busyUntil: UInt64 = 0
  private(set) var blockedUntil: UInt64 = 0
  private var pendingRoute: ScenarioEvent.RouteChange?

  // The present cycle.
  private var slices: [Int]
  private var sliceIndex = 0
  private(set) var frames = 0
  private var callTime: UInt64 = 0
  private var deadline: UInt64 = 0
  private(set) var isBlocked = false
  private(set) var isLost = false
  private var missingFrames = 0

  private struct Group {
    let burst: ScenarioEvent.Burst
    var index = 0
    var firstCall: UInt64 = 0
    var spacing: UInt64 = 0
    var slack: UInt64 = 0
  }
  private var group: Group?

  // Sound.
  private var microphone: SourceReader?
  private var otherAudio: SourceReader?
  /// Those of events that have not happened yet, by event.
  private var laterSources: [Int: SourceReader] = [:]
  private var microphoneHasFailed = false
  /// Set by other threads: a device was started.
  private let wasRestarted = Atomic<Bool>(false)
  private var inputMemory: FlatMemory<Float>
  private let mixMemory: FlatMemory<Float>
  /// The sound that was played, the mean of all channels; the frame before the next one to be played lies before
  /// ``historyEnd``.
  private var history: [Float]
  private var historyEnd = 0
  private var recorder: WaveRecorder?
  private var listener: (any LoudspeakerListener)?

  /// - Throws: `.input` for a sound file that cannot be read.
  init(_ scenario: Scenario) throws(BenchError) {
    self.scenario = scenario
    slices = scenario.device.slices
    costNanoseconds = Self.nanoseconds(scenario.costSeconds)
    let device = scenario.device
    inputMemory = FlatMemory(repeating: 0, count: 8 * Self.capacity)
    mixMemory = FlatMemory(repeating: 0, count: device.outputChannels * Self.capacity)
    let longest = scenario.echo.map(\.delaySeconds).max() ?? 0
    let highest = DeviceConfiguration.sampleRates.upperBound
    history =
      scenario.echo.isEmpty ? [] : Array(repeating: 0, count: Int(clamping: longest * highest) + 2 * Self.capacity)
    configuration.sampleRate = device.sampleRate
    configuration.channelCount = device.outputChannels
    configuration.inputChannelCount = device.inputChannels
    microphone = try reader(scenario.microphone)
    otherAudio = try scenario.otherAudio.map { source throws(BenchError) in try reader(source) }
    // Files are opened before anything runs, so that a missing one is reported in time.
    for (index, event) in scenario.events.enumerated() {
      switch event.change {
      case .microphone(let source), .otherAudio(let source?): laterSources[index] = try reader(source)
      default: break
      }
    }
  }

  private static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(clamping: (seconds * 1e9).rounded()) }

  private func reader(_ source: SoundSource) throws(BenchError) -> SourceReader {
    try SourceReader(source, sampleRate: configuration.sampleRate)
  }

  /// The source that the event taken last begins, at the present rate.
  private func takeSource() -> SourceReader? {
    guard let source = laterSources.removeValue(forKey: nextEvent - 1) else { return nil }
    return quietly { () throws(BenchError) in
      try source.move(to: configuration.sampleRate)
      return source
    }
  }

  /// On the hardware's thread, before the first cycle.
  func begin(_ configuration: DeviceConfiguration, path: String?, listener: (any LoudspeakerListener)?) {
    self.configuration = configuration
    self.listener = listener
    listener?.begin(configuration.streamFormat)
    if configuration.clock == .real { segmentHostStart = MonotonicClock.now() }
    record(to: path)
  }

  private func record(to path: String?) {
    var longest = configuration
    longest.bufferFrames = Self.capacity
    longest.seconds = nil
    recorder = path.map { WaveRecorder(path: $0, longest) }
  }

  /// The file of what was played is whole.
  func finish() {
    recorder?.finish()
    recorder = nil
  }

  /// A device was started. Any thread.
  func restart() { wasRestarted.store(true, ordering: .releasing) }

  // MARK: Time

  /// Device time at which the next cycle begins.
  var now: UInt64 { time(afterFrames: segmentFrames) }
  var hostTime: UInt64 { host(atFrame: Double(segmentFrames)) }
  /// The host's time at which the callbacks of the cycle come.
  var callHostTime: UInt64 {
    let start = time(afterFrames: segmentFrames)
    return hostTime + UInt64(clamping: Double(callTime &- start) / (1 + driftPPM * 1e-6))
  }

  /// The host's time at which the output of the cycle begins to be heard: when its callbacks must be done.
  var playHostTime: UInt64 {
    let ahead = deadline &- time(afterFrames: segmentFrames)
    let planned = hostTime + UInt64(clamping: Double(ahead) / (1 + driftPPM * 1e-6))
    return configuration.clock == .real ? max(planned, MonotonicClock.now()) : planned
  }

  private func time(afterFrames frames: Int64) -> UInt64 {
    segmentStart + UInt64(FrameCount.converted(frames, from: configuration.sampleRate, to: 1e9))
  }

  private func host(atFrame frame: Double) -> UInt64 {
    segmentHostStart + UInt64(clamping: (frame * 1e9 / (configuration.sampleRate * (1 + driftPPM * 1e-6))).rounded())
  }

  private func beginSegment() {
    (segmentStart, segmentHostStart, segmentFrames) = (now, hostTime, 0)
  }

  /// The moment of a member's present cycle.
  func time(of member: TimelineMember) -> DeviceTime {
    DeviceTime(sampleTime: member.clockEnd.frame, hostTime: hostTime, rateScalar: 1 / (1 + driftPPM * 1e-6))
  }

  // MARK: Events

  /// The next change whose time has come.
  func takeDueChange() -> ScenarioEvent.Change? {
    guard nextEvent < scenario.events.count, Self.nanoseconds(scenario.events[nextEvent].seconds) <= now else {
      return nil
    }
    nextEvent += 1
    return scenario.events[nextEvent - 1].change
  }

  /// True when an interruption is still to end.
  var willEndInterruption: Bool {
    scenario.events[nextEvent...].contains { if case .interruptionEnds = $0.change { true } else { false } }
  }

  func apply(_ change: ScenarioEvent.Change) {
    switch change {
    case .slices(let list): (slices, sliceIndex) = (list, 0)
    case .burst(let burst): group = burst.map { Group(burst: $0) }
    case .microphone: microphone = takeSource()
    case .otherAudio: otherAudio = takeSource()
    case .microphoneFails:
      microphoneHasFailed = true
      wasRestarted.store(false, ordering: .relaxed)
    case .drift(let ppm):
      beginSegment()
      driftPPM = ppm
    case .late(let seconds): lateNanoseconds = Self.nanoseconds(seconds)
    case .cost(let seconds): costNanoseconds = Self.nanoseconds(seconds)
    default: break
    }
  }

  private func quietly<Result>(_ body: () throws(BenchError) -> Result) -> Result? {
    do { return try body() } catch {
      SimulatedHardware.complain("\(error)")
      return nil
    }
  }

  /// No callback comes until the route has changed.
  /// - Returns: device time at which it has.
  func block(for change: ScenarioEvent.RouteChange) -> UInt64 {
    blockedUntil = max(blockedUntil, now + Self.nanoseconds(change.blockedSeconds))
    pendingRoute = change
    return blockedUntil
  }

  /// The change of route whose time is up.
  func takeFinishedRoute() -> ScenarioEvent.RouteChange? {
    guard now >= blockedUntil, let change = pendingRoute else { return nil }
    pendingRoute = nil
    return change
  }

  /// Takes over what the hardware is now.
  /// - Returns: the former configuration, if rate or channels have changed.
  func adopt(_ present: DeviceConfiguration, nextPath: () -> String?) -> DeviceConfiguration? {
    let former = configuration
    guard present.sampleRate != former.sampleRate || present.inputChannelCount != former.inputChannelCount else {
      configuration = present
      return nil
    }
    if present.sampleRate != former.sampleRate {
      beginSegment()
      for index in history.indices { history[index] = 0 }
      historyEnd = 0
      sliceIndex = 0
      // Another rate is another file.
      finish()
      configuration = present
      record(to: nextPath())
      listener?.begin(present.streamFormat)
    }
    configuration = present
    _ = quietly { () throws(BenchError) in
      try microphone?.move(to: present.sampleRate)
      try otherAudio?.move(to: present.sampleRate)
    }
    return former
  }

  // MARK: A cycle

  var input: Plane<Float> { inputMemory.all }
  var inputChannels: Int { configuration.inputFormat.channelCount }
  /// Frames of the cycle that are silence because a callback took too long.
  var lostFrames: Int { isLost ? frames : missingFrames }

  func beginCycle() {
    frames = nextSlice(at: sliceIndex)
    sliceIndex += 1
    let start = now
    let end = time(afterFrames: segmentFrames + Int64(frames))
    isBlocked = start < blockedUntil
    missingFrames = 0
    let (nominal, slack) = nominalCall(start: start)
    // If slices change within a burst, its plan may lie before the cycle.
    callTime = max(start, nominal + lateNanoseconds, busyUntil)
    deadline = end + slack
    isLost = !isBlocked && callTime >= deadline
    if isBlocked { callTime = start }
    mixMemory.all.update(repeating: 0, count: frames * configuration.channelCount)
    hear()
  }

  private func nextSlice(at index: Int) -> Int {
    slices.isEmpty ? configuration.bufferFrames : slices[index % slices.count]
  }

  /// When the cycle's callbacks would come if none were late, and how much longer than their cycle they may take.
  private func nominalCall(start: UInt64) -> (call: UInt64, slack: UInt64) {
    guard var group else { return (start, 0) }
    if group.index == 0 {
      let count = group.burst.callbacks
      let lengths = (0..<count).map { Int64(nextSlice(at: sliceIndex - 1 + $0)) }
      let whole = lengths.reduce(0, +)
      let length = time(afterFrames: segmentFrames + whole) - start
      group.firstCall = time(afterFrames: segmentFrames + whole - lengths[count - 1])
      let pause = min(Self.nanoseconds(group.burst.pauseSeconds), length)
      group.spacing = (length - pause) / UInt64(count - 1)
      group.slack = group.firstCall - start + group.spacing * UInt64(count - 1)
    }
    let call = group.firstCall + UInt64(group.index) * group.spacing
    group.index = (group.index + 1) % group.burst.callbacks
    self.group = group
    return (call, group.slack)
  }

  /// The sound of the microphone in the cycle.
  private func hear() {
    let channels = inputChannels
    let samples = inputMemory.all
    samples.update(repeating: 0, count: frames * channels)
    if wasRestarted.load(ordering: .acquiring) {
      wasRestarted.store(false, ordering: .relaxed)
      microphoneHasFailed = false
    }
    if let source = microphone {
      let isRead: Void? = quietly { () throws(BenchError) in
        try source.add(to: samples, channelCount: channels, frames: frames)
      }
      if isRead == nil { microphone = nil }
    }
    for path in scenario.echo {
      let delay = max(frames, Int(clamping: (path.delaySeconds * configuration.sampleRate).rounded()))
      let gain = Float(path.gain)
      for frame in 0..<frames {
        let value = played(framesBefore: delay - frame) * gain
        for channel in 0..<channels { samples[frame * channels + channel] += value }
      }
    }
    if microphoneHasFailed || configuration.inputChannelCount == 0 {
      samples.update(repeating: 0, count: frames * channels)
    }
  }

  private func played(framesBefore frames: Int) -> Float {
    history[(historyEnd - frames + history.count) % history.count]
  }

  /// Adds what a client plays.
  func mix(_ samples: Plane<Float>) {
    for index in 0..<(frames * configuration.channelCount) { mixMemory[index] += samples[index] }
  }

  /// Adds the cost of the cycle's callbacks, beside the scenario's.
  func note(cost: UInt64) {
    busyUntil = callTime + cost + costNanoseconds
    guard busyUntil > deadline else { return }
    let late = FrameCount.converted(Int64(clamping: busyUntil - deadline), from: 1e9, to: configuration.sampleRate)
    missingFrames = min(frames, max(1, Int(clamping: late)))
  }

  /// Plays the cycle, and goes on to the next.
  func endCycle(duck: Bool, isRough: Bool, otherGain: Float, volume: Double) {
    let channels = configuration.channelCount
    let samples = mixMemory.all
    samples.update(repeating: 0, count: missingFrames * channels)
    let gain = duck ? Self.duckedGain : 1
    if gain != 1 { for index in 0..<(frames * channels) { samples[index] *= gain } }
    // 12 dB down, in steps of 8 bits.
    if isRough { for index in 0..<(frames * channels) { samples[index] = (samples[index] * 32).rounded() / 128 } }
    if let source = otherAudio {
      let isRead: Void? = quietly { () throws(BenchError) in
        try source.add(to: samples, channelCount: channels, frames: frames, gain: otherGain)
      }
      if isRead == nil { otherAudio = nil }
    }
    if volume != 1 { for index in 0..<(frames * channels) { samples[index] *= Float(volume) } }
    recorder?.append(samples, frames: frames)
    listener?.append(samples, frames: frames)
    if !history.isEmpty { remember(samples, channels) }
    segmentFrames += Int64(frames)
  }

  private func remember(_ samples: Plane<Float>, _ channels: Int) {
    for frame in 0..<frames {
      var sum: Float = 0
      for channel in 0..<channels { sum += samples[frame * channels + channel] }
      history[historyEnd] = sum / Float(channels)
      historyEnd = (historyEnd + 1) % history.count
    }
  }
}
