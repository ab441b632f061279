// The path of one slice: edge, guard and pull. `render` runs on the render thread: it does not allocate, lock, touch
// files or log.

import AudioCore
import AudioEngine
import HandOver

/// Renders the plans of a graph, slice by slice, and takes over a newer plan between two slices.
public final class GraphRenderer: @unchecked Sendable {
  private var plan: RenderPlan
  private var job: BranchJob?
  private let pool: WorkerPool?
  /// The newest plan, as a ``Delivery``.
  private let mailbox: Mailbox
  /// The costs of rendering branches, and of reading for them.
  private let renderCosts = FlatMemory<WorkCost>(repeating: WorkCost(), count: WorkCost.lengths)
  private let readCosts = FlatMemory<WorkCost>(repeating: WorkCost(), count: WorkCost.lengths)
  /// Workers read for the next slice.
  private var isReading = false
  /// Branches hold sound of a slice that was rendered ahead.
  private var branchesHoldSound = false
  /// The frames that branches hold beyond the slices that were rendered: from the beginning to the end of the next.
  private var block: Range<Int64> = 0..<0

  /// The parcel for the render side, which returns it to be freed.
  private final class Delivery: Parcel {
    let plan: RenderPlan
    let job: BranchJob?
    init(_ plan: RenderPlan) {
      self.plan = plan
      job = plan.branches.isEmpty ? nil : BranchJob(capacity: plan.branches.count)
    }
  }

  /// - Parameters:
  ///   - plan: the compiled graph.
  ///   - threads: threads that render, the calling one included; 1 or more.
  public convenience init(_ plan: RenderPlan, threads: Int = 1) { self.init(plan, threads: threads, rule: .measured) }

  /// - Parameter rule: when work is handed to other threads. It is not heard.
  package init(_ plan: RenderPlan, threads: Int, rule: HandOverRule) {
    precondition(threads >= 1)
    self.plan = plan
    let first = Delivery(plan)
    mailbox = Mailbox(first)
    job = threads > 1 ? first.job : nil
    pool = threads > 1 ? WorkerPool(workers: threads - 1, rule: rule) : nil
    plan.adopt(rendersAhead: job != nil)
  }

  deinit { pool?.close() }

  /// The number of times that work was handed to other threads.
  package var handOverCount: Int { pool?.handOverCount ?? 0 }

  // MARK: Edit side

  /// Hands over a newer plan of the same graph: it holds from the next slice on. Frees plans that are out of use.
  public func update(to plan: RenderPlan) {
    mailbox.send(Delivery(plan))
  }

  /// Frees a plan that is out of use. Not for the render thread.
  public func collect() { mailbox.collect() }

  // MARK: Render side

  /// Reads ahead what file players need for the slice to come, on all threads. Not part of the render call: it reads
  /// files.
  public func prefetch(sampleTime: Int64, frames: Int) {
    prefetch(sampleTime: sampleTime, frames: frames, steadyFrames: frames)
  }

  /// The same, with what ``render(sampleTime:frames:steadyFrames:deliver:)`` renders ahead.
  package func prefetch(sampleTime: Int64, frames: Int, steadyFrames: Int) {
    guard frames <= plan.maximumFrames else { return }
    let demand = plan.head.demand(sampleTime: sampleTime, frames: frames)?.frames ?? frames
    guard let job, let pool else {
      for source in plan.sources { source.prefetch(frames: demand) }
      return
    }
    for source in plan.trunkSources { source.prefetch(frames: demand) }
    if continuesBlock(at: sampleTime), sampleTime + Int64(frames) <= block.upperBound { return }
    let wanted = max(demand, blockFrames(frames, steadyFrames: steadyFrames))
    // Most of it is what the workers have read beside the last slice.
    let choice = isReading ? .plain : pool.choose(readCosts.all, frames: wanted)
    endReading()
    job.beginReading(plan.branches.indices, of: plan, frames: wanted)
    switch choice {
    case .plain: _ = job.run(thread: 0, of: pool)
    case .alone: pool.runAlone(job, costing: readCosts.all, frames: wanted)
    case .shared:
      pool.begin(job, parts: plan.branches.count, costing: readCosts.all, frames: wanted)
      pool.finish()
    }
  }

  /// Renders `frames` frames of the output unit from `sampleTime` on, a step at a time.
  ///
  /// - Parameters:
  ///   - sampleTime: the first frame, on the output's clock.
  ///   - frames: at most the plan's maximum.
  ///   - deliver: gets each step's buffer, in the output's stream format, and where it belongs in the slice. It may not
  ///     allocate either.
  /// - Throws: the unit's status; ``failure(for:)`` has the details.
  public func render(
    sampleTime: Int64, frames: Int, deliver: (_ output: BusBuffer, _ offset: Int, _ frames: Int) -> Void
  ) throws(AudioStatus) {
    try render(sampleTime: sampleTime, frames: frames, steadyFrames: frames, deliver: deliver)
  }

  /// The same for callers who know what comes: where slices are shorter than a block, and no function of a host runs in
  /// the graph, several threads render the branches of a block at once, and the next slices take theirs of it.
  ///
  /// - Parameter steadyFrames: for so many frames from `sampleTime` on, `frames` or more, slice follows slice, and
  ///   nothing is edited, scheduled or reset.
  package func render(
    sampleTime: Int64, frames: Int, steadyFrames: Int,
    deliver: (_ output: BusBuffer, _ offset: Int, _ frames: Int) -> Void
  ) throws(AudioStatus) {
    if !continuesBlock(at: sampleTime) {
      endReading()
      adoptNewerPlan()
    }
    guard frames <= plan.maximumFrames else { throw .tooManyFramesToProcess }
    let former = FlushToZero.enter()
    defer { FlushToZero.leave(former) }
    plan.list.latch()
    var done = 0
    while done < frames {
      let time = sampleTime + Int64(done)
      let count = try renderAhead(sampleTime: time, frames: frames - done, steadyFrames: steadyFrames - done)
      for start in stride(from: 0, to: count, by: plan.stepFrames) {
        let step = min(plan.stepFrames, count - start)
        deliver(try plan.head.render(bus: 0, sampleTime: time + Int64(start), frames: step), done + start, step)
      }
      done += count
    }
  }

