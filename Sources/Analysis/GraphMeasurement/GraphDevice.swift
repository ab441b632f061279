import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import FoundationEssentials
import Measurement
import Processes
import RenderGraph

/// A graph of audio units as a device: one of its file players plays the stimulus.
///
/// Every call builds the graph anew, so that each starts from rest; ``session()`` keeps one for checks of reset.
public struct GraphDevice: PartitionableDevice {
  /// The path of the graph file, or the name that was given.
  public let name: String
  /// Channels of the input player's own file; nil: any, or nothing plays a stimulus.
  public let inputChannelCount: Int?
  /// The rate of the graph as it is made unless another is given, hertz.
  public let preferredSampleRate: Double?
  /// The latency of the longest way to the output, in frames of the output at ``preferredSampleRate``.
  public let reportedLatencyFrames: Double?
  /// The tail of the longest way to the output, to −120 dB, in frames of the output at ``preferredSampleRate``.
  public let reportedTailFrames: Int64?
  /// The channels of the graph's output.
  public let reportedOutputChannelCount: Int?
  /// Float32: what units pass to one another.
  public let precision = SamplePrecision.float32
  /// Frames that are rendered behind the end of the input; nil: as many as the graph's latency and tail.
  public var extraFrames: Int64?
  /// The partition of ``process(_:)``: slices of the graph's maximum on one thread, unless set.
  public var partition = RenderPartition()
  /// The edits of the graph while it is rendered, in each render anew.
  public var edits: [RenderEdit] = []
  /// The file player that plays the stimulus; nil: all play their own files, and what a device is given only sets the
  /// rate.
  public let inputNode: String?
  /// The file player that is to play a stimulus as its maker named it; nil: the only one.
  private let wantedInput: String?
  /// Makes the graph for a rate; its file players have their own files.
  private let makeGraph: @Sendable (_ sampleRate: Double?) throws(BenchError) -> Graph

  /// The graph of a file.
  /// - Parameters:
  ///   - input: the file player that plays the stimulus; nil: the only one. All others play silence.
  ///   - playsItself: nothing plays a stimulus; the graph is rendered as it is.
  /// - Throws: `.graph`, `.input` for a graph that cannot run; `.usage` where the input is not clear.
  public init(
    graphFile path: String, input: String? = nil, playsItself: Bool = false,
    options: GraphFile.Options = GraphFile.Options()
  ) throws(BenchError) {
    try self.init(path, input: input, playsItself: playsItself) { (rate) throws(BenchError) in
      var options = options
      if let rate { options.sampleRate = rate }
      return try GraphFile.load(path, options: options)
    }
  }

  /// A single unit between a player and an output.
  /// - Parameters:
  ///   - node: the unit as a node of a graph file is written, as JSON text, without its `id`: `{"unit": "iPodEQ", …}`.
  ///   - channelCount: the stimulus's channels.
  ///   - folder: the folder that relative file names in it count from; empty, or ending with a slash.
  public init(
    unit node: String, named name: String, channelCount: Int, sampleRate: Double, outputRate: Double? = nil,
    folder: String = "", options: GraphFile.Options = GraphFile.Options()
  ) throws(BenchError) {
    let silence = try ScratchFolder()
    let path = silence.file("silence.wav")
    try AudioSignal(sampleRate: 48_000, channelCount: channelCount, [0]).write(to: path)
    guard case .object(var keys) = try JSONValue.document(Data(node.utf8), kind: .graph) else {
      throw BenchError(.graph, at: name, "a unit is written as an object, as {\"unit\": \"iPodEQ\"}")
    }
    keys["id"] = .string(Self.deviceNode)
    var head: [String: JSONValue] = ["id": "out", "unit": "genericOutput"]
    if let outputRate { head["format"] = ["sampleRate": .number(outputRate)] }
    let document: JSONValue = [
      "version": 1,
      "nodes": [
        ["id": .string(Self.stimulusNode), "unit": "filePlayer", "file": .string(path)], .object(keys), .object(head),
      ],
      "connections": [
        .string("\(Self.stimulusNode) -> \(Self.deviceNode)"), .string("\(Self.deviceNode) -> out"),
      ],
    ]
    try self.init(name, input: Self.stimulusNode) { (rate) throws(BenchError) in
      var options = options
      options.sampleRate = rate ?? sampleRate
      return try withExtendedLifetime(silence) { () throws(BenchError) in
        try GraphFile.graph(of: document, folder: folder, options: options)
      }
    }
  }

