import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import SampleRate
import SoundFile
import Synchronization
import Testing
import TestSupport
import UnitTestSupport

/// The file player that is scheduled while it plays: regions at their frames, sample for sample.
@Suite struct ScheduledFilePlayerTests {
  /// Frame n of channel c is 10000·c + n + 1: a sample shows which frame it is. Counts its reads by thread.
  private final class Ramp: PlayableFile {
    private struct State {
      var position: Int64 = 0
      var reads: [UInt: Int] = [:]
    }
    let playableInfo: PlayableFileInfo
    let endsAt: Int64
    private let state = Mutex(State())

    init(frames: Int64, channels: Int = 2, sampleRate: Double = 44_100, endsAt: Int64? = nil) {
      playableInfo = PlayableFileInfo(
        path: "ramp", frameCount: frames, sampleRate: sampleRate, channelCount: channels, isSeekable: true)
      self.endsAt = endsAt ?? frames
    }

    static func value(_ channel: Int, _ frame: Int64) -> Float { Float(10_000 * Int64(channel) + frame + 1) }

    func read(
      into planes: Planes<Float>, offset: Int, frames: Int
    ) throws(BenchError) -> Int {
      let (position, count) = state.withLock { state in
        let count = Int(max(0, min(Int64(frames), endsAt - state.position)))
        defer { state.position += Int64(count) }
        state.reads[UInt(pthread_self()), default: 0] += 1
        return (state.position, count)
      }
      for channel in 0..<playableInfo.channelCount {
        for frame in 0..<count { planes[channel][offset + frame] = Self.value(channel, position + Int64(frame)) }
      }
      return count
    }

    func seek(toFrame frame: Int64) throws(BenchError) { state.withLock { $0.position = frame } }

    /// Reads by this thread and by all.
    var reads: (here: Int, all: Int) {
      let me = UInt(pthread_self())
      return state.withLock { state in (state.reads[me] ?? 0, state.reads.values.reduce(0, +)) }
    }
  }

