import Foundation
import TestSupport
import Testing

@Suite("Nodes beside the way to the output")
struct GraphMistakeTests {
  private func folder(_ connections: String) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(rate: 44_100, frames: 100).bytes, to: "in.wav")
    folder.write(
      """
      {"version": 1, "nodes": [
        {"id": "voice", "unit": "filePlayer", "file": "in.wav"}, {"id": "lost", "unit": "filePlayer", "file": "in.wav"},
        {"id": "a", "unit": "lowPassFilter"}, {"id": "b", "unit": "lowPassFilter"},
        {"id": "out", "unit": "genericOutput"}], "connections": ["voice -> out", \(connections)]}
      """, to: "g.json")
    return folder
  }

  @Test(arguments: [["describe", "g.json"], ["render", "g.json", "-o", "x.wav"]])
  func aRingIsAnErrorWhereverItIs(command: [String]) throws {
    let folder = try folder("\"a -> b\", \"b -> a\"")
    let result = try Program.run(command, in: folder)
    #expect(result.code == 3)
    #expect(result.errors.contains("form a cycle: a -> b -> a") || result.errors.contains("form a cycle: b -> a -> b"))
    #expect(!folder.names.contains("x.wav"))
  }

  @Test(arguments: [["describe", "g.json", "--json"], ["render", "g.json", "-o", "x.wav", "--json"]])
  func aNodeThatLeadsNowhereIsAWarningThatNamesIt(command: [String]) throws {
    let result = try Program.run(command, in: try folder("\"lost -> a\", \"a -> b\""))
    #expect(result.code == 0)
    let warnings = result.errors.split(separator: "\n").filter { $0.contains("does not lead to the output") }
    #expect(warnings.count == 3)
    for node in ["lost", "a", "b"] { #expect(warnings.contains { $0.contains("node \"\(node)\"") }) }
    _ = try result.json()
  }

  @Test func aChainThatNoStackHoldsIsAnError() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(rate: 44_100, frames: 100).bytes, to: "in.wav")
    func graph(_ count: Int) throws {
      let nodes = (0..<count).map { "{\"id\": \"n\($0)\", \"unit\": \"lowPassFilter\"}," }.joined()
      let links = (1..<count).map { "\"n\($0 - 1) -> n\($0)\"," }.joined()
      folder.write(
        """
        {"version": 1, "nodes": [{"id": "p", "unit": "filePlayer", "file": "in.wav"}, \(nodes)
          {"id": "out", "unit": "genericOutput"}],
         "connections": ["p -> n0", \(links) "n\(count - 1) -> out"]}
        """, to: "g.json")
    }
    try graph(1990)
    #expect(try Program.run("render", "g.json", "-o", "x.wav", "--frames", "600", in: folder).code == 0)
    try graph(5000)
    let result = try Program.run("render", "g.json", "-o", "y.wav", in: folder)
    #expect(result.code == 3 && result.errors.contains("more than 2000 nodes"), "\(result.errors)")
  }
}
