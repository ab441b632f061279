// The path of one slice: caller. Runs on the thread that calls `render`; everything that may allocate, wait or touch
// files happens here, between the render calls.

import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits
import Glibc
import Hardware
import Processes
import RenderGraph
import SoundFile
import Tags
import Transcripts

/// Pulls a graph faster than realtime into a file or into memory.
public final class OfflineRenderer {
  /// The options of a render besides its output.
  public struct Options {
    /// Until the sources and their tail have ended, unless set.
    public var length = RenderLength.standard
    /// Frames per render call; nil: the graph's maximum.
    public var sliceFrames: Int?
    /// Threads that render, this one included; with two or more the file is written by another one besides.
    public var threads = 1
    /// Drop the graph's reported latency from the beginning. A stated number of frames or seconds stays, any other length
    /// is so much shorter.
    public var trimsLatency = false
    /// Node outputs to be written to files of their own in the same pass.
    public var taps: [Tap] = []
    /// Nodes whose outputs are to be kept in memory besides: ``RenderReport/tapped``. For short renders.
    public var memoryTaps: Set<String> = []
    /// If it has texts, these are written to all files in place of the sources'.
    public var writer = SoundFileWriterOptions()
    /// True when the texts (title, artist …), further tags and pictures are copied that all files have in common which
    /// are played into an output.
    public var keepsMetadata = true
    /// Tags and a cover to be set or taken away in all files, whatever the sources have.
    public var tags = TagChanges()
    /// Leave the units initialized, with their state, for a further render of the same graph.
    public var keepsUnitsInitialized = false
    /// Changes that are made while it renders; nil: none. See ``RenderEdits``.
    public var edits: RenderEdits?
    /// Called some times a second; the render goes on while it answers true.
    public var progress: ((RenderProgress) -> Bool)?

    /// The sources and their tail, in slices of the graph's maximum, on one thread, into one output.
    public init() {}
  }

  /// A node's output that is written to a file of its own.
  public struct Tap {
    /// The node's name in the graph. A node can be tapped into one file.
    public var node: String
    /// The path of the file: not that of the output or of another tap.
    public var path: String
    /// Container and encoding; rate and channels are those of the node's output.
    public var format: SoundFileFormat
    /// The render checks that the node exists (`.graph`).
    public init(node: String, path: String, format: SoundFileFormat) {
      self.node = node
      self.path = path
      self.format = format
    }
  }

  /// Compiled anew by every render.
  public let graph: Graph

  /// Nothing is looked at before the first render.
  public init(_ graph: Graph) { self.graph = graph }

  /// Renders to a sound file. The file appears when it is whole; on an error nothing is left of it.
  /// - Throws: `.graph` and `.input` for what is wrong before the first frame, `.render` and `.input` for what goes
  ///   wrong on the way, `.output` for the file, `.interrupted` where `progress` answered false.
  public func render(
    to path: String, as format: SoundFileFormat? = nil, options: Options = Options()
  ) throws(BenchError) -> RenderReport {
    let format = if let format { format } else { try SoundFileFormat(path: path) }
    var paths = [path]
    for (index, tap) in options.taps.enumerated() {
      if options.taps[..<index].contains(where: { $0.node == tap.node }) {
        throw BenchError(.usage, at: "node \"\(tap.node)\"", "is tapped twice", advice: "leave one of the two out")
      }
      defer { paths.append(tap.path) }
      guard paths.contains(where: { ByteText.isSame($0, tap.path) }) else { continue }
      throw BenchError(
        .usage, at: tap.path, "two outputs of one render would be this file", advice: "give the tap another name")
    }
    let (report, _) = try render(options: options) { (output, frames) throws(BenchError) -> any AudioSink in
      try SoundFileSink(
        path, format, output, frames: frames, tags: options.tags(of: graph, node: graph.outputIndex()),
        options: options.writer)
    }
    return report
  }

