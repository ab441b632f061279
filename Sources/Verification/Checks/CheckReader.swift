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
    var comparators: [any SignalComparator] = []
    if let exact = try object.bool("exact"), exact { comparators.append(ExactComparator()) }
    if let ulps = try object.integer("ulps", in: 0...(1 << 32)) { comparators.append(UlpComparator(limit: ulps)) }
    let (peak, rms, relative) = (try object.number("peak"), try object.number("rms"), try object.number("relative"))
    let window = try object.number("window")
    if peak != nil || rms != nil || relative != nil {
      comparators.append(
        ResidualComparator(
          peakLimit: peak, rmsLimit: rms, relativeLimit: relative,
          window: window ?? ResidualComparator.defaultWindow))
    }
    if var align = try object.object("align") {
      // Delay and gain are found, reported and held to limits of their own; what is left is the null.
      var aligned = AlignedNullComparator()
      if let delay = try align.number("delay") { aligned.delayLimit = delay }
      if let gain = try align.number("gain") { aligned.gainLimit = gain }
      if let inversion = try align.bool("inversion") { aligned.allowsInversion = inversion }
      if let null = try align.number("null") {
        guard null < 0 else {
          throw align.error("null", "what is left lies below the signal itself: below 0 dB, found \(null)")
        }
        aligned.nullLimit = null
      }
      if let drift = try align.number("drift") { aligned.driftLimit = drift }
      try align.finish()
      comparators.append(aligned)
    }
    if let bands = try object.number("bands") { comparators.append(BandComparator(limit: bands)) }
    if let spectrum = try object.number("spectrum") { comparators.append(MultiResolutionComparator(limit: spectrum)) }
    if let loudness = try object.number("loudness") {
      guard loudness < 100 else {
        throw object.error("loudness", "no two signals are \(loudness) LU apart", advice: "as \"loudness\": 0.1")
      }
      comparators.append(LoudnessComparator(limit: loudness))
    }
    return comparators
  }
}
