import AudioCore
import FoundationEssentials
import Glibc

/// A file that appears under its name whole or not at all: written beside it, then renamed.
enum WholeFile {
  /// - Throws: `.output`.
  static func write(_ data: Data, to path: String) throws(BenchError) {
    try check(path)
    let hidden = "\(folder(of: path))/.aubench-\(getpid())-XXXXXX"
    var template = Array(hidden.utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(errno, path) }
    let name = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    var problem = writeAll(data, to: descriptor)
    // mkstemp's files are their owner's alone.
    let mask = umask(0)
    umask(mask)
    if problem == 0, fchmod(descriptor, 0o666 & ~mask) != 0 { problem = errno }
    if close(descriptor) != 0, problem == 0 { problem = errno }
    if problem == 0, rename(name, path) != 0 { problem = errno }
    guard problem == 0 else {
      unlink(name)
      throw failure(problem, path)
    }
  }

  /// Whether a file could be written: to be asked before long work.
  /// - Throws: `.output`.
  static func check(_ path: String) throws(BenchError) {
    guard !path.isEmpty, path.last != "/", !path.utf8.contains(0) else {
      throw BenchError(.output, at: "\"\(path)\"", "is not the name of a file")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw BenchError(.output, at: path, "is there already and is no file", advice: "name a file")
    }
    let folder = folder(of: path)
    guard stat(folder, &status) == 0 else {
      throw BenchError(.output, at: path, "there is no folder \(folder)", advice: "make it first")
    }
    guard access(folder, W_OK) == 0 else {
      throw BenchError(
        .output, at: path, "nothing may be written in \(folder): \(String(cString: strerror(errno)))",
        advice: "choose another folder, or change its permissions")
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func failure(_ number: Int32, _ path: String) -> BenchError {
    BenchError(.output, at: path, "cannot be written: \(String(cString: strerror(number)))")
  }
}
