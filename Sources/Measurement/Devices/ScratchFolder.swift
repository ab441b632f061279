import AudioCore
import Glibc

/// A folder for files on their way into and out of a device; gone with the object.
package final class ScratchFolder: Sendable {
  package let path: String

  /// - Throws: `.output` where none can be made.
  package init() throws(BenchError) {
    let parent = FileSystem.environment("TMPDIR") ?? "/tmp"
    guard let path = FileSystem.temporaryFolder("\(parent)/aubench-") else {
      throw BenchError(
        .output, at: parent, "no temporary folder can be made: \(String(cString: strerror(errno)))",
        advice: "set TMPDIR to a folder that can be written to")
    }
    self.path = path
  }

  deinit { Self.remove(path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Removes a folder with what is in it.
  private static func remove(_ path: String) {
    for name in FileSystem.names(in: path) ?? [] {
      let child = "\(path)/\(name)"
      if FileSystem.unlink(child) != 0 { remove(child) }
    }
    FileSystem.removeFolder(path)
  }
}
