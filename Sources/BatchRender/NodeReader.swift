import AudioCore
import AudioUnits
import RenderGraph
import SampleRate

/// Makes the nodes of a graph file: each kind of unit with the keys that it knows.
struct NodeReader {
  let graph: Graph
  let folder: String
  let options: GraphFile.Options
  let connections: [GraphFile.WrittenConnection]
  /// What the nodes take so far.
  private var budget = MemoryBudget()

  init(graph: Graph, folder: String, options: GraphFile.Options, connections: [GraphFile.WrittenConnection]) {
    self.graph = graph
    self.folder = folder
    self.options = options
    self.connections = connections
  }

  mutating func read(_ value: JSONValue, at place: String) throws(BenchError) {
    var bare = try JSONObject(value, at: place)
    let id = try bare.requiredString("id")
    guard !id.isEmpty, id.utf8.count <= 200, !id.contains(where: { " :@.=>".contains($0) }) else {
      throw bare.error(
        "id", "an id has 1 to 200 bytes and none of the characters blank : @ . = >, found \"\(excerpt(id))\"")
    }
    var node = try JSONObject(value, at: "\(place) \"\(id)\"")
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
    try configure(unit, id: id, &node)
    try graph.add(unit, as: id)
    if var format = try node.object("format") {
      let wanted = try wantedFormat(&format)
      if let converter = unit as? FormatConverterUnit { try check(wanted, of: converter, format) }
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
      let source = try unit(connection.source.node, in: connection)
      let destination = try unit(connection.destination.node, in: connection)
      if graph.hasSource(destination, input: connection.destination.bus) {
        throw BenchError(
          .graph, at: connection.text,
          "input bus \(connection.destination.bus) of \"\(connection.destination.node)\" has a source already",
          advice: "mix several sources with a multichannelMixer")
      }
      do throws(BenchError) {
        try graph.connect(
          source, output: connection.source.bus, to: destination, input: connection.destination.bus)
      } catch {
        throw error.inside(connection.text)
      }
    }
    for node in options.inputs.keys.sorted() where !(graph.node(named: node)?.unit is FilePlayer) {
      let players = graph.nodes.filter { $0.unit is FilePlayer }.map(\.name)
      throw BenchError(
        .usage, at: "input \"\(node)\"",
        graph.node(named: node) == nil ? "the graph has no node of this id" : "the node is not a filePlayer",
        advice: players.isEmpty ? nil : "its filePlayers are \(players.prefix(12).joined(separator: ", "))")
    }
    var settings = options.settings
    for written in options.writtenSettings {
      settings.append((written.node, written.parameter, try written.value(in: graph) ?? 0))
    }
    for setting in settings {
      let place = "setting \(setting.node).\(setting.parameter)"
      guard let node = graph.node(named: setting.node) else {
        let near = nearest(to: setting.node, in: graph.nodes.map(\.name))
        throw BenchError(
          .usage, at: place, "the graph has no node of this id",
          advice: near.isEmpty ? nil : "did you mean \"\(near[0])\"?")
      }
      do throws(BenchError) {
        let address = try set(setting.parameter, to: setting.value, on: node.unit, at: "node \"\(setting.node)\"")
        try graph.noteOutsideSetting(address, of: node.unit, at: place)
      } catch {
        // The graph is well; what was set from outside is not.
        throw BenchError(.usage, at: place, error.message, advice: error.advice)
      }
    }
  }

  private func unit(_ name: String, in connection: GraphFile.WrittenConnection) throws(BenchError) -> Unit {
    if let node = graph.node(named: name) { return node.unit }
    let near = nearest(to: name, in: graph.nodes.map(\.name))
    throw BenchError(
      .graph, at: connection.text, "there is no node \"\(excerpt(name))\"",
      advice: near.isEmpty ? nil : "did you mean \"\(near[0])\"?")
  }

  // MARK: Kinds of units

  private func configure(_ unit: Unit, id: String, _ node: inout JSONObject) throws(BenchError) {
    switch unit {
    case let player as FilePlayer: try configure(player, id: id, &node)
    case let equalizer as IPodEQ: try configure(equalizer, &node)
    case let equalizer as NBandEQ: try configure(equalizer, &node)
    case let mixer as MultichannelMixer: try configure(mixer, id: id, &node)
    case let converter as FormatConverterUnit:
      if let quality = try quality(&node) { converter.options.quality = quality }
      if let seed = try node.integer("ditherSeed", in: 0...(1 << 53)) { converter.options.ditherSeed = UInt64(seed) }
      try configureChannels(of: converter, &node)
    case let output as GenericOutput:
      if let quality = try quality(&node) { output.quality = quality }
    default:
      if unit.runsForeignCode { try configureForeign(unit, id: id, &node) }
    }
    if let effect = unit as? FilterEffect, let bypass = try node.bool("bypass") { effect.setBypass(bypass) }
  }

