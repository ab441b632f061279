import AudioCore
import Glibc
import Measurement

/// Limits below and above a reference curve, in the curve's unit, over x; straight lines between points over log x.
package struct FrequencyMask: Sendable {
  package struct Corner: Sendable {
    let x: Double
    let lower: Double
    let upper: Double

    package init(x: Double, lower: Double, upper: Double) { (self.x, self.lower, self.upper) = (x, lower, upper) }
  }
  let corners: [Corner]

  private static let withinKey = JSONKey(
    optional: "within", JSONForm<Double>.number(.from(0)), "How far it may lie off, up and down, in the curve's unit.")
  private static let fromKey = JSONKey(
    optional: "from", JSONForm<Double>.number(.above(0), expected: "0 < from < to"), "Hertz; 20 where it is missing.")
  private static let toKey = JSONKey(
    optional: "to", JSONForm<Double>.number(.above(0), expected: "0 < from < to"),
    "Hertz; 0.45 of the rate where it is missing.")
  private static let maskKey = JSONKey(
    optional: "mask",
    JSONForm<[JSONValue]>([
      "type": "array", "minItems": 2,
      "items": [
        "type": "array", "minItems": 3, "maxItems": 3,
        "prefixItems": [["type": "number", "exclusiveMinimum": 0], ["type": "number"], ["type": "number"]],
      ],
    ]) { (object, key) throws(BenchError) in try object.list(key) },
    "Corners [hertz, lower, upper], hertz rising, limits relative to the other curve; straight lines over log hertz between."
  )

  static let keys: [any SchemaKey] = [withinKey, fromKey, toKey, maskKey]
  static let rules: [String: JSONValue] = ["oneOf": [.has("within"), .has("mask", without: ["from", "to"])]]

  /// Reads `"within": 0.01, "from": 20, "to": 20000`, or `"mask": [[hertz, lower, upper], …]`.
  init(_ object: inout JSONObject, sampleRate: Double) throws(BenchError) {
    let within = try object.take(Self.withinKey)
    let range = object.keys(among: ["from", "to"])
    let from = try object.take(Self.fromKey) ?? min(20, 0.1 * sampleRate)
    let to = try object.take(Self.toKey) ?? 0.45 * sampleRate
    guard from > 0, from < to else { throw object.error("from", "expected 0 < from < to, found \(from) and \(to)") }
    guard let list = try object.take(Self.maskKey) else {
      guard let within else {
        throw object.error("within", "how far the curve may lie off is missing", advice: "as \"within\": 0.01")
      }
      corners = [Corner(x: from, lower: -within, upper: within), Corner(x: to, lower: -within, upper: within)]
      return
    }
    guard within == nil else {
      throw object.error("mask", "\"mask\" and \"within\" each give limits", advice: "leave one of them out")
    }
    if let key = range.first { throw object.error(key, "a mask begins and ends with its own corners") }
    var corners: [Corner] = []
    for value in list {
      guard case .array(let numbers) = value, numbers.count == 3, case .number(let x) = numbers[0],
        case .number(let lower) = numbers[1], case .number(let upper) = numbers[2], x > 0, lower <= upper,
        corners.last.map({ $0.x < x }) ?? true
      else {
        throw object.error("mask", "a corner is [hertz, lower, upper], with hertz rising and lower at most upper")
      }
      corners.append(Corner(x: x, lower: lower, upper: upper))
    }
    guard corners.count >= 2 else { throw object.error("mask", "a mask has two corners at least") }
    self.corners = corners
  }

  /// - Parameter corners: two at least, x above 0 and rising, lower at most upper.
  package init(_ corners: [Corner]) {
    precondition(corners.count >= 2 && corners[0].x > 0 && corners.allSatisfy { $0.lower <= $0.upper })
    precondition(zip(corners, corners.dropFirst()).allSatisfy { $0.x < $1.x })
    self.corners = corners
  }

  var range: ClosedRange<Double> { corners[0].x...corners[corners.count - 1].x }

  func limits(at x: Double) -> (lower: Double, upper: Double)? {
    guard range.contains(x) else { return nil }
    let index = max(1, corners.partitioningIndex { $0.x >= x })
    let (a, b) = (corners[index - 1], corners[index])
    let part = log(x / a.x) / log(b.x / a.x)
    return (a.lower + (b.lower - a.lower) * part, a.upper + (b.upper - a.upper) * part)
  }

  func text(_ unit: Reading.Unit) -> String {
    let first = corners[0]
    let span = "from \(Self.hertz(range.lowerBound)) to \(Self.hertz(range.upperBound))"
    let isFlat = corners.allSatisfy { $0.lower == first.lower && $0.upper == first.upper }
    guard isFlat else { return "within its mask \(span)" }
    if first.lower == -first.upper { return "within ±\(first.upper) \(unit.rawValue) \(span)" }
    return "within \(Self.signed(first.lower)) to \(Self.signed(first.upper)) \(unit.rawValue) \(span)"
  }

  private static func signed(_ value: Double) -> String { value < 0 ? "−\(-value)" : "+\(value)" }

  static func hertz(_ value: Double) -> String {
    value >= 1000
      ? "\((value / 10).rounded() / 100) kHz" : "\((value * 10).rounded() / 10) Hz"
  }
}
