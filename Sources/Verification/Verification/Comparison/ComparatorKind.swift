import AudioCore

/// A limit that people write, under one name: `--peak -90` on the command line, `"peak": -90` in a suite.
package struct ComparisonLimit: Sendable {
  package enum Form: Sendable {
    /// On or off.
    case flag
    /// A whole number from 0 on.
    case count(expected: String, below: Double)
    /// A number; `expected` says which one, for errors.
    case number(Quantity.Kind, expected: String, in: NumberRange = .all)
    /// The largest that passes either way, from 0 on; "any" is no limit.
    case bound(Quantity.Kind, expected: String, below: Double? = nil)
  }

  package let name: String
  /// The placeholder for the value in help texts: `DB`.
  package let placeholder: String
  package let form: Form
  /// In one line.
  package let meaning: String
  /// The default value; nil: no limit.
  package let initial: Double?
  /// A remark on the option, for help texts.
  package let optionRemark: String?
  /// The object of a suite in which it stands. A command line has no objects: there it needs the flag of that name.
  package let group: String?
  /// Only suites have it: a command line says the same by another limit.
  package let isInSuitesOnly: Bool
  /// Names of former versions that are read still: an option's, and a suite's key.
  package let formerOption: String?
  package let formerKey: String?

  init(
    _ name: String, _ placeholder: String, _ form: Form, _ meaning: String, initial: Double? = nil,
    optionRemark: String? = nil, in group: String? = nil, isInSuitesOnly: Bool = false, formerOption: String? = nil,
    formerKey: String? = nil
  ) {
    self.name = name
    self.placeholder = placeholder
    self.form = form
    self.meaning = meaning
    self.initial = initial
    self.optionRemark = optionRemark
    self.group = group
    self.isInSuitesOnly = isInSuitesOnly
    self.formerOption = formerOption
    self.formerKey = formerKey
  }

  init(
    flag name: String, _ meaning: String, optionRemark: String? = nil, in group: String? = nil, formerKey: String? = nil
  ) {
    self.init(name, "", .flag, meaning, optionRemark: optionRemark, in: group, formerKey: formerKey)
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

/// A kind of comparator: the limits that ask for it, and how it is made of them. Each stands in the file of its
/// comparator.
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
  private static let all = ComparatorKind.all.flatMap(\.limits)

  /// Takes the limits out of a check of a suite.
  package init(_ object: inout JSONObject) throws(BenchError) {
    self.init(isFlat: false)
    for limit in Self.all where limit.group == nil {
      let inner = Self.all.filter { $0.group == limit.name }
      guard !inner.isEmpty else {
        self[limit.name] = try limit.take(&object)
        continue
      }
      guard var group = try object.object(limit.name) else { continue }
      self[limit.name] = 1
      for limit in inner { self[limit.name] = try limit.take(&group) }
      try group.finish()
    }
  }

  // MARK: Schema

  /// Those of a check that compares; the schema has their definitions in one place.
  static let keys: [any SchemaKey] = all.filter { $0.group == nil }.map { limit in
    JSONKey(optional: limit.name, .any(["$ref": .string("#/$defs/comparators/properties/\(limit.name)")]))
  }

  /// The JSON schema of the limits, by their definitions.
  static var schema: [String: JSONValue] {
    .schema("How far samples may differ. Bit for bit where none is given.", of: all.filter { $0.group == nil }.map(key))
  }

  private static func key(_ limit: ComparisonLimit) -> any SchemaKey {
    let inner = all.filter { $0.group == limit.name }
    guard !inner.isEmpty else { return limit.key }
    let former = inner.compactMap { limit in
      limit.formerKey.map { JSONKey(optional: $0, limit.form.written, "The former name of \(limit.name).") }
    }
    return JSONKey(optional: limit.name, .any(.schema(limit.meaning, of: inner.map(\.key) + former)))
  }
}

extension ComparisonLimit {
  /// As a key of a suite.
  fileprivate var key: JSONKey<Double?> {
    JSONKey(optional: name, form.written, meaning, initial: initial)
  }

  /// Takes the value from a suite's object, under its name or its former one.
  fileprivate func take(_ object: inout JSONObject) throws(BenchError) -> Double? {
    var written: Double?
    for name in [name, formerKey].compactMap(\.self) { written = try form.written.take(&object, name) ?? written }
    return written
  }
}

extension ComparisonLimit.Form {
  /// The JSON form of the limit in a suite; a flag that is off counts as not written.
  fileprivate var written: JSONForm<Double> {
    switch self {
    case .flag:
      JSONForm(JSONForm<Bool>.boolean.schema) { (object, key) throws(BenchError) in
        try object.bool(key) ?? false ? 1 : nil
      }
    case .count(let expected, let most):
      JSONForm(JSONForm<Int64>.integer(in: 0...Int64(clamping: most) - 1).schema) { (object, key) throws(BenchError) in
        guard let number = try object.number(key) else { return nil }
        guard number >= 0, number < most, number == number.rounded() else {
          throw object.error(key, "expected \(expected), found \(number)")
        }
        return number
      }
    case .number(_, let expected, let range): .number(range, expected: expected)
    case .bound(_, let expected, let most):
      .number(
        most.map { .from(0, below: $0) } ?? .from(0),
        expected: "\(expected) from 0 on" + (most.map { " and below \(NumberText.short($0))" } ?? ""))
    }
  }
}
