import AudioCore
import Glibc

/// Folders with what is in them. Names are bytes, links are never followed.
enum FolderTree {
  /// Each level takes a descriptor and some stack. Deeper folders stay, for the cleaner of ``RunFolder``.
  private static let mostLevels = 256

  /// Removes a folder with everything in it, as far as that may be done; answers whether it is gone.
  /// - Parameters:
  ///   - last: the entry that is removed when nothing else is left.
  ///   - time: the longest that it may take; nil: no limit.
  @discardableResult
  static func remove(_ path: String, last: String? = nil, within time: Duration? = nil) -> Bool {
    let end = time.map { ContinuousClock.now + $0 }
    // A process that is about to end may still put something there.
    for _ in 0..<20 {
      ByteText.withCString(path) { allowAll(AT_FDCWD, $0) }
      let folder = FileSystem.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if folder >= 0 { empty(folder, levels: mostLevels, until: end, but: last) }
      if let last, FileSystem.names(in: path) == [last] { FileSystem.unlink("\(path)/\(last)") }
      if FileSystem.removeFolder(path) == 0 || errno == ENOENT || errno == ENOTDIR { return true }
      if errno != ENOTEMPTY && errno != EEXIST { return false }
    }
    return false
  }

  /// Removes what is in a folder but for one entry, and closes it.
  private static func empty(
    _ folder: Int32, levels: Int, until end: ContinuousClock.Instant?, but kept: String? = nil
  ) {
    each(folder) { name in
      if let kept, strcmp(name, kept) == 0 { return }
      if let end, ContinuousClock.now > end { return }
      if unlinkat(folder, name, 0) == 0 { return }
      allowAll(folder, name)
      guard levels > 1 else { return }
      let child = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if child >= 0 { empty(child, levels: levels - 1, until: end) }
      _ = unlinkat(folder, name, AT_REMOVEDIR)
    }
  }

  /// Lets the owner of a folder look into it and change it. Only folders get other permissions: a file may have other
  /// names elsewhere.
  private static func allowAll(_ folder: Int32, _ name: UnsafePointer<CChar>) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_mode & S_IRWXU != S_IRWXU
    else { return }
    _ = fchmodat(folder, name, S_IRWXU, AT_SYMLINK_NOFOLLOW)
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
