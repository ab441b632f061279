import AudioCore
import Measurement

/// The device is refused, or cannot render: with an error that says what it has to say.
///
/// ```json
/// {
///   "id": "fails",
///   "device": { "command": ["sh", "-c", "echo 'no such effect' >&2; exit 2", "{in}", "{out}"] },
///   "checks": [{ "check": "fails", "says": ["no such effect"] }]
/// }
/// ```
struct FailsCheck: SuiteCheck {
  var id = "fails"
  private let words: [String]

  static let kind = CheckKind(
    "fails",
    "The device is refused, or cannot render, with an error that says these texts. The only check of its case.",
    keys: [saysKey])

  private static let saysKey = JSONKey(
    required: "says", JSONForm<[String]>.texts, "What the error has in it, each of them.",
    missing: "what the error says is missing", advice: "as \"says\": [\"no such node\"]")

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) { words = try object.take(Self.saysKey) }

  func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    do {
      let output = try context.output()
      return CheckOutcome(
        id, .failed, found: "it renders \(NumberText.count(output.frameCount, "frame"))", expected: expectation)
    } catch {
      // A program that is not there has refused nothing.
      if context.device is CommandDevice, error.kind == .usage { throw error }
      return try outcome(of: error)
    }
  }

  /// The outcome for an error that was thrown when the device was made or rendered.
  ///
  /// - Throws: the error itself where the device has said nothing: it did not end.
  func outcome(of error: BenchError) throws(BenchError) -> CheckOutcome {
    guard error.kind != .deviceTimeout, error.kind != .interrupted else { throw error }
    let text = "\(error)"
    let missing = words.filter { !text.contains($0) }
    return CheckOutcome(id, missing.isEmpty ? .passed : .failed, found: text, expected: expectation)
      .examining(Examined(values: words.count))
  }

  private var expectation: String { "an error that says \(words.map { "\"\($0)\"" }.joined(separator: ", "))" }
}