  /// A graph made by code.
  public init(
    _ name: String, input: String? = nil, playsItself: Bool = false,
    makeGraph: @escaping @Sendable (_ sampleRate: Double?) throws(BenchError) -> Graph
  ) throws(BenchError) {
    self.name = name
    self.makeGraph = makeGraph
    wantedInput = input
    let graph = try makeGraph(nil)
    preferredSampleRate = graph.sampleRate
    canBePartitioned = graph.scriptedOutput == nil
    if playsItself {
      inputNode = nil
      inputChannelCount = nil
    } else {
      let (node, player) = try Self.input(input, of: graph)
      inputNode = node
      inputChannelCount = player.file?.channelCount
      player.playWhole()
    }
    _ = try graph.compile()
    let end = try graph.soundEnd()
    reportedOutputChannelCount = try? graph.nodes.first { $0.unit.isOutput }?.unit.streamFormat(.output).channelCount
    graph.uninitialize()
    reportedLatencyFrames = Double(end.latencyFrames)
    reportedTailFrames = end.tailFrames
  }

  /// The unit of a parameter's values; nil if the node has no parameter of this name.
  /// - Parameter node: nil: the unit that is tested by itself.
  package func unit(ofParameter name: String, node: String?) throws(BenchError) -> ParameterUnit? {
    let graph = try makeGraph(nil)
    defer { graph.uninitialize() }
    guard let unit = graph.node(named: node ?? Self.deviceNode)?.unit else { return nil }
    return Scope.allCases.flatMap { unit.parameterTable($0, element: 0) }.first { $0.name == name }?.unit
  }

  /// The magnitude in closed form of the one unit between the input and the output; nil where there are others, or it
  /// has none.
  package func closedForm(sampleRate: Double) throws(BenchError) -> AnalogResponse? {
    let graph = try makeGraph(sampleRate)
    defer { graph.uninitialize() }
    _ = try graph.compile(parallel: false)
    guard graph.nodes.count == 3,
      let unit = graph.nodes.first(where: { $0.name != inputNode && !$0.unit.isOutput })?.unit,
      unit.timelines.isEmpty
    else { return nil }
    return unit.closedForm(sampleRate: sampleRate)
  }

  /// The file player that plays the stimulus of a unit that is tested by itself.
  static let stimulusNode = "stimulus"
  /// The node of a unit that is tested by itself.
  package static let deviceNode = "device"

  private static func input(
    _ wanted: String?, of graph: Graph
  ) throws(BenchError) -> (name: String, player: FilePlayer) {
    if let wanted { return (wanted, try graph.filePlayer(named: wanted)) }
    let players = graph.filePlayers
    guard let only = players.first else {
      throw BenchError(
        .graph, "the graph has no filePlayer that could play a stimulus", advice: "add one where the sound is to go in")
    }
    guard players.count == 1 else {
      throw BenchError(
        .usage, "the graph has \(players.count) filePlayers, and a stimulus goes into one",
        advice: "name it: \(players.prefix(12).map(\.name).joined(separator: ", "))")
    }
    return only
  }

  /// The same graph with a stimulus in place of the file of its player; itself where it takes one already.
  ///
  /// - Throws: `.graph` where it has no file player, `.usage` where it has several and none was named.
  public func takingStimulus() throws(BenchError) -> any Device {
    guard inputNode == nil else { return self }
    var device = try GraphDevice(name, input: wantedInput, makeGraph: makeGraph)
    (device.extraFrames, device.partition, device.edits) = (extraFrames, partition, edits)
    return device
  }

  /// Makes a graph, renders the signal through it, and lets it go.
  ///
  /// - Throws: `.usage` for another number of channels than the input has, and what the graph or the render throws.
  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal { try session().process(input) }

  /// As ``process(_:)``, with slices and threads of this partition.
  public func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal {
    try session().process(input, partition: partition)
  }

  /// Not where a scenario says in which slices it is pulled.
  public let canBePartitioned: Bool

  /// See ``partition``.
  public var standardPartition: RenderPartition { partition }

  /// The slice size of the partition, at most the graph's maximum; the maximum if the partition sets none. Makes a
  /// graph to find out.
  public func sliceFrames(of partition: RenderPartition) throws(BenchError) -> Int? {
    let most = try makeGraph(nil).maximumFramesPerSlice
    return min(partition.sliceFrames ?? most, most)
  }

  /// A graph that is kept from one signal to the next.
  public func session() throws(BenchError) -> Session { Session(self) }

  /// One graph through which several signals go, each from frame 0 on: as a host that renders again and again.
  public final class Session {
    private let device: GraphDevice
    private var graph: Graph?
    /// The files that the players play, and the length of a render where it is not the graph's own.
    private var folder: ScratchFolder?
    private var frames: Int64?
    /// Outputs of nodes that are wanted besides, filled by ``process(_:)``.
    public var tappedNodes: [String] = []
    /// Frames of the output, whatever the device would give; nil: what it gives.
    public var outputFrames: Int64?
    /// The outputs of ``tappedNodes`` in the last render, each at its own rate; by node.
    public private(set) var taps: [String: AudioSignal] = [:]
    private var edits: RenderEdits?
    /// Changes the units before the first frame, as to switch meters on.
    package var prepare: ((Graph) throws(BenchError) -> Void)?
    /// The graph of the last render, with its units as that left them.
    package var renderedGraph: Graph? { graph }

