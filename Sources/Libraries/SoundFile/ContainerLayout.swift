// The layout of a sound file, read without libsndfile: the chunks, and the bytes of the sound. Only containers that
// hold chunks or plain samples; the contents of a chunk are not checked here.

import AudioCore
/// The chunks of a WAV, RF64, AIFF, CAF, Wave64 or AU file, in the order in which they lie.
package struct ContainerLayout: Sendable {
  package enum Kind: Sendable {
    case wave, rf64, bw64, aiff, aifc, caf, wave64, au

    /// The container as reports and libsndfile name it.
    package var container: SoundFileContainer {
      switch self {
      case .wave: .wav
      case .rf64, .bw64: .rf64
      case .aiff, .aifc: .aiff
      case .caf: .caf
      case .wave64: .w64
      case .au: .au
      }
    }
  }

  package struct Chunk: Sendable {
    /// The four characters, big-endian; of Wave64's long names the first four.
    package let id: UInt32
    package let headerOffset: Int64
    package let contentOffset: Int64
    /// As the chunk says; it may be more than the file has.
    package let contentBytes: Int64
  }

  package let kind: Kind
  /// Byte order of the header's numbers.
  package let isBigEndian: Bool
  package private(set) var chunks: [Chunk] = []
  /// The chunk that holds the sound, by its place in `chunks`; AU has none.
  package private(set) var soundIndex: Int?
  /// The offset of the first sample.
  package private(set) var dataOffset: Int64
  /// Bytes of sound as the header states them; nil where it leaves them open (streamed files).
  package private(set) var statedBytes: Int64?
  /// The end of the whole file as its header states it; nil where it says none.
  private(set) var outerEnd: Int64?

  /// Nil where this is no such file, or its sound is not found.
  package init?(_ storage: any ByteStorage) {
    var missing: Int64?
    self.init(storage, missing: &missing)
  }

  /// The layout of a file of which only the beginning is there.
  /// - Parameter missing: set with a result of nil: the length that the beginning must have for the next step; nil where
  ///   more bytes do not help.
  package init?(_ storage: any ByteStorage, missing: inout Int64?) {
    let bytes = HeaderBytes(storage)
    missing = nil
    var walker: Walker
    switch bytes.text(at: 0) {
    case "RIFF", "RIFX":
      guard bytes.text(at: 8) == "WAVE" else { return nil }
      (kind, isBigEndian) = (.wave, bytes.text(at: 0) == "RIFX")
      walker = Walker(offset: 12, sizeBytes: 4, alignment: 2)
    case "RF64", "BW64":
      guard bytes.text(at: 8) == "WAVE" else { return nil }
      (kind, isBigEndian) = (bytes.text(at: 0) == "RF64" ? .rf64 : .bw64, false)
      walker = Walker(offset: 12, sizeBytes: 4, alignment: 2)
    case "FORM":
      guard let form = bytes.text(at: 8), form == "AIFF" || form == "AIFC" else { return nil }
      (kind, isBigEndian) = (form == "AIFF" ? .aiff : .aifc, true)
      walker = Walker(offset: 12, sizeBytes: 4, alignment: 2)
    case "caff":
      (kind, isBigEndian) = (.caf, true)
      walker = Walker(offset: 8, sizeBytes: 8, alignment: 1)
    case "riff":
      (kind, isBigEndian) = (.wave64, false)
      walker = Walker(offset: 40, sizeBytes: 8, alignment: 8, idBytes: 16, sizeCountsHeader: true)
    case ".snd", "dns.":
      (kind, isBigEndian) = (.au, bytes.text(at: 0) == ".snd")
      guard let offset = bytes.integer(at: 4, 4, isBigEndian: isBigEndian),
        let size = bytes.integer(at: 8, 4, isBigEndian: isBigEndian)
      else {
        missing = 12
        return nil
      }
      dataOffset = offset
      statedBytes = isStreaming(size) ? nil : size
      return
    default: return nil
    }
    dataOffset = 0
    while let chunk = walker.next(bytes, isBigEndian: isBigEndian) {
      chunks.append(chunk)
      guard soundIndex == nil, chunk.id == (isAIFF ? Self.ssnd : Self.data) else { continue }
      guard locateSound(chunk, bytes: bytes) else {
        missing = chunk.contentOffset + 8
        return nil
      }
      soundIndex = chunks.count - 1
      guard let statedBytes else { break }
      // The chunk's own size may be a placeholder of the 32-bit field.
      let lead = dataOffset - chunk.contentOffset
      walker.skip(to: chunk.contentOffset, bytes: statedBytes.addingOrMax(lead))
    }
    guard soundIndex != nil else {
      if walker.left > 0, walker.offset < 1 << 61 { missing = walker.offset + walker.headerBytes }
      return nil
    }
    outerEnd = statedEnd(bytes)
  }

  /// The end of the file as its first chunk, which holds all others, has it.
  private func statedEnd(_ bytes: HeaderBytes) -> Int64? {
    switch kind {
    case .wave, .aiff, .aifc:
      bytes.integer(at: 4, 4, isBigEndian: isBigEndian).flatMap { isStreaming($0) || $0 == 0 ? nil : $0 + 8 }
    case .rf64, .bw64:
      first(Self.ds64).flatMap { bytes.integer(at: $0.contentOffset, 8, isBigEndian: false) }
        .flatMap { $0 <= 0 ? nil : $0.addingOrMax(8) }
    case .wave64: bytes.integer(at: 16, 8, isBigEndian: false).flatMap { $0 <= 0 ? nil : $0 }
    case .caf, .au: nil
    }
  }

  package var isAIFF: Bool { kind == .aiff || kind == .aifc }

  /// True when other chunks come after the sound, so that it cannot grow.
  package var hasChunksAfterSound: Bool { soundIndex.map { $0 < chunks.count - 1 } ?? false }

  package func chunks(_ id: UInt32) -> [Chunk] { chunks.filter { $0.id == id } }
  func first(_ id: UInt32) -> Chunk? { chunks.first { $0.id == id } }

  private mutating func locateSound(_ chunk: Chunk, bytes: HeaderBytes) -> Bool {
    var size = chunk.contentBytes
    switch kind {
    case .aiff, .aifc:
      guard let skip = bytes.integer(at: chunk.contentOffset, 4, isBigEndian: true) else { return false }
      dataOffset = chunk.contentOffset + 8 + skip
      statedBytes = isStreaming(size) ? nil : max(0, size - 8 - skip)
    case .caf:
      // The data begins with an edit count of four bytes; −1 is "to the end of the file".
      dataOffset = chunk.contentOffset + 4
      statedBytes = isStreaming(size) ? nil : max(0, size - 4)
    case .wave64:
      dataOffset = chunk.contentOffset
      statedBytes = isStreaming(size) ? nil : size
    default:
      dataOffset = chunk.contentOffset
      if size == 0xFFFF_FFFF, let sizes = first(Self.ds64),
        let long = bytes.integer(at: sizes.contentOffset + 8, 8, isBigEndian: false), long > 0 || kind != .wave
      {
        size = long
        statedBytes = size < 0 || size >= 1 << 61 ? nil : size
      } else {
        statedBytes = isStreaming(size) ? nil : size
      }
    }
    return true
  }

  /// Headers of endless streams: ffmpeg writes −1, sox 0x7F000000, others the largest multiple below 2 or 4 GiB. Eight
  /// bytes with the sign bit set are a size that no file has.
  private func isStreaming(_ size: Int64) -> Bool {
    switch kind {
    case .caf, .wave64: size < 0 || size >= 1 << 61
    default:
      size < 0 || size >= 0xFFFF_F000 || (0x7FFF_F000...0x7FFF_FFFF).contains(size)
        || (0x7F00_0000...0x7F00_0100).contains(size)
    }
  }

  static let data: UInt32 = 0x6461_7461
  static let ssnd: UInt32 = 0x5353_4E44
  static let ds64: UInt32 = 0x6473_3634
}

