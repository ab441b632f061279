/// Texts of users as expressions of gnuplot's language.
///
/// They stand in single quotes: within double quotes gnuplot would run what stands between backquotes. Every text is
/// drawn with `noenhanced`, so `_`, `^`, `{` and `@` mean themselves.
package enum GnuplotText {
  /// A string expression.
  static func quoted(_ text: String) -> String {
    var pieces: [String] = []
    // By scalars: a quote with an accent on it is another character to Swift, and the same quote to gnuplot.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if number > 0 { pieces.append("\"\\n\"") }
      // A doubled quote would do, were it not for one at the start of a label, which gnuplot 5.4 does not understand.
      let parts = clean(String(line)).unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { pieces.append("\"'\"") }
        if !part.isEmpty { pieces.append("'" + String(part) + "'") }
      }
    }
    return pieces.isEmpty ? "''" : pieces.joined(separator: ".")
  }

  /// A string expression of a label beside a tick, which gnuplot takes for a format of the tick's value.
  static func tickLabel(_ text: String) -> String {
    quoted(text.replacing("%", with: "%%").replacing("-", with: "\u{2212}"))
  }

  /// Without control characters and what XML cannot hold.
  package static func clean(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
      case 0x00..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: scalars.append("\u{FFFD}")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// About how wide a text is, in pixels: enough to leave room for it.
  static func width(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + ems($1) } * size
  }

  private static func ems(_ scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x300..<0x370, 0x200B...0x200F: 0
    case 0x1100..<0x1160, 0x2E80..<0xD7A4, 0xF900..<0xFB00, 0xFE30..<0xFE50, 0xFF00..<0xFF61, 0x1F000..<0x20000,
      0x20000..<0x40000:
      1.25
    default:
      switch scalar {
      case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", " ", "!": 0.36
      case "m", "w", "M", "W", "@", "%": 0.97
      case "A"..."Z": 0.72
      default: 0.63
      }
    }
  }

  /// Broken into lines of at most `width` pixels at blanks, or anywhere in a long word; at most so many lines.
  static func wrapped(_ text: String, width limit: Double, size: Double, lines most: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.prefix(2000).split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        let longer = line.isEmpty ? String(word) : line + " " + word
        if width(longer, size: size) <= limit {
          line = longer
          continue
        }
        if !line.isEmpty { lines.append(line) }
        line = shortened(String(word), width: limit, size: size)
      }
      lines.append(line)
    }
    guard lines.count > most else { return lines }
    return lines[..<(most - 1)] + [shortened(lines[most - 1] + "\u{2026}", width: limit, size: size)]
  }

  /// With an ellipsis in the middle where it is too long: the ends of file names tell them apart.
  static func shortened(_ text: String, width limit: Double, size: Double) -> String {
    guard width(text, size: size) > limit else { return text }
    var (head, tail) = (Substring(text), Substring(""))
    // No picture is so wide that more of a text could show.
    let all = text.count > 600 ? Array(text.prefix(300)) + Array(text.suffix(300)) : Array(text)
    var kept = all.count
    repeat {
      kept -= 1
      head = Substring(String(all[..<(kept - kept / 2)]))
      tail = Substring(String(all[(all.count - kept / 2)...]))
    } while kept > 2 && width(head + "\u{2026}" + tail, size: size) > limit
    return head + "\u{2026}" + tail
  }

  private static func width(_ text: Substring, size: Double) -> Double { width(String(text), size: size) }
}
