/// The numbers that may be written somewhere: as an error names them, and as a schema does.
package struct NumberRange: Sendable {
  private struct Bound {
    let value: Double
    /// True when the bound itself is in the range.
    let isIncluded: Bool
  }
  private let lower: Bound?
  private let upper: Bound?

  private init(_ lower: Bound?, _ upper: Bound?) { (self.lower, self.upper) = (lower, upper) }

  /// Every finite number.
  package static let all = NumberRange(nil, nil)

  package static func above(_ least: Double, upTo most: Double? = nil) -> NumberRange {
    NumberRange(Bound(value: least, isIncluded: false), most.map { Bound(value: $0, isIncluded: true) })
  }
  package static func from(_ least: Double, upTo most: Double? = nil) -> NumberRange {
    NumberRange(Bound(value: least, isIncluded: true), most.map { Bound(value: $0, isIncluded: true) })
  }
  package static func from(_ least: Double, below most: Double) -> NumberRange {
    NumberRange(Bound(value: least, isIncluded: true), Bound(value: most, isIncluded: false))
  }
  package static func above(_ least: Double, below most: Double) -> NumberRange {
    NumberRange(Bound(value: least, isIncluded: false), Bound(value: most, isIncluded: false))
  }
  package static func below(_ most: Double) -> NumberRange { NumberRange(nil, Bound(value: most, isIncluded: false)) }
  package static func upTo(_ most: Double) -> NumberRange { NumberRange(nil, Bound(value: most, isIncluded: true)) }

  package func contains(_ number: Double) -> Bool {
    let isHigh = lower.map { $0.isIncluded ? number >= $0.value : number > $0.value } ?? true
    let isLow = upper.map { $0.isIncluded ? number <= $0.value : number < $0.value } ?? true
    return isHigh && isLow && number.isFinite
  }

  /// In words: `above 0 and up to 3600`.
  package var text: String {
    let least = lower.map { ($0.isIncluded ? "from " : "above ") + NumberText.short($0.value) }
    let most = upper.map { ($0.isIncluded ? "up to " : "below ") + NumberText.short($0.value) }
    let isOpen = upper == nil && lower?.isIncluded ?? false
    return [least, most].compactMap(\.self).joined(separator: " and ") + (isOpen ? " on" : "")
  }

  /// The keys of a JSON schema.
  package var schema: [String: JSONValue] {
    var keys: [String: JSONValue] = [:]
    if let lower { keys[lower.isIncluded ? "minimum" : "exclusiveMinimum"] = .number(lower.value) }
    if let upper { keys[upper.isIncluded ? "maximum" : "exclusiveMaximum"] = .number(upper.value) }
    return keys
  }
}
