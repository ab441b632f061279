import AudioCore
import AudioEngine
import AudioUnits
import FoundationEssentials
import RenderGraph

/// Reads graph files, version 1: the JSON form of a graph. The schema is `docs/graph-file.schema.json`.
public struct GraphFile {
  /// Values that override those of a graph file.
  public struct Options: Sendable {
    /// Files for file players, by node, in place of what the graph says. Relative to the working directory.
    public var inputs: [String: String] = [:]
    /// The graph's rate in place of what it says, hertz.
    public var sampleRate: Double?
    /// The treatment of samples that are NaN or infinite in files of all players, overriding the graph's; nil: the
    /// graph's.
    public var nonFinite: NonFinitePolicy?
    /// Parameter values set after the graph's own, by node.
    public var settings: [(node: String, parameter: ParameterName, value: Float)] = []
    /// The same as they are written on a command line, with units: after those.
    package var writtenSettings: [WrittenSetting] = []
    /// Advice on how to have values held to their ranges, for errors; nil: as in a graph file.
    package var clampAdvice: String?
    /// Those built in, and those that the program has registered.
    public var registry = ComponentRegistry.known
    /// Asked for units that the registry does not have: third-party ones. An error says why one cannot be used.
    public var findOther: @Sendable (_ name: String) throws(BenchError) -> Component? = { _ in nil }
    /// The folder of the files that such a unit is made of; nil where it is not known.
    package var folderOfOther: @Sendable (_ name: String) -> String? = { _ in nil }
    /// Everything as the file says; units that are built in or registered.
    public init() {}
  }

  /// The graph of a file.
  /// - Throws: `.graph` for what is wrong in the file, naming node and key; `.input` for files that it names.
  public static func load(_ path: String, options: Options = Options()) throws(BenchError) -> Graph {
    let data = try JSONFile.read(path, kind: .graph, what: "graph")
    let folder = FileName.folderPrefix(of: path)
    do throws(BenchError) {
      return try parse(data, folder: folder, options: options)
    } catch {
      throw error.kind == .graph || error.kind == .usage ? error.inside(path) : error
    }
  }

  /// The graph of a JSON text whose file names are relative to `folder` (empty, or ending with a slash).
  public static func parse(
    _ text: String, folder: String = "", options: Options = Options()
  ) throws(BenchError) -> Graph {
    try parse(Data(text.utf8), folder: folder, options: options)
  }

  private static func parse(_ data: Data, folder: String, options: Options) throws(BenchError) -> Graph {
    try graph(of: try JSONValue.document(data, kind: .graph), folder: folder, options: options)
  }

  /// The graph of a document.
  package static func graph(of document: JSONValue, folder: String, options: Options) throws(BenchError) -> Graph {
    var top = try JSONObject(document, at: "")
    _ = top.take("$schema")
    guard let version = try top.integer("version", in: 0...Int64(Int32.max)) else {
      throw top.error("version", "the key is missing", advice: "write \"version\": 1")
    }
    guard version == 1 else {
      throw top.error("version", "this program reads version 1, the file has version \(version)")
    }
    let nodes = try top.list("nodes") ?? []
    let sampleRate = try GraphSampleRate.take(from: &top, nodes: nodes, folder: folder, options: options)
    try SampleRateKey.check(options.sampleRate)
    let slice = try top.count("maximumFramesPerSlice", in: Unit.sliceFrames)
    let graph = Graph(
      sampleRate: options.sampleRate ?? sampleRate ?? 44_100, maximumFramesPerSlice: slice ?? 4096)
    graph.clampAdvice = options.clampAdvice
    if let frames = try top.count("smoothingFrames", in: ParameterSmoothing.range) { graph.smoothingFrames = frames }
    let connections = try connections(try top.list("connections") ?? [])
    try top.finish()
    var reader = NodeReader(graph: graph, folder: folder, options: options, connections: connections)
    for (index, node) in nodes.enumerated() { try reader.read(node, at: "nodes[\(index)]") }
    try reader.finish()
    return graph
  }

