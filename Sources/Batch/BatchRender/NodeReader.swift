import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits
import RenderGraph
import SampleRate

/// Makes the nodes of a graph file: each unit with the keys that it declares, and those that every node may have.
struct NodeReader {
  let graph: Graph
  let folder: String
  let options: GraphFile.Options
  let connections: [GraphFile.WrittenConnection]
  /// The memory that the nodes take so far.
  private(set) var budget = MemoryBudget()

  mutating func read(_ value: JSONValue, at place: String) throws(BenchError) {
    var bare = try JSONObject(value, at: place)
    let id = try bare.requiredString("id")
    guard !id.isEmpty, id.utf8.count <= 200, !id.contains(where: { " :@.=>".contains($0) }) else {
      throw bare.error(
        "id", "an id has 1 to 200 bytes and none of the characters blank : @ . = >, found \"\(excerpt(id))\"")
    }
    var node = try JSONObject(value, at: "\(place) \"\(id)\"", folder: folder)
    _ = node.take("id")
    let name = try node.requiredString("unit")
    guard let component = try find(name, at: node.place) else {
      let near = options.registry.suggestions(for: name)
      throw node.error(
        "unit", "there is no unit \"\(excerpt(name))\"",
        advice: near.isEmpty ? "aubench units lists them" : "did you mean \(near.joined(separator: " or "))?")
    }
    let unit = component.make()
    if let failure = unit.renderFailure { throw failure.inside(node.place) }
    for written in options.writtenSettings where written.node == id && written.isGraphKey(of: unit) {
      node.replace(written.parameter.name, by: written.json)
    }
    // A bus number beyond all reason stays an error of its connection.
    let connected = connections.filter { $0.destination.node == id }.map { min($0.destination.bus, 65_535) + 1 }.max()
    let read = connections.filter { $0.source.node == id }.map { min($0.source.bus, 65_535) + 1 }.max()
    let here = GraphPlace(
      givenFile: options.inputs[id], id: id, connectedInputs: connected, connectedOutputs: read, budget: budget)
    for key in unit.allGraphKeys { try key.apply(unit, &node, here) }
    if let policy = options.nonFinite { unit.filePlayer?.nonFinite = policy }
    try graph.add(unit, as: id)
    if var format = try node.object("format") {
      let wanted = try wantedFormat(&format)
      if let (count, key) = (unit as? any GraphFileUnit)?.settledOutputChannels,
        let asked = wanted.channelCount ?? wanted.layout?.channelCount, asked != count
      {
        throw format.error(
          "channels", "the node's \(key) gives \(NumberText.count(count, "channel")), not \(asked)",
          advice: "leave \"channels\" out")
      }
      try graph.setOutputFormat(wanted, of: unit)
    }
    try set(&node, on: unit)
    try ramp(&node, on: unit)
    try graph.setRangePolicy(try node.bool("clamp") ?? false ? .clamps : .refuses, of: unit)
    try node.finish()
    try budget.add(unit.memoryBytes, for: node.place)
  }

  private func find(_ name: String, at place: String) throws(BenchError) -> Component? {
    if let component = options.registry.named(name) { return component }
    do throws(BenchError) { return try options.findOther(name) } catch { throw error.inside(place) }
  }

  /// Connects the nodes and applies what was set from outside.
  func finish() throws(BenchError) {
    for connection in connections {
      let source = try source(of: connection)
      let destination = try graph.unit(named: connection.destination.node, for: connection.text)
      if graph.hasSource(destination, input: connection.destination.bus) {
        throw BenchError(
          .graph, at: connection.text,
          "input bus \(connection.destination.bus) of \"\(connection.destination.node)\" has a source already",
          advice: "mix several sources with a multichannelMixer")
      }
      do throws(BenchError) {
        let bus = source is DeviceInput ? 0 : connection.source.bus
        try graph.connect(source, output: bus, to: destination, input: connection.destination.bus)
      } catch {
        throw error.inside(connection.text)
      }
    }
    for node in options.inputs.keys.sorted() { _ = try graph.filePlayer(named: node) }
    var settings = options.settings
    for written in options.writtenSettings {
      if let unit = graph.node(named: written.node)?.unit {
        if written.isGraphKey(of: unit) { continue }
        written.parameter.makeRoom(in: unit)
      }
      settings.append((written.node, written.parameter, try written.value(in: graph) ?? 0))
    }
    for setting in settings {
      let place = "setting \(setting.node).\(setting.parameter)"
      guard let node = graph.node(named: setting.node) else {
        throw BenchError(
          .usage, at: place, "the graph has no node of this id", advice: graph.advice(insteadOf: setting.node))
      }
      setting.parameter.makeRoom(in: node.unit)
      do throws(BenchError) {
        let address = try set(setting.parameter, to: setting.value, on: node.unit, at: "node \"\(setting.node)\"")
        try graph.noteOutsideSetting(address, of: node.unit, at: place)
      } catch {
        // The graph is well; what was set from outside is not.
        throw BenchError(.usage, at: place, error.message, advice: error.advice)
      }
    }
  }

