import AudioCore
import Batch

/// The forecast of a batch: the plan with the expected outcome of each task, and a line of counts.
package struct BatchForecast {
  private let plan: BatchPlan
  private let forecasts: [BatchRun.Forecast]

  /// - Parameter forecasts: one for each task of the plan.
  package init(_ plan: BatchPlan, _ forecasts: [BatchRun.Forecast]) { (self.plan, self.forecasts) = (plan, forecasts) }

  /// In the order of the plan.
  package var failures: [BenchError] { forecasts.compactMap(\.error) }

  /// Outputs of the tasks that would come to something.
  private func count(_ name: String) -> Int {
    zip(plan.tasks, forecasts).reduce(0) { $0 + ($1.1.name == name ? $1.0.outputs.count : 0) }
  }

  package var text: String {
    let lines = zip(plan.tasks, forecasts).map { task, forecast -> String in
      let note =
        switch forecast {
        case .made: ""
        case .current: "  (up to date)"
        case .present: "  (there already)"
        case .failed(let error): "  (would fail: \(excerpt(VisibleText.name(error.message))))"
        }
      return task.text + note + "\n"
    }
    let total = plan.tasks.reduce(0) { $0 + $1.outputs.count }
    var parts = ["\(count("made")) of \(NumberText.count(total, "file")) would be made"]
    for (name, words) in [("failed", "would fail"), ("current", "up to date"), ("present", "there already")]
    where count(name) > 0 {
      parts.append("\(count(name)) \(words)")
    }
    return lines.joined() + parts.joined(separator: ", ") + "\n"
  }

  package var json: JSONValue {
    let tasks = zip(plan.tasks, forecasts).map { task, forecast -> JSONValue in
      var json = task.json.adding(["isCurrent": forecast.name == "current", "status": forecast.name])
      if let error = forecast.error { json["error"] = error.json }
      return json
    }
    return JSONValue([
      "tasks": tasks, "made": count("made"), "failed": count("failed"), "current": count("current"),
      "present": count("present"),
    ])
  }
}

extension BatchRun.Forecast {
  fileprivate var name: String {
    switch self {
    case .made: "made"
    case .failed: "failed"
    case .present: "present"
    case .current: "current"
    }
  }

  fileprivate var error: BenchError? { if case .failed(let error) = self { error } else { nil } }
}

extension BenchError {
  /// For reports of batches.
  var json: JSONValue {
    JSONValue(["kind": kind.rawValue, "place": place, "message": message, "advice": advice])
  }
}
