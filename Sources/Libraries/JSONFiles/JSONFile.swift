import AudioCore
import FoundationEssentials
import Glibc

/// Files that people write in JSON: graphs, suites.
package enum JSONFile {
  /// Far above any that a person or a program would write: a graph of a thousand bands takes 100 KiB.
  private static let maximumBytes = 16 << 20

  /// The bytes of a file.
  /// - Parameter what: the expected kind of file, for errors: "graph", "suite".
  package static func read(_ path: String, kind: BenchError.Kind, what: String) throws(BenchError) -> Data {
    do {
      return Data(try FileSystem.contents(of: path, atMost: maximumBytes))
    } catch {
      let (message, advice) =
        switch error {
        case .system(ENOENT):
          (FileSystem.missing(path, what: "\(what) file"), "check the path")
        case .system(EACCES): ("the \(what) file \(error.clause)", "check its permissions")
        case .system:
          ("the \(what) file \(error.clause)", "check the path")
        case .isNoPlainFile: ("is not a file", "name a \(what) file, as song.json")
        case .isTooLong(let bytes, let maximum):
          ("has \(bytes) bytes; a \(what) file has at most \(maximum)", "name a \(what) file, as song.json")
        }
      throw BenchError(kind, at: path, message, advice: advice)
    }
  }
}
