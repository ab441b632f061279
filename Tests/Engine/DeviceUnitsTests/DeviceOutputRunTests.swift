import AudioCore
import AudioEngine
import DeviceUnits
import Dispatch
import Glibc
import Hardware
import SoundFile
import Synchronization
import Testing
import TestSupport
import UnitTestSupport

/// Output units while their device runs: start, stop, cycles, and the sound.
@Suite struct DeviceOutputRunTests {
  @Test(
    "start needs an initialized unit: −10867; the property follows start and stop",
    arguments: DeviceOutput.Kind.allCases)
  func states(_ kind: DeviceOutput.Kind) throws {
    let unit = DeviceOutput(kind, hardware: DeviceOutputTests.hardware(frames: 64))
    #expect(status { () throws(AudioStatus) in try unit.start() } == .uninitialized)
    try unit.initialize()
    #expect(try unit.property(.isRunning) == .uint32(0))
    try unit.start()
    try unit.start()
    #expect(unit.isRunning)
    #expect(try unit.property(.isRunning) == .uint32(1))
    unit.stop()
    #expect(try unit.property(.isRunning) == .uint32(0))
    try unit.start()
    unit.uninitialize()
    #expect(!unit.isRunning)
  }

  @Test("a run of one cycle is not heard again at the start of the next", arguments: [48_000.0, 44_100])
  func startsAgain(rate: Double) throws {
    let unit = DeviceOutput(.defaultOutput, hardware: DeviceOutputTests.hardware())
    let times = Locked<[Int64]>([])
    let called = DispatchSemaphore(value: 0)
    try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: 2, isInterleaved: true), .input)
    try unit.setRenderCallback(
      RenderCallback { [unowned unit] time, _, _, _ in
        times.withLock { $0.append(time) }
        unit.stop()
        called.signal()
        return .noError
      }, input: 0)
    try unit.initialize()
    for _ in 0..<4 {
      while unit.isRunning { sched_yield() }
      try unit.start()
      called.wait()
    }
    #expect(times.withLock { $0 } == [0, 0, 0, 0])
  }

  @Test("a running unit plays its input into the device's file")
  func playsToFile() throws {
    let folder = TemporaryFolder()
    let signal = noise(2, frames: 1000)
    let unit = DeviceOutput(
      .defaultOutput, hardware: DeviceOutputTests.hardware(frames: 1000, wave: folder.file("out.wav")))
    let source = Source(signal, sampleRate: 48_000)
    let isDone = DispatchSemaphore(value: 0)
    try unit.setRenderCallback(
      RenderCallback { time, bus, frames, buffer in
        defer { if time + Int64(frames) == 1000 { isDone.signal() } }
        return source.callback.body(time, bus, frames, buffer)
      }, input: 0)
    try unit.initialize()
    try unit.start()
    isDone.wait()
    unit.stop()
    let reader = try SoundFileReader(path: folder.file("out.wav"))
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 1000)
    #expect(try reader.read(into: buffer.planes, frames: 1000) == 1000)
    #expect(reader.info.frameCount == 1000)
    #expect((0..<2).map { Array(buffer[$0].prefix(1000).elements) } == signal)
    #expect(unit.device.statistics.failedCycles == 0)
  }

  @Test(
    "each cycle tells of input before it asks for output, in frames of the app's clock", arguments: [48_000.0, 44_100])
  func inputCycles(_ rate: Double) throws {
    let unit = DeviceOutput(.remoteIO, hardware: DeviceOutputTests.hardware(frames: 640))
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: 1), .output, element: 1)
    let log = Mutex<[(kind: String, time: Int64, frames: Int)]>([])
    let isDone = DispatchSemaphore(value: 0)
    unit.inputAvailable = { [unowned unit] time, frames in
      let isRendered = (try? unit.render(output: 1, sampleTime: time.sampleTime, frames: frames)) != nil
      log.withLock { $0.append((isRendered ? "in" : "failed", time.sampleTime, frames)) }
    }
    try unit.initialize()
    try unit.start { time, frames, _ in
      log.withLock { $0.append(("out", time.sampleTime, frames)) }
      if time.sampleTime + Int64(frames) == 640 { isDone.signal() }
      return .noError
    }
    isDone.wait()
    unit.stop()
    let entries = log.withLock { $0 }
    #expect(entries.map(\.kind) == (0..<10).flatMap { _ in ["in", "out"] })
    let inputs = entries.filter { $0.kind == "in" }
    // 640 frames at 48 kHz are 588 at 44.1 kHz; each cycle continues where the one before it ended.
    #expect(inputs.reduce(0) { $0 + $1.frames } == (rate == 48_000 ? 640 : 588))
    for (former, next) in zip(inputs, inputs.dropFirst()) { #expect(next.time == former.time + Int64(former.frames)) }
  }

  @Test("with the output switched off, cycles bring input alone, and there is no file")
  func inputOnly() throws {
    let folder = TemporaryFolder()
    let unit = DeviceOutput(.hal, hardware: DeviceOutputTests.hardware(frames: 128, wave: folder.file("out.wav")))
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    try unit.setProperty(.enableIO, .output, element: 0, to: .uint32(0))
    let isDone = DispatchSemaphore(value: 0)
    let outputs = Atomic<Int>(0)
    unit.inputAvailable = { time, _ in if time.sampleTime == 64 { isDone.signal() } }
    try unit.initialize()
    try unit.start { _, _, _ in
      outputs.wrappingAdd(1, ordering: .relaxed)
      return .noError
    }
    isDone.wait()
    unit.stop()
    #expect(outputs.load(ordering: .relaxed) == 0 && unit.device.statistics.failedCycles == 0)
    #expect(folder.names.isEmpty)
  }

  @Test("letting go of a running unit stops its device", .timeLimit(.minutes(1)))
  func release() throws {
    let hasBegun = DispatchSemaphore(value: 0)
    let device: SimulatedDevice
    do {
      let unit = DeviceOutput(.remoteIO, hardware: DeviceOutputTests.hardware())
      device = unit.device
      try unit.setRenderCallback(
        RenderCallback { time, _, frames, buffer in
          for channel in 0..<2 { buffer.planes[channel].update(repeating: 0, count: frames) }
          if time == 128 { hasBegun.signal() }
          return .noError
        }, input: 0)
      try unit.initialize()
      try unit.start()
      hasBegun.wait()
    }
    // The last to let go may be the pull itself.
    while device.isRunning { sched_yield() }
    device.stop()
    #expect(device.statistics.framesPulled > 128)
  }
}
