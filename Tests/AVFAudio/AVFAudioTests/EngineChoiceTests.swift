import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// Each alternative of what an engine in manual rendering does, against a closed form.
@Suite("Choices of engines and their nodes")
struct EngineChoiceTests {
  private static func choices(_ edit: (inout AVFAudioChoices) -> Void) -> AVFAudioChoices {
    var choices = AVFAudioChoices()
    edit(&choices)
    return choices
  }

  @Test(
    "A tap's buffers have the frames that were asked for, 100 to 400 ms, or those of each slice, and every frame once",
    arguments: AVFAudioChoices.TapBuffers.allCases, [100, 8192, 30_000] as [AVAudioFrameCount])
  func taps(_ choice: AVFAudioChoices.TapBuffers, _ wanted: AVAudioFrameCount) throws {
    let harness = try EngineHarness(choices: Self.choices { $0.tapBuffers = choice })
    let player = try harness.directPlayer()
    let frames = 60_000
    player.scheduleBuffer(try harness.ramp(frames, from: 1))
    let heard = Locked<[(start: Int64, samples: [Float])]>([])
    player.installTap(onBus: 0, bufferSize: wanted, format: nil) { buffer, time in
      guard let samples = buffer.floatChannelData else { return }
      heard.withLock {
        $0.append((time.sampleTime, Array(UnsafeBufferPointer(start: samples[0], count: Int(buffer.frameLength)))))
      }
    }
    player.play()
    var slices: [Int] = []
    for count in [512, 1, 300, 512, 77] { slices.append(try harness.render(count)[0].count) }
    while slices.reduce(0, +) < frames { slices.append(try harness.render(512)[0].count) }
    let before = heard.withLock { $0 }.count
    player.removeTap(onBus: 0)
    let all = heard.withLock { $0 }
    let length: Int? =
      switch choice {
      case .exact: Int(wanted)
      case .device: min(17_640, max(4410, Int(wanted)))
      case .slice: nil
      }
    let sizes = all.map(\.samples.count)
    if let length {
      let total = slices.reduce(0, +)
      #expect(sizes == Array(repeating: length, count: total / length) + (total % length == 0 ? [] : [total % length]))
    } else {
      #expect(sizes == slices && before == slices.count)
    }
    var next: Int64 = 0
    for piece in all {
      #expect(piece.start == next)
      next += Int64(piece.samples.count)
    }
    #expect(Array(all.flatMap(\.samples).prefix(frames)) == EngineHarness.ramp(0..<frames, from: 1))
  }

  @Test("A mono source's gains are those of the pan law", arguments: AVFAudioChoices.MonoPan.allCases)
  func pan(_ law: AVFAudioChoices.MonoPan) throws {
    for pan in [-1, -0.5, 0, 0.25, 1] as [Float] {
      let harness = try EngineHarness(channels: 2, choices: Self.choices { $0.monoPan = law })
      let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
      let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
      harness.engine.attach(player)
      harness.engine.attach(mixer)
      harness.engine.connect(player, to: mixer, format: mono)
      harness.engine.connect(mixer, to: harness.engine.mainMixerNode, format: harness.format)
      player.pan = pan
      try harness.engine.start()
      player.scheduleBuffer(try EngineHarness.buffer(mono, 512) { _, _ in 1 })
      player.play()
      let out = try harness.render(512)
      let p = Double(pan)
      let expected: (left: Double, right: Double) =
        switch law {
        case .equalPower: (cos(.pi / 4 * (1 + p)), sin(.pi / 4 * (1 + p)))
        case .linear: ((1 - p) / 2, (1 + p) / 2)
        case .unityCentre: (min(1, 1 - p), min(1, 1 + p))
        }
      #expect(out[0].allSatisfy { abs(Double($0) - expected.left) < 1e-6 }, "\(law) \(pan)")
      #expect(out[1].allSatisfy { abs(Double($0) - expected.right) < 1e-6 }, "\(law) \(pan)")
    }
  }

