import Glibc

/// An object of a JSON file whose keys are taken out one by one; what is left at the end is an error.
///
/// Every error says where it is: `nodes[3] "eq", bands[0], key "gain"`.
package struct JSONObject: Sendable {
  package let place: String
  /// The folder of the file, empty or ending with a slash: names of files are relative to it.
  package let folder: String
  /// The kind of errors: which sort of file has to be fixed.
  package let kind: BenchError.Kind
  private var values: [String: JSONValue]
  private var known: [String] = []

  package init(
    _ value: JSONValue, at place: String, folder: String = "", kind: BenchError.Kind = .graph
  ) throws(BenchError) {
    guard case .object(let values) = value else {
      throw BenchError(kind, at: place, "expected an object, found \(value.kind)")
    }
    self.place = place
    self.folder = folder
    self.kind = kind
    self.values = values
  }

  /// Takes a key out, where it is there.
  package mutating func take(_ key: String) -> JSONValue? {
    known.append(key)
    return values.removeValue(forKey: key)
  }

  /// The value of a key, without taking it out.
  package func peek(_ key: String) -> JSONValue? { values[key] }

  /// Puts a value in place of what is written.
  package mutating func replace(_ key: String, by value: JSONValue) { values[key] = value }

  package func error(_ key: String, _ message: String, advice: String? = nil) -> BenchError {
    let key = "key \"\(excerpt(key))\""
    return BenchError(kind, at: place.isEmpty ? key : "\(place), \(key)", message, advice: advice)
  }

  package mutating func string(_ key: String) throws(BenchError) -> String? {
    guard let value = take(key) else { return nil }
    guard case .string(let text) = value else { throw error(key, "expected a text, found \(value.kind)") }
    return text
  }

  package mutating func requiredString(_ key: String) throws(BenchError) -> String {
    guard let text = try string(key) else { throw error(key, "the key is missing") }
    return text
  }

  package mutating func number(_ key: String) throws(BenchError) -> Double? {
    guard let value = take(key) else { return nil }
    guard case .number(let number) = value, number.isFinite else {
      throw error(key, "expected a number, found \(value.kind)")
    }
    return number
  }

  /// A number that Float, which parameters are, can hold.
  package mutating func float(_ key: String) throws(BenchError) -> Float? {
    guard let number = try number(key) else { return nil }
    guard Float(number).isFinite else {
      throw error(key, "expected a number of at most \(Float.greatestFiniteMagnitude), found \(number)")
    }
    return Float(number)
  }

  /// A whole number within a range.
  package mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(BenchError) -> Int64? {
    guard let number = try number(key) else { return nil }
    guard let whole = Int64(exactly: number), range.contains(whole) else {
      throw error(key, "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(number)")
    }
    return whole
  }

  /// As ``integer(_:in:)``, for a number of things.
  package mutating func count(_ key: String, in range: ClosedRange<Int>) throws(BenchError) -> Int? {
    guard let count = try integer(key, in: Int64(range.lowerBound)...Int64(range.upperBound)) else { return nil }
    return Int(count)
  }

  package mutating func bool(_ key: String) throws(BenchError) -> Bool? {
    guard let value = take(key) else { return nil }
    guard case .bool(let flag) = value else { throw error(key, "expected true or false, found \(value.kind)") }
    return flag
  }

  package mutating func list(_ key: String) throws(BenchError) -> [JSONValue]? {
    guard let value = take(key) else { return nil }
    guard case .array(let list) = value else { throw error(key, "expected a list, found \(value.kind)") }
    return list
  }

  /// The key's object, with its place.
  package mutating func object(_ key: String) throws(BenchError) -> JSONObject? {
    guard let value = take(key) else { return nil }
    return try part(value, at: key)
  }

  /// A value inside it that must be an object, with its place.
  package func part(_ value: JSONValue, at inner: String) throws(BenchError) -> JSONObject {
    try JSONObject(value, at: place.isEmpty ? inner : "\(place), \(inner)", folder: folder, kind: kind)
  }

  /// Takes the elements of a list, which must not be empty.
  /// - Parameter read: nil for what must not stand there.
  package mutating func elements<Element>(
    _ key: String, expected: String, read: (JSONValue) -> Element?
  ) throws(BenchError) -> [Element]? {
    guard let list = try list(key) else { return nil }
    guard !list.isEmpty else { throw error(key, "expected \(expected), found an empty list") }
    var elements: [Element] = []
    for value in list {
      guard let element = read(value) else { throw error(key, "expected \(expected), found \(value.kind)") }
      elements.append(element)
    }
    return elements
  }

  /// The name of a file, no longer than the system takes one.
  package mutating func fileName(_ key: String) throws(BenchError) -> String? {
    guard let name = try string(key) else { return nil }
    guard name.utf8.count < Int(PATH_MAX) else {
      throw error(key, "a file's name has less than \(PATH_MAX) bytes, found the text \"\(excerpt(name))\"")
    }
    return name
  }

  /// The name of a file, as a path that can be opened.
  package mutating func path(_ key: String) throws(BenchError) -> String? {
    try fileName(key).map { FileName.path($0, in: folder) }
  }

  /// A text that is one of some names.
  package mutating func choice<Value>(
    _ key: String, from names: [String], _ make: (String) -> Value?
  ) throws(BenchError) -> Value? {
    guard let text = try string(key) else { return nil }
    guard let value = make(text) else {
      throw error(key, "there is no \"\(excerpt(text))\" here", advice: "choose from " + names.joined(separator: ", "))
    }
    return value
  }

  /// A text that is the name of one of a type's values.
  package mutating func choice<Value: NamedChoice>(_ key: String, of type: Value.Type) throws(BenchError) -> Value? {
    try choice(key, from: type.names, type.init(name:))
  }

  /// A text that is the raw value of one of a type's values.
  package mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Value.Type
  ) throws(BenchError) -> Value? {
    try choice(key, from: type.allCases.map(\.rawValue), type.init(rawValue:))
  }

  /// Those of some keys that are there.
  package func keys(among names: [String]) -> [String] { names.filter { values[$0] != nil } }

  /// All keys with their values, in alphabetical order: for objects whose keys are data.
  package mutating func takeAll() -> [(key: String, value: JSONValue)] {
    defer { values = [:] }
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Throws where a key is left that was not taken.
  package func finish() throws(BenchError) {
    guard let key = values.keys.min() else { return }
    let near = nearest(to: key, in: known)
    throw error(
      key, "unknown key",
      advice: near.isEmpty ? "known here: \(known.sorted().joined(separator: ", "))" : "did you mean \"\(near[0])\"?")
  }
}
