// One run of the simulated hardware without a scenario, from start to stop: its thread, its clock and its file. `serve`
// runs on the device's own thread; the rest on whichever thread starts and stops the device.

import AudioCore
import Glibc
import Synchronization
import Transcripts

/// A thread that asks for one buffer after another, in step with a clock.
final class DeviceRun: RunOfDevice, @unchecked Sendable {
  private let configuration: DeviceConfiguration
  private let client: CycleClient
  private let firstFrame: Int64
  private let recorder: WaveRecorder?
  /// The run before this one, which may still be inside its last pull.
  private var predecessor: (any RunOfDevice)?
  private let silence: FlatMemory<Float>

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

  init(
    _ configuration: DeviceConfiguration, firstFrame: Int64, recorder: WaveRecorder?,
    after predecessor: (any RunOfDevice)?, owner: UnsafeMutableRawPointer, client: CycleClient
  ) {
    self.owner = owner
    self.configuration = configuration
    self.firstFrame = firstFrame
    self.recorder = recorder
    self.predecessor = predecessor
    self.client = client
    silence = FlatMemory(repeating: 0, count: configuration.inputFormat.channelCount * configuration.bufferFrames)
  }

  var counts: CycleCounts { client.counts }
  var clockEnd: (frame: Int64, sampleRate: Double) {
    (firstFrame + counts.framesPulled.load(ordering: .acquiring), configuration.sampleRate)
  }

  func begin() throws(BenchError) {
    try client.begin()
    guard DetachedThread.run({ self.serve() }) else {
      recorder?.finish()
      client.letGo()
      ended.open()
      throw BenchError(.render, "the system gives no thread for the simulated hardware")
    }
  }

  func end() {
    isStopping.store(true, ordering: .releasing)
    client.letGo()
    if pthread_getspecific(Self.ownerKey) != owner { ended.wait() }
  }

  func waitForEnd() { ended.wait() }

  private func serve() {
    pthread_setspecific(Self.ownerKey, owner)
    CallRecorder.shared?.nameThread("device")
    predecessor?.waitForEnd()
    predecessor = nil
    let start = MonotonicClock.now()
    let limit = configuration.frameLimit ?? .max
    var done: Int64 = 0
    while done < limit && !isStopping.load(ordering: .acquiring) {
      let frames = Int(min(Int64(configuration.bufferFrames), limit - done))
      // A program may have written into the last cycle's input.
      silence.all.fill(0)
      client.run(
        DeviceTime(sampleTime: firstFrame + done, hostTime: start + nanoseconds(done)),
        playHostTime: playTime(start + nanoseconds(done + Int64(configuration.bufferFrames))), frames: frames,
        input: silence.all, inputChannels: configuration.inputFormat.channelCount,
        sampleRate: configuration.sampleRate)
      recorder?.append(client.output, frames: frames)
      done += Int64(frames)
      counts.framesPulled.store(done, ordering: .releasing)
      client.follow(configuration.clock)
      guard configuration.clock == .real else { continue }
      // Deadlines follow the frame count, so that they never drift; a late cycle is made up for, not dropped.
      if !MonotonicClock.sleep(until: start + nanoseconds(done)) {
        counts.lateCycles.wrappingAdd(1, ordering: .relaxed)
      }
    }
    recorder?.finish()
    client.end()
    ended.open()
  }

  /// The time at which the output of a cycle will be heard. A cycle that comes later than that, as the machine was
  /// busy, is heard at once.
  private func playTime(_ planned: UInt64) -> UInt64 {
    configuration.clock == .real ? max(planned, MonotonicClock.now()) : planned
  }

  /// The time that so many frames take.
  private func nanoseconds(_ frames: Int64) -> UInt64 {
    UInt64(FrameCount.converted(frames, from: configuration.sampleRate, to: 1e9))
  }
}

/// A run of a device: from its start to its stop.
protocol RunOfDevice: AnyObject, Sendable {
  var counts: CycleCounts { get }
  /// The frame behind the last one pulled, on the time line of this run, and the rate of that.
  var clockEnd: (frame: Int64, sampleRate: Double) { get }
  /// - Throws: `.render` where the run cannot begin.
  func begin() throws(BenchError)
  /// Asks the run to end with the cycle it is in, and waits for that, unless a pull of the same device asks: the run
  /// may be waiting for just that pull.
  func end()
  /// Waits until no pull is under way or will come.
  func waitForEnd()
}

/// Shut until it is opened once; any number of threads may wait.
final class Gate: @unchecked Sendable {
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
