import AudioCore

/// Texts in the columns of a terminal.
package enum TextLayout {
  /// Columns that a text takes: two for a wide character (East Asian ones and emoji), none for a combining one.
  static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.generalCategory == .nonspacingMark || first.value == 0x200B { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    // Ranges of the Unicode database's EastAsianWidth W and F, without the small ones between.
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// At most `width` columns, with an ellipsis in place of the middle: both ends of ids and paths say something.
  static func shortened(_ text: String, to width: Int) -> String {
    guard width > 0 else { return "" }
    guard self.width(text) > width else { return text }
    guard width > 4 else { return prefix(text, width - 1) + "…" }
    let head = (width - 1) / 3
    return prefix(text, head) + "…" + suffix(text, width - 1 - head)
  }

  /// At most `width` columns, with an ellipsis at the end.
  static func cut(_ text: String, to width: Int) -> String {
    guard width > 0 else { return "" }
    return self.width(text) > width ? prefix(text, width - 1) + "…" : text
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - self.width(text)))
  }

  static func rightAligned(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - self.width(text))) + text
  }

  /// Lines of at most `width` columns, broken at spaces where there are some.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    let width = max(1, width)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      var used = 0
      for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
        var rest = String(word)
        let separator = line.isEmpty ? 0 : 1
        if used + separator + self.width(rest) > width, !line.isEmpty {
          lines.append(line)
          line = ""
          used = 0
        }
        while self.width(rest) > width {
          let head = prefix(rest, width)
          // A character wider than the terminal is put there all the same.
          let taken = head.isEmpty ? String(rest.prefix(1)) : head
          lines.append(taken)
          rest = String(rest.dropFirst(taken.count))
        }
        if !line.isEmpty {
          line += " "
          used += 1
        }
        line += rest
        used += self.width(rest)
      }
      lines.append(line)
    }
    return lines
  }

  private static func prefix(_ text: String, _ width: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += self.width(character)
        return used <= width
      })
  }

  private static func suffix(_ text: String, _ width: Int) -> String {
    var used = 0
    var kept: [Character] = []
    for character in text.reversed() {
      used += self.width(character)
      if used > width { break }
      kept.append(character)
    }
    return String(kept.reversed())
  }

  /// Rows lined up in columns, two blanks between them; every line begins with `indent`.
  package static func columns(_ rows: [[String]], indent: String = "") -> String {
    // A line break in a name must not make a row of its own.
    let rows = rows.map { $0.map(VisibleText.name) }
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], width(cell))
      }
    }
    var text = ""
    for row in rows {
      var line = indent
      for (column, cell) in row.enumerated() {
        line += cell
        if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - width(cell) + 2) }
      }
      while line.hasSuffix(" ") { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  /// Words broken into lines of at most `width` characters, every line but the first behind `indent`.
  package static func paragraph(_ text: String, width: Int = 80, indent: String = "", first: String? = nil) -> String {
    var lines: [String] = []
    var line = first ?? indent
    var isFresh = true
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !isFresh, line.count + 1 + word.count > width {
        lines.append(line)
        line = indent
        isFresh = true
      }
      line += (isFresh ? "" : " ") + word
      isFresh = false
    }
    lines.append(line)
    return lines.joined(separator: "\n") + "\n"
  }
}
