import AudioCore
import AudioEngine
import AudioToolbox
import BatchRender
import Bench
import Foundation
import Glibc
import Measurement
import Processes
import SoundFile

/// The renders of a `bench` command line: graph files, and units that noise is played into.
final class BenchSubjects {
  private let arguments: Arguments
  private let variation: BenchVariation?
  private let slices: [Int]
  private let threads: [Int]
  private let rate: Double?
  /// The folder of the noise for units, and its files: by rate and channels.
  private var folder: ScratchFolder?
  private var noise: [String: String] = [:]

  /// The length of the noise.
  private static let noiseSeconds = 10.0
  private static let unitRate = MeasurementSettings.defaultSampleRate
  /// The name of the unit in settings.
  static let unitNode = "unit"
  private static let noiseNode = "noise"
  private static let outputNode = "out"

  /// True for what stands around a unit: the players of the noise, and the output.
  static func isOwnNode(_ name: String) -> Bool {
    name == outputNode || (name.hasPrefix(noiseNode) && name.dropFirst(noiseNode.count).allSatisfy(\.isNumber))
  }

  init(_ arguments: Arguments, _ variation: BenchVariation?) throws(BenchError) {
    self.arguments = arguments
    self.variation = variation
    slices = try Self.numbers(arguments, .slices, "a number of frames from 1 to 1048576", in: 1...(1 << 20)) ?? [512]
    threads = try Self.numbers(arguments, .benchThreads, "a number of threads from 1 to 256", in: 1...256) ?? [1]
    rate = try GraphArguments.sampleRate(.benchRate, arguments)
    for option in [CommandOption.slices, .benchThreads, .benchRate] where arguments.has(option) {
      if option.name == variation?.name {
        throw Arguments.error(option, "does not go with --vary \(option.name)", advice: "leave one of the two out")
      }
    }
  }

  /// True when the operands are a command: the first is neither a graph file nor a unit, and there is a program of this
  /// name.
  static func isCommand(_ operands: [String]) -> Bool {
    let first = operands[0]
    if first.hasSuffix(".json") || GraphArguments.thirdPartyUnits.registry.named(first) != nil { return false }
    if first.contains("/") { return FileSystem.access(first, X_OK) == 0 && FileSystem.names(in: first) == nil }
    let folders = (FileSystem.environment("PATH") ?? "").split(separator: ":")
    return folders.contains { FileSystem.access("\($0)/\(first)", X_OK) == 0 }
  }

  /// Cases of all subjects, values, slices and threads, in this order.
  /// - Parameter words: the command that starts a worker.
  func cases(_ words: [String]) throws(BenchError) -> [BenchRun.Case] {
    var cases: [BenchRun.Case] = []
    for operand in arguments.operands {
      for value in variation?.values.map(Optional.some) ?? [nil] { cases += try self.cases(operand, value, words) }
    }
    return cases
  }

  /// The subject of an operand as it stands, without a variation.
  func subject(_ operand: String) throws(BenchError) -> BenchSubject {
    var shape = UnitShape()
    (shape.rate, shape.keys) = (rate, arguments[.benchKeys])
    return try subject(operand, shape)
  }

  private func cases(_ operand: String, _ value: String?, _ words: [String]) throws(BenchError) -> [BenchRun.Case] {
    var name = operand
    var shape = UnitShape()
    shape.rate = rate
    shape.keys = arguments[.benchKeys]
    var (slices, threads) = (slices, threads)
    var setting: BenchSubject.Setting?
    var seconds: Double?
    if let variation, let value {
      switch variation.key {
      case .slice: slices = [try variation.integer(value, in: 1...(1 << 20))]
      case .threads: threads = [try variation.integer(value, in: 1...256)]
      case .rate: shape.rate = try variation.positive(value, below: 3_000_000)
      case .seconds: seconds = try variation.positive(value, below: 3600)
      case .channels: shape.channels = try variation.integer(value, in: 1...64)
      case .buses: shape.buses = try variation.integer(value, in: 1...1024)
      case .bands: shape.bands = try variation.integer(value, in: 1...1024)
      case .nodes: shape.nodes = try variation.integer(value, in: 1...1024)
      case .setting(let key): setting = BenchSubject.Setting(key: key, text: value)
      case .text(let key):
        name = name.replacing("{\(key)}", with: value)
        shape.keys = shape.keys?.replacing("{\(key)}", with: value)
      }
    }
    shape.mostFrames = max(shape.mostFrames, slices.max() ?? 0)
    var subject = try subject(name, shape)
    if let setting { subject.settings.append(setting) }
    subject.lengthSeconds = seconds
    return slices.flatMap { slice in
      threads.map { count in
        (subject.slice, subject.threads) = (slice, count)
        return makeCase(operand, value, subject, words)
      }
    }
  }

