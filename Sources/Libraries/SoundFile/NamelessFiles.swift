// libsndfile encodes ALAC into a file of its own in the common folder for temporary files, and removes it when the
// sound is complete: a process that is ended before leaves it. Here the file loses its name as soon as it is open, and
// so ends with the process.

import AudioCore
import Glibc

/// Files that a library opens for itself.
enum NamelessFiles {
  /// Calls `body`, and takes away the names of the temporary files that it has made. A signal that ends the program
  /// waits meanwhile.
  /// - Parameter suffix: the end of such files' names.
  static func during<Result>(suffix: String, _ body: () -> Result) -> Result {
    Unfinished.list.withLock { _ in
      let before = Set(named(suffix))
      defer { for descriptor in named(suffix) where !before.contains(descriptor) { takeName(descriptor) } }
      return body()
    }
  }

  /// Open descriptors whose files have such names.
  private static func named(_ suffix: String) -> [String] {
    (FileSystem.names(in: "/proc/self/fd") ?? []).filter {
      FileSystem.aim(ofLink: "/proc/self/fd/\($0)")?.hasSuffix(suffix) ?? false
    }
  }

  /// Only of a file that is empty, this user's own, open for writing, and still what its name leads to.
  private static func takeName(_ descriptor: String) {
    var (status, named) = (stat(), stat())
    guard let number = Int32(descriptor), fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == 0,
      status.st_uid == geteuid(), fcntl(number, F_GETFL) & O_ACCMODE == O_RDWR,
      let path = FileSystem.aim(ofLink: "/proc/self/fd/\(descriptor)"), FileSystem.linkStatus(path, &named) == 0,
      named.st_dev == status.st_dev, named.st_ino == status.st_ino
    else { return }
    FileSystem.unlink(path)
  }
}
