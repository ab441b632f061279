import AudioCore

/// A client of the simulated hardware: while it runs, a thread of the hardware's pulls one buffer after another.
///
/// Starting and stopping is safe from any thread, from within a pull too. The hardware, its clock and the place of the
/// sound are those of the ``SimulatedHardware`` at the moment of the start.
public final class SimulatedDevice: Sendable {
  /// Hears and fills one cycle.
  ///
  /// - Returns: `.noError`, or why not: then this slice is silence, and the run goes on.
  public typealias Pull = (_ cycle: DeviceCycle) -> AudioStatus

  /// The statistics of the present run, or of the last one.
  public struct Statistics: Hashable, Sendable {
    /// Frames asked for since the run began, those of failed cycles included.
    public var framesPulled: Int64 = 0
    /// Cycles whose pull failed.
    public var failedCycles = 0
    /// The status of the pull in the last failed cycle; `.noError` if none has failed.
    public var lastFailure = AudioStatus.noError
    /// Cycles that ended behind their time; they are made up for.
    public var lateCycles = 0
    /// Frames of a scenario that were silence because a callback before them, or their own, had taken too long.
    public var lostFrames: Int64 = 0
  }

  private struct State {
    var run: (any RunOfDevice)?
    /// Stopped, and perhaps still inside its last pull.
    var last: (any RunOfDevice)?
  }

  /// The hardware whose set-up each start takes over.
  public let hardware: SimulatedHardware
  private let state = Locked(State())
  private let handlers = Locked(Handlers())

  private struct Handlers {
    var formatDidChange: (() -> Void)?
    var wasStopped: (() -> Void)?
  }

  /// A device that does not run yet, by default on the hardware of this process.
  public init(_ hardware: SimulatedHardware = .shared) { self.hardware = hardware }

  deinit { stop() }

  /// Started and not stopped since; true still when the device's time is up.
  public var isRunning: Bool { state.withLock { $0.run != nil } }

  /// The frame of the hardware's clock, at a rate, at which its next cycle begins; 0 before the first start.
  package func nextFrame(at sampleRate: Double) -> Int64 {
    guard let end = state.withLock({ $0.run ?? $0.last })?.clockEnd else { return 0 }
    return DeviceClock.frame(end.frame, of: end.sampleRate, at: sampleRate)
  }

  /// Counts of the present run or, where none runs, of the last one; zeros before the first start.
  public var statistics: Statistics {
    state.withLock { $0.run ?? $0.last }?.counts.statistics ?? Statistics()
  }

  /// The functions that a scenario's hardware calls on its thread, between two cycles: after a change of its rate or
  /// channels, and after it has stopped the device by itself.
  package func setHandlers(formatDidChange: (() -> Void)?, wasStopped: (() -> Void)?) {
    handlers.withLock { $0 = Handlers(formatDidChange: formatDidChange, wasStopped: wasStopped) }
  }

  /// Begins to pull. Does nothing where the device runs already.
  ///
  /// - Parameters:
  ///   - startsAtZero: true if sample times begin at 0, false if they continue from the last run.
  ///   - sampleRate: the rate of a client that was set up before the hardware's changed; nil: the hardware's. A
  ///     scenario's clients are set up anew.
  ///   - isAudible: false for clients that play nothing: they leave no file.
  ///   - afterCycle: called behind each cycle on a thread of its own, for which the hardware waits unless its clock is
  ///     the wall's. It may stop the device.
  ///   - pull: called for each buffer, on the hardware's thread; let go when the run has ended.
  /// - Throws: `.render` where the system gives no more threads, or a scenario's hardware does not run.
  public func start(
    startsAtZero: Bool = true, sampleRate: Double? = nil, isAudible: Bool = true,
    afterCycle: (() -> Void)? = nil, pull: @escaping Pull
  ) throws(BenchError) {
    try state.withLock { (state) throws(BenchError) in
      guard state.run == nil else { return }
      let present =
        hardware.timeline == nil ? sampleRate ?? hardware.configuration.sampleRate : hardware.configuration.sampleRate
      let end = startsAtZero ? nil : state.last?.clockEnd
      let firstFrame = end.map { DeviceClock.frame($0.frame, of: $0.sampleRate, at: present) } ?? 0
      let run: any RunOfDevice
      if let timeline = hardware.timeline {
        run = TimelineMember(
          timeline, device: self, firstFrame: firstFrame, sampleRate: present, isAudible: isAudible,
          client: CycleClient(
            channelCount: hardware.configuration.channelCount,
            frameCapacity: DeviceConfiguration.bufferFrameCounts.upperBound, afterCycle: afterCycle, pull: pull))
      } else {
        var configuration = hardware.configuration
        configuration.sampleRate = present
        run = DeviceRun(
          configuration, firstFrame: firstFrame,
          recorder: (isAudible ? hardware.nextWavePath() : nil).map { WaveRecorder(path: $0, configuration) },
          after: state.last, owner: Unmanaged.passUnretained(self).toOpaque(),
          client: CycleClient(
            channelCount: configuration.channelCount, frameCapacity: configuration.bufferFrames, afterCycle: afterCycle,
            pull: pull))
      }
      try run.begin()
      state.run = run
      hardware.note(ObjectIdentifier(self), isRunning: true)
    }
  }

  /// Ends the pulling; afterwards no pull is under way, and the file is whole. Called from within a pull it returns at
  /// once, and that pull is the last. Does nothing where the device does not run.
  public func stop() {
    let run = state.withLock { state in
      if let run = state.run { state.last = run }
      state.run = nil
      return state.last
    }
    hardware.note(ObjectIdentifier(self), isRunning: false)
    run?.end()
  }

  /// The hardware has stopped it.
  func didStop(_ run: any RunOfDevice) {
    let isPresent = state.withLock { state in
      guard state.run === run else { return false }
      state.last = state.run
      state.run = nil
      return true
    }
    if isPresent { hardware.note(ObjectIdentifier(self), isRunning: false) }
    if isPresent { handlers.withLock { $0.wasStopped }?() }
  }

  func formatDidChange() { handlers.withLock { $0.formatDidChange }?() }
}
