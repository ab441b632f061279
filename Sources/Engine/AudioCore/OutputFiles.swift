import Glibc

/// The files that one run of a program writes. None replaces a file that the run reads, no two are the same file, and
/// all of them get their names together, at the end.
package final class OutputFiles: @unchecked Sendable {
  private struct State {
    /// By each identity: also those that are not there yet.
    var inputs: [FileIdentity: String] = [:]
    /// Those that are there, by the folder in which each is called so.
    var inputsIn: [FileIdentity: [String]] = [:]
    var outputs: [FileIdentity: String] = [:]
    var waiting: [AtomicFile] = []

    /// The first of several names is the one that errors show.
    mutating func add(_ input: String, _ identities: [FileIdentity]) {
      for identity in identities where inputs[identity] == nil { inputs[identity] = input }
    }
  }
  private let state = Locked(State())

  package init() {}

  /// Says that a file is read, where there is one of that name. Answers whether there is, and it is news.
  @discardableResult
  package func reads(_ path: String) -> Bool {
    var folder = FileIdentity.Folder()
    return note(path, FileIdentity.all(path, in: &folder))
  }

  /// Says that a file is read, or will be when it is there.
  package func willRead(_ path: String) {
    var folder = FileIdentity.Folder()
    willRead(path, in: &folder)
  }

  /// - Parameter folder: kept for the paths of one look at many.
  package func willRead(_ path: String, in folder: inout FileIdentity.Folder) {
    let identities = FileIdentity.all(path, in: &folder)
    if note(path, identities) { return }
    state.withLock { $0.add(path, identities) }
  }

  /// - Parameter identities: all of the path's.
  private func note(_ path: String, _ identities: [FileIdentity]) -> Bool {
    guard case .node = identities.first, let node = identities.first else { return false }
    guard state.withLock({ $0.inputs[node] == nil }) else {
      state.withLock { $0.add(path, identities) }
      return false
    }
    let folder = FileIdentity.node(FileName.folder(of: path))
    state.withLock { state in
      state.add(path, identities)
      if let folder { state.inputsIn[folder, default: []].append(path) }
    }
    return true
  }

  /// Declares that a file is to be written: call before long work.
  /// - Throws: `.usage` where it is an input, or is to be written already.
  package func writes(_ path: String) throws(BenchError) {
    var folder = FileIdentity.Folder()
    try writes(path, in: &folder)
  }

  /// - Parameter folder: kept for the paths of one look at many.
  package func writes(_ path: String, in folder: inout FileIdentity.Folder) throws(BenchError) {
    let identities = FileIdentity.all(path, in: &folder)
    try check(path, identities)
    let other = state.withLock { state in
      defer { for identity in identities { state.outputs[identity] = path } }
      return identities.compactMap { state.outputs[$0] }.first
    }
    guard let other else { return }
    throw BenchError(
      .usage, at: path,
      ByteText.isSame(other, path)
        ? "is to be written twice" : "is to be written twice: it is the same file as \(other)",
      advice: "give every file a name of its own")
  }

  /// Says that files with these endings are removed from a folder.
  /// - Throws: `.usage` where one of them is an input.
  package func clears(_ folder: String, endings: [String]) throws(BenchError) {
    guard let identity = FileIdentity.node(folder) else { return }
    let inputs = state.withLock { $0.inputsIn[identity] ?? [] }
    for input in inputs where endings.contains(where: input.hasSuffix) {
      throw BenchError(
        .usage, at: folder, "the files of a failed case would replace \(input), an input",
        advice: "name another folder by --artifacts")
    }
  }

  /// - Throws: `.usage` where the file is an input.
  package func check(_ path: String) throws(BenchError) {
    var folder = FileIdentity.Folder()
    try check(path, FileIdentity.all(path, in: &folder))
  }

  private func check(_ path: String, _ identities: [FileIdentity]) throws(BenchError) {
    guard let input = state.withLock({ state in identities.compactMap { state.inputs[$0] }.first }) else { return }
    throw BenchError(
      .usage, at: path,
      "this output would replace \(ByteText.isSame(input, path) ? "an input" : "\(input), an input")",
      advice: "give it another name")
  }

  /// Takes a file that is whole, to be published with all others.
  package func add(_ file: AtomicFile) throws(BenchError) {
    try check(file.path)
    state.withLock { $0.waiting.append(file) }
  }

  /// Those that are whole and wait for their names: where each goes, and the open file.
  package var complete: [(path: String, descriptor: Int32)] {
    state.withLock { $0.waiting.map { ($0.path, $0.descriptor) } }
  }

  /// Gives all files their names. If that fails, those that are new are removed.
  /// - Parameters:
  ///   - settles: true if the process has no more to write, so that a signal is too late: see ``Unfinished``.
  ///   - told: called when they have their names, before a signal can be reported.
  /// - Throws: `.output`.
  package func publish(settles: Bool = true, then told: () -> Void = {}) throws(BenchError) {
    let files = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for file in files { try file.deliver() }
    try Unfinished.list.withLock { (list) throws(BenchError) in
      for (index, file) in files.enumerated() {
        do throws(BenchError) { try file.publish(&list) } catch {
          for former in files[..<index] { former.withdraw() }
          throw error
        }
      }
      told()
      if settles { list.isSettled = true }
    }
  }
}

extension OutputFiles: Hashable {
  package static func == (a: OutputFiles, b: OutputFiles) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
