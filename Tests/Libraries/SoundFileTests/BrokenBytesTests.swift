import AudioCore
import FoundationEssentials
import Glibc
import SoundFile
import TestSupport
import Testing

/// The errors of files of which one byte is another, and of storages of which one call fails.
///
/// New texts: ``HeldText``.
@Suite("Broken bytes and storages are told as they always have been")
struct BrokenBytesTests {
  private static let containers: [(container: SoundFileContainer, encoding: SoundFileEncoding?)] = [
    (.wav, .pcm16), (.wavex, .pcm24), (.rf64, .float32), (.w64, .pcm16), (.aiff, .pcm24), (.caf, .pcm16),
    (.caf, .alac16),
    (.au, .pcm16), (.flac, nil), (.ogg, nil), (.mp3, nil),
  ]

  /// A short file of each kind.
  private func files() throws -> [(name: String, bytes: [UInt8])] {
    let folder = TemporaryFolder()
    return try Self.containers.map { container, encoding in
      let format = encoding.map { SoundFileFormat(container: container, encoding: $0) } ?? .init(container: container)
      try writeFile(folder.file("a"), format, sines(1, frames: 5000), expectedFrames: 5000)
      return ("\(container) \(format.encoding)", bytes(ofFile: folder.file("a")))
    }
  }

