// The boxes of MPEG-4, QuickTime and 3GPP files (ISO 14496-12). A box that says more than the one around it has ends
// with that one.

import AudioCore

package struct MPEG4Box: Sendable {
  package let type: FourCharCode
  /// The place of its header.
  let start: Int64
  package let content: Range<Int64>

  /// Bytes of the longest header.
  package static let headerBytes: Int64 = 16

  /// The box whose header begins at `offset`; nil where there is none.
  package static func box(_ storage: any PacketBytes, at offset: Int64) -> MPEG4Box? {
    storage.boxes(in: offset..<max(offset, storage.length)).first { _ in true }
  }
}

/// The boxes of a range of a file, in order.
struct MPEG4Boxes: Sequence, IteratorProtocol {
  private let storage: any PacketBytes
  private var offset: Int64
  private let end: Int64
  /// Boxes after which a file is taken for endless.
  private var left = 1 << 20
  /// Bytes that are read ahead for each header.
  private var window: ByteWindow?

  init(_ storage: any PacketBytes, in range: Range<Int64>) {
    self.storage = storage
    offset = range.lowerBound
    end = Swift.min(range.upperBound, storage.length)
    // Boxes within others lie close to one another; those of a file do not.
    if range.upperBound - range.lowerBound < 1 << 20 { window = ByteWindow(storage) }
  }

  mutating func next() -> MPEG4Box? {
    guard left > 0, offset <= end - 8, let head = bytes(offset, 8), var size = head.number(0, 4),
      let type = head.word(4)
    else { return nil }
    left -= 1
    var header: Int64 = 8
    if size == 1 {
      guard let long = bytes(offset + 8, 8)?.number(0, 8), long >= 16 else { return nil }
      (size, header) = (long, 16)
    } else if size == 0 {
      size = end - offset
    }
    guard size >= header else { return nil }
    let start = offset
    offset = Swift.min(end, start.plus(size))
    return MPEG4Box(
      type: FourCharCode(rawValue: type), start: start, content: Swift.min(start + header, offset)..<offset)
  }

  private mutating func bytes(_ offset: Int64, _ count: Int) -> [UInt8]? {
    guard offset <= end - Int64(count) else { return nil }
    return window == nil
      ? storage.bytes(at: offset, count: count) : window?.bytes(at: offset, count: count).map(Array.init)
  }
}

extension PacketBytes {
  func boxes(in range: Range<Int64>) -> MPEG4Boxes { MPEG4Boxes(self, in: range) }

  /// The first box of a type, by the types of those around it from the outermost on.
  func box(_ path: FourCharCode..., in range: Range<Int64>) -> MPEG4Box? {
    var range = range
    var found: MPEG4Box?
    for type in path {
      found = boxes(in: range).first { $0.type == type }
      guard let found else { return nil }
      range = found.content
    }
    return found
  }
}
