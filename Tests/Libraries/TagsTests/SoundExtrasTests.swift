import AudioCore
import SoundFile
import Tags
import TestSupport
import Testing

@Suite struct SoundExtrasTests {
  /// Markers, a region, loops, a broadcast extension and further chunks.
  static var everything: SoundExtras {
    var extras = SoundExtras()
    extras.markers = [
      .init(position: 10, name: "first", note: "words"), .init(position: 100, length: 50, name: "region"),
      .init(position: 400),
    ]
    var instrument = SoundExtras.Instrument()
    (instrument.baseNote, instrument.detuneCents, instrument.gainDecibels) = (64, 25, -3)
    instrument.loops = [.init(20..<40, direction: .alternating), .init(50..<60, isRelease: true)]
    extras.instrument = instrument
    extras.broadcast = [UInt8](repeating: 7, count: 602)
    extras.timeReference = 48_000
    extras.chunks = [
      .init(name: "iXML", bytes: Array("<BWFXML/>".utf8), family: nil, isTimeless: true),
      .init(name: "abcd", bytes: [1, 2, 3], family: .riff, isTimeless: false),
    ]
    return extras
  }

  /// A file of a family with chunks behind 4 bytes of sound.
  static func file(_ family: SoundExtras.Family, _ chunks: [SoundExtras.Chunk]) -> [UInt8] {
    if family == .flac {
      let storage = MemoryStorage(Array("fLaC".utf8) + [0x80, 0, 0, 34] + [UInt8](repeating: 0, count: 34))
      var bytes = storage.contents
      bytes[4] = 0
      for (index, chunk) in chunks.enumerated() {
        var whole = ChunkMaker(isBigEndian: false)
        whole.add(name: "riff")
        whole.add(chunk.name, chunk.bytes)
        bytes +=
          [index == chunks.count - 1 ? 0x82 : 2] + UInt32(whole.bytes.count).bigEndianBytes.suffix(3) + whole.bytes
      }
      return bytes
    }
    let isBig = family != .riff
    var body = ChunkMaker(isBigEndian: isBig)
    if family == .caf {
      func add(_ name: String, _ content: [UInt8]) {
        body.add(name: name)
        body.add(Int64(content.count))
        body.add(content)
      }
      add("desc", [UInt8](repeating: 0, count: 32))
      add("data", [UInt8](repeating: 0, count: 8))
      for chunk in chunks { add(chunk.name, chunk.bytes) }
      return Array("caff".utf8) + [0, 1, 0, 0] + body.bytes
    }
    body.add(name: isBig ? "AIFF" : "WAVE")
    body.add(isBig ? "COMM" : "fmt ", [UInt8](repeating: 0, count: 18))
    body.add(isBig ? "SSND" : "data", [UInt8](repeating: 0, count: 12))
    for chunk in chunks { body.add(chunk.name, chunk.bytes) }
    var whole = ChunkMaker(isBigEndian: isBig)
    whole.add(isBig ? "FORM" : "RIFF", body.bytes)
    return whole.bytes
  }

  @Test(arguments: [SoundExtras.Family.riff, .aiff, .caf, .flac])
  func damagedChunksAreReadAsFarAsTheyGo(_ family: SoundExtras.Family) throws {
    let whole = Self.file(family, Self.everything.chunks(for: family, sampleRate: 48_000).chunks)
    #expect(SoundExtras(MemoryStorage(whole)).markers.count == 3)
    var generator = SeededGenerator(seed: 43)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0...generator.next() % 4 {
        let place = Int(generator.next() % UInt64(bytes.count))
        // Places of sizes and counts are hit with the largest numbers too.
        let value = [0, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: generator.next())][Int(generator.next() % 5)]
        for next in place..<min(bytes.count, place + Int(generator.next() % 9)) { bytes[next] = value }
      }
      if generator.next() % 4 == 0 { bytes.removeLast(Int(generator.next() % UInt64(bytes.count))) }
      let found = SoundExtras(MemoryStorage(bytes))
      #expect(found.markers.count <= SoundExtras.mostMarkers)
      let moved = found.converted(from: 1, to: 768_000).cut(to: 5..<300, of: 1_000)
      for other in [SoundExtras.Family.riff, .aiff, .caf, .flac] {
        let made = found.chunks(for: other, sampleRate: 0).chunks + moved.chunks(for: other, sampleRate: 0).chunks
        #expect(made.reduce(0) { $0 + $1.bytes.count } < 1 << 20)
      }
    }
  }

  @Test func countsBeyondTheChunkAreTold() throws {
    var chunks = Self.everything.chunks(for: .riff, sampleRate: 48_000).chunks
    chunks[0].bytes[0] = 200
    let found = SoundExtras(MemoryStorage(Self.file(.riff, chunks)))
    #expect(found.markers.count == 3)
    #expect(found.remarks == ["its cue chunk says 200 markers, and has 3"])
    let cut = SoundExtras(MemoryStorage(Array(Self.file(.riff, Array(chunks.prefix(1))).dropLast(30))))
    #expect(cut.markers.count == 1)
    #expect(cut.remarks.first == "its cue chunk is cut off after 46 bytes")
  }

  @Test func positionsThatAreNoFramesAreLeftOut() throws {
    for value in [Double.nan, .infinity, -.infinity, -1, 0x1p62, 1e300] {
      var mark = ChunkMaker(isBigEndian: true)
      mark.add(UInt32(0))
      mark.add(UInt32(1))
      mark.add(UInt32(0))
      mark.add(value.bitPattern)
      mark.add([UInt8](repeating: 0, count: 16))
      let chunk = SoundExtras.Chunk(name: "mark", bytes: mark.bytes, family: .caf, isTimeless: false)
      #expect(SoundExtras(MemoryStorage(Self.file(.caf, [chunk]))).markers.isEmpty)
    }
  }

  @Test func positionsFollowRateAndCut() throws {
    let doubled = Self.everything.converted(from: 48_000, to: 96_000)
    #expect(doubled.markers.map(\.position) == [20, 200, 800])
    #expect(doubled.markers.map(\.length) == [0, 100, 0])
    #expect(doubled.instrument?.loops.map(\.range) == [40..<80, 100..<120])
    #expect(doubled.timeReference == 96_000)
    #expect(doubled.lost == ["abcd"])
    let cut = Self.everything.cut(to: 30..<120, of: 1_000)
    #expect(cut.markers == [.init(position: 70, length: 20, name: "region")])
    #expect(cut.instrument?.loops.map(\.range) == [20..<30])
    #expect(cut.timeReference == 48_030)
    #expect(Self.everything.cut(to: 0..<1_000, of: 1_000) == Self.everything)
  }

  @Test func whatSeveralSoundsHaveIsKept() throws {
    var other = Self.everything
    other.markers.removeLast()
    other.chunks.removeFirst()
    let common = Self.everything.common(with: other)
    #expect(common.markers.isEmpty && common.instrument == other.instrument && common.broadcast == other.broadcast)
    #expect(common.chunks.map(\.name) == ["abcd"])
    #expect(common.lost == ["markers", "iXML"])
  }
}
