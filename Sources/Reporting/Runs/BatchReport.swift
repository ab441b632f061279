import AudioCore
import Batch
import Measurement

/// What a batch has come to.
package struct BatchReport {
  private let plan: BatchPlan
  private let outcomes: [BatchRun.Outcome]
  private let elapsedSeconds: Double

  /// - Parameters:
  ///   - outcomes: one for each task of the plan.
  ///   - seconds: of wall-clock time.
  package init(_ plan: BatchPlan, _ outcomes: [BatchRun.Outcome], seconds: Double) {
    (self.plan, self.outcomes, elapsedSeconds) = (plan, outcomes, seconds)
  }

  /// In the order of the plan.
  package var failures: [BenchError] { outcomes.compactMap { if case .failed(let error) = $0 { error } else { nil } } }

  private var made: [BatchRun.Report] {
    outcomes.compactMap { if case .made(let report) = $0 { report } else { nil } }
  }

  private func count(_ name: String) -> Int { outcomes.count { $0.name == name } }

  package var text: String {
    let seconds = made.reduce(0) { $0 + $1.seconds }
    var parts = ["\(made.count) of \(NumberText.count(outcomes.count, "file")) made"]
    for name in ["failed", "present", "left"] where count(name) > 0 {
      parts.append("\(count(name)) \(name == "present" ? "there already" : name == "left" ? "not begun" : name)")
    }
    let line =
      parts.joined(separator: ", ") + "\n\(NumberText.clockTime(seconds)) of sound in "
      + "\(NumberText.factor(elapsedSeconds)) s: \(NumberText.factor(seconds / max(elapsedSeconds, 1e-9))) x realtime\n"
    // Errors were told as they came; at the end of a long list they are looked for again.
    guard !failures.isEmpty else { return line }
    return line + "failed:\n"
      + zip(plan.tasks, outcomes).compactMap { task, outcome in
        if case .failed = outcome { "  \(task.text)\n" } else { nil }
      }.joined()
  }

  package var json: JSONValue {
    let tasks = zip(plan.tasks, outcomes).map { task, outcome -> JSONValue in
      var task = task.json
      task["status"] = .string(outcome.name)
      switch outcome {
      case .made(let report): task["report"] = report.json
      case .failed(let error):
        task["error"] = JSONValue([
          "kind": error.kind.rawValue, "place": error.place, "message": error.message, "advice": error.advice,
        ])
      case .present, .left: break
      }
      return task
    }
    return JSONValue([
      "tasks": tasks, "elapsedSeconds": elapsedSeconds, "made": count("made"), "failed": count("failed"),
      "present": count("present"), "left": count("left"),
    ])
  }
}

extension BatchRun.Outcome {
  fileprivate var name: String {
    switch self {
    case .made: "made"
    case .failed: "failed"
    case .present: "present"
    case .left: "left"
    }
  }
}

extension BatchTask {
  /// `voice=in/a.wav -> out/a.flac`
  package var text: String {
    inputs.map { ($0.node.isEmpty ? "" : "\($0.node)=") + $0.path }.joined(separator: " ") + " -> \(output)"
  }

  package var json: JSONValue {
    JSONValue([
      "inputs": inputs.map { JSONValue(["node": $0.node.isEmpty ? nil : $0.node, "path": $0.path]) }, "output": output,
    ])
  }
}
