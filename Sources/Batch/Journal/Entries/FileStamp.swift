import AudioCore
import Glibc

/// The identity of a file without reading it: size, times, inode and device. It stays the same when a file without a
/// name gets one, and when it is renamed; a copy has another.
package struct FileStamp: Hashable, Sendable {
  /// Bytes.
  package let size: Int64
  /// When its contents were changed last, nanoseconds since 1970 by the clock of its file system.
  package let modified: Int64
  package let inode: UInt64
  package let device: UInt64

  package init(size: Int64, modified: Int64, inode: UInt64, device: UInt64) {
    (self.size, self.modified, self.inode, self.device) = (size, modified, inode, device)
  }

  package init(_ status: stat) {
    self.init(
      size: Int64(status.st_size), modified: Self.nanoseconds(status.st_mtim), inode: UInt64(status.st_ino),
      device: UInt64(status.st_dev))
  }

  /// The stamp of an open file, which need not have a name. Nil if the system reports none.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The stamp of the file at a path, links followed; nil if that is no plain file.
  package init?(path: String) {
    var status = stat()
    guard FileSystem.status(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  /// True when both are of one file, on whichever machine they were taken: shared storage has another device number on
  /// each.
  func isSameFile(as other: FileStamp) -> Bool {
    size == other.size && modified == other.modified && inode == other.inode
  }

  /// Since 1970; times that no file has come round again.
  static func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
}
