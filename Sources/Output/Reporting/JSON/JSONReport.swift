import AudioCore
import BatchRender
import Verification

/// A run as JSON, for programs: everything that is in it, numbers as numbers, ids that stay the same from run to run.
///
/// The keys and their meaning are in `docs/verify-report.schema.json`; a key may be added
/// within a version, none changes its meaning.
public enum JSONReport {
  /// The version of the layout.
  public static let version = 1

  /// The report, on one line that ends with a line break; keys in alphabetical order.
  public static func text(_ outcome: RunOutcome) -> String {
    VisibleText.json(outcome.json.text) + "\n"
  }

  /// - Throws: `.output` where the file cannot be written; nothing is left of it then.
  public static func write(_ outcome: RunOutcome, to path: String) throws(BenchError) {
    try AtomicFile.write(text(outcome), to: path)
  }
}
