import AudioCore
import BatchRender

/// Cases written once for several values: `"matrix": {"f": [100, 1000]}` makes two, in which `{f}` is replaced by a
/// value. A list of such objects makes the cases of each: for combinations that are not all of them.
enum CaseMatrix {
  private static let most = 10_000
  /// Words in braces that command lines use already.
  private static let taken: Set<String> = ["in", "out", "aubench"]

  static func expand(_ value: JSONValue, at place: String) throws(BenchError) -> [JSONValue] {
    guard case .object(var object) = value, let matrix = object.removeValue(forKey: "matrix") else { return [value] }
    let rows: [(axes: JSONValue, place: String)]
    if case .array(let list) = matrix {
      rows = list.enumerated().map { ($1, "\(place), key \"matrix\", row \($0)") }
    } else {
      rows = [(matrix, "\(place), key \"matrix\"")]
    }
    var settings: [[String: JSONValue]] = []
    var names: Set<String>?
    for row in rows {
      guard case .object(let axes) = row.axes, !axes.isEmpty else {
        throw BenchError(
          .suite, at: row.place,
          "expected an object of lists, found \(row.axes == .object([:]) ? "an empty one" : row.axes.kind)")
      }
      let known = names ?? Set(axes.keys)
      names = known
      guard known == Set(axes.keys) else {
        throw BenchError(
          .suite, at: row.place,
          "the first row has values of \(known.sorted().joined(separator: ", ")), this one of "
            + axes.keys.sorted().joined(separator: ", "))
      }
      settings += try combinations(axes, at: row.place, isRow: matrix != row.axes)
      guard settings.count <= most else {
        throw BenchError(.suite, at: "\(place), key \"matrix\"", "it makes more than \(most) cases")
      }
    }
    guard !settings.isEmpty else {
      throw BenchError(.suite, at: "\(place), key \"matrix\"", "expected an object of lists, found an empty list")
    }
    return settings.map { replaced(.object(object), by: $0) }
  }

  /// All combinations of the values of some names. In a row, a value that is no list is taken as one value.
  private static func combinations(
    _ axes: [String: JSONValue], at place: String, isRow: Bool
  ) throws(BenchError) -> [[String: JSONValue]] {
    var settings: [[String: JSONValue]] = [[:]]
    for (name, list) in axes.sorted(by: { $0.key < $1.key }) {
      guard !name.isEmpty, !taken.contains(name) else {
        throw BenchError(
          .suite, at: place, "\"\(excerpt(name))\" is no name for values: {in} and {out} are a command's files")
      }
      let values: [JSONValue]
      switch list {
      case .array(let written) where !written.isEmpty: values = written
      case .number, .string, .bool, .object:
        guard isRow else { fallthrough }
        values = [list]
      default:
        throw BenchError(
          .suite, at: "\(place), \"\(excerpt(name))\"",
          "expected a list of values, found \(list == .array([]) ? "an empty one" : list.kind)")
      }
      guard settings.count * values.count <= most else {
        throw BenchError(.suite, at: place, "it makes more than \(most) cases")
      }
      settings = settings.flatMap { setting in
        values.map { value in setting.merging([name: value]) { $1 } }
      }
    }
    return settings
  }

  /// A text that is only `{name}` becomes the value itself; inside a text it becomes its text.
  private static func replaced(_ value: JSONValue, by setting: [String: JSONValue]) -> JSONValue {
    switch value {
    case .string(var text):
      for (name, value) in setting.sorted(by: { $0.key < $1.key }) {
        if text == "{\(name)}" { return value }
        guard text.contains("{\(name)}") else { continue }
        text = text.replacing("{\(name)}", with: plain(value))
      }
      return .string(text)
    case .array(let list): return .array(list.map { replaced($0, by: setting) })
    case .object(let object): return .object(object.mapValues { replaced($0, by: setting) })
    default: return value
    }
  }

  private static func plain(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    return value.text
  }
}
