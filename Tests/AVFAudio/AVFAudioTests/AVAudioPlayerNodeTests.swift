import AVFAudio
import Synchronization
import TestSupport
import Testing

@Suite("AVAudioPlayerNode: exact to the frame")
struct AVAudioPlayerNodeTests {
  private typealias Harness = EngineHarness
  private let folder = TemporaryFolder()

  private final class Flag: Sendable { let isSet = Atomic(false) }

  private func time(_ frame: Int64, rate: Double = 44_100) -> AVAudioTime {
    AVAudioTime(sampleTime: frame, atRate: rate)
  }

  @Test("Buffers follow one another without a gap, whatever the slices", arguments: [nil, 3, 4] as [UInt64?])
  func sequence(seed: UInt64?) throws {
    let harness = try Harness()
    let player = try harness.directPlayer()
    player.scheduleBuffer(try harness.ramp(700, from: 1))
    player.scheduleBuffer(try harness.ramp(1, from: 5000))
    player.scheduleBuffer(try harness.ramp(0, from: 0))
    player.scheduleBuffer(try harness.ramp(600, from: 6000))
    player.play()
    let expected =
      Harness.ramp(0..<700, from: 1) + [5000] + Harness.ramp(0..<600, from: 6000) + Harness.silence(99)
    #expect(try firstDifference(harness.render(1400, seed: seed)[0], expected) == nil)
    #expect(player.isPlaying)
  }

  @Test("A buffer with a time begins at that frame; of one whose time has passed the rest is played")
  func times() throws {
    let harness = try Harness()
    let player = try harness.directPlayer()
    player.scheduleBuffer(try harness.ramp(100, from: 1), at: time(300))
    // Two seconds at half the rate: frame 900. It waits for nobody but is cut by the one before.
    player.scheduleBuffer(try harness.ramp(500, from: 1000), at: time(450, rate: 22_050))
    player.scheduleBuffer(try harness.ramp(500, from: 2000), at: time(1300))
    player.play()
    let expected =
      Harness.silence(300) + Harness.ramp(0..<100, from: 1) + Harness.silence(500)
      + Harness.ramp(0..<500, from: 1000) + Harness.ramp(100..<500, from: 2000) + Harness.silence(200)
    #expect(try firstDifference(harness.render(2000, seed: 9)[0], expected) == nil)
  }

