import Foundation
import TestSupport
import Testing

/// Audio queues on simulated hardware: one program, story by story, and what is heard of it.
@Suite("Audio queues play and record on simulated hardware, exact to the frame")
struct AudioQueueTests {
  private static let device = #""clock": "told", "sampleRate": 44100, "slices": [512]"#

  /// Runs a story. Frame n of its sound is n / 32768.
  private func tell(
    _ story: String, device: String = AudioQueueTests.device, more: String = ""
  ) throws -> (lines: [String], heard: [[Int]]) {
    let folder = TemporaryFolder()
    let path = folder.write(
      #"{"version": 1, "device": {\#(device)}, "loudspeaker": {"file": "heard.wav"}\#(more)}"#, to: "scenario.json")
    let (program, said) = try Installation.shared().build("audio_queues.c")
    try #require(said == "")
    let run = try Finished(program, [story], ["AUBENCH_DEVICE_SCENARIO": path])
    try #require(run.code == 0, "\(run.output)\(run.errors)")
    let heard = try ["heard.wav", "heard-2.wav"].filter { FileManager.default.fileExists(atPath: folder.file($0)) }.map
    {
      try Wave(folder.file($0)).channel(0).map { Int(($0 * 32_768).rounded()) }
    }
    return (run.lines, heard)
  }

  @Test("three buffers in turn give a sound without a gap, and the queue stops behind the last frame")
  func loop() throws {
    for slices in ["512", "93, 93, 92", "1400"] {
      let (lines, heard) = try tell(
        "loop", device: #""clock": "told", "sampleRate": 44100, "slices": [\#(slices)]"#)
      let left = try #require(heard.first)
      #expect((0..<10_000).allSatisfy { left[$0] == $0 }, "\(slices)")
      #expect(left.dropFirst(10_000).allSatisfy { $0 == 0 }, "\(slices)")
      // 15 fillings, and three buffers that come back behind them.
      #expect(lines.contains("callbacks 18, next 10000, time -66678"), "\(lines)")
      #expect(lines.filter { $0.hasPrefix("running") } == ["running aqrn 1", "running aqrn 0"])
      #expect(lines.contains("prepared 2100, running 0") && lines.last == "stale -50")
    }
  }

  @Test("where cycles are longer than all buffers, each begins with three, and the rest of it is silent")
  func gaps() throws {
    let (lines, heard) = try tell("loop", device: #""clock": "told", "sampleRate": 44100, "slices": [4096]"#)
    var expected = [Int](repeating: 0, count: try #require(heard.first).count)
    for frame in 0..<10_000 { expected[frame / 2100 * 4096 + frame % 2100] = frame }
    #expect(heard.first == expected)
    // Two cycles begin within 0.1 s; the queue's time counts their gaps.
    #expect(lines.contains("time 8192"), "\(lines)")
  }

  @Test("start times, trims and a second queue: each frame is heard where it was told to be")
  func times() throws {
    let (lines, heard) = try tell("times")
    var expected = [Int](repeating: 0, count: try #require(heard.first).count)
    func add(_ first: Int, _ count: Int, at start: Int) {
      for frame in 0..<count { expected[start + frame] += first + frame }
    }
    add(1000, 100, at: 700)
    add(2010, 70, at: 700 + 250)
    add(3000, 50, at: 700 + 320)
    add(500, 600, at: 750)
    // The queue's frame 2372 is the first of the cycle behind the call.
    add(5000, 40, at: 700 + 2372)
    #expect(heard.first == expected)
    #expect(lines.filter { $0.hasPrefix("begins") } == [0, 250, 320, 370, 0, 2372].map { "begins \($0)" })
    #expect(lines.filter { $0.hasPrefix("time") } == ["time -188", "time 2372 2322"])
    #expect(
      lines.filter { $0.contains("returns") }
        == ["first returns 1000", "first returns 2000", "first returns 3000", "first returns 4000"]
        + ["other returns 500", "first returns 5000"])
  }

  @Test("a pause keeps the frame that was reached, and a reset gives back what waits")
  func pauses() throws {
    let (lines, heard) = try tell("pauses")
    let left = try #require(heard.first)
    #expect((0..<1024).allSatisfy { left[$0] == $0 })
    #expect((1024..<2048).allSatisfy { left[$0] == 0 })
    #expect((2048..<3072).allSatisfy { left[$0] == $0 - 1024 })
    #expect(
      lines == [
        "running aqrn 1", "pause 0", "time 1024, running 1", "time 1024", "start 0", "paused returns 0", "time 2048",
        "paused returns 1500", "reset 0", "running aqrn 0", "stop 0",
      ])
  }

  @Test("volume, ramp, pan and the parameters of a buffer follow their law; meters show the cycle")
  func parameters() throws {
    let (lines, heard) = try tell("parameters")
    let left = try #require(heard.first)
    for frame in 0..<4000 {
      // From 0.5 to 0 in 1000 frames from the second cycle on; the second buffer is loud again.
      let volume: Double =
        frame < 512 ? 0.5 : frame < 1512 ? 0.5 * (1 - Double(frame - 512) / 1000) : frame < 3000 ? 0 : 1
      #expect(abs(Double(left[frame]) - 16_384 * volume) <= 0.5, "frame \(frame)")
    }
    #expect(left[4000] == 0)
    #expect(lines.contains("levels 0.5 0.5 0.5 0.5") && lines.contains("decibels -6.0206 -6.0206"), "\(lines)")
    #expect(lines.contains("volume 1, pan -0.25") && lines.contains("no parameter -66682"))
  }

  @Test("another rate and an interruption: the queue goes on where it was")
  func hardware() throws {
    let (lines, heard) = try tell(
      "hardware", device: #""clock": "told", "sampleRate": 44100, "sampleRates": [44100, 48000], "slices": [512]"#,
      more: """
        , "events": [
          {"at": 0.15, "route": {"output": "Headphones", "sampleRate": 48000, "blocked": 0.1}},
          {"at": 0.45, "interruption": {"edge": "begin"}}, {"at": 0.65, "interruption": {"edge": "end"}}]
        """)
    try #require(heard.count == 2)
    #expect((0..<6656).allSatisfy { heard[0][$0] == $0 } && heard[0].dropFirst(6656).allSatisfy { $0 == 0 })
    // At 48 kHz a frame is 44100 / 48000 of one; but for the edges of the filter.
    #expect(
      (200..<9000).allSatisfy { abs(Double(heard[1][$0]) - (6656 + Double($0) * 44_100 / 48_000)) <= 2 },
      "\(heard[1][200..<210])")
    func step(_ number: Int) -> String { lines.first { $0.hasPrefix("step \(number):") } ?? "" }
    #expect(step(0) == "step 0: 0 4608 0, 44100 Hz, running 1", "\(lines)")
    #expect(step(1) == "step 1: 0 6656 0, 44100 Hz, running 1", "\(lines)")
    // The change of rate is a break in the timeline, once.
    #expect(step(2).contains(" 1, 48000 Hz, running 1") && step(3).contains(" 0, 48000 Hz, running 1"))
    #expect(step(4).contains("running 0") && step(7).contains("running 0") && step(8).contains("running 1"))
    #expect(lines.contains("start while interrupted -66681") && lines.contains("start 0"))
    #expect(lines.filter { $0.hasPrefix("device aqsr") }.count == 1)
  }

  @Test("the microphone fills buffers in turn; what comes without one is lost, and the last part comes with the stop")
  func record() throws {
    let (lines, _) = try tell("record", more: #", "microphone": {"type": "tone", "frequency": 441}"#)
    let records = lines.filter { $0.hasPrefix("recorded") }
    func values(_ first: Int, _ count: Int) -> String {
      stride(from: first, to: first + count, by: 100).map { frame in
        let value = 0.251188643150958 * sin(2 * Double.pi * Double(frame % 100) / 100) * 32_768
        return " \(Int(value.rounded(.toNearestOrEven)))"
      }.joined()
    }
    #expect(
      records == [
        "recorded 400 packets, 800 bytes, at 0 1\(values(0, 400))",
        "recorded 400 packets, 800 bytes, at 400 1\(values(400, 400))",
        // The flush gives back what has come by then; 1024 to 1424 fill the other buffer.
        "recorded 224 packets, 448 bytes, at 800 1\(values(800, 224))",
        "recorded 400 packets, 800 bytes, at 1024 1\(values(1024, 400))",
        "recorded 400 packets, 800 bytes, at 1536 1\(values(1536, 400))",
        "recorded 112 packets, 224 bytes, at 1936 1\(values(1936, 112))", "recorded 0 packets, 0 bytes, at 0 0",
      ], "\(lines)")
    #expect(lines.contains("enqueue twice -66666") && lines.contains("parameters -66677"))
    #expect(lines.contains("frames 1936, callbacks 7"))
  }

  @Test("a tap changes the sound in front of the queue's effects, a siphon only looks at it")
  func taps() throws {
    let (lines, heard) = try tell("taps")
    let left = try #require(heard.first)
    // Halves of odd numbers are rounded up here.
    #expect((0..<1000).allSatisfy { left[$0] == ($0 + 1) / 2 })
    #expect((1536..<2536).allSatisfy { left[$0] == 2000 + $0 - 1536 }, "\(left[1530..<1540])")
    #expect(
      lines.filter { $0.hasPrefix("tap ") } == [
        "tap 0", "tap 512 frames, flags 101, 0 512, queue 0 0 512", "tap 512 frames, flags 1, 0 512, queue 0 512 512",
      ])
    for line in [
      "wrong -66667", "second -66670", "outside -66669", "dispose while running -66678", "dispose 0", "siphon 0",
      "peak 2999",
    ] {
      #expect(lines.contains(line), "\(line) in \(lines)")
    }
  }

  @Test("the device's clock: sample and host times belong together")
  func device() throws {
    let (lines, _) = try tell("device")
    for line in [
      "still 1937010544", "no time -66678", "sample 4608, host is mine 1, rate 1, flags 7",
      "a second later 1000000000", "sample 44100", "nearest 1", "nearest 777",
    ] {
      #expect(lines.contains(line), "\(line) in \(lines)")
    }
  }

  @Test("the program of the page plays its second of sound on both sides")
  func page() throws {
    let folder = TemporaryFolder()
    let run = try Installation.shared().runProgram(ofPage: "docs/audio-queues.md", wave: folder.file("out.wav"))
    #expect(run.code == 0, "\(run.errors)")
    let wave = try Wave(folder.file("out.wav"))
    let (left, right) = (wave.channel(0), wave.channel(1))
    #expect(left == right && left.count >= 44_100)
    #expect((0..<44_100).allSatisfy { left[$0] == Float($0 % 100 * 200) / 32_768 })
    #expect(left.dropFirst(44_100).allSatisfy { $0 == 0 })
  }

  @Test("callbacks come on the run loop that a queue was made with, and the sound is whole")
  func runLoop() throws {
    let (lines, heard) = try tell(
      "loop on a run loop", device: #""clock": "free", "sampleRate": 44100, "slices": [512]"#)
    let left = try #require(heard.first)
    try #require(left.count >= 10_000, "\(lines)")
    #expect((0..<10_000).allSatisfy { left[$0] == $0 } && left.dropFirst(10_000).allSatisfy { $0 == 0 })
    #expect(lines.contains("callbacks 18, elsewhere 0, running 0"), "\(lines)")
  }

  @Test("a transcript has the calls of a queue, and those that it makes")
  func transcript() throws {
    let folder = TemporaryFolder()
    let scenario = folder.write(#"{"version": 1, "device": {\#(Self.device)}}"#, to: "scenario.json")
    let (program, said) = try Installation.shared().build("audio_queues.c")
    try #require(said == "")
    let aubench = Installation.buildFolder.appending(path: "aubench").path
    let run = try Finished(
      aubench, ["trace", "--scenario", scenario, "-o", folder.file("calls.txt"), program, "pauses"])
    try #require(run.code == 0, "\(run.errors)")
    let text = try String(contentsOfFile: folder.file("calls.txt"), encoding: .utf8)
    for line in [
      "AudioQueueNewOutput: 44100 Hz, 2 ch, int16, interleaved = queue 1", "AudioQueueStart queue 1",
      "output callback queue 1", "AudioQueueStop queue 1: immediately", "property listener queue 1: IsRunning",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
  }
}
