import AudioCore
import AudioEngine
import BatchRender
import CRealtime
import Glibc
import RenderGraph

extension BenchSubject {
  /// - Throws: `.graph` and `.input` for what is wrong with it.
  func loadGraph(_ options: GraphFile.Options) throws(BenchError) -> Graph {
    var reading = options
    reading.inputs = inputs
    reading.sampleRate = sampleRate
    for setting in settings {
      reading.writtenSettings.append(try WrittenSetting(key: setting.key, text: setting.text))
    }
    return try GraphFile.parse(graph, folder: folder, options: reading)
  }
}

/// A graph that is rendered over and over, block by block, with the time that it takes. Rendering begins anew where the
/// sound ends.
final class BenchRender {
  let facts: BenchFacts
  private let graph: Graph
  private let renderer: GraphRenderer
  private let meters: NodeMeters
  private let counters: ProcessorCounters?
  private let slice: Int
  private let lengthFrames: Int64
  /// True when starting again is a part of the measurement.
  private let countsBeginnings: Bool
  private var time: Int64 = 0

  /// Sound without an end is cut here.
  private static let longestSeconds = 30.0

  /// - Throws: `.graph` and `.input` for what is wrong with the graph.
  init(_ subject: BenchSubject, options: GraphFile.Options) throws(BenchError) {
    graph = try subject.loadGraph(options)
    guard (1...graph.maximumFramesPerSlice).contains(subject.slice) else {
      throw BenchError(
        .usage, "a slice has 1 to \(graph.maximumFramesPerSlice) frames in this graph, not \(subject.slice)",
        advice: "raise \"maximumFramesPerSlice\" in the graph")
    }
    slice = subject.slice
    let plan = try graph.compile(parallel: subject.threads > 1)
    renderer = GraphRenderer(plan, threads: subject.threads)
    meters = NodeMeters(plan.allNodes)
    let output = graph.nodes[try graph.outputIndex()]
    guard let format = try? output.unit.streamFormat(.output) else {
      throw BenchError(.graph, at: "node \"\(output.name)\"", "the output has no format")
    }
    let longest = Int64(clamping: (subject.lengthSeconds ?? Self.longestSeconds) * format.sampleRate)
    // A sound that is shorter than the given length has silence behind it.
    let end = try subject.lengthSeconds == nil ? graph.soundEnd().sources.map { min($0, longest) } ?? longest : longest
    lengthFrames = max(end, Int64(subject.slice))
    countsBeginnings = subject.lengthSeconds != nil
    // Several threads would have to be counted each by itself.
    let counting = subject.threads == 1 ? ProcessorCounters.open() : (counters: nil, failure: "several threads render")
    counters = counting.counters
    facts = BenchFacts(
      version: Program.version, isReleaseBuild: Self.isReleaseBuild, sampleRate: format.sampleRate,
      channels: format.channelCount, lengthFrames: lengthFrames,
      maximumFrames: graph.maximumFramesPerSlice, counters: counting.counters?.names,
      countersFailure: counting.failure, nodes: plan.allNodes.map(\.name),
      realtimeExceptions: Self.realtimeExceptions(of: graph),
      leavesHardwareOut: graph.scriptedOutput == nil ? nil : true)
    try beginAnew()
  }

  private static func realtimeExceptions(of graph: Graph) -> [String: String] {
    var exceptions: [String: String] = [:]
    for node in graph.nodes { exceptions[node.name] = node.unit.component.realtimeException }
    return exceptions
  }

