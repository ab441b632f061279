import AudioCore
import Batch
import Measurement
import Synchronization

/// The progress of a batch on the terminal: a line for the whole, one for each worker, and each failure as it happens.
final class BatchProgress: BatchRun.Observer, @unchecked Sendable {
  private struct State {
    var done = 0
    var failed = 0
    var soundSeconds = 0.0
    var warnings = 0
    /// Failures as they were reported, and how often each came again in the same words.
    var repeats: [String: Int] = [:]
    /// The task of each worker.
    var workers: [Int: (name: String, share: Double?)] = [:]
  }
  private let state = Locked(State())
  /// Outputs that have got their names, and tasks that have failed for good: counted without a lock, for the thread
  /// that a signal ends the program from.
  private let published = Atomic(0)
  private let failures = Atomic(0)
  /// Used under the lock of `state` only.
  private let bar: ProgressBar
  private let verb: String
  private let count: Int
  private let start = ContinuousClock.now

  init(_ verb: String, count: Int, _ arguments: Arguments) {
    (self.verb, self.count) = (verb, count)
    bar = ProgressBar(verb, arguments)
  }

  func began(_ step: BatchRun.Step, _ task: BatchTask) {
    state.withLock { state in
      state.workers[step.worker] = (VisibleText.name(task.name), nil)
      draw(state)
    }
  }

  func advanced(_ step: BatchRun.Step, share: Double?) {
    state.withLock { state in
      state.workers[step.worker]?.share = share
      draw(state)
    }
  }

  func ended(_ step: BatchRun.Step, _ task: BatchTask, _ outcome: BatchRun.Outcome, isFinal: Bool) {
    // One at a time: lines do not run into each other.
    state.withLock { state in
      state.workers[step.worker] = nil
      if isFinal { state.done += 1 }
      switch outcome {
      case .made(let reports):
        state.soundSeconds += reports.reduce(0) { $0 + $1.seconds }
        for warning in reports.flatMap(\.warnings) {
          warn(warning.hasPrefix(task.name) ? warning : "\(task.name): \(warning)", &state)
        }
      case .failed(let error):
        if isFinal {
          state.failed += 1
          failures.add(1, ordering: .relaxed)
        }
        fail(isFinal ? error.description : "\(error.description) (to be tried again)", &state)
      case .present, .current, .left: break
      }
      draw(state)
    }
  }

  func published(_ outputs: Int) { published.add(outputs, ordering: .relaxed) }

  /// The text for a signal that ends the run: behind "stopped by SIGINT ".
  /// - Parameters:
  ///   - total: outputs of the plan.
  ///   - isResumed: true where a journal knows what is made, so that the same line goes on.
  func interruption(of total: Int, isResumed: Bool) -> String {
    let made = published.load(ordering: .relaxed)
    guard made > 0 else { return Command.usualInterruption }
    let failed = failures.load(ordering: .relaxed)
    return "after \(made) of \(NumberText.count(total, "file")) \(made == 1 ? "was" : "were") made"
      + (failed > 0 ? " and \(failed) failed" : "") + ", which are whole; no report was written; "
      + (isResumed
        ? "run the same line again to make the rest"
        : "to make the rest, run the same line again with --no-clobber, or use --journal from the beginning")
  }

  /// Warnings that many files share would hide those of a few.
  private func warn(_ warning: String, _ state: inout State) {
    state.warnings += 1
    guard state.warnings <= Self.mostWarnings else { return }
    bar.erase()
    ErrorOutput.warn(warning)
  }

  /// A mistake in a graph or a job fails all of its tasks in the same words.
  private func fail(_ message: String, _ state: inout State) {
    state.repeats[message, default: -1] += 1
    guard state.repeats[message] == 0 else { return }
    bar.erase()
    ErrorLine.write(message)
  }

  /// Takes the lines away, and says what was left out.
  func finish() {
    bar.erase()
    state.withLock { state in
      for (message, count) in state.repeats.sorted(by: { $0.key < $1.key }) where count > 0 {
        ErrorLine.write("\(NumberText.count(count, "further file")) failed with: \(message)")
      }
      let more = state.warnings - Self.mostWarnings
      if more > 0 {
        ErrorOutput.warn("\(NumberText.count(more, "further warning")): --csv, --html and --json have all of them")
      }
    }
  }

  private static let mostWarnings = 20

  private func draw(_ state: State) {
    let seconds = start.duration(to: .now) / .seconds(1)
    let left = state.done > 0 ? seconds / Double(state.done) * Double(count - state.done) : nil
    bar.show(lines(state, seconds: seconds, left: left), at: seconds)
  }

  private func lines(_ state: State, seconds: Double, left: Double?) -> [String] {
    let whole =
      "\(verb) \(state.done) of \(NumberText.count(count, "file"))"
      + (state.failed > 0 ? ", \(state.failed) failed" : "")
      + "  \(NumberText.factor(state.soundSeconds / max(seconds, 1e-9))) x realtime"
      + (left.map { "  \(NumberText.clock($0.rounded(.up))) left" } ?? "")
    return [whole]
      + state.workers.sorted { $0.key < $1.key }.map { _, work in
        "  \(work.name)" + (work.share.map { "  \(Int(clamping: min(1, max(0, $0)) * 100)) %" } ?? "")
      }
  }
}
