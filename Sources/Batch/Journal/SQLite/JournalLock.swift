import AudioCore
import Glibc

/// Says that a journal is in use, as long as the object lives: a lock on a file beside the journal, in which stands who
/// has it. The system lets go of it when the process ends, however that ends.
final class JournalLock: Sendable {
  private let descriptor: Int32
  private let file: String

  /// - Parameters:
  ///   - path: the journal as the user wrote it, for messages.
  ///   - target: its whole path.
  ///   - job: the purpose, which others are shown.
  ///   - isShared: true if it lies on shared storage, some of which has no locks: it is used without one there.
  /// - Throws: `.output` where somebody else holds it, or it cannot be made.
  init(_ path: String, target: String, job: String, isShared: Bool = false) throws(BenchError) {
    let file = target + "-lock"
    self.file = file
    for _ in 0..<1000 {
      let opened = FileSystem.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      guard opened >= 0 else { throw Self.cannotMake(path, errno) }
      if flock(opened, LOCK_EX | LOCK_NB) != 0 {
        let number = errno
        guard isShared, [ENOLCK, ENOSYS, EOPNOTSUPP].contains(number) else {
          defer { close(opened) }
          throw number == EWOULDBLOCK ? Self.inUse(path, opened) : Self.cannotMake(path, number)
        }
      }
      // The former owner may have removed the file meanwhile.
      var (held, named) = (stat(), stat())
      if fstat(opened, &held) == 0, FileSystem.status(file, &named) == 0, held.st_ino == named.st_ino,
        held.st_dev == named.st_dev
      {
        descriptor = opened
        tell(job)
        return
      }
      close(opened)
    }
    throw Self.cannotMake(path, EAGAIN)
  }

  deinit {
    FileSystem.unlink(file)
    close(descriptor)
  }

  private func tell(_ job: String) {
    ftruncate(descriptor, 0)
    // If the disk is full, the lock holds, but others cannot read whose it is.
    writeAll(ByteText.bytes("\(getpid())\n\(Self.host)\n\(job)"), to: descriptor)
  }

  private static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return ByteText.string(cString: name)
  }

  private static func inUse(_ path: String, _ descriptor: Int32) -> BenchError {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let lines = bytes.prefix(max(0, count)).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
      .map { ByteText.string($0) }
    var who = "another process"
    if lines.count == 3 {
      let isOwn = lines[0] == "\(getpid())" && lines[1] == host
      who = isOwn ? "this process" : "process \(lines[0]) on \(lines[1])"
      if !lines[2].isEmpty { who += ", for \(lines[2])," }
    }
    return BenchError(
      .output, at: path, "\(who) has this journal open", advice: "wait until that run has ended, or end it")
  }

  private static func cannotMake(_ path: String, _ number: Int32) -> BenchError {
    let folder = FileName.folder(of: path)
    return number == ENOENT && !AtomicFile.isFolder(folder)
      ? BenchError(.output, at: path, "there is no folder \(folder)", advice: "make it first")
      : BenchError(
        .output, at: path, "no file can be made beside the journal: \(systemMessage(number))",
        advice: adviceForWriting(number))
  }
}
