import AudioCore

/// A table of texts as RFC 4180 has it: values between commas, in quotes where they have commas, quotes or line ends of
/// their own; the first row names the columns. An apostrophe that keeps a spreadsheet from computing a text is no part
/// of it: see ``SpreadsheetText``.
package struct CommaSeparatedValues: Sendable {
  package let columns: [String]
  /// As many values as there are columns in each.
  package let rows: [[String]]

  /// - Throws: `.input` for a file that cannot be read, or is no such table.
  package init(path: String) throws(BenchError) {
    let bytes = try FileSystem.bytes(of: path, atMost: 1 << 30, prefix: "the table cannot be read: ")
    do throws(BenchError) { try self.init(bytes) } catch { throw error.inside(path) }
  }

  init(_ bytes: [UInt8]) throws(BenchError) {
    var reader = Reader(bytes: bytes[...])
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.bytes.removeFirst(3) }  // the mark that spreadsheets write
    guard let columns = try reader.filledRow() else { throw BenchError(.input, "the table is empty") }
    var names: Set<String> = []
    for name in columns where !names.insert(name).inserted {
      throw BenchError(.input, at: "line 1", "two columns are called \"\(excerpt(name))\"")
    }
    var rows: [[String]] = []
    while let row = try reader.filledRow() {
      guard row.count == columns.count else {
        throw BenchError(
          .input, at: "line \(reader.line)", "expected \(NumberText.count(columns.count, "value")), found \(row.count)",
          advice: Self.separatorAdvice(columns) ?? "put values with commas into quotes")
      }
      rows.append(row)
    }
    guard !rows.isEmpty else { throw BenchError(.input, "the table has no row below the names of its columns") }
    (self.columns, self.rows) = (columns, rows)
  }

  /// Advice for a table that seems to have other separators between its values, as spreadsheets write in some
  /// countries.
  package var separatorAdvice: String? { Self.separatorAdvice(columns) }

  private static func separatorAdvice(_ columns: [String]) -> String? {
    guard columns.count == 1 else { return nil }
    if columns[0].utf8.contains(UInt8(ascii: ";")) { return "its values stand between semicolons: save it with commas" }
    if columns[0].utf8.contains(UInt8(ascii: "\t")) { return "its values stand between tabs: save it with commas" }
    return nil
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>
    /// The line of the row that was read last.
    private(set) var line = 0
    private var next = 1

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next row that is no empty line.
    mutating func filledRow() throws(BenchError) -> [String]? {
      while let row = try row() {
        if row != [""] { return row }
      }
      return nil
    }

    private mutating func row() throws(BenchError) -> [String]? {
      guard !bytes.isEmpty else { return nil }
      line = next
      var row: [String] = []
      while true {
        row.append(SpreadsheetText.plain(ByteText.string(try value())))
        let end = bytes.popFirst()
        if end == UInt8(ascii: ",") { continue }
        if end == 0x0D, bytes.first == 0x0A { bytes.removeFirst() }
        next += 1
        return row
      }
    }

    /// Up to the comma or the end of the line behind it.
    private mutating func value() throws(BenchError) -> [UInt8] {
      guard bytes.first == UInt8(ascii: "\"") else {
        let value = bytes.prefix { $0 != UInt8(ascii: ",") && $0 != 0x0A && $0 != 0x0D }
        bytes = bytes.dropFirst(value.count)
        return Array(value)
      }
      bytes.removeFirst()
      var value: [UInt8] = []
      while let byte = bytes.popFirst() {
        if byte == UInt8(ascii: "\"") {
          guard bytes.first == byte else { return try ended(value) }
          bytes.removeFirst()
        }
        if byte == 0x0A { next += 1 }
        value.append(byte)
      }
      throw BenchError(.input, at: "line \(line)", "a quote is not closed")
    }

    private func ended(_ value: [UInt8]) throws(BenchError) -> [UInt8] {
      guard let byte = bytes.first, byte != UInt8(ascii: ","), byte != 0x0A, byte != 0x0D else { return value }
      throw BenchError(
        .input, at: "line \(line)", "text stands behind a closed quote", advice: "write a quote inside as two")
    }
  }
}