  private static var isReleaseBuild: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// Renders some slices and says how long each took.
  ///
  /// Each call is timed by the processor's counter. The thread's own time, which does not change if another program
  /// takes the processor away, is read for the whole block and for each reading of files: that takes a system call,
  /// whose own time is subtracted.
  func block(slices: Int, metersNodes: Bool) throws(BenchError) -> BenchBlock {
    var times: [Float] = []
    times.reserveCapacity(slices)
    var ticks: UInt64 = 0
    var reading = 0.0
    var nodeFrames = 0
    var beginnings = 0
    meters.clear()
    meters.isOn = metersNodes
    defer { meters.isOn = false }
    let questionCost = Self.costOfAsking()
    let clock = (start: Self.nanoseconds(CLOCK_MONOTONIC), ticks: NodeMeters.now())
    let counted = counters?.counts
    let worked = Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID)
    for _ in 0..<slices {
      if time + Int64(slice) > lengthFrames {
        // The first slice belongs to no figure of a node: its frames are not counted either.
        if metersNodes { meters.mark() }
        reading += try measured { () throws(BenchError) in try beginAnew() }
        if metersNodes { meters.takeBack() }
        beginnings += 1
      }
      reading += try measured { renderer.prefetch(sampleTime: time, frames: slice) }
      let switches = metersNodes ? realtime_involuntary_switches() : 0
      if metersNodes { meters.mark() }
      let called = NodeMeters.now()
      try render(frames: slice)
      let took = NodeMeters.now() - called
      if metersNodes {
        if realtime_involuntary_switches() == switches { nodeFrames += slice } else { meters.takeBack() }
      }
      ticks += took
      times.append(Float(took))
    }
    let counts = counters.map { zip($0.counts, counted ?? []).map { $0 &- $1 } }
    let all = Double(Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID) - worked)
    let factor =
      Double(Self.nanoseconds(CLOCK_MONOTONIC) - clock.start) / Double(max(1, NodeMeters.now() - clock.ticks))
    return BenchBlock(
      frames: (slices + (countsBeginnings ? beginnings : 0)) * slice, wallNanoseconds: Double(ticks) * factor,
      threadNanoseconds: max(0, all - reading - Double(slices) * questionCost), readingNanoseconds: reading,
      sliceNanoseconds: times.map { $0 * Float(factor) },
      nodeNanoseconds: metersNodes ? meters.readings.map { Double($0.meter.ticks) * factor } : [],
      nodeFrames: nodeFrames, counts: counts)
  }

  /// Renders some slices, and nothing else.
  func render(slices: Int) throws(BenchError) {
    for _ in 0..<slices {
      if time + Int64(slice) > lengthFrames { try beginAnew() }
      renderer.prefetch(sampleTime: time, frames: slice)
      try render(frames: slice)
    }
  }

  /// The thread's own time for some work, nanoseconds.
  private func measured(_ body: () throws(BenchError) -> Void) throws(BenchError) -> Double {
    let start = Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID)
    try body()
    return Double(Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start)
  }

  /// The part of the two clock readings of ``measured(_:)`` that lies outside of its result, nanoseconds.
  private static func costOfAsking() -> Double {
    let count = 64
    var inside: UInt64 = 0
    let start = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
    for _ in 0..<count {
      let one = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
      inside += nanoseconds(CLOCK_THREAD_CPUTIME_ID) - one
    }
    return Double(nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start - inside) / Double(count)
  }

  /// The first frames, from the beginning, as Float32, interleaved.
  func sound(frames: Int64, to path: String) throws(BenchError) -> Int {
    try beginAnew(silently: true)
    let file = try AtomicFile(path: path, overwrites: true)
    var left = min(frames, lengthFrames)
    var failure: BenchError?
    while left > 0 {
      let count = Int(min(Int64(slice), left))
      var bytes: [Float] = []
      renderer.prefetch(sampleTime: time, frames: count)
      try render(frames: count) { buffer, frames in
        for frame in 0..<frames {
          for channel in 0..<buffer.count {
            bytes.append(buffer.buffers[channel].assumingMemoryBound(to: Float.self)[frame])
          }
        }
      }
      do { try file.append(bytes.withUnsafeBytes { Array($0) }) } catch { failure = error }
      if let failure { throw failure }
      left -= Int64(count)
    }
    try file.publish()
    try beginAnew()
    return facts.channels
  }

  private func render(frames: Int, deliver: (BusBuffer, Int) -> Void = { _, _ in }) throws(BenchError) {
    do {
      try renderer.render(sampleTime: time, frames: frames) { buffer, _, count in deliver(buffer, count) }
    } catch {
      throw renderer.failure(for: error)
    }
    time += Int64(frames)
  }

  /// - Parameter silently: true if the next caller renders the first slice.
  private func beginAnew(silently: Bool = false) throws(BenchError) {
    graph.reset()
    time = 0
    guard !silently else { return }
    // Players go back to the beginning of their files.
    renderer.prefetch(sampleTime: 0, frames: slice)
    try render(frames: slice)
  }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
