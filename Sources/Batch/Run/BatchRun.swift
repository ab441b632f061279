import AudioCore
import BatchRender
import Loudness

/// Makes the outputs of a plan on several threads. A task that fails is reported, and the others go on.
package final class BatchRun: @unchecked Sendable {
  package enum Outcome: Sendable {
    /// A report for each output.
    case made([TaskReport])
    case failed(BenchError)
    /// The outputs are there, and were not to be replaced.
    case present
    /// The outputs are there, and nothing that they are made of has changed.
    case current([TaskReport])
    /// Not begun: another task had failed, and the run was to end then.
    case left
  }

  /// What is made of a task that has begun.
  package struct Step: Sendable {
    /// From 0 on.
    package let worker: Int
    package let task: Int
    /// How often it has failed before.
    package let attempt: Int
  }

  /// Who watches a run. Called on the threads of the workers, and so on several at once.
  package protocol Observer: AnyObject, Sendable {
    func began(_ step: Step, _ task: BatchTask)
    /// - Parameter share: how much of it is done, 0 to 1; nil where that is not known.
    func advanced(_ step: Step, share: Double?)
    /// - Parameter isFinal: false for a failure after which the task is tried again.
    func ended(_ step: Step, _ task: BatchTask, _ outcome: Outcome, isFinal: Bool)
  }

  package struct Options: Sendable {
    /// In all, 1 and more.
    package var threads = 1
    /// Whether no task is begun behind the first failure.
    package var endsAtFailure = false

    package init() {}
  }

  private let plan: BatchPlan
  private let job: BatchJob
  private let options: Options
  private let maker: TaskMaker
  private weak let observer: (any Observer)?
  private let outcomes: Locked<[Outcome]>
  /// Of the inputs of each task, bytes.
  private let sizes: [Int64]
  private let albums: AlbumGains?

  package init(_ plan: BatchPlan, _ job: BatchJob, options: Options, observer: any Observer) {
    (self.plan, self.job, self.options, self.observer) = (plan, job, options, observer)
    maker = TaskMaker(job)
    outcomes = Locked(Array(repeating: .left, count: plan.tasks.count))
    sizes = plan.tasks.map { task in task.inputs.reduce(0) { $0 + (FileSystem.size($1.path) ?? 0) } }
    albums = job.finishing.loudness.flatMap { loudness in
      loudness.isAlbum
        ? AlbumGains(loudness, tasks: Dictionary(plan.tasks.compactMap(\.album).map { ($0, 1) }, uniquingKeysWith: +))
        : nil
    }
  }

  /// Runs to the end and answers the outcomes in the order of the plan.
  package func run() -> [Outcome] {
    if let albums {
      // One album after the other, so that few are being measured at a time.
      let order = plan.tasks.indices.sorted { (plan.tasks[$0].album ?? "", $0) < (plan.tasks[$1].album ?? "", $1) }
      work(through: order) { [self] item in
        let task = plan.tasks[item.task]
        guard let album = task.album else { return nil }
        do throws(BenchError) {
          albums.add(try maker.meter(task, threads: item.threads), of: item.task, in: album)
          return nil
        } catch {
          if !comesBack(error, item) { albums.add(nil, of: item.task, in: album) }
          return error
        }
      }
    }
    // The longest first: a long one that is begun last would keep one thread at work and the others idle.
    let order = plan.tasks.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
    work(through: order) { [self] item in
      let task = plan.tasks[item.task]
      let step = Step(worker: item.worker, task: item.task, attempt: item.attempt)
      observer?.began(step, task)
      let outcome = make(task, step, item.threads)
      let error: BenchError? = if case .failed(let error) = outcome { error } else { nil }
      outcomes.withLock { $0[item.task] = outcome }
      observer?.ended(step, task, outcome, isFinal: error.map { !comesBack($0, item) } ?? true)
      return error
    }
    return outcomes.withLock { $0 }
  }

  private func comesBack(_ error: BenchError, _ item: WorkQueue.Item) -> Bool {
    item.attempt < job.retries && error.kind.mayPass
  }

  /// Does something with all of some tasks, on all threads.
  /// - Parameter body: answers why it failed.
  private func work(through order: [Int], _ body: @escaping @Sendable (WorkQueue.Item) -> BenchError?) {
    let queue = WorkQueue(order, sizes: sizes, threads: options.threads)
    let part = { @Sendable [self] (worker: Int) in
      while let item = queue.take(worker: worker) {
        let error = body(item)
        let comesBack = error.map { self.comesBack($0, item) } ?? false
        if error != nil, !comesBack, options.endsAtFailure { queue.close() }
        queue.finish(item, comesBack: comesBack)
      }
    }
    let helpers = (1..<max(1, min(options.threads, order.count))).compactMap { worker in JoinedThread { part(worker) } }
    part(0)
    for helper in helpers { helper.join() }
  }

  private func make(_ task: BatchTask, _ step: Step, _ threads: Int) -> Outcome {
    if !job.replaces, task.outputs.allSatisfy({ FileSystem.exists($0.path) }) { return .present }
    let outputs = OutputFiles()
    do throws(BenchError) {
      for output in task.outputs {
        let folder = FileName.folder(of: output.path)
        let failure = FileSystem.makeFolders(folder)
        guard failure == 0 else {
          throw BenchError(.output, at: folder, "the folder cannot be made: \(systemMessage(failure))")
        }
      }
      let gain = task.album.flatMap { albums?.gain(of: $0) }
      let reports = try maker.make(task, outputs: outputs, threads: threads, album: gain) { [observer] progress in
        observer?.advanced(
          step, share: progress.framesTotal.map { Double(progress.framesDone) / Double(max(1, $0)) })
      }
      try outputs.publish(settles: false)
      return .made(reports)
    } catch {
      return .failed(error)
    }
  }
}

extension BenchError.Kind {
  /// Whether what failed may go well another time: files and devices change, options and graphs do not.
  fileprivate var mayPass: Bool {
    switch self {
    case .input, .output, .render, .deviceCrash, .deviceTimeout: true
    case .usage, .graph, .suite, .interrupted: false
    }
  }
}
