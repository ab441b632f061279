/// The form of a value in JSON: its reader and its schema.
public struct JSONForm<Value: Sendable>: Sendable {
  /// The keys of a JSON schema.
  package let schema: [String: JSONValue]
  /// The choices, if the value is one of a few names.
  package let choices: [String]?
  package let write: @Sendable (Value) -> JSONValue?
  /// Takes the value of a key out of an object, where it is there.
  package let take: @Sendable (_ object: inout JSONObject, _ key: String) throws(BenchError) -> Value?

  package init(
    _ schema: [String: JSONValue], choices: [String]? = nil,
    write: @escaping @Sendable (Value) -> JSONValue? = { _ in nil },
    take: @escaping @Sendable (inout JSONObject, String) throws(BenchError) -> Value?
  ) {
    self.schema = schema
    self.choices = choices
    self.write = write
    self.take = take
  }
}

extension JSONForm where Value == Bool {
  /// `true` or `false`.
  public static let boolean = JSONForm(["type": "boolean"], write: { .bool($0) }) { (object, key) throws(BenchError) in
    try object.bool(key)
  }
}

extension JSONForm where Value == Int64 {
  /// A whole number. JSON has none beyond ±2⁵³.
  public static func integer(in range: ClosedRange<Int64>) -> JSONForm {
    let range = range.clamped(to: -(1 << 53)...(1 << 53))
    let (least, most) = (Double(range.lowerBound), Double(range.upperBound))
    return JSONForm(
      ["type": "integer", "minimum": .number(least), "maximum": .number(most)], write: { .number(Double($0)) }
    ) { (object, key) throws(BenchError) in try object.integer(key, in: range) }
  }
}

extension JSONForm where Value == Int {
  /// A number of things, or the index of one.
  package static func count(in range: ClosedRange<Int>) -> JSONForm {
    let whole = JSONForm<Int64>.integer(in: Int64(range.lowerBound)...Int64(range.upperBound))
    return JSONForm(whole.schema, write: { whole.write(Int64($0)) }) { (object, key) throws(BenchError) in
      guard let number = try whole.take(&object, key) else { return nil }
      return Int(number)
    }
  }
}

extension JSONForm where Value == Float {
  /// Any finite number that `Float` can hold.
  public static let number = JSONForm(["type": "number"], write: { .number(Double($0)) }) {
    (object, key) throws(BenchError) in try object.float(key)
  }
}

extension JSONForm where Value == Double {
  /// - Parameter expected: the text behind "expected" in an error; nil: the range.
  package static func number(_ range: NumberRange = .all, expected: String? = nil) -> JSONForm {
    JSONForm(range.schema.merging(["type": "number"]) { $1 }, write: { .number($0) }) {
      (object, key) throws(BenchError) in
      guard let number = try object.number(key) else { return nil }
      guard range.contains(number) else {
        throw object.error(key, "expected \(expected ?? "a number \(range.text)"), found \(number)")
      }
      return number
    }
  }
}

extension JSONForm where Value == String {
  package static let text = JSONForm(["type": "string"], write: { .string($0) }) {
    (object, key) throws(BenchError) in try object.string(key)
  }

  /// The name of a file, relative to the folder of the file that it stands in: read as a path that can be opened.
  public static let file = JSONForm(["type": "string", "minLength": 1]) { (object, key) throws(BenchError) in
    try object.path(key)
  }

  /// One of some names.
  package static func choice(from names: [String]) -> JSONForm {
    JSONForm(["enum": .array(names.map { .string($0) })], choices: names, write: { .string($0) }) {
      (object, key) throws(BenchError) in
      try object.choice(key, from: names) { names.contains($0) ? $0 : nil }
    }
  }
}

extension JSONForm where Value: NamedChoice {
  /// One of the names of a type's values.
  public static var choice: JSONForm {
    JSONForm(["enum": .array(Value.names.map { .string($0) })], choices: Value.names, write: { .string($0.name) }) {
      (object, key) throws(BenchError) in try object.choice(key, of: Value.self)
    }
  }
}

extension JSONForm where Value: RawRepresentable<String> & CaseIterable {
  /// One of the raw values of a type's values.
  package static var rawValue: JSONForm {
    let names = Value.allCases.map(\.rawValue)
    return JSONForm(["enum": .array(names.map { .string($0) })], choices: names, write: { .string($0.rawValue) }) {
      (object, key) throws(BenchError) in try object.choice(key, of: Value.self)
    }
  }
}

extension JSONForm where Value == [Int] {
  /// A list of whole numbers, not empty.
  package static func integers(in range: ClosedRange<Int>) -> JSONForm {
    let element = JSONForm<Int>.count(in: range)
    return JSONForm(
      ["type": "array", "minItems": 1, "items": .object(element.schema)],
      write: { .array($0.map { .number(Double($0)) }) }
    ) { (object, key) throws(BenchError) in
      try object.elements(key, expected: "whole numbers from \(range.lowerBound) to \(range.upperBound)") { value in
        if case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole) {
          whole
        } else {
          nil
        }
      }
    }
  }
}

extension JSONForm where Value == [String] {
  /// A list of texts, neither it nor any of them empty.
  package static let texts = JSONForm([
    "type": "array", "minItems": 1, "items": ["type": "string", "minLength": 1],
  ]) { (object, key) throws(BenchError) in
    try object.elements(key, expected: "texts") { if case .string(let text) = $0, !text.isEmpty { text } else { nil } }
  }
}

extension JSONForm where Value == [String: Double] {
  /// An object of numbers.
  package static let numbers = JSONForm(["type": "object", "additionalProperties": ["type": "number"]]) {
    (object, key) throws(BenchError) in
    guard var written = try object.object(key) else { return nil }
    var numbers: [String: Double] = [:]
    for (name, value) in written.takeAll() {
      guard case .number(let number) = value else {
        throw object.error(key, "expected numbers, found \(value.kind)")
      }
      numbers[name] = number
    }
    return numbers
  }
}

extension JSONForm where Value == JSONObject {
  /// An object whose keys another definition of the schema tells.
  package static func object(_ reference: String) -> JSONForm {
    JSONForm(["$ref": .string(reference)]) { (object, key) throws(BenchError) in try object.object(key) }
  }
}

extension JSONForm where Value == JSONValue {
  /// Whatever is written: who takes it checks it.
  package static func any(_ schema: [String: JSONValue]) -> JSONForm {
    JSONForm(schema, write: { $0 }) { (object, key) in object.take(key) }
  }
}
