import AudioCore
import AudioEngine
import RenderGraph

/// A parameter value as written on a command line, with its unit: which units go with it is known when the graph
/// is there.
package struct WrittenSetting: Sendable {
  package let node: String
  package let parameter: ParameterName
  package let text: String

  package init(node: String, parameter: ParameterName, text: String) {
    self.node = node
    self.parameter = parameter
    self.text = text
  }

  /// - Parameter key: `node.parameter@scope:element`.
  /// - Throws: `.usage` for a key that is none.
  package init(key: String, text: String) throws(BenchError) {
    guard let dot = key.firstIndex(of: "."), dot > key.startIndex, key.index(after: dot) < key.endIndex else {
      throw BenchError(
        .usage, "\"\(excerpt(key))\" names no parameter of a node", advice: "write it as mix.volume@input:2=0.5")
    }
    self.init(
      node: String(key[..<dot]), parameter: try ParameterName(String(key[key.index(after: dot)...])), text: text)
  }

  /// True when it is a key that the unit has in graph files, as a preset, and no parameter.
  func isGraphKey(of unit: Unit) -> Bool {
    (try? parameter.address(in: unit)) == nil && parameter.description == parameter.name
      && unit.allGraphKeys.contains { $0.name == parameter.name }
  }

  /// As a graph file has it: a number, true or false, or a text.
  var json: JSONValue { JSONValue(number: text) ?? Bool(text).map { .bool($0) } ?? .string(text) }

  /// The value; nil where the graph has no such node or parameter, which others complain of.
  /// - Throws: `.usage` for a text that is no number, or has another unit than the parameter.
  func value(in graph: Graph) throws(BenchError) -> Float? {
    guard let unit = graph.node(named: node)?.unit, let address = try? parameter.address(in: unit),
      let row = try? unit.descriptor(of: address)
    else { return nil }
    return try value(row.unit.quantity)
  }

  /// Read as a number of some kind.
  package func value(_ kind: Quantity.Kind) throws(BenchError) -> Float {
    do throws(Quantity.Problem) {
      let value = Float(try Quantity.value(text, kind))
      if value.isFinite { return value }
    } catch {
      guard error.text.isEmpty else {
        throw BenchError(.usage, at: place, "cannot be set to \"\(text)\": \(error.text)")
      }
    }
    throw BenchError(.usage, at: place, "cannot be set to \"\(text)\": a value is a finite number")
  }

  private var place: String { "setting \(node.isEmpty ? "" : "\(node).")\(parameter)" }
}

extension WrittenSetting: CustomStringConvertible {
  /// `eq.gain@band:0=-3dB`
  package var description: String { "\(node).\(parameter)=\(text)" }
}

extension ParameterUnit {
  /// The notation of its values.
  package var quantity: Quantity.Kind {
    switch self {
    case .hertz: .frequency
    case .decibels: .level
    case .linearGain: .gain
    case .octaves: .octaves
    case .cents, .absoluteCents: .cents
    case .seconds: .time
    case .milliseconds: .milliseconds
    case .percent, .equalPowerCrossfade: .percent
    case .degrees, .phase: .degrees
    case .meters: .metres
    case .boolean: .onOff
    default: .plain
    }
  }
}
