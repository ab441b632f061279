import Glibc

/// The file that a path leads to, whatever its name: links, `..`, several names of one file, and names of files that
/// are not there yet.
package enum FileIdentity: Hashable, Sendable {
  /// A file or a folder that is there.
  case node(device: UInt64, inode: UInt64)
  /// A name, by its bytes, in a folder that is there.
  case entry(device: UInt64, inode: UInt64, name: [UInt8])
  /// The bytes of a path without links as far as it is there, and without `.` and `..` behind that: the same before and
  /// after its folders are made.
  case place([UInt8])

  /// The identity of a file or a folder; nil if there is none.
  package static func node(_ path: String) -> FileIdentity? {
    var status = stat()
    guard FileSystem.status(path, &status) == 0 else { return nil }
    return .node(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// All that a file is known by: two paths lead to one file where they have one of these in common. Empty for what is
  /// there and no plain file, and for what could not be one.
  package static func all(_ path: String) -> [FileIdentity] {
    var status = stat()
    var identities: [FileIdentity] = []
    if FileSystem.status(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return [] }
      identities.append(.node(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
    }
    guard let target = try? AtomicFile.resolve(path) else { return identities }
    if FileSystem.status(FileName.folder(of: target), &status) == 0 {
      identities.append(
        .entry(
          device: UInt64(status.st_dev), inode: UInt64(status.st_ino), name: ByteText.bytes(FileName.last(of: target))))
    }
    return identities + [.place(place(of: target))]
  }

  private static func place(of target: String) -> [UInt8] {
    var names = [FileName.last(of: target)]
    var folder = FileName.folder(of: target)
    var real = FileSystem.realPath(folder)
    while real == nil {
      let above = FileName.folder(of: folder)
      if above == folder { break }
      names.append(FileName.last(of: folder))
      folder = above
      real = FileSystem.realPath(folder)
    }
    var parts: [[UInt8]] = []
    for name in names.reversed().map(ByteText.bytes) where !name.isEmpty && name != Array(".".utf8) {
      if name == Array("..".utf8) { _ = parts.popLast() } else { parts.append(name) }
    }
    return Array(([ByteText.bytes(real ?? folder)] + parts).joined(separator: [UInt8(ascii: "/")]))
  }
}
