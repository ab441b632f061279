import Glibc

/// The folder below which files may be written if their place comes from elsewhere: the author of a suite. Links are
/// resolved first: the real folder decides.
package struct Confinement: Sendable, Hashable {
  /// A whole path without links; nil: anywhere.
  package let root: String?

  /// - Parameter root: nil: files may lie anywhere, but links to files are not followed.
  package init(root: String?) { self.root = root }

  /// True where a path without links is the folder or lies below it.
  package func holds(_ real: String) -> Bool {
    guard let root else { return true }
    return ByteText.isSame(real, root) || root == "/" || real.utf8.starts(with: (root + "/").utf8)
  }

  /// The place that a path leads to, also if it is not there yet: links are followed as far as there are any. Nil if
  /// that is unknown: it leads upwards from a missing folder, or may not be read.
  package static func place(of path: String) -> String? {
    var above = path
    var missing: [String] = []
    while true {
      if let real = FileSystem.realPath(above) {
        return missing.isEmpty ? real : (real == "/" ? "" : real) + "/" + missing.reversed().joined(separator: "/")
      }
      var status = stat()
      // A link that leads nowhere is no folder that can be made.
      guard errno == ENOENT || errno == ENOTDIR, FileSystem.linkStatus(above, &status) != 0 else { return nil }
      let name = FileName.last(of: above)
      guard name != "..", name != "." else { return nil }
      if !name.isEmpty { missing.append(name) }
      let next = FileName.folder(of: above)
      guard !ByteText.isSame(next, above) else { return nil }
      above = next
    }
  }

  /// Opens the folder of a file and answers the file's name in it, by which no link that is put into the way later is
  /// followed.
  /// - Throws: `.output` where the folder lies elsewhere or is not there, or where a link has the file's name.
  func hold(_ path: String) throws(BenchError) -> (target: String, folder: Int32) {
    try AtomicFile.checkName(path)
    let folder = FileName.folder(of: path)
    let descriptor = FileSystem.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw AtomicFile.openError(errno, path: path, folder: folder) }
    do throws(BenchError) {
      let view = "/proc/self/fd/\(descriptor)"
      let seen = FileSystem.aim(ofLink: view)
      guard let real = seen ?? FileSystem.realPath(folder), holds(real) else {
        throw BenchError(
          .output, at: path, "its folder lies outside of \(root ?? "/"), where it may not be written",
          advice: "look for a link on the way to it")
      }
      // Without /proc, the folder by its name.
      let target = (seen == nil ? folder : view) + "/" + FileName.last(of: path)
      var status = stat()
      if FileSystem.linkStatus(target, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
        throw BenchError(
          .output, at: path, "is a link, and the file that it leads to is not to be replaced",
          advice: "put a file in its place, or remove it")
      }
      return (target, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }
}
