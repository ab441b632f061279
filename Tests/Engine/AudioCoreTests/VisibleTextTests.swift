import AudioCore
import Foundation
import Testing

@Suite("Texts that are fit to be shown")
struct VisibleTextTests {
  /// Every character that moves a cursor, ends a line, turns the direction of writing or has no shape.
  static let hidden: [Unicode.Scalar] =
    [
      0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x9FFFF,
      0x10FFFF, 0xE0001, 0x10FE80, 0x10FEFF,
    ]
    .compactMap { Unicode.Scalar($0) }
    + [0x00..<0x20, 0x7F..<0xA0, 0x202A..<0x202F, 0x2066..<0x206A].flatMap {
      $0.compactMap { Unicode.Scalar($0 as Int) }
    }

  @Test("Nothing hidden stays in a name; its number says what it was")
  func names() {
    for scalar in Self.hidden {
      let shown = VisibleText.name("a\(Character(scalar))b")
      #expect(shown.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }, "\(scalar.value)")
      #expect(shown.hasPrefix("a\\") && shown.hasSuffix("b"), "\(shown)")
    }
    #expect(Set(Self.hidden.map { VisibleText.name(String(Character($0))) }).count == Self.hidden.count)
    #expect(VisibleText.name("\u{1B}[31m\n\t\r\u{9B}\u{202E}\u{10FE80}") == #"\u{1B}[31m\n\t\r\u{9B}\u{202E}\x80"#)
  }

  @Test("Letters of all scripts, accents, symbols and joined emoji are left alone")
  func letters() {
    for text in ["é e\u{301} ß", "日本語 العربية עברית", "± − – … “x” °C µ", "👨‍👩‍👧 🎵", #"a\b"#, "\u{A0}"] {
      #expect(Array(VisibleText.of(text).utf8) == Array(text.utf8))
      #expect(Array(VisibleText.name(text).utf8) == Array(text.utf8))
    }
    #expect(VisibleText.of("one\ntwo\r\nthree\tfour\rfive") == "one\ntwo\nthree\tfour\\rfive")
    #expect(VisibleText.line("one\ntwo\r\n\nthree") == "one two three")
    #expect(VisibleText.ofLog("\u{1B}[31mred\u{1B}[0m\u{7}") == "red\\u{07}")
  }

  @Test("JSON means the same with its own escapes, and has no hidden character any more")
  func json() throws {
    // JSONEncoder escapes what is below 0x20 itself.
    let text = String(String.UnicodeScalarView(Self.hidden)) + "é日🎵"
    let encoded = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
    let shown = VisibleText.json(encoded)
    #expect(try JSONDecoder().decode([String].self, from: Data(shown.utf8)) == [text])
    #expect(shown.unicodeScalars.allSatisfy { scalar in scalar == "\n" || !Self.hidden.contains(scalar) })
    #expect(shown.contains("é日🎵") && shown.contains(#"\udbff\udeff"#))
  }
}
