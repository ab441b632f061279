import Glibc

/// Which file a path leads to, whatever it is called: links, `..`, several names of one file.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// Of a file that is not there yet: the bytes of its name in the folder that the numbers stand for.
  private let name: [UInt8]?

  /// Nil for what is no plain file and for what could not be one.
  package init?(_ path: String) {
    var status = stat()
    if FileSystem.status(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      name = nil
    } else {
      guard let target = try? AtomicFile.resolve(path), FileSystem.status(FileName.folder(of: target), &status) == 0
      else {
        return nil
      }
      name = target.split(separator: "/").last.map { ByteText.bytes(String($0)) }
    }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// The files that one run of a program writes. None replaces a file that the run reads, no two are the same file, and all
/// of them get their names together, at the end.
package final class OutputFiles: @unchecked Sendable {
  private struct State {
    var inputs: [FileIdentity: String] = [:]
    /// Inputs that are not there yet.
    var inputsToBe: [String] = []
    var outputs: [FileIdentity: String] = [:]
    var waiting: [AtomicFile] = []
  }
  private let state = Locked(State())

  package init() {}

  /// Says that a file is read, where there is one of that name. Answers whether there is, and it is news.
  @discardableResult
  package func reads(_ path: String) -> Bool {
    guard FileSystem.access(path, F_OK) == 0, let identity = FileIdentity(path) else { return false }
    return state.withLock { state in
      defer { if state.inputs[identity] == nil { state.inputs[identity] = path } }
      return state.inputs[identity] == nil
    }
  }

  /// Says that a file is read, or will be when it is there.
  package func willRead(_ path: String) {
    if !reads(path) { state.withLock { $0.inputsToBe.append(path) } }
  }

  /// Says that a file is to be written: to be asked before long work.
  /// - Throws: `.usage` where it is an input, or is to be written already.
  package func writes(_ path: String) throws(BenchError) {
    try check(path)
    guard let identity = FileIdentity(path) else { return }
    let other = state.withLock { state in
      defer { state.outputs[identity] = path }
      return state.outputs[identity]
    }
    guard let other else { return }
    throw BenchError(
      .usage, at: path,
      ByteText.isSame(other, path) ? "is to be written twice" : "is to be written twice: it is the same file as \(other)",
      advice: "give every file a name of its own")
  }

  /// Says that files with these endings are removed from a folder.
  /// - Throws: `.usage` where one of them is an input.
  package func clears(_ folder: String, endings: [String]) throws(BenchError) {
    var (wanted, found) = (stat(), stat())
    guard FileSystem.status(folder, &wanted) == 0 else { return }
    let inputs = state.withLock { Array($0.inputs.values) }.sorted()
    for input in inputs where endings.contains(where: input.hasSuffix) {
      guard FileSystem.status(FileName.folder(of: input), &found) == 0, found.st_ino == wanted.st_ino,
        found.st_dev == wanted.st_dev
      else { continue }
      throw BenchError(
        .usage, at: folder, "the files of a failed case would replace \(input), an input",
        advice: "name another folder by --artifacts")
    }
  }

  /// - Throws: `.usage` where the file is an input.
  package func check(_ path: String) throws(BenchError) {
    guard let identity = FileIdentity(path) else { return }
    let found = state.withLock { state in
      state.inputs[identity] ?? state.inputsToBe.first { FileIdentity($0) == identity }
    }
    guard let input = found else { return }
    throw BenchError(
      .usage, at: path,
      "this output would replace \(ByteText.isSame(input, path) ? "an input" : "\(input), an input")", advice: "give it another name")
  }

  /// Takes a file that is whole, to be published with all others.
  package func add(_ file: AtomicFile) throws(BenchError) {
    try check(file.path)
    state.withLock { $0.waiting.append(file) }
  }

  /// Gives all files their names. Where that fails, those that are new are taken back.
  /// - Throws: `.output`.
  package func publish() throws(BenchError) {
    let files = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    try Unfinished.list.withLock { (list) throws(BenchError) in
      for (index, file) in files.enumerated() {
        do throws(BenchError) { try file.publish(&list) } catch {
          for former in files[..<index] { former.withdraw() }
          throw error
        }
      }
      list.isSettled = true
    }
  }
}

extension OutputFiles: Hashable {
  package static func == (a: OutputFiles, b: OutputFiles) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
