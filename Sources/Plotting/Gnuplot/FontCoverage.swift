import AudioCore
import FoundationEssentials

/// Which characters the machine's fonts can draw.
///
/// For a character in no font, gnuplot's cairo terminals draw a box with its number, twenty times too large, over
/// everything. Fontconfig, which these terminals stand on, is asked for those that not every Latin font has.
package struct FontCoverage {
  /// Fontconfig's program; characters count as missing where it is not there.
  var executable: String

  package init(executable: String = "fc-list") { self.executable = executable }

  /// The text with `□` in place of what no font has.
  package func drawable(_ text: String) throws(BenchError) -> String {
    let unusual = Set(text.unicodeScalars.filter { !Self.isUsual($0) })
    guard !unusual.isEmpty else { return text }
    // A title needs no more; each costs a process.
    let asked = unusual.sorted().prefix(200)
    var missing = unusual.subtracting(asked)
    for scalar in asked where !isCovered(scalar) { missing.insert(scalar) }
    guard !missing.isEmpty else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { missing.contains($0) ? "\u{25A1}" : $0 }))
  }

  private func isCovered(_ scalar: Unicode.Scalar) -> Bool {
    let query = ":charset=\(String(scalar.value, radix: 16))"
    guard let answer = try? Gnuplot.run([executable, query, "family"]), answer.code == 0 else { return false }
    // Fonts of pictures have one size only, which gnuplot does not scale.
    return String(decoding: answer.output, as: UTF8.self).split(separator: "\n").contains { !$0.contains("Emoji") }
  }

  /// Latin, Greek, Cyrillic, punctuation, arrows, signs: in DejaVu and its like.
  private static func isUsual(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x20..<0x530, 0x2010..<0x2060, 0x2070..<0x20C0, 0x2100..<0x2600, 0xFFFD: true
    default: false
    }
  }
}
