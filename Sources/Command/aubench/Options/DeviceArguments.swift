import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import Foundation
import GraphMeasurement
import Measurement
import SoundFile

extension CommandOption {
  static let unitSet = CommandOption(
    "set", letter: "s", value: "PARAM=VALUE", isRepeatable: true,
    "set a parameter: cutoffFrequency=800 of a unit, eq.gain@band:0=-3 of a graph's node")
  static let preset = CommandOption("preset", letter: "p", value: "NAME", "a factory preset of the unit")
  static let keys = CommandOption(
    "keys", value: "JSON",
    "further keys of the unit, as a graph file writes them: '{\"bands\": [{\"type\": \"lowPass\", \"frequency\": 800}]}'"
  )
  static let inputNode = CommandOption(
    "input", letter: "i", value: "NODE", "the filePlayer of the graph into which the stimulus goes")
  static let deviceRate = CommandOption(
    "rate", letter: "r", value: "HZ", "the sample rate (default: the graph's, 48000 for units and commands)")
  static let deviceChannels = CommandOption(
    "channels", value: "N", "channels of the stimulus (default: what the graph's player has, else 2)")
  static let deviceEncoding = CommandOption(
    "encoding", letter: "e", value: "E",
    completion: .words { ["pcm16", "pcm24", "pcm32", "float32", "float64"] },
    "the samples of the WAV file that a command gets (default float32)")
  static let timeLimit = CommandOption(
    "time-limit", value: "S", "seconds that a command may take for one signal (default 60)")
}

/// The device under test that a command line names: a graph file, a unit, or any command.
enum DeviceArguments {
  static let options: [CommandOption] = [
    .unitSet, .preset, .keys, .inputNode, .deviceRate, .deviceChannels, .deviceEncoding, .timeLimit,
  ]

  /// - Parameters:
  ///   - key: the key to set: a key or a parameter of a unit, `NODE.PARAM` of a graph, `{key}` in a command's words.
  static func device(
    _ arguments: Arguments, varying key: String? = nil, as value: String = ""
  ) throws(BenchError) -> any Device {
    var words = arguments.operands
    if let key, words.count > 1 || words[0].contains("{in}") {
      guard words.contains(where: { $0.contains("{\(key)}") }) else {
        throw Arguments.error(.vary, "there is no {\(key)} in the words of the command")
      }
      words = words.map { $0.replacing("{\(key)}", with: value) }
    }
    let channels = try arguments.channelCount(.deviceChannels)
    let rate = try rate(arguments)
    if words.count > 1, !words.contains(where: { $0.contains("{in}") || $0.contains("{out}") }) {
      try refuseWords(words)
    }
    if words.count > 1 || words[0].contains("{in}") {
      try refuse([.unitSet, .preset, .keys, .inputNode], of: "a command", arguments)
      return try command(words, channels: channels, arguments)
    }
    try refuse([.deviceEncoding, .timeLimit], of: "a graph or a unit", arguments)
    if isGraph(words[0]) {
      try refuse([.preset, .keys, .deviceChannels], of: "a graph", arguments)
      var options = GraphArguments.thirdPartyUnits
      for (key, value) in try arguments.pairs(.unitSet, "NODE.PARAM=VALUE") {
        options.writtenSettings.append(try GraphArguments.setting(key, value))
      }
      if let key { options.writtenSettings.append(try GraphArguments.setting(key, value)) }
      options.sampleRate = rate
      return try GraphDevice(graphFile: words[0], input: arguments[.inputNode], options: options)
    }
    try refuse([.inputNode], of: "a unit", arguments)
    if words[0] == VoiceUnitDevice.unitName {
      try refuse([.preset, .keys, .deviceChannels], of: "a voice processor", arguments)
      var settings = try arguments.pairs(.unitSet, "PROPERTY=VALUE")
      if let key { settings.append((key, value)) }
      return try VoiceUnitDevice(settings)
    }
    return try unit(
      words[0], channels: channels ?? 2, rate: rate ?? MeasurementSettings.defaultSampleRate, arguments,
      varied: key.map { ($0, value) })
  }

  static func rate(_ arguments: Arguments) throws(BenchError) -> Double? {
    try arguments.number(.deviceRate, "a rate from 1 to 3000000 Hz", in: .frequency) { (1...3_000_000).contains($0) }
  }

  /// The unit of what is varied, as its symbol; empty where it has none. That of a command's words stands in the key:
  /// `{cutoff_Hz}`, `{azimuth_deg}`.
  static func unit(ofVaried key: String, _ device: any Device) throws(BenchError) -> String {
    guard let device = device as? GraphDevice else {
      let unit = key.split(separator: "_").dropFirst().last.map(String.init) ?? ""
      return unit == "deg" ? ParameterUnit.degrees.symbol : unit
    }
    let setting = try? GraphArguments.setting(key, "0")
    guard let parameter = setting?.parameter ?? (try? ParameterName(key)) else { return "" }
    return try device.unit(ofParameter: parameter.name, node: setting?.node)?.symbol ?? ""
  }

