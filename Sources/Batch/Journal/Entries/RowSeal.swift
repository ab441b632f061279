import AudioCore
import Digests

/// The last column of a row: the digest of the others. SQLite finds pages that make no sense, but not a bit that has
/// changed in a value; a row whose seal does not fit counts as not there.
enum RowSeal {
  static func sealed(_ values: [SQLValue]) -> [SQLValue] { values + [.bytes(digest(values[...]).bytes)] }

  static func isWhole(_ row: [SQLValue]) -> Bool {
    guard case .bytes(let seal)? = row.last else { return false }
    return seal == digest(row.dropLast()).bytes
  }

  /// Each value has a letter for its kind and, where its length is not given by that, its length before it.
  private static func digest(_ values: ArraySlice<SQLValue>) -> Digest {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    func add(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    func add(_ kind: Character, _ word: UInt64) {
      bytes.append(kind.asciiValue ?? 0)
      add(word)
    }
    for value in values {
      switch value {
      case .null: bytes.append(UInt8(ascii: "n"))
      case .integer(let value): add("i", UInt64(bitPattern: value))
      case .real(let value): add("r", value.bitPattern)
      case .text(let text):
        add("t", UInt64(text.utf8.count))
        bytes += text.utf8
      case .bytes(let value):
        add("b", UInt64(value.count))
        bytes += value
      }
    }
    return Fingerprint.digest(of: bytes)
  }
}