  /// Renders into memory: one array per channel.
  public func renderToMemory(options: Options = Options()) throws(BenchError) -> (
    channels: [[Float]], report: RenderReport
  ) {
    let (report, sink) = try render(options: options) { (output, frames) throws(BenchError) -> any AudioSink in
      try MemorySink(output, frames: frames)
    }
    return ((sink as? MemorySink)?.channels ?? [], report)
  }

  /// Renders into a sink.
  /// - Parameter makeSink: called with the output's format, and its length where that is known, before the first frame.
  package func render(
    options: Options, makeSink: (StreamFormat, Int64?) throws(BenchError) -> any AudioSink
  ) throws(BenchError) -> (RenderReport, any AudioSink) {
    let clock = Stopwatch()
    let slice = options.sliceFrames ?? graph.maximumFramesPerSlice
    guard (1...graph.maximumFramesPerSlice).contains(slice) else {
      throw BenchError(
        .usage, "a slice has 1 to \(graph.maximumFramesPerSlice) frames in this graph, not \(slice)",
        advice: "raise \"maximumFramesPerSlice\" in the graph")
    }
    defer { if !options.keepsUnitsInitialized { graph.uninitialize() } }
    let compile = { [graph] () throws(BenchError) in
      let plan = try graph.compile(
        parallel: options.threads > 1, taps: options.memoryTaps.union(options.taps.map(\.node)))
      if let recorder = CallRecorder.shared { plan.record(by: recorder) }
      return plan
    }
    if let (unit, scenario) = graph.scriptedOutput {
      return try render(scenario, of: unit, options, makeSink, compile, clock)
    }
    var plan = try compile()
    let output = try outputFormat()
    let end = try graph.soundEnd()
    let skip = options.trimsLatency ? end.latencyFrames : 0
    let length = try exactLength(options, end, output)
    let longTails = if case .sources(tail: true) = options.length { end.longTails } else { [String]() }
    if try preflight(options, output: output, end: end, length: length, clock: clock) { plan = try compile() }
    let sink = try makeSink(output.floatPlanar, length.frames)
    do throws(BenchError) {
      var report = try run(
        plan, into: sink, options, output: output, length: length, skip: skip, slice: slice, longTails, clock, compile)
      report.levelsNotSet = graph.nodes.compactMap { node in
        (node.unit as? Normalizer)?.passesAsItIs.map { (node.name, $0) }
      }
      report.firstNonFiniteNode = firstNonFiniteNode(report, options, skip: skip)
      return (report, sink)
    } catch {
      sink.discard()
      throw error
    }
  }

  /// The length of the render, whose frames are checked against the memory that there is.
  private func exactLength(
    _ options: Options, _ end: SoundEnd, _ output: StreamFormat
  ) throws(BenchError) -> ExactLength {
    if case .sources = options.length, end.sources == nil,
      let unit = graph.nodes[try graph.outputIndex()].unit.deviceOutput
    {
      throw BenchError(
        .usage, at: "node \"\(unit.label)\"", "has no scenario, and nothing else says how long it is rendered",
        advice: "set its \"scenario\", or give a length, as --seconds 10")
    }
    var end = end
    if options.trimsLatency { end.latencyFrames = 0 }
    let length = try ExactLength(options.length, end: end, sampleRate: output.sampleRate)
    if let silence = length.silence {
      var budget = MemoryBudget()
      try budget.add(
        MemoryBudget.product(Int(clamping: silence.hold), output.channelCount, 4), for: "the hold until silence",
        of: "the render")
    }
    return length
  }

