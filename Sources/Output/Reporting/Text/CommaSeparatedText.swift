import AudioCore

/// Tables for spreadsheets: RFC 4180. No cell is a formula: see ``SpreadsheetText``.
enum CommaSeparatedText {
  static func lines(_ rows: [[String]]) -> String {
    rows.map { row in row.map(cell).joined(separator: ",") + "\r\n" }.joined()
  }

  // By scalars: to Swift a comma with an accent behind it is another character than a comma, and so is a line end of
  // Windows.
  private static func cell(_ text: String) -> String {
    let scalars = SpreadsheetText.guarded(text).unicodeScalars
    guard scalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return String(scalars) }
    var quoted = String.UnicodeScalarView()
    for scalar in scalars { quoted.append(contentsOf: scalar == "\"" ? [scalar, scalar] : [scalar]) }
    return "\"\(String(quoted))\""
  }
}
