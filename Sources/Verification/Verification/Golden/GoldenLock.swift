import AudioCore
import Glibc

/// Keeps the folder of a golden to one writer, or to readers: cases that share a golden run at the same time. Ends with
/// the process, however that ends.
enum GoldenLock {
  /// Waits for the folder. A folder that cannot be locked, as on some network file systems, is used without a lock.
  static func hold<Result, Failure: Error>(
    _ folder: String, isExclusive: Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let descriptor = FileSystem.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0 {
      while flock(descriptor, isExclusive ? LOCK_EX : LOCK_SH) != 0, errno == EINTR {}
    }
    return try body()
  }
}
