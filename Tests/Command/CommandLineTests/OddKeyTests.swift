import Foundation
import TestSupport
import Testing

/// Every key that graph, job, suite and scenario files may have, by their schemas, which the program prints from its
/// tables of keys: with numbers that no one writes on purpose, with texts and with other kinds of values. A command
/// ends as its help says, with a message where it refuses the value.
///
/// A sample by a fixed seed; all of them: `AUBENCH_WALK=all`.
@Suite("Odd values of any key end no command")
struct OddKeyTests {
  private static let values =
    OddNumberTests.numbers + [
      "\"NaN\"", "\"-Infinity\"", "\"1e999\"", "\"\"", "\"-3dB\"", "\"3 apples\"", "\"9e99kHz\"", "null", "true", "[]",
      "{}", "[1e308, -1]", "18446744073709551616",
    ]

  /// Makes documents of a schema in which one value is left open.
  private struct Schema {
    typealias Object = [String: Any]
    static let hole = "\u{1}"
    /// By the names of files.
    let roots: [String: Object]
    let name: String
    var root: Object { roots[name] ?? [:] }

    private func resolved(_ schema: Any?) -> Object {
      var schema = schema as? Object ?? [:]
      while let reference = schema["$ref"] as? String {
        let parts = reference.components(separatedBy: "#/")
        let start = parts[0].isEmpty || parts[0] == "#" ? root : roots[parts[0]] ?? [:]
        schema =
          parts.count < 2 ? start : parts[1].components(separatedBy: "/").reduce(start) { $0[$1] as? Object ?? [:] }
      }
      return schema
    }

    private func choices(_ schema: Object) -> [Any] {
      ["oneOf", "anyOf"].flatMap { schema[$0] as? [Any] ?? [] }
    }

    /// A value that the schema allows, as small as it can be.
    private func least(_ any: Any?, _ key: String) -> String {
      let schema = resolved(any)
      let known = [
        "file": "in.wav", "unit": "lowPassFilter", "graph": "g.json", "inputs": "in.wav", "output": "o/{name}.wav",
      ]
      if let value = schema["const"] ?? (schema["enum"] as? [Any])?.first { return Self.text(value) }
      if schema["properties"] == nil, let first = choices(schema).first { return least(first, key) }
      switch (schema["type"] as? [String])?.first ?? schema["type"] as? String ?? "object" {
      case "number", "integer":
        if let bound = schema["exclusiveMinimum"] as? Double { return "\(bound + 1)" }
        if let bound = schema["exclusiveMaximum"] as? Double { return "\(bound - 1)" }
        return Self.text(schema["minimum"] ?? schema["maximum"] ?? 1)
      case "string": return Self.text(known[key] ?? "x")
      case "boolean": return "true"
      case "array":
        let firsts = schema["prefixItems"] as? [Any] ?? [schema["items"] ?? ["type": "number"]]
        return "[" + firsts.map { least($0, key) }.joined(separator: ",") + "]"
      default: return Self.text(of: members(schema))
      }
    }

    private func members(_ schema: Object) -> [String: String] {
      let properties = schema["properties"] as? Object ?? [:]
      return Dictionary(
        uniqueKeysWithValues: (schema["required"] as? [String] ?? []).map { ($0, least(properties[$0], $0)) })
    }

    private static func text(_ value: Any) -> String {
      let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
      return String(decoding: data ?? Data(), as: UTF8.self)
    }

