/// Texts in shell scripts that this program writes, and in command lines that it shows. Whatever text comes from
/// outside goes into either by one of these functions.
///
/// They look at scalars: to Swift a quote with an accent behind it is another character than a quote, and to a shell it
/// is not. A script is written as ``ByteText/bytes(_:)`` of its text, so that names that are not UTF-8 stay what they
/// are.
package enum ShellText {
  /// One word of a script for any POSIX shell: in single quotes, where only a single quote means something. A zero
  /// byte, which no word can have, is left out.
  package static func quoted(_ text: String) -> String {
    var answer = "'"
    for scalar in text.unicodeScalars where scalar != "\0" {
      if scalar == "'" { answer += "'\\''" } else { answer.unicodeScalars.append(scalar) }
    }
    return answer + "'"
  }

  /// A part of a word in double quotes, in which nothing is replaced.
  package static func inDoubleQuotes(_ text: String) -> String {
    var answer = ""
    for scalar in text.unicodeScalars where scalar != "\0" {
      if ["\"", "\\", "$", "`"].contains(scalar) { answer += "\\" }
      answer.unicodeScalars.append(scalar)
    }
    return answer
  }

  /// The text as a comment behind `#`: on one line, whatever the text is.
  package static func comment(_ text: String) -> String { VisibleText.name(text) }

  /// One word of a command line that people read and copy: unchanged if a shell takes it so, else quoted. Characters
  /// that cannot be shown are written as bytes, as bash and zsh read them.
  package static func shown(_ word: String) -> String {
    if VisibleText.name(word) != word {
      let bytes = ByteText.bytes(word).map { byte in
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
          ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "$'\(bytes.joined())'"
    }
    return !word.isEmpty && word == FileName.plain(word, keeping: "._-/+") ? word : quoted(word)
  }
}
