import AudioCore
import AudioEngine
import BuiltInUnits
import SampleRate
import SoundFile
import Testing
import TestSupport
import UnitTestSupport

/// The file player: frame n of the output is frame n − start of the played stream, whatever was pulled before.
@Suite struct FilePlayerTests {
  /// The signal of `SoundFiles.stereo`.
  static let signal = noise(2, frames: SoundFiles.stereoFrames, seed: 9)

  private func player(_ configure: (FilePlayer) throws -> Void = { _ in }) throws -> FilePlayer {
    let unit = try FilePlayer(SoundFiles.stereo)
    try configure(unit)
    try unit.setMaximumFramesPerSlice(4096)
    try unit.initialize()
    return unit
  }

  /// The output of a player with these settings at a frame: written down from the definition, not from the code.
  private func expected(
    _ channel: Int, _ frame: Int64, start: Int64 = 0, region: Range<Int64> = 0..<5000, passes: Int64 = 1
  ) -> Float {
    let position = frame - start
    let length = Int64(region.count)
    guard position >= 0, position < length * passes else { return 0 }
    return Self.signal[channel][Int(region.lowerBound + position % length)]
  }

  private func expectStream(
    _ unit: FilePlayer, from time: Int64, total: Int, start: Int64 = 0, region: Range<Int64> = 0..<5000,
    passes: Int64 = 1, in partition: Partition = .slices(of: 600)
  ) throws {
    let output = try renderedSignal(unit, total: total, from: time, in: partition)
    for channel in 0..<2 {
      for index in 0..<total {
        let frame = time + Int64(index)
        let value = expected(channel, frame, start: start, region: region, passes: passes)
        if output[channel][index] != value {
          Issue.record("channel \(channel), frame \(frame): \(output[channel][index]) in place of \(value)")
          return
        }
      }
    }
  }

  @Test("players that are gone leave no threads and no open files")
  func leftovers() throws {
    func count() throws -> (threads: Int, files: Int) {
      (
        try #require(FileSystem.names(in: "/proc/self/task")).count,
        try #require(FileSystem.names(in: "/proc/self/fd")).count
      )
    }
    let before = try count()
    for _ in 0..<400 {
      let unit = try player()
      // Long enough that its thread has begun to wait.
      _ = try renderedSignal(unit, total: 5000, from: 0, in: .slices(of: 600))
    }
    // Other tests have some of their own meanwhile.
    let after = try count()
    #expect(after.threads < before.threads + 200 && after.files < before.files + 200, "\(before), then \(after)")
  }

  @Test("a file is played once, sample for sample, with silence behind it")
  func plain() throws { try expectStream(try player(), from: 0, total: 7000) }

  @Test("a region is played from a start frame on, in loops without a seam", arguments: Partition.all)
  func region(_ partition: Partition) throws {
    let unit = try player { unit in
      unit.region = 100..<350
      unit.startFrame = 777
      unit.loops = 4
    }
    #expect(unit.sourceFrames == 2027, "777 + 5 · 250")
    try expectStream(unit, from: 0, total: 3000, start: 777, region: 100..<350, passes: 5, in: partition)
  }