  /// A reader of the operand where that is a sound file; nil where it is none by its name.
  static func soundFile(_ path: String) throws(BenchError) -> SoundFileReader? {
    guard let ending = FileName.fileExtension(of: path), SoundFileContainer(fileExtension: ending) != nil else {
      return nil
    }
    let reader = try SoundFileReader(path: path)
    reader.info.warnings.forEach(ErrorOutput.warn)
    return reader
  }

  private static func isGraph(_ word: String) -> Bool {
    FileName.fileExtension(of: word) == "json" || FileSystem.exists(word)
  }

  /// Several words that are no command: what the second one may have been meant as.
  private static func refuseWords(_ words: [String]) throws(BenchError) {
    let second = words[1]
    let unit = ComponentRegistry.builtIn.named(words[0])
    guard unit != nil || isGraph(words[0]) else { return }
    var advice = "one unit or graph is measured at a time; a command has {in} and {out} among its words"
    if second.utf8.contains(UInt8(ascii: "=")) {
      advice = "write --set \(second) to set a parameter"
    } else if let unit, unit.make().factoryPresets.contains(where: { $0.name == second }) {
      advice = "write --preset \(second)"
    } else if OptionSynonyms.isPicture(second) {
      advice = "write --plot \(second) to draw what is measured"
    } else if MeasurementKind(rawValue: second) != nil {
      advice = "write --what \(second)"
    }
    throw BenchError(.usage, at: "measure", "\"\(second)\" is one word too many", advice: advice)
  }

  private static func command(
    _ words: [String], channels: Int?, _ arguments: Arguments
  ) throws(BenchError) -> CommandDevice {
    var encoding = SoundFileEncoding.float32
    if let name = arguments[.deviceEncoding] {
      guard let named = SoundFileEncoding(name: name) else {
        throw Arguments.error(
          .deviceEncoding, "there is no encoding \"\(name)\"", advice: "choose pcm16, pcm24, pcm32, float32 or float64")
      }
      encoding = named
    }
    var device = try CommandDevice(words, encoding: encoding)
    device.inputChannelCount = channels
    let limit = try arguments.number(.timeLimit, "a time above 0", in: .time, where: { $0 > 0 })
    if let limit { device.timeLimitSeconds = limit }
    return device
  }

  private static func unit(
    _ name: String, channels: Int, rate: Double, _ arguments: Arguments, varied: (key: String, value: String)?
  ) throws(BenchError) -> GraphDevice {
    var node: [String: JSONValue] = [:]
    if let text = arguments[.keys] {
      guard case .object(let keys) = try JSONValue.document(Data(text.utf8), kind: .usage) else {
        throw Arguments.error(.keys, "expected an object, as '{\"bands\": []}'")
      }
      node = keys
    }
    node["unit"] = .string(name)
    if let preset = arguments[.preset] { node["preset"] = JSONValue(number: preset) ?? .string(preset) }
    var settings = try arguments.pairs(.unitSet, "PARAM=VALUE")
    if let varied {
      // A number is a parameter's value, but that presets have numbers too; a text is that of a key.
      if varied.key != "preset", Quantity.beginsAsNumber(varied.value) {
        settings.append((varied.key, varied.value))
      } else {
        node[varied.key] = .string(varied.value)
      }
    }
    var options = GraphArguments.thirdPartyUnits
    options.clampAdvice = "add --keys '{\"clamp\": true}'"
    for (key, value) in settings {
      options.writtenSettings.append(
        WrittenSetting(node: GraphDevice.deviceNode, parameter: try ParameterName(key), text: value))
    }
    let unit = JSONValue.object(node)
    let outputRate = try? unit["format"]["sampleRate"].quantity(.frequency)
    do {
      return try GraphDevice(
        unit: unit.text, named: name, channelCount: channels, sampleRate: rate,
        outputRate: outputRate, options: options)
    } catch {
      // A temporary file that cannot be written is no fault of the line.
      guard error.kind != .output else { throw error }
      // The graph around the unit is this program's own: what is wrong was written on the command line.
      let setting = "setting \(GraphDevice.deviceNode)."
      let place =
        error.place.hasPrefix(setting)
        ? "unit \"\(name)\", parameter \"\(error.place.dropFirst(setting.count))\"" : "unit \"\(name)\""
      throw BenchError(.usage, at: place, error.message, advice: error.advice)
    }
  }

  private static func refuse(
    _ options: [CommandOption], of what: String, _ arguments: Arguments
  ) throws(BenchError) {
    for option in options where arguments.has(option) {
      throw Arguments.error(option, "is not for \(what)")
    }
  }
}
