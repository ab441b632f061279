import AudioCore
import AudioEngine

/// A graph of audio units: what a host adds, connects and describes. `compile()` makes of it what renders.
///
/// Every graph has exactly one output unit. The graph never inserts a converter: a stream format that an input does not
/// take is an error that says where to put one.
public final class Graph {
  /// Hertz: the rate of every unit that does not have one of its own.
  public let sampleRate: Double
  /// The longest slice that the graph renders.
  public let maximumFramesPerSlice: Int
  /// Frames over which a parameter set while rendering moves to its new value; 0 sets it at once.
  public var smoothingFrames = ParameterSmoothing.frames

  /// Advice on how to have values held to their ranges, for errors; nil: as in a graph file.
  package var clampAdvice: String?

  /// In the order in which they were added; a ``Connection`` names them by their index here.
  public private(set) var nodes: [Node] = []
  /// The connections, in the order in which they were made.
  public var connections: [Connection] {
    inputs.flatMap { $0 }.sorted { $0.serial < $1.serial }.map(\.connection)
  }
  /// By node: the connections into it, in bus order.
  private var inputs: [[NumberedConnection]] = []
  private var lastSerial = 0

  private struct NumberedConnection {
    let connection: Connection
    let serial: Int
  }
  private var indexByName: [String: Int] = [:]
  private var indexByUnit: [ObjectIdentifier: Int] = [:]

  /// A unit in the graph, under a name that is unique in it.
  public struct Node {
    /// The node's name in errors.
    public let name: String
    /// The unit, on which the node's parameters and properties are set.
    public let unit: Unit
    /// The requested output format, in place of the unit's choice.
    public var wantedFormat = WantedFormat()
    /// The treatment of values outside their parameters' ranges.
    public var rangePolicy = RangePolicy.keeps
    /// Parameters whose value was set from outside the graph's own description, with the place that an error has.
    var outsideSettings: [ParameterAddress: String] = [:]
  }

  /// The treatment by compiling of values that were set outside the range of their parameter: of points of timelines,
  /// too.
  public enum RangePolicy: Sendable {
    /// They stay as given, as Apple's units take them; each unit makes of them what it can.
    case keeps
    /// They are errors.
    case refuses
    /// The nearest value of the range takes their place.
    case clamps
  }

  /// The parts of an output format that a user has asked for; the rest follows the unit.
  public struct WantedFormat: Hashable, Sendable {
    /// Hertz, above 0; nil: the unit chooses.
    public var sampleRate: Double?
    /// 1 to 1024; nil: the unit chooses.
    public var channelCount: Int?
    /// The layout of a sample in memory; nil: the unit chooses.
    public var encoding: SampleEncoding?
    /// True: all channels in one buffer. Nil: the unit chooses.
    public var isInterleaved: Bool?
    /// The loudspeakers of the channels, to which a converter unit converts; nil: those that the unit puts out. Where
    /// no number of channels is asked for, it is that of the layout.
    public var layout: ChannelLayout?
    /// Leaves to the unit what is not given.
    public init(
      sampleRate: Double? = nil, channelCount: Int? = nil, encoding: SampleEncoding? = nil, isInterleaved: Bool? = nil,
      layout: ChannelLayout? = nil
    ) {
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.encoding = encoding
      self.isInterleaved = isInterleaved
      self.layout = layout
    }

    func applied(to format: StreamFormat) -> StreamFormat {
      StreamFormat(
        sampleRate: sampleRate ?? format.sampleRate,
        channelCount: channelCount ?? layout?.channelCount ?? format.channelCount,
        encoding: encoding ?? format.encoding, isInterleaved: isInterleaved ?? format.isInterleaved)
    }
  }

  /// One output bus feeding one input bus. Nodes by index.
  public struct Connection: Hashable, Sendable {
    /// The node that gives, by its index in ``Graph/nodes``.
    public let source: Int
    /// An output bus of the source, from 0 on.
    public let sourceBus: Int
    /// The node that takes, by its index in ``Graph/nodes``.
    public let destination: Int
    /// An input bus of the destination, from 0 on.
    public let destinationBus: Int
  }

  /// - Parameters:
  ///   - sampleRate: above 0 and at most 3 MHz.
  ///   - maximumFramesPerSlice: 1 to 2^20.
  public init(sampleRate: Double = 44_100, maximumFramesPerSlice: Int = 4096) {
    precondition(StreamFormat.isSampleRate(sampleRate))
    precondition(Unit.sliceFrames.contains(maximumFramesPerSlice))
    self.sampleRate = sampleRate
    self.maximumFramesPerSlice = maximumFramesPerSlice
  }

  // MARK: Edits

