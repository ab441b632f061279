import Foundation
import TestSupport
import Testing

@Suite struct GraphErrorTests {
  private static func nodes(_ nodes: String, _ connections: String = "") -> String {
    "{\"version\": 1, \"nodes\": [\(nodes)], \"connections\": [\(connections)]}"
  }
  private static let out = #"{"id": "out", "unit": "genericOutput"}"#
  private static let player = #"{"id": "p", "unit": "filePlayer", "file": "in.wav"}"#

  /// Graphs that cannot run, and what the message must name.
  static let wrong: [(graph: String, message: String)] = [
    ("", "it is empty"),
    ("RIFF", "line 1, column 4"),
    ("{\"version\": 1,\n\"nodes\": [}", "line 2, column 11"),
    ("{\"version\": 1,\n // comment\n\"nodes\": []}", "JSON has no comments"),
    ("{\"version\": 1, \"sampleRate\": NaN}", "invalid token"),
    (String(repeating: "[", count: 100_000), "maximum parsing depth reached"),
    ("[]", "expected an object, found a list"),
    ("{}", "write \"version\": 1"),
    ("{\"version\": 2}", "reads version 1, the file has version 2"),
    ("{\"version\": 1, \"sampelRate\": 1}", "did you mean \"sampleRate\"?"),
    ("{\"version\": 1, \"sampleRate\": 0}", "above 0"),
    (nodes(""), "no output unit"),
    (nodes(player, "\"p -> out\""), "there is no node \"out\""),
    (
      nodes(out + ", {\"id\": \"o2\", \"unit\": \"genericOutput\"}"),
      "exactly one output unit, and \"out\" is one already"
    ),
    (nodes(out), "nothing is connected to it"),
    (nodes(player + "," + player + "," + out), "two nodes have this id"),
    (nodes(#"{"id": "p", "unit": "filePlayr"}"#), "did you mean filePlayer?"),
    (nodes(#"{"id": "p", "unit": "filePlayer"}"#), "--input p=FILE"),
    (nodes(#"{"id": "p", "unit": "filePlayer", "file": "in.wav", "lops": 1}"#), "did you mean \"loops\"?"),
    (nodes(#"{"id": "p", "unit": "filePlayer", "file": "in.wav", "region": [0, 100000]}"#), "not all in the file"),
    (nodes(#"{"id": "a", "unit": "lowPassFilter", "set": {"cutof": 1}}"#), "it has cutoffFrequency, resonance"),
    (nodes(#"{"id": "a", "unit": "lowPassFilter", "set": {"resonance": 1e99}}"#), "finite"),
    (nodes(#"{"id": "a", "unit": "lowPassFilter", "set": {"resonance": "x"}}"#), "found the text \"x\""),
    (nodes(#"{"id": "a", "unit": "iPodEQ", "preset": "Rck"}"#), "did you mean \"Rock\"?"),
    (nodes(#"{"id": "m", "unit": "multichannelMixer", "set": {"volume@input:7": 1}}"#), "input buses 0 to 0"),
    (nodes(player + "," + out, #""p:1 -> out""#), "no output bus 1"),
    (nodes(player + "," + out, #""p -> out:3""#), "no input bus 3"),
    (nodes(player + "," + out, #""p -> out", "p -> out""#), "has a source already"),
    (nodes(player + "," + out, #""p to out""#), "node:bus -> node:bus"),
    (
      nodes(
        #"{"id": "a", "unit": "iPodEQ"}, {"id": "b", "unit": "iPodEQ"},"# + out, #""a -> b", "b -> a", "b -> out""#),
      "form a cycle: b -> a -> b"
    ),
    (
      nodes(
        player
          + #", {"id": "c", "unit": "formatConverter", "format": {"encoding": "int16"}}, {"id": "e", "unit": "nBandEQ"},"#
          + out, #""p -> c", "c -> e", "e -> out""#), "put a formatConverter in front of it"
    ),
    (
      nodes(
        #"{"id": "p", "unit": "filePlayer", "file": "wide.wav"}, {"id": "e", "unit": "iPodEQ"},"# + out,
        #""p -> e", "e -> out""#), "mono and stereo"
    ),
  ]

  @Test(arguments: wrong.indices)
  func aWrongGraphEndsWithThreeAndNamesItsPlace(_ index: Int) throws {
    let (graph, message) = Self.wrong[index]
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 1000).bytes, to: "in.wav")
    folder.write(WaveFile.noise(channels: 3, frames: 1000).bytes, to: "wide.wav")
    folder.write(graph, to: "g.json")
    for words in [["render", "g.json", "-o", "x.wav"], ["describe", "g.json"]] {
      let result = try Program.run(words, in: folder)
      #expect(result.code == 3, "\(result.errors)")
      #expect(result.errors.hasPrefix("aubench: g.json: ") && result.errors.contains(message), "\(result.errors)")
      #expect(result.output.isEmpty)
    }
    #expect(folder.names == ["g.json", "in.wav", "wide.wav"])
  }

  @Test func aGraphThatIsNoFileEndsWithThree() throws {
    let folder = TemporaryFolder()
    for (path, message) in [
      ("nofile.json", "no such graph file"), (".", "is not a file"), ("in.wav/g.json", "cannot be read"),
    ] {
      folder.write("", to: "in.wav")
      let result = try Program.run("render", path, "-o", "x.wav", in: folder)
      #expect(result.code == 3)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  /// The reader itself tells which keys it knows: the schema must tell the same.
  @Test func theSchemaHasTheKeysOfTheReader() throws {
    let schema = try Program.file("docs/graph-file.schema.json")
    let units = try #require(try Program.run("units", "--json").value("units") as? [[String: Any]])
    let definitions = try #require(
      try Program.Result(code: 0, output: schema, errors: "").value("$defs") as? [String: [String: Any]])
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 10).bytes, to: "in.wav")
    for unit in units {
      let name = try #require(unit["name"] as? String)
      let properties = try #require(definitions[name]?["properties"] as? [String: Any])
      let file = name == "filePlayer" ? #", "file": "in.wav""# : ""
      folder.write(
        Self.nodes(#"{"id": "a", "unit": "\#(name)"\#(file), "zzzzzzzzzzzzzzzzzzzzzzzzzz": 1}"#), to: "g.json")
      let errors = try Program.run("describe", "g.json", in: folder).errors
      let known = try #require(errors.components(separatedBy: "known here: ").last?.split(separator: "\n").first)
      #expect(Set(known.components(separatedBy: ", ")).union(["id"]) == Set(properties.keys), "\(name)")
      let told = try #require(unit["graphKeys"] as? [[String: Any]]).compactMap { $0["name"] as? String }
      #expect(Set(told).union(["id", "unit"]) == Set(properties.keys), "\(name)")
    }
  }
}
