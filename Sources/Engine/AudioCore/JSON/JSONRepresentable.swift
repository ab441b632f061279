/// A type with a form in JSON.
package protocol JSONRepresentable {
  var json: JSONValue { get }
}

extension JSONValue: JSONRepresentable {
  package var json: JSONValue { self }

  /// An object of what is there: a field of nil is left out. JSON has no number for what is not finite: such a one is
  /// null, and a field beside it, its name with `Text`, says which of `nan`, `inf` and `-inf` it was.
  package init(_ fields: KeyValuePairs<String, (any JSONRepresentable)?>) {
    var object: [String: JSONValue] = [:]
    for (name, value) in fields {
      guard let value else { continue }
      object[name] = value.json
      if let number = value as? Double, !number.isFinite { object[name + "Text"] = .string(Self.text(of: number)) }
    }
    self = .object(object)
  }

  /// The text for a number that is not finite.
  package static func text(of number: Double) -> String { number.isNaN ? "nan" : number < 0 ? "-inf" : "inf" }

  /// The same with further fields, which replace those of their names.
  package func adding(_ fields: KeyValuePairs<String, (any JSONRepresentable)?>) -> JSONValue {
    guard case .object(let own) = self, case .object(let more) = JSONValue(fields) else { return self }
    return .object(own.merging(more) { $1 })
  }
}

extension String: JSONRepresentable {
  package var json: JSONValue { .string(self) }
}

extension Bool: JSONRepresentable {
  package var json: JSONValue { .bool(self) }
}

extension Int: JSONRepresentable {
  package var json: JSONValue { .number(Double(self)) }
}

extension Int64: JSONRepresentable {
  package var json: JSONValue { .number(Double(self)) }
}

extension Double: JSONRepresentable {
  package var json: JSONValue { isFinite ? .number(self) : .null }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  package var json: JSONValue { .array(map(\.json)) }
}

extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
  package var json: JSONValue { .object(mapValues(\.json)) }
}
