import AudioCore
import AudioUnits
import BatchRender
import Measurement
import SoundFile

/// A device under test as a suite writes it: `{"unit": …}`, `{"graph": …}` or `{"command": […]}`.
public struct DeviceDescription: Sendable {
  enum Kind: Sendable {
    /// A node of a graph file without its id.
    case unit(JSONValue, name: String, outputRate: Double?)
    case graph(path: String, input: String?, settings: [(node: String, parameter: ParameterName, value: Float)])
    /// A graph file whose text was changed; file names in it are relative to the file's folder still.
    case graphText(
      String, path: String, input: String?, settings: [(node: String, parameter: ParameterName, value: Float)])
    case command(words: [String], encoding: SoundFileEncoding, folder: String?, seconds: Double?)
  }

  let kind: Kind
  let folder: String
  /// Hertz.
  public let sampleRate: Double
  /// Channels of the stimulus; nil: as many as the device wants, or 2.
  public let channelCount: Int?
  let definition: JSONValue

  init(_ written: JSONObject, folder: String, sampleRate: Double) throws(BenchError) {
    var object = written
    self.folder = folder
    self.sampleRate = sampleRate
    let given = object.keys(among: ["unit", "graph", "command"])
    guard given.count <= 1 else {
      throw object.error(given[1], "a device is one thing, and \"\(given[0])\" is there too", advice: "leave one out")
    }
    let channels = try object.integer("channels", in: 1...1024).map(Int.init)
    if let path = try object.fileName("graph") {
      channelCount = channels
      let input = try object.string("input")
      var settings: [(String, ParameterName, Float)] = []
      var written: [String: JSONValue] = [:]
      if var list = try object.object("set") {
        for (key, value) in list.takeAll() {
          guard let point = key.firstIndex(of: "."),
            let name = try? ParameterName(String(key[key.index(after: point)...])),
            case .number(let number) = value, Float(number).isFinite
          else {
            throw object.error(
              "set",
              "expected \"node.parameter@scope:element\": number, found \"\(excerpt(key))\": \(excerpt(value.text))")
          }
          settings.append((String(key[..<point]), name, Float(number)))
          written[key] = value
        }
      }
      try object.finish()
      kind = .graph(path: FileName.path(path, in: folder), input: input, settings: settings)
      definition = Self.definition(
        ["graph": .string(path), "input": input.map { .string($0) } ?? .null, "set": .object(written)],
        channels: channels)
    } else if let list = try object.list("command") {
      channelCount = channels
      var words: [String] = []
      for value in list {
        guard case .string(let word) = value else {
          throw object.error("command", "expected a list of words, found \(value.kind) in it")
        }
        words.append(word)
      }
      let names = ["pcm16", "pcm24", "pcm32", "float32", "float64"]
      let encoding = try object.choice(
        "encoding", from: names, { names.contains($0) ? SoundFileEncoding(name: $0) : nil })
      let seconds = try object.number("seconds")
      if let seconds, seconds <= 0 { throw object.error("seconds", "above 0, found \(seconds)") }
      try object.finish()
      do throws(BenchError) {
        _ = try CommandDevice(words)
      } catch {
        throw object.error("command", error.message, advice: "as [\"sox\", \"{in}\", \"{out}\", \"lowpass\", \"1000\"]")
      }
      kind = .command(
        words: words, encoding: encoding ?? .float32, folder: folder.isEmpty ? nil : folder, seconds: seconds)
      definition = Self.definition(
        ["command": .array(list), "encoding": .string((encoding ?? SoundFileEncoding.float32).rawValue)],
        channels: channels)
    } else if let name = try object.string("unit") {
      channelCount = channels ?? 2
      // The rest is a node of a graph file, which its own reader checks.
      var node: [String: JSONValue] = ["unit": .string(name)]
      for (key, value) in object.takeAll() { node[key] = value }
      var outputRate: Double?
      if case .object(let format)? = node["format"], case .number(let rate)? = format["sampleRate"] {
        outputRate = rate
      }
      kind = .unit(.object(node), name: name, outputRate: outputRate)
      definition = .object(["unit": .object(node), "channels": .number(Double(channels ?? 2))])
    } else {
      throw object.error(
        "unit", "a device is a unit, a graph or a command",
        advice:
          "as {\"unit\": \"lowPassFilter\"}, {\"graph\": \"song.json\"} or {\"command\": [\"sox\", \"{in}\", \"{out}\"]}"
      )
    }
  }

