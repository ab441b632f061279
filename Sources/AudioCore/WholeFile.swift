import Glibc

/// Texts and bytes to a file that appears under its name whole or not at all.
///
/// They are written to a hidden file in the same folder, which then takes the name. Pipes and devices, which have no
/// half-written state, are written to as they are.
package enum WholeFile {
  package static func write(_ text: String, to path: String) throws(BenchError) {
    try write(Array(text.utf8), to: path)
  }

  /// - Throws: `.output` where the folder is missing, may not be written to, or the disk is full. What was there before
  ///   is still there then.
  package static func write(_ bytes: [UInt8], to path: String) throws(BenchError) {
    guard FileName.isValid(path) else {
      throw BenchError(.output, at: "\"\(path)\"", "is not the name of a file")
    }
    var status = stat()
    let exists = FileSystem.status(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard !exists || kind != S_IFDIR else {
      throw BenchError(.output, at: path, "is a folder", advice: "name a file in it")
    }
    if exists && kind != S_IFREG { return try writeDirectly(bytes, to: path) }
    guard !exists || FileSystem.access(path, W_OK) == 0 else {
      throw BenchError(
        .output, at: path, "exists and may not be written by this user: \(systemMessage(errno))",
        advice: "choose another name, or change its permissions")
    }
    // A link keeps being one: the file it leads to is replaced.
    let target = exists ? FileSystem.realPath(path) ?? path : path
    let (descriptor, hidden) = try openBeside(target, path: path)
    var failure = writeAll(bytes, to: descriptor)
    if failure == 0 && exists && fchmod(descriptor, status.st_mode & 0o777) != 0 { failure = errno }
    if close(descriptor) != 0 && failure == 0 { failure = errno }
    if failure == 0 && FileSystem.rename(hidden, target) != 0 { failure = errno }
    guard failure == 0 else {
      FileSystem.unlink(hidden)
      throw error(failure, at: path)
    }
  }

  /// Whether a file could be written: to be asked before long work.
  /// - Throws: `.output`.
  package static func check(_ path: String) throws(BenchError) {
    guard FileName.isValid(path) else {
      throw BenchError(.output, at: "\"\(path)\"", "is not the name of a file")
    }
    var status = stat()
    if FileSystem.status(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw BenchError(.output, at: path, "is there already and is no file", advice: "name a file")
    }
    let folder = FileName.folder(of: path)
    guard FileSystem.status(folder, &status) == 0 else {
      throw BenchError(.output, at: path, "there is no folder \(folder)", advice: "make it first")
    }
    guard FileSystem.access(folder, W_OK) == 0 else {
      throw BenchError(
        .output, at: path, "nothing may be written in \(folder): \(systemMessage(errno))",
        advice: "choose another folder, or change its permissions")
    }
  }

  private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(BenchError) {
    let descriptor = FileSystem.open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(errno, at: path) }
    defer { close(descriptor) }
    let failure = writeAll(bytes, to: descriptor)
    guard failure == 0 else { throw error(failure, at: path) }
  }

  private static func openBeside(_ target: String, path: String) throws(BenchError) -> (Int32, String) {
    let folder = FileName.folder(of: target)
    // 255 bytes are the longest name of most file systems.
    let short = FileName.start(of: FileName.last(of: target), bytes: 200)
    for attempt in 0..<100 {
      let hidden = "\(folder)/.\(short).\(getpid())-\(attempt).part"
      let descriptor = FileSystem.open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, hidden) }
      if errno == ENOENT {
        throw BenchError(.output, at: path, "there is no folder \(folder)", advice: "make it first")
      }
      if errno != EEXIST { break }
    }
    throw error(errno, at: path)
  }

  /// Answers 0, or the number of the system's error.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count > 0 { done += count } else if errno != EINTR { return errno }
      }
      return 0
    }
  }

  private static func error(_ number: Int32, at path: String) -> BenchError {
    let advice: String? =
      switch number {
      case ENOSPC, EDQUOT: "free some space, or write to another disk"
      case EACCES, EPERM, EROFS: "choose another folder, or change its permissions"
      case EFBIG: "the file system or a limit (ulimit -f) allows no larger files"
      default: nil
      }
    return BenchError(.output, at: path, "cannot be written: \(systemMessage(number))", advice: advice)
  }

  private static func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
}