/// Goes from chunk to chunk.
private struct Walker {
  var offset: Int64
  let sizeBytes: Int
  let alignment: Int64
  var idBytes = 4
  var sizeCountsHeader = false
  /// Chunks looked at before a header is taken for endless.
  var left = 10_000

  var headerBytes: Int64 { Int64(idBytes + sizeBytes) }

  mutating func next(_ bytes: HeaderBytes, isBigEndian: Bool) -> ContainerLayout.Chunk? {
    let header = headerBytes
    guard left > 0, let id = bytes.integer(at: offset, 4, isBigEndian: true),
      var size = bytes.integer(at: offset + Int64(idBytes), sizeBytes, isBigEndian: isBigEndian)
    else { return nil }
    left -= 1
    // Below 0 is no size, whatever it counts.
    if sizeCountsHeader, size >= 0 { size -= header }
    let chunk = ContainerLayout.Chunk(
      id: UInt32(id), headerOffset: offset, contentOffset: offset + header, contentBytes: size)
    // −1 is the sound's own business; the walk ends with it.
    skip(to: chunk.contentOffset, bytes: size < 0 ? .max : size)
    return chunk
  }

  mutating func skip(to contentOffset: Int64, bytes: Int64) {
    let end = contentOffset.addingOrMax(bytes)
    offset = end > .max - alignment ? .max : (end + alignment - 1) / alignment * alignment
  }
}

/// Fields of a header by their place in the file; nil past its end.
struct HeaderBytes {
  private let storage: any ByteStorage
  private let length: Int64

  init(_ storage: any ByteStorage) {
    self.storage = storage
    length = storage.length
  }

  func text(at offset: Int64) -> String? {
    guard let word = integer(at: offset, 4, isBigEndian: true) else { return nil }
    let letters = UInt32(word).bigEndianBytes
    return letters.allSatisfy({ (0x20..<0x7F).contains($0) }) ? String(decoding: letters, as: UTF8.self) : "????"
  }

  /// An integer without sign, but for eight bytes, which have one.
  func integer(at offset: Int64, _ count: Int, isBigEndian: Bool) -> Int64? {
    guard offset >= 0, offset <= length - Int64(count) else { return nil }
    var raw: UInt64 = 0
    let got = try? withUnsafeMutableBytes(of: &raw) { buffer in
      try buffer.baseAddress.map { try storage.read($0, count: count, at: offset) }
    }
    guard got == count else { return nil }
    let little = UInt64(littleEndian: raw)
    let value = isBigEndian ? little.byteSwapped >> UInt64(64 - 8 * count) : little
    return Int64(bitPattern: value)
  }
}

extension Int64 {
  /// The sum, or the largest number where that is too large for one.
  package func addingOrMax(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