  private func configure(_ player: FilePlayer, id: String, _ node: inout JSONObject) throws(BenchError) {
    let written = try node.fileName("file")
    let path: String
    if let input = options.inputs[id] {
      path = input
    } else if let written {
      path = FileName.path(written, in: folder)
    } else {
      throw node.error("file", "the key is missing", advice: "or name a file on the command line: --input \(id)=FILE")
    }
    do throws(BenchError) { try player.open(path) } catch { throw error.inside("node \"\(id)\"") }
    if let start = try node.integer("start", in: 0...(1 << 53)) { player.startFrame = start }
    if let loops = try node.integer("loops", in: -1...(1 << 31)) { player.loops = Int(loops) }
    if let region = try node.list("region") {
      guard region.count == 2, case .number(let start) = region[0], case .number(let count) = region[1],
        let start = Int64(exactly: start), let count = Int64(exactly: count), start >= 0, count >= 0
      else { throw node.error("region", "expected [first frame, number of frames]") }
      let length = player.file?.frameCount ?? 0
      guard start <= length, count <= length - start else {
        throw node.error(
          "region", "\(count) frames from frame \(start) on are not all in the file, which has \(length)")
      }
      player.region = start..<(start + count)
    }
    if let quality = try quality(&node) { player.quality = quality }
  }

  private func configure(_ equalizer: IPodEQ, _ node: inout JSONObject) throws(BenchError) {
    switch node.take("preset") {
    case nil: break
    case .string(let name):
      guard let preset = IPodEQ.presets.first(where: { $0.name == name }) else {
        let near = nearest(to: name, in: IPodEQ.presets.map(\.name))
        throw node.error(
          "preset", "there is no preset \"\(excerpt(name))\"",
          advice: near.isEmpty ? "aubench units iPodEQ lists them" : "did you mean \"\(near[0])\"?")
      }
      try? equalizer.select(preset: preset.number)
    case .number(let number):
      guard let whole = Int32(exactly: number), (try? equalizer.select(preset: whole)) != nil else {
        throw node.error(
          "preset",
          "a preset is a name or a number from 0 to \(IPodEQ.presets.count - 1), found \(number)")
      }
    case .some(let value): throw node.error("preset", "expected a name or a number, found \(value.kind)")
    }
  }

  private func configure(_ equalizer: NBandEQ, _ node: inout JSONObject) throws(BenchError) {
    let list = try node.list("bands") ?? []
    guard list.count <= NBandEQ.maximumNumberOfBands else {
      throw node.error("bands", "at most \(NBandEQ.maximumNumberOfBands) bands, found \(list.count)")
    }
    // What is not written stays as it is: a default is no setting.
    var values: [(address: ParameterAddress, value: Float)] = []
    for (index, value) in list.enumerated() {
      var object = try JSONObject(value, at: "\(node.place), bands[\(index)]")
      let names = NBandEQ.FilterType.allCases.map(\.name)
      let type = try object.choice("type", from: names, NBandEQ.FilterType.init(name:))
      let written: [(NBandEQ.Parameter, Float?)] = [
        (.filterType, type.map { Float($0.rawValue) }), (.frequency, try object.float("frequency")),
        (.bandwidth, try object.float("bandwidth")), (.gain, try object.float("gain")),
        // A fresh band is bypassed, one that is listed is not.
        (.bypassBand, try object.bool("bypass") ?? false ? 1 : 0),
      ]
      try object.finish()
      for case (let parameter, let value?) in written {
        values.append((NBandEQ.address(parameter, band: index), value))
      }
    }
    if let gain = try node.float("globalGain") { values.append((NBandEQ.address(.globalGain, band: 0), gain)) }
    do throws(AudioStatus) {
      try equalizer.setNumberOfBands(list.count)
      for (address, value) in values { try equalizer.setParameter(address, to: value) }
    } catch {
      throw BenchError(.graph, at: node.place, "\(error)")
    }
  }

