import AudioCore

/// A key that a node of a graph file may have: what it is called, what it means, how it is written, and what it sets.
/// The reader of graph files, the schema, `aubench units` and the pages of `docs` all go by it.
public struct GraphKey: Sendable {
  /// The key as a node has it: `bands`.
  package let name: String
  /// With its unit, in one line.
  package let meaning: String
  package let schema: [String: JSONValue]
  /// The values, where they are a few names.
  package let choices: [String]?
  /// The value of a node without the key; nil: none that could be written.
  package let initial: @Sendable (Unit) -> JSONValue?
  /// Takes the key out of a node and sets what it says.
  package let apply: @Sendable (Unit, inout JSONObject, GraphPlace) throws(BenchError) -> Void

  package init<Kind: Unit>(
    _ name: String, _ meaning: String, of kind: Kind.Type, schema: [String: JSONValue], choices: [String]? = nil,
    initial: @escaping @Sendable (Kind) -> JSONValue? = { _ in nil },
    apply: @escaping @Sendable (Kind, inout JSONObject, GraphPlace) throws(BenchError) -> Void
  ) {
    self.name = name
    self.meaning = meaning
    self.schema = schema
    self.choices = choices
    self.initial = { unit in (unit as? Kind).flatMap(initial) }
    self.apply = { (unit, node, place) throws(BenchError) in
      guard let unit = unit as? Kind else { preconditionFailure("the key \(name) is not one of \(unit.label)") }
      try apply(unit, &node, place)
    }
  }

  /// A key with one value.
  ///
  /// - Parameters:
  ///   - name: the key, as files have it.
  ///   - meaning: one line for people, with the unit of the value.
  ///   - form: the kind and range of the value.
  ///   - kind: the kind of unit that has the key.
  ///   - get: the value if the key is missing, for the schema and help.
  ///   - set: called with what is written; an error that it throws is reported with the key's place in the file.
  public init<Kind: Unit, Value>(
    _ name: String, _ meaning: String, _ form: JSONForm<Value>, of kind: Kind.Type,
    get: (@Sendable (Kind) -> Value?)? = nil,
    set: @escaping @Sendable (Kind, Value) throws(AudioStatus) -> Void
  ) {
    self.init(
      name, meaning, of: kind, schema: form.schema, choices: form.choices,
      initial: { unit in get?(unit).flatMap(form.write) },
      apply: { (unit, node, _) throws(BenchError) in
        guard let value = try form.take(&node, name) else { return }
        do throws(AudioStatus) { try set(unit, value) } catch {
          throw node.error(name, unit.refusal(error))
        }
      })
  }
}

/// The surroundings of a node that is read.
package struct GraphPlace: Sendable {
  /// The file that the command line names for the node.
  package let givenFile: String?
  package let id: String
  /// The number of input buses that the graph's connections need; nil where it has none to this node.
  package let connectedInputs: Int?
  /// The same of its output buses.
  package let connectedOutputs: Int?
  /// The memory of the nodes in front of this one.
  package let budget: MemoryBudget

  package init(
    givenFile: String?, id: String, connectedInputs: Int?, connectedOutputs: Int? = nil, budget: MemoryBudget
  ) {
    self.givenFile = givenFile
    self.id = id
    self.connectedInputs = connectedInputs
    self.connectedOutputs = connectedOutputs
    self.budget = budget
  }
}

// The keys that follow from what a unit declares otherwise.
extension GraphKey {
  /// The number of input buses, of units that let it be chosen.
  package static let inputs = GraphKey(
    "inputs", "the number of input buses; by default as many as are connected", of: Unit.self,
    schema: ["type": "integer", "minimum": 1, "maximum": 65_536]
  ) { (unit, node, place) throws(BenchError) in
    let written = try node.count("inputs", in: 1...65_536)
    let range = unit.elementCountRange(.input)
    if let written, !range.contains(written) {
      throw node.error(
        "inputs",
        range.count == 1
          ? "the unit has \(range.lowerBound)" : "the unit has \(range.lowerBound) to \(range.upperBound)")
    }
    guard let wanted = written ?? unit.inputCount(connected: place.connectedInputs), range.contains(wanted) else {
      return
    }
    var budget = place.budget
    try budget.add(unit.memoryBytes(withInputs: wanted), for: node.place)
    guard wanted != unit.elementCount(.input) else { return }
    do throws(AudioStatus) { try unit.setElementCount(wanted, .input) } catch {
      throw node.error("inputs", unit.refusal(error))
    }
  }

  /// The factory preset.
  package static func preset(_ presets: [Preset]) -> GraphKey {
    let numbers = presets.map { JSONValue.number(Double($0.number)) }
    let names = presets.map { JSONValue.string($0.name) }
    return GraphKey(
      "preset", "a factory preset, by name or number", of: Unit.self,
      schema: presets.isEmpty ? ["type": ["string", "integer"]] : ["enum": .array(names + numbers)],
      initial: { unit in
        guard case .preset(let preset)? = try? unit.property(.presentPreset), preset.number >= 0 else { return nil }
        return .string(preset.name)
      },
      apply: { (unit, node, _) throws(BenchError) in
        guard let value = node.take("preset") else { return }
        let preset = try find(value, among: presets, in: node, of: unit)
        do throws(AudioStatus) { try unit.select(preset: preset.number) } catch {
          throw node.error("preset", unit.refusal(error))
        }
      })
  }

