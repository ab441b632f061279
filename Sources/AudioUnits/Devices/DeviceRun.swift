// One run of the simulated hardware, from start to stop: its thread, its clock and its file. `serve` runs on the device's
// own thread; the rest on whichever thread starts and stops the device.

import AudioCore
import Glibc
import Synchronization

/// A thread that asks for one buffer after another, in step with a clock.
final class DeviceRun: @unchecked Sendable {
  private let configuration: DeviceConfiguration
  /// Let go with the run: it may hold the unit that holds this object.
  private var pull: SimulatedDevice.Pull?
  private let firstFrame: Int64
  private let recorder: WaveRecorder?
  /// The run before this one, which may still be inside its last pull.
  private var predecessor: DeviceRun?
  private let buffer: StreamBuffer

  /// Marks the threads of one ``SimulatedDevice``.
  private let owner: UnsafeMutableRawPointer
  /// The owner of the run that the calling thread serves.
  private static let ownerKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private let isStopping = Atomic<Bool>(false)
  private let ended = Gate()

  let framesPulled = Atomic<Int64>(0)
  let failedCycles = Atomic<Int>(0)
  let lateCycles = Atomic<Int>(0)
  let lastFailure = Atomic<Int32>(0)

  init(
    _ configuration: DeviceConfiguration, firstFrame: Int64, recorder: WaveRecorder?, after predecessor: DeviceRun?,
    owner: UnsafeMutableRawPointer, pull: @escaping SimulatedDevice.Pull
  ) {
    self.owner = owner
    self.configuration = configuration
    self.firstFrame = firstFrame
    self.recorder = recorder
    self.predecessor = predecessor
    self.pull = pull
    buffer = StreamBuffer(format: configuration.streamFormat, frameCapacity: configuration.bufferFrames)
  }

  /// The frame behind the last one pulled, on the time line of this run.
  var endFrame: Int64 { firstFrame + framesPulled.load(ordering: .acquiring) }

  /// - Throws: `.render` where the system gives no more threads.
  func begin() throws(BenchError) {
    guard DetachedThread.run({ self.serve() }) else {
      recorder?.finish()
      ended.open()
      throw BenchError(.render, "the system gives no thread for the simulated hardware")
    }
  }

  /// Asks the run to end with the cycle it is in, and waits for that, unless a pull of the same device asks: the run
  /// may be waiting for just that pull.
  func end() {
    isStopping.store(true, ordering: .releasing)
    if pthread_getspecific(Self.ownerKey) != owner { ended.wait() }
  }

  private func serve() {
    pthread_setspecific(Self.ownerKey, owner)
    predecessor?.ended.wait()
    predecessor = nil
    let start = MonotonicClock.now()
    let limit = configuration.frameLimit ?? .max
    var done: Int64 = 0
    while done < limit && !isStopping.load(ordering: .acquiring) {
      let frames = Int(min(Int64(configuration.bufferFrames), limit - done))
      cycle(DeviceTime(sampleTime: firstFrame + done, hostTime: start + nanoseconds(done)), frames: frames)
      done += Int64(frames)
      framesPulled.store(done, ordering: .releasing)
      guard configuration.clock == .real else { continue }
      // Deadlines follow the frame count, so that they never drift; a late cycle is made up for, not dropped.
      if !MonotonicClock.sleep(until: start + nanoseconds(done)) {
        lateCycles.wrappingAdd(1, ordering: .relaxed)
      }
    }
    recorder?.finish()
    reportFailures()
    pull = nil
    ended.open()
  }

  /// Silence in place of sound is said, once a run.
  private func reportFailures() {
    let count = failedCycles.load(ordering: .relaxed)
    guard count > 0 else { return }
    let last = AudioStatus(lastFailure.load(ordering: .relaxed))
    SimulatedHardware.complain("buffers that could not be rendered and are silence: \(count); the last: \(last)")
  }

  private func cycle(_ time: DeviceTime, frames: Int) {
    let memory = buffer.bus.buffers[0]
    let byteCount = frames * buffer.format.bytesPerFrame
    memset(memory, 0, byteCount)
    let status = pull?(time, frames, buffer.bus) ?? .noError
    if status != .noError {
      // As a real device: this slice is silence, and the next is asked for all the same.
      memset(memory, 0, byteCount)
      failedCycles.wrappingAdd(1, ordering: .relaxed)
      lastFailure.store(status.rawValue, ordering: .relaxed)
    }
    recorder?.append(memory.assumingMemoryBound(to: Float.self), frames: frames)
  }

  /// The time that so many frames take.
  private func nanoseconds(_ frames: Int64) -> UInt64 {
    UInt64(FrameCount.converted(frames, from: configuration.sampleRate, to: 1e9))
  }
}

/// The clock of host times: nanoseconds that never jump.
package enum MonotonicClock {
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// - Returns: whether there was still time to sleep.
  static func sleep(until deadline: UInt64) -> Bool {
    guard now() < deadline else { return false }
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME_LINUX, &time, nil) == EINTR {}
    return true
  }

  /// A macro of `<time.h>` that the importer leaves out.
  private static let TIMER_ABSTIME_LINUX: Int32 = 1
}

/// Shut until it is opened once; any number of threads may wait.
private final class Gate: @unchecked Sendable {
  private let lock = ConditionLock()
  private var isOpen = false

  func open() {
    lock.lock()
    isOpen = true
    lock.broadcast()
    lock.unlock()
  }

  func wait() {
    lock.lock()
    while !isOpen { lock.wait() }
    lock.unlock()
  }
}
