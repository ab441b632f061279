import Foundation
import TestSupport
import Testing

/// The cost of a node in a slice in which nothing changes, counted by valgrind's callgrind with the instruction set
/// lowered: a count is the same on a busy machine.
@Suite struct NodeCostTests {
  /// The chains of `benchmarks/node-cost`.
  static let kinds = ["converter that passes", "EQ without bands", "mixer of one input", "filter in bypass"]
  private let folder = TemporaryFolder()
  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  /// 100 nodes more through 50 slices behind the first ten, so that what happens once is not counted.
  @Test(
    "an idle node takes at most 150 instructions a slice, and counts no reference", .enabled(if: isOptimized),
    arguments: kinds)
  func idle(kind: String) throws { try expect(kind, atMost: 150) }

  /// A unit of the C interface has a clock and flags of its own; it is pulled through a wire.
  @Test("an idle unit of an AUGraph takes at most 300, and counts no reference", .enabled(if: isOptimized))
  func idleInAUGraph() throws { try expect("AUGraph", atMost: 300) }

  private func expect(_ kind: String, atMost most: Double) throws {
    let program = folder.file("node-cost")
    // valgrind does not read the toolchain's debugging information.
    let built = URL(filePath: Program.path).deletingLastPathComponent().appending(path: "node-cost").path
    try #require(try Shell.run("objcopy --strip-debug '\(built)' '\(program)'").code == 0)
    let long = try run(program, kind, nodes: 101)
    let short = try run(program, kind, nodes: 1)
    func perNode(_ value: (Counts) -> Int) -> Double { Double(value(long) - value(short)) / (50 * 100) }
    let instructions = perNode(\.instructions)
    #expect(instructions > 20 && instructions <= most, "\(instructions) instructions")
    #expect(perNode(\.references) == 0, "\(perNode(\.references)) instructions of retain and release")
  }

  private struct Counts {
    var instructions = 0
    /// The part of those in the runtime's retain and release.
    var references = 0
  }

  private func run(_ program: String, _ kind: String, nodes: Int) throws -> Counts {
    let profile = folder.file("profile")
    let command =
      "SWIFT_DETERMINISTIC_HASHING=1 AUBENCH_ISA=baseline timeout 120 valgrind --tool=callgrind "
      // The work before the first slice is not the same in each run.
      + "--collect-atstart=no --toggle-collect='*node_cost_slices*' "
      + "--callgrind-out-file='\(profile)' '\(program)' --count '\(kind)' \(nodes) 50 2>/dev/null "
      + "&& callgrind_annotate --threshold=100 '\(profile)'"
    let result = try Shell.run(command)
    try #require(result.code == 0, "\(result.output.suffix(500))")
    var counts = Counts()
    for line in result.output.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard let first = words.first, let number = Int(first.replacing(",", with: "")) else { continue }
      if line.contains("PROGRAM TOTALS") { counts.instructions = number }
      if line.contains(":swift_retain") || line.contains(":swift_release") { counts.references += number }
    }
    try #require(counts.instructions > 0)
    return counts
  }
}

/// A line of the shell.
private enum Shell {
  static func run(_ line: String) throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
