import AudioCore
import BatchRender
import Measurement

/// Reads checks of a suite: each kind by its name.
package struct CheckReader {
  package let folder: String
  /// Hertz, of the case.
  package let sampleRate: Double

  private typealias Maker = @Sendable (inout JSONObject, CheckReader) throws(BenchError) -> any Check

  /// The kinds, by name, in the order in which help and documents list them.
  private static let kinds: [(name: String, make: Maker)] = [
    ("golden", { (object, reader) throws(BenchError) in try GoldenCheck(&object, reader) }),
    ("response", { (object, reader) throws(BenchError) in try ResponseCheck(&object, reader) }),
    ("measure", { (object, reader) throws(BenchError) in try MeasureCheck(&object, reader) }),
    ("sameAs", { (object, reader) throws(BenchError) in try SameAsCheck(&object, reader) }),
    ("slices", { (object, reader) throws(BenchError) in try SlicesCheck(&object, reader) }),
    ("reset", { (object, reader) throws(BenchError) in try ResetCheck(&object, reader) }),
    ("order", { (object, reader) throws(BenchError) in try OrderCheck(&object, reader) }),
    ("silence", { (object, reader) throws(BenchError) in try SilenceCheck(&object, reader) }),
    ("parameter", { (object, reader) throws(BenchError) in try ParameterCheck(&object, reader) }),
    ("instructionSets", { (object, reader) throws(BenchError) in try InstructionSetsCheck(&object, reader) }),
    ("fails", { (object, reader) throws(BenchError) in try FailsCheck(&object, reader) }),
    ("length", { (object, reader) throws(BenchError) in try LengthCheck(&object, reader) }),
  ]

  package static var names: [String] { kinds.map(\.name) }

  package func check(_ object: inout JSONObject) throws(BenchError) -> any Check {
    let name = try object.requiredString("check")
    let wantedID = try object.string("id")
    guard let kind = Self.kinds.first(where: { $0.name == name }) else {
      throw object.error(
        "check", "there is no check \"\(excerpt(name))\"", advice: "choose from \(Self.names.joined(separator: ", "))")
    }
    var check = try kind.make(&object, self)
    if let wantedID { check.id = wantedID }
    return check
  }

  /// The comparators that a check names; bit for bit where it names none.
  package func comparators(_ object: inout JSONObject) throws(BenchError) -> [any SignalComparator] {
    ComparatorKind.comparators(try ComparisonLimits(&object))
  }
}
