import AudioCore
import AudioEngine
import BatchRender
import GraphMeasurement
import Hardware
import LibraryReference
import Measurement
import SoundFile

/// Reads a device as a suite writes it: each kind with its own keys.
struct DeviceReading {
  private(set) var kind: DeviceDescription.Kind
  private(set) var channelCount: Int?
  private(set) var edits: [RenderEdit] = []
  /// Frames that are rendered behind the end of the input; nil: latency and tail.
  private(set) var tailFrames: Int64?
  /// The definition that a golden is made from.
  private(set) var definition: JSONValue

  private static let kinds = ["unit", "graph", "command", "formula", "libraryConversion"]

  private static let encodingKey = JSONKey(
    optional: "encoding", .choice(from: ["pcm_u8", "pcm_s8", "pcm16", "pcm24", "pcm32", "float32", "float64"]),
    "Of the file that a command gets.", initial: SoundFileEncoding.float32.rawValue)
  private static let containerKey = JSONKey(
    optional: "container", JSONForm<SoundFileContainer>.rawValue,
    "The kind of file that a command gets; one that holds the encoding without loss.", initial: .wavex)

  static let precisionKey = JSONKey(
    optional: "precision", .choice(from: ["float32", "float64"]), "What the output is rounded to.", initial: "float32")

  static let filterKey = JSONKey(
    "quality", JSONForm<LibraryConversion.Filter>.rawValue, initial: .best, "The library's filter.")

  /// For the schema: those whose values are listed elsewhere.
  static let commandKeys: [any SchemaKey] = [encodingKey, containerKey]

  init(_ written: JSONObject) throws(BenchError) {
    var object = written
    let given = object.keys(among: Self.kinds)
    guard given.count <= 1 else {
      throw object.error(given[1], "a device is one thing, and \"\(given[0])\" is there too", advice: "leave one out")
    }
    channelCount = try object.integer("channels", in: 1...1024).map(Int.init)
    definition = .null
    kind = .unit(.null, name: "", outputRate: nil)
    switch given.first {
    case "graph": try readGraph(&object)
    case "command": try readCommand(&object)
    case "formula": try readFormula(&object)
    case "libraryConversion": try readConversion(&object)
    case "unit": try readUnit(&object)
    default:
      throw object.error(
        "unit", "a device is a unit, a graph or a command, or a formula or a libraryConversion to compare with",
        advice:
          "as {\"unit\": \"lowPassFilter\"}, {\"graph\": \"song.json\"} or {\"command\": [\"sox\", \"{in}\", \"{out}\"]}"
      )
    }
  }

  mutating func add(_ edit: RenderEdit) { edits.append(edit) }

  /// - Parameter more: fields whose names are the suite's.
  private mutating func define(
    _ fields: KeyValuePairs<String, (any JSONRepresentable)?>, and more: [String: JSONValue] = [:]
  ) {
    definition = JSONValue.object(more).adding(fields).adding(["channels": channelCount])
  }

  private mutating func readUnit(_ object: inout JSONObject) throws(BenchError) {
    channelCount = channelCount ?? 2
    let name = try object.requiredString("unit")
    tailFrames = try object.integer("tail", in: 0...(1 << 28))
    let edits = try readEdits(&object, node: GraphDevice.deviceNode)
    // The rest is a node of a graph file, which its own reader checks.
    var node: [String: JSONValue] = ["unit": .string(name)]
    for (key, value) in object.takeAll() { node[key] = value }
    let unit = JSONValue.object(node)
    let outputRate = try? unit["format"]["sampleRate"].quantity(.frequency)
    kind = .unit(unit, name: name, outputRate: outputRate)
    define(["unit": unit, "edits": edits, "tail": tailFrames.map(Int.init)])
  }

  private mutating func readGraph(_ object: inout JSONObject) throws(BenchError) {
    var path = ""
    var inline: JSONValue?
    switch object.take("graph") {
    case .object(let graph)?: inline = .object(graph)
    case .string(let text)?:
      guard text.utf8.count < 4096, !text.isEmpty else {
        throw object.error("graph", "expected the name of a file, found the text \"\(excerpt(text))\"")
      }
      path = text
    case .some(let value):
      throw object.error("graph", "expected the name of a graph file, or a graph, found \(value.kind)")
    case nil: break
    }
    let input = try object.string("input")
    var whole = object
    let set = whole.take("set") ?? [:]
    let settings = try Self.settings(&object, form: "node.parameter@scope:element") { key, value in
      key.firstIndex(of: ".").flatMap { point in
        (try? ParameterName(String(key[key.index(after: point)...]))).map { (String(key[..<point]), $0, value) }
      }
    }
    let edits = try readEdits(&object, node: nil)
    tailFrames = try object.integer("tail", in: 0...(1 << 28))
    try object.finish()
    kind =
      inline.map { .graphText($0.text, name: "graph", folder: object.folder, input: input, settings: settings) }
      ?? .graph(path: FileName.path(path, in: object.folder), input: input, settings: settings)
    define([
      "graph": inline ?? path.json, "input": input?.json ?? .null, "set": set, "edits": edits,
      "tail": tailFrames.map(Int.init),
    ])
  }

