import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import TestSupport
import UnitTestSupport

/// The edges of a sound player's schedule: when it starts, who interrupts whom, what waits across a new start.
@Suite("The edges of a sound player's schedule") struct ScheduledSoundPlayerEdgeTests {
  /// Frame n of a ramp that begins at `first`.
  private func ramp(_ first: Float, _ count: Int) -> [Float] { (0..<count).map { first + Float($0) } }
  private func quiet(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  private func player() throws -> ScheduledSoundPlayer {
    let unit = ScheduledSoundPlayer()
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .output)
    try unit.initialize()
    return unit
  }

  private func heard(
    _ unit: Unit, _ total: Int, from time: Int64 = 0, in partition: Partition = .slices(of: 64)
  ) throws -> [Float] {
    try renderedSignal(unit, total: total, from: time, in: partition)[0]
  }

  @Test("a start time is rounded to a frame; one that has passed, or is no number, is the next slice's")
  func starts() throws {
    for (start, told, silence) in [
      (10.6, 10.6, 11), (10.4, 10.4, 10), (-7, -7, 0), (.infinity, -1, 0), (.nan, -1, 0), (-.infinity, -1, 0),
      (-1, -1, 0),
    ] as [(Double, Double, Int)] {
      let unit = try player()
      try unit.schedule(ScheduledSlice([ramp(1, 5)]))
      unit.setStartTime(sampleTime: start)
      #expect(unit.startTime == told && unit.currentPlayTime == -1, "\(start)")
      #expect(try heard(unit, 20) == quiet(silence) + ramp(1, 5) + quiet(15 - silence), "\(start)")
      #expect(unit.currentPlayTime == Int64(20 - silence))
    }
    let late = try player()
    try late.schedule(ScheduledSlice([ramp(1, 5)]))
    late.setStartTime(sampleTime: 5)
    #expect(try heard(late, 10, from: 100) == ramp(1, 5) + quiet(5))
  }

  @Test("a slice whose time is the end of the one before it is not late, and one a frame sooner is", arguments: [0, 1])
  func adjacent(early: Int64) throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([ramp(1, 100)], sampleTime: 0, progress: log.note("a")))
    try unit.schedule(ScheduledSlice([ramp(201, 100)], sampleTime: 100 - early, progress: log.note("b")))
    unit.setStartTime(sampleTime: nil)
    let rest = ramp(201, 100).dropFirst(Int(early))
    #expect(try heard(unit, 230) == ramp(1, 100) + rest + quiet(30 + Int(early)))
    #expect(log.take() == ["a began", "a played"] + (early == 1 ? ["b late"] : []) + ["b began", "b played"])
  }

  @Test(
    "of two whose time has come the last one counts, and what lies between is never heard", arguments: Partition.all)
  func lastOfTwo(_ partition: Partition) throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([ramp(1, 70)], isLooped: true, progress: log.note("l")))
    try unit.schedule(
      ScheduledSlice([ramp(500, 40)], sampleTime: 100, isLooped: true, interrupt: .atItsTime, progress: log.note("x")))
    try unit.schedule(
      ScheduledSlice([ramp(900, 10)], sampleTime: 100, interrupt: .atItsTime, progress: log.note("y")))
    unit.setStartTime(sampleTime: 0)
    let wanted = (0..<100).map { Float(1 + $0 % 70) } + ramp(900, 10) + quiet(90)
    #expect(try heard(unit, 200, in: partition) == wanted)
    #expect(log.take() == ["l began", "l interrupted", "x interrupted", "y began", "y played"])
  }

  @Test("what ends just where another interrupts was played", arguments: Partition.all)
  func endsAtInterruption(_ partition: Partition) throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([ramp(1, 70)], progress: log.note("a")))
    try unit.schedule(
      ScheduledSlice([ramp(500, 40)], sampleTime: 70, interrupt: .atItsTime, progress: log.note("b")))
    unit.setStartTime(sampleTime: 0)
    #expect(try heard(unit, 200, in: partition) == ramp(1, 70) + ramp(500, 40) + quiet(90))
    #expect(log.take() == ["a began", "a played", "b began", "b played"])
  }

  @Test("what has not begun is at a loop point: it is interrupted at once, and not waited for")
  func beforeItsTime() throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([ramp(1, 70)], sampleTime: 1000, progress: log.note("a")))
    try unit.schedule(
      ScheduledSlice([ramp(500, 40)], sampleTime: 200, interrupt: .atLoopPoint, progress: log.note("b")))
    unit.setStartTime(sampleTime: 0)
    #expect(try heard(unit, 1200) == quiet(200) + ramp(500, 40) + quiet(960))
    #expect(log.take() == ["a interrupted", "b began", "b played"])
  }

  @Test("what is not looped is played to its end before an interruption at a loop point; what waits behind it is not")
  func toItsEnd() throws {
    let unit = try player()
    let log = SliceLog()
    try unit.schedule(ScheduledSlice([ramp(1, 70)]))
    try unit.schedule(ScheduledSlice([ramp(201, 70)], progress: log.note("never")))
    try unit.schedule(ScheduledSlice([ramp(500, 40)], sampleTime: 30, interrupt: .atLoopPoint, progress: log.note("b")))
    unit.setStartTime(sampleTime: 0)
    #expect(try heard(unit, 150, in: .slices(of: 7)) == ramp(1, 70) + ramp(500, 40) + quiet(40))
    #expect(log.take() == ["never interrupted", "b began", "b played"])
  }

  @Test("across a new start what waits for its time waits for it anew, and a loop goes on until then")
  func waitsAnew() throws {
    let waiting = try player()
    let log = SliceLog()
    try waiting.schedule(ScheduledSlice([ramp(1, 100)], sampleTime: 500, progress: log.note("a")))
    waiting.setStartTime(sampleTime: 0)
    #expect(try heard(waiting, 300) == quiet(300))
    waiting.setStartTime(sampleTime: nil)
    #expect(try heard(waiting, 650, from: 300) == quiet(500) + ramp(1, 100) + quiet(50))
    #expect(log.take() == ["a began", "a played"])
    let looping = try player()
    try looping.schedule(ScheduledSlice([ramp(1, 70)], isLooped: true))
    try looping.schedule(ScheduledSlice([ramp(500, 40)], sampleTime: 400, interrupt: .atItsTime))
    looping.setStartTime(sampleTime: 0)
    let loop = (0..<700).map { Float(1 + $0 % 70) }
    #expect(try heard(looping, 300) == Array(loop[..<300]))
    looping.setStartTime(sampleTime: nil)
    #expect(try heard(looping, 460, from: 300) == Array(loop[300...]) + ramp(500, 40) + quiet(20))
  }

  @Test("a new start that is still to come is silence until then; what sounded goes on with its next frame")
  func laterStart() throws {
    let unit = try player()
    try unit.schedule(ScheduledSlice([ramp(1, 1000)]))
    unit.setStartTime(sampleTime: 0)
    #expect(try heard(unit, 100, in: .slices(of: 50)) == ramp(1, 100))
    #expect(unit.currentPlayTime == 100)
    unit.setStartTime(sampleTime: 150)
    #expect(try heard(unit, 50, from: 100, in: .slices(of: 50)) == quiet(50))
    #expect(unit.currentPlayTime == -1)
    #expect(try heard(unit, 100, from: 150, in: .slices(of: 50)) == ramp(101, 100))
    #expect(unit.currentPlayTime == 100)
  }
}
