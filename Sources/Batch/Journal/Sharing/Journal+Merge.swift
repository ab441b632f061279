import AudioCore
import Glibc

extension Journal {
  /// The report of a merge.
  package struct MergeReport: Hashable, Sendable {
    /// Entries of outputs that the journal said nothing of.
    package var added = 0
    /// Entries of outputs that another journal says something of as well.
    package var joined = 0
    /// Rows that are not as they were written, and were left out.
    package var damaged = 0

    package init(added: Int = 0, joined: Int = 0, damaged: Int = 0) {
      (self.added, self.joined, self.damaged) = (added, joined, damaged)
    }
  }

  /// Takes over what other journals say, all of it or nothing: those of the shards of one job.
  ///
  /// If two journals have the same output by the same recipe, "made" counts more than "failed", and that more than
  /// "begun"; of two of the last kinds, the one with more attempts counts. Two that were made must have the same
  /// content. If the recipes differ, the entry counts by which the file that is there was made, and if that is neither,
  /// the later journal's: shards begin with the entries of the job's journal.
  /// - Parameter isShared: true for a path on shared storage: such a journal is copied to this one's disk first.
  /// - Throws: `.input` where two journals say that one output was made with different contents, or one cannot be read.
  @discardableResult
  package static func merge(
    _ paths: [String], into journal: Journal, isShared: (String) -> Bool = Journal.isOnNetworkFileSystem
  ) throws(BenchError) -> MergeReport {
    var report = MergeReport()
    try journal.copying.withLock { (_: inout Void) throws(BenchError) in
      try journal.tables.withLock { (tables) throws(BenchError) in
        try tables.database.transaction { () throws(BenchError) in
          for (index, path) in paths.enumerated() {
            var contradicted: JournalEntry?
            try journal.withSource(path, isShared) { (source) throws(BenchError) in
              var entries = source.entries()
              while let entry = try entries.next() {
                guard let former = try tables.entry(entry.output) else {
                  try tables.writeOutput.run(entry.row)
                  report.added += 1
                  continue
                }
                guard let joined = joined(former, entry, in: journal.folder) else {
                  contradicted = former
                  return
                }
                if joined != former { try tables.writeOutput.run(joined.row) }
                report.joined += 1
              }
              report.damaged += entries.damaged
            }
            if let contradicted {
              let origin = try journal.origin(of: contradicted, among: paths[..<index], isShared)
              throw contradiction(contradicted.output, origin, path)
            }
          }
        }
      }
    }
    return report
  }

  /// Nil where they contradict each other.
  static func joined(_ a: JournalEntry, _ b: JournalEntry, in folder: String) -> JournalEntry? {
    guard a.recipe == b.recipe else {
      // A journal may have been left by shards of long ago.
      let isThere = { (entry: JournalEntry) in
        guard case .made(let stamp, let content) = entry.state else { return false }
        return Self.isThere(FileName.path(entry.output, in: folder), stamp, content)
      }
      return isThere(a) && !isThere(b) ? a : b
    }
    return switch (a.state, b.state) {
    case (.made(_, let content), .made(_, let other)): content == other ? a : nil
    case (.made, _), (.failed, .begun): a
    case (_, .made), (.begun, .failed): b
    case (.failed, .failed), (.begun, .begun): a.attempts >= b.attempts ? a : b
    }
  }

  private static func contradiction(_ output: String, _ a: String, _ b: String) -> BenchError {
    BenchError(
      .input, at: output, "was made with different contents, as \(a) and \(b) say",
      advice: "were these shards of one job? Leave one journal out, and run the job again")
  }

  /// Opens a journal that is only read. One at a time: there may be more of them than files may be open.
  private func withSource(
    _ path: String, _ isShared: (String) -> Bool, _ body: (Journal) throws(BenchError) -> Void
  ) throws(BenchError) {
    guard isShared(path) else {
      let target = try Self.wholePath(path)
      let lock = try JournalLock(path, target: target, job: "merging")
      return try body(Journal(path, target: target, lock: lock, sharedLock: nil, isOnlyRead: true, clock: clock))
    }
    let copy = self.target + "-copy"
    JournalFile.removeCompanions(of: copy)
    defer { FileSystem.unlink(copy) }
    try Self.copyShared(path, try Self.wholePath(path), to: copy)
    let lock = try JournalLock(path, target: copy, job: "merging")
    try body(Journal(path, target: copy, lock: lock, sharedLock: nil, isOnlyRead: true, clock: clock))
  }

  /// The journal among those taken over that has this entry; it is opened again, as it is closed by now.
  private func origin(
    of entry: JournalEntry, among paths: ArraySlice<String>, _ isShared: (String) -> Bool
  ) throws(BenchError) -> String {
    var origin = path
    for path in paths {
      try withSource(path, isShared) { (source) throws(BenchError) in
        if try source.entry(entry.output) == entry { origin = path }
      }
    }
    return origin
  }
}