  private static func find(
    _ value: JSONValue, among presets: [Preset], in node: JSONObject, of unit: Unit
  ) throws(BenchError) -> Preset {
    let none = "the unit has none"
    switch value {
    case .string(let name):
      if let preset = presets.first(where: { $0.name == name }) { return preset }
      let near = nearest(to: name, in: presets.map(\.name)).first
      throw node.error(
        "preset", "there is no preset \"\(excerpt(name))\"",
        advice: presets.isEmpty
          ? none : near.map { "did you mean \"\($0)\"?" } ?? "aubench units \(unit.component.shortName) lists them")
    case .number(let number):
      if let preset = presets.first(where: { Double($0.number) == number }) { return preset }
      guard let first = presets.first, let last = presets.last else {
        throw node.error("preset", "there is no preset \(number)", advice: none)
      }
      throw node.error(
        "preset", "a preset is a name or a number from \(first.number) to \(last.number), found \(number)")
    default: throw node.error("preset", "expected a name or a number, found \(value.kind)")
    }
  }
}

/// Parameters that a unit has several times, told apart by a number in their names: a graph file may write
/// `gain@band:2` in place of `gain2`.
public struct ParameterGroup: Sendable {
  /// The name of one of them, in place of a scope: `band`.
  public let name: String
  /// Their number: indices go from 0 up to, and without, it.
  public let count: Int
  /// The length of the rows where they form a table: one is then written by row and column, `crosspoint:2,0`.
  public let columns: Int?
  /// By the names they have within the group, in the order in which help lists them.
  public let parameters: [(name: String, address: @Sendable (_ index: Int) -> ParameterAddress)]

  /// - Parameters:
  ///   - name: the key, as files have it.
  ///   - count: how many there are.
  ///   - parameters: in the order in which help lists them; `address` is called with indices below `count`.
  public init(
    _ name: String, count: Int,
    parameters: [(name: String, address: @Sendable (_ index: Int) -> ParameterAddress)]
  ) {
    self.name = name
    self.count = count
    columns = nil
    self.parameters = parameters
  }

  /// A group in the form of a table.
  /// - Parameters:
  ///   - name: the key, as files have it.
  ///   - rows: how many rows.
  ///   - columns: how many columns.
  ///   - parameters: in the order in which help lists them; `address` is called with row × columns + column.
  public init(
    _ name: String, rows: Int, columns: Int,
    parameters: [(name: String, address: @Sendable (_ index: Int) -> ParameterAddress)]
  ) {
    self.name = name
    self.count = rows * columns
    self.columns = columns
    self.parameters = parameters
  }
}

/// Parameters of the global scope that controls show together: a band of an equalizer.
public struct ParameterClump: Sendable {
  /// For people: `Band 1`.
  public let name: String
  /// Their ids.
  public let parameters: Set<UInt32>

  /// - Parameters:
  ///   - name: the key, as files have it.
  ///   - parameters: ids of the global scope; a parameter is in one clump at most.
  public init(_ name: String, _ parameters: Set<UInt32>) {
    self.name = name
    self.parameters = parameters
  }
}

extension ParameterGroup {
  /// One for each index, counted from 1 as people do.
  var clumps: [ParameterClump] {
    let title = name.prefix(1).uppercased() + name.dropFirst()
    return (0..<count).map { index in
      ParameterClump("\(title) \(index + 1)", Set(parameters.map { $0.address(index).id }))
    }
  }
}

extension Unit {
  /// All keys of its own that a node with this unit may have, in the order in which they are set.
  package final var allGraphKeys: [GraphKey] {
    (choosesInputCount ? [.inputs] : []) + graphKeys
      + (hasPresets ? [.preset(factoryPresets)] : []) + properties.compactMap(\.graphKey)
  }

  /// The unit's answer to a value, in words.
  fileprivate func refusal(_ status: AudioStatus) -> String {
    "\(runsForeignCode ? "the component answered" : "the unit refuses it"): \(status)"
  }

  /// The number of input buses of a node that does not say it and whose connections need so many; nil: as a fresh unit.
  /// A component never has fewer than it came with.
  fileprivate func inputCount(connected: Int?) -> Int? {
    if runsForeignCode { return connected.map { max($0, elementCount(.input)) } }
    return elementCountRange(.input).count > 1 ? connected ?? 1 : nil
  }

  private var choosesInputCount: Bool { elementCountRange(.input).count > 1 || runsForeignCode }
  private var hasPresets: Bool { !factoryPresets.isEmpty || runsForeignCode }
}

extension JSONForm where Value == [[Float]] {
  /// For each input channel its gains to the output channels: `[[1, 0], [0, 1]]`.
  package static let gains = JSONForm([
    "type": "array", "minItems": 1, "items": ["type": "array", "items": ["type": "number"]],
  ]) { (node, key) throws(BenchError) in
    guard let value = node.take(key) else { return nil }
    return try gains(value, at: "\(node.place), key \"\(key)\"")
  }

  package static func gains(_ value: JSONValue, at place: String) throws(BenchError) -> [[Float]] {
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
