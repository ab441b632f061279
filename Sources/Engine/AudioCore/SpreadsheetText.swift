/// Texts in tables that spreadsheets open. A spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, and so
/// runs what a name of a file says: such a text gets an apostrophe in front, which makes it a text there. Numbers stay
/// numbers.
///
/// ``plain(_:)`` of what ``guarded(_:)`` answers is the text again: a text that begins with an apostrophe in front of
/// such a sign gets another one.
package enum SpreadsheetText {
  /// The text as it may stand in a table.
  package static func guarded(_ text: String) -> String {
    beginsAsFormula(text) && Double(text) == nil ? "'" + text : text
  }

  /// The text of a table's cell.
  package static func plain(_ cell: String) -> String {
    cell.utf8.first == UInt8(ascii: "'") && beginsAsFormula(cell) ? String(Substring(cell.utf8.dropFirst())) : cell
  }

  /// True where the first character that is no apostrophe begins a formula.
  private static func beginsAsFormula(_ text: String) -> Bool {
    switch text.unicodeScalars.first(where: { $0 != "'" }) {
    case "=", "+", "-", "@", "\t", "\r": true
    // The same signs in full width, which programs for Japanese take for them.
    case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }
}
