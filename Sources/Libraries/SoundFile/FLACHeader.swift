// The offset of the sound in a FLAC file, and its division into blocks (RFC 9639, section 8).

import AudioCore
package enum FLACHeader {
  /// The first byte behind the metadata blocks; nil where they do not end within the file.
  package static func soundOffset(_ storage: any ByteStorage, from start: Int64) -> Int64? {
    var offset = start + 4
    for _ in 0..<10_000 {
      guard let header = storage.bytes(at: offset, count: 4) else { return nil }
      offset += 4 + header[1...].bigEndianValue
      if header[0] & 0x80 != 0 { return offset <= storage.length ? offset : nil }
    }
    return nil
  }

  /// Frames of every block but the last, where all have the same; the largest of them else.
  package static func framesPerPacket(_ storage: any ByteStorage, from start: Int64) -> Int? {
    guard let bytes = storage.bytes(at: start + 8, count: 4) else { return nil }
    let largest = Int(bytes[2...].bigEndianValue)
    return largest > 0 ? largest : nil
  }
}
