import AudioCore
import Glibc
import PacketFiles
import SoundFile
import TestSupport
import Testing

/// Sound in containers that libsndfile does not know: the same samples as in one that it knows.
@Suite struct RewrappedSoundTests {
  private let folder = TemporaryFolder()

  /// Noise of 16 bits, which comes back as it was.
  private static func noise(channels: Int, frames: Int) -> [[Float]] {
    var generator = SeededGenerator(seed: 45)
    return (0..<channels).map { _ in
      (0..<frames).map { _ in Float(Int16(truncatingIfNeeded: generator.next() >> 20)) / 32_768 }
    }
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let storage = DescriptorStorage(owning: open(path, O_RDONLY))
    return try #require(storage.bytes(at: 0, count: Int(storage.length)))
  }

  /// An m4a file around the packets of Apple Lossless that libsndfile has written to a CAF file.
  private func m4a(_ sound: [[Float]], trim: PacketTrack.Trim? = nil) throws -> [UInt8] {
    let path = folder.file("packets.caf")
    try writeFile(path, SoundFileFormat(container: .caf, encoding: .alac16), sound, rate: 44_100)
    let caf = MemoryStorage(try bytes(path))
    var track = try #require(PacketFile(caf)?.tracks.first)
    let old = try #require(track.places)
    var places = PacketPlaces()
    var content: [UInt8] = []
    for number in 0..<old.count {
      let place = try #require(old.place(of: number))
      content += try #require(caf.bytes(at: place.offset, count: Int(place.bytes)))
      _ = places.append(offset: MPEG4Writer.dataOffset + places.byteCount, bytes: Int64(place.bytes))
    }
    track.places = places
    track.trim = trim
    track.durations = PacketDurations()
    let frames = sound[0].count
    track.durations.append(count: Int64(frames / 4_096), frames: 4_096)
    track.durations.append(count: 1, frames: Int64(frames % 4_096))
    return MPEG4Writer.beginning(dataBytes: Int64(content.count)) + content
      + (try #require(MPEG4Writer.movie(track, texts: [("title", "Noise")])))
  }

  @Test(arguments: [1, 2, 6]) func appleLosslessInMPEG4IsExact(_ channels: Int) throws {
    // Not only whole packets, and more than a chunk holds.
    let sound = Self.noise(channels: channels, frames: 4_096 * 17 + 1_234)
    let path = folder.file("a.m4a")
    write(try m4a(sound), to: path)
    #expect(try readFile(path) == sound)
    let info = try SoundFileReader(path: path).info
    #expect(info.frameCount == Int64(sound[0].count))
    #expect(info.containerName == "MPEG-4" && info.encoding == .alac16 && info.container == .m4a)
    #expect(info.metadata[.title] == "Noise")
    #expect(info.remarks.isEmpty)
  }

  @Test func anEditListCutsToTheFrame() throws {
    let sound = Self.noise(channels: 2, frames: 20_000)
    let path = folder.file("a.m4a")
    write(try m4a(sound, trim: PacketTrack.Trim(priming: 2_112, valid: 15_001, remainder: 0)), to: path)
    let heard = sound.map { Array($0[2_112..<17_113]) }
    #expect(try readFile(path) == heard)
    #expect(try readFile(path, slice: 1).first?.count == 15_001)
    let reader = try SoundFileReader(path: path)
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 100)
    for place in [14_950, 0, 5_000, 4_999, 15_001] {
      try reader.seek(toFrame: Int64(place))
      let got = try reader.read(into: buffer.planes, frames: 100)
      #expect(got == min(100, 15_001 - place))
      #expect(buffer.channels(got) == heard.map { Array($0[place..<place + got]) }, "\(place)")
    }
  }

  /// The packets are those of an AIFF-C file, which libsndfile reads.
  @Test func appleIMA4InCAFIsThatOfAIFF() throws {
    let aiff = folder.file("a.aifc")
    try writeFile(aiff, SoundFileFormat(container: .aiff, encoding: .imaADPCM), Self.noise(channels: 1, frames: 6_400))
    let content = MemoryStorage(try bytes(aiff))
    let track = try #require(PacketFile(content)?.tracks.first)
    #expect(track.packetCount == 100)
    let sound = try #require(content.bytes(at: track.dataOffset, count: 3_400))
    func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + Int64(bytes.count).bigEndianBytes + bytes
    }
    let description =
      48_000.0.bitPattern.bigEndianBytes + Array("ima4".utf8)
      + [UInt32(0), 34, 64, 1, 0].flatMap { $0.bigEndianBytes }
    let table =
      Int64(0).bigEndianBytes + Int64(6_390).bigEndianBytes + Int32(4).bigEndianBytes + Int32(6).bigEndianBytes
    let path = folder.file("a.caf")
    write(
      Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("pakt", table)
        + chunk("data", [0, 0, 0, 0] + sound), to: path)
    let whole = try readFile(aiff)
    #expect(whole[0].count == 6_400 && whole[0].contains { $0 != 0 })
    // The first frames are left out, and the last.
    #expect(try readFile(path) == [Array(whole[0][4..<6_394])])
  }

  @Test func packetsThatAreNoneAreNamed() throws {
    // AAC in ADTS: three frames of eight bytes.
    let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0xFF, 0xFC] + [UInt8](repeating: 0x21, count: 8)
    let path = folder.file("a.aac")
    write(frame + frame + frame, to: path)
    let error = #expect(throws: BenchError.self) { try SoundFileReader(path: path) }
    #expect(error?.message == "its first packet of AAC cannot be decoded")
    #expect(error?.kind == .input)
  }

  /// Any damage is an error or a file of as many frames as it says, and never ends the program.
  @Test(arguments: 0..<4) func damagedFilesAreReadOrRefused(_ part: UInt64) throws {
    let whole = try m4a(
      Self.noise(channels: 1, frames: 10_000), trim: PacketTrack.Trim(priming: 7, valid: 9_000, remainder: 0))
    var generator = SeededGenerator(seed: 100 + part)
    let movie = whole.count - 700
    var opened = 0
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<3 { bytes[movie + Int(generator.next() % 700)] = UInt8(truncatingIfNeeded: generator.next() >> 9) }
      guard let reader = try? SoundFileReader(storage: MemoryStorage(bytes), name: "a.m4a", allowTruncated: true),
        reader.info.channelCount <= 8
      else { continue }
      opened += 1
      let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: 1_000)
      var done: Int64 = 0
      while let got = try? reader.read(into: buffer.planes, frames: 1_000), got > 0, done < 1 << 20 {
        done += Int64(got)
      }
      #expect(done <= max(0, reader.info.frameCount))
    }
    #expect(opened > 10)
  }
}
