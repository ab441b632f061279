import AudioCore
import AudioEngine
import Dispatch
import Glibc
import Hardware
import SoundFile
import Synchronization
import Testing
import TestSupport
import UnitTestSupport

/// The device's clock, its pull, and the file of what was pulled. Every run has an end in frames: no test measures
/// time.
@Suite struct SimulatedDeviceTests {
  /// A device that runs free for so many frames.
  private func hardware(frames: Int, of bufferFrames: Int = 64, wave: String? = nil) -> SimulatedHardware {
    var configuration = DeviceConfiguration()
    configuration.sampleRate = 48_000
    configuration.clock = .free
    configuration.bufferFrames = bufferFrames
    configuration.seconds = Double(frames) / configuration.sampleRate
    configuration.wavePath = wave
    return SimulatedHardware(configuration)
  }

  /// Runs the device to the end of its time and returns the cycles that it asked for.
  @discardableResult
  private func run(
    _ device: SimulatedDevice, frames total: Int, startsAtZero: Bool = true,
    _ pull: @escaping @Sendable (DeviceTime, Int, Plane<Float>) -> AudioStatus = { _, _, _ in .noError }
  ) throws -> [(time: DeviceTime, frames: Int)] {
    let cycles = Mutex<[(time: DeviceTime, frames: Int)]>([])
    let isDone = DispatchSemaphore(value: 0)
    try device.start(startsAtZero: startsAtZero) { cycle in
      let (time, frames) = (cycle.time, cycle.frames)
      let count = cycles.withLock {
        $0.append((time, frames))
        return $0.reduce(0) { $0 + $1.frames }
      }
      let status = pull(time, frames, cycle.output)
      if count == total { isDone.signal() }
      return status
    }
    isDone.wait()
    device.stop()
    return cycles.withLock { $0 }
  }

