import Foundation
import TestSupport
import Testing

/// The pages in `docs/laws`: a second implementation is written from them alone, so that each unit and each of its
/// parameters has to be there.
@Suite("The laws of the units")
struct LawPagesTests {
  /// The sections of a page by their headings.
  private static func sections(_ page: String) -> [String: String] {
    let parts = page.components(separatedBy: "\n## ").dropFirst().map { $0.split(separator: "\n", maxSplits: 1) }
    return Dictionary(uniqueKeysWithValues: parts.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") })
  }

  /// The names in the first column of the table of parameters: meters, which have a text of their own, are left out, and
  /// so are the numbers of bands.
  private static func parameters(_ section: String) -> Set<String> {
    guard let table = section.components(separatedBy: "| parameter |").dropFirst().first else { return [] }
    let rows = table.components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst(2)
    return Set(
      rows.filter { !$0.hasSuffix("| meter |") }.map { row in
        let name = row.dropFirst(2).prefix { $0 != " " && $0 != "@" }
        return String(name.replacing(/(\d+(\.\.\.\d+)?|N)$/, with: ""))
      })
  }

  @Test("Each unit has a section, which names each of its parameters")
  func everyParameter() throws {
    let manual = try Program.run("--print-manual=units")
    #expect(manual.code == 0)
    let units = Self.sections(manual.output)
    #expect(units.count > 30)
    for (unit, text) in units {
      guard let link = text.firstMatch(of: /Its law: \[[^\]]+\]\((laws\/\w+\.md)#(\w+)\)/) else {
        Issue.record("\(unit) has no law")
        continue
      }
      #expect(link.output.2 == unit.lowercased())
      let page = Self.sections(try Program.file("docs/\(link.output.1)"))
      var law = try #require(page[unit], "\(link.output.1) has no section \(unit)")
      for other in law.matches(of: /As `(\w+)`/) { law += page[String(other.output.1)] ?? "" }
      #expect(law.split(separator: " ").count >= 5)
      for name in Self.parameters(text) where !law.contains(name) {
        Issue.record("\(link.output.1) does not say what \(name) of \(unit) does")
      }
    }
  }
}
