import AudioCore
import BatchRender
import Foundation
import Measurement
import TestSupport
import Testing

import Verification

/// The reader itself tells what it knows: `docs/suite-file.schema.json` must tell the same.
@Suite("The schema and the page of suite files")
struct SuiteSchemaTests {
  private func definitions(_ file: String) throws -> [String: JSONValue] {
    let document = try JSONValue.document(Data(try Repository.text(file).utf8), kind: .suite)
    guard case .object(let schema) = document, case .object(var definitions)? = schema["$defs"] else {
      Issue.record("\(file) has no $defs")
      return [:]
    }
    definitions[""] = document
    return definitions
  }

  /// The keys of an object that a schema describes.
  private func keys(_ schema: JSONValue?) throws -> Set<String> {
    guard case .object(let fields)? = schema, case .object(let properties)? = fields["properties"] else {
      Issue.record("no properties")
      return []
    }
    #expect(fields["additionalProperties"] == .bool(false))
    return Set(properties.keys)
  }

  private func names(_ schema: JSONValue?, _ key: String) throws -> [String] {
    guard case .object(let fields)? = schema, case .object(let properties)? = fields["properties"],
      case .object(let property)? = properties[key], case .array(let list)? = property["enum"]
    else {
      Issue.record("no names of \(key)")
      return []
    }
    return list.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }

  /// The words that an error lists behind some text.
  private func list(after words: String, in text: String) throws -> [String] {
    let folder = try SuiteFolder()
    do {
      _ = try SuiteFile(path: try folder.write(text, "suite.json"))
      Issue.record("read: \(text)")
    } catch let error as BenchError {
      guard let part = "\(error)".components(separatedBy: words).dropFirst().first else {
        Issue.record("\(error)")
        return []
      }
      return part.components(separatedBy: ", ")
    }
    return []
  }

  private func known(_ text: String) throws -> Set<String> { Set(try list(after: "known here: ", in: text)) }

