import AudioCore
import BatchRender
import Digests
import Glibc
import Journal
import Loudness

extension BatchRun.Observer {
  package func published(_ outputs: Int) {}
}

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

  /// The step of a task that has begun.
  package struct Step: Sendable {
    /// From 0 on.
    package let worker: Int
    package let task: Int
    /// The number of failed attempts before.
    package let attempt: Int
  }

  /// An observer of a run. Called on the workers' threads, and so on several at once.
  package protocol Observer: AnyObject, Sendable {
    func began(_ step: Step, _ task: BatchTask)
    /// - Parameter share: the part that is done, 0 to 1; nil if not known.
    func advanced(_ step: Step, share: Double?)
    /// - Parameter isFinal: false for a failure after which the task is tried again.
    func ended(_ step: Step, _ task: BatchTask, _ outcome: Outcome, isFinal: Bool)
    /// Outputs have got their names. Called before a signal can be handled: do not wait here.
    func published(_ outputs: Int)
  }

  package struct Options: Sendable {
    /// In all, 1 and more.
    package var threads = 1
    /// True when no task is begun after the first failure.
    package var endsAtFailure = false
    /// The journal of outputs that exist already, which records new ones; nil: everything is made.
    package var journal: Journal?
    /// The workers that render graphs with third-party units; nil: this process renders them.
    package var workers: RenderWorkers?

    package init() {}
  }

  private let plan: BatchPlan
  private let job: BatchJob
  private let options: Options
  private let maker: TaskMaker
  private weak let observer: (any Observer)?
  private let outcomes: Locked<[Outcome]>
  /// The size of each task's inputs, bytes.
  private let sizes: [Int64]
  private let albums: AlbumGains?
  private let recipes: RecipeBook?
  private let publication: JournalPublication?

  /// - Throws: `.input` for files of graphs that cannot be read, `.output` for a journal that cannot be written.
  package init(
    _ plan: BatchPlan, _ job: BatchJob, options: Options, observer: any Observer
  ) throws(BenchError) {
    (self.plan, self.job, self.options, self.observer) = (plan, job, options, observer)
    maker = TaskMaker(job, workers: options.workers)
    recipes = if let journal = options.journal { try RecipeBook(plan, job, journal) } else { nil }
    publication = options.journal.map { JournalPublication($0) }
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
      // One sound that is to be made needs the loudness of all.
      let stale = Locked<Set<String>>([])
      work(through: order) { [self] item in
        guard let album = plan.tasks[item.task].album, (try? current(item.task)) == nil else { return nil }
        stale.withLock { _ = $0.insert(album) }
        return nil
      }
      let names = stale.withLock { $0 }
      work(through: order.filter { plan.tasks[$0].album.map(names.contains) ?? false }) { [self] item in
        let task = plan.tasks[item.task]
        guard let album = task.album else { return nil }
        do throws(BenchError) {
          albums.add(try maker.meter(task, threads: item.threads), of: item.task, in: album)
          return nil
        } catch {
          albums.note(error, of: item.task, in: album, isFinal: !comesBack(error, item))
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
      publication?.publishWhereDue()
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
        if let next = item.next { readAhead(plan.tasks[next]) }
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

  /// Has the system read the inputs of a task while others are rendered: a worker would wait for the disk or the
  /// network.
  private func readAhead(_ task: BatchTask) {
    for input in task.inputs {
      let descriptor = FileSystem.open(input.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      // A longer one is read ahead by itself once it has begun.
      posix_fadvise(descriptor, 0, 8 << 20, POSIX_FADV_WILLNEED)
      close(descriptor)
    }
  }

  private func make(_ task: BatchTask, _ step: Step, _ threads: Int) -> Outcome {
    do throws(BenchError) {
      if let reports = try current(step.task) { return .current(reports) }
      if !job.replaces, task.outputs.allSatisfy({ FileSystem.exists($0.path) }) { return .present }
      let recipes = try recipes?.recipes(ofTask: step.task) ?? []
      do throws(BenchError) {
        if let albums, let album = task.album, !albums.isMeasured(album) {
          // The run has ended while the album was measured: nobody knows its gain.
          guard let error = albums.failure(of: step.task, in: album) else { return .left }
          throw error
        }
        return .made(try makeAnew(task, step, threads, recipes))
      } catch {
        for (output, recipe) in zip(task.outputs, recipes) {
          try options.journal?.record(
            JournalEntry(output: output.path, recipe: recipe, state: .failed(error), attempts: step.attempt + 1))
        }
        throw error
      }
    } catch {
      return .failed(error)
    }
  }

  private func makeAnew(
    _ task: BatchTask, _ step: Step, _ threads: Int, _ recipes: [Digest]
  ) throws(BenchError) -> [TaskReport] {
    let former = task.outputs.map { FileStamp(path: $0.path) }
    let outputs = OutputFiles()
    let gain = task.album.flatMap { albums?.gain(of: $0) }
    let reports = try maker.make(task, outputs: outputs, threads: threads, album: gain) { [observer] share in
      observer?.advanced(step, share: share)
    }
    for (output, stamp) in zip(task.outputs, former) where FileStamp(path: output.path) != stamp {
      throw BenchError(
        .output, at: output.path, "another program has written this file meanwhile; it was left as it is",
        advice: "let one run at a time make it")
    }
    if let journal = options.journal {
      // In front of the names: what has one and is not in the journal would be made again.
      let complete = outputs.complete
      let isWhole = task.album.flatMap { albums?.isWhole($0) } ?? true
      for (index, output) in task.outputs.enumerated() {
        guard let file = complete.first(where: { ByteText.isSame($0.path, output.path) }) else { continue }
        let recipe = isWhole ? recipes[index] : RecipeBook.recipe(withoutPartOf: recipes[index])
        try record(output, recipe, reports[index], file.descriptor, attempts: step.attempt + 1, in: journal)
      }
    }
    try outputs.publish(settles: false) { [observer] in observer?.published(task.outputs.count) }
    return reports
  }

  private func record(
    _ output: BatchTask.Output, _ recipe: Digest, _ report: TaskReport, _ descriptor: Int32, attempts: Int,
    in journal: Journal
  ) throws(BenchError) {
    let content: Digest
    do throws(FileSystem.ReadFailure) { content = try Fingerprint.digest(ofDescriptor: descriptor) } catch {
      throw BenchError(.output, at: output.path, "cannot be read again: \(error.clause)")
    }
    guard let stamp = FileStamp(descriptor: descriptor) else {
      throw BenchError(.output, at: output.path, "its size cannot be had: \(systemMessage(errno))")
    }
    try journal.record(
      JournalEntry(
        output: output.path, recipe: recipe, state: .made(stamp, content: content), attempts: attempts,
        seconds: report.seconds, report: report.text))
  }

  /// The expected outcome of a task, as far as it is known before the first frame. Nothing is written.
  package enum Forecast: Sendable {
    case made
    case failed(BenchError)
    case present
    case current
  }

  package func forecast(_ index: Int) -> Forecast {
    let task = plan.tasks[index]
    do throws(BenchError) {
      if try current(index) != nil { return .current }
      if !job.replaces, task.outputs.allSatisfy({ FileSystem.exists($0.path) }) { return .present }
      try maker.check(task)
      return .made
    } catch {
      return .failed(error)
    }
  }

  /// The reports of a task's existing outputs, if nothing that it depends on has changed.
  package func current(_ index: Int) throws(BenchError) -> [TaskReport]? {
    guard let recipes, let journal = options.journal, recipes.isCertain(ofTask: index) else { return nil }
    var reports: [TaskReport] = []
    for (output, recipe) in zip(plan.tasks[index].outputs, try recipes.recipes(ofTask: index)) {
      guard try journal.isUpToDate(output.path, recipe: recipe), let entry = try journal.entry(output.path),
        let report = TaskReport(text: entry.report)
      else { return nil }
      reports.append(report)
    }
    return reports
  }
}

extension BenchError.Kind {
  /// True when the same task may succeed another time: files and devices change, options and graphs do not.
  fileprivate var mayPass: Bool {
    switch self {
    case .input, .output, .render, .deviceCrash, .deviceTimeout: true
    case .usage, .graph, .suite, .interrupted: false
    }
  }
}