  private func configure(_ mixer: MultichannelMixer, id: String, _ node: inout JSONObject) throws(BenchError) {
    let written = try node.integer("inputs", in: 1...65_536)
    // A bus number beyond all reason stays an error of its connection.
    let connected = connections.filter { $0.destination.node == id }.map { min($0.destination.bus, 65_535) + 1 }
    let inputs = written.map(Int.init) ?? connected.max() ?? 1
    var wanted = budget
    try wanted.add(mixer.memoryBytes(withInputs: inputs), for: node.place)
    try? mixer.setElementCount(inputs, .input)
    if let quality = try quality(&node) { mixer.quality = quality }
    if var matrices = try node.object("matrix") {
      for (key, value) in matrices.takeAll() { try matrix(value, of: mixer, key: key, at: matrices.place) }
    }
    if let law = try node.choice(
      "monoPanLaw", from: MonoPanLaw.allCases.map(\.name),
      { name in MonoPanLaw.allCases.first { $0.name == name } })
    {
      mixer.monoPanLaw = law
    }
    if let law = try node.choice(
      "stereoPanLaw", from: StereoPanLaw.allCases.map(\.name),
      { name in StereoPanLaw.allCases.first { $0.name == name } })
    {
      mixer.stereoPanLaw = law
    }
  }

  private func quality(_ node: inout JSONObject) throws(BenchError) -> RateConversionQuality? {
    try node.choice(
      "quality", from: RateConversionQuality.allCases.map(\.rawValue), RateConversionQuality.init(rawValue:))
  }

  private func wantedFormat(_ object: inout JSONObject) throws(BenchError) -> Graph.WantedFormat {
    let rate = try object.number("sampleRate")
    if let rate, !(rate > 0 && StreamFormat.sampleRateRange.contains(rate)) {
      throw object.error("sampleRate", "a rate lies above 0 and up to 3000000 Hz, found \(rate)")
    }
    let encodings: [String: SampleEncoding] = [
      "float32": .float32, "float64": .float64, "int8": .int8, "int16": .int16, "int24": .int24, "int32": .int32,
      "fixed8.24": .fixed8_24,
    ]
    let format = Graph.WantedFormat(
      sampleRate: rate, channelCount: try object.integer("channels", in: 1...1024).map(Int.init),
      encoding: try object.choice("encoding", from: encodings.keys.sorted(), { encodings[$0] }),
      isInterleaved: try object.bool("interleaved"))
    try object.finish()
    return format
  }

  // MARK: Parameters

  private func set(_ node: inout JSONObject, on unit: Unit) throws(BenchError) {
    guard var settings = try node.object("set") else { return }
    for (key, value) in settings.takeAll() {
      guard case .number(let number) = value else {
        throw BenchError(.graph, at: "\(settings.place), \"\(excerpt(key))\"", "expected a number, found \(value.kind)")
      }
      let parameter = try name(key, at: settings.place)
      try checkPan(parameter, of: unit, at: settings.place)
      try set(parameter, to: Float(number), on: unit, at: settings.place)
    }
  }

  /// Pan would end the matrix of the same bus, or do nothing beside it.
  private func checkPan(_ parameter: ParameterName, of unit: Unit, at place: String) throws(BenchError) {
    guard let mixer = unit as? MultichannelMixer, let address = try? parameter.address(in: unit),
      address.scope == .input, address.id == MultichannelMixer.Parameter.pan.rawValue,
      (try? mixer.matrixLevels(input: address.element)) != nil
    else { return }
    throw BenchError(
      .graph, at: "\(place), parameter \"\(parameter)\"",
      "input bus \(address.element) has a matrix, which takes the place of pan", advice: "leave one of the two out")
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
    let address: ParameterAddress
    do throws(BenchError) { address = try parameter.address(in: unit) } catch { throw error.inside(place) }
    do throws(AudioStatus) { try unit.setParameter(address, to: value) } catch {
      throw BenchError(
        .graph, at: "\(place), parameter \"\(parameter)\"", "cannot be set to \(value): \(error)")
    }
    return address
  }

  private func ramp(_ node: inout JSONObject, on unit: Unit) throws(BenchError) {
    var moved: Set<ParameterAddress> = []
    for (index, value) in (try node.list("ramp") ?? []).enumerated() {
      var ramp = try JSONObject(value, at: "\(node.place), ramp[\(index)]")
      let parameter = try name(try ramp.requiredString("parameter"), at: ramp.place)
      var points: [ParameterTimeline.Point] = []
      for value in try ramp.list("points") ?? [] {
        guard case .array(let pair) = value, pair.count == 2, case .number(let frame) = pair[0],
          case .number(let level) = pair[1], let frame = Int64(exactly: frame), frame >= 0, Float(level).isFinite
        else { throw ramp.error("points", "a point is [frame, value], with a whole frame number from 0 on") }
        points.append(ParameterTimeline.Point(frame: frame, value: Float(level)))
      }
      guard let timeline = ParameterTimeline(points) else {
        throw ramp.error("points", "a ramp has at least one point, and its frames do not run backwards")
      }
      let address: ParameterAddress
      do throws(BenchError) { address = try parameter.address(in: unit) } catch { throw error.inside(ramp.place) }
      try checkPan(parameter, of: unit, at: ramp.place)
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