    static func text(of members: [String: String]) -> String {
      "{" + members.sorted { $0.key < $1.key }.map { "\(text($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }

    /// - Parameters:
    ///   - extra: members of this object that stand beside the key in question.
    ///   - depth: the number of levels below which objects are not looked into.
    func documents(_ any: Any?, extra: [String: String] = [:], depth: Int = 7) -> [String] {
      let schema = resolved(any)
      var found = [Self.hole]
      guard depth > 0 else { return found }
      for choice in choices(schema) { found += documents(choice, extra: extra, depth: depth - 1).dropFirst() }
      if let properties = schema["properties"] as? Object {
        let beside = members(schema).merging(extra) { $1 }
        for (key, value) in properties.sorted(by: { $0.key < $1.key }) where key != "$schema" {
          found += documents(value, depth: depth - 1).map { Self.text(of: beside.merging([key: $0]) { $1 }) }
        }
      }
      if let more = schema["additionalProperties"] as? Object {
        found += documents(more, depth: depth - 1).map { "{\"x\":\($0)}" }
      }
      if let items = schema["items"] as? Object { found += documents(items, depth: depth - 1).map { "[\($0)]" } }
      let firsts = schema["prefixItems"] as? [Any] ?? []
      for index in firsts.indices {
        let parts = firsts.map { least($0, "") }
        found += documents(firsts[index], depth: depth - 1).map {
          "[" + (parts[..<index] + [$0] + parts[(index + 1)...]).joined(separator: ",") + "]"
        }
      }
      return found
    }
  }

  private static func schema(_ kind: String) throws -> Schema {
    var roots: [String: Schema.Object] = [:]
    for name in [kind, "graph"] {
      let text = try Program.run("--print-manual=\(name)-schema").output
      roots["\(name)-file.schema.json"] = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Schema.Object
    }
    return Schema(roots: roots, name: "\(kind)-file.schema.json")
  }

  /// Documents of all keys with all values.
  private static func cases(
    _ documents: [String], _ lines: [[String]], files: [(name: String, bytes: [UInt8])] = []
  ) -> [OddNumberTests.Case] {
    documents.filter { $0 != Schema.hole }.flatMap { document in
      values.flatMap { value in
        let text = document.replacing(Schema.hole, with: value)
        return lines.map { OddNumberTests.Case(words: $0, files: files + [("x.json", Array(text.utf8))]) }
      }
    }
  }

  private static let wave: (name: String, bytes: [UInt8]) = (
    "in.wav", WaveBytes.floats((0..<4800).map { Float(sin(Double($0) * 0.1) / 2) })
  )

  @Test("in graphs")
  func inGraphs() throws {
    let schema = try Self.schema("graph")
    let properties = schema.root["properties"] as? Schema.Object ?? [:]
    let nodes = schema.documents((properties["nodes"] as? Schema.Object)?["items"], extra: ["id": "\"x\""])
    let source = #"{"id":"src","unit":"filePlayer","file":"in.wav"}"#
    let graphs = nodes.map { node in
      let isSource = ["filePlayer", "toneGenerator", "noiseGenerator"].contains { node.contains("\"unit\":\"\($0)\"") }
      let head =
        isSource
        ? #"{"version":1,"connections":["x -> out"],"nodes":["#
        : #"{"version":1,"connections":["src -> x","x -> out"],"nodes":[\#(source),"#
      return head + node + #",{"id":"out","unit":"genericOutput"}]}"#
    }
    let whole = schema.documents(
      schema.root,
      extra: ["nodes": "[\(source),{\"id\":\"out\",\"unit\":\"genericOutput\"}]", "connections": "[\"src -> out\"]"],
      depth: 3)
    let cases = Self.cases(
      graphs + whole, [["describe", "x.json"], ["render", "x.json", "-o", "o.wav", "--frames", "300"]],
      files: [Self.wave])
    #expect(cases.count > 5000)
    try OddNumberTests().check(OddNumberTests.sample(cases, 100))
  }

  @Test("in jobs")
  func inJobs() throws {
    let schema = try Self.schema("job")
    let documents = schema.documents(schema.root, extra: ["inputs": "\"in.wav\""])
    let cases = Self.cases(documents, [["batch", "x.json"]], files: [Self.wave])
    #expect(cases.count > 1000)
    try OddNumberTests().check(OddNumberTests.sample(cases, 60))
  }

  @Test("in suites")
  func inSuites() throws {
    let schema = try Self.schema("suite")
    let cases = Self.cases(
      schema.documents(schema.root, depth: 9), [["verify", "x.json", "--threads", "1"]], files: [Self.wave])
    #expect(cases.count > 5000)
    try OddNumberTests().check(OddNumberTests.sample(cases, 60))
  }

  @Test("in scenarios")
  func inScenarios() throws {
    let schema = try Self.schema("scenario")
    let documents = schema.documents(schema.root, extra: ["version": "1", "seconds": "0.5", "device": "{}"])
    let graph = """
      {"version": 1, "sampleRate": 44100, "nodes": [{"id": "t", "unit": "toneGenerator"},
      {"id": "io", "unit": "remoteIO", "scenario": "x.json"}], "connections": ["t -> io"]}
      """
    let cases = Self.cases(
      documents, [["render", "g.json", "-o", "o.wav", "--frames", "20000"]],
      files: [Self.wave, ("g.json", Array(graph.utf8))])
    #expect(cases.count > 1000)
    try OddNumberTests().check(OddNumberTests.sample(cases, 100))
  }

  @Test("a rate of nearly nothing, at which a reader ahead of it would hold more than there is")
  func rates() throws {
    let units = [
      "spatialMixer", "mixer3D", "varispeed", "timePitch", "newTimePitch", "matrixMixer", "multichannelMixer",
      "formatConverter",
    ]
    let documents = units.map {
      #"{"version":1,"nodes":[{"id":"src","unit":"filePlayer","file":"in.wav"},{"id":"x","unit":"\#($0)","#
        + "\"format\":{\"sampleRate\":\(Schema.hole)}},"
        + #"{"id":"out","unit":"genericOutput"}],"connections":["src -> x","x -> out"]}"#
    }
    let cases = documents.flatMap { document in
      ["5e-324", "1e-9"].map {
        OddNumberTests.Case(
          words: ["describe", "x.json"],
          files: [Self.wave, ("x.json", Array(document.replacing(Schema.hole, with: $0).utf8))])
      }
    }
    try OddNumberTests().check(cases)
  }
}
