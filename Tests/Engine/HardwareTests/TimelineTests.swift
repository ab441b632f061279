import AudioCore
import Glibc
import Hardware
import SoundFile
import Synchronization
import TestSupport
import Testing

/// The effect of a scenario on a device that runs under it: calls, times, gaps, and the sound of the loudspeaker and
/// microphone.
@Suite struct TimelineTests {
  /// A scenario at 48 kHz in cycles of 480 frames: 10 ms, by a told clock.
  static func scenario(_ events: [ScenarioEvent] = [], change: (inout Scenario) -> Void = { _ in }) -> Scenario {
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.sampleRate = 48_000
    scenario.device.slices = [480]
    scenario.events = events
    change(&scenario)
    return scenario
  }

  static func hardware(_ scenario: Scenario) throws -> SimulatedHardware {
    let hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
    return hardware
  }

  /// A client's view of one cycle.
  struct Seen: Equatable {
    var sampleTime: Int64
    var frames: Int
    /// Nanoseconds since the first cycle's.
    var hostTime: UInt64
  }

  /// The cycles of `seconds`, by one client that plays ones.
  static func run(
    _ hardware: SimulatedHardware, seconds: Double,
    _ pull: @escaping @Sendable (DeviceCycle) -> Void = { _ in }
  ) throws -> [Seen] {
    let device = SimulatedDevice(hardware)
    let seen = Mutex<[Seen]>([])
    try device.start { cycle in
      seen.withLock {
        $0.append(Seen(sampleTime: cycle.time.sampleTime, frames: cycle.frames, hostTime: cycle.time.hostTime))
      }
      cycle.output.update(repeating: 1, count: 2 * cycle.frames)
      pull(cycle)
      return .noError
    }
    try hardware.advance(seconds: seconds)
    device.stop()
    let first = seen.withLock { $0.first?.hostTime ?? 0 }
    return seen.withLock {
      $0.map { Seen(sampleTime: $0.sampleTime, frames: $0.frames, hostTime: $0.hostTime - first) }
    }
  }

