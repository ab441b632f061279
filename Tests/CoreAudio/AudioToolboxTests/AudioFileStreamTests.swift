import AudioCore
import AudioToolbox
import SoundFile
import TestSupport
import Testing

/// File streams: in any pieces what the file reader says of the whole file.
@Suite("File streams give what the file reader gives, however their bytes are cut")
struct AudioFileStreamTests {
  /// Sizes of pieces, by a number.
  private static func cuts(_ seed: UInt64) -> [Int] {
    var generator = SeededGenerator(seed: seed)
    return (0..<64).map { _ in
      switch generator.next() % 4 {
      case 0: 1 + Int(generator.next() % 16)
      case 1: Int(generator.next() % 3)
      default: 1 + Int(generator.next() % 5_000)
      }
    }
  }

  @Test("pieces of any size tell the same in the same order")
  func cuts() throws {
    for file in try [StreamedFile.wave()] + StreamedFile.plain() + StreamedFile.coded() {
      let whole = try StreamClient()
      whole.parse(file.bytes)
      #expect(whole.told.status == 0 && !whole.told.packets.isEmpty && !whole.told.isEarly, "\(file.name)")
      #expect(whole.told.properties.last?.hasPrefix("redy") ?? false, "\(file.name)")
      // Byte by byte where headers are; larger files in larger pieces behind them.
      let single = [Int](repeating: 1, count: 3_000) + [Int](repeating: 997, count: 3_000)
      for sizes in [single, [7], [4_096], Self.cuts(1), Self.cuts(2), Self.cuts(3)] {
        let client = try StreamClient()
        client.parse(file.bytes, sizes: sizes)
        #expect(client.told == whole.told, "\(file.name) in pieces of \(sizes.prefix(4))")
      }
    }
  }

  /// Properties of both interfaces, by the same names.
  private static let shared: [AudioFileStreamPropertyID] = [
    kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat, kAudioFileStreamProperty_FormatList,
    kAudioFileStreamProperty_MagicCookieData, kAudioFileStreamProperty_ChannelLayout,
    kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
    kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_MaximumPacketSize,
    kAudioFileStreamProperty_BitRate, kAudioFileStreamProperty_DataOffset,
  ]

  @Test("packets and properties are those of the file")
  func sameAsTheFile() throws {
    for streamed in try StreamedFile.plain() + StreamedFile.coded() {
      let folder = TemporaryFolder()
      let opened = openFile(folder.write(streamed.bytes, to: "sound"))
      #expect(opened.0 == 0, "\(streamed.name)")
      guard let file = opened.1 else { continue }
      defer { AudioFileClose(file) }
      let client = try StreamClient()
      client.parse(streamed.bytes, sizes: Self.cuts(4))
      let count = try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
      #expect(client.told.packets.count == Int(count), "\(streamed.name)")
      var missing: [String] = []
      for id in Self.shared {
        var size = UInt32(65_536)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let status = AudioFileGetProperty(file, id, &size, &bytes)
        let name = "\(AudioCore.FourCharCode(rawValue: id))"
        guard let answer = client.property(id) else {
          if status == 0 { missing.append(name) }
          continue
        }
        // Frames that say themselves how long they are have the mean of those so far; a file has that of all.
        if id == kAudioFileStreamProperty_BitRate, streamed.isMadeOfFrames { continue }
        #expect(status == 0 && answer == Array(bytes.prefix(Int(size))), "\(streamed.name) \(name)")
      }
      #expect(missing == streamed.unknown, "\(streamed.name)")
      // Packets with their descriptions, one call each.
      var room = [UInt8](repeating: 0, count: 1 << 16)
      for number in 0..<min(Int(count), client.told.packets.count) {
        var (packets, size, description) = (UInt32(1), UInt32(1 << 16), AudioStreamPacketDescription())
        #expect(AudioFileReadPacketData(file, false, &size, &description, Int64(number), &packets, &room) == 0)
        #expect(Array(room.prefix(Int(size))) == client.told.packets[number], "\(streamed.name) packet \(number)")
        if !client.told.frames.isEmpty {
          #expect(client.told.frames[number] == description.mVariableFramesInPacket)
        }
        if number > 200, streamed.name.contains(" ") { break }
      }
    }
  }

  @Test("packets of one size come without descriptions, others with one each")
  func descriptions() throws {
    for file in try StreamedFile.plain() + StreamedFile.coded() {
      let client = try StreamClient()
      client.parse(file.bytes)
      let format = try #require(client.value(kAudioFileStreamProperty_DataFormat, AudioStreamBasicDescription()))
      #expect(client.told.frames.count == (format.mBytesPerPacket > 0 ? 0 : client.told.packets.count), "\(file.name)")
      let bound = try #require(client.value(kAudioFileStreamProperty_PacketSizeUpperBound, UInt32(0)))
      #expect(client.told.packets.allSatisfy { $0.count <= Int(bound) }, "\(file.name)")
      let mean = try #require(client.value(kAudioFileStreamProperty_AverageBytesPerPacket, 0.0))
      let bytes = client.told.packets.reduce(0) { $0 + $1.count }
      let isStated = client.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) != nil
      #expect(
        abs(mean - Double(bytes) / Double(client.told.packets.count)) < (isStated && file.isMadeOfFrames ? 20 : 1e-6),
        "\(file.name)")
    }
  }
}

extension StreamedFile {
  /// True for frames without a table.
  var isMadeOfFrames: Bool { ["adts", "ac3", "amr", "loas", "mp3", "flac"].contains { name.contains($0) } }

  /// Properties that the file reader knows of the whole file alone.
  var unknown: [String] {
    switch name {
    case let name where name.contains("flac"): ["bcnt", "psze"]
    case let name where name.hasPrefix("mp3"): ["psze"]
    case let name where ["adts", "ac3", "amr", "loas"].contains { name.hasPrefix($0) }: ["bcnt", "pcnt", "psze"]
    default: []
    }
  }
}