  @Test("each of the first bytes with other values, and each length of the file")
  func bytesByPlace() throws {
    var answers = HeldDigests()
    for (name, whole) in try files() {
      for place in stride(from: 0, to: min(whole.count, 240), by: 4) {
        answers.add(
          "\(name) \(place)",
          (place..<min(place + 4, whole.count)).flatMap { at in
            Set<UInt8>([0, 1, 0x7F, 0x80, 0xFF, whole[at] ^ 1, whole[at] ^ 0x10]).sorted().map { value in
              var bytes = whole
              bytes[at] = value
              return "\(at) = \(value): \(description(of: bytes))"
            }
          })
      }
      let lengths = Array(0..<min(whole.count, 120)) + [whole.count - 1, whole.count / 2]
      answers.add("\(name) cut", lengths.map { "\($0): \(description(of: Array(whole[..<$0])))" })
      answers.add(
        "\(name) longer", [1, 2, 3, 100].map { "\($0): \(description(of: whole + Array(repeating: 0xFF, count: $0)))" })
    }
    let difference = try answers.difference(from: "broken-bytes")
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// Everything that is read of a file.
  private func description(of bytes: [UInt8]) -> String {
    let storage = MemoryStorage(bytes)
    var parts: [String] = []
    if let layout = ContainerLayout(storage) {
      let chunks = layout.chunks.map {
        "\(String($0.id, radix: 16)) \($0.headerOffset) \($0.contentOffset) \($0.contentBytes)"
      }
      parts.append("\(layout.kind) \(layout.dataOffset) \(layout.statedBytes ?? -1) \(chunks)")
      if let limit = PlainFileHeader.dataLimit(layout) { parts.append("limit \(limit)") }
      let table = PacketTable(
        coreAudioFile: storage, layout: layout, dataBytes: layout.statedBytes ?? storage.length, framesPerPacket: 4096)
      if let table { parts.append(text(of: table)) }
    }
    if let table = PacketTable(flac: storage) { parts.append("flac \(text(of: table))") }
    if let table = PacketTable(mpeg: storage), table.count > 0 { parts.append("mpeg \(text(of: table))") }
    if let offset = FLACHeader.soundOffset(storage, from: 0) {
      parts.append("sound at \(offset), \(FLACHeader.framesPerPacket(storage, from: 0) ?? -1)")
    }
    for allowsTruncated in [false, true] {
      do throws(BenchError) {
        let reader = try SoundFileReader(storage: MemoryStorage(bytes), name: "a", allowTruncated: allowsTruncated)
        let info = reader.info
        parts.append("\(info), \(info.promisedFrames ?? -1) \(info.sourceBits ?? 0) \(info.isFloat) \(info.isSeekable)")
        let frames = min(Int(info.frameCount), 100)
        guard frames > 0, info.channelCount <= 8 else { continue }
        let buffer = PlanarBuffer(channelCount: info.channelCount, frameCapacity: frames)
        let got = try reader.read(into: buffer.planes, frames: frames)
        let sum = buffer.channels(got).joined().reduce(0) { $0 + ($1.isFinite ? abs(Double($1)) : 7) }
        parts.append("\(got) of \(sum == 0 ? 0 : Int(clamping: min(sum, 1e9) * 100))")
      } catch {
        parts.append(Self.text(of: error))
      }
    }
    return parts.joined(separator: "; ")
  }

  /// Without the reason that libsndfile gives where it does not open a file: that is one for the whole process, and may
  /// be of a file that another test opens.
  private static func text(of error: BenchError) -> String {
    let text = "\(error)"
    for words in ["of a kind that cannot be read: ", "a second time: "] {
      if let found = text.range(of: words) { return String(text[..<found.upperBound]) }
    }
    return text
  }

  private func text(of table: PacketTable) -> String {
    "\(table.count) packets of \(table.framesPerPacket) to \(table.largest), \(table.validFrames ?? -1) \(table.primingFrames) "
      + "\(table.remainderFrames), \(HeldText.digest(table.offsets.map { "\($0)" })), \(table.lastPacket(notAfter: 700) ?? -1)"
  }

  /// ISO/IEC 11172-3, 2.4.2.3, and 13818-3: reserved versions, layers and rates, and bit rates that are free or
  /// forbidden.
  @Test("An MPEG header is one where none of its fields is reserved")
  func mpegHeaders() {
    for second in UInt8.min...(.max) {
      for third in UInt8.min...(.max) {
        let (version, layer) = (second >> 3 & 3, second >> 1 & 3)
        let (bitRate, rate) = (third >> 4, third >> 2 & 3)
        let isOne = second >= 0xE0 && version != 1 && layer != 0 && (1...14).contains(bitRate) && rate != 3
        let header = MPEGFrameHeader([0xFF, second, third, 0])
        #expect((header != nil) == isOne, "\(second) \(third)")
        if let header { #expect(header.bytes >= 24 && header.bytes <= 2881 && [1, 2, 3].contains(header.layer)) }
      }
    }
    #expect(MPEGFrameHeader([0xFE, 0xFB, 0x90, 0]) == nil && MPEGFrameHeader([0xFF, 0xFB, 0x90]) == nil)
  }

  /// RFC 9639, section 9.1: the number of a frame is written as UTF-8 writes one, and a CRC-8 ends the header.
  @Test("A FLAC frame is found where its number and its checksum are right")
  func flacHeaders() {
    func packets(_ number: [UInt8], checksumOff: UInt8 = 0) -> Int? {
      let header: [UInt8] = [0xFF, 0xF8, 0x80, 0x00] + number
      let checksum = header.reduce(UInt8(0)) { sum, byte in
        (0..<8).reduce(sum ^ byte) { word, _ in word & 0x80 != 0 ? word << 1 ^ 0x07 : word << 1 }
      }
      let information = [0x80, 0, 0, 34, 0x10, 0, 0x10, 0] + [UInt8](repeating: 0, count: 30)
      let sound = header + [checksum ^ checksumOff] + [UInt8](repeating: 0, count: 40)
      return PacketTable(flac: MemoryStorage(Array("fLaC".utf8) + information + sound))?.count
    }
    for number: [UInt8] in [
      [0], [0x7F], [0xC2, 0x80], [0xE1, 0x80, 0xBF], [0xFE, 0xBF, 0x80, 0x80, 0x80, 0x80, 0x80],
    ] {
      #expect(packets(number) == 1, "\(number)")
      #expect(packets(number, checksumOff: 1) == nil, "\(number)")
    }
    for number: [UInt8] in [[0x80], [0xC2, 0x00], [0xC2, 0xC0], [0xE1, 0x80, 0x40], [0xFF, 0x80, 0x80]] {
      #expect(packets(number) == nil, "\(number)")
    }
  }

  @Test("A disk that is full from the first byte is told as such, whatever is written to it")
  func noSpace() throws {
    let folder = TemporaryFolder()
    for (container, encoding) in Self.containers {
      let format = encoding.map { SoundFileFormat(container: container, encoding: $0) } ?? .init(container: container)
      for space in [Int64(0), 1, 20] {
        var options = SoundFileWriterOptions()
        options.space = space
        let error = #expect(throws: BenchError.self, "\(format) \(space)") {
          try writeFile(folder.file("a"), format, sines(1, frames: 5000), expectedFrames: 5000, options: options)
        }
        #expect(
          error.map { "\($0)".contains("no space left") } ?? false, "\(format) \(space): \(error.map { "\($0)" } ?? "")"
        )
        #expect(folder.names.isEmpty)
      }
    }
  }