  /// The examples of the page.
  private static func blocks() throws -> [String] {
    try Repository.text("docs/suite-file.md").components(separatedBy: "```json\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  /// A key that is like no other.
  private static let strange = #""zzzzzzzzzzzzzzzzzzzzzzzz": 1"#

  @Test("Keys of suites, cases, limits, stimuli and devices")
  func keysOfObjects() throws {
    let schema = try definitions("docs/suite-file.schema.json")
    let strange = Self.strange
    let golden = #"{"check": "golden"}"#
    func suite(_ text: String) -> String { #"{"version": 1, "cases": [\#(text)]}"# }
    #expect(try known(#"{"version": 1, "cases": [], \#(strange)}"#) == keys(schema[""]))
    #expect(
      try known(suite(caseText(checks: golden, more: strange + ","))).union(["id"]) == keys(schema["case"]))
    #expect(
      try known(suite(caseText(checks: golden, more: #""limits": {\#(strange)},"#))) == keys(schema["limits"]))
    #expect(
      try known(suite(caseText(checks: golden, more: #""stimulus": {\#(strange)},"#))) == keys(schema["stimulus"]))
    #expect(
      try known(suite(caseText("a", #"{"graph": "g", \#(strange)}"#, checks: golden))) == keys(schema["graph"]))
    let command = #"{"command": ["cp", "{in}", "{out}"], \#(strange)}"#
    #expect(
      try known(suite(caseText("a", command, checks: golden))).subtracting(["graph"]) == keys(schema["command"]))
    let formula = #"{"formula": "1", \#(strange)}"#
    #expect(try known(suite(caseText("a", formula, checks: golden))) == keys(schema["formula"]))
    let conversion = #"{"libraryConversion": {"sampleRate": 1}, \#(strange)}"#
    #expect(try known(suite(caseText("a", conversion, checks: golden))) == keys(schema["libraryConversion"]))
    for (device, name) in [(#""graph": "g""#, "graphEdit"), (#""unit": "iPodEQ""#, "unitEdit")] {
      let edit =
        #"{\#(device), "edits": [{"frame": 1, \#(name == "graphEdit" ? "\"node\": \"a\"," : "") "bypass": true, \#(strange)}]}"#
      #expect(try known(suite(caseText("a", edit, checks: golden))) == keys(schema[name]), "\(name)")
    }
    #expect(try keys(schema["case"]).union(["matrix"]) == keys(schema["caseOfMatrix"]))
  }

  @Test("A unit takes the keys of the nodes of graph files, but for their id")
  func keysOfUnits() throws {
    let graph = try definitions("docs/graph-file.schema.json")
    var all: Set<String> = ["channels", "edits", "tail"]
    for (name, schema) in graph where !name.isEmpty {
      guard case .object(let fields) = schema, case .object(let properties)? = fields["properties"] else { continue }
      if properties["unit"] != nil { all.formUnion(properties.keys) }
    }
    #expect(try keys(definitions("docs/suite-file.schema.json")["unit"]) == all.subtracting(["id"]))
  }

  @Test("Every check reads the keys that it has in the schema, and no others", arguments: CheckReader.kinds.map(\.name))
  func keysOfChecks(_ name: String) throws {
    // The keys that a check needs are in the example of the page.
    let example = try #require(
      try Self.blocks().first { $0.contains("\"check\": \"\(name)\"") && !$0.contains("\"cases\"") })
    let check = example.replacing("}\n", with: ", \(Self.strange)}\n", maxReplacements: 1)
    let known = try known(#"{"version": 1, "cases": [\#(caseText(checks: check))]}"#)
    #expect(try known == keys(definitions("docs/suite-file.schema.json")[name + "Check"]))
  }

  @Test("Every reference leads to something")
  func references() throws {
    let files = ["suite-file.schema.json", "graph-file.schema.json"]
    let documents = try files.map {
      try JSONValue.document(Data(try Repository.text("docs/\($0)").utf8), kind: .suite)
    }
    func references(_ value: JSONValue) -> [String] {
      switch value {
      case .object(let members):
        members.flatMap { key, value -> [String] in
          if key == "$ref", case .string(let text) = value { [text] } else { references(value) }
        }
      case .array(let list): list.flatMap(references)
      default: []
      }
    }
    for (file, document) in zip(files, documents) {
      let found = references(document)
      #expect(found.count > 20)
      for reference in found {
        let parts = reference.components(separatedBy: "#")
        let place = try #require(files.firstIndex(of: parts[0].isEmpty ? file : parts[0]), "\(reference)")
        let steps = (parts.count > 1 ? parts[1] : "").split(separator: "/")
        let target = steps.reduce(documents[place]) { $0[String($1)] }
        #expect(target != .null, "\(file): \(reference)")
      }
    }
  }

  @Test("The names that keys may have")
  func values() throws {
    let schema = try definitions("docs/suite-file.schema.json")
    func chosen(_ text: String) throws -> [String] {
      try list(after: "choose from ", in: #"{"version": 1, "cases": [\#(text)]}"#)
    }
    #expect(
      try names(schema["responseCheck"], "curve")
        == chosen(caseText(checks: #"{"check": "response", "curve": "x", "within": 1}"#)))
    #expect(
      try names(schema["command"], "encoding")
        == chosen(
          caseText("a", #"{"command": ["cp", "{in}", "{out}"], "encoding": "x"}"#, checks: #"{"check": "golden"}"#)))
  }

  @Test("Every example of the page is read, and every check has one")
  func examples() throws {
    let page = try Repository.text("docs/suite-file.md")
    let blocks = try Self.blocks()
    #expect(blocks.count >= 15)
    var checks: Set<String> = []
    for block in blocks {
      let folder = try SuiteFolder()
      guard case .object(let value) = try JSONValue.document(Data(block.utf8), kind: .suite) else {
        Issue.record("\(block)")
        continue
      }
      let golden = #"{"check": "golden"}"#
      let suite =
        if value["version"] != nil {
          try SuiteFile(path: folder.write(block, "suite.json"))
        } else if case .string(let name)? = value["check"] {
          try { () throws in
            checks.insert(name)
            return try folder.suite(caseText(checks: block))
          }()
        } else if value["type"] != nil {
          try folder.suite(caseText(checks: golden, more: #""stimulus": \#(block),"#))
        } else {
          try folder.suite(caseText("a", block, checks: golden))
        }
      #expect(!suite.cases.isEmpty)
    }
    #expect(checks == Set(CheckReader.kinds.map(\.name)))
    for name in CheckReader.kinds.map(\.name) { #expect(page.contains("\n### `\(name)`\n"), "\(name)") }
  }

  @Test("The page names every key of the schema")
  func pageHasEveryKey() throws {
    let page = try Repository.text("docs/suite-file.md")
    let schema = try definitions("docs/suite-file.schema.json")
    for (name, value) in schema where name != "unit" && name != "path" {
      guard case .object(let fields) = value, case .object(let properties)? = fields["properties"] else { continue }
      for key in properties.keys {
        #expect(page.contains("`\(key)`") || page.contains("\"\(key)\""), "\(key) of \(name)")
      }
    }
  }

  @Test("The first suite of the page does what the page says")
  func firstSuite() throws {
    let block = try Repository.text("docs/suite-file.md").components(separatedBy: "```json\n")[1]
      .components(separatedBy: "```")[0]
    #expect(block.split(separator: "\n").count <= 10)
    let folder = try SuiteFolder()
    let suite = try SuiteFile(path: folder.write(block, "suite.json"))
    var runner = CaseRunner()
    #expect(runner.run(suite.cases[0], of: suite).verdict == .unblessed)
    runner.policy = GoldenPolicy(.missing, reason: "first version")
    #expect(runner.run(suite.cases[0], of: suite).verdict == .passed)
    #expect(folder.exists("golden/suite/low-pass.json") && folder.exists("golden/suite/low-pass.flac"))
    runner.policy = GoldenPolicy()
    #expect(runner.run(suite.cases[0], of: suite).verdict == .passed)
  }
}
