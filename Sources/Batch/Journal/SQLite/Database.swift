import AudioCore
import CSQLite
import Glibc

/// A connection to a database file, for one thread at a time. This file and Statement.swift are all that calls SQLite.
///
/// No name in them is taken for a URI or for a database in memory: files are opened by their whole path, and what is
/// read in place by a URI in which every byte of it is encoded.
final class Database {
  /// As the user wrote it, for messages.
  let path: String
  let handle: OpaquePointer
  /// Held until the connection is closed.
  private let lock: JournalLock?

  /// - Parameters:
  ///   - file: the whole path of a file that is there; nil: a database in memory.
  ///   - isNew: true to make the file if it is not there.
  ///   - isPublished: true for a file without a writer, which is replaced as a whole: it is read without locks,
  ///     wherever it lies, and not written.
  init(
    _ path: String, file: String?, isNew: Bool = false, isPublished: Bool = false, lock: JournalLock? = nil
  ) throws(BenchError) {
    self.path = path
    self.lock = lock
    // The limit of SQLite's own interface to the system, with room for the endings of its other files.
    let most = 500
    if let file, ByteText.bytes(file).count > most {
      throw BenchError(
        .output, at: path, "the whole path of a journal may have \(most) bytes, and this one has more",
        advice: "choose a folder nearer to the root")
    }
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_NOMUTEX
      | (isPublished ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE)
      | (isNew || file == nil ? SQLITE_OPEN_CREATE : 0)
    let name = file.map { isPublished ? Self.publishedName($0) : $0 } ?? ":memory:"
    let code = ByteText.withCString(name) { sqlite3_open_v2($0, &opened, flags, nil) }
    guard let opened else { preconditionFailure("no memory for a connection") }
    handle = opened
    sqlite3_extended_result_codes(opened, 1)
    guard code == SQLITE_OK, sqlite_distrust(opened) == SQLITE_OK else { throw error() }
    if !isPublished, sqlite3_db_readonly(opened, "main") == 1 {
      throw BenchError(
        .output, at: path, "the journal may not be written by this user", advice: "change its permissions")
    }
  }

  /// As SQLite takes it for a file that does not change.
  private static func publishedName(_ file: String) -> String {
    let encoded = ByteText.bytes(file).map { byte in
      let digits = String(byte, radix: 16)
      return byte == UInt8(ascii: "/") ? "/" : "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
    return "file:\(encoded.joined())?immutable=1"
  }

  deinit {
    // If the disk is full, the journal's other files may remain; the next process that opens it removes them.
    sqlite3_close_v2(handle)
  }

  /// Runs statements that answer nothing.
  func run(_ sql: String) throws(BenchError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// All that `body` writes, or nothing of it.
  func transaction(_ body: () throws(BenchError) -> Void) throws(BenchError) {
    try run("BEGIN IMMEDIATE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      // SQLite has undone it already where the disk is full.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// All bytes of the database, as they would stand in a file. For small ones.
  func bytes() throws(BenchError) -> [UInt8] {
    var count: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &count, 0) else { throw error() }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  /// The last call's error.
  func error() -> BenchError { Self.error(sqlite3_extended_errcode(handle), handle, at: path) }

  /// The number of the system's error behind a code; 0 where there is none.
  fileprivate static func systemNumber(_ code: Int32, _ handle: OpaquePointer) -> Int32 {
    // SQLite does not keep those of a commit. It calls nothing behind the call that failed.
    let last = errno
    let kept = sqlite3_system_errno(handle)
    return kept == 0 && code & 0xFF == SQLITE_IOERR ? last : kept
  }

  private static func error(_ code: Int32, _ handle: OpaquePointer, at path: String) -> BenchError {
    let words = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "error \(code)"
    let number = systemNumber(code, handle)
    let cause = number == 0 ? words : systemMessage(number)
    return switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_SCHEMA:
      JournalFile.damaged(path, words)
    case SQLITE_FULL:
      BenchError(
        .output, at: path, "the journal cannot be written: \(systemMessage(ENOSPC))", advice: adviceForWriting(ENOSPC))
    case SQLITE_BUSY, SQLITE_LOCKED:
      BenchError(
        .output, at: path, "another program has the journal open", advice: "end that program, and run again")
    // Extended codes, which Swift does not see: a read that ends early, and what the file system says of itself.
    case SQLITE_IOERR where [2, 33].contains(code >> 8):
      JournalFile.damaged(path, words)
    case SQLITE_IOERR where code >> 8 == 1:
      BenchError(.output, at: path, "the journal cannot be read: \(cause)")
    default:
      BenchError(
        .output, at: path, "the journal cannot be written: \(cause)", advice: adviceForWriting(number))
    }
  }
}

/// Copies a database page by page, while the connection that it belongs to may write between two steps. Each call as
/// all others of that connection: by one thread at a time.
final class DatabaseCopy {
  private var handle: OpaquePointer?
  private let source: Database
  private let target: Database

  init(from source: Database, to target: Database) throws(BenchError) {
    guard let handle = sqlite3_backup_init(target.handle, "main", source.handle, "main") else { throw target.error() }
    (self.handle, self.source, self.target) = (handle, source, target)
  }

  /// Copies some pages. Answers whether there are more.
  func step(pages: Int32) throws(BenchError) -> Bool {
    switch sqlite3_backup_step(handle, pages) {
    case SQLITE_OK: return true
    case SQLITE_DONE: return false
    case let code where [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF):
      throw JournalFile.damaged(source.path, "a page cannot be read")
    case let code:
      let number = code & 0xFF == SQLITE_FULL ? ENOSPC : Database.systemNumber(code, target.handle)
      let cause = number == 0 ? String(cString: sqlite3_errstr(code)) : systemMessage(number)
      throw BenchError(
        .output, at: target.path, "the journal cannot be copied on its own disk: \(cause)",
        advice: adviceForWriting(number))
    }
  }

  /// To be called before either connection goes.
  func finish() {
    sqlite3_backup_finish(handle)
    handle = nil
  }
}
