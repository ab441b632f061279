import AudioCore
import Glibc

/// Folders with what is in them. Names are bytes, links are never followed.
enum FolderTree {
  /// Removes a folder with everything in it, as far as that may be done.
  static func remove(_ path: String) {
    // A process that is on its last legs may still put something there.
    for _ in 0..<20 {
      let folder = FileSystem.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if folder >= 0 { empty(folder) }
      if FileSystem.removeFolder(path) == 0 || errno == ENOENT || errno == ENOTDIR { return }
      if errno != ENOTEMPTY && errno != EEXIST { return }
    }
  }

  /// Removes what is in a folder, and closes it.
  private static func empty(_ folder: Int32) {
    each(folder) { name in
      if unlinkat(folder, name, 0) == 0 { return }
      // Its owner may look into it, whatever it says.
      _ = fchmodat(folder, name, 0o700, 0)
      let child = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if child >= 0 { empty(child) }
      _ = unlinkat(folder, name, AT_REMOVEDIR)
    }
  }

  /// Calls `body` with the name of each entry of a folder, and closes it.
  private static func each(_ folder: Int32, _ body: (UnsafePointer<CChar>) -> Void) {
    guard let entries = fdopendir(folder) else {
      close(folder)
      return
    }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          if strcmp(name, ".") != 0 && strcmp(name, "..") != 0 { body(name) }
        }
      }
    }
  }
}
