import AudioCore
import Processes

/// Slurm's commands, as far as arrays of tasks need them: `sbatch`, `squeue`. Both are found on the path.
///
/// The answers of Slurm 22.05 and later are tested by `Tests/Cluster/check-slurm`.
package struct Slurm: Sendable {
  /// The state of a task in Slurm.
  package enum State: Hashable, Sendable {
    /// Waiting, running, or on its way from one to the other.
    case active(isRunning: Bool)
    /// Its script has ended, by itself or by a signal.
    case ended
    case cancelled
    /// It was ended from outside: its node has died, its time is over, and the like.
    case lost(String)

    init(_ name: String) {
      switch name {
      case "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT": self = .active(isRunning: true)
      case "COMPLETED", "FAILED": self = .ended
      case "CANCELLED": self = .cancelled
      case "BOOT_FAIL", "DEADLINE", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT": self = .lost(name)
      // PENDING, CONFIGURING, REQUEUED and others that later versions may have.
      default: self = .active(isRunning: false)
      }
    }
  }

  package struct Task: Hashable, Sendable {
    package let job: String
    package let index: Int
  }

  package init() {}

  /// Submits an array and answers the number of its job.
  /// - Throws: `.output` with what Slurm says.
  package func submit(
    _ script: String, _ arguments: [String], indexes: [Int], name: String, output: String, options: [String]
  ) throws(BenchError) -> String {
    // Queued again by Slurm, two runs of one attempt could be under way: what is lost is submitted again here.
    let words =
      ["sbatch", "--parsable", "--no-requeue", "--job-name=\(name)", "--output=\(output)"] + options
      + ["--array=\(Self.ranges(indexes))", script] + arguments
    let result = try run(words)
    guard case .exited(code: 0) = result.end,
      let job = ByteText.string(result.output).split(whereSeparator: { ";\n ".contains($0) }).first,
      job.allSatisfy(\.isNumber)
    else { throw BenchError(.output, at: "sbatch", Self.complaint(result)) }
    return String(job)
  }

  /// The states of the tasks that Slurm still knows of some jobs: it forgets those that have ended after a while. Nil
  /// where the controller does not answer, and nothing is known.
  /// - Throws: `.output` where squeue cannot be run.
  package func states(ofJobs jobs: [String]) throws(BenchError) -> [Task: State]? {
    // As many as there are resubmissions; a line may be long.
    let words = ["squeue", "--noheader", "--array", "--states=all", "--jobs=\(jobs.joined(separator: ","))"]
    let result = try run(words + ["--format=%i %T"])
    guard case .exited(code: 0) = result.end else {
      return ByteText.string(result.errors).contains("Invalid job id") ? [:] : nil
    }
    var states: [Task: State] = [:]
    for line in ByteText.string(result.output).split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 2 else { continue }
      let names = fields[0].split(separator: "_")
      guard names.count == 2, let index = Int(names[1]) else { continue }
      states[Task(job: String(names[0]), index: index)] = State(String(fields[1]))
    }
    return states
  }

  private func run(_ words: [String]) throws(BenchError) -> ChildProcess.Result {
    var command = ChildProcess(words)
    command.endsWhatItStarted = false
    do {
      return try command.run()
    } catch {
      throw BenchError(
        .output, at: words[0], error.isMissing ? "is not installed here" : "cannot be started: \(error.reason)",
        advice: "run this on a machine that submits to the cluster (Debian: slurm-client)")
    }
  }

  private static func complaint(_ result: ChildProcess.Result) -> String {
    let last = result.lastErrors
    return last.isEmpty ? "did not answer with the number of a job" : excerpt(last)
  }

  /// A path as a pattern of names, in which `%` begins a place.
  static func pattern(of path: String) -> String {
    String(String.UnicodeScalarView(path.unicodeScalars.flatMap { $0 == "%" ? [$0, $0] : [$0] }))
  }

  /// `1-3,7`
  static func ranges(_ indexes: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for index in indexes.sorted() {
      if let last = ranges.last, index <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, index)
      } else {
        ranges.append(index...index)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }
}
