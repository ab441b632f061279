import AudioCore
import Digests
import Glibc

extension Journal {
  /// Records how the making of an output has ended, over its entry so far. Call before the output gets its name: an
  /// output that is not recorded would be made again.
  /// - Throws: `.output` if the disk is full, and the like. The former entry is still there then.
  package func record(_ entry: JournalEntry) throws(BenchError) {
    let row = keyed(entry).row
    try tables.withLock { (tables) throws(BenchError) in try tables.writeOutput.run(row) }
  }

  /// Says that an output is about to be made, and answers which attempt by this recipe it is: 1 where there was none,
  /// or the last one succeeded.
  package func begin(_ output: String, recipe: Digest) throws(BenchError) -> Int {
    let output = key(of: output)
    return try tables.withLock { (tables) throws(BenchError) in
      var attempt = 1
      if let former = try tables.entry(output), former.recipe == recipe {
        if case .made = former.state {} else { attempt = former.attempts + 1 }
      }
      try tables.writeOutput.run(
        JournalEntry(output: output, recipe: recipe, state: .begun, attempts: attempt).row)
      return attempt
    }
  }

  /// The entry of an output; nil if there is none, or its row is damaged.
  package func entry(_ output: String) throws(BenchError) -> JournalEntry? {
    let key = key(of: output)
    var entry = try tables.withLock { (tables) throws(BenchError) in try tables.entry(key) }
    entry?.output = output
    return entry
  }

  private func keyed(_ entry: JournalEntry) -> JournalEntry {
    var keyed = entry
    keyed.output = key(of: entry.output)
    return keyed
  }

  /// True when an output was made by this recipe and is still that file: by its stamp or, if it was restored or copied,
  /// by its content, whose stamp is kept then.
  package func isUpToDate(_ output: String, recipe: Digest) throws(BenchError) -> Bool {
    guard let entry = try entry(output), entry.recipe == recipe, case .made(let stamp, let content) = entry.state,
      let present = FileStamp(path: output)
    else { return false }
    if present.isSameFile(as: stamp) { return true }
    guard let renewed = Self.stamp(of: output, like: stamp, where: content) else { return false }
    let former = keyed(entry)
    var renewal = former
    renewal.state = .made(renewed, content: content)
    try tables.withLock { (tables) throws(BenchError) in
      // The entry may have changed meanwhile.
      if try tables.entry(former.output) == former { try tables.writeOutput.run(renewal.row) }
    }
    return true
  }

  /// True when a file is still the one that was made: by its stamp or, if it was restored or copied, by its content.
  static func isThere(_ path: String, _ stamp: FileStamp, _ content: Digest) -> Bool {
    FileStamp(path: path)?.isSameFile(as: stamp) ?? false || Self.stamp(of: path, like: stamp, where: content) != nil
  }

  /// The stamp of a file that has some length and content; nil where it has not, cannot be read, or changes meanwhile.
  private static func stamp(of path: String, like former: FileStamp, where content: Digest) -> FileStamp? {
    guard FileStamp(path: path)?.size == former.size else { return nil }
    var status = stat()
    guard let descriptor = try? FileSystem.openPlainFile(path, &status) else { return nil }
    defer { close(descriptor) }
    let before = FileStamp(status)
    guard (try? Fingerprint.digest(ofDescriptor: descriptor)) == content, FileStamp(descriptor: descriptor) == before
    else { return nil }
    return before
  }
}
