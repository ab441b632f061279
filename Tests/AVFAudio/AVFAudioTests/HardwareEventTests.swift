import AVFAudio
import AudioCore
import AudioEngine
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioEngine: events of the hardware")
struct HardwareEventTests {
  private typealias Harness = HardwareHarness

  private static func route(_ seconds: Double, _ rate: Double?) -> ScenarioEvent {
    var change = ScenarioEvent.RouteChange()
    change.blockedSeconds = 0.05
    change.sampleRate = rate
    change.route = DeviceRoute(output: "Headphones", input: "HeadsetMic")
    change.reason = .newDeviceAvailable
    return ScenarioEvent(seconds: seconds, .route(change))
  }

  /// Counts notifications, and calls a function with each.
  private final class Ear: @unchecked Sendable {
    private let count = Locked(0)
    private var token: (any NSObjectProtocol)?

    init(
      _ name: NSNotification.Name, of object: AnyObject, _ body: @escaping @Sendable (Notification) -> Void = { _ in }
    ) {
      token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [count] note in
        count.withLock { $0 += 1 }
        body(note)
      }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
    var calls: Int { count.withLock { $0 } }
  }

  @Test("Another rate stops the engine and is told; connected anew in the handler it plays on at 44.1 and at 16 kHz")
  func rates() throws {
    let harness = try Harness { $0.events = [Self.route(0.1, 44_100), Self.route(0.3, 16_000)] }
    let engine = harness.engine
    let player = harness.player()
    let sound = try harness.noise(480)
    let ear = Ear(.AVAudioEngineConfigurationChange, of: engine) { [weak engine, weak player] _ in
      guard let engine, let player else { return }
      #expect(!engine.isRunning && !player.isPlaying)
      #expect(engine.attachedNodes.contains(player))
      #expect(engine.outputConnectionPoints(for: player, outputBus: 0).first?.node === engine.mainMixerNode)
      #expect(player.outputFormat(forBus: 0).sampleRate == 48_000)
      #expect(engine.mainMixerNode.outputFormat(forBus: 0).sampleRate != 48_000)
      do {
        try engine.start()
        player.scheduleBuffer(sound, at: nil, options: .loops)
        player.play()
      } catch { Issue.record("\(error)") }
    }
    try engine.start()
    player.scheduleBuffer(sound, at: nil, options: .loops)
    player.play()
    try harness.hardware.advance(seconds: 0.5)
    #expect(ear.calls == 2)
    #expect(engine.isRunning)
    #expect(harness.loudspeaker.rates == [48_000, 44_100, 16_000])
    for part in 0..<3 { #expect(harness.loudspeaker.samples(part)[0].contains { abs($0) > 0.1 }) }
    engine.stop()
  }

  @Test("An engine that does nothing about another rate stays silent; a route of the same rate leaves it alone")
  func unattended() throws {
    let harness = try Harness { $0.events = [Self.route(0.1, nil), Self.route(0.3, 44_100)] }
    let engine = harness.engine
    let player = harness.player()
    let ear = Ear(.AVAudioEngineConfigurationChange, of: engine)
    try engine.start()
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 480) { _, _ in 1 }, at: nil, options: .loops)
    player.play()
    try harness.hardware.advance(seconds: 0.25)
    #expect(engine.isRunning && ear.calls == 0)
    try harness.hardware.advance(seconds: 0.25)
    #expect(!engine.isRunning && ear.calls == 1)
    #expect(harness.loudspeaker.samples(1)[0].allSatisfy { $0 == 0 })
    // It can be started, and plays what is connected, converted.
    try engine.start()
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 480) { _, _ in 1 }, at: nil, options: .loops)
    player.play()
    try harness.hardware.advance(seconds: 0.1)
    #expect(harness.loudspeaker.samples(1)[0].suffix(100).allSatisfy { abs($0 - 1) < 1e-3 })
  }

  @Test("A tap with the format from before a change of rate ends the process; with that of after it hears")
  func tapFormats() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let harness = try HardwareHarness { scenario in
        var change = ScenarioEvent.RouteChange()
        change.sampleRate = 44_100
        scenario.events = [ScenarioEvent(seconds: 0.1, .route(change))]
      }
      let engine = harness.engine
      let former = engine.inputNode.outputFormat(forBus: 0)
      engine.inputNode.installTap(onBus: 0, bufferSize: 480, format: former) { _, _ in }
      try engine.start()
      try harness.hardware.advance(seconds: 0.5)
      engine.inputNode.removeTap(onBus: 0)
      engine.inputNode.installTap(onBus: 0, bufferSize: 480, format: former) { _, _ in }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("format.sampleRate == hwFormat.sampleRate"))
  }

  @Test("An interruption stops the engine, which starts when it is over, and players go on where they were")
  func interruption() throws {
    let harness = try Harness { scenario in
      scenario.events = [
        ScenarioEvent(seconds: 0.1, .interruptionBegins),
        ScenarioEvent(seconds: 0.2, .interruptionEnds(ScenarioEvent.InterruptionEnd())),
      ]
    }
    let engine = harness.engine
    let session = AVAudioSession(hardware: harness.hardware)
    try session.setActive(true)
    let types = Locked<[UInt]>([])
    let options = Locked<[UInt]>([])
    let ear = Ear(AVAudioSession.interruptionNotification, of: session) { note in
      let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
      types.withLock { $0.append(type ?? 9) }
      if let option = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt {
        options.withLock { $0.append(option) }
      }
    }
    let player = harness.player()
    try engine.start()
    player.scheduleBuffer(
      try EngineHarness.buffer(harness.format, 48_000) { frame, _ in Float(frame) / 65_536 })
    player.play()
    try harness.hardware.advance(seconds: 0.15)
    #expect(!engine.isRunning)
    #expect(types.withLock { $0 } == [AVAudioSession.InterruptionType.began.rawValue])
    do {
      try engine.start()
      Issue.record("it started while the hardware was interrupted")
    } catch { #expect((error as NSError).code == AVAudioSession.ErrorCode.cannotStartPlaying.rawValue) }
    do {
      try session.setActive(true)
      Issue.record("the session is active while the hardware is interrupted")
    } catch { #expect((error as NSError).code == AVAudioSession.ErrorCode.insufficientPriority.rawValue) }
    try harness.hardware.advance(seconds: 0.1)
    #expect(!engine.isRunning, "it does not go on by itself")
    #expect(ear.calls == 2)
    #expect(options.withLock { $0 } == [AVAudioSession.InterruptionOptions.shouldResume.rawValue])
    try session.setActive(true)
    try engine.start()
    try harness.hardware.advance(seconds: 0.1)
    let heard = harness.loudspeaker.samples()[0]
    let expected =
      (0..<4800).map { Float($0) / 65_536 } + [Float](repeating: 0, count: 7200)
      + (4800..<9600).map { Float($0) / 65_536 }
    #expect(firstDifference(Array(heard.prefix(16_800)), expected) == nil)
  }

  @Test("A sink takes the microphone's frames slice by slice, with their time")
  func sinks() throws {
    let harness = try Harness { scenario in
      scenario.device.slices = [93, 93, 92]
      scenario.microphone = .tone(hertz: 997, amplitude: 0.5)
    }
    let engine = harness.engine
    let taken = Locked<[Float]>([])
    let slices = Locked<[Int]>([])
    let sink = AVAudioSinkNode { time, frames, list in
      let samples = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
      taken.withLock { $0 += UnsafeBufferPointer(start: samples, count: Int(frames)) }
      slices.withLock { $0.append(Int(frames)) }
      return time.pointee.mHostTime > 0 ? noErr : -1
    }
    engine.attach(sink)
    engine.connect(engine.inputNode, to: sink, format: engine.inputNode.outputFormat(forBus: 0))
    try engine.start()
    try harness.hardware.advance(seconds: 0.1)
    engine.stop()
    let tone = (0..<4800).map { Float(0.5 * sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
    let found = taken.withLock { $0 }
    #expect(found.count >= 4800 && zip(found, tone).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(slices.withLock { Array($0.prefix(4)) } == [93, 93, 92, 93])
  }

  @Test("Costs that last longer than a cycle are gaps, with frames of their time lost to the listener alone")
  func gaps() throws {
    let harness = try Harness { scenario in
      scenario.events = [ScenarioEvent(seconds: 0.05, .cost(0.025)), ScenarioEvent(seconds: 0.08, .cost(0))]
    }
    let player = harness.player()
    try harness.engine.start()
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 9600) { _, _ in 1 })
    player.play()
    try harness.hardware.advance(seconds: 0.15)
    let heard = harness.loudspeaker.samples()[0]
    #expect(heard.prefix(2400).allSatisfy { $0 == 1 })
    #expect(heard[2400..<3840].contains { $0 == 0 })
    #expect(heard[5000..<7200].allSatisfy { $0 == 1 })
  }

  @Test("Two threads edit while the clock runs, and nothing is lost but what they take away")
  func edits() throws {
    let harness = try Harness { $0.device.slices = [64] }
    let engine = harness.engine
    let steady = harness.player()
    try engine.start()
    steady.scheduleBuffer(try EngineHarness.buffer(harness.format, 64) { _, _ in 0.5 }, at: nil, options: .loops)
    steady.play()
    let isDone = Locked(false)
    let edits = Locked(0)
    let threads = (0..<2).map { number in
      OwnThread {
        var draw = SeededGenerator(seed: UInt64(number + 7))
        while !isDone.withLock({ $0 }) {
          let (node, delay) = (AVAudioPlayerNode(), AVAudioUnitDelay())
          engine.attach(node)
          engine.attach(delay)
          engine.connect(node, to: delay, format: harness.format)
          engine.connect(delay, to: engine.mainMixerNode, format: harness.format)
          node.installTap(onBus: 0, bufferSize: 100, format: nil) { _, _ in }
          node.play()
          if let buffer = try? harness.noise(Int.random(in: 1...300, using: &draw)) { node.scheduleBuffer(buffer) }
          node.volume = Float.random(in: 0...1, using: &draw)
          _ = node.lastRenderTime
          delay.reset()
          node.stop()
          node.removeTap(onBus: 0)
          if Bool.random(using: &draw) { engine.disconnectNodeInput(delay) }
          engine.detach(delay)
          engine.detach(node)
          edits.withLock { $0 += 1 }
        }
      }
    }
    while edits.withLock({ $0 }) < 60 { try harness.hardware.advance(seconds: 0.02) }
    isDone.withLock { $0 = true }
    for thread in threads { thread.join() }
    try harness.hardware.advance(seconds: 0.02)
    engine.stop()
    let heard = harness.loudspeaker.samples()[0]
    #expect(heard.allSatisfy { $0.isFinite })
    #expect(heard.suffix(500).allSatisfy { $0 == 0.5 })
  }
}
