import AudioCore
import AudioEngine
import BatchRender
import FoundationEssentials
import GraphMeasurement
import Hardware
import Measurement
import Processes

/// A device under test, or one to compare with, as a suite writes it: `{"unit": …}`, `{"graph": …}`, `{"command":
/// […]}`, `{"formula": …}` or `{"libraryConversion": {…}}`.
public struct DeviceDescription: Sendable {
  typealias Setting = (node: String, parameter: ParameterName, value: Float)

  enum Kind: Sendable {
    /// A node of a graph file without its id.
    case unit(JSONValue, name: String, outputRate: Double?)
    case graph(path: String, input: String?, settings: [Setting])
    /// A graph that is written in the suite, or a graph file whose text was changed; file names in it are relative to a
    /// folder.
    case graphText(String, name: String, folder: String, input: String?, settings: [Setting])
    case command(CommandDevice)
    /// Formulas for the required output, with the files of its signals by name.
    case formula(FormulaDevice, files: [String: String])
    /// The output of a library called directly.
    case conversion(LibraryConversionDevice)
  }

  private(set) var kind: Kind
  let folder: String
  /// Hertz.
  public let sampleRate: Double
  /// Channels of the stimulus; nil: the device's own number, or 2.
  public private(set) var channelCount: Int?
  let definition: JSONValue
  /// The device as it stands in the suite.
  let written: JSONValue
  /// Frames that are rendered behind the end of the input; nil: latency and tail.
  let tailFrames: Int64?

  /// The edits of a unit or a graph while it is rendered.
  let edits: [RenderEdit]

  init(_ written: JSONObject, sampleRate: Double) throws(BenchError) {
    let reading = try DeviceReading(written)
    var copy = written
    self.written = .object(Dictionary(uniqueKeysWithValues: copy.takeAll().map { ($0.key, $0.value) }))
    tailFrames = reading.tailFrames
    folder = written.folder
    self.sampleRate = sampleRate
    kind = reading.kind
    channelCount = reading.channelCount
    definition = reading.definition
    edits = reading.edits
  }

  /// True for the same device, whatever the number of channels that either is given.
  func isSame(as other: DeviceDescription) -> Bool {
    if case .command(let one) = kind, case .command(let two) = other.kind {
      return one.words == two.words && folder == other.folder
    }
    return sampleRate == other.sampleRate && Self.essence(definition) == Self.essence(other.definition)
  }

  /// A definition without the keys that change nothing: channels of the stimulus, and lists and objects without
  /// anything.
  private static func essence(_ value: JSONValue) -> JSONValue {
    guard case .object(let keys) = value else { return value }
    return .object(
      keys.filter { key, value in
        key != "channels" && key != "id" && key != "about" && value != .array([]) && value != .object([:])
          && value != .null
      }.mapValues(essence))
  }

  /// For people.
  public var name: String {
    switch kind {
    case .unit(_, let name, _): name
    case .graph(let name, _, _), .graphText(_, let name, _, _, _): name
    case .command(let device): device.name
    case .formula(let device, _): device.name
    case .conversion(let device): device.name
    }
  }

  /// True for graphs: they play their own files if they get no input, and have channels of their own.
  var isGraph: Bool {
    switch kind {
    case .graph, .graphText: true
    default: false
    }
  }

  var isCommand: Bool {
    if case .command = kind { return true }
    return false
  }

  /// True for devices that the engine renders: a tail that such a device declares belongs to its output.
  var isRendered: Bool {
    switch kind {
    case .unit, .graph, .graphText: true
    case .command, .formula, .conversion: false
    }
  }

  /// The unit's node as JSON, for answers in closed form.
  var unitNode: JSONValue? {
    if case .unit(let node, _, _) = kind { return node }
    return nil
  }

