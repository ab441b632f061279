import AudioCore
import Glibc

/// A folder for files on their way into and out of a device; gone with the object.
package final class ScratchFolder: Sendable {
  package let path: String

  /// - Throws: `.output` where none can be made.
  package init() throws(BenchError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/aubench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchError(
        .output, at: parent, "no temporary folder can be made: \(String(cString: strerror(errno)))",
        advice: "set TMPDIR to a folder that can be written to")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Removes a folder with what is in it.
  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        let child = "\(path)/\(name)"
        if unlink(child) != 0 { remove(child) }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
