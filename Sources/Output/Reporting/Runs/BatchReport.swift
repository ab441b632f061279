import AudioCore
import Batch
import Measurement

/// The report of a batch: as text, JSON, CSV, JUnit XML and one page of HTML.
package struct BatchReport {
  let plan: BatchPlan
  let outcomes: [BatchRun.Outcome]
  /// Nil where it was made elsewhere.
  let elapsedSeconds: Double?
  let origin: Origin?

  /// The run that a report is of.
  package struct Origin {
    /// The job file, or the command line.
    package let job: String
    /// `2026-11-26T22:47:10Z`
    package let startTime: String
    /// `aubench 1.2.0`
    package let program: String

    package init(job: String, startTime: String, program: String) {
      (self.job, self.startTime, self.program) = (job, startTime, program)
    }
  }

  /// - Parameters:
  ///   - outcomes: one for each task of the plan.
  ///   - seconds: wall-clock time; nil: the outputs were made elsewhere.
  ///   - origin: the run, for the page's head.
  package init(_ plan: BatchPlan, _ outcomes: [BatchRun.Outcome], seconds: Double?, origin: Origin? = nil) {
    (self.plan, self.outcomes, elapsedSeconds, self.origin) = (plan, outcomes, seconds, origin)
  }

  /// In the order of the plan.
  package var failures: [BenchError] { outcomes.compactMap { if case .failed(let error) = $0 { error } else { nil } } }

  /// The facts about each output, made now or before.
  struct Row {
    let task: BatchTask
    let path: String
    let status: String
    let report: TaskReport?
    let error: BenchError?
  }

  var rows: [Row] {
    zip(plan.tasks, outcomes).flatMap { task, outcome in
      task.outputs.enumerated().map { index, output in
        let reports = outcome.reports
        return Row(
          task: task, path: output.path, status: outcome.name,
          report: reports.indices.contains(index) ? reports[index] : nil, error: outcome.error)
      }
    }
  }

  private var madeSeconds: Double {
    outcomes.reduce(0) { sum, outcome in
      guard case .made(let reports) = outcome else { return sum }
      return sum + reports.reduce(0) { $0 + $1.seconds }
    }
  }

  /// The number of outputs with an outcome.
  private func count(_ name: String) -> Int {
    zip(plan.tasks, outcomes).reduce(0) { $0 + ($1.1.name == name ? $1.0.outputs.count : 0) }
  }

  package var text: String {
    countsLine + "\n" + (soundLine.isEmpty ? "" : soundLine + "\n") + droppedLine + loudnessTable
      + failureList
  }

  /// `not kept: bext (2 files), markers (1 file)`, of the files that were made.
  private var droppedLine: String {
    var counts: [String: Int] = [:]
    for row in rows where row.status == "made" {
      for name in row.report?.dropped ?? [] { counts[name, default: 0] += 1 }
    }
    guard !counts.isEmpty else { return "" }
    let parts = counts.sorted { $0.key < $1.key }.map {
      "\(VisibleText.name($0.key)) (\(NumberText.count($0.value, "file")))"
    }
    return "not kept: \(parts.joined(separator: ", "))\n"
  }

  /// `29 of 30 files made, 1 failed`
  var countsLine: String {
    let total = plan.tasks.reduce(0) { $0 + $1.outputs.count }
    var parts = ["\(count("made")) of \(NumberText.count(total, "file")) made"]
    for (name, words) in [
      ("failed", "failed"), ("current", "up to date"), ("present", "there already"), ("left", "not begun"),
    ] where count(name) > 0 {
      parts.append("\(count(name)) \(words)")
    }
    return parts.joined(separator: ", ")
  }

  /// `1:23.500 of sound in 2.31 s: 36.1 x realtime`; empty where no sound was made.
  var soundLine: String {
    let pace = elapsedSeconds.map {
      " in \(NumberText.factor($0)) s: \(NumberText.factor(madeSeconds / max($0, 1e-9))) x realtime"
    }
    return madeSeconds > 0 ? "\(NumberText.clockTime(madeSeconds)) of sound\(pace ?? "")" : ""
  }

  /// The number of failures that are listed as text.
  package static let mostListed = 50

  /// The failures again, at the end of a long list: they were reported as they came.
  private var failureList: String {
    let failed = zip(plan.tasks, outcomes).filter { $1.error != nil }.map(\.0)
    guard !failed.isEmpty else { return "" }
    let more = failed.count - Self.mostListed
    let rest = more > 0 ? "  and \(more) more: --csv, --html and --json have all of them\n" : ""
    return "failed:\n" + failed.prefix(Self.mostListed).map { "  \($0.text)\n" }.joined() + rest
  }

  /// A line for each output whose loudness is known.
  private var loudnessTable: String {
    let rows = rows.filter { $0.report?.truePeakDecibels != nil }
    guard !rows.isEmpty else { return "" }
    guard rows.count <= 50 else { return "the loudness of each: --csv\n" }
    let isLimited = rows.contains { $0.report?.limitedDecibels != nil }
    let head = ["", "LUFS", "dBTP", "gain dB"] + (isLimited ? ["limited dB", "limited %"] : []) + ["length"]
    let cells = rows.map { row -> [String] in
      func cell(_ value: Double?) -> String { value.map { NumberText.fixed($0, 1) } ?? "-" }
      return [
        VisibleText.name(row.path), cell(row.report?.loudnessLUFS), cell(row.report?.truePeakDecibels),
        cell(row.report?.gainDecibels),
      ]
        + (isLimited
          ? [cell(row.report?.limitedDecibels), cell(row.report?.limitedShare.map { $0 * 100 })] : [])
        + [NumberText.clockTime(row.report?.seconds ?? 0)]
    }
    return TextLayout.columns([head] + cells)
  }

  package var json: JSONValue {
    let tasks = zip(plan.tasks, outcomes).map { task, outcome -> JSONValue in
      var json = task.json
      json["status"] = .string(outcome.name)
      if !outcome.reports.isEmpty { json["reports"] = .array(outcome.reports.map(\.json)) }
      if let error = outcome.error { json["error"] = error.json }
      return json
    }
    return JSONValue([
      "tasks": tasks, "elapsedSeconds": elapsedSeconds, "made": count("made"), "failed": count("failed"),
      "current": count("current"), "present": count("present"), "left": count("left"),
    ])
  }
}

