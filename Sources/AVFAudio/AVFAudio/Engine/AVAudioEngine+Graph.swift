import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import Hardware
import RenderGraph

extension AVAudioEngine {
  /// The format and the longest slice of what is rendered.
  var target: (format: AVAudioFormat, maximumFrames: Int) {
    if let mode { return (mode.format, Int(mode.maximumFrames)) }
    return (link?.format ?? hardware.outputFormat, DeviceConfiguration.bufferFrameCounts.upperBound)
  }

  /// True where slices are rendered that cannot wait for the graph to be compiled: edits compile it.
  var rendersLive: Bool { isRunning && mode?.mode != .offline }

  /// Compiles the nodes that lead to the output, and hands the plan to the thread that renders. Units whose formats stay
  /// keep their state; the others begin anew.
  /// - Throws: As ``start()``.
  func compile() throws {
    let target = target
    let rendered = upstream(of: outputNode)
    let plan = try plan(of: rendered, sampleRate: target.format.sampleRate, maximumFrames: target.maximumFrames)
    if let renderer { renderer.update(to: plan) } else { renderer = GraphRenderer(plan) }
    let sinks = try compileSinks(besides: rendered, maximumFrames: target.maximumFrames)
    self.rendered = rendered + sinks.flatMap(\.nodes)
    needsCompiling = false
    betweenSlices { liveSinks = sinks }
    // A tap has the microphone heard that nothing is connected to.
    let isAlone = input?.tap != nil && !self.rendered.contains { $0 === input }
    for node in self.rendered + (isAlone ? [input].compactMap { $0 } : []) {
      if node is any SourceMixer { node.applyMixing() }
      (node as? AVAudioPlayerNode)?.followLatency()
      if let tap = node.tap {
        let format = node.tapFormat
        tap.prepare(format, maximumFrames: target.maximumFrames) { betweenSlices($0) }
      }
    }
  }

  /// Makes a plan of nodes, the first of which is the head.
  /// - Parameter microphone: takes the place of the input node; nil: that is one of the nodes.
  private func plan(
    of nodes: [AVAudioNode], sampleRate: Double, maximumFrames: Int, microphone: BlockUnit? = nil
  ) throws -> RenderPlan {
    let graph = Graph(sampleRate: sampleRate, maximumFramesPerSlice: maximumFrames)
    for node in nodes { try open(node, maximumFrames: maximumFrames) }
    do throws(BenchError) {
      if let microphone, let input {
        try graph.add(microphone)
        try graph.setOutputFormat(input.graphFormat.wanted, of: microphone)
      }
      for node in nodes {
        try graph.add(node.unit)
        try graph.setOutputFormat(node.graphFormat.wanted, of: node.unit)
      }
      for node in nodes { try connectInputs(of: node, in: graph, microphone: microphone) }
      let taps = Set(nodes.filter { $0.tap != nil || $0.unit.hasRenderNotifies }.map(\.unit.label))
      return try graph.compile(parallel: false, taps: taps)
    } catch {
      throw NSError(.failedInitialization, error.description)
    }
  }

  /// Compiles the chains from the microphone to sinks: with hardware only.
  private func compileSinks(besides rendered: [AVAudioNode], maximumFrames: Int) throws -> [SinkChain] {
    guard mode == nil, let input else { return [] }
    return try nodes.compactMap { $0 as? AVAudioSinkNode }.filter { connection(into: $0, bus: 0) != nil }.map { sink in
      let chain = upstream(of: sink).filter { $0 !== input }
      if chain.contains(where: { node in rendered.contains { $0 === node } }) {
        throw NSError(.failedInitialization, "a node leads to a sink and to the output: each takes a chain of its own")
      }
      let plan = try plan(
        of: chain, sampleRate: input.graphFormat.sampleRate, maximumFrames: maximumFrames,
        microphone: input.makeMicrophone())
      let former = liveSinks.first { $0.sink === sink }?.renderer
      former?.update(to: plan)
      return SinkChain(sink: sink, nodes: chain, renderer: former ?? GraphRenderer(plan))
    }
  }

