/// A key of an object in a file that people write: reader and schema go by it.
package struct JSONKey<Value: Sendable>: SchemaKey {
  package let name: String
  package let schema: JSONValue
  package let isRequired: Bool
  fileprivate let take: @Sendable (inout JSONObject) throws(BenchError) -> Value

  /// One that has a value where it is not written.
  /// - Parameter meaning: one line, with the unit of the value.
  package init(_ name: String, _ form: JSONForm<Value>, initial: Value, _ meaning: String? = nil) {
    self.init(name, form, form.write(initial), meaning) { (object) throws(BenchError) in
      try form.take(&object, name) ?? initial
    }
  }

  /// One that may be missing.
  /// - Parameter initial: the default; the caller that takes the key applies it.
  package init<Written>(
    optional name: String, _ form: JSONForm<Written>, _ meaning: String? = nil, initial: Written? = nil
  ) where Value == Written? {
    self.init(name, form, initial.flatMap(form.write), meaning) { (object) throws(BenchError) in
      try form.take(&object, name)
    }
  }

  /// One that must be there.
  /// - Parameters:
  ///   - missing: the text of an error if it is missing.
  ///   - advice: advice on how to write it.
  package init(
    required name: String, _ form: JSONForm<Value>, _ meaning: String? = nil, missing: String = "the key is missing",
    advice: String? = nil
  ) {
    self.init(name, form, nil, meaning, isRequired: true) { (object) throws(BenchError) in
      guard let value = try form.take(&object, name) else { throw object.error(name, missing, advice: advice) }
      return value
    }
  }

  private init<Written>(
    _ name: String, _ form: JSONForm<Written>, _ initial: JSONValue?, _ meaning: String?, isRequired: Bool = false,
    take: @escaping @Sendable (inout JSONObject) throws(BenchError) -> Value
  ) {
    var schema = form.schema
    if let initial { schema["default"] = initial }
    if let meaning { schema["description"] = .string(meaning) }
    self.name = name
    self.schema = .object(schema)
    self.isRequired = isRequired
    self.take = take
  }
}

/// The schema of a key.
package protocol SchemaKey: Sendable {
  var name: String { get }
  var schema: JSONValue { get }
  var isRequired: Bool { get }
}

extension JSONObject {
  /// Takes a key out: its value, what holds where it is not written, or an error.
  package mutating func take<Value>(_ key: JSONKey<Value>) throws(BenchError) -> Value { try key.take(&self) }
}

extension [String: JSONValue] {
  /// A schema: an object with these keys and no others.
  package static func schema(
    _ meaning: String, of keys: [any SchemaKey], rules: [String: JSONValue] = [:]
  ) -> [String: JSONValue] {
    var schema = rules
    schema["description"] = .string(meaning)
    schema["type"] = "object"
    schema["additionalProperties"] = false
    schema["properties"] = .object(Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.schema) }))
    let required = keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return schema
  }
}

extension JSONValue {
  /// A rule of a schema: some keys are there, and some others are not.
  package static func has(_ keys: String..., without others: [String] = []) -> JSONValue {
    var rule: [String: JSONValue] = ["required": .array(keys.map { .string($0) })]
    if !others.isEmpty { rule["not"] = ["anyOf": .array(others.map { .has($0) })] }
    return .object(rule)
  }
}
