// The offset of the sound in a FLAC file, and its division into blocks (RFC 9639, section 8).

import AudioCore
package enum FLACHeader {
  /// The first byte behind the metadata blocks; nil where they do not end within the file.
  package static func soundOffset(_ storage: any ByteStorage, from start: Int64) -> Int64? {
    var offset = start + 4
    for _ in 0..<10_000 {
      guard let block = block(storage, at: offset) else { return nil }
      offset = block.end
      if block.isLast { return offset <= storage.length ? offset : nil }
    }
    return nil
  }

  /// The metadata block whose header lies at `offset`; nil where the file ends in the header.
  package static func block(_ storage: any ByteStorage, at offset: Int64) -> (end: Int64, isLast: Bool)? {
    guard let header = storage.bytes(at: offset, count: 4) else { return nil }
    return (offset + 4 + header[1...].bigEndianValue, header[0] & 0x80 != 0)
  }

  /// Frames of every block but the last, where all have the same; the largest of them else.
  package static func framesPerPacket(_ storage: any ByteStorage, from start: Int64) -> Int? {
    guard let bytes = storage.bytes(at: start + 8, count: 4) else { return nil }
    let largest = Int(bytes[2...].bigEndianValue)
    return largest > 0 ? largest : nil
  }
}
