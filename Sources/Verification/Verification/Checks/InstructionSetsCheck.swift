import AudioCore
import DSPKernels
import GraphMeasurement
import Measurement

/// The output is the same with every instruction set that the kernels are built for and the machine has.
///
/// ```json
/// {
///   "id": "instructionSets",
///   "device": { "unit": "nBandEQ" },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "instructionSets" }]
/// }
/// ```
struct InstructionSetsCheck: SuiteCheck {
  var id = "instructionSets"

  static let kind = CheckKind(
    "instructionSets", "The output is the same with every instruction set of the machine. Skipped for commands.")

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {}

  func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let expected = "the same bits with \(InstructionSet.available.map(\.rawValue).joined(separator: ", "))"
    guard let graph = context.device as? any GraphBacked else {
      return CheckOutcome(id, .skipped, found: "the device is not rendered by this process", expected: expected)
    }
    let usual = InstructionSet.active
    let others = InstructionSet.available.filter { $0 != usual }
    guard !others.isEmpty else {
      return CheckOutcome(id, .skipped, found: "this machine has \(usual.rawValue) only", expected: expected)
    }
    let output = try context.output()
    defer { InstructionSet.use(usual) }
    for set in others {
      InstructionSet.use(set)
      let session = try graph.session()
      let other = try graph.processed(by: session, try context.input(), partition: RenderPartition())
      let how = "\(set.rawValue) sounds different: "
      guard let outcome = context.difference(id, other, from: output, how: how, expected: expected) else { continue }
      context.expected = output
      let changed = try NodeDigests(of: context, frames: output.frameCount)
      InstructionSet.use(usual)
      context.firstDifferentNode = changed.firstDifferent(
        from: try NodeDigests(of: context, frames: output.frameCount).nodes)
      return outcome
    }
    return CheckOutcome(id, .passed, found: "the same bits", expected: expected)
      .examining(output, renders: others.count)
  }
}
