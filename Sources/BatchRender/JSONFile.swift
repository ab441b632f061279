import AudioCore
import FoundationEssentials
import Glibc

/// Files that people write in JSON: graphs, suites.
package enum JSONFile {
  /// Far above any that a person or a program would write: a graph of a thousand bands takes 100 KiB.
  private static let maximumBytes = 16 << 20

  /// The bytes of a file. Looks before opening: a pipe may wait for ever, and a device may never end.
  /// - Parameter what: what it is meant to be, for errors: "graph", "suite".
  package static func read(_ path: String, kind: BenchError.Kind, what: String) throws(BenchError) -> Data {
    var status = stat()
    guard FileSystem.status(path, &status) == 0 else {
      let number = errno
      let reason = String(cString: strerror(number))
      throw BenchError(
        kind, at: path,
        number == ENOENT ? "there is no such \(what) file" : "the \(what) file cannot be read: \(reason)",
        advice: "check the path; a relative one counts from the working folder")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw BenchError(kind, at: path, "is not a file", advice: "name a \(what) file, as song.json")
    }
    guard status.st_size <= maximumBytes else {
      throw BenchError(
        kind, at: path, "has \(status.st_size) bytes; a \(what) file has at most \(maximumBytes)",
        advice: "name a \(what) file, as song.json")
    }
    guard let bytes = FileSystem.contents(of: path) else {
      throw BenchError(kind, at: path, "the \(what) file cannot be read", advice: "check its permissions")
    }
    return Data(bytes)
  }
}
