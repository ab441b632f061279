import AudioCore
import Glibc

/// The file of a journal: what tells it from other files, what tables it has, and how it is opened.
enum JournalFile {
  /// "aubJ", where SQLite keeps the number of the program that a database belongs to.
  static let applicationID: UInt32 = 0x6175_624A
  static let version: UInt32 = 1

  /// A name is bytes. `state`: 0 begun, 1 made, 2 failed; what belongs to another state is null. Times are nanoseconds
  /// since
  /// 1970. `seal` is the digest of the rest of its row: SQLite does not notice a bit that has changed on the disk.
  static let schema = [
    """
    CREATE TABLE inputs(device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, \
    modified INTEGER NOT NULL, changed INTEGER NOT NULL, digest BLOB NOT NULL, digested INTEGER NOT NULL, \
    seal BLOB NOT NULL, PRIMARY KEY(device, inode)) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE notes(name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE outputs(output BLOB NOT NULL PRIMARY KEY, recipe BLOB NOT NULL, state INTEGER NOT NULL, \
    attempts INTEGER NOT NULL, seconds REAL NOT NULL, size INTEGER, modified INTEGER, inode INTEGER, device INTEGER, \
    content BLOB, report TEXT NOT NULL, kind TEXT, place TEXT, message TEXT, advice TEXT, seal BLOB NOT NULL) \
    STRICT, WITHOUT ROWID
    """,
  ]

  /// The number of pages of 4 KiB that are written before they are moved from the log into the file. Each move waits
  /// for the disk.
  private static let pagesBetweenMoves = 4096

  /// Opens a journal, which is there.
  /// - Parameters:
  ///   - path: as the user wrote it, for messages.
  ///   - target: its whole path.
  ///   - keepsForm: true to leave a journal that is only to be read without a log if it has none.
  static func open(
    _ path: String, target: String, lock: JournalLock?, keepsForm: Bool = false
  ) throws(BenchError) -> Database {
    try check(path, target: target)
    let database = try Database(path, file: target, lock: lock)
    // With the first of these, what processes share of the log is kept in memory of this one's own: no mapped file,
    // which would end the program where somebody cuts it off.
    try database.run(
      """
      PRAGMA locking_mode=EXCLUSIVE; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON;
      PRAGMA cache_size=-16384; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=\(pagesBetweenMoves);
      PRAGMA journal_size_limit=\(pagesBetweenMoves * 4096)
      """)
    if !keepsForm {
      let mode = try Statement("PRAGMA journal_mode=WAL", in: database).first()
      guard mode == [.text("wal")] else {
        throw BenchError(.output, at: path, "the journal cannot have a log beside it here: \(mode ?? [])")
      }
    }
    try checkTables(of: database)
    return database
  }

  /// Opens a published journal, which has no writer, without locks and without a file beside it.
  static func openPublished(_ path: String, target: String) throws(BenchError) -> Database {
    try check(path, target: target)
    let database = try Database(path, file: target, isPublished: true)
    try database.run("PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON")
    try checkTables(of: database)
    return database
  }

  private static func checkTables(of database: Database) throws(BenchError) {
    var found: [SQLValue] = []
    try Statement("SELECT sql FROM sqlite_schema ORDER BY name", in: database).each { row throws(BenchError) in
      found += row
    }
    guard found == schema.map(SQLValue.text) else {
      throw damaged(database.path, "its tables are not those of a journal")
    }
  }

  /// Makes a journal without rows, whole or not at all.
  static func make(_ path: String, target: String) throws(BenchError) {
    let database = try Database(path, file: nil)
    try database.run(
      "PRAGMA application_id=\(applicationID); PRAGMA user_version=\(version); " + schema.joined(separator: "; "))
    // Left by a journal that is gone: its log would be taken for the new one's.
    removeCompanions(of: target)
    let file = try AtomicFile(path: target, overwrites: false)
    try file.append(try database.bytes())
    try file.publish()
  }

  /// Removes the log and the like of a database that is gone.
  static func removeCompanions(of target: String) {
    for ending in ["-wal", "-shm", "-journal"] { FileSystem.unlink(target + ending) }
  }

  /// Looks at a file before SQLite does, which would write into it.
  /// - Throws: `.input` for what is no journal, one of a later version, and one that is cut off.
  static func check(_ path: String, target: String) throws(BenchError) {
    let header: [UInt8]
    var status = stat()
    do throws(FileSystem.ReadFailure) {
      let descriptor = try FileSystem.openPlainFile(target, &status)
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      guard count >= 0 else { throw .system(errno) }
      header = Array(bytes.prefix(count))
    } catch {
      throw BenchError(.input, at: path, error.isMissing ? "there is no such journal" : "the journal \(error.clause)")
    }
    func word(_ offset: Int) -> UInt32 { header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    let advice = "it is left as it is; name another file for the journal"
    guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
      throw BenchError(
        .input, at: path, header.isEmpty ? "is empty, and no journal" : "is no journal", advice: advice)
    }
    guard word(68) == applicationID else {
      throw BenchError(.input, at: path, "is a database of another program, and no journal", advice: advice)
    }
    guard word(60) <= version else {
      throw BenchError(
        .input, at: path, "is a journal of version \(word(60)), and this program knows version \(version)",
        advice: "use the later \(Program.name) that made it, or name another file")
    }
    // With other numbers here SQLite would take it for one that it may only read, or whose texts are written otherwise.
    guard word(60) == version, [1, 2].contains(header[18]), [1, 2].contains(header[19]), word(56) == 1 else {
      throw damaged(path, "its first page is not that of a journal")
    }
    // If there is a log, the rest may be in it.
    var log = stat()
    if FileSystem.status(target + "-wal", &log) == 0, log.st_size > 0 { return }
    let pageSize = header[16...17].reduce(0) { $0 << 8 | Int64($1) }
    let expected = (pageSize == 1 ? 65536 : pageSize) * Int64(word(28))
    // The length is valid where it was written together with the last change.
    if word(24) == word(92), status.st_size < expected {
      throw damaged(path, "it is cut off: \(status.st_size) of \(expected) bytes are there")
    }
  }

  static func damaged(_ path: String, _ what: String) -> BenchError {
    BenchError(
      .input, at: path, "the journal is damaged: \(what)",
      advice: "put a copy back; or move it away, with \(FileName.last(of: path))-wal, and everything is made anew")
  }
}
