import AudioCore
import AudioEngine
import BuiltInUnits
import Synchronization
import Testing
import TestSupport
import UnitTestSupport

/// The sound player that is scheduled while it plays: slices at their frames, sample for sample.
@Suite struct ScheduledSoundPlayerTests {
  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  /// Frame n of a ramp that begins at `first`: a sample shows which frame it is.
  private static func ramp(_ first: Float, _ count: Int) -> [Float] { (0..<count).map { first + Float($0) } }

  private func player(channels: Int = 1) throws -> ScheduledSoundPlayer {
    let unit = ScheduledSoundPlayer()
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: channels), .output)
    try unit.setMaximumFramesPerSlice(4096)
    try unit.initialize()
    return unit
  }

  private func quiet(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  /// The output is that, and nothing else.
  private func expect(
    _ unit: Unit, from time: Int64 = 0, _ expected: [Float], in partition: Partition,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let output = try renderedSignal(unit, total: expected.count, from: time, in: partition)[0]
    let difference = zip(output, expected).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(
      difference == nil,
      "frame \(difference?.offset ?? 0): \(difference?.element.0 ?? 0) in place of \(difference?.element.1 ?? 0)",
      sourceLocation: sourceLocation)
  }

  @Test("nothing sounds before a start time; then slices sound at their frames", arguments: Partition.all)
  func times(_ partition: Partition) throws {
    let unit = try player(channels: 2)
    let log = SliceLog()
    let samples = [Self.ramp(1, 500), Self.ramp(1001, 500)]
    try unit.schedule(ScheduledSlice(samples, sampleTime: 700, progress: log.note("a")))
    try unit.schedule(ScheduledSlice(samples, sampleTime: 1500, progress: log.note("b")))
    try expect(unit, quiet(300), in: partition)
    #expect(unit.currentPlayTime == -1 && unit.startTime == nil && log.take() == [])
    unit.setStartTime(sampleTime: 1000)
    #expect(unit.startTime == 1000)
    let heard = try renderedSignal(unit, total: 3000, from: 300, in: partition)
    for channel in 0..<2 {
      let ramp = samples[channel]
      #expect(heard[channel] == quiet(700 + 700) + ramp + quiet(300) + ramp + quiet(300))
    }
    #expect(log.take() == ["a began", "a played", "b began", "b played"])
    #expect(unit.currentPlayTime == 2300)
  }

  @Test("slices without a time follow one another without a gap", arguments: Partition.all)
  func gapless(_ partition: Partition) throws {
    let unit = try player()
    let log = SliceLog()
    for index in 0..<20 {
      try unit.schedule(ScheduledSlice([Self.ramp(Float(100 * index + 1), 100)], progress: log.note("\(index)")))
    }
    unit.setStartTime(sampleTime: nil)
    try expect(unit, Self.ramp(1, 2000) + quiet(50), in: partition)
    #expect(log.take() == (0..<20).flatMap { ["\($0) began", "\($0) played"] })
  }

  @Test("what of a slice has passed is left out, and the slice is said to be late", arguments: Partition.all)
  func late(_ partition: Partition) throws {
    let unit = try player()
    let log = SliceLog()
    unit.setStartTime(sampleTime: 0)
    try expect(unit, quiet(500), in: partition)
    try unit.schedule(ScheduledSlice([Self.ramp(1, 300)], sampleTime: 400, progress: log.note("late")))
    try unit.schedule(ScheduledSlice([Self.ramp(1, 300)], sampleTime: 100, progress: log.note("gone")))
    try unit.schedule(ScheduledSlice([Self.ramp(1, 300)], sampleTime: 690, progress: log.note("behind")))
    try expect(unit, from: 500, Self.ramp(101, 200) + Self.ramp(11, 290) + quiet(20), in: partition)
    #expect(
      log.take() == [
        "late late", "late began", "late played", "gone late", "gone played", "behind late", "behind began",
        "behind played",
      ])
  }

  @Test("a loop goes on until another slice interrupts it at its time", arguments: Partition.all)
  func interrupt(_ partition: Partition) throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([Self.ramp(1, 70)], isLooped: true, progress: log.note("loop")))
    try unit.schedule(ScheduledSlice([Self.ramp(1, 70)], progress: log.note("never")))
    try unit.schedule(
      ScheduledSlice([Self.ramp(500, 40)], sampleTime: 1000, interrupt: .atItsTime, progress: log.note("end")))
    unit.setStartTime(sampleTime: -1)
    let loops = (0..<1000).map { Float(1 + $0 % 70) }
    try expect(unit, loops + Self.ramp(500, 40) + quiet(60), in: partition)
    #expect(log.take() == ["loop began", "loop interrupted", "never interrupted", "end began", "end played"])
  }

  @Test("an interruption at a loop point waits for it, and loses no frame", arguments: Partition.all)
  func loopPoint(_ partition: Partition) throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([Self.ramp(1, 70)], isLooped: true, progress: log.note("loop")))
    try unit.schedule(
      ScheduledSlice([Self.ramp(500, 40)], sampleTime: 1000, interrupt: .atLoopPoint, progress: log.note("end")))
    unit.setStartTime(sampleTime: 0)
    // The first multiple of 70 from 1000 on.
    let loops = (0..<1050).map { Float(1 + $0 % 70) }
    try expect(unit, loops + Self.ramp(500, 40) + quiet(60), in: partition)
    #expect(log.take() == ["loop began", "loop interrupted", "end began", "end played"])
  }

  @Test("one without a time interrupts as soon as it is there", arguments: Partition.all)
  func interruptAtOnce(_ partition: Partition) throws {
    let unit = try player()
    try unit.schedule(ScheduledSlice([Self.ramp(1, 70)], isLooped: true))
    unit.setStartTime(sampleTime: 0)
    try expect(unit, (0..<200).map { Float(1 + $0 % 70) }, in: partition)
    try unit.schedule(ScheduledSlice([Self.ramp(500, 90)], isLooped: true, interrupt: .atItsTime))
    try expect(unit, from: 200, (0..<300).map { Float(500 + $0 % 90) }, in: partition)
    try unit.schedule(ScheduledSlice([Self.ramp(900, 10)], interrupt: .atLoopPoint))
    // 300 frames are three passes and 30 frames; the pass is played to its end.
    try expect(unit, from: 500, Self.ramp(530, 60) + Self.ramp(900, 10) + quiet(30), in: partition)
  }

  @Test("a jump of the clock passes over frames, a jump back goes on with the next")
  func jumps() throws {
    let unit = try player()
    try unit.schedule(ScheduledSlice([Self.ramp(1, 1000)]))
    unit.setStartTime(sampleTime: 0)
    try expect(unit, Self.ramp(1, 100), in: .slices(of: 50))
    try expect(unit, from: 300, Self.ramp(301, 100), in: .slices(of: 50))
    try expect(unit, from: 0, Self.ramp(401, 100), in: .slices(of: 50))
  }

  @Test(
    "a jump over more passes of a loop than can be counted is one step; an interruption in it has its loop point",
    .timeLimit(.minutes(2)))
  func jumpsOverLoops() throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([Self.ramp(1, 30)], isLooped: true, progress: log.note("loop")))
    unit.setStartTime(sampleTime: 0)
    try expect(unit, Self.ramp(1, 20), in: .slices(of: 20))
    // 9·10¹⁵ is a multiple of 30.
    let place: Int64 = 9_000_000_000_000_000
    try expect(unit, from: place + 7, Self.ramp(8, 10), in: .slices(of: 10))
    for (number, kind) in [ScheduledSlice.Interrupt.atLoopPoint, .atItsTime].enumerated() {
      let start = place + Int64(number) * 3_000_000
      try unit.schedule(
        ScheduledSlice([Self.ramp(1000, 30)], isLooped: true, progress: log.note("next")))
      try unit.schedule(
        ScheduledSlice(
          [Self.ramp(500, 3000)], sampleTime: start + 1_000_001, interrupt: kind, progress: log.note("end")))
      // The next multiple of 30 is 1 000 020, from the last one's frame 0 on.
      let first = kind == .atLoopPoint ? 1_000_020 : 1_000_001
      try expect(
        unit, from: start + 1_002_000, Self.ramp(Float(500 + 1_002_000 - first), 200), in: .slices(of: 100))
      #expect(log.take().suffix(2) == ["next interrupted", "end began"])
      try unit.schedule(
        ScheduledSlice([Self.ramp(1, 30)], sampleTime: start + 1_999_980, isLooped: true, progress: log.note("loop")))
      try expect(unit, from: start + 2_000_010, Self.ramp(1, 30), in: .slices(of: 30))
    }
  }

  @Test("a new start begins the count anew, and what sounds goes on")
  func restart() throws {
    let unit = try player()
    try unit.schedule(ScheduledSlice([Self.ramp(1, 1000)]))
    unit.setStartTime(sampleTime: 0)
    try expect(unit, Self.ramp(1, 100), in: .slices(of: 50))
    unit.setStartTime(sampleTime: -1)
    try expect(unit, from: 100, Self.ramp(101, 100), in: .slices(of: 50))
    #expect(unit.currentPlayTime == 100)
  }

  @Test("a reset drops what waits, and a new start time is needed")
  func reset() throws {
    let unit = try player()
    let log = SliceLog()
    for name in ["a", "b"] { try unit.schedule(ScheduledSlice([Self.ramp(1, 100)], progress: log.note(name))) }
    unit.setStartTime(sampleTime: 0)
    try expect(unit, Self.ramp(1, 50), in: .slices(of: 50))
    unit.reset()
    #expect(log.take() == ["a began", "a dropped", "b dropped"] && unit.startTime == nil)
    try unit.schedule(ScheduledSlice([Self.ramp(7, 100)], progress: log.note("c")))
    try expect(unit, from: 50, quiet(100), in: .slices(of: 50))
    unit.uninitialize()
    #expect(log.take() == ["c dropped"])
    try unit.schedule(ScheduledSlice([Self.ramp(7, 100)], progress: log.note("d")))
    unit.setStartTime(sampleTime: 10)
    try unit.initialize()
    try expect(unit, quiet(10) + Self.ramp(7, 100) + quiet(10), in: .slices(of: 50))
    #expect(log.take() == ["d began", "d played"])
  }

  @Test("a slice that has ended may be scheduled again from inside the call that says so")
  func again() throws {
    let unit = try player()
    let rounds = Counter()
    @Sendable func schedule() {
      try? unit.schedule(
        ScheduledSlice([Self.ramp(1, 30)]) { event in
          if event == .ended(.played), rounds.next() < 5 { schedule() }
        })
    }
    schedule()
    unit.setStartTime(sampleTime: 0)
    try expect(unit, (0..<150).map { Float(1 + $0 % 30) } + quiet(50), in: .slices(of: 7))
  }

  @Test("a slice has the channels of the output; one without frames ends when its turn comes")
  func refusals() throws {
    let unit = try player(channels: 2)
    #expect(
      status { () throws(AudioStatus) in try unit.schedule(ScheduledSlice([Self.ramp(1, 10)])) }
        == .invalidPropertyValue)
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([[], []], isLooped: true, progress: log.note("empty")))
    unit.setStartTime(sampleTime: 0)
    try expect(unit, quiet(10), in: .slices(of: 10))
    #expect(log.take() == ["empty played"])
  }

  @Test("many threads schedule while one renders: every slice is heard once, in the order of each thread")
  func threads() async throws {
    let unit = try player()
    unit.setStartTime(sampleTime: 0)
    let (writers, perWriter) = (4, 200)
    let done = Counter()
    var heard: [Float] = []
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          for index in 0..<perWriter {
            try? unit.schedule(ScheduledSlice([[Float(1 + writer * perWriter + index)]]))
          }
          _ = done.next()
        }
      }
      var time: Int64 = 0
      while true {
        let isLast = done.value == writers
        guard let output = try? unit.render(sampleTime: time, frames: 1024) else { break }
        heard += output.planes[0].prefix(1024).elements.filter { $0 != 0 }
        time += 1024
        if isLast { break }
        await Task.yield()
      }
    }
    #expect(heard.count == writers * perWriter)
    for writer in 0..<writers {
      let own = heard.filter {
        Int(clamping: $0) - 1 >= writer * perWriter && Int(clamping: $0) - 1 < (writer + 1) * perWriter
      }
      #expect(own == Self.ramp(Float(1 + writer * perWriter), perWriter))
    }
  }
}
