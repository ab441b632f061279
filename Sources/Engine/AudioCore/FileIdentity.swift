import Glibc

/// The file that a path leads to, whatever its name: links, `..`, several names of one file, and names of files that
/// are not there yet.
package enum FileIdentity: Hashable, Sendable {
  /// A file or a folder that is there.
  case node(device: UInt64, inode: UInt64)
  /// A name, by its bytes, in a folder that is there.
  case entry(device: UInt64, inode: UInt64, name: Name)
  /// The bytes of a path without links as far as it is there, and without `.` and `..` behind that: the same before and
  /// after its folders are made.
  case place(Name)

  /// Bytes by their hash of 128 bits, other in each process: there may be millions.
  package struct Name: Hashable, Sendable {
    private let first: Int
    private let second: Int

    fileprivate init(_ bytes: [UInt8]) {
      func hash(_ salt: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(salt)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
      }
      (first, second) = (hash(1), hash(2))
    }
  }

  /// The system's answers about the folder that was asked for last: many files lie in few folders. Not to be kept while
  /// folders are made or removed.
  package struct Folder {
    private var path: String?
    /// Nil where it is not there.
    fileprivate(set) var node: (device: UInt64, inode: UInt64)?
    /// The path without links as far as it is there, and the names behind that.
    fileprivate var real: [UInt8] = []
    fileprivate var missing: [[UInt8]] = []

    package init() {}

    fileprivate mutating func look(at folder: String) {
      if let path, ByteText.isSame(path, folder) { return }
      path = folder
      var status = stat()
      node = FileSystem.status(folder, &status) == 0 ? (UInt64(status.st_dev), UInt64(status.st_ino)) : nil
      var (names, folder) = ([String](), folder)
      var real = FileSystem.realPath(folder)
      while real == nil {
        let above = FileName.folder(of: folder)
        if above == folder { break }
        names.append(FileName.last(of: folder))
        folder = above
        real = FileSystem.realPath(folder)
      }
      self.real = ByteText.bytes(real ?? folder)
      missing = names.reversed().map(ByteText.bytes)
    }

    fileprivate func place(of name: [UInt8]) -> Name {
      var parts: [[UInt8]] = []
      for name in missing + [name] where !name.isEmpty && name != Array(".".utf8) {
        if name == Array("..".utf8) { _ = parts.popLast() } else { parts.append(name) }
      }
      return Name(Array(([real] + parts).joined(separator: [UInt8(ascii: "/")])))
    }
  }

  /// The identity of a file or a folder; nil if there is none.
  package static func node(_ path: String) -> FileIdentity? {
    var status = stat()
    guard FileSystem.status(path, &status) == 0 else { return nil }
    return .node(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// All that a file is known by: two paths lead to one file where they have one of these in common. The first is a node
  /// for a file that is there. Empty for what is there and no plain file, and for what could not be one.
  package static func all(_ path: String, in folder: inout Folder) -> [FileIdentity] {
    var status = stat()
    var identities: [FileIdentity] = []
    if FileSystem.status(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return [] }
      identities.append(.node(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
    }
    guard let target = try? AtomicFile.resolve(path) else { return identities }
    folder.look(at: FileName.folder(of: target))
    let name = ByteText.bytes(FileName.last(of: target))
    if let node = folder.node {
      identities.append(.entry(device: node.device, inode: node.inode, name: Name(name)))
    }
    return identities + [.place(folder.place(of: name))]
  }
}