  /// Renders a plan from its first frame to the end; the files can be seen then, and nothing renders any more.
  private func run(
    _ plan: RenderPlan, into sink: any AudioSink, _ options: Options, output: StreamFormat, length: ExactLength,
    skip: Int64, slice: Int, _ longTails: [String], _ clock: Stopwatch,
    _ compile: @escaping () throws(BenchError) -> RenderPlan
  ) throws(BenchError) -> RenderReport {
    let run = try RenderRun(
      plan: plan, output: output, length: length, skip: skip, sink: sink, options: options, clock: clock)
    if !longTails.isEmpty { run.watchesEnd = true }
    let taps = try TapWriters(options, plan: plan, graph: graph, length: length)
    run.recompile = { () throws(BenchError) in
      let plan = try compile()
      taps.attach(to: plan)
      return plan
    }
    try run.render(slice: slice, taps: taps)
    let tapReports = try taps.complete(frames: run.framesWritten)
    let file = try sink.end()
    // All are whole before any can be seen.
    try sink.publish()
    try taps.publish()
    var report = RenderReport(
      frames: run.framesWritten, sampleRate: output.sampleRate, channelCount: output.channelCount,
      elapsedSeconds: clock.seconds, peakDecibels: file?.inFileOrder(run.peaks.decibels) ?? run.peaks.decibels,
      nonFiniteSamples: run.peaks.nonFinite,
      nonFiniteFiles: graph.nonFiniteFiles, nonFiniteNodes: run.nonFiniteNodes, reachedCap: run.reachedCap,
      clippingNodes: run.clippingNodes, idleNodes: try graph.idleNodes(), file: file, taps: tapReports,
      tapped: taps.inMemory, inputWarnings: graph.inputWarnings)
    report.cutTail = run.levelAtEnd.map { RenderReport.CutTail(nodes: longTails, levelDecibels: $0) }
    return report
  }

  /// Renders a graph that the hardware of a scenario pulls.
  private func render(
    _ scenario: Scenario, of unit: DeviceOutput, _ options: Options,
    _ makeSink: (StreamFormat, Int64?) throws(BenchError) -> any AudioSink,
    _ compile: @escaping () throws(BenchError) -> RenderPlan, _ clock: Stopwatch
  ) throws(BenchError) -> (RenderReport, any AudioSink) {
    try checkScripted(unit, options)
    let frames = try ScenarioRun.frames(
      options.length, of: scenario, sampleRate: scenario.device.sampleRate, place: "node \"\(unit.label)\"")
    // An earlier render leaves no state behind.
    graph.uninitialize()
    try unit.hardware.follow(ScenarioRun.prepared(scenario))
    defer {
      unit.hardware.listener = nil
      try? unit.hardware.follow(scenario)
    }
    unit.adoptHardware()
    let plan = try compile()
    let output = try outputFormat()
    let sink = try makeSink(output.floatPlanar, frames)
    do throws(BenchError) {
      let run = try ScenarioRun(
        unit, plan: plan, output: output, frames: frames, sink: sink, options: options, clock: clock,
        recompile: compile)
      try run.render()
      let file = try sink.end()
      try sink.publish()
      var report = RenderReport(
        frames: run.framesWritten, sampleRate: output.sampleRate, channelCount: output.channelCount,
        elapsedSeconds: clock.seconds, peakDecibels: file?.inFileOrder(run.peaks.decibels) ?? run.peaks.decibels,
        nonFiniteSamples: run.peaks.nonFinite,
        nonFiniteFiles: graph.nonFiniteFiles, nonFiniteNodes: run.nonFiniteNodes, reachedCap: false,
        clippingNodes: run.clippingNodes, idleNodes: try graph.idleNodes(), file: file, taps: [], tapped: [:],
        inputWarnings: graph.inputWarnings)
      // A scenario is played once: only what files let in is known.
      if report.hasNonFiniteSamples { report.firstNonFiniteNode = report.nonFiniteFiles.firstNode }
      return (report, sink)
    } catch {
      sink.discard()
      throw error
    }
  }

