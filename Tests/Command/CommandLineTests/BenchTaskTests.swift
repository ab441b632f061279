import Foundation
import TestSupport
import Testing

/// The tasks of `docs/bench.md`, run as they are there. A machine that is too busy for a figure ends them with 7, which
/// is distinguished from the result that they look for: such a run has no table of nodes, and says so.
@Suite("The tasks of the page on costs")
struct BenchTaskTests {
  private let folder = TemporaryFolder()

  /// - Parameter seconds: the time of a measurement; a count of instructions takes as long whatever it is.
  private func run(
    _ number: Int, before: String = "", after: String = "", seconds: Double = 2
  ) throws -> Program.Result {
    let commands = try TaskPage.commands(try TaskPage.section(number, of: "docs/bench.md"))
      .replacing(#""$AUBENCH" "$@""#, with: #""$AUBENCH" "$@" --seconds \#(seconds)"#)
    return try Program.shell("\(before)\n\(commands.replacing("set -e\n", with: ""))\n\(after)", in: folder)
  }

  private func graph(_ name: String, bands: [Int]) {
    let band = #"{"type": "parametric", "frequency": 1000, "gain": 1}"#
    let equalizers = bands.enumerated().map { index, count in
      #"{"id": "eq\#(index)", "unit": "nBandEQ", "bands": [\#(Array(repeating: band, count: count).joined(separator: ","))]}"#
    }
    let players = bands.indices.map {
      #"{"id": "in\#($0)", "unit": "filePlayer", "file": "\#(Program.audio)/drums.flac"}"#
    }
    let connections = bands.indices.map { #""in\#($0) -> eq\#($0)", "eq\#($0) -> mix:\#($0)""# }
    folder.write(
      #"""
      {"version": 1, "nodes": [\#((players + equalizers).joined(separator: ",")),
        {"id": "mix", "unit": "multichannelMixer", "inputs": \#(bands.count)}, {"id": "out", "unit": "genericOutput"}],
       "connections": [\#(connections.joined(separator: ",")), "mix -> out"]}
      """#, to: name)
  }

  @Test func theSlowestNodeIsFound() throws {
    graph("song.json", bands: [4, 60, 8])
    var result = try run(1)
    func isTooNoisy() -> Bool { result.code == 7 && result.output.contains(": too noisy for a figure: ") }
    for _ in 0..<3 where isTooNoisy() { result = try run(1, seconds: 8) }
    if isTooNoisy() { return }
    let nodes = try #require(result.output.range(of: "nodes at 512 frames\n"), "\(result.output)\(result.errors)")
    let first = result.output[nodes.upperBound...].split(separator: "\n")[1]
    #expect(first.hasPrefix("eq1 "), "\(first)")
    #expect(try Program.shell("ls", in: folder).output.contains("costs-nodes.svg"))
  }

  /// A component whose render does 2000 additions more, and then 5 % of all that it does more than that.
  @Test func ciSaysSoWhereAUnitIsSlower() throws {
    let tree = try TemporaryTree()
    func place(_ turns: Int) throws {
      try TestComponent.bundle(
        "Gain", in: tree.path, macros: ["HOSTILE_RENDER={ volatile int i; for (i = 0; i < \(turns); i++) {} }"])
    }
    let environment = "export AUBENCH_COMPONENT_PATH='\(tree.path)' XDG_CACHE_HOME='\(tree.path)/cache'"
    try place(20_000)
    let first = try run(2, before: environment, seconds: 0.2)
    #expect(first.code == 0, "\(first.output)\(first.errors)")
    let same = try run(2, before: environment, after: "exit $?", seconds: 0.2)
    #expect(
      same.output.contains("+0.0 % against the run before") || same.output.contains("−0.0 % against the run before"),
      "\(same.output)\(same.errors)")
    try place(21_000)
    let slower = try run(2, before: environment, seconds: 0.2)
    #expect(slower.code == 7, "\(slower.output)\(slower.errors)")
    #expect(slower.errors.contains("failed: ") && slower.errors.contains("accepts them"), "\(slower.errors)")
    // It stays so.
    #expect(try run(2, before: environment, seconds: 0.2).code == 7)
    let line = try #require(slower.output.split(separator: "\n").first { $0.contains("against the run before") })
    #expect(line.contains("+4.") || line.contains("+5."), "\(line)")
  }

  @Test func growthIsDrawn() throws {
    for count in [1, 2, 4, 8] { graph("song-\(count).json", bands: Array(repeating: 20, count: count)) }
    let result = try run(3)
    // On a busy machine no law may fit.
    #expect(
      result.output.contains("\nns a frame = ")
        || result.output.contains("\nns a frame: no simple law fits; the nearest power, "),
      "\(result.output)\(result.errors)")
    #expect(try Program.shell("cat growth.svg", in: folder).output.contains("cost over n"))
  }

  @Test func aUnitForARealtimeThreadIsChecked() throws {
    let tree = try ComponentTests.place(macros: ["HOSTILE_RENDER={ void *volatile block = malloc(48); free(block); }"])
    let result = try run(
      4, before: "export AUBENCH_COMPONENT_PATH='\(tree.path)' XDG_CACHE_HOME='\(tree.path)/cache'")
    #expect(
      result.code == 7 && result.output.contains("allocation in unit: malloc"), "\(result.output)\(result.errors)")
  }
}
