// The storage of a sound file's bytes: a descriptor, memory, or a user's callbacks. The meaning of the bytes is not
// known here.

import AudioCore
import Glibc
import PacketFiles

/// Bytes by their place. One thread at a time.
package protocol ByteStorage: PacketBytes {
  /// Bytes there are now.
  var length: Int64 { get }
  /// Reads up to `count` bytes from `offset` on.
  /// - Returns: the bytes read; fewer than asked only at the end.
  func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int
  /// Writes all of `count` bytes at `offset`, beyond the end too.
  func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError)
  func setLength(_ length: Int64) throws(StorageError)
}

/// Why bytes could not be read or written.
package enum StorageError: Error, Hashable, Sendable {
  /// An errno.
  case system(Int32)
  /// The status that a user's callback returned.
  case status(Int32)

  /// The errno; an I/O error for what only the callback can explain.
  package var errorNumber: Int32 {
    switch self {
    case .system(let number): number
    case .status: EIO
    }
  }
}

extension ByteStorage {
  /// Exactly `count` bytes, or nil where the end comes first or they cannot be read.
  package func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= length - Int64(count) else { return nil }
    let got = try? [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      guard let start = buffer.baseAddress else { return }
      done = try read(start, count: count, at: offset)
    }
    return got?.count == count ? got : nil
  }

  package func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
    guard !bytes.isEmpty else { return }
    try bytes.withUnsafeBufferPointer { (buffer) throws(StorageError) in
      if let start = buffer.baseAddress { try write(start, count: buffer.count, at: offset) }
    }
  }
}

/// The bytes of an open file.
package final class DescriptorStorage: ByteStorage {
  package let descriptor: Int32
  /// An object that must live as long as the descriptor.
  private let owner: AnyObject?
  private let closes: Bool

  /// Takes over `descriptor`, which is closed with the object.
  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
    owner = nil
    closes = true
  }

  /// Works on `descriptor`, which somebody else closes, later than this object is used.
  package init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    owner = nil
    closes = false
  }

  /// Works on a file that is being written, and keeps it alive.
  init(_ file: AtomicFile) {
    descriptor = file.descriptor
    owner = file
    closes = false
  }

  deinit {
    if closes { close(descriptor) }
  }

  package var length: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  package func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
    var done = 0
    while done < count {
      let got = pread(descriptor, bytes + done, count - done, off_t(offset) + off_t(done))
      if got < 0 && errno == EINTR { continue }
      if got < 0 { throw .system(errno) }
      if got == 0 { break }
      done += got
    }
    return done
  }

  package func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {
    var done = 0
    while done < count {
      let put = pwrite(descriptor, bytes + done, count - done, off_t(offset) + off_t(done))
      if put < 0 && errno == EINTR { continue }
      if put <= 0 { throw .system(put < 0 ? errno : ENOSPC) }
      done += put
    }
  }

  package func setLength(_ length: Int64) throws(StorageError) {
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw .system(errno) }
  }
}

/// Bytes in memory: where headers are made, and files for tests.
package final class MemoryStorage: ByteStorage {
  package private(set) var contents: [UInt8]

  package init(_ contents: [UInt8] = []) { self.contents = contents }

  package var length: Int64 { Int64(contents.count) }

  package func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
    guard offset >= 0, offset < length, count > 0 else { return 0 }
    let wanted = min(count, Int(length - offset))
    contents.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      bytes.copyMemory(from: start + Int(offset), byteCount: wanted)
    }
    return wanted
  }

  package func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {
    guard offset >= 0, count > 0 else { return }
    let end = Int(offset) + count
    if end > contents.count { contents.append(contentsOf: repeatElement(0, count: end - contents.count)) }
    contents.withUnsafeMutableBytes { target in
      guard let start = target.baseAddress else { return }
      (start + Int(offset)).copyMemory(from: bytes, byteCount: count)
    }
  }

  package func setLength(_ length: Int64) throws(StorageError) {
    let wanted = Int(max(0, length))
    if wanted < contents.count {
      contents.removeLast(contents.count - wanted)
    } else {
      contents.append(contentsOf: repeatElement(0, count: wanted - contents.count))
    }
  }
}

extension FixedWidthInteger {
  /// From the highest byte to the lowest.
  package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
  /// From the lowest byte to the highest.
  package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension Sequence where Element == UInt8 {
  /// The number in up to eight bytes, the highest first.
  package var bigEndianValue: Int64 { reduce(0) { $0 << 8 | Int64($1) } }
}