  /// The magnitude in closed form of a unit that a node describes; nil where it has none, moves, or cannot be made.
  package static func closedForm(ofNode node: JSONValue, sampleRate: Double) -> AnalogResponse? {
    guard case .object(let keys) = node else { return nil }
    let graph = Graph(sampleRate: sampleRate)
    var reader = NodeReader(graph: graph, folder: "", options: Options(), connections: [])
    let named = JSONValue.object(keys.merging(["id": "unit"]) { $1 })
    do throws(BenchError) {
      try reader.read(named, at: "")
      // Values are held to ranges that may end at half the rate, as they are in front of a render.
      try? graph.nodes[0].unit.setStreamFormat(StreamFormat(sampleRate: sampleRate, channelCount: 2), .output)
      try graph.checkValues([0])
    } catch {
      return nil
    }
    let unit = graph.nodes[0].unit
    guard unit.timelines.isEmpty else { return nil }
    return unit.closedForm(sampleRate: sampleRate)
  }

  /// A connection as it is written: `source:bus -> destination:bus`.
  struct WrittenConnection {
    let text: String
    let source: End
    let destination: End
  }

  private static func connections(_ list: [JSONValue]) throws(BenchError) -> [WrittenConnection] {
    var connections: [WrittenConnection] = []
    for (index, value) in list.enumerated() {
      let place = "connections[\(index)]"
      guard case .string(let text) = value else {
        throw BenchError(.graph, at: place, "expected a text, found \(value.kind)")
      }
      guard let (source, destination) = ends(text) else {
        throw BenchError(
          .graph, at: "\(place) \"\(excerpt(text))\"", "a connection is written \"node:bus -> node:bus\"",
          advice: "a bus is a whole number, 0 where none is given")
      }
      connections.append(
        WrittenConnection(text: "\(place) \"\(excerpt(text))\"", source: source, destination: destination))
    }
    return connections
  }

  /// One end of a connection: `node` or `node:bus`.
  typealias End = (node: String, bus: Int)

  /// Both ends of a connection.
  static func ends(_ text: String) -> (source: End, destination: End)? {
    let parts = text.split(separator: "->", omittingEmptySubsequences: false)
    guard parts.count == 2, let source = end(parts[0]), let destination = end(parts[1]) else { return nil }
    return (source, destination)
  }

  static func end(_ text: Substring) -> End? {
    let trimmed = text.drop { $0 == " " }
    let name = trimmed.prefix { $0 != " " && $0 != ":" }
    let rest = trimmed.dropFirst(name.count)
    let after = rest.reversed().drop { $0 == " " }.reversed()
    guard !name.isEmpty else { return nil }
    if after.isEmpty { return (String(name), 0) }
    guard after.first == ":", let bus = Int(String(after.dropFirst())), bus >= 0 else { return nil }
    return (String(name), bus)
  }
}

/// Rates as people choose them.
enum SampleRateKey {
  private static let rule = "a rate lies above 0 and up to 3000000 Hz"

  /// The value of the key "sampleRate", where there is one.
  static func take(from object: inout JSONObject) throws(BenchError) -> Double? {
    let rate = try object.quantity("sampleRate", .frequency)
    if let rate, !StreamFormat.isSampleRate(rate) { throw object.error("sampleRate", "\(rule), found \(rate)") }
    return rate
  }

  /// - Throws: `.usage` for an option's value that is no rate.
  static func check(_ rate: Double?) throws(BenchError) {
    if let rate, !StreamFormat.isSampleRate(rate) { throw BenchError(.usage, at: "sample rate \(rate)", rule) }
  }
}

extension Graph {
  /// Sets the format of the output unit, overriding the graph's; nil: the graph's.
  /// - Parameter quality: the quality of the unit's conversion.
  package func setOutput(sampleRate: Double?, quality: String?) throws(BenchError) {
    guard let output = nodes.first(where: { $0.unit.isOutput }) else { return }
    if let sampleRate {
      var format = output.wantedFormat
      format.sampleRate = sampleRate
      try setOutputFormat(format, of: output.unit)
    }
    if let quality { try? output.unit.setProperty(.conversionQuality, to: .text(quality)) }
  }

  /// The unit of a node.
  /// - Parameter place: the text that names it, for the error if it does not exist.
  func unit(named name: String, for place: @autoclosure () -> String) throws(BenchError) -> Unit {
    if let node = node(named: name) { return node.unit }
    throw BenchError(
      .graph, at: place(), "there is no node \"\(excerpt(name))\"", advice: advice(insteadOf: name))
  }

  /// Suggests the name of a node that was probably meant.
  func advice(insteadOf name: String) -> String? {
    nearest(to: name, in: nodes.map(\.name)).first.map { "did you mean \"\($0)\"?" }
  }
}