  @Test("a region is held to the file; one outside it is silence")
  func regionOutside() throws {
    let long = try player { $0.region = 4000..<Int64.max }
    #expect(long.sourceFrames == 1000)
    try expectStream(long, from: 0, total: 2000, region: 4000..<5000)
    let nothing = try player { $0.region = 6000..<7000 }
    #expect(nothing.sourceFrames == 0)
    #expect(try renderedSignal(nothing, total: 1000).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test("before its start and at negative sample times a player is silent, across frame 0 it plays")
  func negativeTimes() throws {
    try expectStream(try player(), from: -1500, total: 3000)
    try expectStream(try player { $0.startFrame = 40 }, from: -100, total: 1000, start: 40, in: .slices(of: 7))
    try expectStream(try player(), from: Int64.min + 10, total: 600)
  }

  @Test("a jump in time, back or forward, near or far, continues with the frames of the new time")
  func jumps() throws {
    let unit = try player { unit in
      unit.region = 10..<4010
      unit.loops = 9
    }
    let times: [Int64] = [0, 600, 3000, 100, 39_000, 39_600, 50_000, 38_000, 0, -300, 20_000, 20_001, 19_999]
    for time in times {
      try expectStream(unit, from: time, total: 600, region: 10..<4010, passes: 10)
    }
  }

  @Test(
    "where rates are converted, a jump gives the frames that an uninterrupted render has",
    arguments: [
      RateConversionQuality.medium, .mastering,
    ])
  func jumpsBehindConversion(_ quality: RateConversionQuality) throws {
    func make() throws -> FilePlayer {
      try player { unit in
        try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output)
        unit.quality = quality
        unit.loops = 3
        unit.startFrame = 55
      }
    }
    let whole = try renderedSignal(try make(), total: 24_000)
    let unit = try make()
    for time in [0, 600, 12_000, 300, 21_900, 23_000, 100] {
      let piece = try renderedSignal(unit, total: 600, from: Int64(time), in: .slices(of: 200))
      #expect(piece[0] == Array(whole[0][time..<time + 600]), "at \(time)")
      #expect(piece[1] == Array(whole[1][time..<time + 600]), "at \(time)")
    }
    #expect(whole[0][12_000..<12_600].contains { $0 != 0 })
    // round-half-up(4 · 5000 · 48000 / 44100) = 21769 frames, from 55 on.
    #expect(unit.sourceFrames == 21_824, "55 + 21769")
    #expect(
      whole[0][(55 + 21_769)...].allSatisfy { $0 == 0 } && whole[0][55 + 21_700..<55 + 21_769].contains { $0 != 0 })
  }

  @Test("a fixture of another rate is converted as RateConverter converts the whole file")
  func conversion() throws {
    let unit = try FilePlayer(SoundFiles.fixture("tabla-48000.flac"))
    try unit.initialize()
    let file = try SoundFileReader(path: SoundFiles.fixture("tabla-48000.flac"))
    let frames = Int(file.info.frameCount)
    let buffer = PlanarBuffer(channelCount: file.info.channelCount, frameCapacity: frames)
    #expect(try file.read(into: buffer.planes, frames: frames) == frames)
    let channels = (0..<file.info.channelCount).map { Array(buffer[$0].prefix(frames).elements) }
    let expected = try RateConverter.convert(channels, from: 48_000, to: 44_100)
    #expect(unit.sourceFrames == Int64(expected[0].count))
    #expect(try renderedSignal(unit, total: expected[0].count) == expected)
  }

  @Test("the largest numbers for start and loops neither trap nor sound wrong")
  func largestNumbers() throws {
    let late = try player { $0.startFrame = .max }
    #expect(late.sourceFrames == nil)
    for time: Int64 in [-5, 0, 1 << 62] {
      #expect(try renderedSignal(late, total: 100, from: time).allSatisfy { $0.allSatisfy { $0 == 0 } })
    }
    let many = try player { $0.loops = .max }
    try expectStream(many, from: 9000, total: 1200, passes: 1000)
    #expect(many.sourceFrames == nil && !many.isEndless)
    let endless = try player { $0.loops = -1 }
    #expect(endless.isEndless && endless.sourceFrames == nil)
    try expectStream(endless, from: 1_000_000, total: 1200, passes: 1_000_000)
  }

  @Test("properties set and answer start, region and loops; not while initialized")
  func properties() throws {
    let unit = try FilePlayer(SoundFiles.stereo)
    let values: [(PropertyID, PropertyValue)] = [
      (.startFrame, .int64(5)), (.loopCount, .int32(-1)), (.fileRegion, .region(start: 10, count: 20)),
      (.fileRegion, .region(start: 10, count: -1)), (.filePath, .text(SoundFiles.stereo)),
    ]
    for (id, value) in values {
      try unit.setProperty(id, to: value)
      #expect(try unit.property(id) == value)
    }
    let refused: [(PropertyID, PropertyValue)] = [
      (.startFrame, .int64(-1)), (.loopCount, .int32(-2)), (.fileRegion, .region(start: -1, count: 5)),
      (.fileRegion, .region(start: 0, count: -2)), (.fileRegion, .region(start: .max, count: 1)),
    ]
    for (id, value) in refused {
      #expect(
        status { () throws(AudioStatus) in try unit.setProperty(id, to: value) } == .invalidPropertyValue)
    }
    try unit.initialize()
    for (id, value) in values {
      #expect(status { () throws(AudioStatus) in try unit.setProperty(id, to: value) } == .initialized)
    }
  }

  @Test("behind a jump into a later pass no more than the passes that are left are played")
  func jumpsIntoPasses() throws {
    let unit = try player { $0.loops = 2 }
    try expectStream(unit, from: 0, total: 16_000, passes: 3)
    for time in [11_000, 2_500, 14_999, 5_000] as [Int64] {
      try expectStream(unit, from: time, total: Int(16_000 - time), passes: 3)
    }
  }

  @Test("two players of one file do not disturb one another")
  func twoPlayers() throws {
    let (a, b) = (try player(), try player { $0.startFrame = 100 })
    for slice in 0..<8 {
      let time = Int64(slice * 500)
      try expectStream(a, from: time, total: 500)
      try expectStream(b, from: time, total: 500, start: 100)
    }
  }

  /// A stream far longer than the ring, with somebody else reading ahead at the same time.
  @Test("reading ahead from another thread changes nothing")
  func prefetching() async throws {
    let unit = try player { $0.loops = 199 }
    let ahead = try #require(unit.node?.readAhead)
    let reading = Task.detached {
      while !Task.isCancelled { ahead.prefetch(frames: 4096) }
    }
    for slice in 0..<60 {
      // Every other slice jumps.
      let time = Int64((slice % 2 == 0 ? slice : slice * 7919 % 900) * 1000)
      try expectStream(unit, from: time, total: 1000, passes: 200, in: .slices(of: 500))
    }
    reading.cancel()
    await reading.value
  }

  @Test("a file player without a file cannot be initialized")
  func playerWithoutFile() throws {
    let unit = FilePlayer()
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .fileNotSpecified)
    #expect(setting(unit, .filePath, to: .text("/nowhere/at/all.wav")) == -10871)
    #expect(getting(unit, .filePath) == -10850)
    #expect(setting(unit, .filePath, to: .text(SoundFiles.mono)) == 0)
    #expect(try unit.streamFormat(.output).channelCount == 1)
    try unit.initialize()
    #expect(setting(unit, .filePath, to: .text(SoundFiles.stereo)) == -10849)
  }
}