  /// A case with its name: the subject, the value that is varied, and the slice and threads where they tell cases
  /// apart.
  private func makeCase(
    _ operand: String, _ value: String?, _ subject: BenchSubject, _ words: [String]
  ) -> BenchRun.Case {
    let variesCall = [.slice, .threads].contains(variation?.key)
    let call =
      NumberText.count(subject.slice, "frame")
      + (threads == [1] && subject.threads == 1 ? "" : ", \(NumberText.count(subject.threads, "thread"))")
    var parts = arguments.operands.count > 1 ? [shortName(of: operand)] : []
    if let variation, let value, !variesCall { parts.append("\(variation.name) \(value)") }
    if parts.isEmpty || slices.count > 1 || threads.count > 1 || variesCall { parts.append(call) }
    return BenchRun.Case(
      name: parts.joined(separator: ", "), title: operand, varied: value.flatMap { variation?.number($0) },
      group: variesCall ? "" : call, subject: subject, words: words)
  }

  /// Without the folder, where the last part is no other's.
  private func shortName(of operand: String) -> String {
    let last = FileName.last(of: operand)
    return arguments.operands.count { FileName.last(of: $0) == last } == 1 ? last : operand
  }

  /// The channels, buses, bands and number of a unit in a graph.
  private struct UnitShape {
    var rate: Double?
    var channels = 2
    var buses = 1
    var bands: Int?
    var nodes = 1
    var mostFrames = 4096
    /// An object in JSON; nil: none.
    var keys: String?
  }

  private func subject(_ operand: String, _ shape: UnitShape) throws(BenchError) -> BenchSubject {
    let options = GraphArguments.thirdPartyUnits
    var own: BenchSubject
    var settings = try arguments.pairs(.set, "NODE.PARAM@SCOPE:EL=VALUE")
    if FileSystem.exists(operand) {
      if let variation, [.channels, .buses, .bands, .nodes].contains(variation.key) {
        throw Arguments.error(
          .benchVary, "\(variation.name) are varied of units, and \(VisibleText.name(operand)) is a graph",
          advice: "make a graph of each, and put {n} into their name: 'song-{n}.json' --vary n=1,2,4")
      }
      guard shape.keys == nil else {
        throw Arguments.error(
          .benchKeys, "\(VisibleText.name(operand)) is a graph, whose nodes have their keys",
          advice: "write them into the graph")
      }
      let data = try JSONFile.read(operand, kind: .graph, what: "graph")
      own = BenchSubject(
        graph: ByteText.string(Array(data)), folder: FileName.folderPrefix(of: operand), slice: 512, threads: 1)
      own.sampleRate = shape.rate
    } else {
      let known = options.registry.named(operand)
      var component = known
      if component == nil { component = try options.findOther(operand) }
      guard let component else {
        throw BenchError(
          .graph, at: operand, "there is no such graph file, and no unit or program of this name",
          advice: advice(operand))
      }
      own = try graph(of: component, named: operand, shape)
      // A unit is the only node.
      settings = settings.map { key, value in
        key.prefix { $0 != "@" }.contains(".") ? (key, value) : ("\(Self.unitNode).\(key)", value)
      }
      // A row of units has the same settings in each.
      settings += settings.filter { $0.key.hasPrefix(Self.unitNode + ".") }.flatMap { setting in
        (1..<max(1, shape.nodes)).map {
          ("\(Self.unitNode)\($0 + 1)\(setting.key.dropFirst(Self.unitNode.count))", setting.value)
        }
      }
    }
    for (node, file) in try arguments.pairs(.input, "NODE=FILE") { own.inputs[node] = file }
    own.settings = settings.map { BenchSubject.Setting(key: $0.key, text: $0.value) }
    return own
  }

  private func advice(_ operand: String) -> String {
    if operand.contains("{") { return "--vary says what stands for the name in braces" }
    return GraphArguments.thirdPartyUnits.registry.suggestions(for: operand).first.map { "did you mean \($0)?" }
      ?? "check the path, or choose from \"aubench units\""
  }

