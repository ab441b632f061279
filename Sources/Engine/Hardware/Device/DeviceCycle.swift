import AudioCore
import Glibc
import Transcripts

/// The moment of a cycle's first frame on the simulated hardware. The C interface marks all three parts as valid.
public struct DeviceTime: Hashable, Sendable {
  /// Frames of the hardware's clock.
  public var sampleTime: Int64
  /// Nanoseconds of `CLOCK_MONOTONIC`, or of a scenario's clock (``HostClock``); in step with the sample time whatever
  /// paces the pull.
  public var hostTime: UInt64
  /// Actual over nominal rate: 1, unless a scenario lets the clock drift.
  public var rateScalar: Double

  /// A moment in frames of the hardware's clock, and in nanoseconds of the host's.
  public init(sampleTime: Int64, hostTime: UInt64, rateScalar: Double = 1) {
    self.sampleTime = sampleTime
    self.hostTime = hostTime
    self.rateScalar = rateScalar
  }
}

/// One cycle of the hardware, for a client.
public struct DeviceCycle: Sendable {
  /// When the microphone recorded the first frame: when the cycle began.
  public let time: DeviceTime
  /// When the first frame that is to be played will be heard: at the end of the cycle. Not in the past for a callback
  /// that comes in time.
  public let outputTime: DeviceTime
  /// Frames of both streams.
  public let frames: Int
  /// The frames of the microphone: ``DeviceConfiguration/inputFormat``. Valid for this cycle.
  public let input: Plane<Float>
  /// Channels of ``input``, 1 or more.
  public let inputChannels: Int
  /// The frames to play: ``DeviceConfiguration/streamFormat``, zero beforehand.
  public let output: Plane<Float>
}

/// The client that renders its sound in each cycle. The hardware's thread calls
/// ``run(_:playHostTime:frames:input:inputChannels:sampleRate:)``; nothing in it allocates.
final class CycleClient: @unchecked Sendable {
  /// Let go with the run: it may hold the unit that holds this object.
  private var pull: SimulatedDevice.Pull?
  private let memory: FlatMemory<Float>
  private let channelCount: Int
  /// Runs the program's functions behind each cycle; nil: there are none.
  private let follower: CycleFollower?
  let counts = CycleCounts()

  init(
    channelCount: Int, frameCapacity: Int, afterCycle: (() -> Void)? = nil, pull: @escaping SimulatedDevice.Pull
  ) {
    self.channelCount = channelCount
    memory = FlatMemory(repeating: 0, count: channelCount * frameCapacity)
    self.pull = pull
    follower = afterCycle.map { CycleFollower($0) }
  }

  /// - Throws: `.render` where the system gives no thread for the functions behind cycles.
  func begin() throws(BenchError) {
    guard follower?.begin() ?? true else {
      throw BenchError(.render, "the system gives no thread for calls behind the cycles of the simulated hardware")
    }
  }

  /// The cycle is over, for the program's functions too. Between two cycles.
  func follow(_ clock: DeviceConfiguration.Clock) { follower?.follow(waits: clock != .real) }

  /// The run is to end: the hardware no longer waits for the program's functions.
  func letGo() { follower?.end() }

  /// The output of the last cycle, all channels interleaved.
  var output: Plane<Float> { memory.all }

  /// - Parameter playHostTime: the host's time at which the first frame of the output will be heard.
  func run(
    _ time: DeviceTime, playHostTime: UInt64, frames: Int, input: Plane<Float>, inputChannels: Int,
    sampleRate: Double
  ) {
    let played = memory.all.prefix(frames * channelCount)
    played.update(repeating: 0, count: played.count)
    let mark = CallRecorder.shared?.begin(
      .cycle, "device cycle",
      at: CallMoment(sampleTime: Double(time.sampleTime), frames: frames, sampleRate: sampleRate))
    var outputTime = time
    outputTime.hostTime = playHostTime
    let status =
      pull?(
        DeviceCycle(
          time: time, outputTime: outputTime, frames: frames, input: input, inputChannels: inputChannels,
          output: played))
      ?? .noError
    if let mark { CallRecorder.shared?.end(mark, status: status.rawValue) }
    guard status != .noError else { return }
    // As on a real device, this slice is silence, and the next is rendered all the same.
    played.update(repeating: 0, count: played.count)
    counts.noteFailure(status)
  }

  /// After the last cycle: says once where sound was missing, and lets go of the client.
  func end() {
    counts.report()
    follower?.end()
    pull = nil
  }
}
