import AudioCore
import Synchronization

/// Makes the outputs of a plan on several threads. A task that fails is reported, and the others go on.
package final class BatchRun: @unchecked Sendable {
  /// What is reported of an output.
  package struct Report: Sendable {
    /// Of sound.
    package let seconds: Double
    package let warnings: [String]
    package let json: JSONValue

    package init(seconds: Double, warnings: [String], json: JSONValue) {
      (self.seconds, self.warnings, self.json) = (seconds, warnings, json)
    }
  }

  package enum Outcome: Sendable {
    case made(Report)
    case failed(BenchError)
    /// The output is there, and was not to be replaced.
    case present
    /// Not begun: another task had failed, and the run was to end then.
    case left
  }

  /// Makes one output. Called on several threads at once.
  /// - Parameters:
  ///   - outputs: where the files wait until all of the task are whole; the run publishes them.
  ///   - threads: how many the task may have, 1 and more.
  package typealias Work =
    (_ task: BatchTask, _ outputs: OutputFiles, _ threads: Int) throws(BenchError) -> Report

  private let plan: BatchPlan
  private let work: Work
  private let threads: Int
  private let endsAtFailure: Bool
  private let replaces: Bool
  private let next = Atomic<Int>(0)
  private let hasFailed = Atomic<Bool>(false)
  private let outcomes: Locked<[Outcome]>
  private let told: (_ task: BatchTask, _ outcome: Outcome) -> Void

  /// - Parameters:
  ///   - threads: in all, 1 and more.
  ///   - endsAtFailure: whether no task is begun behind the first failure.
  ///   - replaces: whether an output that is there is made anew.
  ///   - told: called for each task as it ends, on the thread that made it, and so on several at once.
  package init(
    _ plan: BatchPlan, threads: Int, endsAtFailure: Bool, replaces: Bool, work: @escaping Work,
    told: @escaping (BatchTask, Outcome) -> Void
  ) {
    self.plan = plan
    self.work = work
    self.threads = threads
    self.endsAtFailure = endsAtFailure
    self.replaces = replaces
    self.told = told
    outcomes = Locked(Array(repeating: .left, count: plan.tasks.count))
  }

  /// Runs to the end and answers the outcomes in the order of the plan.
  package func run() -> [Outcome] {
    // With fewer tasks than threads, each task has several.
    let workers = max(1, min(threads, plan.tasks.count))
    let share = max(1, threads / workers)
    var helpers: [JoinedThread] = []
    for _ in 1..<workers {
      guard let helper = JoinedThread({ [unowned(unsafe) self] in self.takePart(share) }) else { break }
      helpers.append(helper)
    }
    takePart(share)
    for helper in helpers { helper.join() }
    return outcomes.withLock { $0 }
  }

  private func takePart(_ threads: Int) {
    while !(endsAtFailure && hasFailed.load(ordering: .relaxed)) {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < plan.tasks.count else { return }
      let task = plan.tasks[index]
      let outcome = make(task, threads)
      if case .failed = outcome { hasFailed.store(true, ordering: .relaxed) }
      outcomes.withLock { $0[index] = outcome }
      told(task, outcome)
    }
  }

  private func make(_ task: BatchTask, _ threads: Int) -> Outcome {
    if !replaces, FileSystem.exists(task.output) { return .present }
    let outputs = OutputFiles()
    do throws(BenchError) {
      let folder = FileName.folder(of: task.output)
      let failure = FileSystem.makeFolders(folder)
      guard failure == 0 else {
        throw BenchError(.output, at: folder, "the folder cannot be made: \(systemMessage(failure))")
      }
      let report = try work(task, outputs, threads)
      try outputs.publish(settles: false)
      return .made(report)
    } catch {
      return .failed(error)
    }
  }
}
