import AudioCore
import BatchRender
import Glibc
import Processes

/// Measures several renders beside each other, in turn: what slows the machine down slows all of them.
package final class BenchRun {
  /// One thing that is measured, by a worker of its own.
  package struct Case: Sendable {
    /// The name that distinguishes it from the others: `512 frames, 2 threads`.
    package let name: String
    /// The title of the render: the same in all cases of a graph.
    package let title: String
    /// The varied value, if that is a number above 0: cases of one title and group make a curve.
    package let varied: Double?
    package let group: String
    package let subject: BenchSubject
    /// The command that starts its worker.
    package let words: [String]

    package init(
      name: String, title: String = "", varied: Double? = nil, group: String = "", subject: BenchSubject,
      words: [String]
    ) {
      (self.name, self.title, self.varied, self.group) = (name, title, varied, group)
      (self.subject, self.words) = (subject, words)
    }
  }

  package struct Options: Sendable {
    /// For all cases together, of measuring.
    package var seconds = 10.0
    /// At which uncertainty of a figure it is given, as a share; above, there is none.
    package var tolerance = 0.05
    /// At which uncertainty no more is measured.
    package var goal = 0.005
    /// At least and at most.
    package var rounds = 15...2000
    /// The number of times that all workers are started anew meanwhile, on the next processor: the place of code and
    /// data in memory makes some per cent of difference, by chance, as long as a process lives.
    package var launches = 1

    package init() {}
  }

  /// The result of a case.
  package struct Result: Sendable {
    package let one: Case
    package var name: String { one.name }
    package var subject: BenchSubject { one.subject }
    package let facts: BenchFacts
    /// The time of one frame, nanoseconds: of the thread's own work if it renders alone, by wall clock with several
    /// threads. If the length was given, it includes all that belongs to a render of the whole sound.
    package let frame: Statistics
    /// The number of blocks that were left out as the warm-up.
    package let warmUpBlocks: Int
    /// The times of the calls of all blocks, in order, nanoseconds.
    package let slices: [Float]
    /// The time of each node itself, nanoseconds a frame; empty if several threads render.
    package let nodes: [(name: String, frame: Statistics)]
    /// The processor's counts for a frame, by name; empty if it has no counters for programs.
    package let counters: [(name: String, frame: Statistics)]
    /// The extra time of a block with the nodes' meters, as a share.
    package let meterOverhead: Double?
    /// Reading of files, nanoseconds a frame.
    package let readingFrame: Double
    /// The launch that each round belongs to.
    package let launches: [Int]
    /// Nanoseconds a frame of each round's block, the warm-up not left out: of the whole, and of each node.
    package let rounds: [Double]
    package let nodeRounds: [(name: String, values: [Double])]
    /// True when the figure is too uncertain to be given: by more than the tolerance, and by more than clocks resolve.
    package var isNoisy: Bool { isNoisy(frame) }

    /// The same of a node.
    package func isNoisy(_ frame: Statistics) -> Bool {
      let half = (frame.interval.upperBound - frame.interval.lowerBound) / 2
      return frame.uncertainty > tolerance && half * Double(subject.slice) > BenchRun.clockNanoseconds
    }

    /// The sum of all nodes whose figure is given, nanoseconds a frame, by wall clock.
    package var nodesTogether: Double { nodes.reduce(0) { isNoisy($1.frame) ? $0 : $0 + $1.frame.median } }

    /// True when that exceeds the thread's own time by more than meters take: a unit waits in its render call.
    package var waits: Bool {
      let meters = Double(nodes.count) * BenchComparison.meterNanoseconds / Double(subject.slice)
      return nodesTogether > 1.2 * frame.median + 2 * meters
    }
    let tolerance: Double

    package var realtimeFactor: Double { 1e9 / frame.median / facts.sampleRate }

    /// The costs of blocks, without the warm-up: of a frame, or of the whole sound if its length was given;
    /// nanoseconds.
    package var growingCosts: [Double] {
      let values = Array(rounds[warmUpBlocks...])
      return subject.lengthSeconds == nil ? values : values.map { $0 * Double(facts.lengthFrames) }
    }
  }

  private final class Running {
    let one: Case
    var worker: WorkerProcess
    let facts: BenchFacts
    var launches: [Int] = []
    var slicesOfBlock = 1
    var plain: [BenchBlock] = []
    var metered: [BenchBlock] = []

    init(_ one: Case, _ worker: WorkerProcess, _ facts: BenchFacts) {
      (self.one, self.worker, self.facts) = (one, worker, facts)
    }

    var metersNodes: Bool { one.subject.threads == 1 }

    func figure(_ block: BenchBlock) -> Double {
      let calls = metersNodes ? block.threadNanoseconds : block.wallNanoseconds
      let rest = one.subject.lengthSeconds == nil ? 0 : block.readingNanoseconds
      return (calls + rest) / Double(block.frames)
    }

    /// Without the warm-up.
    var figures: (warmUp: Int, values: [Double]) {
      let all = plain.map(figure)
      let warmUp = Statistics.warmUp(all)
      return (warmUp, Array(all[warmUp...]))
    }
  }

  /// The length of a block: it includes some scheduling of the system, and many go into a second.
  private static let blockNanoseconds = 10e6
  /// In a block: each call's time is answered.
  private static let mostSlices = 1 << 14
  /// Differences of less than this in a render call are the clocks' own.
  static let clockNanoseconds = 10.0
  private static let patienceSeconds = 60.0

  private let cases: [Running]
  private let options: Options

  /// Starts the workers.
  /// - Throws: the workers' errors about their graphs.
  package init(_ cases: [Case], options: Options) throws(BenchError) {
    self.options = options
    var running: [Running] = []
    for one in cases {
      do {
        let (worker, facts) = try Self.start(one, on: options.launches > 1 ? 0 : nil)
        running.append(Running(one, worker, facts))
      } catch {
        // The place of a graph's error is in the graph: here it is one of several.
        throw error.place.isEmpty || error.kind == .graph ? error.inside(one.title) : error
      }
    }
    self.cases = running
  }

  package var facts: [BenchFacts] { cases.map(\.facts) }

  /// - Parameter processor: nil: any.
  private static func start(_ one: Case, on processor: Int?) throws(BenchError) -> (WorkerProcess, BenchFacts) {
    let worker: WorkerProcess
    do { worker = try WorkerProcess(one.words) } catch {
      throw BenchError(.render, at: one.words[0], "cannot be started: \(error.reason)")
    }
    var wanted = one.subject
    wanted.processor = processor
    worker.send(Array(JSONMessage.data(wanted)))
    guard case .ready(let facts) = try answer(worker, one) else {
      throw BenchError(.render, at: one.name, "its process does not say what it renders")
    }
    return (worker, facts)
  }

  /// Measures until every figure is certain enough, or the time is over.
  /// - Parameter progress: called after each round with the share of the time.
  package func run(progress: (Double) -> Void) throws(BenchError) -> [Result] {
    for one in cases { try calibrate(one) }
    let start = ContinuousClock.now
    var round = 0
    var launch = 0
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    while round < options.rounds.upperBound {
      let elapsed = start.duration(to: .now) / .seconds(1)
      if elapsed >= options.seconds / Double(options.launches) * Double(launch + 1), launch + 1 < options.launches {
        launch += 1
        for one in cases { one.worker = try Self.start(one.one, on: launch % processors).0 }
      }
      // Each begins as often as the others.
      for index in cases.indices {
        let one = cases[(index + round) % cases.count]
        one.launches.append(launch)
        one.plain.append(try block(one, metersNodes: false))
        if one.metersNodes { one.metered.append(try block(one, metersNodes: true)) }
      }
      round += 1
      let now = start.duration(to: .now) / .seconds(1)
      progress(now / options.seconds)
      guard round >= options.rounds.lowerBound, launch + 1 == options.launches else { continue }
      if now >= options.seconds { break }
      if options.launches > 1 { continue }
      if round.isMultiple(of: 10), cases.allSatisfy({ isCertain($0) }) { break }
    }
    return cases.map(result)
  }

  /// The first frames of a case's sound, interleaved, rendered into a file of a folder that is there.
  package func sound(ofCase index: Int, frames: Int64, in folder: String) throws(BenchError) -> [Float] {
    let path = "\(folder)/sound-\(index)"
    let one = cases[index]
    guard case .sound = try ask(one.worker, .sound(frames: frames, path: path), one.one) else {
      throw BenchError(.render, at: one.one.name, "its process does not say what it has rendered")
    }
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: path, atMost: 1 << 32) } catch {
      throw BenchError(.render, at: one.one.name, "what it has rendered cannot be read: \(error.clause)")
    }
    FileSystem.unlink(path)
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  private func isCertain(_ one: Running) -> Bool {
    let (warmUp, values) = one.figures
    // Most of the warm-up's limit: it may not be over yet.
    return warmUp < one.plain.count / 2 && Statistics(values).uncertainty <= options.goal
  }

  /// Finds how many slices make a block.
  private func calibrate(_ one: Running) throws(BenchError) {
    // A sound whose length matters is rendered from its beginning to its end.
    let whole = Int((one.facts.lengthFrames + Int64(one.one.subject.slice) - 1) / Int64(one.one.subject.slice))
    let unit = one.one.subject.lengthSeconds == nil ? 1 : whole
    one.slicesOfBlock = unit
    while true {
      let block = try block(one, metersNodes: false)
      let took = block.wallNanoseconds + block.readingNanoseconds
      if took >= Self.blockNanoseconds / 2 || one.slicesOfBlock >= Self.mostSlices { break }
      let factor = took > 0 ? Self.blockNanoseconds / took : 64
      let wanted = min(
        Self.mostSlices, max(one.slicesOfBlock + 1, Int(clamping: Double(one.slicesOfBlock) * min(64, factor))))
      one.slicesOfBlock = (wanted + unit - 1) / unit * unit
    }
  }

  private func block(_ one: Running, metersNodes: Bool) throws(BenchError) -> BenchBlock {
    guard
      case .block(let block) = try ask(
        one.worker, .block(slices: one.slicesOfBlock, metersNodes: metersNodes), one.one)
    else { throw BenchError(.render, at: one.one.name, "its process does not say how long it took") }
    return block
  }

  private func ask(_ worker: WorkerProcess, _ request: BenchRequest, _ one: Case) throws(BenchError) -> BenchAnswer {
    worker.send(Array(JSONMessage.data(request)))
    return try Self.answer(worker, one)
  }

  private static func answer(_ worker: WorkerProcess, _ one: Case) throws(BenchError) -> BenchAnswer {
    try BenchAnswer.from(worker, patienceSeconds, at: one.words[0])
  }

  private static func medianCall(_ block: BenchBlock) -> Double {
    Statistics.quantile(block.sliceNanoseconds.map(Double.init).sorted(), 0.5)
  }

  private func result(_ one: Running) -> Result {
    let (warmUp, values) = one.figures
    let measured = one.plain[warmUp...]
    let metered = one.metered.dropFirst(min(warmUp, one.metered.count))
    let nodeRounds =
      one.metered.isEmpty
      ? []
      : one.facts.nodes.enumerated().map { index, name in
        (name: name, values: one.metered.map { $0.nodeNanosecondsPerFrame(index) ?? 0 })
      }
    let nodes = one.facts.nodes.enumerated().compactMap { index, name -> (name: String, frame: Statistics)? in
      let values = metered.compactMap { $0.nodeNanosecondsPerFrame(index) }
      return values.isEmpty ? nil : (name, Statistics(values))
    }
    // Render calls of the same round are compared: a disturbance of one has slowed the other too.
    let overheads = zip(measured, metered).map { plain, metered in
      Self.medianCall(metered) / max(1, Self.medianCall(plain)) - 1
    }
    let counters = (one.facts.counters ?? []).enumerated().compactMap {
      index, name -> (name: String, frame: Statistics)? in
      let values = measured.compactMap { block in
        block.counts.flatMap { $0.indices.contains(index) ? Double($0[index]) / Double(block.frames) : nil }
      }
      return values.isEmpty ? nil : (name, Statistics(values))
    }
    return Result(
      one: one.one, facts: one.facts, frame: Statistics(values), warmUpBlocks: warmUp,
      slices: measured.flatMap(\.sliceNanoseconds).sorted(), nodes: nodes,
      counters: counters, meterOverhead: overheads.isEmpty ? nil : Statistics(overheads).median,
      readingFrame: Statistics(measured.map { $0.readingNanoseconds / Double($0.frames) }).median,
      launches: one.launches, rounds: one.plain.map(one.figure), nodeRounds: nodeRounds,
      tolerance: options.tolerance)
  }
}