  /// The device, ready to be given signals.
  /// - Parameter playsItself: true for a graph that plays its own files.
  /// - Throws: the error of the graph's reader; `.usage` for a command without `{in}` and `{out}`.
  func make(
    playsItself: Bool = false, options: GraphFile.Options = GraphFile.Options()
  ) throws(BenchError) -> any Device {
    var options = options
    switch kind {
    case .unit(let node, VoiceUnitDevice.unitName, _): return try VoiceUnitDevice(node: node, sampleRate: sampleRate)
    case .unit(let node, let name, let outputRate):
      return try edited(
        GraphDevice(
          unit: node.text, named: name, channelCount: channelCount ?? 2, sampleRate: sampleRate, outputRate: outputRate,
          folder: folder, options: options))
    case .graph(let path, let input, let settings):
      options.settings += settings
      return try edited(GraphDevice(graphFile: path, input: input, playsItself: playsItself, options: options))
    case .graphText(let written, let name, let folder, let input, let settings):
      options.settings += settings
      let (text, silence) = playsItself ? (written, nil) : try withSilence(written, input: input)
      return try edited(
        GraphDevice(name, input: input, playsItself: playsItself) { [options] (rate) throws(BenchError) in
          var options = options
          if let rate { options.sampleRate = rate }
          return try withExtendedLifetime(silence) { () throws(BenchError) in
            try GraphFile.parse(text, folder: folder, options: options)
          }
        })
    case .command(var device):
      device.inputChannelCount = channelCount
      device.folder = folder.isEmpty ? nil : folder
      return device
    case .formula(var device, let files):
      device.inputChannelCount = channelCount
      for (name, path) in files { device.signals[name] = try AudioSignal(contentsOf: path) }
      return device
    case .conversion(var device):
      device.inputChannelCount = channelCount
      return device
    }
  }

  /// A graph that changes while it is rendered.
  private func edited(_ device: GraphDevice) -> GraphDevice {
    var device = device
    device.edits = edits
    device.extraFrames = tailFrames
    return device
  }

  /// The graph with a silent file for the player of the stimulus where it has none: a file of the device's channels.
  private func withSilence(_ text: String, input: String?) throws(BenchError) -> (text: String, ScratchFolder?) {
    guard let input, var document = try? JSONValue.document(Data(text.utf8), kind: .suite),
      case .array(var nodes) = document["nodes"],
      let index = nodes.firstIndex(where: { $0["id"] == .string(input) && $0["file"] == .null })
    else { return (text, nil) }
    let folder = try ScratchFolder()
    let path = folder.file("silence.wav")
    try AudioSignal(sampleRate: 48_000, channelCount: channelCount ?? 2, [0]).write(to: path)
    nodes[index]["file"] = .string(path)
    document["nodes"] = .array(nodes)
    return (document.text, folder)
  }

  /// The same device for one channel.
  /// - Precondition: it is no graph file, whose channels are its own.
  func monophonic() -> DeviceDescription {
    var description = self
    description.channelCount = 1
    return description
  }

  // MARK: Perturbations

  /// The device with one node changed: a unit's own, or the first of a graph that `edit` can change. Nil where there is
  /// none.
  func edited(_ edit: (JSONValue) -> JSONValue?) -> DeviceDescription? {
    switch kind {
    case .command, .formula, .conversion: return nil
    case .unit(let node, let name, let outputRate):
      guard let changed = edit(node) else { return nil }
      return with(.unit(changed, name: name, outputRate: outputRate))
    case .graph(let path, let input, let settings):
      guard let data = try? JSONFile.read(path, kind: .suite, what: "graph"),
        let document = try? JSONValue.document(data, kind: .suite), let changed = Self.edited(document, edit)
      else { return nil }
      return with(
        .graphText(changed, name: path, folder: FileName.folderPrefix(of: path), input: input, settings: settings))
    case .graphText(let text, let name, let folder, let input, let settings):
      guard let document = try? JSONValue.document(Data(text.utf8), kind: .suite),
        let changed = Self.edited(document, edit)
      else { return nil }
      return with(.graphText(changed, name: name, folder: folder, input: input, settings: settings))
    }
  }

  /// A graph with the first of its nodes changed that `edit` can change.
  private static func edited(_ graph: JSONValue, _ edit: (JSONValue) -> JSONValue?) -> String? {
    guard case .array(var nodes) = graph["nodes"] else { return nil }
    for index in nodes.indices {
      guard let changed = edit(nodes[index]) else { continue }
      nodes[index] = changed
      var graph = graph
      graph["nodes"] = .array(nodes)
      return graph.text
    }
    return nil
  }

  private func with(_ kind: Kind) -> DeviceDescription {
    var description = self
    description.kind = kind
    return description
  }
}
