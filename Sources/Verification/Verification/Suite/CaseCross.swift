import AudioCore
import BatchRender
import UnitLaws

/// Cases that are drawn from seeds: `"cross": {"units": ["delay"], "seeds": [1, 40]}` makes 40, each a unit with what
/// surrounds it, held to the unit's law.
enum CaseCross {
  private static let most = 10_000

  /// - Parameter name: the only case to draw; nil: all.
  static func expand(_ value: JSONValue, at place: String, drawing name: String?) throws(BenchError) -> [JSONValue] {
    guard value["cross"] != .null else { return [value] }
    var object = try JSONObject(value, at: place, kind: .suite)
    _ = try object.string("about")
    let limits = object.take("limits")
    guard var cross = try object.object("cross") else { return [value] }
    try object.finish()
    let names = try DeviceReading.texts(try cross.list("units") ?? [], of: "units", cross)
    for name in names where !UnitCross.units.contains(name) {
      throw cross.error(
        "units", "there is no law of \"\(excerpt(name))\"",
        advice: "choose from \(UnitCross.units.joined(separator: ", "))")
    }
    guard let (first, last) = range(cross.take("seeds")) else {
      throw cross.error("seeds", "expected the first and the last seed, whole numbers from 0 on", advice: "as [1, 40]")
    }
    try cross.finish()
    let units = names.isEmpty ? UnitCross.units : names
    guard (last - first + 1) * units.count <= most else {
      throw cross.error("seeds", "they make more than \(most) cases")
    }
    return units.flatMap { unit in
      (first...last).compactMap { seed in
        if let name, name != "\(unit)-\(seed)" { return nil }
        return UnitCross.testCase(unit: unit, seed: seed).map { made in
          var testCase = JSONValue(made)
          testCase["limits"] = limits ?? .null
          if limits == nil, case .object(var members) = testCase {
            members["limits"] = nil
            testCase = .object(members)
          }
          return testCase
        }
      }
    }
  }

  private static func range(_ value: JSONValue?) -> (first: Int, last: Int)? {
    guard case .array(let list)? = value, list.count == 2, case .number(let low) = list[0],
      case .number(let high) = list[1], let first = Int(exactly: low), let last = Int(exactly: high),
      (0...last).contains(first), last <= 1_000_000_000
    else { return nil }
    return (first, last)
  }
}