  @Test("On a queue handlers and taps come later than the render call, one at a time and in order")
  func queue() throws {
    let harness = try EngineHarness(choices: Self.choices { $0.offlineCalls = .queue })
    let player = try harness.directPlayer()
    let (mayGo, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Locked<[String]>([])
    let renderer = Thread.current
    player.scheduleBuffer(try harness.ramp(100, from: 1)) {
      // On the thread that renders nobody would let it go.
      let isLet = mayGo.wait(timeout: .now() + 20) == .success
      order.withLock { $0.append(isLet && Thread.current !== renderer ? "first" : "late") }
    }
    player.scheduleBuffer(try harness.ramp(100, from: 1)) { order.withLock { $0.append("second") } }
    player.installTap(onBus: 0, bufferSize: 1024, format: nil) { _, _ in
      order.withLock { $0.append("tap") }
      isDone.signal()
    }
    player.play()
    _ = try harness.render(1024)
    #expect(order.withLock { $0 } == [])
    mayGo.signal()
    #expect(isDone.wait(timeout: .now() + 20) == .success)
    #expect(order.withLock { $0 } == ["first", "second", "tap"])
  }

  @Test(
    "Completion types are one moment, or first frame, last frame, and last frame heard behind the nodes' latency",
    arguments: AVFAudioChoices.CompletionTypes.allCases)
  func completionTypes(_ choice: AVFAudioChoices.CompletionTypes) throws {
    let harness = try EngineHarness(maximumFrames: 64, choices: Self.choices { $0.completionTypes = choice })
    let (player, distortion) = (AVAudioPlayerNode(), AVAudioUnitDistortion())
    let engine = harness.engine
    engine.attach(player)
    engine.attach(distortion)
    engine.connect(player, to: distortion, format: harness.format)
    engine.connect(distortion, to: engine.outputNode, format: harness.format)
    try engine.start()
    let types: [AVAudioPlayerNodeCompletionCallbackType] = [.dataConsumed, .dataRendered, .dataPlayedBack]
    let calls = Locked<[String: Int64]>([:])
    let (start, length) = (10, 190)
    for number in 0..<6 {
      let type = types[number % 3]
      let name = "\(number): \(type)"
      player.scheduleBuffer(
        try harness.ramp(length, from: 1),
        at: number == 0 ? AVAudioTime(sampleTime: AVAudioFramePosition(start), atRate: 44_100) : nil,
        completionCallbackType: type
      ) { told in
        #expect(told == type)
        calls.withLock { $0[name] = engine.manualRenderingSampleTime }
      }
    }
    // A handler without a type is told that the data was consumed; the stop tells what has not begun.
    player.scheduleBuffer(try harness.ramp(10_000, from: 1)) {
      calls.withLock { $0["6"] = engine.manualRenderingSampleTime }
    }
    for name in ["7", "8"] {
      player.scheduleBuffer(
        try harness.ramp(5, from: 1), completionCallbackType: name == "7" ? .dataConsumed : .dataPlayedBack
      ) {
        _ in
        calls.withLock { $0[name, default: 0] += 100_000 }
      }
    }
    player.play()
    for _ in 0..<40 { _ = try harness.render(64) }
    let latency = Int(clamping: ((distortion.outputPresentationLatency + distortion.latency) * 44_100).rounded())
    try #require(latency > 0)
    func slice(upTo frame: Int) -> Int64 { Int64((frame + 63) / 64 * 64) }
    let found = calls.withLock { $0 }
    for number in 0..<6 {
      let (begin, end) = (start + number * length, start + (number + 1) * length)
      let expected =
        choice == .oneMoment
        ? slice(upTo: end) : [slice(upTo: begin + 1), slice(upTo: end), slice(upTo: end + latency)][number % 3]
      #expect(found["\(number): \(types[number % 3])"] == expected, "\(number)")
    }
    #expect(found["6"] == (choice == .oneMoment ? nil : slice(upTo: start + 6 * length + 1)))
    #expect(found["7"] == nil && found["8"] == nil)
    player.stop()
    #expect(calls.withLock { [$0["7"], $0["8"]] } == [100_000, 100_000])
    #expect(calls.withLock { $0["6"] } == found["6"] ?? 64 * 40)
  }

  @Test("Frames that are late are left out, or played from now on", arguments: AVFAudioChoices.LateFrames.allCases)
  func lateFrames(_ choice: AVFAudioChoices.LateFrames) throws {
    let harness = try EngineHarness(choices: Self.choices { $0.lateFrames = choice })
    let player = try harness.directPlayer()
    player.play()
    _ = try harness.render(512)
    player.scheduleBuffer(try harness.ramp(600, from: 1), at: AVAudioTime(sampleTime: 100, atRate: 44_100))
    let out = try harness.render(1000)[0]
    let left = choice == .leftOut ? 412 : 0
    #expect(out == EngineHarness.ramp(left..<600, from: 1) + EngineHarness.silence(400 + left))
  }
}
