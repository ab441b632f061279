import AudioCore
import CProcess
import Glibc

/// The temporary folder of this process, in which all its scratch folders lie: `aubench-XXXXXX` in `$TMPDIR` or `/tmp`.
///
/// It goes when the process ends. If the process is killed, or has no time to remove all of it, a shell does: the
/// cleaner, which waits for the end of the process. If that is killed too, the next process that makes such a folder
/// removes it: the file `owner` in it is locked as long as its owner lives. So `owner` is the last that is removed.
enum RunFolder {
  private struct State {
    var path: String?
    var count = 0
    /// Removes the folder and ends the cleaner: the only place that does.
    var undo: Unfinished.Token?
    /// The process that made the folder: a copy of it that ends has nothing to remove.
    var process: pid_t = 0
  }
  private static let state = Locked(State())
  private static let owner = "owner"

  /// The folder for temporary files.
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
        // The folder was removed from outside.
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
      undo(&state)
      let made = Unfinished.list.withLock { list -> Int32 in
        guard let name = FileSystem.temporaryFolder("\(parent)/aubench-") else { return errno }
        // Programs may work in other folders than this one.
        guard let path = FileSystem.realPath(name) else { return errno }
        state.path = path
        state.undo = list.add { FolderTree.remove(path) }
        return 0
      }
      guard made == 0, let path = state.path else { throw error(made, at: parent) }
      if isInside { break }
      if let lock = hold("\(path)/\(owner)") {
        startCleaner(of: path, lock, &state)
        break
      }
      let number = errno
      undo(&state)
      // Another process has removed it, as it had no lock yet.
      if number != EWOULDBLOCK && number != ENOENT { throw error(number, at: parent) }
    }
    if state.process == 0 { atexit { RunFolder.leave() } }
    state.process = getpid()
  }

  private static func lastName(of path: String) -> String {
    FileSystem.realPath(path).map(FileName.last) ?? ""
  }

  /// Makes and locks the file that shows that the folder is in use. Answers its descriptor, which holds the lock.
  private static func hold(_ file: String) -> Int32? {
    let descriptor = FileSystem.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      close(descriptor)
      errno = EWOULDBLOCK
      return nil
    }
    return descriptor
  }

  /// The cleaner's script; its argument is the folder. Processes that are about to end may still put something there,
  /// so it tries again and again, for a minute if the folder cannot be removed at all.
  private static let cleaning = """
    trap '' HUP INT QUIT TERM
    cd /
    read -r line
    tries=0
    while [ -d "$0" ] && [ $tries -lt 600 ]; do
      for entry in "$0"/* "$0"/.[!.]* "$0"/..?*; do
        [ "$entry" = "$0/\(owner)" ] || rm -rf -- "$entry"
      done
      [ "$(ls -A -- "$0")" = \(owner) ] && rm -f -- "$0/\(owner)"
      rmdir -- "$0" && break
      find "$0" -type d ! -perm -700 -exec chmod 700 {} \\;
      sleep 0.1
      tries=$((tries + 1))
    done
    """

  /// Starts the shell that removes the folder when this process is no more, and makes it end with the folder.
  private static func startCleaner(of path: String, _ lock: Int32, _ state: inout State) {
    var ends: [Int32] = [-1, -1]
    let hasPipe = process_make_pipe(&ends) == 0
    let line = ends[1]
    state.undo = Unfinished.list.withLock { list in
      var cleaner: process_handle?
      if hasPipe {
        let (made, failure) = ProcessOrder(["/bin/sh", "-c", cleaning, path], descriptors: [ends[0], -1, -1]).start()
        if failure == 0 { cleaner = made }
        close(ends[0])
      }
      if let undo = state.undo { list.remove(undo) }
      return list.add { [cleaner] in
        let isGone = FolderTree.remove(path, last: owner, within: cleaner == nil ? nil : .milliseconds(300))
        close(lock)
        // The rest is left to the cleaner: it begins when the line is closed, by the end of this process.
        if let cleaner, isGone { end(cleaner) }
        if isGone || cleaner == nil { close(line) }
      }
    }
  }

  private static func end(_ cleaner: process_handle) {
    var cleaner = cleaner
    var left = process_end()
    kill(cleaner.pid, SIGKILL)
    _ = process_take_end(&cleaner, 500, &left)
    if cleaner.ended >= 0 { close(cleaner.ended) }
  }

  private static func undo(_ state: inout State) {
    if let undo = state.undo { Unfinished.list.withLock { $0.undo(undo) } }
    state.undo = nil
    state.path = nil
  }

  /// At the end of the process.
  private static func leave() {
    state.withLock { state in
      if state.process == getpid() { undo(&state) }
    }
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
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { FolderTree.remove(path, last: owner) }
    }
  }
}
