import AudioCore
import Glibc
import Hardware
import SoundFile
import Synchronization
import TestSupport
import Testing

/// The microphone's sound from a file at another rate, and the devices of the profiles.
@Suite struct SoundSourceTests {
  private let folder = TemporaryFolder()

  private func file(_ name: String, rate: Double, _ channels: [[Float]]) throws -> String {
    let path = folder.file(name)
    let frames = channels[0].count
    let wave = PlanarBuffer(channelCount: channels.count, frameCapacity: frames)
    for (channel, samples) in channels.enumerated() { wave[channel].update(from: samples) }
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(container: .wav, encoding: .float32), sampleRate: rate,
      channelCount: channels.count)
    try writer.write(wave.planes, frames: frames)
    _ = try writer.finish()
    return path
  }

  private func heard(_ scenario: Scenario, seconds: Double) throws -> [Float] {
    let hardware = try TimelineTests.hardware(scenario)
    let heard = Mutex<[Float]>([])
    _ = try TimelineTests.run(hardware, seconds: seconds) { cycle in
      heard.withLock { $0 += cycle.input.prefix(cycle.frames * cycle.inputChannels).elements }
    }
    return heard.withLock { $0 }
  }

  private static func tone(_ hertz: Double, rate: Double, frames: Int) -> [Float] {
    (0..<frames).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / rate)) }
  }

  @Test("a file at another rate is converted, and repeated without a seam; one that does not repeat ends in silence")
  func converted() throws {
    // Whole periods of 441 Hz at 22.05 kHz.
    let path = try file("tone.wav", rate: 22_050, [Self.tone(441, rate: 22_050, frames: 5000)])
    for repeats in [true, false] {
      var scenario = TimelineTests.scenario()
      scenario.microphone = .file(path: path, gain: 1, repeats: repeats)
      let sound = try heard(scenario, seconds: 0.6)
      let expected = Self.tone(441, rate: 48_000, frames: sound.count)
      // The file lasts 226 ms: 10884 frames.
      let sounding = repeats ? 600..<28_000 : 600..<10_000
      #expect(sounding.allSatisfy { abs(sound[$0] - expected[$0]) < 2e-3 }, "\(repeats)")
      if !repeats { #expect(sound[12_000...].allSatisfy { abs($0) < 1e-4 }) }
    }
  }

  @Test("after a change of the hardware's rate the file goes on where it is, at the new rate")
  func moved() throws {
    let path = try file("tone.wav", rate: 48_000, [Self.tone(480, rate: 48_000, frames: 48_000)])
    var change = ScenarioEvent.RouteChange()
    change.sampleRate = 44_100
    change.blockedSeconds = 0
    var scenario = TimelineTests.scenario([ScenarioEvent(seconds: 0.1, .route(change))])
    scenario.microphone = .file(path: path, gain: 1, repeats: false)
    let sound = try heard(scenario, seconds: 0.5)
    let before = Self.tone(480, rate: 48_000, frames: 4800)
    #expect((0..<4800).allSatisfy { abs(sound[$0] - before[$0]) < 1e-6 })
    // 100 ms are whole periods: the tone begins anew there.
    let after = Self.tone(480, rate: 44_100, frames: sound.count - 4800)
    #expect(after.count > 15_000 && (600..<15_000).allSatisfy { abs(sound[4800 + $0] - after[$0]) < 2e-3 })
  }

  @Test("at each further change of the rate a source goes on where it is", arguments: [false, true])
  func movedAgain(_ isFile: Bool) throws {
    // Not whole periods in 100 ms: the place shows.
    let hertz = 482.5
    let path = try file("tone.wav", rate: 48_000, [Self.tone(hertz, rate: 48_000, frames: 48_000)])
    let events = [(0.1, 24_000.0), (0.2, 32_000), (0.3, 48_000)].map { seconds, rate in
      var change = ScenarioEvent.RouteChange()
      (change.sampleRate, change.blockedSeconds) = (rate, 0)
      return ScenarioEvent(seconds: seconds, .route(change))
    }
    var scenario = TimelineTests.scenario(events)
    scenario.microphone = isFile ? .file(path: path, gain: 1, repeats: false) : .tone(hertz: hertz, amplitude: 0.5)
    let sound = try heard(scenario, seconds: 0.5)
    var (first, seconds) = (0, 0.0)
    // The change at 0.3 s waits for the end of a cycle of 15 ms.
    for (rate, frames) in [(48_000.0, 4800), (24_000, 2400), (32_000, 3360), (48_000, 9000)] {
      // A conversion has to come in.
      for frame in (isFile && seconds > 0 ? 600 : 0)..<frames {
        let expected = 0.5 * sin(2 * .pi * hertz * (seconds + Double(frame) / rate))
        guard abs(Double(sound[first + frame]) - expected) < 3e-3 else {
          Issue.record("frame \(frame) at \(rate) Hz from \(seconds) s on: \(sound[first + frame]), not \(expected)")
          return
        }
      }
      (first, seconds) = (first + frames, seconds + Double(frames) / rate)
    }
  }

  @Test("channels that a file has not repeat its last one")
  func channels() throws {
    let path = try file(
      "two.wav", rate: 48_000, [[Float](repeating: 0.25, count: 4800), [Float](repeating: 0.5, count: 4800)])
    var scenario = TimelineTests.scenario()
    scenario.device.inputChannels = 3
    scenario.microphone = .file(path: path, gain: 1, repeats: false)
    let sound = try heard(scenario, seconds: 0.05)
    #expect(sound.count == 3 * 2400)
    #expect(sound.indices.allSatisfy { sound[$0] == ($0 % 3 == 0 ? 0.25 : 0.5) })
  }

  @Test("what a unit that was left ducks is the whole cycle, on each channel")
  func duckedWhole() throws {
    var scenario = TimelineTests.scenario()
    scenario.loudspeakerPath = folder.file("out.wav")
    let hardware = try TimelineTests.hardware(scenario)
    let forgotten = Object()
    try hardware.take(forgotten, isVoiceProcessor: false, records: false)
    hardware.leave(forgotten)
    _ = try TimelineTests.run(hardware, seconds: 0.03)
    try hardware.follow(nil)
    let planes = try TimelineTests.samples(folder.file("out.wav")).planes
    #expect(planes.count == 2 && planes.allSatisfy { $0.count == 1440 && Set($0) == [0.25] })
  }

  private final class Object {}

  @Test("time goes on by what a time can be, and by nothing else", arguments: [-1, .nan, .infinity, 1e12])
  func advance(_ seconds: Double) throws {
    let hardware = try TimelineTests.hardware(TimelineTests.scenario())
    #expect(throws: AudioStatus.cannotDoInCurrentContext) { try hardware.advance(seconds: seconds) }
    #expect(hardware.scenarioSeconds == 0)
  }

  @Test("by the wall's clock a callback that lasts for three cycles is late, and is counted")
  func late() throws {
    var configuration = DeviceConfiguration()
    configuration.clock = .real
    configuration.sampleRate = 48_000
    configuration.bufferFrames = 480
    configuration.seconds = 0.05
    let device = SimulatedDevice(SimulatedHardware(configuration))
    let done = Semaphore()
    let count = Atomic<Int>(0)
    try device.start { _ in
      if count.add(1, ordering: .relaxed).newValue == 5 { done.signal() }
      usleep(30_000)
      return .noError
    }
    done.wait()
    device.stop()
    #expect(device.statistics.lateCycles >= 4)
  }

  @Test("the devices of the profiles", arguments: DeviceProfile.allCases)
  func profiles(_ profile: DeviceProfile) {
    var expected = ScenarioDevice()
    switch profile {
    case .simulator: break
    case .phone:
      expected.refusals = [.float]
      expected.leavesBuffers = true
      expected.sampleRates = [8_000, 16_000, 22_050, 44_100, 48_000]
    case .noMono: (expected.refusals, expected.inputChannels) = ([.mono], 2)
    case .noMicrophone: expected.inputChannels = 0
    case .fixedRate: (expected.refusals, expected.sampleRates, expected.inputChannels) = ([.otherRates], [44_100], 2)
    }
    #expect(profile.device == expected)
  }

  @Test(
    "a key that is unknown is told wherever it stands",
    arguments: [
      #""device": {"x": 1}"#, #""microphone": {"type": "tone", "frequency": 1, "x": 1}"#,
      #""loudspeaker": {"file": "a.wav", "x": 1}"#, #""loudspeaker": {"echo": [{"delay": 0, "gain": 0, "x": 1}]}"#,
      #""otherAudio": {"type": "noise", "x": 1}"#, #""events": [{"at": 0, "late": 1, "x": 1}]"#,
      #""events": [{"at": 0, "burst": {"callbacks": 2, "pause": 0, "x": 1}}]"#,
      #""events": [{"at": 0, "route": {"x": 1}}]"#,
      #""events": [{"at": 0, "interruption": {"edge": "begin", "x": 1}}]"#,
      #""events": [{"at": 0, "microphone": {"type": "silence", "x": 1}}]"#,
      #""device": {"defects": ["x"]}"#, #""device": {"refuses": ["x"]}"#,
    ])
  func unknownKeys(_ text: String) throws {
    let error = #expect(throws: BenchError.self) { try ScenarioFile.parse("{\"version\": 1, \(text)}") }
    let said = "\(try #require(error))"
    #expect(said.contains("key \"x\"") || said.contains("expected some of"), "\(said)")
  }
}