  /// The calls of a test's completions, in order.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    func completion(_ name: String) -> @Sendable (ScheduledRegion.End) -> Void {
      { [self] end in entries.withLock { $0.append("\(name) \(end)") } }
    }
    func take() -> [String] {
      entries.withLock { entries in
        defer { entries = [] }
        return entries
      }
    }
  }

  private func player(
    _ files: [any PlayableFile], channels: Int = 2, sampleRate: Double = 44_100, initialized: Bool = true
  ) throws -> ScheduledFilePlayer {
    let unit = ScheduledFilePlayer()
    try unit.setStreamFormat(StreamFormat(sampleRate: sampleRate, channelCount: channels), .output)
    unit.setFiles(files)
    try unit.setMaximumFramesPerSlice(4096)
    if initialized { try unit.initialize() }
    return unit
  }

  /// A stretch of the output: so many frames of silence, or of a ramp from one of its frames on.
  private enum Piece { case silence(Int), frames(Range<Int64>) }

  private func expect(
    _ unit: Unit, from time: Int64, _ pieces: [Piece], in partition: Partition = .slices(of: 300),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (channel, output) in try renderedSignal(unit, total: length(pieces), from: time, in: partition).enumerated() {
      let expected = pieces.flatMap { piece -> [Float] in
        switch piece {
        case .silence(let count): Array(repeating: 0, count: count)
        case .frames(let range): range.map { Ramp.value(channel, $0) }
        }
      }
      let difference = zip(output, expected).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        difference == nil,
        "channel \(channel), frame \(difference?.offset ?? 0): \(difference?.element.0 ?? 0) in place of \(difference?.element.1 ?? 0)",
        sourceLocation: sourceLocation)
    }
  }

  private func length(_ pieces: [Piece]) -> Int {
    pieces.reduce(0) { sum, piece in
      switch piece {
      case .silence(let count): sum + count
      case .frames(let range): sum + range.count
      }
    }
  }

  // MARK: Regions

  @Test("nothing sounds before a start time; then a region sounds at its frame", arguments: Partition.all)
  func plain(_ partition: Partition) throws {
    let unit = try player([Ramp(frames: 5000)])
    try unit.scheduleRegion(ScheduledRegion(startFrame: 100, frameCount: 3000, sampleTime: 777))
    try expect(unit, from: 0, [.silence(1000)], in: partition)
    #expect(unit.currentPlayTime == -1)
    unit.setStartTime(sampleTime: 2500)
    try expect(unit, from: 1000, [.silence(1500 + 777), .frames(100..<3100), .silence(500)], in: partition)
    #expect(unit.currentPlayTime == 777 + 3000 + 500)
  }

  @Test("regions follow one another, with gaps, loops and files as scheduled", arguments: Partition.all)
  func queue(_ partition: Partition) throws {
    let unit = try player([Ramp(frames: 5000), Ramp(frames: 400)])
    unit.setStartTime(sampleTime: nil)
    try unit.scheduleRegion(ScheduledRegion(startFrame: 4000))
    try unit.scheduleRegion(ScheduledRegion(file: 1, frameCount: 250, loopCount: 2))
    try unit.scheduleRegion(ScheduledRegion(startFrame: 10, frameCount: 90, sampleTime: 2000))
    try unit.scheduleRegion(ScheduledRegion(file: 1, startFrame: 390, frameCount: 1_000_000, sampleTime: 2001))
    try unit.scheduleRegion(ScheduledRegion(file: 1, startFrame: 398, loopCount: .max))
    try unit.scheduleRegion(ScheduledRegion(startFrame: 0))
    try expect(
      unit, from: 40,
      [
        .frames(4000..<5000), .frames(0..<250), .frames(0..<250), .frames(0..<250), .silence(250), .frames(10..<100),
        .frames(390..<400),
      ] + Array(repeating: .frames(398..<400), count: 3000), in: partition)
  }

  @Test("a file's own data come out of a fixture, and of a converted one as RateConverter converts it")
  func fixtures() throws {
    let paths = ["tabla-48000.flac", "crow-22050.flac"].map { SoundFiles.fixture($0) }
    let unit = try player([])
    try unit.setFiles(paths)
    unit.setStartTime(sampleTime: -1)
    var expected: Signal = [[], []]
    for (index, path) in paths.enumerated() {
      try unit.scheduleRegion(ScheduledRegion(file: index, startFrame: 1000, frameCount: 9000))
      let file = try SoundFileReader(path: path)
      try file.seek(toFrame: 1000)
      let buffer = PlanarBuffer(channelCount: file.info.channelCount, frameCapacity: 9000)
      #expect(try file.read(into: buffer.planes, frames: 9000) == 9000)
      let channels = (0..<file.info.channelCount).map { Array(buffer[$0].prefix(9000).elements) }
      let converted = try RateConverter.convert(channels, from: file.info.sampleRate, to: 44_100)
      for channel in 0..<2 { expected[channel] += converted[min(channel, converted.count - 1)] }
    }
    let output = try renderedSignal(unit, total: expected[0].count, in: .slices(of: 512))
    let difference = firstDifference(output, expected)
    #expect(difference == nil, "\(difference ?? "")")
    #expect(
      try renderedSignal(unit, total: 100, from: Int64(expected[0].count)).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test("mono goes to every channel, and anything into mono is the mean")
  func channels() throws {
    let stereo = try player([Ramp(frames: 100, channels: 1)])
    try stereo.scheduleRegion(ScheduledRegion())
    stereo.setStartTime(sampleTime: 0)
    let both = try renderedSignal(stereo, total: 100)
    #expect(both[0] == (0..<100).map { Ramp.value(0, $0) } && both[1] == both[0])
    let mono = try player([Ramp(frames: 100, channels: 2)], channels: 1)
    try mono.scheduleRegion(ScheduledRegion())
    mono.setStartTime(sampleTime: 0)
    #expect(try renderedSignal(mono, total: 100) == [(0..<100).map { Ramp.value(0, $0) + 5000 }])
  }

  @Test("empty regions end at once, and ones outside the file are empty")
  func empty() throws {
    let log = Log()
    let unit = try player([Ramp(frames: 100)])
    unit.setStartTime(sampleTime: 0)
    for (name, start, count) in [("a", 0, 0), ("b", 100, 5), ("c", 5000, UInt32.max)] as [(String, Int64, UInt32)] {
      try unit.scheduleRegion(
        ScheduledRegion(startFrame: start, frameCount: count, completion: log.completion(name)))
    }
    try unit.scheduleRegion(ScheduledRegion(startFrame: 90, frameCount: 5, completion: log.completion("d")))
    try expect(unit, from: 0, [.frames(90..<95), .silence(5)])
    #expect(log.take() == ["a played", "b played", "c played", "d played"])
  }

  @Test("what cannot be scheduled is refused")
  func refusals() throws {
    let unit = try player([], initialized: false)
    func result(_ region: ScheduledRegion) -> AudioStatus {
      status { () throws(AudioStatus) in try unit.scheduleRegion(region) }
    }
    #expect(result(ScheduledRegion()) == .fileNotSpecified)
    unit.setFiles([Ramp(frames: 10)])
    #expect(result(ScheduledRegion(file: 1)) == .invalidFile)
    #expect(result(ScheduledRegion(file: -1)) == .invalidFile)
    #expect(result(ScheduledRegion(startFrame: -1)) == .invalidPropertyValue)
    unit.setFiles([Ramp(frames: 10, channels: 1025)])
    #expect(result(ScheduledRegion()) == .formatNotSupported)
    #expect(throws: BenchError.self) { try unit.setFiles(["/nowhere.wav"]) }
  }

  // MARK: While it plays

  @Test("regions are scheduled while it plays; one that comes too late begins with the next slice")
  func whilePlaying() throws {
    let unit = try player([Ramp(frames: 5000)])
    unit.setStartTime(sampleTime: nil)
    try expect(unit, from: 0, [.silence(600)])
    try unit.scheduleRegion(ScheduledRegion(frameCount: 100, sampleTime: 50))
    try unit.scheduleRegion(ScheduledRegion(startFrame: 200, frameCount: 100, sampleTime: 650))
    try unit.scheduleRegion(ScheduledRegion(startFrame: 500, frameCount: 200, sampleTime: 900))
    try expect(unit, from: 600, [.frames(0..<100), .frames(200..<300), .silence(100), .frames(500..<600)])
    try unit.scheduleRegion(ScheduledRegion(startFrame: 0, frameCount: 50))
    try expect(unit, from: 1000, [.frames(600..<700), .frames(0..<50), .silence(10)])
  }

  @Test("a completion is called within the slice that has the region's last frame, and may schedule the next region")
  func completions() throws {
    let log = Log()
    let unit = try player([Ramp(frames: 5000)])
    unit.setStartTime(sampleTime: 0)
    let (first, second, third) = (log.completion("first"), log.completion("second"), log.completion("third"))
    try unit.scheduleRegion(
      ScheduledRegion(frameCount: 150) { [unowned unit] end in
        first(end)
        try? unit.scheduleRegion(ScheduledRegion(startFrame: 1000, frameCount: 100, completion: third))
      })
    try unit.scheduleRegion(ScheduledRegion(frameCount: 50, completion: second))
    try expect(unit, from: 0, [.frames(0..<149)])
    #expect(log.take() == [])
    try expect(unit, from: 149, [.frames(149..<150)])
    #expect(log.take() == ["first played"])
    try expect(unit, from: 150, [.frames(0..<50), .frames(1000..<1100), .silence(20)], in: .slices(of: 500))
    #expect(log.take() == ["second played", "third played"])
  }

  @Test("a completion may reset the player that calls it")
  func resetInCompletion() throws {
    let log = Log()
    let unit = try player([Ramp(frames: 5000)])
    unit.setStartTime(sampleTime: 0)
    try unit.scheduleRegion(ScheduledRegion(frameCount: 100) { [unowned unit] _ in unit.reset() })
    try unit.scheduleRegion(ScheduledRegion(completion: log.completion("b")))
    try expect(unit, from: 0, [.frames(0..<100), .silence(50)], in: .slices(of: 150))
    #expect(log.take() == ["b dropped"])
    #expect(unit.currentPlayTime == -1)
    try unit.scheduleRegion(ScheduledRegion(startFrame: 7, frameCount: 10))
    unit.setStartTime(sampleTime: nil)
    try expect(unit, from: 150, [.frames(7..<17), .silence(5)])
  }

  @Test("a start time that has passed is the next slice; a second one counts anew and the region goes on")
  func startTimes() throws {
    let unit = try player([Ramp(frames: 5000)])
    #expect(unit.startTime == nil)
    try unit.scheduleRegion(ScheduledRegion(frameCount: 500))
    unit.setStartTime(sampleTime: 100)
    #expect(unit.startTime == 100)
    try expect(unit, from: 900, [.frames(0..<100)])
    #expect(unit.currentPlayTime == 100)
    unit.setStartTime(sampleTime: 1200)
    try unit.scheduleRegion(ScheduledRegion(startFrame: 3000, frameCount: 10, sampleTime: 450))
    try expect(unit, from: 1000, [.silence(100)])
    #expect(unit.currentPlayTime == -1)
    try expect(unit, from: 1100, [.silence(100), .frames(100..<500), .silence(50), .frames(3000..<3010), .silence(1)])
    #expect(unit.currentPlayTime == 461)
    unit.setStartTime(sampleTime: -1)
    #expect(unit.startTime == -1)
  }

  @Test("the player follows a clock that jumps forward, over whole regions too, and goes on where one jumps back")
  func jumps() throws {
    let log = Log()
    let unit = try player([Ramp(frames: 9000)])
    unit.setStartTime(sampleTime: 0)
    for (index, name) in ["a", "b", "c"].enumerated() {
      try unit.scheduleRegion(
        ScheduledRegion(startFrame: Int64(index * 3000), frameCount: 3000, completion: log.completion(name)))
    }
    try expect(unit, from: 0, [.frames(0..<100)])
    try expect(unit, from: 1000, [.frames(1000..<1100)])
    try expect(unit, from: 7000, [.frames(7000..<7100)])
    #expect(log.take() == ["a played", "b played"])
    try expect(unit, from: 300, [.frames(7100..<7400)])
    try expect(unit, from: 600, [.frames(7400..<7410)])
    try expect(unit, from: 2000, [.frames(8800..<9000), .silence(10)])
    #expect(log.take() == ["c played"])
    try expect(unit, from: .max - 10_000, [.silence(100)])
    try expect(unit, from: .min + 10_000, [.silence(100)])
  }

  // MARK: Life cycle

  @Test("a reset drops the schedule, calls what is pending, and asks for a new start time")
  func reset() throws {
    let log = Log()
    let unit = try player([Ramp(frames: 5000)])
    unit.setStartTime(sampleTime: 0)
    for name in ["a", "b", "c"] {
      try unit.scheduleRegion(ScheduledRegion(frameCount: 200, completion: log.completion(name)))
    }
    try expect(unit, from: 0, [.frames(0..<200), .frames(0..<50)])
    #expect(log.take() == ["a played"])
    unit.reset()
    #expect(log.take() == ["b dropped", "c dropped"])
    #expect(unit.currentPlayTime == -1 && unit.startTime == nil)
    try unit.scheduleRegion(ScheduledRegion(startFrame: 70, frameCount: 100, completion: log.completion("d")))
    try expect(unit, from: 250, [.silence(300)])
    unit.setStartTime(sampleTime: nil)
    try expect(unit, from: 550, [.frames(70..<170), .silence(100)])
    #expect(log.take() == ["d played"])
  }

  @Test("what is scheduled while open is played once initialized; uninitializing drops it")
  func lifeCycle() throws {
    let log = Log()
    let unit = try player([Ramp(frames: 5000)], initialized: false)
    try unit.scheduleRegion(ScheduledRegion(frameCount: 100, completion: log.completion("a")))
    try unit.prime()
    unit.setStartTime(sampleTime: 20)
    #expect(unit.currentPlayTime == -1)
    try unit.initialize()
    try unit.scheduleRegion(ScheduledRegion(startFrame: 1000, frameCount: 100, completion: log.completion("b")))
    try expect(unit, from: 0, [.silence(20), .frames(0..<100), .frames(1000..<1010)])
    unit.uninitialize()
    #expect(log.take() == ["a played", "b dropped"])
    try unit.scheduleRegion(ScheduledRegion(completion: log.completion("c")))
    unit.reset()
    #expect(log.take() == ["c dropped"])
    try unit.initialize()
    try expect(unit, from: 0, [.silence(100)])
  }

  @Test("priming reads on the calling thread, and what is read ahead is not read again")
  func prime() throws {
    let file = Ramp(frames: 100_000)
    let unit = try player([file])
    try unit.scheduleRegion(ScheduledRegion())
    #expect(file.reads == (0, 0))
    try unit.prime(frames: 8000)
    let primed = file.reads
    #expect(primed.here > 0 && primed.here == primed.all)
    unit.setStartTime(sampleTime: nil)
    try expect(unit, from: 0, [.frames(0..<8000)])
    #expect(file.reads == primed, "8192 frames were there")
    let ahead = try #require(unit.node?.readAhead)
    for slice in 20..<60 {
      ahead.prefetch(frames: 400)
      let before = file.reads
      try expect(unit, from: Int64(slice * 400), [.frames(Int64(slice * 400)..<Int64(slice * 400 + 400))])
      #expect(file.reads == before && before.here == before.all)
    }
  }

  @Test("a file that fails ends the render with a status and words; a reset mends it")
  func failure() throws {
    let unit = try player([Ramp(frames: 5000, endsAt: 1000), Ramp(frames: 50)])
    try unit.scheduleRegion(ScheduledRegion())
    #expect(status { () throws(AudioStatus) in try unit.prime(frames: 8000) } == .invalidFile)
    unit.setStartTime(sampleTime: 0)
    #expect(status { () throws(AudioStatus) in _ = try unit.render(sampleTime: 0, frames: 512) } != .noError)
    #expect(unit.renderFailure?.message.contains("ends at frame 1000") == true)
    unit.reset()
    #expect(unit.renderFailure == nil)
    try unit.scheduleRegion(ScheduledRegion(file: 1))
    unit.setStartTime(sampleTime: nil)
    try expect(unit, from: 0, [.frames(0..<50), .silence(10)])
  }

  /// A thousand regions from another thread, a third one reading ahead.
  @Test("regions scheduled from another thread while it plays arrive in order")
  func otherThreads() throws {
    let unit = try player([Ramp(frames: 5000)])
    unit.setStartTime(sampleTime: 0)
    let ahead = try #require(unit.node?.readAhead)
    let reading = LoopingThread {
      ahead.prefetch(frames: 2000)
      sched_yield()
    }
    let counts = Counts()
    let scheduling = LoopingThread {
      let number = counts.scheduled.load(ordering: .relaxed)
      guard number < 1000 else { return }
      let region = ScheduledRegion(startFrame: Int64(number), frameCount: 37) { _ in
        counts.played.add(1, ordering: .relaxed)
      }
      if (try? unit.scheduleRegion(region)) != nil { counts.scheduled.add(1, ordering: .relaxed) }
    }
    defer {
      scheduling.stop()
      reading.stop()
    }
    var heard: [Float] = []
    var time: Int64 = 0
    while counts.played.load(ordering: .relaxed) < 1000 {
      let bus = try unit.render(sampleTime: time, frames: 64)
      heard += bus.planes[0].prefix(64).elements.filter { $0 != 0 }
      time += 64
    }
    #expect(heard == (0..<1000).flatMap { start in (start..<start + 37).map { Ramp.value(0, Int64($0)) } })
  }

  private final class Counts: Sendable {
    let scheduled = Atomic<Int>(0)
    let played = Atomic<Int>(0)
  }
}