  /// The unit that a connection comes from. The recording of an output unit's input element is a unit of its own, made
  /// on first use.
  private func source(of connection: GraphFile.WrittenConnection) throws(BenchError) -> Unit {
    let unit = try graph.unit(named: connection.source.node, for: connection.text)
    guard let device = unit.deviceOutput else { return unit }
    guard connection.source.bus == 1 else {
      throw BenchError(
        .graph, at: connection.text, "output bus 0 of \"\(connection.source.node)\" goes to the hardware",
        advice: "what the microphone records comes from \"\(connection.source.node):1\"")
    }
    let name = "\(connection.source.node):1"
    if let input = graph.node(named: name)?.unit { return input }
    let input: DeviceInput
    do throws(AudioStatus) { input = try DeviceInput(of: device) } catch {
      throw BenchError(.graph, at: connection.text, "the microphone cannot be heard: \(error)")
    }
    return try graph.add(input, as: name)
  }

  // MARK: Keys of every node

  private func wantedFormat(_ object: inout JSONObject) throws(BenchError) -> Graph.WantedFormat {
    let rate = try SampleRateKey.take(from: &object)
    let encodings: [String: SampleEncoding] = [
      "float32": .float32, "float64": .float64, "int8": .int8, "int16": .int16, "int24": .int24, "int32": .int32,
      "fixed8.24": .fixed8_24,
    ]
    let format = Graph.WantedFormat(
      sampleRate: rate, channelCount: try object.count("channels", in: StreamFormat.channelCountRange),
      encoding: try object.choice("encoding", from: encodings.keys.sorted(), { encodings[$0] }),
      isInterleaved: try object.bool("interleaved"), layout: try wantedLayout(&object))
    if let layout = format.layout, let count = format.channelCount, layout.channelCount != count {
      throw object.error(
        "layout", "\(layout) has \(NumberText.count(layout.channelCount, "channel")), not \(count)",
        advice: "leave \"channels\" out")
    }
    try object.finish()
    return format
  }

  private func wantedLayout(_ object: inout JSONObject) throws(BenchError) -> ChannelLayout? {
    guard let name = try object.string("layout") else { return nil }
    do throws(BenchError) { return try ChannelLayout(name: name) } catch {
      throw object.error("layout", error.message, advice: error.advice)
    }
  }

  // MARK: Parameters

  private func set(_ node: inout JSONObject, on unit: Unit) throws(BenchError) {
    guard var settings = try node.object("set") else { return }
    for (key, value) in settings.takeAll() {
      // A value that is no number at all is reported before the name in front of it is looked up.
      let isText = if case .string(let text) = value { Quantity.beginsAsNumber(text) } else { false }
      var number = 0.0
      if !isText { number = try self.number(value, .onOff, at: settings.place, key) }
      let parameter = try name(key, at: settings.place)
      parameter.makeRoom(in: unit)
      try checkConflict(parameter, of: unit, at: settings.place)
      let kind = try quantity(of: parameter, in: unit, at: settings.place)
      if case .number = value {} else { number = try self.number(value, kind, at: settings.place, key) }
      try set(parameter, to: Float(number), on: unit, at: settings.place)
    }
  }

  private func number(
    _ value: JSONValue, _ kind: Quantity.Kind, at place: String, _ key: String
  ) throws(BenchError) -> Double {
    do throws(Quantity.Problem) { return try value.quantity(kind) } catch {
      throw BenchError(.graph, at: "\(place), \"\(excerpt(key))\"", error.text)
    }
  }

