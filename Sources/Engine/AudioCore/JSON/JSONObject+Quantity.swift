// Numbers that may stand in a file as texts with their unit, as on a command line: 1000 and "1kHz".

extension JSONValue {
  /// A finite number, or a text of one with its unit, which must be there; of 0 and 1 also true and false.
  /// - Throws: the expected and the found value, as a sentence's end.
  package func quantity(_ kind: Quantity.Kind) throws(Quantity.Problem) -> Double {
    switch self {
    case .number(let number) where number.isFinite: return number
    case .bool(let flag) where kind == .onOff: return flag ? 1 : 0
    // A number in quotation marks is a text by mistake.
    case .string(let text) where Double(text) == nil:
      do { return try Quantity.value(text, kind) } catch {
        guard !error.text.isEmpty, text.utf8.count < 100, Quantity.beginsAsNumber(text) else { break }
        throw Quantity.Problem(text: "\"\(text)\": \(error.text)")
      }
    default: break
    }
    throw Quantity.Problem(text: "expected a number, found \(self.kind)")
  }

  /// The schema of such a number within a range.
  package static func quantitySchema(_ range: NumberRange = .all) -> [String: JSONValue] {
    range.schema.merging([
      "type": ["number", "string"], "pattern": .string("^[-+\u{2212}]?\\.?[0-9].*[^-+.0-9eE]"),
    ]) { $1 }
  }
}

extension JSONObject {
  /// A number, or a text of one with its unit.
  package mutating func quantity(_ key: String, _ kind: Quantity.Kind) throws(BenchError) -> Double? {
    guard let value = take(key) else { return nil }
    do { return try value.quantity(kind) } catch { throw self.error(key, error.text) }
  }

  /// The same as a number that Float, which parameters are, can hold.
  package mutating func floatQuantity(_ key: String, _ kind: Quantity.Kind) throws(BenchError) -> Float? {
    guard let number = try quantity(key, kind) else { return nil }
    guard Float(number).isFinite else {
      throw error(key, "expected a number of at most \(Float.greatestFiniteMagnitude), found \(number)")
    }
    return Float(number)
  }
}

extension JSONForm where Value == Double {
  /// A number with its unit or without.
  package static func quantity(_ kind: Quantity.Kind, _ range: NumberRange = .all) -> JSONForm {
    JSONForm(JSONValue.quantitySchema(range), write: { .number($0) }) { (object, key) throws(BenchError) in
      guard let number = try object.quantity(key, kind) else { return nil }
      guard range.contains(number) else { throw object.error(key, "expected a number \(range.text), found \(number)") }
      return number
    }
  }
}

extension JSONForm where Value == Int {
  /// A whole number with its unit or without.
  package static func quantity(_ kind: Quantity.Kind, in range: ClosedRange<Int>) -> JSONForm {
    let (least, most) = (Double(range.lowerBound), Double(range.upperBound))
    return JSONForm(JSONValue.quantitySchema(.from(least, upTo: most)), write: { .number(Double($0)) }) {
      (object, key) throws(BenchError) in
      guard let number = try object.quantity(key, kind) else { return nil }
      guard let whole = Int(exactly: number), range.contains(whole) else {
        throw object.error(
          key,
          "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(NumberText.short(number))")
      }
      return whole
    }
  }
}

extension JSONForm where Value == Float {
  /// A number that `Float` can hold, with its unit or without.
  package static func quantity(_ kind: Quantity.Kind) -> JSONForm {
    JSONForm(JSONValue.quantitySchema(), write: { .number(Double($0)) }) { (object, key) throws(BenchError) in
      try object.floatQuantity(key, kind)
    }
  }
}
