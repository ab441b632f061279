import AudioCore

/// The moment of a cycle's first frame on the simulated hardware. The C interface marks all three parts as valid.
public struct DeviceTime: Hashable, Sendable {
  /// Frames of the hardware's clock.
  public var sampleTime: Int64
  /// Nanoseconds of `CLOCK_MONOTONIC`; in step with the sample time whatever paces the pull.
  public var hostTime: UInt64
  /// Actual over nominal rate; a simulated clock is exact.
  public var rateScalar: Double { 1 }

  /// A moment in frames of the hardware's clock, and in nanoseconds of `CLOCK_MONOTONIC`.
  public init(sampleTime: Int64, hostTime: UInt64) {
    self.sampleTime = sampleTime
    self.hostTime = hostTime
  }
}

/// A client of the simulated hardware: while it runs, a thread of its own pulls one buffer after another.
///
/// Starting and stopping is safe from any thread, from within a pull too. What the hardware is, how its clock runs and
/// where the sound goes is up to the ``SimulatedHardware`` at the moment of the start.
public final class SimulatedDevice: @unchecked Sendable {
  /// Fills one buffer of Float32 frames, all channels interleaved; it is zero beforehand.
  ///
  /// - Returns: `.noError`, or why not: then this slice is silence, and the run goes on.
  public typealias Pull = (_ time: DeviceTime, _ frames: Int, _ buffer: BusBuffer) -> AudioStatus

  /// What has become of the present run, or of the last one.
  public struct Statistics: Hashable, Sendable {
    /// Frames asked for since the run began, those of failed cycles included.
    public var framesPulled: Int64 = 0
    /// Cycles whose pull failed.
    public var failedCycles = 0
    /// What the pull of the last failed cycle returned; `.noError` where none has failed.
    public var lastFailure = AudioStatus.noError
    /// Cycles that ended behind their time; they are made up for.
    public var lateCycles = 0
  }

  private struct State {
    var run: DeviceRun?
    /// Stopped, and perhaps still inside its last pull.
    var last: DeviceRun?
  }

  /// The hardware whose set-up each start takes over.
  public let hardware: SimulatedHardware
  private let state = Locked(State())

  /// A device that does not run yet, by default on the hardware of this process.
  public init(_ hardware: SimulatedHardware = .shared) { self.hardware = hardware }

  deinit { stop() }

  /// Started and not stopped since; true still when the device's time is up.
  public var isRunning: Bool { state.withLock { $0.run != nil } }

  /// Counts of the present run or, where none runs, of the last one; zeros before the first start.
  public var statistics: Statistics {
    guard let run = state.withLock({ $0.run ?? $0.last }) else { return Statistics() }
    return Statistics(
      framesPulled: run.framesPulled.load(ordering: .acquiring),
      failedCycles: run.failedCycles.load(ordering: .relaxed),
      lastFailure: AudioStatus(run.lastFailure.load(ordering: .relaxed)),
      lateCycles: run.lateCycles.load(ordering: .relaxed))
  }

  /// Begins to pull. Does nothing where the device runs already.
  ///
  /// - Parameters:
  ///   - startsAtZero: whether sample times begin at 0, or where the last run ended.
  ///   - sampleRate: the rate of a client that was set up before the hardware's changed; nil: the hardware's.
  ///   - isAudible: false for clients that play nothing: they leave no file.
  ///   - pull: called for each buffer, on the hardware's thread; let go when the run has ended.
  /// - Throws: `.render` where the system gives no more threads.
  public func start(
    startsAtZero: Bool = true, sampleRate: Double? = nil, isAudible: Bool = true, pull: @escaping Pull
  ) throws(BenchError) {
    try state.withLock { (state) throws(BenchError) in
      guard state.run == nil else { return }
      var configuration = hardware.configuration
      configuration.sampleRate = sampleRate ?? configuration.sampleRate
      let run = DeviceRun(
        configuration, firstFrame: startsAtZero ? 0 : state.last?.endFrame ?? 0,
        recorder: (isAudible ? hardware.nextWavePath() : nil).map { WaveRecorder(path: $0, configuration) },
        after: state.last,
        owner: Unmanaged.passUnretained(self).toOpaque(), pull: pull)
      try run.begin()
      state.run = run
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
    run?.end()
  }
}