  // MARK: Storages

  /// Fails at one call, or from it on.
  private final class Failing: ByteStorage {
    private let inner: MemoryStorage
    private var calls = 0
    private let at: Int
    private let staysBroken: Bool
    /// The calls that count: reads, writes or lengths set.
    private let kind: Kind
    enum Kind: CaseIterable { case read, write, setLength }

    init(_ bytes: [UInt8], _ kind: Kind, at: Int, staysBroken: Bool) {
      (inner, self.kind, self.at, self.staysBroken) = (MemoryStorage(bytes), kind, at, staysBroken)
    }

    var length: Int64 { inner.length }
    var hasFailed: Bool { calls > at }

    private func count(_ kind: Kind) throws(StorageError) {
      guard kind == self.kind else { return }
      defer { calls += 1 }
      if staysBroken ? calls >= at : calls == at { throw at % 2 == 0 ? .system(ENOSPC) : .status(-77) }
    }
    func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
      try self.count(.read)
      return try inner.read(bytes, count: count, at: offset)
    }
    func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {
      try self.count(.write)
      try inner.write(bytes, count: count, at: offset)
    }
    func setLength(_ length: Int64) throws(StorageError) {
      try self.count(.setLength)
      try inner.setLength(length)
    }
  }

  @Test("a call of the storage that fails, each in turn")
  func failingStorages() throws {
    var lines: [String] = []
    for (name, whole) in try files() {
      for staysBroken in [false, true] {
        for at in 0..<24 {
          let storage = Failing(whole, .read, at: at, staysBroken: staysBroken)
          let answer = reading(storage)
          guard storage.hasFailed else { break }
          lines.append("\(name) read \(at)\(staysBroken ? " on" : ""): \(answer)")
        }
      }
    }
    for (container, encoding) in [
      (SoundFileContainer.flac, SoundFileEncoding?.none), (.caf, .alac16), (.wav, .ulaw), (.aiff, .alaw),
      (.wav, .pcm16),
      (.ogg, nil),
    ] {
      let format = encoding.map { SoundFileFormat(container: container, encoding: $0) } ?? .init(container: container)
      for kind in [Failing.Kind.write, .setLength, .read] {
        for staysBroken in [false, true] {
          for at in 0..<24 {
            let storage = Failing([], kind, at: at, staysBroken: staysBroken)
            let answer = writing(format, storage)
            guard storage.hasFailed else { break }
            lines.append("\(format) \(kind) \(at)\(staysBroken ? " on" : ""): \(answer)")
          }
        }
      }
    }
    let different = try HeldText.difference(lines, from: "failing-storages")
    #expect(different == nil, "\(different.map { "\($0)" } ?? "")")
  }

  private func reading(_ storage: Failing) -> String {
    do throws(BenchError) {
      let reader = try SoundFileReader(storage: storage, name: "a")
      let buffer = PlanarBuffer(channelCount: 1, frameCapacity: 5000)
      var parts = ["\(reader.info.frameCount) frames"]
      do throws(BenchError) {
        for _ in 0..<3 { parts.append("\(try reader.read(into: buffer.planes, frames: 1600))") }
      } catch {
        parts.append(Self.text(of: error))
      }
      return (parts + ["\(reader.storageError.map { "\($0)" } ?? "whole")"]).joined(separator: ", ")
    } catch {
      return Self.text(of: error)
    }
  }

  private func writing(_ format: SoundFileFormat, _ storage: Failing) -> String {
    do throws(BenchError) {
      let encoder = try SoundFileEncoder(storage, name: "a", format: format, sampleRate: 48_000, channelCount: 1)
      var samples = (0..<4800).map { UInt32(truncatingIfNeeded: $0 &* 7_654_321) & 0x3FFF_FF00 }
      var parts: [String] = []
      for _ in 0..<3 {
        samples.withUnsafeMutableBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          parts.append("\(encoder.write(start, frames: 4800)) \(encoder.updateHeader()) \(encoder.framesWritten)")
        }
      }
      parts.append("\(encoder.finish()) \(encoder.storageError.map { "\($0)" } ?? "whole") \(storage.length)")
      return parts.joined(separator: ", ")
    } catch {
      return Self.text(of: error)
    }
  }

  @Test("pages of an Ogg file that are none are refused; those in front of them are numbered")
  func oggPages() throws {
    let folder = TemporaryFolder()
    try writeFile(folder.file("a"), .init(container: .ogg), sines(1, frames: 2000))
    let whole = bytes(ofFile: folder.file("a"))
    // A file that is renumbered once stays as it is.
    #expect(try renumbered(whole, folder) == (0, whole))
    func answer(_ body: (inout [UInt8]) -> Void) throws -> Int32 {
      var bytes = whole
      body(&bytes)
      return try renumbered(bytes, folder).status
    }
    let second = 27 + Int(whole[26]) + whole[27..<27 + Int(whole[26])].reduce(0) { $0 + Int($1) }
    for start in [0, second] {
      for offset in 0..<4 { #expect(try answer { $0[start + offset] ^= 1 } == EILSEQ) }
      // A page that ends in its head, in its list of segments, and in its content.
      for length in [start + 1, start + 26, start + 27, start + 28] {
        #expect(try answer { $0.removeSubrange(length...) } == EILSEQ, "\(length)")
      }
    }
    #expect(try answer { $0.removeLast() } == EILSEQ)
    #expect(try answer { $0.removeSubrange(second...) } == 0)
    #expect(try answer { $0 = [] } == 0)
    // Another serial, and what follows from it, becomes 1 again; of two streams the second is 2.
    var other = whole
    other[14] = 99
    let (status, mended) = try renumbered(other, folder)
    #expect(status == 0 && mended[14..<18].elementsEqual([1, 0, 0, 0]) && mended[..<22].elementsEqual(whole[..<22]))
    #expect(mended[second + 14] == 2, "the other pages are of a stream that begins behind")
    let descriptor = open(folder.file("a"), O_RDONLY)
    defer { close(descriptor) }
    #expect(OggSerial.renumber(descriptor, length: Int64(whole.count)) == EBADF)
    #expect(OggSerial.renumber(-1, length: Int64(whole.count)) == EBADF)
  }

  private func renumbered(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> (status: Int32, bytes: [UInt8]) {
    write(bytes, to: folder.file("b"))
    let descriptor = open(folder.file("b"), O_RDWR)
    defer { close(descriptor) }
    let status = OggSerial.renumber(descriptor, length: Int64(bytes.count))
    return (status, TestSupport.bytes(ofFile: folder.file("b")))
  }
}
