import AudioCore
import Digests
import Glibc

/// The record of a batch: for each output, the recipe by which it was made, and which file that is. A run that is
/// killed at any moment leaves a journal whose entries are true.
///
/// A task writes its file, gives the journal the stamp of the file, which has no name yet, and names it then. So an
/// entry that says "made" may be of a file that never got its name, and ``isUpToDate(_:recipe:)`` looks at the file.
///
/// Everything may be called from several threads. An entry is stored when the call returns, whatever happens to the
/// process; a loss of power may lose the last entries, and their outputs are made again then.
package final class Journal: Sendable {
  /// As the user wrote it, for messages.
  package let path: String
  /// The path of the database: another one if `path` lies on shared storage.
  let target: String
  /// The folder that outputs' names are relative to if they begin with it, so that a job is the same job from whichever
  /// folder it is run: empty, or ending with a slash.
  let folder: String
  let tables: Locked<JournalTables>
  /// The time, in nanoseconds since 1970.
  let clock: @Sendable () -> Int64
  /// The lock against other machines for a journal on shared storage.
  private let sharedLock: JournalLock?
  /// True when ``path`` lies on shared storage, and this is a copy on a disk of this machine.
  var isWorkCopy: Bool { sharedLock != nil }
  /// One copy at a time.
  let copying = Locked(())

  /// Opens a journal, or makes it where there is none, and keeps it from other runs as long as the object lives.
  /// - Parameters:
  ///   - path: on a disk of this machine. For others: ``opened(at:workFolder:job:)``.
  ///   - folder: that of the job: see ``folder``.
  ///   - job: the purpose, which a second run is shown.
  ///   - clock: the time, in nanoseconds since 1970.
  /// - Throws: `.output` where another run has it open or it cannot be written; `.input` where the file is no journal,
  ///   or is damaged: it is left as it is then.
  package convenience init(
    path: String, folder: String = "", job: String = "", clock: @escaping @Sendable () -> Int64 = Journal.wallClock
  ) throws(BenchError) {
    if Self.isOnNetworkFileSystem(path) {
      throw BenchError(
        .usage, at: path, "a journal on shared storage needs a folder on a disk of this machine to work in")
    }
    let target = try Self.wholePath(path)
    try self.init(
      path, target: target, folder: folder, lock: JournalLock(path, target: target, job: job), sharedLock: nil,
      clock: clock)
  }

  init(
    _ path: String, target: String, folder: String = "", lock: JournalLock, sharedLock: JournalLock?,
    isOnlyRead: Bool = false, clock: @escaping @Sendable () -> Int64
  ) throws(BenchError) {
    var status = stat()
    if !isOnlyRead, FileSystem.linkStatus(target, &status) != 0, errno == ENOENT {
      try JournalFile.make(path, target: target)
    }
    let database = try JournalFile.open(path, target: target, lock: lock, keepsForm: isOnlyRead)
    tables = Locked(try JournalTables(database))
    (self.path, self.target, self.folder, self.sharedLock, self.clock) = (path, target, folder, sharedLock, clock)
  }

  /// The name of an output in the journal.
  func key(of output: String) -> String { FileName.below(folder, output) ?? output }

  /// Without links, whether it is there or not: what lies beside a journal lies beside the file itself.
  static func wholePath(_ path: String) throws(BenchError) -> String {
    guard FileName.isValid(path) else { throw BenchError(.output, at: "\"\(path)\"", "is not the name of a file") }
    if let real = FileSystem.realPath(path) { return real }
    let folder = FileName.folder(of: path)
    guard let real = FileSystem.realPath(folder) else {
      throw BenchError(.output, at: path, "there is no folder \(folder)", advice: "make it first")
    }
    return (real == "/" ? "" : real) + "/" + FileName.last(of: path)
  }

  @Sendable package static func wallClock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return FileStamp.nanoseconds(time)
  }
}

/// The statements of a journal, for one thread at a time.
final class JournalTables {
  let database: Database
  let output: Statement
  let writeOutput: Statement
  let outputsFrom: Statement
  let removeOutput: Statement
  let input: Statement
  let writeInput: Statement
  let removeInputs: Statement
  let note: Statement
  let writeNote: Statement

  init(_ database: Database) throws(BenchError) {
    func statement(_ sql: String) throws(BenchError) -> Statement { try Statement(sql, in: database) }
    self.database = database
    output = try statement("SELECT * FROM outputs WHERE output = ?")
    writeOutput = try statement("INSERT OR REPLACE INTO outputs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
    outputsFrom = try statement("SELECT * FROM outputs WHERE output > ? ORDER BY output LIMIT \(Self.rowsAtOnce)")
    removeOutput = try statement("DELETE FROM outputs WHERE output = ?")
    input = try statement("SELECT * FROM inputs WHERE device = ? AND inode = ?")
    writeInput = try statement("INSERT OR REPLACE INTO inputs VALUES (?,?,?,?,?,?,?,?)")
    removeInputs = try statement("DELETE FROM inputs WHERE digested > ?")
    note = try statement("SELECT value FROM notes WHERE name = ?")
    writeNote = try statement("INSERT OR REPLACE INTO notes VALUES (?,?)")
  }

  /// The number of rows that are read before others may write.
  static let rowsAtOnce = 256

  func entry(_ output: String) throws(BenchError) -> JournalEntry? {
    let key = SQLValue.bytes(ByteText.bytes(output))
    // If a page is damaged, SQLite may answer with another output's row, which is whole.
    guard let row = try self.output.first([key]), row.first == key else { return nil }
    return JournalEntry(row: row)
  }
}
