/// Texts of users and of devices under test, made fit to be shown: nothing in them moves a cursor, breaks a document or
/// hides what stands there.
enum VisibleText {
  /// Control characters as their pictures (U+2400 ff.), direction overrides and characters that no document may hold as
  /// numbers. Line breaks and tabs stay.
  static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var answer = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if !isHidden(scalar) {
        answer.append(scalar)
      } else if scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n" {
        continue  // A line break of Windows is one.
      } else if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) {
        answer.append(picture)
      } else if scalar.value == 0x7F {
        answer.append("\u{2421}")
      } else {
        answer.append(contentsOf: "<U+\(String(scalar.value, radix: 16, uppercase: true))>".unicodeScalars)
      }
    }
    return String(answer)
  }

  /// As ``of(_:)``, on one line.
  static func line(_ text: String) -> String {
    let visible = of(text)
    guard visible.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\t" }) else { return visible }
    return visible.split(whereSeparator: { $0 == "\n" || $0 == "\t" }).joined(separator: " ")
  }

  /// What a program wrote to a terminal, without its colours (ECMA-48 control sequences).
  static func ofLog(_ text: String) -> String {
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

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0: true
    // Bidirectional embeddings, overrides and isolates.
    case 0x202A...0x202E, 0x2066...0x2069: true
    // Not characters: XML 1.0 forbids the last two of the first plane.
    case 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
