/// Tables for spreadsheets: RFC 4180.
enum CommaSeparatedText {
  static func lines(_ rows: [[String]]) -> String {
    rows.map { row in row.map(cell).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func cell(_ text: String) -> String {
    text.contains { ",\"\n\r".contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}
