import SoundFile
import TestSupport
import Testing

@Suite("Tables of packets")
struct PacketTableTests {
  /// A CAF file of Apple Lossless with a table of three packets of 5, 200 and 7 bytes, as Apple's specification has it.
  private static let file: [UInt8] = {
    func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + Int64(bytes.count).bigEndianBytes + bytes
    }
    let description = [UInt8](repeating: 0, count: 32)
    let table =
      Int64(3).bigEndianBytes + Int64(12_000).bigEndianBytes + Int32(0).bigEndianBytes + Int32(288).bigEndianBytes
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("pakt", table + [5, 0x81, 0x48, 7])
      + chunk("data", [0, 0, 0, 0] + [UInt8](repeating: 1, count: 212))
  }()

  @Test("a file that has become shorter since its chunks were found has a table or none")
  func shorter() throws {
    let layout = try #require(ContainerLayout(MemoryStorage(Self.file)))
    for length in 0...Self.file.count {
      let table = PacketTable(
        coreAudioFile: MemoryStorage(Array(Self.file[..<length])), layout: layout, dataBytes: 212, framesPerPacket: 4096
      )
      // The table lies behind the header, the description and its own name and size.
      let end = 8 + 12 + 32 + 12 + 28
      #expect((table != nil) == (length >= end), "\(length) bytes")
      if let table { #expect(table.sizes == [5, 200, 7] && table.validFrames == 12_000) }
    }
  }
}
