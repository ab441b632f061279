// Steps 2 to 4 of the path of one slice: the edge, the guard, the pull. `render` runs on the render thread: it does not
// allocate, lock, touch files or log.

import AudioCore
import AudioUnits
import HandOver

/// Renders the plans of a graph, slice by slice, and takes over a newer plan between two slices.
public final class GraphRenderer: @unchecked Sendable {
  private var plan: RenderPlan
  private var job: BranchJob?
  private let pool: WorkerPool?
  /// The newest plan, as a ``Delivery``.
  private let cell: ParcelCell

  /// What is handed to the render side, and returned to be freed.
  private final class Delivery: Parcel {
    let plan: RenderPlan
    let job: BranchJob?
    init(_ plan: RenderPlan) {
      self.plan = plan
      job = plan.branches.isEmpty ? nil : BranchJob(capacity: plan.branches.count)
    }
  }

  /// - Parameter threads: threads that render, the calling one included; 1 or more.
  public init(_ plan: RenderPlan, threads: Int = 1) {
    precondition(threads >= 1)
    self.plan = plan
    let first = Delivery(plan)
    cell = ParcelCell(first)
    job = threads > 1 ? first.job : nil
    pool = threads > 1 ? WorkerPool(workers: threads - 1) : nil
    plan.adopt(rendersAhead: job != nil)
  }

  deinit { pool?.finish() }

  // MARK: Edit side

  /// Hands over a newer plan of the same graph: it holds from the next slice on. Frees plans that are out of use.
  public func update(to plan: RenderPlan) {
    cell.send(Delivery(plan))
  }

  /// Frees a plan that is out of use. Not for the render thread.
  public func collect() { cell.collect() }

  // MARK: Render side

  /// Reads ahead what file players need for the slice to come, on all threads. Not part of the render call: it reads
  /// files.
  public func prefetch(sampleTime: Int64, frames: Int) {
    guard frames <= plan.maximumFrames else { return }
    let wanted = plan.head.demand(sampleTime: sampleTime, frames: frames)?.frames ?? frames
    guard let job, let pool else {
      for source in plan.sources { source.prefetch(frames: wanted) }
      return
    }
    pool.finish()
    for source in plan.trunkSources { source.prefetch(frames: wanted) }
    job.beginReading(plan.branches.indices, of: plan, frames: wanted)
    pool.run(job)
  }

  /// Renders `frames` frames of the output unit from `sampleTime` on, a step at a time.
  ///
  /// - Parameters:
  ///   - frames: at most the plan's maximum.
  ///   - deliver: gets each step's buffer, in the output's stream format, and where it belongs in the slice. It may not
  ///     allocate either.
  /// - Throws: what a unit threw; ``failure(for:)`` says which.
  public func render(
    sampleTime: Int64, frames: Int, deliver: (_ output: BusBuffer, _ offset: Int, _ frames: Int) -> Void
  ) throws(AudioStatus) {
    pool?.finish()
    adoptNewerPlan()
    guard frames <= plan.maximumFrames else { throw .tooManyFramesToProcess }
    let former = FlushToZero.enter()
    defer { FlushToZero.leave(former) }
    plan.list.latch()
    var done = 0
    while done < frames {
      let time = sampleTime + Int64(done)
      let count = try renderAhead(sampleTime: time, frames: frames - done)
      for start in stride(from: 0, to: count, by: plan.stepFrames) {
        let step = min(plan.stepFrames, count - start)
        deliver(try plan.head.render(bus: 0, sampleTime: time + Int64(start), frames: step), done + start, step)
      }
      done += count
    }
  }

  /// Renders branches for the frames from `sampleTime` on, on all threads, and returns for how many frames of the output
  /// that is enough. Without branches, that is all of them.
  private func renderAhead(sampleTime: Int64, frames: Int) throws(AudioStatus) -> Int {
    guard let job, let pool else { return frames }
    pool.finish()
    var count = frames
    var wanted = (sampleTime: sampleTime, frames: frames)
    while let demand = plan.head.demand(sampleTime: sampleTime, frames: count) {
      wanted = demand
      // Where the output converts the rate, more may be wanted at once than a branch can hold. What is wanted still
      // when it cannot be made less (a long filter's first frames) is rendered by pulling.
      if demand.frames <= plan.maximumFrames || count == 1 { break }
      count = (count + 1) / 2
    }
    guard wanted.frames > 0, wanted.frames <= plan.maximumFrames else {
      plan.clearBranches(at: wanted.sampleTime)
      return count
    }
    plan.walkActivity()
    plan.clearBranches(at: wanted.sampleTime)
    job.begin(plan.branches.indices, of: plan, sampleTime: wanted.sampleTime, frames: wanted.frames)
    pool.run(job)
    try job.check()
    // While this thread goes on with what lies behind the branches, the others read for the next slice.
    job.beginReading(plan.branches.indices, of: plan, frames: wanted.frames)
    pool.begin(job)
    return count
  }

  /// Step 2: adopt a newer plan, retire the old one.
  private func adoptNewerPlan() {
    guard cell.adopt() else { return }
    cell.present._withUnsafeGuaranteedRef { parcel in
      let delivery = unsafeDowncast(parcel, to: Delivery.self)
      plan = delivery.plan
      job = pool == nil ? nil : delivery.job
    }
    plan.adopt(rendersAhead: job != nil)
  }

  /// The plan that renders now. For the render thread, and for anyone while nothing renders.
  package var presentPlan: RenderPlan { plan }

  /// What a status thrown by ``render(sampleTime:frames:deliver:)`` was about: the node that failed first, and what its
  /// unit knows.
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
}
