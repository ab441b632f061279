import AudioCore
import CSQLite

/// The value of a column.
enum SQLValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}

/// A statement of SQL, prepared once. The database outlives it.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  init(_ sql: String, in database: Database) throws(BenchError) {
    var prepared: OpaquePointer?
    guard
      sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK,
      let prepared
    else { throw database.error() }
    (handle, self.database) = (prepared, database)
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs it to its end.
  func run(_ values: [SQLValue] = []) throws(BenchError) { try each(values) { _ in } }

  /// The first row of its answer; nil where there is none.
  func first(_ values: [SQLValue] = []) throws(BenchError) -> [SQLValue]? {
    defer { reset() }
    try bind(values)
    return try step() ? row() : nil
  }

  /// Every row of its answer. `body` must not use the statement.
  func each(_ values: [SQLValue] = [], _ body: ([SQLValue]) throws(BenchError) -> Void) throws(BenchError) {
    defer { reset() }
    try bind(values)
    while try step() { try body(row()) }
  }

  private func reset() {
    // Answers the last step's error once more.
    sqlite3_reset(handle)
  }

  private func step() throws(BenchError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error()
    }
  }

  private func bind(_ values: [SQLValue]) throws(BenchError) {
    precondition(values.count == Int(sqlite3_bind_parameter_count(handle)))
    for (place, value) in zip(Int32(1)..., values) {
      let code =
        switch value {
        case .null: sqlite3_bind_null(handle, place)
        case .integer(let value): sqlite3_bind_int64(handle, place, value)
        case .real(let value): sqlite3_bind_double(handle, place, value)
        case .text(var text): text.withUTF8 { bindCharacters(place, $0) }
        case .bytes(let bytes):
          bytes.withUnsafeBytes { sqlite_bind_bytes(handle, place, $0.baseAddress, Int32($0.count)) }
        }
      guard code == SQLITE_OK else { throw database.error() }
    }
  }

  private func bindCharacters(_ place: Int32, _ text: UnsafeBufferPointer<UInt8>) -> Int32 {
    text.withMemoryRebound(to: CChar.self) { sqlite_bind_characters(handle, place, $0.baseAddress, Int32($0.count)) }
  }

  private func row() -> [SQLValue] {
    (0..<sqlite3_column_count(handle)).map { column in
      switch sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
      case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
      // Bytes that are not UTF-8 become another text, which the row's seal does not fit.
      case SQLITE_TEXT: .text(String(decoding: columnBytes(column), as: UTF8.self))
      case SQLITE_BLOB: .bytes(Array(columnBytes(column)))
      default: .null
      }
    }
  }

  private func columnBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
