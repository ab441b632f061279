import AudioCore

/// A check that suites can ask for.
package protocol SuiteCheck: Check {
  static var kind: CheckKind { get }
  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError)
}

/// The name of a kind of check in suites, and its keys, which reader and schema use.
package struct CheckKind: Sendable {
  package let name: String
  /// In one sentence.
  package let meaning: String
  package let keys: [any SchemaKey]
  /// Keys of a JSON schema: which of the check's keys go with which.
  let rules: [String: JSONValue]

  init(_ name: String, _ meaning: String, keys: [any SchemaKey] = [], rules: [String: JSONValue] = [:]) {
    (self.name, self.meaning, self.keys, self.rules) = (name, meaning, keys, rules)
  }
}

/// Reads checks of a suite: each kind by its name.
package struct CheckReader {
  /// Hertz, of the case.
  let sampleRate: Double

  package init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// In the order in which help and documents list them.
  private static let types = [
    CheckType(GoldenCheck.self), CheckType(ResponseCheck.self), CheckType(MeasureCheck.self),
    CheckType(SameAsCheck.self), CheckType(SlicesCheck.self), CheckType(ResetCheck.self), CheckType(OrderCheck.self),
    CheckType(SilenceCheck.self), CheckType(ParameterCheck.self), CheckType(InstructionSetsCheck.self),
    CheckType(FailsCheck.self), CheckType(LengthCheck.self), CheckType(LawCheck.self),
  ]

  /// A type of checks. Not the type itself: the compiler crashes where an initializer that throws one type of error is
  /// called on a type that is known only when it runs.
  private struct CheckType: Sendable {
    let kind: CheckKind
    let make: @Sendable (inout JSONObject, CheckReader) throws(BenchError) -> any Check

    init<Type: SuiteCheck>(_ type: Type.Type) {
      kind = type.kind
      make = { (object, reader) throws(BenchError) in try type.init(&object, reader) }
    }
  }

  package static var kinds: [CheckKind] { types.map(\.kind) }

  static let idKey = JSONKey(
    optional: "id", JSONForm<String>.text, "What reports call the check; its kind where it is missing.")

  /// Reads a check; an object with keys left over is an error.
  package func check(_ object: JSONObject) throws(BenchError) -> any Check {
    var object = object
    let name = try object.requiredString("check")
    let wantedID = try object.take(Self.idKey)
    guard let type = Self.types.first(where: { $0.kind.name == name }) else {
      throw object.error(
        "check", "there is no check \"\(excerpt(name))\"",
        advice: "choose from \(Self.kinds.map(\.name).joined(separator: ", "))")
    }
    var check = try type.make(&object, self)
    try object.finish()
    if let wantedID { check.id = wantedID }
    return check
  }
}
