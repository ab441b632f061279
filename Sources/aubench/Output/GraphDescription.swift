import AudioCore
import AudioUnits
import BatchRender
import RenderGraph
import SoundFile
import Measurement

/// A graph as it will run, in figures: what text, Graphviz and JSON are made from.
struct GraphDescription: Encodable {
  struct Format: Encodable {
    let sampleRateHertz: Double
    let channels: Int
    let encoding: String
    let isInterleaved: Bool
    /// Planar Float32 goes without saying.
    private let text: String
    private enum CodingKeys: String, CodingKey { case sampleRateHertz, channels, encoding, isInterleaved }

    init(_ format: StreamFormat) {
      sampleRateHertz = format.sampleRate
      channels = format.channelCount
      encoding = "\(format.encoding)"
      isInterleaved = format.isInterleaved
      text = format.isFloatPlanar ? "\(NumberText.short(format.sampleRate)) Hz, \(format.channelCount) ch" : "\(format)"
    }

    var description: String { text }
  }

  /// A file that a node plays.
  struct Source: Encodable {
    let path: String
    let fileFrames: Int64
    let fileSampleRateHertz: Double
    let encoding: String
    let startFrame: Int64
    let regionStartFrame: Int64
    let regionFrames: Int64
    /// Passes; null: for ever.
    let passes: Int?
    /// On the clock of the node's output; null: never.
    let endFrame: Int64?
    /// Where the file's rate is not the node's.
    let conversionQuality: String?
  }

  struct Node: Encodable {
    let id: String
    let unit: String
    let component: String
    /// False: it does not lead to the output, and nothing pulls it.
    let isRendered: Bool
    let inputFormat: Format?
    let outputFormat: Format?
    let latencyFrames: Int?
    let tailFrames: Int64?
    let preset: String?
    let bands: Int?
    let source: Source?
    /// Whether the unit itself turns its input's format into another.
    let converts: Bool
  }

  struct Connection: Encodable {
    let source: String
    let sourceBus: Int
    let destination: String
    let destinationBus: Int
    let format: Format?
    /// What a converter in front of the input makes of it; null: there is none.
    let convertedFormat: Format?
  }

  let path: String
  let sampleRateHertz: Double
  let maximumFramesPerSlice: Int
  let smoothingFrames: Int
  let output: Format
  let nodes: [Node]
  let connections: [Connection]
  /// When the longest source ends, on the output's clock; null: never.
  let sourcesEndFrame: Int64?
  let latencyFrames: Int64
  let tailFrames: Int64
  /// The length of a render without options; null: it needs one.
  let renderFrames: Int64?

  /// Compiles the graph and looks at it.
  /// - Throws: `.graph` and `.input`, as a render would before its first frame.
  init(_ graph: Graph, path: String) throws(BenchError) {
    _ = try graph.compile(parallel: false)
    defer { graph.uninitialize() }
    let order = try graph.renderOrder()
    let head = graph.nodes[try graph.outputIndex()]
    guard let format = try? head.unit.streamFormat(.output) else {
      throw BenchError(.graph, at: "node \"\(head.name)\"", "the output has no format")
    }
    let rendered = Set(order)
    let rest = graph.nodes.indices.filter { !rendered.contains($0) }
    let end = try graph.soundEnd()
    self.path = path
    sampleRateHertz = graph.sampleRate
    maximumFramesPerSlice = graph.maximumFramesPerSlice
    smoothingFrames = graph.smoothingFrames
    output = Format(format)
    nodes = (order + rest).map { Node(graph.nodes[$0], isRendered: rendered.contains($0)) }
    connections = graph.connections.map { connection in
      let isRendered = rendered.contains(connection.destination)
      return Connection(connection, in: graph, isRendered: isRendered)
    }
    sourcesEndFrame = end.sources
    latencyFrames = end.latencyFrames
    tailFrames = end.tailFrames
    renderFrames = end.sources.map { $0 + end.latencyFrames + end.tailFrames }
  }
}

extension GraphDescription.Node {
  init(_ node: Graph.Node, isRendered: Bool) {
    let unit = node.unit
    let input = isRendered ? try? unit.streamFormat(.input) : nil
    let output = isRendered ? try? unit.streamFormat(.output) : nil
    id = node.name
    self.unit = unit.component.shortName
    component = "\(unit.component.description)"
    self.isRendered = isRendered
    inputFormat = input.map { .init($0) }
    outputFormat = output.map { .init($0) }
    latencyFrames = isRendered ? unit.latencyFrames : nil
    tailFrames = isRendered ? unit.tailFrames : nil
    if case .preset(let present)? = try? unit.property(.presentPreset) { preset = present.name } else { preset = nil }
    bands = unit.parameterGroups.first { $0.name == "band" }?.count
    source = (unit as? FilePlayer).flatMap { .init($0, isRendered: isRendered) }
    converts = unit.component.description.type != .mixer && input != nil && input != output
  }
}

extension GraphDescription.Source {
  init?(_ player: FilePlayer, isRendered: Bool) {
    guard let file = player.file else { return nil }
    let region = player.region?.clamped(to: 0..<file.frameCount) ?? 0..<file.frameCount
    path = file.path
    fileFrames = file.frameCount
    fileSampleRateHertz = file.sampleRate
    encoding = file.encodingName
    startFrame = player.startFrame
    regionStartFrame = region.lowerBound
    regionFrames = Int64(region.count)
    passes = player.isEndless ? nil : player.loops + 1
    endFrame = isRendered ? player.sourceFrames : nil
    let rate = isRendered ? try? player.streamFormat(.output).sampleRate : nil
    conversionQuality = rate.flatMap { $0 == file.sampleRate ? nil : player.quality.rawValue }
  }
}

extension GraphDescription.Connection {
  init(_ connection: Graph.Connection, in graph: Graph, isRendered: Bool) {
    let unit = graph.nodes[connection.destination].unit
    let bus = connection.destinationBus
    let arriving = isRendered ? try? unit.streamFormat(.input, element: bus) : nil
    let processed = isRendered ? unit.processingFormat(ofInput: bus) : nil
    source = graph.nodes[connection.source].name
    sourceBus = connection.sourceBus
    destination = graph.nodes[connection.destination].name
    destinationBus = bus
    format = arriving.map { .init($0) }
    convertedFormat = arriving == processed ? nil : processed.map { .init($0) }
  }
}