  static func samples(_ path: String) throws -> (info: SoundFileInfo, planes: [[Float]]) {
    let reader = try SoundFileReader(path: path)
    let frames = Int(reader.info.frameCount)
    let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: frames + 1)
    #expect(try reader.read(into: buffer.planes, frames: frames + 1) == frames)
    return (reader.info, (0..<buffer.channelCount).map { Array(buffer[$0].prefix(frames).elements) })
  }

  @Test("a told clock calls for the cycles that begin within the time, and for no others")
  func told() throws {
    let hardware = try Self.hardware(Self.scenario())
    let seen = try Self.run(hardware, seconds: 0.05)
    #expect(
      seen == (0..<5).map { Seen(sampleTime: 480 * $0, frames: 480, hostTime: 10_000_000 * UInt64($0)) })
    #expect(hardware.scenarioSeconds == 0.05)
    #expect(try Self.run(hardware, seconds: 0.015).count == 2)
  }

  @Test("slices follow the pattern, from its beginning at the event")
  func slices() throws {
    let hardware = try Self.hardware(
      Self.scenario([
        ScenarioEvent(seconds: 0.02, .slices([93, 93, 92])), ScenarioEvent(seconds: 0.03, .slices([4096])),
      ]))
    let frames = try Self.run(hardware, seconds: 0.2).map(\.frames)
    #expect(frames.prefix(9) == [480, 480, 93, 93, 92, 93, 93, 92, 4096])
    #expect(frames.dropFirst(9).allSatisfy { $0 == 4096 })
  }

  @Test("a burst: callbacks come in groups when the last cycle of a group begins, then none for the pause")
  func bursts() throws {
    // 25 cycles of 10 ms: 250 ms, of which 202 ms are pause: 2 ms between callbacks.
    let hardware = try Self.hardware(
      Self.scenario([ScenarioEvent(seconds: 0, .burst(.init(callbacks: 25, pauseSeconds: 0.202)))]))
    let calls = Mutex<[UInt64]>([])
    let seen = try Self.run(hardware, seconds: 0.5) { [unowned hardware] _ in
      calls.withLock { $0.append(hardware.hostTime) }
    }
    #expect(seen.map(\.sampleTime) == (0..<50).map { 480 * $0 })
    let times = calls.withLock { $0 }
    let steps = zip(times, times.dropFirst()).map { Int64($1) - Int64($0) }
    #expect(steps.count == 49)
    #expect(steps.enumerated().allSatisfy { $1 == ($0 == 24 ? 202_000_000 : 2_000_000) }, "\(steps)")
  }

  @Test("where the rate changes the sample time goes on in time, also over a stop")
  func timesAcrossRates() throws {
    let hardware = try Self.hardware(
      Self.scenario(
        [(0.02, 44_100.0), (0.06, 96_000), (0.095, 48_000)].map { seconds, rate in
          var change = ScenarioEvent.RouteChange()
          (change.blockedSeconds, change.sampleRate) = (0, rate)
          return ScenarioEvent(seconds: seconds, .route(change))
        }))
    let device = SimulatedDevice(hardware)
    let times = Mutex<[Int64]>([])
    func start() throws {
      try device.start(startsAtZero: false) { cycle in
        times.withLock { $0.append(cycle.time.sampleTime) }
        return .noError
      }
    }
    try start()
    try hardware.advance(seconds: 0.04)
    // 20 ms of 48 kHz are 882 frames at 44.1 kHz; a cycle has 480 frames at any rate.
    #expect(times.withLock { $0 } == [0, 480, 882, 1362])
    try hardware.advance(seconds: 0.03)
    // 1842 and 2322 begin at 41.8 and 52.7 ms; 2802, at 63.5 ms, is 6099.6 at 96 kHz.
    #expect(times.withLock { Array($0.dropFirst(4)) } == [1842, 2322, 6100, 6580])
    device.stop()
    try hardware.advance(seconds: 0.03)
    #expect(hardware.configuration.sampleRate == 48_000)
    try start()
    try hardware.advance(seconds: 0.005)
    // It ended at 7060 frames of 96 kHz.
    #expect(times.withLock { Array($0.dropFirst(8)) } == [3530])
    device.stop()
  }

  @Test("a callback that costs less than its cycle leaves no gap; one that costs more leaves what it was late")
  func gaps() throws {
    let folder = TemporaryFolder()
    var scenario = Self.scenario()
    scenario.loudspeakerPath = folder.file("out.wav")
    let hardware = try Self.hardware(scenario)
    let seen = try Self.run(hardware, seconds: 0.06) { cycle in
      // 5 ms, then 12.5 ms in the second cycle, then nothing.
      hardware.spend(seconds: cycle.time.sampleTime == 480 ? 0.0125 : 0.005)
    }
    #expect(seen.count == 6)
    try hardware.follow(nil)
    let heard = try Self.samples(folder.file("out.wav")).planes[0]
    // The third cycle begins 2.5 ms late and ends in time.
    #expect(heard.count == 2880)
    #expect(heard.indices.filter { heard[$0] != 1 } == Array(480..<600))
  }

  @Test("a callback that lasts for several cycles loses them: no callback, silence, and the sample time jumps")
  func lostCycles() throws {
    let folder = TemporaryFolder()
    var scenario = Self.scenario()
    scenario.loudspeakerPath = folder.file("out.wav")
    let hardware = try Self.hardware(scenario)
    let seen = try Self.run(hardware, seconds: 0.08) { cycle in
      if cycle.time.sampleTime == 960 { hardware.spend(seconds: 0.025) }
    }
    // Called at 20 ms, done at 45 ms: 20...30 is lost for its lateness, 30...40 has no callback, 40...50 is called 5 ms
    // late.
    #expect(seen.map(\.sampleTime) == [0, 480, 960, 1920, 2400, 2880, 3360])
    try hardware.follow(nil)
    let heard = try Self.samples(folder.file("out.wav")).planes[1]
    #expect(heard.indices.filter { heard[$0] == 0 } == Array(960..<1920))
  }

  @Test("the scenario's cost and lateness add up to a gap")
  func lateAndCost() throws {
    let hardware = try Self.hardware(
      Self.scenario([ScenarioEvent(seconds: 0.02, .late(0.004))]) { $0.costSeconds = 0.008 })
    let device = SimulatedDevice(hardware)
    try device.start { _ in .noError }
    try hardware.advance(seconds: 0.04)
    // 4 + 8 ms in a cycle of 10: 2 ms lost, and then, as each next one is called when it is due, 2 ms again: the third
    // is called at 32 ms at the earliest, which lateness alone makes 34 ms.
    #expect(device.statistics.lostFrames == 2 * 96)
    #expect(device.statistics.lateCycles == 2)
    device.stop()
  }

  @Test("a change of route: no callbacks for its time, another rate behind it, and who runs is told once")
  func route() throws {
    let folder = TemporaryFolder()
    var change = ScenarioEvent.RouteChange()
    change.route = DeviceRoute(output: "Headphones", input: nil)
    change.sampleRate = 44_100
    change.reason = .newDeviceAvailable
    var scenario = Self.scenario([ScenarioEvent(seconds: 0.1, .route(change))])
    scenario.loudspeakerPath = folder.file("out.wav")
    let hardware = try Self.hardware(scenario)
    let told = Mutex<[String]>([])
    hardware.observe { event in
      switch event {
      case .routeChanged(let former, _, let reason):
        told.withLock { $0.append("route from \(former.output ?? "built in") because of \(reason)") }
      case .configurationChanged(let former): told.withLock { $0.append("rate was \(former.sampleRate)") }
      default: told.withLock { $0.append("something else") }
      }
    }
    let seen = try Self.run(hardware, seconds: 0.4)
    #expect(told.withLock { $0 } == ["rate was 48000.0", "route from built in because of newDeviceAvailable"])
    #expect(hardware.route.output == "Headphones" && hardware.configuration.sampleRate == 44_100)
    // 10 cycles, 20 without a callback, then cycles of 480 frames at 44.1 kHz, from 0.3 s on.
    let times: [Int64] = Array(stride(from: 0, to: 4800, by: 480)) + [13_230]
    #expect(seen.prefix(11).map(\.sampleTime) == times)
    #expect(seen[11].hostTime - seen[10].hostTime == 10_884_354)
    try hardware.follow(nil)
    let before = try Self.samples(folder.file("out.wav"))
    let after = try Self.samples(folder.file("out-2.wav"))
    #expect(before.info.sampleRate == 48_000 && before.info.frameCount == 480 * 30)
    #expect(before.planes[0].suffix(480 * 20).allSatisfy { $0 == 0 })
    #expect(after.info.sampleRate == 44_100 && after.planes[0].allSatisfy { $0 == 1 })
  }

  @Test("a stop during a change of route takes until its end, and nothing is called afterwards")
  func stopDuringRoute() throws {
    let hardware = try Self.hardware(
      Self.scenario([ScenarioEvent(seconds: 0.02, .route(ScenarioEvent.RouteChange()))]))
    let device = SimulatedDevice(hardware)
    let calls = Atomic<Int>(0)
    try device.start { _ in
      calls.wrappingAdd(1, ordering: .relaxed)
      return .noError
    }
    try hardware.advance(seconds: 0.03)
    #expect(calls.load(ordering: .relaxed) == 2)
    device.stop()
    #expect(abs(hardware.scenarioSeconds - 0.22) < 1e-9)
    try hardware.advance(seconds: 0.1)
    #expect(calls.load(ordering: .relaxed) == 2)
  }

  @Test("a stop waits for the end of a change of route that comes while it waits", .timeLimit(.minutes(1)))
  func stopDuringTwoRoutes() throws {
    let hardware = try Self.hardware(
      Self.scenario([
        ScenarioEvent(seconds: 0.02, .route(ScenarioEvent.RouteChange())),
        ScenarioEvent(seconds: 0.1, .route(ScenarioEvent.RouteChange())),
      ]))
    let device = SimulatedDevice(hardware)
    try device.start { _ in .noError }
    try hardware.advance(seconds: 0.03)
    device.stop()
    #expect(abs(hardware.scenarioSeconds - 0.3) < 1e-9)
  }

  @Test("an interruption stops what runs before it is told; nothing starts until it has ended")
  func interruption() throws {
    let hardware = try Self.hardware(
      Self.scenario([
        ScenarioEvent(seconds: 0.02, .interruptionBegins), ScenarioEvent(seconds: 0.05, .interruptionEnds(.init())),
      ]))
    let device = SimulatedDevice(hardware)
    let log = Mutex<[String]>([])
    device.setHandlers(formatDidChange: nil, wasStopped: { log.withLock { $0.append("stopped") } })
    hardware.observe { event in
      switch event {
      case .interruptionBegan: log.withLock { $0.append("began, runs \(device.isRunning)") }
      case .interruptionEnded(let resumes, _):
        log.withLock { $0.append("ended, resumes \(resumes)") }
        try? device.start { cycle in
          log.withLock { $0.append("\(cycle.time.sampleTime)") }
          return .noError
        }
      default: break
      }
    }
    try device.start { cycle in
      log.withLock { $0.append("\(cycle.time.sampleTime)") }
      return .noError
    }
    try hardware.advance(seconds: 0.03)
    #expect(hardware.isInterrupted && !device.isRunning)
    #expect(throws: BenchError.self) { try device.start { _ in .noError } }
    try hardware.advance(seconds: 0.04)
    #expect(log.withLock { $0 } == ["0", "480", "stopped", "began, runs false", "ended, resumes true", "0", "480"])
    device.stop()
  }

  @Test("a free clock goes on through an interruption that the scenario ends, although nothing runs")
  func freeInterruption() throws {
    var scenario = Self.scenario([
      ScenarioEvent(seconds: 0.02, .interruptionBegins), ScenarioEvent(seconds: 1, .interruptionEnds(.init())),
    ])
    scenario.device.clock = .free
    let hardware = try Self.hardware(scenario)
    let ended = Semaphore()
    hardware.observe { if case .interruptionEnded = $0 { ended.signal() } }
    let device = SimulatedDevice(hardware)
    try device.start { _ in .noError }
    ended.wait()
    #expect(hardware.scenarioSeconds >= 0.99)
  }

  @Test("what is played is recorded again after its delay, with its gain, and never before its cycle is over")
  func echo() throws {
    for (delay, expected) in [(0.02, 960), (0, 480)] {
      var scenario = Self.scenario()
      scenario.echo = [EchoPath(delaySeconds: delay, gainDecibels: -20 * log10(2))]
      let hardware = try Self.hardware(scenario)
      let device = SimulatedDevice(hardware)
      let heard = Mutex<[Float]>([])
      try device.start { cycle in
        heard.withLock { $0 += cycle.input.prefix(cycle.frames).elements }
        if cycle.time.sampleTime == 0 {
          cycle.output[2 * 7] = 0.5
          cycle.output[2 * 7 + 1] = 0.25
        }
        return .noError
      }
      try hardware.advance(seconds: 0.05)
      device.stop()
      let samples = heard.withLock { $0 }
      #expect(samples.count == 2400)
      #expect(samples.indices.filter { samples[$0] != 0 } == [expected + 7])
      #expect(abs(samples[expected + 7] - 0.1875) < 1e-7)
    }
  }

  @Test("the microphone plays its file; it fails until a device is started anew")
  func microphone() throws {
    let folder = TemporaryFolder()
    let frames = 4800
    let wave = PlanarBuffer(channelCount: 1, frameCapacity: frames)
    for frame in 0..<frames { wave[0][frame] = Float(frame + 1) / 8192 }
    let writer = try SoundFileWriter(
      path: folder.file("in.wav"), format: SoundFileFormat(container: .wav, encoding: .float32), sampleRate: 48_000,
      channelCount: 1)
    try writer.write(wave.planes, frames: frames)
    _ = try writer.finish()
    var scenario = Self.scenario([ScenarioEvent(seconds: 0.02, .microphoneFails)])
    scenario.microphone = .file(path: folder.file("in.wav"), gain: 2, repeats: false)
    let hardware = try Self.hardware(scenario)
    func record(_ seconds: Double) throws -> [Float] {
      let heard = Mutex<[Float]>([])
      _ = try Self.run(hardware, seconds: seconds) { cycle in
        heard.withLock { $0 += cycle.input.prefix(cycle.frames).elements }
      }
      return heard.withLock { $0 }
    }
    #expect(try record(0.04) == (0..<1920).map { $0 < 960 ? Float($0 + 1) / 4096 : 0 })
    #expect(try record(0.1) == (1920..<6720).map { $0 < frames ? Float($0 + 1) / 4096 : 0 })
  }

  /// Groups of 25 cycles of 10 ms, the first callback when the last cycle begins and 2 ms between them: the last comes
  /// 288 ms after the group's beginning, and the sound of each is heard 288 ms after the end of its cycle.
  @Test(
    "what is played will be heard when its callbacks must be done: never in the past, where they come late or in groups neither",
    arguments: [
      ([], 10_000_000), ([ScenarioEvent(seconds: 0, .late(0.004))], 10_000_000),
      ([ScenarioEvent(seconds: 0, .burst(.init(callbacks: 25, pauseSeconds: 0.202)))], 298_000_000),
    ] as [([ScenarioEvent], UInt64)])
  func playTimes(_ events: [ScenarioEvent], ahead: UInt64) throws {
    let hardware = try Self.hardware(Self.scenario(events))
    let seen = Mutex<[(ahead: UInt64, isToCome: Bool)]>([])
    _ = try Self.run(hardware, seconds: 0.5) { [unowned hardware] cycle in
      seen.withLock {
        $0.append((cycle.outputTime.hostTime - cycle.time.hostTime, cycle.outputTime.hostTime > hardware.hostTime))
      }
    }
    let cycles = seen.withLock { $0 }
    #expect(cycles.count == 50 && cycles.allSatisfy { $0.ahead == ahead && $0.isToCome })
  }

  @Test("drift: host times run by the clock's true rate, and the rate scalar says so")
  func drift() throws {
    let hardware = try Self.hardware(Self.scenario([ScenarioEvent(seconds: 0.5, .drift(1000))]))
    let scalars = Mutex<[Double]>([])
    let seen = try Self.run(hardware, seconds: 1) { cycle in scalars.withLock { $0.append(cycle.time.rateScalar) } }
    #expect(seen[50].hostTime == 500_000_000)
    #expect(seen[99].hostTime == 500_000_000 + UInt64(clamping: (0.49e9 / 1.001).rounded()))
    #expect(scalars.withLock { $0[49] } == 1 && scalars.withLock { $0[50] } == 1 / 1.001)
  }

  @Test("another program's sound is mixed in, beside a voice processor 12 dB lower; a unit that was left ducks all")
  func ducking() throws {
    let folder = TemporaryFolder()
    var scenario = Self.scenario()
    scenario.loudspeakerPath = folder.file("out.wav")
    scenario.otherAudio = .tone(hertz: 12_000, amplitude: 1)
    let hardware = try Self.hardware(scenario)
    let first = Object()
    let second = Object()
    try hardware.advance(seconds: 0.01)
    try hardware.take(first, isVoiceProcessor: true, records: false)
    hardware.setDucking(0.25, of: first)
    try hardware.advance(seconds: 0.01)
    #expect(throws: AudioStatus.failedInitialization) {
      try hardware.take(second, isVoiceProcessor: true, records: false)
    }
    hardware.leave(first)
    #expect(throws: AudioStatus.failedInitialization) {
      try hardware.take(second, isVoiceProcessor: true, records: false)
    }
    let seen = try Self.run(hardware, seconds: 0.01)
    #expect(seen.count == 1)
    hardware.release(ObjectIdentifier(first))
    try hardware.take(second, isVoiceProcessor: false, records: false)
    _ = try Self.run(hardware, seconds: 0.01)
    try hardware.follow(nil)
    let heard = try Self.samples(folder.file("out.wav")).planes[0]
    // A sine of a quarter of the rate: 0, 1, 0, −1.
    func peak(_ cycle: Int, _ frame: Int) -> Float { heard[480 * cycle + frame] }
    #expect([peak(0, 1), peak(1, 1), peak(2, 1), peak(3, 1)] == [1, 0.25, 0.5, 2])
  }

  private final class Object {}

  @Test("the same scenario gives the same calls and the same sound, by any clock that is not the wall's")
  func repeats() throws {
    func once(_ clock: DeviceConfiguration.Clock) throws -> ([Seen], [Float]) {
      var scenario = Self.scenario([
        ScenarioEvent(seconds: 0.05, .slices([93, 93, 92])), ScenarioEvent(seconds: 0.2, .drift(50)),
        ScenarioEvent(seconds: 0.3, .cost(0.0025)),
      ])
      scenario.microphone = .noise(seed: 7, amplitude: 0.5)
      scenario.echo = [EchoPath(delaySeconds: 0.03, gainDecibels: -6)]
      scenario.device.clock = clock
      scenario.seconds = 0.5
      let hardware = try Self.hardware(scenario)
      let log = Mutex<([Seen], [Float])>(([], []))
      let device = SimulatedDevice(hardware)
      try device.start { cycle in
        log.withLock {
          $0.0.append(Seen(sampleTime: cycle.time.sampleTime, frames: cycle.frames, hostTime: cycle.time.hostTime))
          $0.1 += cycle.input.prefix(cycle.frames).elements
        }
        for frame in 0..<cycle.frames { cycle.output[2 * frame] = cycle.input[frame] }
        return .noError
      }
      if clock == .told {
        for _ in 0..<60 { try hardware.advance(seconds: 0.01) }
      } else {
        while hardware.scenarioSeconds < 0.5 { sched_yield() }
      }
      device.stop()
      return log.withLock { $0 }
    }
    let told = try once(.told)
    let free = try once(.free)
    #expect(told.0.count > 100 && told.0 == free.0)
    #expect(told.1 == free.1)
  }

  @Test(
    "by the wall clock a callback that sleeps for longer than its cycle loses sound, without anything being declared")
  func realClock() throws {
    let hardware = try Self.hardware(Self.scenario { $0.device.clock = .real })
    let device = SimulatedDevice(hardware)
    let done = Semaphore()
    try device.start { cycle in
      if cycle.time.sampleTime == 0 { usleep(35_000) } else { done.signal() }
      return .noError
    }
    done.wait()
    device.stop()
    // 35 ms of a cycle of 10: its own sound, and that of two others.
    #expect(device.statistics.lostFrames >= 480 * 2)
  }
}