  /// The notation of a parameter's values.
  private func quantity(
    of parameter: ParameterName, in unit: Unit, at place: String
  ) throws(BenchError) -> Quantity.Kind {
    let address = try parameter.address(in: unit, at: place)
    return (try? unit.descriptor(of: address))?.unit.quantity ?? .plain
  }

  private func checkConflict(_ parameter: ParameterName, of unit: Unit, at place: String) throws(BenchError) {
    guard let address = try? parameter.address(in: unit), let unit = unit as? any GraphFileUnit,
      let conflict = unit.conflict(withSetting: address)
    else { return }
    throw BenchError(.graph, at: "\(place), parameter \"\(parameter)\"", conflict, advice: "leave one of the two out")
  }

  private func name(_ text: String, at place: String) throws(BenchError) -> ParameterName {
    do throws(BenchError) { return try ParameterName(text) } catch {
      throw BenchError(.graph, at: "\(place), \(error.place)", error.message, advice: error.advice)
    }
  }

  @discardableResult
  private func set(
    _ parameter: ParameterName, to value: Float, on unit: Unit, at place: String
  ) throws(BenchError) -> ParameterAddress {
    let address = try parameter.address(in: unit, at: place)
    do throws(AudioStatus) { try unit.setParameter(address, to: value) } catch {
      throw BenchError(
        .graph, at: "\(place), parameter \"\(parameter)\"", "cannot be set to \(value): \(error)")
    }
    return address
  }

  private func ramp(_ node: inout JSONObject, on unit: Unit) throws(BenchError) {
    var moved: Set<ParameterAddress> = []
    for (index, value) in (try node.list("ramp") ?? []).enumerated() {
      var ramp = try node.part(value, at: "ramp[\(index)]")
      let parameter = try name(try ramp.requiredString("parameter"), at: ramp.place)
      parameter.makeRoom(in: unit)
      let unitOfValues = (try? parameter.address(in: unit)).flatMap { try? unit.descriptor(of: $0) }?.unit
      var points: [ParameterTimeline.Point] = []
      for value in try ramp.list("points") ?? [] {
        guard case .array(let pair) = value, pair.count == 2, case .number(let frame) = pair[0],
          let frame = Int64(exactly: frame), frame >= 0
        else { throw ramp.error("points", "a point is [frame, value], with a whole frame number from 0 on") }
        let level: Double
        do throws(Quantity.Problem) { level = try pair[1].quantity(unitOfValues?.quantity ?? .plain) } catch {
          throw ramp.error("points", "a point is [frame, value]: \(error.text)")
        }
        guard Float(level).isFinite else {
          throw ramp.error("points", "a value is at most \(Float.greatestFiniteMagnitude), found \(level)")
        }
        points.append(ParameterTimeline.Point(frame: frame, value: Float(level)))
      }
      guard let timeline = ParameterTimeline(points) else {
        throw ramp.error("points", "a ramp has at least one point, and its frames do not run backwards")
      }
      let address = try parameter.address(in: unit, at: ramp.place)
      try checkConflict(parameter, of: unit, at: ramp.place)
      guard moved.insert(address).inserted else {
        throw BenchError(
          .graph, at: ramp.place, "the parameter \"\(parameter)\" has a ramp already",
          advice: "put all its points into one")
      }
      do throws(AudioStatus) { try unit.setTimeline(timeline, for: address) } catch {
        throw BenchError(.graph, at: ramp.place, "the parameter \"\(parameter)\" cannot follow a ramp: \(error)")
      }
      try ramp.finish()
    }
  }
}

extension Graph {
  /// The nodes that play files of their own.
  package var filePlayers: [(name: String, player: FilePlayer)] {
    nodes.compactMap { node in node.unit.filePlayer.map { (node.name, $0) } }
  }

  /// The player that an input was given for.
  /// - Throws: `.usage` where that node is none.
  package func filePlayer(named node: String) throws(BenchError) -> FilePlayer {
    if let player = self.node(named: node)?.unit.filePlayer { return player }
    let players = filePlayers.map(\.name)
    throw BenchError(
      .usage, at: "input \"\(node)\"",
      self.node(named: node) == nil ? "the graph has no node of this id" : "the node is not a filePlayer",
      advice: players.isEmpty ? nil : "its filePlayers are \(players.prefix(12).joined(separator: ", "))")
  }
}
