// The one place where names of files go to the system: as the bytes that they are, see `ByteText`. A test holds that no
// other source calls these functions, or Foundation's, with a name, but for these: `CoreServices`, whose file
// references are bytes; `VerificationTesting`, whose paths come from the compiler; ComponentScanner.swift; and those
// that read `/proc`.

import Glibc

/// Calls of the system that take a name. Those that answer a number answer what the system's do, and leave `errno` as
/// it was.
package enum FileSystem {
  package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    ByteText.withCString(path) { Glibc.open($0, flags, mode) }
  }

  package static func status(_ path: String, _ status: inout stat) -> Int32 {
    ByteText.withCString(path) { stat($0, &status) }
  }

  /// The status of a link itself.
  package static func linkStatus(_ path: String, _ status: inout stat) -> Int32 {
    ByteText.withCString(path) { lstat($0, &status) }
  }

  package static func access(_ path: String, _ mode: Int32) -> Int32 {
    ByteText.withCString(path) { Glibc.access($0, mode) }
  }

  /// Bytes of a file; nil where there is none.
  package static func size(_ path: String) -> Int64? {
    var status = stat()
    return self.status(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package static func rename(_ old: String, _ new: String) -> Int32 {
    ByteText.withCString(old) { old in ByteText.withCString(new) { Glibc.rename(old, $0) } }
  }

  /// A further name for what a path leads to, also where that is an open file in `/proc`.
  package static func link(_ path: String, _ new: String) -> Int32 {
    ByteText.withCString(path) { path in
      ByteText.withCString(new) { linkat(AT_FDCWD, path, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
    }
  }

  @discardableResult
  package static func unlink(_ path: String) -> Int32 { ByteText.withCString(path) { Glibc.unlink($0) } }

  @discardableResult
  package static func removeFolder(_ path: String) -> Int32 { ByteText.withCString(path) { rmdir($0) } }

  /// A folder for this user only, where everybody may make some: of this name where it is free or already such a
  /// folder, else a new one whose name begins so. Nil where none can be made.
  package static func privateFolder(_ path: String) -> String? {
    if makeFolder(path, 0o700) == 0 { return path }
    var status = stat()
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_uid == geteuid() {
      if status.st_mode & 0o777 == 0o700 || fchmod(descriptor, 0o700) == 0 { return path }
    }
    return temporaryFolder(path + "-")
  }

  /// The missing part of a path, for messages.
  /// - Parameter what: the kind of file, as `file` or `graph file`.
  package static func missing(_ path: String, what: String = "file") -> String {
    let folder = FileName.folder(of: path)
    return access(folder, F_OK) == 0 ? "there is no such \(what)" : "there is no folder \(folder)"
  }

  /// Without links, from the root on; nil where there is no such file.
  package static func realPath(_ path: String) -> String? {
    guard let real = ByteText.withCString(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return ByteText.string(cString: real)
  }

  /// The text of a link.
  package static func aim(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = ByteText.withCString(path) { readlink($0, &bytes, bytes.count) }
    return count > 0 ? ByteText.string(bytes[..<count]) : nil
  }

  /// The names in a folder, without `.` and `..`; nil if it cannot be read.
  package static func names(in folder: String) -> [String]? {
    guard let stream = ByteText.withCString(folder, { opendir($0) }) else { return nil }
    defer { closedir(stream) }
    let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    var names: [String] = []
    while let entry = readdir(stream) {
      // By its address: what is read is the name, and not the 256 bytes that one may have.
      let name = UnsafeRawPointer(entry).advanced(by: nameOffset).assumingMemoryBound(to: CChar.self)
      names.append(ByteText.string(cString: name))
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// Makes a folder with those above it; answers 0, or the number of the system's error.
  package static func makeFolders(_ path: String) -> Int32 {
    var status = stat()
    if self.status(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? 0 : EEXIST }
    let above = FileName.folder(of: path)
    if above != path && above != "." {
      let failure = makeFolders(above)
      guard failure == 0 else { return failure }
    }
    // Another process may have made it meanwhile.
    if ByteText.withCString(path, { mkdir($0, 0o777) }) == 0 || errno == EEXIST { return 0 }
    return errno
  }

  package static func makeFolder(_ path: String, _ mode: mode_t) -> Int32 {
    ByteText.withCString(path) { mkdir($0, mode) }
  }

  /// A new folder whose name begins so, for this user only; nil where none can be made.
  package static func temporaryFolder(_ start: String) -> String? {
    var template = ByteText.bytes(start + "XXXXXX").map { CChar(bitPattern: $0) } + [0]
    return mkdtemp(&template).map { ByteText.string(cString: $0) }
  }

  /// Why ``contents(of:atMost:)`` has none.
  package enum ReadFailure: Error {
    /// The number of the system's error.
    case system(Int32)
    case isNoPlainFile(mode_t)
    case isTooLong(bytes: Int, maximum: Int)

    /// As what an error says of the file.
    package var isMissing: Bool { if case .system(ENOENT) = self { true } else { false } }

    package var clause: String {
      switch self {
      case .system(ENOENT): "there is no such file"
      case .system(let number): "cannot be read: \(systemMessage(number))"
      case .isNoPlainFile(let mode): "is \(kindOfFile(mode)), not a plain file"
      case .isTooLong(let bytes, let maximum):
        "has \(NumberText.bytes(bytes)), and at most \(NumberText.bytes(maximum)) are read"
      }
    }
  }

  /// Opens a plain file for reading. Looks before opening: a pipe may wait for ever, and a device may never end.
  /// - Parameter status: gets the status of the file.
  /// - Returns: a descriptor, which the caller closes.
  package static func openPlainFile(_ path: String, _ status: inout stat) throws(ReadFailure) -> Int32 {
    guard self.status(path, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoPlainFile(status.st_mode) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    // It may have become something else since.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .isNoPlainFile(status.st_mode)
    }
    return descriptor
  }

  /// All bytes of a plain file.
  package static func contents(of path: String, atMost maximum: Int) throws(ReadFailure) -> [UInt8] {
    var status = stat()
    let descriptor = try openPlainFile(path, &status)
    defer { close(descriptor) }
    guard status.st_size <= maximum else { throw .isTooLong(bytes: Int(status.st_size), maximum: maximum) }
    var bytes: [UInt8] = []
    // One byte more than there are shows the end.
    let expected = Int(status.st_size) + 1
    while true {
      let start = bytes.count
      let room = max(1 << 16, expected - start)
      bytes.append(contentsOf: repeatElement(0, count: room))
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + start }, room) }
      let number = errno
      bytes.removeLast(room - max(0, count))
      if count == 0 { return bytes }
      if count < 0 && number != EINTR { throw .system(number) }
      // Files of the system say that they have no bytes, and others may grow.
      guard bytes.count <= maximum else { throw .isTooLong(bytes: bytes.count, maximum: maximum) }
    }
  }

  /// As ``contents(of:atMost:)``, with the file in the error.
  /// - Parameter prefix: the words in front of the reason.
  package static func bytes(
    of path: String, atMost maximum: Int, orThrow kind: BenchError.Kind = .input, prefix: String = ""
  ) throws(BenchError) -> [UInt8] {
    do { return try contents(of: path, atMost: maximum) } catch {
      throw BenchError(kind, at: path, prefix + error.clause)
    }
  }

  package static var currentFolder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return ByteText.string(cString: path)
  }

  package static func environment(_ name: String) -> String? {
    getenv(name).map { ByteText.string(cString: $0) }
  }
}
