import AudioCore

/// The parameter that `bench --vary KEY=V1,V2,...` changes from case to case.
struct BenchVariation {
  enum Key: Hashable {
    case slice
    case threads
    case rate
    case seconds
    /// For units only: channels of the noise, inputs that it is played into, bands, and number of units in a row.
    case channels
    case buses
    case bands
    case nodes
    /// A parameter or preset of a node, as `--set` has it.
    case setting(String)
    /// `{KEY}` in the subjects, in a unit's keys, or in a command's words.
    case text(String)
  }

  let key: Key
  /// As it was written.
  let name: String
  let values: [String]

  static let keysOfAll = "slice, threads, rate, seconds"
  static let keysOfUnits = "channels, buses, bands, nodes"

  init?(_ arguments: Arguments) throws(BenchError) {
    guard let text = arguments[.benchVary] else { return nil }
    let (name, values) = try Arguments.variation(text, .benchVary)
    (self.name, self.values) = (name, values)
    if (arguments.operands + arguments.all(.benchKeys)).contains(where: { $0.contains("{\(name)}") }) {
      key = .text(name)
      return
    }
    switch name {
    case "slice": key = .slice
    case "threads": key = .threads
    case "rate": key = .rate
    case "seconds": key = .seconds
    case "channels": key = .channels
    case "buses": key = .buses
    case "bands": key = .bands
    case "nodes": key = .nodes
    default:
      guard name.contains(".") else {
        throw Arguments.error(
          .benchVary,
          "\"\(name)\" is none of \(Self.keysOfAll), \(Self.keysOfUnits), a NODE.PARAM, or a {\(name)} in the subject or in --keys"
        )
      }
      key = .setting(name)
    }
  }

  /// The number of a value, if all values are numbers above 0.
  func number(_ value: String) -> Double? {
    let numbers = values.compactMap(Double.init)
    guard numbers.count == values.count, numbers.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    return Double(value)
  }

  func integer(_ value: String, in range: ClosedRange<Int>) throws(BenchError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw Arguments.error(
        .benchVary, "\"\(value)\" is no number of \(name) from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func positive(_ value: String, below limit: Double) throws(BenchError) -> Double {
    guard let number = Double(value), number > 0, number <= limit else {
      throw Arguments.error(.benchVary, "\"\(value)\" is no number above 0 and up to \(NumberText.short(limit))")
    }
    return number
  }
}
