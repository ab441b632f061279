import AudioCore
import AudioEngine

/// The name of a parameter in graph files and on the command line: `volume@input:2`, `gain@band:0`, `cutoffFrequency`.
public struct ParameterName: Hashable, Sendable {
  /// The parameter alone, without what stands behind `@`: `volume`, `gain`.
  public let name: String
  /// `global`, `input`, `output`, or a group of the unit's own: `band` of an N-band equalizer.
  public let scope: String
  /// The bus of a scope, or the member of a group; 0 or more, 0 where none is written.
  public let element: Int
  /// The column of a group in the form of a table: `volume@crosspoint:2,0` is row 2 and column 0. Nil for all others.
  public let column: Int?

  /// - Throws: `.usage` for a text that is not `name` or `name@scope` or `name@scope:element`.
  public init(_ text: String) throws(BenchError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let target = (parts.count == 2 ? parts[1] : "global").split(separator: ":", omittingEmptySubsequences: false)
    let places = (target.count == 2 ? target[1] : "0").split(separator: ",", omittingEmptySubsequences: false).map {
      Int($0)
    }
    let element = places.first ?? nil
    let column = places.count == 2 ? places[1] : 0
    guard parts.count <= 2, !parts[0].isEmpty, target.count <= 2, !target[0].isEmpty, let element, element >= 0,
      places.count <= 2, let column, column >= 0
    else {
      throw BenchError(
        .usage, at: "parameter \"\(excerpt(text))\"", "a parameter is written name@scope:element",
        advice: "as volume@input:2")
    }
    name = String(parts[0])
    scope = String(target[0])
    self.element = element
    self.column = places.count == 2 ? column : nil
  }

  private var place: String { "parameter \"\(excerpt(description))\"" }

  /// Has a unit that is not connected yet count on the parameter's element.
  func makeRoom(in unit: Unit) {
    (unit as? any GraphFileUnit)?.makeRoom(forElement: element, column: column, of: scope)
  }

  /// The address of the parameter in a unit.
  /// - Throws: `.graph` where the unit has none of that name, scope or element, with what it has.
  public func address(in unit: Unit) throws(BenchError) -> ParameterAddress {
    let groups = unit.parameterGroups
    if let group = groups.first(where: { $0.name == scope }) { return try address(in: group) }
    guard column == nil else {
      throw BenchError(
        .graph, at: place, "\"\(excerpt(scope))\" has no columns", advice: "write \(name)@\(scope):\(element)")
    }
    guard let scope = Scope(name: scope) else {
      throw BenchError(
        .graph, at: place, "there is no scope \"\(excerpt(self.scope))\"",
        advice: "choose from " + (["global", "input", "output"] + groups.map(\.name)).joined(separator: ", "))
    }
    let rows = unit.allParameters
    if let row = rows.first(where: {
      $0.descriptor.name == name && $0.address.scope == scope && $0.address.element == element
    }) {
      return row.address
    }
    let sameName = rows.filter { $0.descriptor.name == name }
    if let first = sameName.first {
      if sameName.contains(where: { $0.address.scope == scope }) {
        let last = sameName.filter { $0.address.scope == scope }.map(\.address.element).max() ?? 0
        // The elements of a matrix mixer's levels are channels.
        let place = last + 1 == unit.elementCount(scope) ? "bus" : "element"
        throw BenchError(
          .graph, at: self.place,
          "no \(scope.name) \(place) \(element): the unit has \(scope.name) \(place == "bus" ? "buses" : "elements") 0 to "
            + "\(last)")
      }
      throw BenchError(
        .graph, at: place, "the parameter is not on this scope",
        advice: "write \(name)@\(first.address.scope.name):0")
    }
    var names: [String] = []
    for row in rows where !names.contains(row.descriptor.name) { names.append(row.descriptor.name) }
    let near = nearest(to: name, in: names)
    throw BenchError(
      .graph, at: place, "\(unit.component.shortName) has no such parameter",
      advice: Self.advice(near: near, names: names))
  }

  /// As ``address(in:)``, for a name that stands at some place of a file.
  func address(in unit: Unit, at place: String) throws(BenchError) -> ParameterAddress {
    do throws(BenchError) { return try address(in: unit) } catch { throw error.inside(place) }
  }

  private static func advice(near: [String], names: [String]) -> String {
    guard !names.isEmpty else { return "it has none" }
    let all = "it has " + names.prefix(12).joined(separator: ", ")
    guard !near.isEmpty else { return all }
    return "did you mean \(near.joined(separator: " or "))?" + (names.count <= 6 ? " \(all)" : "")
  }

  private func address(in group: ParameterGroup) throws(BenchError) -> ParameterAddress {
    guard let parameter = group.parameters.first(where: { $0.name == name }) else {
      throw BenchError(
        .graph, at: place, "a \(group.name) has no such parameter",
        advice: "it has " + group.parameters.map(\.name).joined(separator: ", "))
    }
    guard let columns = group.columns else {
      guard column == nil, element < group.count else {
        let member = column.map { "\(element),\($0)" } ?? "\(element)"
        throw BenchError(.graph, at: place, "no \(group.name) \(member): the unit has \(group.count) \(group.name)s")
      }
      return parameter.address(element)
    }
    let rows = columns > 0 ? group.count / columns : 0
    guard let column, element < rows, column < columns else {
      throw BenchError(
        .graph, at: place,
        column == nil
          ? "a \(group.name) has a row and a column"
          : "the unit has \(NumberText.count(rows, "row")) of \(columns) \(group.name)s",
        advice: "write \(name)@\(group.name):0,0")
    }
    return parameter.address(element * columns + column)
  }
}

extension ParameterName: CustomStringConvertible {
  /// As it is written: `name` on global element 0, `name@scope:element` everywhere else.
  public var description: String {
    let member = column.map { "\(element),\($0)" } ?? "\(element)"
    return scope == "global" && member == "0" ? name : "\(name)@\(scope):\(member)"
  }
}
