import AudioCore

/// Limits of one value, as a suite writes them: `value` with `within`, or `min`, `max` or both.
package struct ValueLimits: Sendable {
  package let least: Double?
  package let most: Double?
  /// True when they were written as a value and a distance, of which one side may lie beyond what is possible.
  let isAround: Bool

  package init(least: Double?, most: Double?, isAround: Bool = false) {
    (self.least, self.most, self.isAround) = (least, most, isAround)
  }

  private static let valueKey = JSONKey(optional: "value", JSONForm<Double>.number(), "What it is to be; with within.")
  private static let withinKey = JSONKey(
    optional: "within", JSONForm<Double>.number(.from(0)), "How far it may lie off value.")
  private static let leastKey = JSONKey(optional: "min", JSONForm<Double>.number(), "What it is at least.")
  private static let mostKey = JSONKey(optional: "max", JSONForm<Double>.number(), "What it is at most.")

  static let keys: [any SchemaKey] = [valueKey, withinKey, leastKey, mostKey]
  static let rules: [String: JSONValue] = [
    "anyOf": [
      .has("value", "within", without: ["min", "max"]), .has("min", without: ["value", "within"]),
      .has("max", without: ["value", "within"]),
    ]
  ]

  func hold(_ value: Double) -> Bool {
    !value.isNaN && least.map { value >= $0 } ?? true && most.map { value <= $0 } ?? true
  }

  /// True when a value of the range would exceed them: on each side that was written by itself.
  func canFail(in range: ClosedRange<Float>) -> Bool {
    let sides = [least.map { $0 > Double(range.lowerBound) }, most.map { $0 < Double(range.upperBound) }]
      .compactMap(\.self)
    return isAround ? sides.contains(true) : !sides.contains(false)
  }

  /// `-3 to 3`, or the one that there is.
  var numbers: String { [least, most].compactMap(\.self).map { NumberText.significant($0) }.joined(separator: " to ") }

  var text: String {
    switch (least, most) {
    case (_?, _?): "from \(numbers)"
    case (_?, nil): "at least \(numbers)"
    default: "at most \(numbers)"
    }
  }
}

extension ValueLimits {
  init(_ object: inout JSONObject) throws(BenchError) {
    let within = try object.take(Self.withinKey)
    if let target = try object.take(Self.valueKey) {
      guard let within else { throw object.error("within", "\"value\" needs \"within\", 0 or more") }
      (least, most, isAround) = (target - within, target + within, true)
      // Known, where the keys are listed.
      for key in ["min", "max"] where object.take(key) != nil {
        throw object.error(key, "\"value\" and \"within\" are limits already")
      }
    } else {
      guard within == nil else { throw object.error("value", "\"within\" needs \"value\"") }
      (least, most, isAround) = (try object.take(Self.leastKey), try object.take(Self.mostKey), false)
    }
    if let least, let most, least > most { throw object.error("max", "\(most) is below \"min\", \(least)") }
    guard least != nil || most != nil else {
      throw object.error("max", "no limit is given", advice: "as \"max\": -100, or \"value\": 0, \"within\": 0.1")
    }
  }
}
