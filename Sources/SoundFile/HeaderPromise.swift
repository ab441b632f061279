// What a header says about the length of its sound, read without libsndfile: that makes a file that was cut off
// shorter in silence, and a render that takes it for whole has lost sound.

import Glibc

/// Where the sound of a file begins, and how many bytes of it the header promises.
struct HeaderPromise: Equatable {
  var dataOffset: Int64
  var dataBytes: Int64

  /// Nil where the header states no length (streamed files say 0, −1 or a largest value), or is of a kind that has none.
  init?(descriptor: Int32, length: Int64) {
    let bytes = HeaderBytes(descriptor: descriptor, length: length)
    guard let found = Self.find(bytes) else { return nil }
    self = found
  }

  private init(dataOffset: Int64, dataBytes: Int64) {
    self.dataOffset = dataOffset
    self.dataBytes = dataBytes
  }

  /// Bytes that are missing at the end of a file of `length` bytes.
  func missingBytes(length: Int64) -> Int64 {
    let (end, overflow) = dataOffset.addingReportingOverflow(dataBytes)
    return overflow ? .max : max(0, end - length)
  }

  private static func find(_ bytes: HeaderBytes) -> HeaderPromise? {
    switch bytes.text(at: 0) {
    case "RIFF", "RF64", "BW64": riff(bytes, isBigEndian: false)
    case "RIFX": riff(bytes, isBigEndian: true)
    case "FORM": aiff(bytes)
    case "caff": caf(bytes)
    case "riff": wave64(bytes)
    case ".snd": sun(bytes, isBigEndian: true)
    case "dns.": sun(bytes, isBigEndian: false)
    default: nil
    }
  }

  /// Headers of endless streams: ffmpeg writes −1, sox and others the largest multiple below 2 or 4 GiB.
  private static func isStreaming(_ size: Int64) -> Bool {
    size == 0 || size >= 0xFFFF_F000 || (0x7FFF_F000...0x7FFF_FFFF).contains(size)
  }

  private static func riff(_ bytes: HeaderBytes, isBigEndian: Bool) -> HeaderPromise? {
    guard bytes.text(at: 8) == "WAVE" else { return nil }
    var offset: Int64 = 12
    var longSize: Int64?
    for _ in 0..<HeaderBytes.chunkLimit {
      guard let name = bytes.text(at: offset), var size = bytes.integer(at: offset + 4, 4, isBigEndian: isBigEndian)
      else { return nil }
      if name == "ds64" { longSize = bytes.integer(at: offset + 16, 8, isBigEndian: isBigEndian) }
      if name == "data" {
        if size == 0xFFFF_FFFF, let longSize, longSize > 0 {
          size = longSize
        } else if isStreaming(size) {
          return nil
        }
        return HeaderPromise(dataOffset: offset + 8, dataBytes: size)
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  private static func aiff(_ bytes: HeaderBytes) -> HeaderPromise? {
    guard let form = bytes.text(at: 8), form == "AIFF" || form == "AIFC" else { return nil }
    var offset: Int64 = 12
    for _ in 0..<HeaderBytes.chunkLimit {
      guard let name = bytes.text(at: offset), let size = bytes.integer(at: offset + 4, 4, isBigEndian: true) else {
        return nil
      }
      if name == "SSND" {
        guard !isStreaming(size), size >= 8, let skip = bytes.integer(at: offset + 8, 4, isBigEndian: true),
          skip <= size - 8
        else { return nil }
        return HeaderPromise(dataOffset: offset + 16 + skip, dataBytes: size - 8 - skip)
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  private static func caf(_ bytes: HeaderBytes) -> HeaderPromise? {
    var offset: Int64 = 8
    for _ in 0..<HeaderBytes.chunkLimit {
      guard let name = bytes.text(at: offset), let size = bytes.integer(at: offset + 4, 8, isBigEndian: true) else {
        return nil
      }
      // The data begins with an edit count of four bytes; −1 is "to the end of the file".
      if name == "data" { return size > 4 ? HeaderPromise(dataOffset: offset + 16, dataBytes: size - 4) : nil }
      guard size >= 0, size < bytes.length else { return nil }
      offset += 12 + size
    }
    return nil
  }

  private static func wave64(_ bytes: HeaderBytes) -> HeaderPromise? {
    var offset: Int64 = 40
    for _ in 0..<HeaderBytes.chunkLimit {
      guard let name = bytes.text(at: offset), let size = bytes.integer(at: offset + 16, 8, isBigEndian: false),
        size >= 24
      else { return nil }
      if name == "data" { return size > 24 ? HeaderPromise(dataOffset: offset + 24, dataBytes: size - 24) : nil }
      guard size < bytes.length else { return nil }
      offset += (size + 7) / 8 * 8
    }
    return nil
  }

  private static func sun(_ bytes: HeaderBytes, isBigEndian: Bool) -> HeaderPromise? {
    guard let offset = bytes.integer(at: 4, 4, isBigEndian: isBigEndian),
      let size = bytes.integer(at: 8, 4, isBigEndian: isBigEndian), !isStreaming(size)
    else { return nil }
    return HeaderPromise(dataOffset: offset, dataBytes: size)
  }
}

/// Fields of a header by their place in the file; nil past its end.
private struct HeaderBytes {
  let descriptor: Int32
  let length: Int64

  /// Chunks looked at before a header is taken for endless.
  static let chunkLimit = 10_000

  func text(at offset: Int64) -> String? {
    guard let word = integer(at: offset, 4, isBigEndian: true) else { return nil }
    let letters = (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    return letters.allSatisfy({ (0x20..<0x7F).contains($0) }) ? String(decoding: letters, as: UTF8.self) : "????"
  }

  func integer(at offset: Int64, _ count: Int, isBigEndian: Bool) -> Int64? {
    guard offset >= 0, offset <= length - Int64(count) else { return nil }
    var raw: UInt64 = 0
    guard pread(descriptor, &raw, count, off_t(offset)) == count else { return nil }
    let little = UInt64(littleEndian: raw)
    let value = isBigEndian ? little.byteSwapped >> UInt64(64 - 8 * count) : little
    return Int64(exactly: value) ?? .max / 2
  }
}