  private func samples(of path: String) throws -> (info: SoundFileInfo, planes: Signal) {
    let reader = try SoundFileReader(path: path)
    let frames = Int(reader.info.frameCount)
    let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: frames + 1)
    #expect(try reader.read(into: buffer.planes, frames: frames + 1) == frames)
    return (reader.info, (0..<buffer.channelCount).map { Array(buffer[$0].prefix(frames).elements) })
  }

  /// A sample that no other frame or channel has.
  private static func mark(_ frame: Int64, _ channel: Int) -> Float { Float(frame + 1) / 4096 - Float(channel) * 2 }

  @Test("each cycle asks for the buffer's frames, the last one for the rest, and the clock begins at 0")
  func cycles() throws {
    let cycles = try run(SimulatedDevice(hardware(frames: 1000)), frames: 1000)
    #expect(cycles.map(\.frames) == Array(repeating: 64, count: 15) + [40])
    #expect(cycles.map(\.time.sampleTime) == (0..<16).map { $0 * 64 })
    #expect(cycles.allSatisfy { $0.time.rateScalar == 1 })
  }

  @Test(
    "host times run with the frames: 480 frames at 48 kHz are 10 ms",
    arguments: [DeviceConfiguration.Clock.real, .free])
  func hostTimes(_ clock: DeviceConfiguration.Clock) throws {
    var configuration = DeviceConfiguration()
    configuration.sampleRate = 48_000
    configuration.clock = clock
    configuration.bufferFrames = 480
    configuration.seconds = 0.03
    let before = MonotonicClock.now()
    let cycles = try run(SimulatedDevice(SimulatedHardware(configuration)), frames: 1440)
    #expect(cycles.count == 3)
    #expect(cycles[0].time.hostTime >= before && cycles[0].time.hostTime <= MonotonicClock.now())
    for (former, next) in zip(cycles, cycles.dropFirst()) {
      #expect(next.time.hostTime - former.time.hostTime == 10_000_000)
    }
  }

  @Test("what a cycle plays will be heard when the next begins; where real time has passed that, not before now")
  func playTimes() throws {
    for clock in [DeviceConfiguration.Clock.real, .free] {
      var configuration = DeviceConfiguration()
      configuration.sampleRate = 48_000
      configuration.clock = clock
      configuration.bufferFrames = 480
      configuration.seconds = 0.025
      let device = SimulatedDevice(SimulatedHardware(configuration))
      let seen = Mutex<[(recorded: DeviceTime, played: DeviceTime)]>([])
      let isDone = DispatchSemaphore(value: 0)
      try device.start { cycle in
        let count = seen.withLock {
          $0.append((cycle.time, cycle.outputTime))
          return $0.count
        }
        if count == 3 { isDone.signal() }
        return .noError
      }
      isDone.wait()
      device.stop()
      // The last cycle is shorter, and its sound is in step with the others' all the same.
      for cycle in seen.withLock({ $0 }) {
        #expect(cycle.played.sampleTime == cycle.recorded.sampleTime)
        let ahead = cycle.played.hostTime - cycle.recorded.hostTime
        #expect(clock == .free ? ahead == 10_000_000 : ahead >= 10_000_000)
      }
    }
  }

  @Test("the file holds every frame that was pulled, bit by bit, as 32-bit float WAV")
  func file() throws {
    let folder = TemporaryFolder()
    let device = SimulatedDevice(hardware(frames: 1000, wave: folder.file("out.wav")))
    try run(device, frames: 1000) { time, frames, out in
      for frame in 0..<frames {
        for channel in 0..<2 { out[2 * frame + channel] = Self.mark(time.sampleTime + Int64(frame), channel) }
      }
      return .noError
    }
    let (info, planes) = try samples(of: folder.file("out.wav"))
    #expect(info.container == .wav && info.encoding == .float32 && info.sampleRate == 48_000)
    #expect(planes == (0..<2).map { channel in (0..<1000).map { Self.mark(Int64($0), channel) } })
    #expect(device.statistics.framesPulled == 1000 && device.statistics.failedCycles == 0)
    #expect(device.statistics.lastFailure == .noError && device.statistics.lateCycles == 0)
    #expect(folder.names == ["out.wav"])
  }

  @Test("a pull that fails leaves silence in its place, is counted, and the device goes on")
  func failures() throws {
    let folder = TemporaryFolder()
    let device = SimulatedDevice(hardware(frames: 64 * 4, wave: folder.file("out.wav")))
    #expect(
      device.statistics.failedCycles == 0 && device.statistics.framesPulled == 0 && device.statistics.lateCycles == 0)
    try run(device, frames: 64 * 4) { time, frames, out in
      out.update(repeating: 0.5, count: 2 * frames)
      return time.sampleTime == 64 ? .noConnection : .noError
    }
    let expected = (0..<256).map { (64..<128).contains($0) ? Float(0) : 0.5 }
    #expect(try samples(of: folder.file("out.wav")).planes == [expected, expected])
    #expect(device.statistics.failedCycles == 1 && device.statistics.lastFailure == .noConnection)
  }

  @Test("what a pull leaves unwritten is silence, not what the cycle before it left")
  func freshBuffers() throws {
    let folder = TemporaryFolder()
    try run(SimulatedDevice(hardware(frames: 128, wave: folder.file("out.wav"))), frames: 128) { time, frames, out in
      if time.sampleTime == 0 { out.update(repeating: 1, count: 2 * frames) }
      return .noError
    }
    let expected = (0..<128).map { $0 < 64 ? Float(1) : 0 }
    #expect(try samples(of: folder.file("out.wav")).planes == [expected, expected])
  }

  @Test("a pull may stop its own device: it is the last one, and the file is whole")
  func stopFromWithin() throws {
    let folder = TemporaryFolder()
    let device = SimulatedDevice(hardware(frames: 1 << 30, wave: folder.file("out.wav")))
    let isStopped = DispatchSemaphore(value: 0)
    try device.start { [unowned device] cycle in
      let (time, frames) = (cycle.time, cycle.frames)
      guard time.sampleTime == 128 else { return .noError }
      cycle.output.update(repeating: 0.25, count: 2 * frames)
      device.stop()
      isStopped.signal()
      return .noError
    }
    isStopped.wait()
    #expect(!device.isRunning)
    device.stop()
    #expect(device.statistics.framesPulled == 192)
    let expected = (0..<192).map { $0 < 128 ? Float(0) : 0.25 }
    #expect(try samples(of: folder.file("out.wav")).planes == [expected, expected])
  }

  @Test("a pull may stop its device, start it anew and stop that again: the new run waits until the old one is out")
  func restartFromWithin() throws {
    let device = SimulatedDevice(hardware(frames: 64 * 3))
    let log = Mutex<[String]>([])
    let isDone = DispatchSemaphore(value: 0)
    let hasTurned = Atomic<Bool>(false)
    try device.start { [unowned device] cycle in
      guard !hasTurned.exchange(true, ordering: .acquiringAndReleasing) else { return .parameterError }
      device.stop()
      try? device.start { _ in
        log.withLock { $0.append("dropped") }
        return .noError
      }
      device.stop()
      try? device.start { cycle in
        let (time, frames) = (cycle.time, cycle.frames)
        log.withLock { $0.append("\(time.sampleTime)") }
        if time.sampleTime + Int64(frames) == 192 { isDone.signal() }
        return .noError
      }
      log.withLock { $0.append("old") }
      return .noError
    }
    isDone.wait()
    device.stop()
    #expect(log.withLock { $0 } == ["old", "0", "64", "128"])
  }

  @Test("starting twice is harmless, and so is stopping what does not run")
  func twice() throws {
    let device = SimulatedDevice(hardware(frames: 64 * 2))
    device.stop()
    #expect(!device.isRunning && device.statistics.framesPulled == 0)
    let wasAskedBySecond = Atomic<Bool>(false)
    let isDone = DispatchSemaphore(value: 0)
    try device.start { cycle in
      let time = cycle.time
      if time.sampleTime == 64 { isDone.signal() }
      return .noError
    }
    try device.start { _ in
      wasAskedBySecond.store(true, ordering: .relaxed)
      return .noError
    }
    isDone.wait()
    #expect(device.isRunning)
    device.stop()
    device.stop()
    #expect(!device.isRunning && !wasAskedBySecond.load(ordering: .relaxed))
  }

  @Test("many threads may start and stop it at once: it ends stopped, and no pull is left")
  func contention() throws {
    let device = SimulatedDevice(hardware(frames: 1 << 30))
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        try? device.start { _ in
          if inside.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue > 1 {
            overlaps.wrappingAdd(1, ordering: .relaxed)
          }
          inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
          return .noError
        }
        device.stop()
      }
    }
    device.stop()
    #expect(!device.isRunning)
    #expect(inside.load(ordering: .acquiring) == 0 && overlaps.load(ordering: .relaxed) == 0)
  }

  @Test("a restart begins at 0 again, or goes on where the last run ended")
  func timeLine() throws {
    let device = SimulatedDevice(hardware(frames: 128))
    #expect(try run(device, frames: 128).map(\.time.sampleTime) == [0, 64])
    #expect(try run(device, frames: 128).map(\.time.sampleTime) == [0, 64])
    #expect(try run(device, frames: 128, startsAtZero: false).map(\.time.sampleTime) == [128, 192])
    #expect(try run(device, frames: 128, startsAtZero: false).map(\.time.sampleTime) == [256, 320])
  }

  @Test("each run has a file of its own: the second and third are numbered")
  func numberedFiles() throws {
    let folder = TemporaryFolder()
    let hardware = hardware(frames: 64, wave: folder.file("out.wav"))
    let first = SimulatedDevice(hardware)
    try run(first, frames: 64)
    try run(SimulatedDevice(hardware), frames: 64)
    try run(first, frames: 64)
    #expect(folder.names == ["out-2.wav", "out-3.wav", "out.wav"])
    #expect(SimulatedHardware.numbered("a.b/c", 2) == "a.b/c-2")
    #expect(SimulatedHardware.numbered("a.b/.c", 2) == "a.b/.c-2")
    #expect(SimulatedHardware.numbered("a/b.c.wav", 12) == "a/b.c-12.wav")
    #expect(SimulatedHardware.numbered("b.wav", 1) == "b.wav")
  }

  @Test("a file that cannot be written is said once, and the program goes on")
  func unwritable() throws {
    let folder = TemporaryFolder()
    let complaints = Mutex<[String]>([])
    var configuration = DeviceConfiguration()
    configuration.sampleRate = 48_000
    configuration.bufferFrames = 8
    let recorder = WaveRecorder(path: folder.file("none/out.wav"), configuration) { text in
      complaints.withLock { $0.append(text) }
    }
    let samples = [Float](repeating: 1, count: 16)
    for _ in 0..<3 { recorder.append(samples.plane, frames: 8) }
    recorder.finish()
    let said = complaints.withLock { $0 }
    #expect(said.count == 1)
    #expect(said.first?.contains("none") == true)

    let device = SimulatedDevice(hardware(frames: 128, wave: folder.file("none/out.wav")))
    #expect(try run(device, frames: 128).count == 2)
    #expect(folder.names.isEmpty)
  }

  @Test("a program that ends with its device running still leaves a whole file")
  func atExit() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("out.wav")
    await #expect(processExitsWith: .success) { [path = path as String] in
      var configuration = DeviceConfiguration()
      configuration.sampleRate = 48_000
      configuration.clock = .free
      configuration.bufferFrames = 100
      configuration.wavePath = path
      let device = SimulatedDevice(SimulatedHardware(configuration))
      let hasPlayed = DispatchSemaphore(value: 0)
      let hasEnded = DispatchSemaphore(value: 0)
      try device.start { cycle in
        let time = cycle.time
        // The third cycle is still under way when the program ends.
        if time.sampleTime == 200 {
          hasPlayed.signal()
          hasEnded.wait()
        }
        return .noError
      }
      hasPlayed.wait()
      exit(0)
    }
    #expect(try SoundFileReader(path: path).info.frameCount == 200)
    #expect(folder.names == ["out.wav"])
  }

  @Test("time 0 asks for nothing, and leaves a file without frames")
  func noTime() throws {
    let folder = TemporaryFolder()
    let device = SimulatedDevice(hardware(frames: 0, wave: folder.file("out.wav")))
    let pulls = Atomic<Int>(0)
    try device.start { _ in
      pulls.wrappingAdd(1, ordering: .relaxed)
      return .noError
    }
    device.stop()
    #expect(pulls.load(ordering: .relaxed) == 0)
    #expect(try SoundFileReader(path: folder.file("out.wav")).info.frameCount == 0)
  }

  @Test("the environment sets the device up; what it cannot mean is named, and the default holds")
  func environment() {
    func read(_ variables: [String: String]) -> (DeviceConfiguration, [String]) {
      var complaints: [String] = []
      let configuration = DeviceConfiguration(variable: { variables[$0] }, complain: { complaints.append($0) })
      return (configuration, complaints)
    }
    let (plain, nothing) = read([:])
    #expect(plain == DeviceConfiguration() && nothing.isEmpty)
    #expect(plain.sampleRate == 44_100 && plain.channelCount == 2 && plain.bufferFrames == 512)
    #expect(plain.clock == .real && plain.seconds == nil && plain.wavePath == nil)

    let (full, none) = read([
      "AUBENCH_DEVICE_RATE": "32000", "AUBENCH_DEVICE_FRAMES": "256", "AUBENCH_DEVICE_CLOCK": "free",
      "AUBENCH_DEVICE_SECONDS": "1.5", "AUBENCH_DEVICE_WAV": "x.wav",
    ])
    #expect(none.isEmpty && full.sampleRate == 32_000 && full.bufferFrames == 256 && full.clock == .free)
    #expect(full.frameLimit == 48_000 && full.wavePath == "x.wav")

    let (wrong, complaints) = read([
      "AUBENCH_DEVICE_RATE": "0", "AUBENCH_DEVICE_FRAMES": "many", "AUBENCH_DEVICE_CLOCK": "fast",
      "AUBENCH_DEVICE_SECONDS": "nan", "AUBENCH_DEVICE_WAV": "",
    ])
    #expect(wrong == DeviceConfiguration())
    #expect(complaints.count == 4)
    for name in ["RATE", "FRAMES", "CLOCK", "SECONDS"] {
      #expect(complaints.contains { $0.hasPrefix("AUBENCH_DEVICE_\(name)=") })
    }
  }

  @Test("the hardware refuses rates and buffers that it cannot have")
  func limits() throws {
    let hardware = SimulatedHardware(DeviceConfiguration())
    for rate in [0, 7_999, 192_001, 44_100.5, .nan, .infinity, -48_000] {
      #expect(status { () throws(AudioStatus) in try hardware.setSampleRate(rate) } == .invalidPropertyValue)
    }
    for frames in [0, 15, 4_097, -1] {
      #expect(status { () throws(AudioStatus) in try hardware.setBufferFrames(frames) } == .invalidPropertyValue)
    }
    try hardware.setSampleRate(44_100)
    try hardware.setBufferFrames(256)
    #expect(hardware.configuration.sampleRate == 44_100 && hardware.configuration.bufferFrames == 256)
  }
}
