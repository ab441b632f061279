import AudioCore
import AudioEngine
import AudioUnits
import Batch
import BatchRender
import Hardware
import Reporting
import Verification

/// `aubench help job-file`: the keys of a file that people write, from the schema that its reader's own tables make.
struct FileKeysText {
  /// The files, by what `help` calls them.
  enum Topic: String, CaseIterable {
    case graph = "graph-file"
    case job = "job-file"
    case suite = "suite-file"
    case scenario = "scenario-file"

    fileprivate var schema: JSONValue {
      switch self {
      case .graph: GraphSchema.document(.ofGraphFiles)
      case .job: JobKeys.schema
      case .suite: SuiteSchema.document(.ofGraphFiles)
      case .scenario: ScenarioFile.schema
      }
    }

    fileprivate var page: String {
      switch self {
      case .graph: "graph-file.md"
      case .job: "batch.md"
      case .suite: "suite-file.md"
      case .scenario: "scenarios.md"
      }
    }

    fileprivate var form: String {
      switch self {
      case .graph: "graph-schema"
      case .job: "job-schema"
      case .suite: "suite-schema"
      case .scenario: "scenario-schema"
      }
    }

    /// Definitions that another page has: units and their keys.
    fileprivate var leftOut: Set<String> {
      self == .graph ? Set(ComponentRegistry.ofGraphFiles.components.map(\.shortName)) : []
    }
  }

  private let topic: Topic
  private let schema: JSONValue

  init(_ topic: Topic) { (self.topic, schema) = (topic, topic.schema) }

  var text: String {
    var text = "The keys of a \(topic.rawValue.replacing("-", with: " ")), JSON\n"
    if case .string(let meaning) = schema["description"] { text += "\n" + TextLayout.paragraph(meaning) }
    text += "\n" + rows(of: schema, indent: 0)
    for (name, definition) in members(schema["$defs"]) where !topic.leftOut.contains(name) {
      guard let section = section(name, definition) else { continue }
      text += "\n" + section
    }
    if topic == .graph { text += "\nKeys of each unit, with its parameters: \"aubench units NAME\".\n" }
    return text + "\n"
      + TextLayout.paragraph(
        "The page is \(topic.page), the schema for editors \"aubench --print-manual=\(topic.form)\"; \"make install\" puts both "
          + "into share/doc/aubench.")
  }

  /// A definition that others refer to; nil where it has no keys and its use says all.
  private func section(_ name: String, _ definition: JSONValue) -> String? {
    let choices = ["oneOf", "anyOf"].flatMap { elements(definition[$0]) }
    let rows = rows(of: definition, indent: 0)
    let meaning = meaning(definition)
    if !rows.isEmpty {
      return TextLayout.paragraph(meaning, indent: "    ", first: meaning.isEmpty ? "\(name):" : "\(name): ") + rows
    }
    guard !choices.isEmpty else { return nil }
    let text = TextLayout.paragraph(choices.map(type).joined(separator: ", or "), indent: "    ", first: "\(name): ")
    return text + choices.map { self.rows(of: $0, indent: 0) }.joined()
  }

  /// A line for each key of an object, and below it those of its own.
  private func rows(of object: JSONValue, indent: Int) -> String {
    let required = elements(object["required"]).compactMap { if case .string(let key) = $0 { key } else { nil } }
    var text = ""
    for (key, schema) in members(object["properties"]) where key != "$schema" {
      var parts = [type(schema)]
      if required.contains(key) { parts.append("must be there") }
      if schema["default"] != .null { parts.append("default \(shown(schema["default"]))") }
      let meaning = meaning(schema)
      // A key that another object has as well has no description in this schema.
      if parts == [""] { parts = ["as above"] }
      let line = parts.filter { !$0.isEmpty }.joined(separator: "; ") + (meaning.isEmpty ? "" : ": \(meaning)")
      let start = String(repeating: " ", count: indent + 2) + key
      let column = max(20 + indent, start.count + 2)
      text += TextLayout.paragraph(
        line, indent: String(repeating: " ", count: min(column, 24)),
        first: start + String(repeating: " ", count: column - start.count))
      text += rows(of: schema, indent: indent + 2)
      text += rows(of: schema["items"], indent: indent + 2)
    }
    return text
  }

  private func meaning(_ schema: JSONValue) -> String {
    if case .string(let text) = schema["description"] { text } else { "" }
  }

  /// The values that are allowed: `a number from 0 to 1`, `a list of texts`.
  private func type(_ schema: JSONValue) -> String {
    if case .string(let reference) = schema["$ref"] { return String(reference.split(separator: "/").last ?? "") }
    if schema["const"] != .null { return shown(schema["const"]) }
    let names = elements(schema["enum"])
    if !names.isEmpty { return "one of " + names.map(shown).joined(separator: ", ") }
    let choices = ["oneOf", "anyOf"].flatMap { elements(schema[$0]) }
    if !choices.isEmpty {
      // A unit is one of many, which are listed elsewhere.
      if choices.count > 12 { return "one of \(choices.count) kinds" }
      let texts = choices.map(type).filter { !$0.isEmpty }
      return texts.indices.filter { !texts[..<$0].contains(texts[$0]) }.map { texts[$0] }.joined(separator: ", or ")
    }
    var types = elements(schema["type"]).compactMap { if case .string(let name) = $0 { name } else { nil } }
    if case .string(let name) = schema["type"] { types = [name] }
    return types.map { name in
      switch name {
      case "number", "integer": (name == "integer" ? "a whole number" : "a number") + range(schema)
      case "string": "a text"
      case "boolean": "true or false"
      case "array":
        schema["items"] == .null || type(schema["items"]).isEmpty
          ? "a list" : "a list, each \(type(schema["items"]))"
      case "object": "an object"
      default: name
      }
    }.joined(separator: " or ")
  }

  private func range(_ schema: JSONValue) -> String {
    var words: [String] = []
    func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? NumberText.short(value) }
    if case .number(let least) = schema["minimum"] { words.append("from \(number(least))") }
    if case .number(let least) = schema["exclusiveMinimum"] { words.append("above \(number(least))") }
    if case .number(let most) = schema["maximum"] { words.append("to \(number(most))") }
    if case .number(let most) = schema["exclusiveMaximum"] { words.append("below \(number(most))") }
    return words.isEmpty ? "" : " " + words.joined(separator: " ")
  }

  private func shown(_ value: JSONValue) -> String {
    if case .string(let text) = value { text } else { value.text }
  }

  private func elements(_ value: JSONValue) -> [JSONValue] { if case .array(let list) = value { list } else { [] } }

  private func members(_ value: JSONValue) -> [(key: String, value: JSONValue)] {
    guard case .object(let object) = value else { return [] }
    return object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
