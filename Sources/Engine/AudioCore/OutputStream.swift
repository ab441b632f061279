// Outputs that are no files: what goes there is made as a file without a name first, so that every kind of sound file can
// be, and nothing is written where it fails.

import Glibc

/// A pipe, a device, or a descriptor that the process was given, as `/dev/stdout`.
package struct OutputStream: Sendable {
  private enum Target {
    case descriptor(Int32)
    case path(String)
  }
  private let target: Target
  private let path: String

  /// The descriptor of `/dev/stdout`: another than 1 where third-party code prints to that. Set before any output.
  package static let standardOutput = Locked<Int32>(STDOUT_FILENO)

  /// Nil for a path that is, or will be, a file.
  package init?(_ path: String) {
    self.path = path
    if let descriptor = Self.descriptor(path) {
      target = .descriptor(descriptor)
      return
    }
    var status = stat()
    guard FileSystem.status(path, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
      return nil
    }
    target = .path(path)
  }

  /// True when a path is the standard output of the program.
  package static func isStandardOutput(_ path: String) -> Bool { descriptor(path) == standardOutput.withLock { $0 } }

  private static func descriptor(_ path: String) -> Int32? {
    if path == "/dev/stdout" { return standardOutput.withLock { $0 } }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      guard let number = Int32(path.dropFirst(folder.count)), number >= 0 else { return nil }
      return number == STDOUT_FILENO ? standardOutput.withLock { $0 } : number
    }
    return nil
  }

  /// Opens the file without a name that is made first, in the folder for temporary files.
  /// - Throws: `.output` where it cannot be made, or the descriptor is not open for writing.
  func makeFile() throws(BenchError) -> Int32 {
    if case .descriptor(let descriptor) = target {
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
        throw BenchError(.output, at: path, "is not open for writing", advice: "name a file")
      }
      guard isatty(descriptor) == 0 else {
        throw BenchError(
          .output, at: path, "is a terminal", advice: "send it to another program by |, or name a file")
      }
    }
    let folder = FileSystem.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    for attempt in 0..<100 {
      let name = "\(folder)/.aubench-\(getpid())-\(attempt).part"
      let opened = FileSystem.open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if opened >= 0 {
        FileSystem.unlink(name)
        return opened
      }
      if errno != EEXIST { break }
    }
    throw AtomicFile.openError(errno, path: path, folder: folder)
  }

  /// Pipes that are to get a sound, by their paths.
  private static let awaited = Locked<Set<String>>([])

  /// Notes an output of this run, so that who reads a named pipe learns of a failure.
  package static func expect(_ path: String) {
    var status = stat()
    guard FileSystem.status(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    awaited.withLock { _ = $0.insert(path) }
  }

  /// Lets those who wait for the pipes of a run that has failed come to their end. Nobody is waited for.
  package static func endAwaited() {
    for path in awaited.withLock({ $0 }) {
      let stream = FileSystem.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      if stream >= 0 { close(stream) }
    }
  }

  /// Writes all of a file there. Waits for a reader.
  /// - Throws: `.output`.
  func deliver(_ file: Int32) throws(BenchError) {
    let stream: Int32
    switch target {
    case .descriptor(let descriptor): stream = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    case .path(let path):
      stream = FileSystem.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      Self.awaited.withLock { _ = $0.remove(path) }
    }
    guard stream >= 0 else { throw AtomicFile.failure(errno, at: path) }
    defer { close(stream) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var place: off_t = 0
    while true {
      let count = pread(file, &block, block.count, place)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw AtomicFile.failure(errno, at: path) }
      if count == 0 { return }
      let failure = writeAll(Array(block[..<count]), to: stream)
      if failure == EPIPE { throw BenchError(.output, at: path, "its reader has gone away") }
      if failure != 0 { throw AtomicFile.failure(failure, at: path) }
      place += off_t(count)
    }
  }
}
