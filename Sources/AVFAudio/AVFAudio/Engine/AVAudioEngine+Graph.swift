import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import RenderGraph

extension AVAudioEngine {
  /// Compiles the nodes that lead to the output. Units whose formats stay keep their state; the others begin anew.
  /// - Throws: As ``start()``.
  func compile() throws {
    guard let mode else { return }
    for unit in retired { unit.uninitialize() }
    retired = []
    let frames = Int(mode.maximumFrames)
    let graph = Graph(sampleRate: mode.format.sampleRate, maximumFramesPerSlice: frames)
    rendered = upstream(of: outputNode)
    for node in rendered { try open(node, maximumFrames: frames) }
    do throws(BenchError) {
      for node in rendered {
        try graph.add(node.unit)
        try graph.setOutputFormat(node.outputFormat(forBus: 0).wanted, of: node.unit)
      }
      for node in rendered { try connectInputs(of: node, in: graph) }
      let taps = Set(rendered.filter { $0.tap != nil }.map(\.unit.label))
      renderer = GraphRenderer(try graph.compile(parallel: false, taps: taps))
    } catch {
      throw NSError(.failedInitialization, error.description)
    }
    for node in rendered where node is any SourceMixer { node.applyMixing() }
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
    let output = node.outputFormat(forBus: 0)
    if node.keepsFormat, let input = inputs.first?.source.outputFormat(forBus: 0), input.stream != output.stream {
      throw NSError(
        .formatNotSupported, "\(type(of: node)) takes \(input) and should put out \(output): it has one format")
    }
    let mixer = node as? any SourceMixer
    mixer?.prepareToOpen()
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
    let sources = Dictionary(uniqueKeysWithValues: inputs.map { ($0.destinationBus, ObjectIdentifier($0.source)) })
    for (bus, source) in node.knownSources where sources[bus] != source { unit.discardConverter(ofInput: bus) }
    node.knownSources = sources
  }

  private func connectInputs(of node: AVAudioNode, in graph: Graph) throws(BenchError) {
    for input in inputs(of: node) {
      try graph.connect(input.source.unit, output: input.sourceBus, to: node.unit, input: input.destinationBus)
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
