import AudioCore
import Batch
import Measurement

/// How far a batch is, on the terminal, and each failure as it happens.
final class BatchProgress: @unchecked Sendable {
  private struct State {
    var done = 0
    var failed = 0
    var soundSeconds = 0.0
  }
  private let state = Locked(State())
  /// Used under the lock of `state` only.
  private let bar: ProgressBar
  private let verb: String
  private let count: Int
  private let start = ContinuousClock.now

  init(_ verb: String, count: Int, _ arguments: Arguments) {
    (self.verb, self.count) = (verb, count)
    bar = ProgressBar(verb, arguments)
  }

  /// Takes the end of a task, on any thread.
  func add(_ task: BatchTask, _ outcome: BatchRun.Outcome) {
    // One at a time: lines do not run into each other.
    state.withLock { state in
      state.done += 1
      switch outcome {
      case .made(let report):
        state.soundSeconds += report.seconds
        if !report.warnings.isEmpty { bar.erase() }
        for warning in report.warnings {
          ErrorOutput.warn(warning.hasPrefix(task.output) ? warning : "\(task.output): \(warning)")
        }
      case .failed(let error):
        state.failed += 1
        bar.erase()
        ErrorLine.write(error.description)
      case .present, .left: break
      }
      let seconds = start.duration(to: .now) / .seconds(1)
      let left = seconds / Double(state.done) * Double(count - state.done)
      bar.show(
        "\(verb) \(state.done) of \(NumberText.count(count, "file"))"
          + (state.failed > 0 ? ", \(state.failed) failed" : "")
          + "  \(NumberText.factor(state.soundSeconds / max(seconds, 1e-9))) x realtime  "
          + "\(NumberText.clock(left.rounded(.up))) left", at: seconds)
    }
  }

  func erase() { bar.erase() }
}