  /// Compiles edits while the engine renders. Edits that cannot be compiled leave slices without sound, with a status,
  /// until others can.
  func compileLive() {
    do {
      try compile()
      editFailure.store(0, ordering: .releasing)
    } catch {
      // Once for each edit.
      needsCompiling = false
      editFailure.store(Int32(clamping: (error as NSError).code), ordering: .releasing)
    }
    // A unit that is out of the graph may go to another engine.
    domain.settle()
    for unit in retired { unit.uninitialize() }
    retired = []
  }

  /// The nodes that a node pulls, and it, in an order of no meaning.
  private func upstream(of head: AVAudioNode) -> [AVAudioNode] {
    var found = [head]
    var next = 0
    while next < found.count {
      for source in inputs(of: found[next]).map(\.source) where !found.contains(where: { $0 === source }) {
        found.append(source)
      }
      next += 1
    }
    return found
  }

  func inputs(of node: AVAudioNode) -> [NodeConnection] {
    connections.filter { $0.destination === node }.sorted { $0.destinationBus < $1.destinationBus }
  }

  /// Opens a unit whose formats, length of slices or number of buses change.
  private func open(_ node: AVAudioNode, maximumFrames: Int) throws {
    let unit = node.unit
    let inputs = inputs(of: node)
    let output = node.graphFormat
    if node.keepsFormat, let input = inputs.first?.source.outputFormat(forBus: 0), input.stream != output.stream {
      throw NSError(
        .formatNotSupported, "\(type(of: node)) takes \(input) and should put out \(output): it has one format")
    }
    let mixer = node as? any SourceMixer
    let buses = max(unit.elementCount(.input), (inputs.last?.destinationBus ?? 0) + 1)
    if unit.isInitialized {
      let fits =
        unit.maximumFramesPerSlice == maximumFrames && (try? unit.streamFormat(.output)) == output.stream
        && inputs.allSatisfy {
          (try? unit.streamFormat(.input, element: $0.destinationBus)) == $0.source.outputFormat(forBus: 0).stream
        }
      if !fits || buses != unit.elementCount(.input) { unit.uninitialize() }
    }
    if buses > unit.elementCount(.input), let mixer {
      // Some to spare: a mixer with other buses begins anew.
      var count = unit.elementCount(.input)
      while count < buses { count *= 2 }
      try? unit.setElementCount(min(count, type(of: mixer).maximumInputs), .input)
    }
    mixer?.prepareToOpen()
    let sources = Dictionary(uniqueKeysWithValues: inputs.map { ($0.destinationBus, ObjectIdentifier($0.source)) })
    for (bus, source) in node.knownSources where sources[bus] != source { unit.discardConverter(ofInput: bus) }
    node.knownSources = sources
  }

  private func connectInputs(
    of node: AVAudioNode, in graph: Graph, microphone: BlockUnit?
  ) throws(BenchError) {
    for input in inputs(of: node) {
      let source = input.source === self.input ? microphone ?? input.source.unit : input.source.unit
      try graph.connect(source, output: input.sourceBus, to: node.unit, input: input.destinationBus)
    }
    guard !(node is any SourceMixer) else { return }
    // An input without a source is silent.
    for bus in 0..<node.unit.elementCount(.input) where connection(into: node, bus: bus) == nil {
      let silence = BlockUnit { $0.silence() }
      try graph.add(silence)
      try graph.setOutputFormat(node.inputFormat(forBus: bus).wanted, of: silence)
      try graph.connect(silence, to: node.unit, input: bus)
    }
  }
}

extension AVAudioFormat {
  /// The format as a graph is asked for it.
  var wanted: Graph.WantedFormat {
    Graph.WantedFormat(
      sampleRate: sampleRate, channelCount: Int(channelCount), encoding: stream?.encoding,
      isInterleaved: stream?.isInterleaved, layout: channelLayout == nil ? nil : loudspeakers)
  }

  /// The standard format of the same rate and channels.
  var standard: AVAudioFormat { stream.map { AVAudioFormat($0.floatPlanar, layout: channelLayout) } ?? self }
}
