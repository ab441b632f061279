import TestSupport
import Testing

@Suite("The guide to expectations")
struct ExpectationGuideTests {
  @Test("Its example is the one that these tests compile and run")
  func exampleIsCompiled() throws {
    let guide = try Repository.text("docs/swift-testing.md")
    let block = try #require(guide.firstMatch(of: /```swift\n((?:.|\n)*?)```/)).output.1
    let source = try Repository.text("Tests/VerificationTests/SmootherTests.swift")
    let body = try #require(source.range(of: "import Foundation")).lowerBound
    #expect(block == source[body...])
  }

  @Test(
    "It names every expectation and every way to write a golden",
    arguments: [
      "matches:", "equals:", "response:", "reading:", "expectSliceInvariance", "expectResetEqualsNew", "expectSilence",
      "AUBENCH_BLESS", "AUBENCH_BLESS_REASON", "AUBENCH_ARTIFACTS", "missing", "failed", "all",
    ])
  func names(word: String) throws {
    #expect(try Repository.text("docs/swift-testing.md").contains(word))
  }
}
