import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import RenderGraph
import SoundFile
import Tags

/// A graph as it will run, in figures: what text, Graphviz and JSON are made from.
package struct GraphDescription {
  /// A node, with what its unit said while the graph was compiled.
  struct Node {
    let name: String
    let unit: Unit
    /// False: it does not lead to the output, and nothing pulls it; then there are no formats and no figures.
    let isRendered: Bool
    let input: StreamFormat?
    let output: StreamFormat?
    /// The loudspeakers of the output's channels; nil: not known.
    let layout: ChannelLayout?
    let latencyFrames: Int?
    let tailFrames: Int64?
    let preset: String?
    let source: Source?
    var bands: Int? { unit.parameterGroups.first { $0.name == "band" }?.count }
    /// True when the unit itself converts its input's format into another.
    var converts: Bool { unit.component.description.type != .mixer && input != nil && input != output }
  }

  /// A file that a node plays.
  struct Source {
    let player: FilePlayer
    let file: SoundFileInfo
    let extras: SoundExtras
    /// On the clock of the node's output; nil: never.
    let endFrame: Int64?
    /// Nil where it is that of the file.
    let convertedRate: Double?
    var region: Range<Int64> { player.region?.clamped(to: 0..<file.frameCount) ?? 0..<file.frameCount }
    /// Nil: for ever.
    var passes: Int? { player.isEndless ? nil : player.loops + 1 }
  }

  struct Connection {
    let source: String
    let sourceBus: Int
    let destination: String
    let destinationBus: Int
    let format: StreamFormat?
    /// The format behind a converter in front of the input; nil: there is none.
    let convertedFormat: StreamFormat?
  }

  let path: String
  let sampleRate: Double
  let maximumFramesPerSlice: Int
  let smoothingFrames: Int
  let output: StreamFormat
  let nodes: [Node]
  let connections: [Connection]
  /// When the longest source ends, with latencies and tails, on the output's clock.
  let end: SoundEnd
  /// True when a scenario pulls it.
  let isScripted: Bool
  /// The length of a render without options; nil: it needs one.
  var renderFrames: Int64? { end.sources.map { $0 + end.latencyFrames + end.tailFrames } }

  /// Files whose headers say something else than is there.
  private let inputWarnings: [String]

  package var warnings: [String] {
    inputWarnings + nodes.filter { !$0.isRendered }.map { RenderReport.idleWarning($0.name) }
  }

  /// Compiles the graph and looks at it.
  /// - Throws: `.graph` and `.input`, as a render would before its first frame.
  package init(_ graph: Graph, path: String) throws(BenchError) {
    _ = try graph.compile(parallel: false)
    defer { graph.uninitialize() }
    let order = try graph.renderOrder()
    let head = graph.nodes[try graph.outputIndex()]
    guard let format = try? head.unit.streamFormat(.output) else {
      throw BenchError(.graph, at: "node \"\(head.name)\"", "the output has no format")
    }
    let rendered = Set(order)
    let rest = graph.nodes.indices.filter { !rendered.contains($0) }
    self.path = path
    sampleRate = graph.sampleRate
    maximumFramesPerSlice = graph.maximumFramesPerSlice
    smoothingFrames = graph.smoothingFrames
    output = format
    nodes = (order + rest).map { Node(graph.nodes[$0], isRendered: rendered.contains($0)) }
    connections = graph.connections.map { Connection($0, in: graph, isRendered: rendered.contains($0.destination)) }
    end = try graph.soundEnd()
    isScripted = graph.scriptedOutput != nil
    inputWarnings = graph.inputWarnings
  }
}

extension GraphDescription.Node {
  fileprivate init(_ node: Graph.Node, isRendered: Bool) {
    name = node.name
    unit = node.unit
    self.isRendered = isRendered
    input = isRendered ? try? unit.streamFormat(.input) : nil
    output = isRendered ? try? unit.streamFormat(.output) : nil
    layout = isRendered ? unit.outputs.first?.layout : nil
    latencyFrames = isRendered ? unit.latencyFrames : nil
    tailFrames = isRendered ? unit.tailFrames : nil
    if case .preset(let chosen)? = try? unit.property(.presentPreset), chosen.number >= 0 {
      preset = chosen.name
    } else {
      preset = nil
    }
    if let player = unit.filePlayer, let file = player.file {
      source = .init(
        player: player, file: file, extras: SoundExtras(path: file.path),
        endFrame: isRendered ? player.sourceFrames : nil,
        convertedRate: output.flatMap { $0.sampleRate == file.sampleRate ? nil : $0.sampleRate })
    } else {
      source = nil
    }
  }
}

extension GraphDescription.Connection {
  fileprivate init(_ connection: Graph.Connection, in graph: Graph, isRendered: Bool) {
    let unit = graph.nodes[connection.destination].unit
    source = graph.nodes[connection.source].name
    sourceBus = connection.sourceBus
    destination = graph.nodes[connection.destination].name
    destinationBus = connection.destinationBus
    format = isRendered ? try? unit.streamFormat(.input, element: destinationBus) : nil
    let processed = isRendered ? unit.processingFormat(ofInput: destinationBus) : nil
    convertedFormat = format == processed ? nil : processed
  }
}

// MARK: JSON

extension GraphDescription: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "path": path, "sampleRateHertz": sampleRate, "maximumFramesPerSlice": maximumFramesPerSlice,
      "smoothingFrames": smoothingFrames, "output": output, "nodes": nodes, "connections": connections,
      "sourcesEndFrame": end.sources, "latencyFrames": end.latencyFrames, "tailFrames": end.tailFrames,
      "renderFrames": renderFrames,
    ])
  }
}

extension GraphDescription.Node: JSONRepresentable {
  var json: JSONValue {
    JSONValue([
      "id": name, "unit": unit.component.shortName, "component": "\(unit.component.description)",
      "isRendered": isRendered, "inputFormat": input, "outputFormat": output,
      "layout": layout.flatMap(\.shown), "latencyFrames": latencyFrames,
      "tailFrames": tailFrames, "preset": preset, "bands": bands, "source": source, "converts": converts,
    ])
  }
}

extension GraphDescription.Source: JSONRepresentable {
  var json: JSONValue {
    JSONValue([
      "path": file.path, "fileFrames": file.frameCount, "fileSampleRateHertz": file.sampleRate,
      "encoding": file.encodingName, "startFrame": player.startFrame, "regionStartFrame": region.lowerBound,
      "regionFrames": region.count, "passes": passes, "endFrame": endFrame,
      "conversionQuality": convertedRate.map { _ in player.quality.rawValue },
      "extras": extras.isEmpty ? nil : extras,
    ])
  }
}

extension GraphDescription.Connection: JSONRepresentable {
  var json: JSONValue {
    JSONValue([
      "source": source, "sourceBus": sourceBus, "destination": destination, "destinationBus": destinationBus,
      "format": format, "convertedFormat": convertedFormat,
    ])
  }
}

extension StreamFormat: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "sampleRateHertz": sampleRate, "channels": channelCount, "encoding": "\(encoding)",
      "isInterleaved": isInterleaved,
    ])
  }
}
