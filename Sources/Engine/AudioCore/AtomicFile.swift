// A file that appears under its name whole or not at all.
// It has no name while it is written (O_TMPFILE), so that even SIGKILL leaves nothing; where the file system cannot do
// that, it is a hidden file beside the target.

import CRealtime
import Glibc

/// An output file that gets its name at ``publish()``. Discarded by `deinit` when that was not called.
package final class AtomicFile: @unchecked Sendable {
  package let descriptor: Int32
  /// As the user wrote it, for messages.
  package let path: String
  /// The path of the file: `path`, or the end of the links there. For a confined file it is relative to its folder.
  package let target: String
  /// The folder of a confined file, held open so that it stays the one that was looked at; -1 of others.
  private let folder: Int32
  /// True where ``publish()`` may replace a file.
  package var overwrites: Bool
  /// The hidden name, where the file has one.
  private var temporaryName: String?
  /// The undo that removes the hidden name if the process is ended.
  private var undo: Unfinished.Token?
  private var isDone = false
  /// True when there was no file of that name before ``publish()``.
  private var isNew = false
  /// Bytes that were reserved, 0 for none.
  private var reserved: Int64 = 0
  /// The pipe or the device that takes the file's place; nil: it gets a name.
  private let stream: OutputStream?

  /// Opens a file for writing in the folder of `path`.
  /// - Parameter confinement: the folder in which it may lie. Then `path` itself is written, and no link followed to
  ///   another file.
  /// - Throws: `.output` where that cannot be, or where `path` is something else than a file.
  package init(
    path: String, overwrites: Bool, avoidsUnnamed: Bool = false, confinement: Confinement? = nil
  ) throws(BenchError) {
    self.path = path
    self.overwrites = overwrites
    stream = confinement == nil ? OutputStream(path) : nil
    if let stream {
      (target, self.folder) = (path, -1)
      descriptor = try stream.makeFile()
      return
    }
    if let confinement {
      (target, self.folder) = try confinement.hold(path)
    } else {
      (target, self.folder) = (try Self.resolve(path), -1)
    }
    var status = stat()
    let exists = (confinement == nil ? FileSystem.status : FileSystem.linkStatus)(target, &status) == 0
    if exists { try Self.checkExisting(target, mode: status.st_mode, path: path, overwrites: overwrites) }

    let folder = FileName.folder(of: target)
    let canLink = !avoidsUnnamed && FileSystem.access("/proc/self/fd", X_OK) == 0
    var opened: Int32 = canLink ? FileSystem.open(folder, O_TMPFILE_LINUX | O_RDWR | O_CLOEXEC, 0o666) : -1
    if opened < 0 {
      // Old kernels take O_TMPFILE for a plain opening of the folder, others say that they cannot.
      for attempt in 0..<100 {
        let name = Self.hiddenName(beside: target, attempt: attempt)
        undo = Unfinished.list.withLock { list in
          opened = FileSystem.open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
          return opened >= 0 ? list.add { FileSystem.unlink(name) } : nil
        }
        if opened >= 0 { temporaryName = name }
        if opened >= 0 || errno != EEXIST { break }
      }
    }
    descriptor = opened
    guard opened >= 0 else {
      isDone = true
      throw Self.openError(errno, path: path, folder: FileName.folder(of: confinement == nil ? target : path))
    }
    if exists {
      // The file keeps its permissions, and its owner where the system allows that.
      if fchown(opened, status.st_uid, status.st_gid) != 0 { errno = 0 }
      _ = fchmod(opened, status.st_mode & 0o777)
    }
  }

  deinit {
    discard()
    if descriptor >= 0 { close(descriptor) }
    if folder >= 0 { close(folder) }
  }

  /// Has the file system find the place of `bytes` at once, before anything is written: ext4 then writes long files in
  /// two thirds of the time (measured). Nothing is changed where that is more than half of what is free, where the
  /// system cannot, and in memory, which gains nothing.
  package func reserve(_ bytes: Int64) {
    if bytes >= 1 << 20 && realtime_reserve_file(descriptor, bytes) { reserved = bytes }
  }

  /// Gives back what was reserved and not written.
  package func releaseReserve() {
    var status = stat()
    guard reserved > 0, fstat(descriptor, &status) == 0, Int64(status.st_size) < reserved else { return }
    ftruncate(descriptor, status.st_size)
    reserved = 0
  }

  /// Writes bytes behind what was written before.
  package func append(_ bytes: [UInt8]) throws(BenchError) {
    let failure = writeAll(bytes, to: descriptor)
    if failure != 0 { throw self.failure(failure) }
  }

  /// Gives the file its name, over whatever file was there. Nothing is left behind where that fails.
  package func publish(synchronizes: Bool = false) throws(BenchError) {
    if synchronizes { try synchronize() }
    try deliver()
    try Unfinished.list.withLock { (list) throws(BenchError) in try publish(&list) }
  }

  /// Waits until the file is on the disk.
  package func synchronize() throws(BenchError) {
    guard stream == nil, fsync(descriptor) != 0 else { return }
    let error = failure(errno, "cannot be written to the disk")
    discard()
    throw error
  }

  /// Writes the file to its pipe or device, if that is what its path leads to. May wait for a reader: not while
  /// ``Unfinished/list`` is held. Called in front of ``publish(_:)``.
  func deliver() throws(BenchError) {
    guard let stream, !isDone else { return }
    isDone = true
    try stream.deliver(descriptor)
  }

  /// As ``publish(synchronizes:)``, while ``Unfinished/list`` is held.
  func publish(_ list: inout Unfinished) throws(BenchError) {
    if stream != nil { return }
    precondition(!isDone)
    do {
      isNew = FileSystem.access(target, F_OK) != 0
      if temporaryName == nil { try link() }
      if let name = temporaryName { try move(name) }
      isDone = true
      if let undo { list.remove(undo) }
    } catch {
      discard(&list)
      throw error
    }
  }

  /// Takes a published file back, where there was none before.
  func withdraw() {
    if isDone && isNew { FileSystem.unlink(target) }
  }

  /// Removes what was written. Does nothing after ``publish()``.
  package func discard() {
    guard !isDone else { return }
    Unfinished.list.withLock { discard(&$0) }
  }

  private func discard(_ list: inout Unfinished) {
    isDone = true
    if let name = temporaryName { FileSystem.unlink(name) }
    if let undo { list.remove(undo) }
  }

  /// An error of the system about this file, in words.
  package func failure(_ number: Int32, _ what: String = "cannot be written") -> BenchError {
    Self.failure(number, at: path, what)
  }

  package static func failure(_ number: Int32, at path: String, _ what: String = "cannot be written") -> BenchError {
    BenchError(.output, at: path, "\(what): \(systemMessage(number))", advice: adviceForWriting(number))
  }

  /// From no name to the target's where nothing is there, else to a hidden one that ``move(_:)`` puts in its place.
  private func link() throws(BenchError) {
    let unnamed = "/proc/self/fd/\(descriptor)"
    if FileSystem.link(unnamed, target) == 0 { return }
    guard errno == EEXIST else { throw failure(errno) }
    guard overwrites else { throw Self.existsError(path) }
    for attempt in 0..<100 {
      let name = Self.hiddenName(beside: target, attempt: attempt)
      if FileSystem.link(unnamed, name) == 0 {
        temporaryName = name
        return
      }
      guard errno == EEXIST else { throw failure(errno) }
    }
    throw failure(EEXIST)
  }

  private func move(_ name: String) throws(BenchError) {
    // The target may have changed since the opening: a rename must not replace a device or a folder.
    var status = stat()
    if FileSystem.linkStatus(target, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw BenchError(.output, at: path, "has meanwhile become \(kindOfFile(status.st_mode))")
      }
      guard overwrites else { throw Self.existsError(path) }
    }
    guard FileSystem.rename(name, target) == 0 else { throw failure(errno) }
  }

  static func checkName(_ path: String) throws(BenchError) {
    if !FileName.isValid(path) { throw BenchError(.output, at: "\"\(path)\"", "is not the name of a file") }
  }

  /// `path` with the links in its last part followed, also to a file that does not exist yet.
  static func resolve(_ path: String) throws(BenchError) -> String {
    try checkName(path)
    var current = path
    for _ in 0..<40 {
      var status = stat()
      guard FileSystem.linkStatus(current, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return current }
      guard mayFollow(current, owner: status.st_uid) else {
        throw BenchError(
          .output, at: path, "is a link that another user has put into a folder where everybody may write",
          advice: "name a file in a folder of your own")
      }
      guard let aim = FileSystem.aim(ofLink: current) else { break }
      current = FileName.path(aim, in: FileName.folder(of: current) + "/")
    }
    throw BenchError(.output, at: path, "is a link that leads nowhere: \(systemMessage(ELOOP))")
  }

  /// In a folder where everybody may write, a link is followed if it is this user's own or that of the folder's owner.
  /// The kernel has the same rule (`fs.protected_symlinks`), but sees no link where the name that it leads to is used.
  private static func mayFollow(_ link: String, owner: uid_t) -> Bool {
    var folder = stat()
    guard FileSystem.status(FileName.folder(of: link), &folder) == 0 else { return true }
    let isShared = folder.st_mode & (S_ISVTX | S_IWOTH) == S_ISVTX | S_IWOTH
    return !isShared || owner == geteuid() || owner == folder.st_uid
  }

  private static func checkExisting(
    _ target: String, mode: mode_t, path: String, overwrites: Bool
  ) throws(BenchError) {
    guard mode & S_IFMT == S_IFREG else {
      throw BenchError(
        .output, at: path, "is \(kindOfFile(mode)), which a sound file cannot replace",
        advice: "name a file; it is written beside its place and renamed when it is whole")
    }
    guard overwrites else { throw existsError(path) }
    guard FileSystem.access(target, W_OK) == 0 else {
      throw BenchError(
        .output, at: path, "exists and may not be written by this user: \(systemMessage(errno))",
        advice: "choose another name, or change its permissions")
    }
  }

  private static func existsError(_ path: String) -> BenchError {
    BenchError(
      .output, at: path, "exists already",
      advice: "choose another name, or allow it to be replaced: leave --no-clobber out")
  }

  /// Why nothing can be written in a folder.
  static func openError(_ number: Int32, path: String, folder: String) -> BenchError {
    switch number {
    case ENOENT where isFolder(folder):
      BenchError(
        .output, at: path, "no file can be made in \(folder), which the system keeps for itself",
        advice: "name another folder")
    case ENOENT:
      BenchError(.output, at: path, "there is no folder \(folder)", advice: "make it first")
    case ENOTDIR:
      BenchError(.output, at: path, "\(folder) is not a folder", advice: "check the path")
    case EACCES, EPERM, EROFS:
      BenchError(
        .output, at: path, "nothing may be written in \(folder): \(systemMessage(number))",
        advice: adviceForWriting(number))
    default: BenchError(.output, at: path, "cannot be made: \(systemMessage(number))")
    }
  }

  /// True for a folder that is there: as /proc, in which there are files and none can be made.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return FileSystem.status(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func hiddenName(beside target: String, attempt: Int) -> String {
    // 255 bytes are the longest name of most file systems.
    let short = FileName.start(of: FileName.last(of: target), bytes: 200)
    return FileName.folder(of: target) + "/.\(short).\(getpid())-\(attempt).part"
  }
}

/// Writes everything; answers 0, or the number of the system's error.
@discardableResult
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count > 0 { done += count } else if errno != EINTR { return errno }
    }
    return 0
  }
}

/// Writes a whole text, as ``writeAll(_:to:)`` of its bytes does.
@discardableResult
package func writeAll(_ text: String, to descriptor: Int32) -> Int32 { writeAll(Array(text.utf8), to: descriptor) }

/// Glibc's `O_TMPFILE`, a compound macro that Swift does not import: `__O_TMPFILE | O_DIRECTORY`.
private let O_TMPFILE_LINUX: Int32 = 0o20_000_000 | O_DIRECTORY