extension BatchRun.Outcome {
  var name: String {
    switch self {
    case .made: "made"
    case .failed: "failed"
    case .present: "present"
    case .current: "current"
    case .left: "left"
    }
  }

  var reports: [TaskReport] {
    switch self {
    case .made(let reports), .current(let reports): reports
    case .failed, .present, .left: []
    }
  }

  var error: BenchError? { if case .failed(let error) = self { error } else { nil } }
}

extension TaskReport: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "frames": frames, "sampleRateHertz": sampleRate, "channels": channels, "layout": layout, "bytes": bytes,
      "format": format,
      "droppedMetadata": dropped,
      "durationSeconds": seconds, "peakDecibels": peakDecibels.map { $0 ?? -.infinity },
      "clippedSamples": clippedSamples, "nonFiniteSamples": nonFinite, "loudnessLUFS": loudnessLUFS,
      "truePeakDecibels": truePeakDecibels, "gainDecibels": gainDecibels, "shortfallDecibels": shortfallDecibels,
      "excessDecibels": excessDecibels, "limitedDecibels": limitedDecibels, "limitedShare": limitedShare,
      "passes": passes,
      "notNormalized": notNormalized, "trimmedFrames": trimmedFrames, "warnings": warnings,
    ])
  }
}

extension BatchTask {
  /// `voice=in/a.wav -> out/a.flac`
  package var text: String {
    let inputs = inputs.map { ($0.node.isEmpty ? "" : "\($0.node)=") + VisibleText.name($0.path) }
    let settings = settings.map(\.description)
    return (inputs + settings).joined(separator: " ") + " -> "
      + outputs.map { VisibleText.name($0.path) }.joined(separator: ", ")
  }

  package var json: JSONValue {
    JSONValue([
      "inputs": inputs.map { JSONValue(["node": $0.node.isEmpty ? nil : $0.node, "path": $0.path]) },
      "graph": graph, "settings": settings.isEmpty ? nil : settings.map(\.description), "outputs": outputs.map(\.path),
    ])
  }
}
