import Foundation
import TestSupport
import Testing

@Suite("make demo")
struct DemoTests {
  @Test("is short, makes what it says, and ends with how to hear it", .enabled(if: PlotTests.hasConverter))
  func demo() throws {
    let folder = TemporaryFolder()
    let result = try Program.shell(
      "cd '\(Program.repository)' && Scripts/demo \"$AUBENCH\" '\(folder.file("demo.wav"))'")
    #expect(result.code == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24, "\(result.output)")
    let start = try #require(lines.firstIndex(of: "Made:"))
    let made = lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.compactMap { line in
      line.ranges(of: folder.path + "/").first.map { String(line[$0.upperBound...].prefix { $0 != " " }) }
    }
    #expect(made.sorted() == folder.names)
    #expect(lines.contains { $0.hasPrefix("Hear it:") && $0.hasSuffix("demo.wav") })
    #expect(try folder.names.allSatisfy { try folder.bytes($0).count < 9_000_000 }, "\(folder.names)")
  }
}
