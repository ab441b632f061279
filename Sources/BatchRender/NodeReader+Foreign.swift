import AudioCore
import AudioUnits

/// Third-party units: what they share in a graph file is what every component may have.
extension NodeReader {
  /// The keys `inputs`, `state`, `preset` and `bypass`, in this order: each may replace what the former did.
  func configureForeign(_ unit: Unit, id: String, _ node: inout JSONObject) throws(BenchError) {
    let written = try node.integer("inputs", in: 1...4096)
    let range = unit.elementCountRange(.input)
    // Where the number of buses can be chosen, as many as are connected.
    let connected = connections.filter { $0.destination.node == id }.map { min($0.destination.bus, 4095) + 1 }.max()
    if let written, !range.contains(Int(written)) {
      throw node.error(
        "inputs",
        range.count == 1
          ? "the unit has \(range.lowerBound)" : "the unit has \(range.lowerBound) to \(range.upperBound)")
    }
    let wanted = written.map(Int.init) ?? connected.map { max($0, unit.elementCount(.input)) }
    if let wanted, wanted != unit.elementCount(.input), range.contains(wanted) {
      try apply("inputs", &node) { () throws(AudioStatus) in try unit.setElementCount(wanted, .input) }
    }
    if let state = try node.fileName("state") {
      let path = FileName.path(state, in: folder)
      try apply("state", &node) { () throws(AudioStatus) in try unit.setProperty(.componentState, to: .text(path)) }
    }
    if let value = node.take("preset") {
      let number = try presetNumber(value, of: unit, &node)
      try apply("preset", &node) { () throws(AudioStatus) in try unit.select(preset: number) }
    }
    if let bypass = try node.bool("bypass") {
      try apply("bypass", &node) { () throws(AudioStatus) in
        try unit.setProperty(.bypassEffect, to: .uint32(bypass ? 1 : 0))
      }
    }
  }

  private func apply(
    _ key: String, _ node: inout JSONObject, _ body: () throws(AudioStatus) -> Void
  ) throws(BenchError) {
    do throws(AudioStatus) { try body() } catch { throw node.error(key, "the component answered: \(error)") }
  }

  private func presetNumber(_ value: JSONValue, of unit: Unit, _ node: inout JSONObject) throws(BenchError) -> Int32 {
    let presets = unit.factoryPresets
    switch value {
    case .string(let name):
      if let preset = presets.first(where: { $0.name == name }) { return preset.number }
      let near = nearest(to: name, in: presets.map(\.name))
      throw node.error(
        "preset", "there is no preset \"\(excerpt(name))\"",
        advice: presets.isEmpty ? "the unit has none" : near.isEmpty ? nil : "did you mean \"\(near[0])\"?")
    case .number(let number):
      if let preset = presets.first(where: { Double($0.number) == number }) { return preset.number }
      throw node.error("preset", "there is no preset \(number)", advice: presets.isEmpty ? "the unit has none" : nil)
    default: throw node.error("preset", "expected a name or a number, found \(value.kind)")
    }
  }
}
