import TestSupport
import Testing

import Verification

@Suite("The suites that come with the package")
struct ShippedSuitesTests {
  private func suites(below folder: String) throws -> [SuiteFile] {
    try Repository.files(below: folder, suffix: ".json").filter { !$0.contains("/graphs/") }.map {
      try SuiteFile(path: "\(Repository.path)/\($0)")
    }
  }

  @Test("All are read, no two have a name or a golden in common, and no case is left out")
  func areRead() throws {
    let all = try suites(below: "fixtures/suites")
    #expect(all.count >= 15)
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(all.flatMap(\.cases).allSatisfy { $0.skipReason == nil })
  }

  @Test(
    "Thirty pairs of rates are in the usual run, and every pair of the common rates through every quality in the whole one"
  )
  func pairs() throws {
    let rates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]
    let whole = Set(try suites(below: "fixtures/suites/all").flatMap(\.cases).map(\.name))
    for from in rates {
      for to in rates {
        for quality in ["linear", "zero-order-hold", "fast", "medium", "best"] {
          #expect(from == to || whole.contains("\(from)-to-\(to)-\(quality)"))
        }
        #expect(from == to || whole.contains("soxr-\(from)-to-\(to)-mastering"))
      }
    }
    let usual = try SuiteFile(path: "\(Repository.path)/fixtures/suites/rates.json").cases.map(\.name)
    #expect(
      Set(usual.filter { $0.first?.isNumber ?? false }.map { $0.split(separator: "-").prefix(3).joined() }).count == 30)
  }
}
