import AudioCore
import CProcess
import Glibc

/// The temporary folder of this process, in which all its scratch folders lie: `aubench-XXXXXX` in `$TMPDIR` or `/tmp`.
///
/// It goes when the process ends. Where the process is killed, a shell goes on that waits for its end and removes the
/// folder. Where that is killed too, the next process that makes such a folder removes it: the file `owner` in it is locked
/// as long as its owner lives.
enum RunFolder {
  private struct State {
    var path: String?
    var count = 0
    /// The lock of `owner`, held to the end.
    var lock: Int32 = -1
    /// The shell, and what it reads the end of: held to the end.
    var heir: process_handle?
    var line: Int32 = -1
  }
  private static let state = Locked(State())
  private static let owner = "owner"

  /// Where temporary files go.
  static var parent: String {
    let path = FileSystem.environment("TMPDIR") ?? ""
    return path.isEmpty ? "/tmp" : path
  }

  /// A new folder in the process's own.
  static func makeFolder() throws(BenchError) -> String {
    try state.withLock { (state) throws(BenchError) in
      if state.path == nil { try make(&state) }
      while let path = state.path {
        state.count += 1
        let folder = "\(path)/\(state.count)"
        if FileSystem.makeFolder(folder, 0o700) == 0 { return folder }
        let number = errno
        // Somebody has tidied up.
        if number == ENOENT { try make(&state) } else if number != EEXIST { throw error(number, at: path) }
      }
      throw error(ENOENT, at: parent)
    }
  }

  static func error(_ number: Int32, at path: String) -> BenchError {
    let isFull = number == ENOSPC || number == EDQUOT
    return BenchError(
      .output, at: path,
      (isFull ? "the temporary folder is full: " : "no temporary folder can be made: ") + systemMessage(number),
      advice: isFull
        ? "free some space, or set TMPDIR to a folder on another disk"
        : "set TMPDIR to a folder that can be written to")
  }

  private static func make(_ state: inout State) throws(BenchError) {
    let parent = parent
    // Inside the folder of who has started this process, which removes everything in it.
    let isInside =
      FileSystem.access("\(parent)/../\(owner)", F_OK) == 0 && lastName(of: "\(parent)/..").hasPrefix("aubench-")
    if !isInside { removeStale(in: parent) }
    for _ in 0..<10 {
      let made = Unfinished.list.withLock { list -> Int32 in
        guard let name = FileSystem.temporaryFolder("\(parent)/aubench-") else { return errno }
        // Programs may work in other folders than this one.
        guard let path = FileSystem.realPath(name) else { return errno }
        state.path = path
        _ = list.add { FolderTree.remove(path) }
        return 0
      }
      guard made == 0, let path = state.path else { throw error(made, at: parent) }
      if isInside { break }
      if hold("\(path)/\(owner)", &state) {
        appointHeir(of: path, &state)
        break
      }
      let number = errno
      FolderTree.remove(path)
      state.path = nil
      // Another process has taken it for one that nobody owns.
      if number != EWOULDBLOCK && number != ENOENT { throw error(number, at: parent) }
    }
    if state.count == 0 { atexit { RunFolder.leave() } }
  }

  private static func lastName(of path: String) -> String {
    FileSystem.realPath(path).map(FileName.last) ?? ""
  }

  /// Makes and locks the file that says that the folder is somebody's.
  private static func hold(_ file: String, _ state: inout State) -> Bool {
    let descriptor = FileSystem.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      close(descriptor)
      errno = EWOULDBLOCK
      return false
    }
    state.lock = descriptor
    return true
  }

  /// Starts the shell that removes the folder when this process is no more.
  private static func appointHeir(of path: String, _ state: inout State) {
    var ends: [Int32] = [-1, -1]
    guard process_make_pipe(&ends) == 0 else { return }
    defer { close(ends[0]) }
    let words = ["/bin/sh", "-c", "read -r line; exec rm -rf -- \"$0\"", path]
    let order = ProcessOrder(words, descriptors: [ends[0], -1, -1])
    let (handle, failure) = Unfinished.list.withLock { list in
      let (handle, failure) = order.start()
      if failure == 0 { _ = list.add { end(handle) } }
      return (handle, failure)
    }
    guard failure == 0 else {
      close(ends[1])
      return
    }
    state.line = ends[1]
    state.heir = handle
  }

  /// At the end of the process.
  private static func leave() {
    state.withLock { state in
      if let path = state.path { FolderTree.remove(path) }
      state.path = nil
      if let heir = state.heir { end(heir) }
      state.heir = nil
    }
  }

  private static func end(_ heir: process_handle) {
    var heir = heir
    var left = process_end()
    kill(heir.pid, SIGKILL)
    _ = process_take_end(&heir, 500, &left)
  }

  /// Removes folders of processes that were killed: those of this user whose owner holds no lock.
  private static func removeStale(in parent: String) {
    for name in FileSystem.names(in: parent) ?? [] where name.hasPrefix("aubench-") {
      let path = "\(parent)/\(name)"
      var status = stat()
      guard FileSystem.linkStatus(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
      else { continue }
      let descriptor = FileSystem.open("\(path)/\(owner)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { FolderTree.remove(path) }
    }
  }
}
