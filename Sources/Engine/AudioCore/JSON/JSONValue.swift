/// A JSON value: a document whose every key is checked, or a part of a schema. Who reads and writes texts of JSON is
/// another's matter.
package enum JSONValue: Codable, Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// A number from outside JSON; nil for what JSON has none for: infinities, and what is no number.
  package init?(number text: String) {
    guard let number = Double(text), number.isFinite else { return nil }
    self = .number(number)
  }

  /// The kind of value, for error messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value):
      "the number \(NumberText.short(value))"
    case .string(let value): "the text \"\(excerpt(value))\""
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// A member of an object; null where there is none.
  package subscript(_ key: String) -> JSONValue {
    get { if case .object(let members) = self { members[key] ?? .null } else { .null } }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }

  /// Those of an object, in alphabetical order; none of anything else.
  package var keys: [String] { if case .object(let members) = self { members.keys.sorted() } else { [] } }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    // JSON has no number for what is not finite, and no report may end the program.
    case .number(let value): if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// Keys of graphs and suites whose texts name no file.
  private static let plainKeys: Set<String> = [
    "$schema", "about", "check", "connections", "golden", "id", "preset", "skip", "type", "unit",
  ]

  /// The texts in it that may name files: a graph's or a suite's.
  package var fileTexts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let list): list.flatMap(\.fileTexts)
    case .object(let object): object.filter { !Self.plainKeys.contains($0.key) }.values.flatMap(\.fileTexts)
    case .null, .bool, .number: []
    }
  }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}
