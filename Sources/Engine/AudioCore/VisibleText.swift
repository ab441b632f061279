/// Texts of users, of their files and of devices under test, made fit to be shown: nothing in them moves a cursor,
/// turns the direction of writing, breaks a document or hides what stands there.
///
/// A character that would is written as `\u{1B}`, a line break as `\n`, and a byte of a file name that is not UTF-8 as
/// `\xFF`.
package enum VisibleText {
  /// Line breaks and tabs stay: for texts of several lines, and for all that goes to a terminal.
  package static func of(_ text: String) -> String {
    guard mayHide(text) else { return text }
    return replaced(withPlainLineBreaks(text)) { $0 == "\n" || $0 == "\t" ? nil : escape($0) }
  }

  /// As ``of(_:)``, on one line: a blank where lines end.
  package static func line(_ text: String) -> String {
    let visible = of(text)
    guard visible.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else { return visible }
    return visible.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\t" }).map { String($0) }
      .joined(separator: " ")
  }

  /// On one line, and with nothing taken away: for names, cells of tables and errors.
  package static func name(_ text: String) -> String {
    guard mayHide(text) || text.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else { return text }
    return replaced(text, escape)
  }

  /// A JSON text whose strings hold such characters, with JSON's own escapes for them: it means the same.
  package static func json(_ text: String) -> String {
    guard mayHide(text) else { return text }
    return replaced(text) { scalar in
      guard scalar != "\n", scalar != "\t", isHidden(scalar) else { return nil }
      return UTF16.encode(scalar)?.map { "\\u" + hexadecimal(UInt32($0), digits: 4).lowercased() }.joined()
    }
  }

  /// The text that a program wrote to a terminal, without its colours (ECMA-48 control sequences).
  package static func ofLog(_ text: String) -> String {
    guard text.unicodeScalars.contains("\u{1B}") else { return of(text) }
    var answer = String.UnicodeScalarView()
    var isInSequence = false
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if isInSequence {
        // Parameters and intermediates up to a final byte; whatever else comes ends it too.
        if !(0x20...0x3F).contains(scalar.value) { isInSequence = false }
      } else if previous == "\u{1B}" && scalar == "[" {
        answer.removeLast()
        isInSequence = true
      } else {
        answer.append(scalar)
      }
      previous = scalar
    }
    return of(String(answer))
  }

  // MARK: Which

  /// A first look at the bytes: none of those with which a hidden character can begin.
  private static func mayHide(_ text: String) -> Bool {
    text.utf8.contains { byte in
      switch byte {
      case 0x09, 0x0A: false
      case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF0...0xF4: true
      default: false
      }
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Marks, embeddings, overrides and isolates of the direction of writing (Unicode Standard Annex 9).
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
    // The line and the paragraph separator; characters without width or shape.
    case 0x2028, 0x2029, 0x180E, 0x200B, 0x2060...0x2064, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    // No characters, for good: the last two of each plane, of which XML 1.0 forbids the first plane's, and these. Cairo
    // draws none of them into a PDF.
    case 0xFDD0...0xFDEF: true
    case let value where value & 0xFFFE == 0xFFFE: true
    default: ByteText.byte(of: scalar) != nil
    }
  }

  // MARK: How

  /// The escape for a character; nil if it stays.
  private static func escape(_ scalar: Unicode.Scalar) -> String? {
    guard isHidden(scalar) else { return nil }
    switch scalar {
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      if let byte = ByteText.byte(of: scalar) { return "\\x" + hexadecimal(UInt32(byte), digits: 2) }
      return "\\u{" + hexadecimal(scalar.value, digits: 2) + "}"
    }
  }

  private static func replaced(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var answer = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replaced = replacement(scalar) {
        answer.append(contentsOf: replaced.unicodeScalars)
      } else {
        answer.append(scalar)
      }
    }
    return String(answer)
  }

  /// A line break of Windows is one.
  private static func withPlainLineBreaks(_ text: String) -> String {
    guard text.utf8.contains(0x0D) else { return text }
    var answer = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" && answer.last == "\r" { answer.removeLast() }
      answer.append(scalar)
    }
    return String(answer)
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    NumberText.padded(String(value, radix: 16, uppercase: true), digits)
  }
}