    init(_ device: GraphDevice) { self.device = device }

    /// The nodes' names along the sound: sources first, the output last. None of a graph that a scenario pulls, whose
    /// nodes cannot be tapped.
    public func nodeOrder() throws(BenchError) -> [String] {
      let graph = try device.makeGraph(nil)
      if graph.scriptedOutput != nil { return [] }
      return try graph.renderOrder().map { graph.nodes[$0].name }
    }

    /// Renders a signal through the graph.
    public func process(_ input: AudioSignal, partition: RenderPartition? = nil) throws(BenchError) -> AudioSignal {
      if let expected = device.inputChannelCount, expected != input.channelCount {
        throw BenchError(
          .usage, at: "node \"\(device.inputNode ?? "")\"",
          "the input has \(NumberText.count(expected, "channel")), and the stimulus \(input.channelCount)")
      }
      let partition = partition ?? device.partition
      let rate = device.preferredSampleRate == input.sampleRate ? nil : input.sampleRate
      var present = graph
      if present == nil || present?.sampleRate != input.sampleRate { present = try device.makeGraph(rate) }
      guard let graph = present else { preconditionFailure("there is a graph") }
      try edits?.restore()
      edits = nil
      graph.uninitialize()
      self.graph = graph
      let folder = try ScratchFolder()
      for (index, (name, player)) in graph.filePlayers.enumerated() where device.inputNode != nil {
        let path = folder.file("\(index).wav")
        let silence = AudioSignal(sampleRate: graph.sampleRate, channelCount: player.file?.channelCount ?? 1, [0])
        try (name == device.inputNode ? input : silence).write(to: path)
        try player.playWhole(path)
      }
      self.folder = folder
      guard device.inputNode != nil else { return try render(graph, partition: partition) }
      frames = try device.extraFrames.map { (extra) throws(BenchError) in
        Int64(input.frameCount(atRate: try device.outputRate(of: graph))) + extra
      }
      return try render(graph, partition: partition)
    }

    /// Renders the same signal once more, with the same units, cleared by their own reset.
    public func processAgain() throws(BenchError) -> AudioSignal {
      guard let graph else { throw BenchError(.usage, "nothing has been rendered that could be rendered again") }
      try edits?.restore()
      graph.reset()
      return try render(graph, partition: device.partition)
    }

    private func render(_ graph: Graph, partition: RenderPartition) throws(BenchError) -> AudioSignal {
      var options = OfflineRenderer.Options()
      options.sliceFrames = partition.sliceFrames.map { min($0, graph.maximumFramesPerSlice) }
      options.threads = partition.threads
      options.memoryTaps = Set(tappedNodes)
      options.keepsUnitsInitialized = true
      if let frames = outputFrames ?? frames { options.length = .frames(frames) }
      try prepare?(graph)
      if edits == nil, !device.edits.isEmpty { edits = try RenderEdits(device.edits, of: graph) }
      options.edits = edits
      let (channels, report) = try OfflineRenderer(graph).renderToMemory(options: options)
      taps = report.tapped.mapValues { tap in
        AudioSignal(sampleRate: tap.sampleRate, channels: tap.channels.map { $0.map(Double.init) })
      }
      return AudioSignal(sampleRate: report.sampleRate, channels: channels.map { $0.map(Double.init) })
    }
  }

  private func outputRate(of graph: Graph) throws(BenchError) -> Double {
    _ = try graph.compile()
    defer { graph.uninitialize() }
    let head = graph.nodes.first { $0.unit.isOutput }
    return (try? head?.unit.streamFormat(.output).sampleRate) ?? graph.sampleRate
  }
}

/// A device with nodes inside that can be listened to: a graph, or a graph with something behind it.
public protocol GraphBacked: PartitionableDevice {
  /// A graph that is kept from one signal to the next, for taps and for checks of reset.
  func session() throws(BenchError) -> GraphDevice.Session
  /// Renders by a session, with all that the device does.
  func processed(by session: GraphDevice.Session, _ input: AudioSignal, partition: RenderPartition) throws(BenchError)
    -> AudioSignal
}

extension GraphDevice: GraphBacked {
  /// Returns the session's output as it is: a graph by itself has nothing behind it.
  public func processed(
    by session: Session, _ input: AudioSignal, partition: RenderPartition
  ) throws(BenchError) -> AudioSignal { try session.process(input, partition: partition) }
}