  /// A graph of one unit, or of several in a row, which noise is played into where it has an input.
  private func graph(
    of component: Component, named name: String, _ shape: UnitShape
  ) throws(BenchError) -> BenchSubject {
    guard component.description.type != .output else {
      throw BenchError(
        .usage, at: name, "is an output unit, which renders nothing of its own",
        advice: "bench a graph that ends in it")
    }
    let rate = shape.rate ?? Self.unitRate
    let hasInput = component.make().elementCount(.input) > 0
    guard hasInput || (shape.nodes == 1 && shape.buses == 1) else {
      throw Arguments.error(.benchVary, "\(name) has no input to be connected")
    }
    let ids = (1...shape.nodes).map { $0 == 1 ? Self.unitNode : "\(Self.unitNode)\($0)" }
    var nodes: [JSONValue] = []
    var connections =
      zip(ids, ids.dropFirst()).map { "\($0) -> \($1)" } + ["\(ids[ids.count - 1]) -> \(Self.outputNode)"]
    if hasInput {
      let path = try noise(rate: rate, channels: shape.channels)
      for bus in 0..<shape.buses {
        let id = Self.noiseNode + (bus == 0 ? "" : "\(bus + 1)")
        nodes.append(JSONValue(["id": id, "unit": "filePlayer", "file": path]))
        connections.append("\(id) -> \(Self.unitNode)\(bus == 0 ? "" : ":\(bus)")")
      }
    }
    let keys = try keys(shape)
    for id in ids {
      let node = JSONValue.object(keys).adding(["id": id, "unit": name])
      nodes.append(shape.bands.map { node.adding(["bands": Self.bands($0, rate: rate)]) } ?? node)
    }
    nodes.append(JSONValue(["id": Self.outputNode, "unit": "genericOutput"]))
    let graph = JSONValue([
      "version": 1, "sampleRate": rate, "maximumFramesPerSlice": shape.mostFrames, "nodes": nodes,
      "connections": connections,
    ])
    return BenchSubject(graph: graph.text, folder: "", slice: 512, threads: 1)
  }

  private func keys(_ shape: UnitShape) throws(BenchError) -> [String: JSONValue] {
    guard let text = shape.keys else { return [:] }
    guard case .object(let keys) = try JSONValue.document(Data(text.utf8), kind: .usage) else {
      throw Arguments.error(.benchKeys, "expected an object, as '{\"bands\": []}'")
    }
    for key in ["id", "unit"] where keys[key] != nil {
      throw Arguments.error(
        .benchKeys, "\"\(key)\" is given by the command line itself", advice: "the unit is the SUBJECT")
    }
    return keys
  }

  /// Parametric ones over the range of hearing, as far as the rate allows.
  private static func bands(_ count: Int, rate: Double) -> [JSONValue] {
    let (lowest, highest) = (20.0, min(20_000, 0.45 * rate))
    return (0..<count).map { index in
      let share = count == 1 ? 0.5 : Double(index) / Double(count - 1)
      return JSONValue([
        "type": "parametric", "frequency": lowest * pow(highest / lowest, share), "bandwidth": 0.5,
        "gain": index.isMultiple(of: 2) ? 3.0 : -3.0,
      ])
    }
  }

  private func noise(rate: Double, channels: Int) throws(BenchError) -> String {
    let name = "noise-\(NumberText.short(rate))-\(channels).wav"
    if let known = noise[name] { return known }
    if self.folder == nil { self.folder = try ScratchFolder() }
    guard let folder = self.folder else { preconditionFailure("it was made") }
    let path = folder.file(name)
    let frames = Int(clamping: Self.noiseSeconds * rate)
    let buffer = BenchSubject.noise(channels: channels, frames: frames)
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(container: .wav, encoding: .float32), sampleRate: rate,
      channelCount: channels, expectedFrames: Int64(frames))
    try writer.write(buffer.planes, offset: 0, frames: frames)
    _ = try writer.finish()
    noise[name] = path
    return path
  }

  /// All values of an option, each once, in order.
  private static func numbers(
    _ arguments: Arguments, _ option: CommandOption, _ what: String, in range: ClosedRange<Int>
  ) throws(BenchError) -> [Int]? {
    var numbers: [Int] = []
    for text in arguments.all(option).flatMap({ $0.split(separator: ",").map(String.init) }) {
      guard let number = Int(text), range.contains(number) else {
        throw Arguments.error(option, "\"\(text)\" is not \(what)")
      }
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers.isEmpty ? nil : numbers
  }
}
