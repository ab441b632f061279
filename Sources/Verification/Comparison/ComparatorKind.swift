import AudioCore

/// A limit that people write, under one name: `--peak -90` on the command line, `"peak": -90` in a suite.
package struct ComparisonLimit: Sendable {
  package enum Form: Sendable {
    /// On or off.
    case flag
    /// A whole number from 0 on.
    case count(expected: String)
    /// A number; `expected` says which one, for errors.
    case number(Quantity.Kind, expected: String, isValid: @Sendable (Double) -> Bool = { _ in true })
    /// The largest that passes either way, from 0 on; "any" is no limit.
    case bound(Quantity.Kind, expected: String)
  }

  package let name: String
  /// What help writes for the value: `DB`.
  package let placeholder: String
  package let form: Form
  /// In one line.
  package let meaning: String
  /// The object of a suite in which it stands. A command line has no objects: there it needs the flag of that name.
  package let group: String?
  /// Only suites have it: a command line says the same by another limit.
  package let isInSuitesOnly: Bool
  /// Names of former versions that are read still: an option's, and a suite's key.
  package let formerOption: String?
  package let formerKey: String?

  init(
    _ name: String, _ placeholder: String, _ form: Form, _ meaning: String, in group: String? = nil,
    isInSuitesOnly: Bool = false, formerOption: String? = nil, formerKey: String? = nil
  ) {
    self.name = name
    self.placeholder = placeholder
    self.form = form
    self.meaning = meaning
    self.group = group
    self.isInSuitesOnly = isInSuitesOnly
    self.formerOption = formerOption
    self.formerKey = formerKey
  }

  init(flag name: String, _ meaning: String, in group: String? = nil, formerKey: String? = nil) {
    self.init(name, "", .flag, meaning, in: group, formerKey: formerKey)
  }
}

/// The limits of one comparison, as they were written.
package struct ComparisonLimits: Sendable {
  private var values: [String: Double] = [:]
  /// A command line: what is left behind an alignment has the limits that stand beside it.
  package let isFlat: Bool

  package init(isFlat: Bool) { self.isFlat = isFlat }

  /// Flags that are on are 1; nil: not written.
  package subscript(_ name: String) -> Double? {
    get { values[name] }
    set { values[name] = newValue }
  }

  package func has(_ name: String) -> Bool { values[name] != nil }
}

/// A kind of comparator: the limits that ask for it, and how it is made of them. Each stands in the file of its comparator.
package struct ComparatorKind: Sendable {
  package let limits: [ComparisonLimit]
  /// Nil where none of its limits was written.
  package let make: @Sendable (ComparisonLimits) -> (any SignalComparator)?

  init(_ limits: [ComparisonLimit], make: @escaping @Sendable (ComparisonLimits) -> (any SignalComparator)?) {
    self.limits = limits
    self.make = make
  }

  /// In the order in which help lists them and outcomes tell of them.
  package static let all: [ComparatorKind] = [
    .exact, .ulps, .residual, .alignedNull, .bands, .spectrum, .loudness,
  ]

  /// The comparators that some limits ask for.
  package static func comparators(_ limits: ComparisonLimits) -> [any SignalComparator] {
    all.compactMap { $0.make(limits) }
  }
}

extension ComparisonLimits {
  /// Takes the limits out of a check of a suite.
  package init(_ object: inout JSONObject) throws(BenchError) {
    self.init(isFlat: false)
    let limits = ComparatorKind.all.flatMap(\.limits)
    for limit in limits where limit.group == nil {
      if limits.contains(where: { $0.group == limit.name }) {
        guard var group = try object.object(limit.name) else { continue }
        self[limit.name] = 1
        for inner in limits where inner.group == limit.name { try take(inner, from: &group) }
        try group.finish()
      } else {
        try take(limit, from: &object)
      }
    }
  }

  private mutating func take(_ limit: ComparisonLimit, from object: inout JSONObject) throws(BenchError) {
    for name in [limit.name, limit.formerKey].compactMap(\.self) {
      switch limit.form {
      case .flag: if try object.bool(name) ?? false { self[limit.name] = 1 }
      case .count: if let count = try object.integer(name, in: 0...(1 << 32)) { self[limit.name] = Double(count) }
      case .number(_, let expected, let isValid):
        guard let number = try object.number(name) else { continue }
        guard isValid(number) else { throw object.error(name, "expected \(expected), found \(number)") }
        self[limit.name] = number
      case .bound(_, let expected):
        guard let number = try object.number(name) else { continue }
        guard number >= 0 else { throw object.error(name, "expected \(expected) from 0 on, found \(number)") }
        self[limit.name] = number
      }
    }
  }
}
