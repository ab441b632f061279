import AudioCore
import Glibc

/// A folder for files on their way into and out of a device or a child process; gone with the object, and with the
/// process, however that ends.
package final class ScratchFolder: Sendable {
  package let path: String

  /// - Throws: `.output` where none can be made.
  package init() throws(BenchError) { path = try RunFolder.makeFolder() }

  deinit { FolderTree.remove(path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The error where the disk of this folder is full, whatever else has gone wrong because of that; nil where it is
  /// not.
  package func shortage() -> BenchError? {
    let probe = file("probe")
    let descriptor = FileSystem.open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { FileSystem.unlink(probe) }
    var number = descriptor < 0 ? errno : 0
    if descriptor >= 0 {
      number = writeAll([UInt8](repeating: 1, count: 1 << 16), to: descriptor)
      close(descriptor)
    }
    guard number == ENOSPC || number == EDQUOT else { return nil }
    return RunFolder.error(number, at: RunFolder.parent)
  }
}