  /// Refuses what does not go with a scenario, which pulls in slices of its own and plays once.
  private func checkScripted(_ unit: DeviceOutput, _ options: Options) throws(BenchError) {
    let place = "node \"\(unit.label)\""
    guard options.sliceFrames == nil else {
      throw BenchError(
        .usage, at: place, "follows a scenario, which says in which slices it is pulled",
        advice: "leave --slice out, or write \"slices\" into the scenario")
    }
    guard options.taps.isEmpty, options.memoryTaps.isEmpty, options.edits == nil, !options.trimsLatency else {
      throw BenchError(
        .usage, at: place, "follows a scenario: nothing is tapped, edited or trimmed then", advice: "leave that out")
    }
    for node in graph.nodes where (node.unit as? any OfflineUnit)?.wantsPreflight ?? false {
      throw BenchError(
        .usage, at: "node \"\(node.name)\"", "has to see the whole sound first, and hardware plays it once",
        advice: "render into a file, and play that")
    }
  }

  private func outputFormat() throws(BenchError) -> StreamFormat {
    let node = graph.nodes[try graph.outputIndex()]
    do { return try node.unit.streamFormat(.output) } catch {
      throw BenchError(.graph, at: "node \"\(node.name)\"", "the output has no format")
    }
  }
}

extension OfflineRenderer.Options {
  /// The tags of the file with the graph's output.
  package func tags(of graph: Graph) throws(BenchError) -> SoundTags { tags(of: graph, node: try graph.outputIndex()) }

  /// The tags of the file with a node's output.
  func tags(of graph: Graph, node: Int) -> SoundTags {
    let keepsSources = keepsMetadata && writer.metadata.isEmpty
    let kept = keepsSources ? graph.tags(ofNode: node) : SoundTags(metadata: writer.metadata)
    var tags = tags.applied(to: kept)
    tags.layout = graph.nodes[node].unit.outputs.first?.layout
    return tags
  }
}

/// A length, made out: a fixed number of frames, or a search for silence.
struct ExactLength {
  /// Known beforehand.
  let frames: Int64?
  /// For a search: from where on, how quiet, for how long, and where it ends at the latest.
  let silence: (from: Int64, threshold: Float, hold: Int64, cap: Int64)?

  init(_ length: RenderLength, end: SoundEnd, sampleRate: Double) throws(BenchError) {
    func frames(_ seconds: Double, _ what: String) throws(BenchError) -> Int64 {
      guard let frames = FrameCount.from(seconds: seconds, sampleRate: sampleRate) else {
        throw BenchError(.usage, "\(what) of \(seconds) seconds is not a length of time that can be rendered")
      }
      return frames
    }
    switch length {
    case .frames(let count):
      guard (0...(1 << 62)).contains(count) else {
        throw BenchError(.usage, "a render has 0 to \(Int64(1) << 62) frames, not \(count)")
      }
      self.frames = count
      silence = nil
    case .seconds(let seconds):
      self.frames = try frames(seconds, "a length")
      silence = nil
    case .sources(let tail):
      guard let sources = end.sources else {
        throw BenchError(
          .usage, "a source of the graph never ends, so the render has no end of its own",
          advice: "give a length in seconds or frames: --seconds, --frames or --until-silent")
      }
      self.frames = sources + (tail ? end.latencyFrames + end.tailFrames : 0)
      silence = nil
    case .untilSilent(let threshold, let hold, let cap):
      guard threshold.isFinite, threshold < 0 else {
        throw BenchError(.usage, "the threshold of silence is a level below 0 dBFS, not \(threshold)")
      }
      let sources = end.sources ?? 0
      let beyond = try frames(60, "a cap")
      var most = sources + beyond
      if let cap { most = try frames(cap, "a cap") }
      self.frames = nil
      // Quiet frames are kept until the hold is over; more than the cap never come.
      let kept = min(max(1, try frames(hold, "a hold")), most + 1)
      silence = (sources, Float(Decibels.amplitude(threshold)), kept, most)
    }
  }

  /// The most frames that can come.
  var limit: Int64 { frames ?? silence?.cap ?? 0 }
}

/// Seconds since it was made.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now
  package var seconds: Double { start.duration(to: .now) / .seconds(1) }

  package init() {}
}
