import AVFAudio
import AudioCore
import Foundation
import Hardware
import TestSupport
import Testing

/// Each alternative of what happens on the simulated hardware, against a closed form.
@Suite("Choices of sessions, players and engines on hardware")
struct HardwareChoiceTests {
  private static func choices(_ edit: (inout AVFAudioChoices) -> Void) -> AVFAudioChoices {
    var choices = AVFAudioChoices()
    edit(&choices)
    return choices
  }

  /// True on the main queue.
  private static var isOnMainQueue: Bool {
    DispatchQueue.main.setSpecific(key: key, value: true)
    return DispatchQueue.getSpecific(key: key) == true
  }
  private static let key = DispatchSpecificKey<Bool>()

  @Test(
    "Behind an interruption the engine stays paused, or goes on with the next cycle where the system advises it",
    arguments: AVFAudioChoices.Interruptions.allCases, [true, false])
  func interruptions(_ choice: AVFAudioChoices.Interruptions, _ isAdvised: Bool) throws {
    let harness = try HardwareHarness(choices: Self.choices { $0.interruptions = choice }) { scenario in
      scenario.events = [
        ScenarioEvent(seconds: 0.1, .interruptionBegins),
        ScenarioEvent(seconds: 0.2, .interruptionEnds(PlayerHarness.end(resumes: isAdvised))),
      ]
    }
    let player = harness.player()
    try harness.engine.start()
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 48_000) { frame, _ in Float(1 + frame) / 65_536 })
    player.play()
    try harness.hardware.advance(seconds: 0.5)
    let resumes = choice == .resume && isAdvised
    #expect(harness.engine.isRunning == resumes)
    let heard = harness.loudspeaker.samples()[0].filter { $0 != 0 }
    let frames = resumes ? 4800 + 14_400 : 4800
    #expect(heard == (0..<frames).map { Float(1 + $0) / 65_536 })
    harness.engine.stop()
  }

  @Test(
    "An engine that was paused or stopped during the interruption does not go on by itself", arguments: [true, false])
  func pausedMeanwhile(_ isPaused: Bool) throws {
    let harness = try HardwareHarness(choices: Self.choices { $0.interruptions = .resume }) { scenario in
      scenario.events = [
        ScenarioEvent(seconds: 0.1, .interruptionBegins),
        ScenarioEvent(seconds: 0.2, .interruptionEnds(PlayerHarness.end(resumes: true))),
      ]
    }
    _ = harness.engine.mainMixerNode
    try harness.engine.start()
    try harness.hardware.advance(seconds: 0.15)
    if isPaused { harness.engine.pause() } else { harness.engine.stop() }
    try harness.hardware.advance(seconds: 0.2)
    #expect(!harness.engine.isRunning)
  }

  @Test(
    "Deactivation pauses what runs, lets it run, or is refused; it is '!act' in each case",
    arguments: AVFAudioChoices.RunningDeactivation.allCases)
  func deactivation(_ choice: AVFAudioChoices.RunningDeactivation) throws {
    let folder = TemporaryFolder()
    let harness = try HardwareHarness { $0.microphone = .tone(hertz: 100, amplitude: 0.5) }
    let session = AVAudioSession(hardware: harness.hardware, choices: Self.choices { $0.runningDeactivation = choice })
    try session.setActive(true)
    _ = harness.engine.mainMixerNode
    try harness.engine.start()
    let sounds = try PlayerHarness()
    let player = try AVAudioPlayer(
      contentsOf: sounds.file("a.wav", 48_000, frames: 48_000), on: harness.hardware)
    let recorder = try AVAudioRecorder(
      url: URL(fileURLWithPath: folder.file("r.wav")), settings: [:], on: harness.hardware)
    #expect(player.play() && recorder.record())
    try harness.hardware.advance(seconds: 0.1)
    let error = #expect(throws: NSError.self) { try session.setActive(false) }
    #expect(error?.code == AVAudioSession.ErrorCode.isBusy.rawValue)
    let runs = choice != .stops
    #expect(harness.engine.isRunning == runs && player.isPlaying == runs && recorder.isRecording == runs)
    #expect(harness.hardware.session.state.isActive == (choice == .refused))
    try harness.hardware.advance(seconds: 0.1)
    let frames: Int64 = runs ? 9600 : 4800
    #expect(player.currentTime == Double(frames) / 48_000)
    #expect(recorder.currentTime == Double(frames) / 48_000)
    // All go on where they were.
    try session.setActive(true)
    try harness.engine.start()
    #expect(player.play() && recorder.record())
    try harness.hardware.advance(seconds: 0.1)
    #expect(player.currentTime == Double(frames + 4800) / 48_000)
    recorder.stop()
    let file = try AVAudioFile(forReading: recorder.url)
    #expect(file.length == frames + 4800)
    player.stop()
    harness.engine.stop()
    try session.setActive(false)
  }

  @Test(
    "Behind its end a player's time is 0 or the duration, and it begins anew",
    arguments: AVFAudioChoices.TimeAtEnd.allCases)
  func timeAtEnd(_ choice: AVFAudioChoices.TimeAtEnd) throws {
    let harness = try PlayerHarness()
    let player = try AVAudioPlayer(
      contentsOf: harness.file(frames: 1000), on: harness.hardware, choices: Self.choices { $0.timeAtEnd = choice })
    #expect(player.play())
    try harness.advance(0.05)
    #expect(!player.isPlaying)
    #expect(player.currentTime == (choice == .zero ? 0 : player.duration))
    player.stop()
    #expect(player.currentTime == (choice == .zero ? 0 : player.duration))
    #expect(player.play() && player.currentTime == 0)
    try harness.advance(0.05)
    player.currentTime = 0.01
    #expect(player.currentTime == 0.01)
    #expect(try harness.heard()[0].filter { $0 != 0 } == PlayerHarness.passes(2, of: 1000))
  }

  @Test("A player begins with the next cycle, or so many seconds behind it", arguments: [0, 0.003, 0.02])
  func startDelay(_ seconds: Double) throws {
    let harness = try PlayerHarness()
    let player = try AVAudioPlayer(
      contentsOf: harness.file(frames: 1000), on: harness.hardware,
      choices: Self.choices { $0.playerStartDelay = seconds })
    #expect(player.play() && player.isPlaying)
    try harness.advance(0.1)
    let frames = Int(clamping: (seconds * 44_100).rounded())
    let heard = try harness.heard()[0]
    #expect(Array(heard.prefix(frames + 1000)) == PlayerHarness.silence(frames) + PlayerHarness.passes(1, of: 1000))
  }

  @Test("A player whose output is unplugged goes on, or is paused", arguments: AVFAudioChoices.LostDevice.allCases)
  func lostDevice(_ choice: AVFAudioChoices.LostDevice) throws {
    func route(_ seconds: Double, _ output: String?, _ reason: DeviceRoute.Reason) -> ScenarioEvent {
      var change = ScenarioEvent.RouteChange()
      change.route = DeviceRoute(output: output)
      change.reason = reason
      change.blockedSeconds = 0
      return ScenarioEvent(seconds: seconds, .route(change))
    }
    let harness = try PlayerHarness(events: [
      route(0.02, "Headphones", .newDeviceAvailable), route(0.05, nil, .oldDeviceUnavailable),
    ])
    let calls = PlayerCalls()
    let player = try AVAudioPlayer(
      contentsOf: harness.file(frames: 44_100), on: harness.hardware, choices: Self.choices { $0.lostDevice = choice })
    player.delegate = calls
    #expect(player.play())
    try harness.advance(0.1)
    #expect(player.isPlaying == (choice == .continues))
    #expect(player.currentTime == (choice == .continues ? 0.1 : 0.05))
    #expect(calls.all == [])
    #expect(player.play())
    try harness.advance(0.1)
    #expect(player.currentTime == (choice == .continues ? 0.2 : 0.15))
    player.stop()
  }

  /// Notes the place of the call.
  private final class Delegate: NSObject, AVAudioPlayerDelegate, AVAudioRecorderDelegate, @unchecked Sendable {
    let calls = Locked<[Bool]>([])
    let isDone = AsyncStream<Void>.makeStream()
    private func note() {
      calls.withLock { $0.append(HardwareChoiceTests.isOnMainQueue) }
      isDone.continuation.yield()
    }
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { note() }
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) { note() }
  }

  @Test("A main thread that waits for the hardware is not waited for by observers on the main queue, by that choice")
  func mainQueueObservers() async {
    await #expect(processExitsWith: .success) {
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 60)
        exit(2)
      }
      let harness = try HardwareHarness(choices: HardwareChoiceTests.choices { $0.notifications = .mainQueue }) {
        var change = ScenarioEvent.RouteChange()
        (change.sampleRate, change.blockedSeconds) = (44_100, 0)
        $0.events = [ScenarioEvent(seconds: 0.1, .route(change))]
      }
      let engine = harness.engine
      _ = engine.mainMixerNode
      try engine.start()
      let isTold = AsyncStream<Bool>.makeStream()
      let token = NotificationCenter.default.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: engine, queue: .main
      ) { _ in
        isTold.continuation.yield(!engine.isRunning)
      }
      let hardware = harness.hardware
      // On the main thread.
      await MainActor.run { do { try hardware.advance(seconds: 0.3) } catch { exit(3) } }
      var iterator = isTold.stream.makeAsyncIterator()
      let isStopped = await iterator.next()
      NotificationCenter.default.removeObserver(token)
      exit(isStopped == true ? 0 : 4)
    }
  }

  @Test(
    "Delegates and notifications come on the thread of the event, or on the main queue, for which nothing waits",
    arguments: AVFAudioChoices.CallThread.allCases)
  func callThreads(_ choice: AVFAudioChoices.CallThread) async throws {
    let choices = Self.choices { ($0.delegateCalls, $0.notifications) = (choice, choice) }
    var change = ScenarioEvent.RouteChange()
    change.sampleRate = 44_100
    let harness = try HardwareHarness(choices: choices) { [change] in
      $0.events = [ScenarioEvent(seconds: 0.1, .route(change)), ScenarioEvent(seconds: 0.2, .interruptionBegins)]
    }
    let session = AVAudioSession(hardware: harness.hardware, choices: choices)
    let delegate = Delegate()
    let tokens = [
      (NSNotification.Name.AVAudioEngineConfigurationChange, harness.engine as AnyObject),
      (AVAudioSession.routeChangeNotification, session), (AVAudioSession.interruptionNotification, session),
    ].map { name, object in
      NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [delegate] _ in
        delegate.calls.withLock { $0.append(Self.isOnMainQueue) }
        delegate.isDone.continuation.yield()
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    _ = harness.engine.mainMixerNode
    try harness.engine.start()
    let sounds = try PlayerHarness()
    let player = try AVAudioPlayer(
      contentsOf: sounds.file("a.wav", 48_000, frames: 1000), on: harness.hardware, choices: choices)
    player.delegate = delegate
    #expect(player.play())
    // On a thread of its own: the main queue is free meanwhile, or not, and neither waits for the other.
    let hardware = harness.hardware
    try await Task.detached { try hardware.advance(seconds: 0.4) }.value
    var calls = 0
    for await _ in delegate.isDone.stream {
      calls += 1
      if calls == 4 { break }
    }
    #expect(delegate.calls.withLock { $0 } == Array(repeating: choice == .mainQueue, count: 4))
    harness.engine.stop()
  }
}