  /// What a golden is made of, with the channels where they are given.
  private static func definition(_ fields: [String: JSONValue], channels: Int?) -> JSONValue {
    .object(fields.merging(channels.map { ["channels": .number(Double($0))] } ?? [:]) { $1 })
  }

  /// For people.
  public var name: String {
    switch kind {
    case .unit(_, let name, _): name
    case .graph(let path, _, _), .graphText(_, let path, _, _): path
    case .command(let words, _, _, _): words.joined(separator: " ")
    }
  }

  /// Whether it plays its own files where it is given nothing.
  var isGraph: Bool {
    if case .graph = kind { return true }
    return false
  }

  var isCommand: Bool {
    if case .command = kind { return true }
    return false
  }

  /// The unit's node as JSON, for answers in closed form.
  var unitNode: JSONValue? {
    if case .unit(let node, _, _) = kind { return node }
    return nil
  }

  /// The device, ready to be given signals.
  /// - Parameter playsItself: of a graph: it plays its own files.
  /// - Throws: what the graph's reader says; `.usage` for a command without `{in}` and `{out}`.
  func make(
    playsItself: Bool = false, options: GraphFile.Options = GraphFile.Options()
  ) throws(BenchError) -> any Device {
    var options = options
    switch kind {
    case .unit(let node, let name, let outputRate):
      return try GraphDevice(
        unit: node.text, named: name, channelCount: channelCount ?? 2, sampleRate: sampleRate, outputRate: outputRate,
        folder: folder, options: options)
    case .graph(let path, let input, let settings):
      options.settings += settings
      return try GraphDevice(graphFile: path, input: input, playsItself: playsItself, options: options)
    case .graphText(let text, let path, let input, let settings):
      options.settings += settings
      let folder = FileName.folderPrefix(of: path)
      return try GraphDevice(path, input: input, playsItself: playsItself) { [options] (rate) throws(BenchError) in
        var options = options
        if let rate { options.sampleRate = rate }
        return try GraphFile.parse(text, folder: folder, options: options)
      }
    case .command(let words, let encoding, let folder, let seconds):
      var device = try CommandDevice(words, encoding: encoding)
      device.inputChannelCount = channelCount
      device.folder = folder
      if let seconds { device.timeLimitSeconds = seconds }
      return device
    }
  }

  // MARK: Perturbations

  /// The device with one node changed: a unit's own, or the first of a graph that `edit` can change. Nil where there is none.
  func edited(_ edit: (JSONValue) -> JSONValue?) -> DeviceDescription? {
    switch kind {
    case .command: return nil
    case .unit(let node, let name, let outputRate):
      guard let changed = edit(node) else { return nil }
      return DeviceDescription(self, kind: .unit(changed, name: name, outputRate: outputRate))
    case .graph(let path, let input, let settings):
      guard let data = try? JSONFile.read(path, kind: .suite, what: "graph"),
        case .object(var graph)? = try? JSONValue.document(data, kind: .suite), case .array(var nodes)? = graph["nodes"]
      else { return nil }
      for index in nodes.indices {
        guard let changed = edit(nodes[index]) else { continue }
        nodes[index] = changed
        graph["nodes"] = .array(nodes)
        return DeviceDescription(
          self, kind: .graphText(JSONValue.object(graph).text, path: path, input: input, settings: settings))
      }
      return nil
    case .graphText: return nil
    }
  }

  private init(_ other: DeviceDescription, kind: Kind) {
    self.kind = kind
    folder = other.folder
    sampleRate = other.sampleRate
    channelCount = other.channelCount
    definition = other.definition
  }
}