  private func continuesBlock(at sampleTime: Int64) -> Bool { !block.isEmpty && sampleTime == block.lowerBound }

  /// For how many frames branches are rendered at once, for slices of `frames` frames.
  private func blockFrames(_ frames: Int, steadyFrames: Int) -> Int {
    guard frames > 0, plan.mayRenderBlocks, !plan.isRecorded else { return frames }
    return max(frames, min(plan.maximumFrames, steadyFrames) / frames * frames)
  }

  /// Renders branches for the frames from `sampleTime` on, on all threads, and returns for how many frames of the
  /// output that is enough. Without branches, that is all of them.
  private func renderAhead(sampleTime: Int64, frames: Int, steadyFrames: Int) throws(AudioStatus) -> Int {
    guard let job, let pool else { return frames }
    if continuesBlock(at: sampleTime) {
      let count = min(frames, Int(block.upperBound - sampleTime))
      block = sampleTime + Int64(count)..<block.upperBound
      return count
    }
    block = 0..<0
    endReading()
    var count = frames
    var wanted = (sampleTime: sampleTime, frames: blockFrames(frames, steadyFrames: steadyFrames))
    while let demand = plan.head.demand(sampleTime: sampleTime, frames: count) {
      wanted = demand
      // If the output converts the rate, more may be needed at once than a branch can hold. If the request cannot be
      // made smaller (a long filter's first frames) it is rendered by pulling.
      if demand.frames <= plan.maximumFrames || count == 1 { break }
      count = (count + 1) / 2
    }
    guard wanted.frames > 0, wanted.frames <= plan.maximumFrames else {
      clearBranches(at: wanted.sampleTime)
      return count
    }
    let choice = pool.choose(renderCosts.all, frames: wanted.frames)
    let isBlock = plan.head.isSynchronous && wanted.frames > frames
    if case .plain = choice, !isBlock {
      clearBranches(at: wanted.sampleTime)
      return count
    }
    plan.walkActivity()
    plan.clearBranches(at: wanted.sampleTime)
    branchesHoldSound = true
    job.begin(plan.branches.indices, of: plan, sampleTime: wanted.sampleTime, frames: wanted.frames)
    switch choice {
    case .plain: _ = job.run(thread: 0, of: pool)
    case .shared where job.activeCount > 1:
      pool.begin(job, parts: job.activeCount, costing: renderCosts.all, frames: wanted.frames)
      pool.finish()
    case .alone, .shared: pool.runAlone(job, costing: renderCosts.all, frames: wanted.frames)
    }
    try job.check()
    if isBlock { block = sampleTime + Int64(count)..<sampleTime + Int64(wanted.frames) }
    // While this thread goes on with what lies behind the branches, the others read for the next slice.
    if case .shared = pool.choose(readCosts.all, frames: wanted.frames) {
      isReading = true
      job.beginReading(plan.branches.indices, of: plan, frames: wanted.frames)
      pool.begin(job, parts: plan.branches.count, costing: readCosts.all, frames: wanted.frames)
    }
    return count
  }

  private func endReading() {
    guard isReading else { return }
    pool?.finish()
    isReading = false
  }

  /// Branches are pulled like all else: what an earlier slice has left in them is not taken for sound of this one.
  private func clearBranches(at sampleTime: Int64) {
    guard branchesHoldSound else { return }
    plan.clearBranches(at: sampleTime)
    branchesHoldSound = false
  }

  /// The edge: adopts a newer plan, retires the old one.
  private func adoptNewerPlan() {
    guard mailbox.adopt() else { return }
    block = 0..<0
    branchesHoldSound = true
    mailbox.present._withUnsafeGuaranteedRef { parcel in
      let delivery = unsafeDowncast(parcel, to: Delivery.self)
      plan = delivery.plan
      job = pool == nil ? nil : delivery.job
    }
    plan.adopt(rendersAhead: job != nil)
  }

  /// The plan that renders now. For the render thread, and for anyone while nothing renders.
  package var presentPlan: RenderPlan { plan }

  /// The error behind a status thrown by ``render(sampleTime:frames:deliver:)``: the node that failed first, and its
  /// unit's details.
  public func failure(for status: AudioStatus) -> BenchError {
    guard let node = plan.nodes.first(where: { $0.failure != .noError }) else {
      return BenchError(.render, "\(status)")
    }
    let place = "node \"\(node.name)\""
    if let known = plan.units.first(where: { $0.label == node.name })?.renderFailure { return known.inside(place) }
    return BenchError(.render, at: place, "\(status)")
  }

  /// Nodes inside the graph that had to clip samples to the range of an integer format, and how many.
  public var clippingNodes: [(name: String, samples: Int64)] {
    plan.nodes.compactMap { $0.processor.clippedSamples > 0 ? ($0.name, $0.processor.clippedSamples) : nil }
  }

  /// Nodes inside the graph that had to make integers of samples that were NaN or infinite, and of how many.
  public var nonFiniteNodes: [(name: String, samples: Int64)] {
    plan.nodes.compactMap { $0.processor.nonFiniteSamples > 0 ? ($0.name, $0.processor.nonFiniteSamples) : nil }
  }
}
