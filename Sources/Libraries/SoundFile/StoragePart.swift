// A part of a file's bytes as a storage of its own, in which single fields can be replaced. The file is not changed.

import AudioCore

/// The bytes of another storage from one place to another. What is written is kept in memory and read back from there.
package final class StoragePart: ByteStorage {
  package let base: any ByteStorage
  /// The first byte of the part.
  package let start: Int64
  private let end: Int64?
  private var patches: [(offset: Int64, bytes: [UInt8])] = []

  /// - Parameter end: the byte behind the part; nil: the end of `base`, wherever it is.
  package init(_ base: any ByteStorage, from start: Int64, to end: Int64? = nil) {
    (self.base, self.start, self.end) = (base, start, end)
  }

  package var length: Int64 { max(0, min(end ?? .max, base.length) - start) }

  package func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
    let left = length - offset
    guard offset >= 0, left > 0, count > 0 else { return 0 }
    let wanted = Int(min(Int64(count), left))
    let got = try base.read(bytes, count: wanted, at: start + offset)
    for patch in patches {
      let first = max(offset, patch.offset)
      let last = min(offset + Int64(got), patch.offset + Int64(patch.bytes.count))
      guard first < last else { continue }
      patch.bytes.withUnsafeBytes { source in
        guard let from = source.baseAddress else { return }
        (bytes + Int(first - offset)).copyMemory(from: from + Int(first - patch.offset), byteCount: Int(last - first))
      }
    }
    return got
  }

  /// Replaces bytes of the part for its readers. Meant for some fields of a header.
  package func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {
    guard offset >= 0, count > 0 else { return }
    patches.append((offset, Array(UnsafeRawBufferPointer(start: bytes, count: count))))
  }

  package func setLength(_ length: Int64) throws(StorageError) {}
}
