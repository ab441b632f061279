// Creative Voice files whose sound lies in several blocks, as FFmpeg writes them: libsndfile takes the headers between
// them for samples. It gets one block.

import AudioCore

/// Pieces of another storage and bytes of one's own, one behind the other. Not written to.
final class JoinedStorage: ByteStorage {
  enum Piece {
    case bytes([UInt8])
    case range(Range<Int64>)

    var length: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .range(let range): range.upperBound - range.lowerBound
      }
    }
  }

  private let base: any ByteStorage
  private let pieces: [(start: Int64, piece: Piece)]
  let length: Int64

  init(_ base: any ByteStorage, _ pieces: [Piece]) {
    var end: Int64 = 0
    var placed: [(start: Int64, piece: Piece)] = []
    for piece in pieces where piece.length > 0 {
      placed.append((end, piece))
      end += piece.length
    }
    (self.base, self.pieces, length) = (base, placed, end)
  }

  func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
    guard offset >= 0, offset < length, count > 0 else { return 0 }
    // The last piece that begins at the offset or in front of it.
    var (low, high) = (0, pieces.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pieces[middle].start <= offset { low = middle } else { high = middle }
    }
    var done = 0
    while done < count, low < pieces.count {
      let (start, piece) = pieces[low]
      let skip = offset + Int64(done) - start
      let wanted = Int(min(Int64(count - done), piece.length - skip))
      switch piece {
      case .bytes(let own):
        own.withUnsafeBytes { source in
          guard let first = source.baseAddress else { return }
          (bytes + done).copyMemory(from: first + Int(skip), byteCount: wanted)
        }
      case .range(let range):
        let got = try base.read(bytes + done, count: wanted, at: range.lowerBound + skip)
        guard got == wanted else { return done + got }
      }
      done += wanted
      low += 1
    }
    return done
  }

  func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {}
  func setLength(_ length: Int64) throws(StorageError) {}
}

extension VoiceFile {
  /// Blocks after which a file is taken for endless.
  private static let mostBlocks = 1 << 20
  /// Bytes of sound that the size of one block can say.
  private static let mostBytes: Int64 = 0xFF_FFFF - 12

  /// The file with its sound in one block; nil where it is in one, or where this is another kind of file.
  /// - Throws: `.input` where one block cannot hold it, or where blocks have different formats.
  static func joined(_ storage: any ByteStorage, _ path: String) throws(BenchError) -> JoinedStorage? {
    guard let header = storage.bytes(at: 0, count: 22), header.starts(with: "Creative Voice File".utf8) else {
      return nil
    }
    let start = header[20..<22].reversed().bigEndianValue
    var (offset, first, leads): (Int64, Int64?, Int64) = (start, nil, 0)
    var format: [UInt8] = []
    var pieces: [JoinedStorage.Piece] = []
    for _ in 0..<mostBlocks {
      guard let head = storage.bytes(at: offset, count: 4), head[0] != 0 else { break }
      let size = head[1...].reversed().bigEndianValue
      let content = offset + 4
      let end = min(storage.length, content + size)
      switch head[0] {
      case 1, 9:
        // Rate and codec; of the newer kind the reserved bytes too.
        let lead: Int64 = head[0] == 1 ? 2 : 12
        guard size >= lead, let own = storage.bytes(at: content, count: Int(lead)) else { return nil }
        if first == nil {
          (first, leads, format) = (offset, lead, own)
        } else if own != format {
          throw BenchError(.input, at: path, "its blocks of sound have different rates or formats")
        }
        pieces.append(.range(min(end, content + lead)..<end))
      case 2 where first != nil: pieces.append(.range(content..<end))
      case 3 where first != nil && isBytes(format):
        guard let pause = storage.bytes(at: content, count: 2) else { return nil }
        pieces.append(.bytes([UInt8](repeating: 0x80, count: Int(pause.reversed().bigEndianValue) + 1)))
      default: break
      }
      offset = content + size
    }
    guard let first, pieces.count > 1 else { return nil }
    let total = pieces.reduce(0) { $0 + $1.length }
    guard total <= mostBytes else {
      throw BenchError(
        .input, at: path,
        "its sound, \(NumberText.count(total, "byte")) in \(pieces.count) blocks, is longer than 16 MiB",
        advice: "convert it to WAV by another program")
    }
    let size = Array(UInt32(total + leads).littleEndianBytes[..<3])
    return JoinedStorage(
      storage,
      [.range(0..<first + 1), .bytes(size), .range(first + 4..<first + 4 + leads)] + pieces + [.bytes([0])])
  }

  /// True for unsigned samples of eight bits, whose silence is a pause's.
  private static func isBytes(_ format: [UInt8]) -> Bool {
    format.count == 2 ? format[1] == 0 : format[4] == 8 && format[6] == 0 && format[7] == 0
  }
}
