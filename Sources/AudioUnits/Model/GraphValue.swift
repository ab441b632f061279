import AudioCore

/// How a graph file writes a value: what reads it, and what the schema says of it.
public struct GraphValue<Value: Sendable>: Sendable {
  /// The keys of a JSON schema.
  package let schema: [String: JSONValue]
  /// Takes the value of a key out of a node, where it is there.
  package let take:
    @Sendable (_ node: inout JSONObject, _ key: String, _ place: GraphPlace) throws(BenchError) -> Value?
  package let write: @Sendable (Value) -> JSONValue?
  package let choices: [String]?

  package init(
    _ schema: [String: JSONValue], choices: [String]? = nil,
    write: @escaping @Sendable (Value) -> JSONValue? = { _ in nil },
    take: @escaping @Sendable (inout JSONObject, String, GraphPlace) throws(BenchError) -> Value?
  ) {
    self.schema = schema
    self.choices = choices
    self.take = take
    self.write = write
  }
}

/// What reading a node knows beside the node.
package struct GraphPlace: Sendable {
  /// That of the graph file, empty or ending with a slash.
  package let folder: String
  /// The file that the command line names for the node.
  package let givenFile: String?
  package let id: String
  /// The number of input buses that the graph's connections need; nil where it has none to this node.
  package let connectedInputs: Int?
  /// What the nodes in front of this one take.
  package let budget: MemoryBudget

  package init(folder: String, givenFile: String?, id: String, connectedInputs: Int?, budget: MemoryBudget) {
    self.folder = folder
    self.givenFile = givenFile
    self.id = id
    self.connectedInputs = connectedInputs
    self.budget = budget
  }
}

extension GraphValue where Value == Bool {
  /// `true` or `false`.
  public static let boolean = GraphValue(["type": "boolean"], write: { .bool($0) }) {
    (node, key, _) throws(BenchError) in try node.bool(key)
  }
}

extension GraphValue where Value == Int64 {
  /// A whole number. JSON has none beyond ±2⁵³.
  public static func integer(in range: ClosedRange<Int64>) -> GraphValue {
    let range = range.clamped(to: -(1 << 53)...(1 << 53))
    return GraphValue(
      [
        "type": "integer", "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound)),
      ],
      write: { .number(Double($0)) }
    ) { (node, key, _) throws(BenchError) in try node.integer(key, in: range) }
  }
}

extension GraphValue where Value == Float {
  /// Any finite number that `Float` can hold.
  public static let number = GraphValue(["type": "number"], write: { .number(Double($0)) }) {
    (node, key, _) throws(BenchError) in try node.float(key)
  }
}

extension GraphValue where Value == String {
  /// The name of a file, relative to the graph file's folder: read as a path that can be opened.
  public static let file = GraphValue(["type": "string", "minLength": 1]) { (node, key, place) throws(BenchError) in
    try node.fileName(key).map { FileName.path($0, in: place.folder) }
  }
}

extension GraphValue where Value: NamedChoice {
  /// One of the names of a type's values.
  public static var choice: GraphValue {
    GraphValue(["enum": .array(Value.names.map { .string($0) })], choices: Value.names, write: { .string($0.name) }) {
      (node, key, _) throws(BenchError) in try node.choice(key, of: Value.self)
    }
  }
}

extension GraphValue where Value == [[Float]] {
  /// For each input channel its gains to the output channels: `[[1, 0], [0, 1]]`.
  static let gains = GraphValue([
    "type": "array", "minItems": 1, "items": ["type": "array", "items": ["type": "number"]],
  ]) { (node, key, _) throws(BenchError) in
    guard let value = node.take(key) else { return nil }
    return try gains(value, at: "\(node.place), key \"\(key)\"")
  }

  static func gains(_ value: JSONValue, at place: String) throws(BenchError) -> [[Float]] {
    let expected = "expected a list for each input channel, of its gains to the output channels: [[1, 0], [0, 1]]"
    guard case .array(let rows) = value, !rows.isEmpty else { throw BenchError(.graph, at: place, expected) }
    var gains: [[Float]] = []
    for row in rows {
      guard case .array(let row) = row else { throw BenchError(.graph, at: place, expected) }
      let numbers = row.compactMap { if case .number(let gain) = $0, Float(gain).isFinite { Float(gain) } else { nil } }
      guard numbers.count == row.count else { throw BenchError(.graph, at: place, expected) }
      gains.append(numbers)
    }
    return gains
  }
}
