import TestSupport
import Testing

@Suite("The guide to expectations")
struct ExpectationGuideTests {
  @Test("Its example is the one that these tests compile and run")
  func exampleIsCompiled() throws {
    let guide = try Repository.text("docs/swift-testing.md")
    let block = try #require(guide.firstMatch(of: /```swift\n((?:.|\n)*?)```/)).output.1
    let source = try Repository.text("Tests/Verification/VerificationTests/SmootherTests.swift")
    let body = try #require(source.range(of: "import Foundation")).lowerBound
    #expect(block == source[body...])
  }

  @Test("The unit of the page of own units is the one that Scripts/test-own-units builds")
  func ownUnitIsBuilt() throws {
    let page = try Repository.text("docs/own-units.md")
    let block = try #require(page.firstMatch(of: /```swift\n((?:.|\n)*?)```/)).output.1
    let source = try Repository.text("Tests/OwnUnits/Sources/OwnUnits/Tremolo.swift")
    #expect(block == source)
  }

  @Test(
    "It names every expectation and every way to write a golden",
    arguments: [
      "matches:", "equals:", "response:", "reading:", "expectSliceInvariance", "expectResetEqualsNew", "expectSilence",
      "check:",
      "AUBENCH_BLESS", "AUBENCH_BLESS_REASON", "AUBENCH_ARTIFACTS", "missing", "failed", "all",
    ])
  func names(word: String) throws {
    #expect(try Repository.text("docs/swift-testing.md").contains(word))
  }
}