  @Test("A loop goes on until something interrupts it: at once, at its time, or at the loop point")
  func loops() throws {
    for (options, when, heard) in [
      (.interrupts, nil, 700), (.interrupts, 850, 850), (.interruptsAtLoop, nil, 900), (.interruptsAtLoop, 901, 1200),
    ] as [(AVAudioPlayerNodeBufferOptions, Int64?, Int)] {
      let harness = try Harness()
      let player = try harness.directPlayer()
      var ended: [String] = []
      player.scheduleBuffer(try harness.ramp(300, from: 1), at: nil, options: .loops) { ended.append("loop") }
      player.scheduleBuffer(try harness.ramp(10, from: 9000)) { ended.append("behind") }
      player.play()
      var out = try harness.render(700)[0]
      #expect(ended.isEmpty)
      player.scheduleBuffer(try harness.ramp(50, from: 5000), at: when.map { time($0) }, options: options) {
        ended.append("last")
      }
      out += try harness.render(800)[0]
      let loop = (0..<heard).map { Float(1 + $0 % 300) }
      #expect(
        firstDifference(out, loop + Harness.ramp(0..<50, from: 5000) + Harness.silence(1450 - heard)) == nil,
        "\(options), \(heard)")
      #expect(ended == ["loop", "behind", "last"])
    }
  }

  @Test("A pause holds the player's time, and stop begins it anew with nothing scheduled")
  func pauses() throws {
    let harness = try Harness()
    let player = try harness.directPlayer()
    var ended = 0
    player.scheduleBuffer(try harness.ramp(400, from: 1)) { ended += 1 }
    #expect(try firstDifference(harness.render(100)[0], Harness.silence(100)) == nil)
    player.play()
    #expect(try firstDifference(harness.render(150)[0], Harness.ramp(0..<150, from: 1)) == nil)
    #expect(player.playerTime(forNodeTime: time(250))?.sampleTime == 150)
    #expect(player.nodeTime(forPlayerTime: time(0))?.sampleTime == 100)
    #expect(player.lastRenderTime?.sampleTime == 100)
    player.pause()
    #expect(!player.isPlaying)
    #expect(player.playerTime(forNodeTime: time(250)) == nil)
    #expect(try firstDifference(harness.render(70)[0], Harness.silence(70)) == nil)
    player.play(at: time(350))
    #expect(player.playerTime(forNodeTime: time(350))?.sampleTime == 150)
    #expect(try firstDifference(harness.render(100)[0], Harness.silence(30) + Harness.ramp(150..<220, from: 1)) == nil)
    #expect(ended == 0)
    player.stop()
    #expect(ended == 1)
    player.scheduleBuffer(try harness.ramp(10, from: 70), at: time(20))
    player.play()
    #expect(
      try firstDifference(
        harness.render(40)[0], Harness.silence(20) + Harness.ramp(0..<10, from: 70) + Harness.silence(10)) == nil)
  }

  @Test("Handlers are called once, in order, with the type that was asked for, and may schedule more")
  func handlers() throws {
    let harness = try Harness(maximumFrames: 100)
    let player = try harness.directPlayer()
    var types: [AVAudioPlayerNodeCompletionCallbackType] = []
    for type in [.dataConsumed, .dataRendered, .dataPlayedBack] as [AVAudioPlayerNodeCompletionCallbackType] {
      player.scheduleBuffer(try harness.ramp(50, from: 1), at: nil, completionCallbackType: type) { types.append($0) }
    }
    let more = try harness.ramp(50, from: 500)
    player.scheduleBuffer(try harness.ramp(50, from: 1)) {
      player.scheduleBuffer(more, completionCallbackType: .dataRendered) { types.append($0) }
    }
    player.play()
    _ = try harness.render(100)
    #expect(types == [.dataConsumed, .dataRendered])
    _ = try harness.render(100)
    #expect(types == [.dataConsumed, .dataRendered, .dataPlayedBack])
    #expect(try firstDifference(harness.render(100)[0], Harness.ramp(0..<50, from: 500) + Harness.silence(50)) == nil)
    #expect(types == [.dataConsumed, .dataRendered, .dataPlayedBack, .dataRendered])
  }

  @Test("Times at the ends of what numbers hold are the far past and the far future")
  func farTimes() throws {
    let harness = try Harness()
    let player = try harness.directPlayer()
    player.scheduleBuffer(try harness.ramp(10, from: 1), at: time(.min))
    player.scheduleBuffer(try harness.ramp(10, from: 50))
    player.scheduleBuffer(try harness.ramp(10, from: 100), at: time(.max, rate: 1e-300))
    player.play(at: time(.min, rate: 1e300))
    #expect(try firstDifference(harness.render(30)[0], Harness.ramp(0..<10, from: 50) + Harness.silence(20)) == nil)
    #expect(try #require(player.nodeTime(forPlayerTime: time(.max))).sampleTime > 1 << 59)
    #expect(try #require(player.playerTime(forNodeTime: time(.min))).sampleTime < -(1 << 59))
    player.pause()
    player.play(at: time(.max))
    #expect(try firstDifference(harness.render(10)[0], Harness.silence(10)) == nil)
  }

  @Test("A task that schedules goes on when its buffer has ended")
  func tasks() async throws {
    let harness = try Harness()
    let player = try harness.directPlayer()
    let buffer = try harness.ramp(100, from: 1)
    player.play()
    let ended = Flag()
    let task = Task {
      let type = await player.scheduleBuffer(buffer, at: nil, completionCallbackType: .dataRendered)
      await player.scheduleBuffer(buffer)
      // As results of imported methods, this one may be left alone.
      await player.scheduleBuffer(buffer, completionCallbackType: .dataPlayedBack)
      ended.isSet.store(true, ordering: .releasing)
      return type
    }
    var heard: Float = 0
    while !ended.isSet.load(ordering: .acquiring) {
      heard += try harness.render(70)[0].reduce(0, +)
      await Task.yield()
    }
    #expect(await task.value == .dataRendered)
    #expect(heard == 15_150)
  }

  @Test("Files and segments play their frames, several of one file in turn")
  func files() throws {
    let harness = try Harness()
    let place = URL(fileURLWithPath: folder.file("ramp.wav"))
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
      AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32,
    ]
    let written = try AVAudioFile(forWriting: place, settings: settings)
    try written.write(from: try harness.ramp(6000, from: 1))
    try written.finish()

    let player = try harness.directPlayer()
    let file = try AVAudioFile(forReading: place)
    player.scheduleSegment(file, startingFrame: 5900, frameCount: 500, at: nil)
    player.scheduleFile(file, at: time(200))
    player.scheduleSegment(file, startingFrame: 10, frameCount: 5, at: nil)
    player.play()
    let expected =
      Harness.ramp(5900..<6000, from: 1) + Harness.silence(100) + Harness.ramp(0..<6000, from: 1)
      + Harness.ramp(10..<15, from: 1) + Harness.silence(20)
    #expect(try firstDifference(harness.render(6225, seed: 5)[0], expected) == nil)
  }

  @Test("A file of another rate and more channels is converted as AVAudioConverter does it")
  func otherFile() throws {
    let harness = try Harness()
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let place = URL(fileURLWithPath: folder.file("tone.caf"))
    let sound = try Harness.buffer(stereo, 9600) { Float(($0 * 13 + $1 * 7) % 101 - 50) / 64 }
    let written = try AVAudioFile(forWriting: place, settings: stereo.settings)
    try written.write(from: sound)
    try written.finish()
    let converter = try #require(AVAudioConverter(from: stereo, to: harness.format))
    let whole = try #require(AVAudioPCMBuffer(pcmFormat: harness.format, frameCapacity: 9000))
    var isGiven = false
    converter.convert(to: whole, error: nil) { _, status in
      status.pointee = isGiven ? .endOfStream : .haveData
      defer { isGiven = true }
      return isGiven ? nil : sound
    }
    #expect(whole.frameLength == 8820)
    let player = try harness.directPlayer()
    player.scheduleFile(try AVAudioFile(forReading: place), at: nil)
    player.play()
    let samples = try #require(whole.floatChannelData)
    let expected = Array(UnsafeBufferPointer(start: samples[0], count: 8820)) + Harness.silence(180)
    #expect(try firstDifference(harness.render(9000, seed: 2)[0], expected) == nil)
  }
}