  /// Adds a unit under a name, by default its kind's name and a number.
  /// - Throws: `.graph` for a name that is taken, or a second output unit.
  @discardableResult
  public func add<Kind: Unit>(_ unit: Kind, as name: String? = nil) throws(BenchError) -> Kind {
    let kind = unit.component.shortName
    let name = name ?? freeName(for: kind)
    guard node(named: name) == nil else {
      throw BenchError(.graph, at: "node \"\(name)\"", "two nodes have this id", advice: "give each its own")
    }
    guard index(of: unit) == nil else {
      throw BenchError(.graph, at: "node \"\(name)\"", "the unit is in the graph already")
    }
    if unit.isOutput, let other = nodes.first(where: { $0.unit.isOutput }) {
      throw BenchError(
        .graph, at: "node \"\(name)\"", "a graph has exactly one output unit, and \"\(other.name)\" is one already")
    }
    unit.label = name
    indexByName[name] = nodes.count
    indexByUnit[ObjectIdentifier(unit)] = nodes.count
    nodes.append(Node(name: name, unit: unit))
    inputs.append([])
    return unit
  }

  private func freeName(for kind: String) -> String {
    var number = 1
    while node(named: "\(kind)\(number)") != nil { number += 1 }
    return "\(kind)\(number)"
  }

  /// Nil where no node has this name.
  public func node(named name: String) -> Node? { indexByName[name].map { nodes[$0] } }

  func index(of unit: Unit) -> Int? { indexByUnit[ObjectIdentifier(unit)] }

  /// The connections into a node, in bus order.
  package func inputs(of node: Int) -> [Connection] { inputs[node].map(\.connection) }

  /// The connection into an input bus of a node; nil: none.
  package func connection(into node: Int, bus: Int) -> Connection? {
    let place = self.place(of: bus, among: inputs[node])
    guard place < inputs[node].count, inputs[node][place].connection.destinationBus == bus else { return nil }
    return inputs[node][place].connection
  }

  /// True when something is connected to an input bus of a unit.
  package func hasSource(_ unit: Unit, input bus: Int) -> Bool {
    index(of: unit).map { connection(into: $0, bus: bus) != nil } ?? false
  }

  /// The unit and its output bus that feed an input bus of a unit; nil: nothing does.
  package func source(of unit: Unit, input bus: Int) -> (unit: Unit, bus: Int)? {
    index(of: unit).flatMap { connection(into: $0, bus: bus) }.map { (nodes[$0.source].unit, $0.sourceBus) }
  }

  /// The place of a connection into a bus in a list in bus order, whether it is there or not.
  private func place(of bus: Int, among inputs: [NumberedConnection]) -> Int {
    inputs.indices.endOfPrefix { inputs[$0].connection.destinationBus < bus }
  }

  /// Asks for (parts of) the output format of a unit; for a converter unit this is what it converts to.
  public func setOutputFormat(_ format: WantedFormat, of unit: Unit) throws(BenchError) {
    nodes[try require(unit)].wantedFormat = format
  }

  /// Says what becomes of values outside their parameters' ranges.
  public func setRangePolicy(_ policy: RangePolicy, of unit: Unit) throws(BenchError) {
    nodes[try require(unit)].rangePolicy = policy
  }

  /// Says that a parameter was set from outside, by `place`: what is wrong with its value is not the graph's fault.
  package func noteOutsideSetting(_ address: ParameterAddress, of unit: Unit, at place: String) throws(BenchError) {
    nodes[try require(unit)].outsideSettings[address] = place
  }

  /// Connects an output bus to an input bus. An input has one source: this replaces what it had.
  /// - Throws: `.graph` for units that are not in the graph, or buses that they do not have.
  public func connect(
    _ source: Unit, output sourceBus: Int = 0, to destination: Unit, input destinationBus: Int = 0
  ) throws(BenchError) {
    let from = try require(source)
    let to = try require(destination)
    try checkBus(sourceBus, of: nodes[from], .output)
    try checkBus(destinationBus, of: nodes[to], .input)
    disconnect(to, destinationBus)
    lastSerial += 1
    let connection = Connection(source: from, sourceBus: sourceBus, destination: to, destinationBus: destinationBus)
    inputs[to].insert(
      NumberedConnection(connection: connection, serial: lastSerial),
      at: place(of: destinationBus, among: inputs[to]))
  }

  /// Leaves an input bus without a source.
  public func disconnect(_ destination: Unit, input bus: Int = 0) throws(BenchError) {
    disconnect(try require(destination), bus)
  }

  private func disconnect(_ node: Int, _ bus: Int) {
    if connection(into: node, bus: bus) != nil { inputs[node].remove(at: place(of: bus, among: inputs[node])) }
    nodes[node].unit.disconnectInput(bus)
  }

  private func checkBus(_ bus: Int, of node: Node, _ scope: Scope) throws(BenchError) {
    let count = node.unit.elementCount(scope)
    guard bus >= 0, bus < count else {
      let buses = count == 0 ? "has no \(scope.name)s" : "has \(scope.name) buses 0 to \(count - 1)"
      throw BenchError(.graph, at: "node \"\(node.name)\"", "no \(scope.name) bus \(bus): the unit \(buses)")
    }
  }

  private func require(_ unit: Unit) throws(BenchError) -> Int {
    guard let index = index(of: unit) else {
      throw BenchError(
        .graph, at: "unit \(unit.component.shortName)", "the unit is not in the graph", advice: "add it first")
    }
    return index
  }
}