  private mutating func readCommand(_ object: inout JSONObject) throws(BenchError) {
    let list = try object.list("command") ?? []
    let words = try Self.texts(list, of: "command", object, expected: "a list of words")
    let encoding = try object.take(Self.encodingKey).flatMap(SoundFileEncoding.init(name:))
    let container = try object.take(Self.containerKey)
    let fileExtension = try object.string("extension")
    if let fileExtension,
      !fileExtension.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) || fileExtension.isEmpty
    {
      throw object.error(
        "extension", "expected letters and digits, found \"\(excerpt(fileExtension))\"", advice: "as \"flac\"")
    }
    let seconds = try object.number("seconds")
    if let seconds, seconds <= 0 { throw object.error("seconds", "above 0, found \(seconds)") }
    try object.finish()
    do {
      var device = try CommandDevice(words, encoding: encoding ?? .float32, container: container ?? .wavex)
      if let seconds { device.timeLimitSeconds = seconds }
      if let fileExtension { device.outputExtension = fileExtension }
      kind = .command(device)
    } catch {
      throw object.error("command", error.message, advice: "as [\"sox\", \"{in}\", \"{out}\", \"lowpass\", \"1000\"]")
    }
    define([
      "command": list, "encoding": (encoding ?? .float32).rawValue, "container": container?.rawValue,
      "extension": fileExtension,
    ])
  }

  private mutating func readFormula(_ object: inout JSONObject) throws(BenchError) {
    let written = object.take("formula") ?? .null
    var named: [String: JSONValue] = [:]
    var texts: [String] = []
    var isForAllChannels = false
    switch written {
    case .string(let text): (texts, isForAllChannels) = ([text], true)
    case .array(let list):
      texts = try Self.texts(list, of: "formula", object, expected: "a text, or a list of texts")
    default: throw object.error("formula", "expected a text, or a list of texts, found \(written.kind)")
    }
    guard (1...1024).contains(texts.count) else {
      throw object.error("formula", "1 to 1024 channels, found \(texts.count)")
    }
    let definitions = try Self.definitions(&object, &named)
    let files = try Self.signals(&object, &named)
    let outputs = try object.integer("outputs", in: 1...1024).map(Int.init)
    if let outputs, !isForAllChannels, outputs != texts.count {
      throw object.error("outputs", "there are \(texts.count) formulas, one for each output channel, not \(outputs)")
    }
    let frames = try object.integer("frames", in: 0...(1 << 28)).map(Int.init)
    let rate = try SuiteFile.CaseDefaults.sampleRate(&object)
    let precision = try object.take(Self.precisionKey)
    try object.finish()
    var formulas: [Formula] = []
    for (channel, text) in texts.enumerated() {
      do {
        formulas.append(try Formula(text, definitions: definitions, signals: Set(files.keys)))
      } catch {
        throw object.error("formula", (texts.count > 1 ? "channel \(channel): " : "") + error.description)
      }
    }
    var device = FormulaDevice(formulas, precision: precision == "float64" ? .float64 : .float32)
    device.outputChannelCount = isForAllChannels ? outputs : texts.count
    (device.outputFrames, device.outputRate) = (frames, rate)
    kind = .formula(device, files: files)
    define(
      ["formula": written, "outputs": outputs, "frames": frames, "sampleRate": rate, "precision": precision],
      and: named)
  }

  /// Formulas and numbers by name, which the formula may use.
  private static func definitions(
    _ object: inout JSONObject, _ named: inout [String: JSONValue]
  ) throws(BenchError) -> [String: String] {
    guard var list = try object.object("let") else { return [:] }
    var definitions: [String: String] = [:]
    for (name, value) in list.takeAll() {
      switch value {
      case .string(let text): definitions[name] = text
      case .number: definitions[name] = "(\(value.text))"
      default:
        throw object.error("let", "expected formulas and numbers by name, found \"\(excerpt(name))\": \(value.kind)")
      }
      named["let." + name] = value
    }
    return definitions
  }

  /// Paths of sound files by name, whose samples the formula may use.
  private static func signals(
    _ object: inout JSONObject, _ named: inout [String: JSONValue]
  ) throws(BenchError) -> [String: String] {
    guard var list = try object.object("signals") else { return [:] }
    var files: [String: String] = [:]
    for (name, value) in list.takeAll() {
      guard case .string(let file) = value, !file.isEmpty else {
        throw object.error("signals", "expected files by name, found \"\(excerpt(name))\": \(value.kind)")
      }
      files[name] = FileName.path(file, in: object.folder)
      named["signals." + name] = value
    }
    return files
  }

  private mutating func readConversion(_ object: inout JSONObject) throws(BenchError) {
    guard var keys = try object.object("libraryConversion") else { return }
    let filter = try keys.take(Self.filterKey)
    guard let rate = try SuiteFile.CaseDefaults.sampleRate(&keys) else {
      throw keys.error("sampleRate", "the key is missing", advice: "the rate of the output, in hertz")
    }
    try keys.finish()
    try object.finish()
    kind = .conversion(LibraryConversionDevice(filter, to: rate))
    define(["libraryConversion": filter.rawValue, "sampleRate": rate])
  }
}
