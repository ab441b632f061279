import AudioCore
import Measurement

/// A case's statements about the device's outputs: how many there are, which inputs are heard in each, and which are silent.
package struct StatedRoutes: Sendable {
  private var outputCount: Int?
  private var outputs: [ExpectedRoutes.Output]?
  private var silenceDecibels = ExpectedRoutes.standardSilenceDecibels
  /// True when the whole output may be silence.
  private(set) var mayBeSilent = false
  /// Outputs that are silent, from 0.
  private(set) var silent: Set<Int> = []

  package init() {}

  /// The routes themselves; nil: nothing is stated.
  package init(_ routes: ExpectedRoutes?) {
    outputs = routes?.outputs
    silenceDecibels = routes?.silenceDecibels ?? silenceDecibels
  }

  /// Takes `outputs`, `routing`, `silent` and `silentBelow` out of a case.
  init(_ object: inout JSONObject) throws(BenchError) {
    outputCount = try object.integer("outputs", in: 1...1024).map(Int.init)
    if let level = try object.number("silentBelow") {
      guard level <= -20 else {
        throw object.error("silentBelow", "a sound of \(NumberText.short(level)) dBFS is no silence", advice: "as -80")
      }
      silenceDecibels = level
    }
    switch object.take("silent") {
    case nil: break
    case .bool(let isSilent): mayBeSilent = isSilent
    case .array(let list): silent = Set(try Self.channels(list, "silent", object))
    case let other?:
      throw object.error("silent", "expected true, false or a list of output channels, found \(other.kind)")
    }
    guard let list = try object.list("routing") else { return }
    var outputs: [ExpectedRoutes.Output] = []
    for value in list {
      switch value {
      case .null: outputs.append(ExpectedRoutes.Output([]))
      case .array(let inputs): outputs.append(ExpectedRoutes.Output(try Self.channels(inputs, "routing", object)))
      default: outputs.append(ExpectedRoutes.Output(try Self.channels([value], "routing", object)))
      }
    }
    guard outputs.contains(where: { !$0.inputs.isEmpty }), outputs.count == outputCount ?? outputs.count else {
      throw object.error(
        "routing", "names for each output the inputs that are heard in it, one output at least",
        advice: "as [1, 0] for two that are swapped, [[0, 1]] for a sum, [0, null] for a silent second one")
    }
    self.outputs = outputs
  }

  private static func channels(
    _ list: [JSONValue], _ key: String, _ object: JSONObject
  ) throws(BenchError) -> [Int] {
    var channels: [Int] = []
    for value in list {
      guard case .number(let number) = value, let channel = Int(exactly: number), (0..<1024).contains(channel),
        !channels.contains(channel)
      else { throw object.error(key, "channels are whole numbers from 0 on, each once") }
      channels.append(channel)
    }
    return channels
  }

  /// The routes for a device with so many inputs; nil: nothing is stated.
  func routes(of device: any Device, inputCount: Int) -> ExpectedRoutes? {
    guard
      outputs != nil || outputCount != nil || !silent.isEmpty
        || silenceDecibels != ExpectedRoutes.standardSilenceDecibels
    else { return nil }
    var routes =
      outputs.map { ExpectedRoutes($0) }
      ?? outputCount.map { ExpectedRoutes(outputCount: $0, inputCount: inputCount) }
      ?? ExpectedRoutes(of: device, inputCount: inputCount)
    routes.silenceDecibels = silenceDecibels
    for channel in silent where channel < routes.outputs.count { routes.outputs[channel].inputs = [] }
    return routes
  }

  /// The number of outputs that the case states; nil: none.
  var statedCount: Int? { outputs?.count ?? outputCount }

  /// The absences in a rendered output: channels that are not there, and channels of silence.
  /// - Parameters:
  ///   - reportedCount: the number of outputs by the device's own word; nil: it says none, as a command, and is expected
  ///     to give as many channels as the input has.
  ///   - statedAlone: only what the case states; what follows from the channels of the input does not count.
  func absences(
    in output: AudioSignal, of input: AudioSignal, reportedCount: Int?, statedAlone: Bool = false
  ) -> [RouteProblem] {
    guard !statedAlone || statedCount != nil || !silent.isEmpty else { return [] }
    let expectedCount = statedCount ?? (statedAlone ? 0 : reportedCount ?? input.channelCount)
    var problems: [RouteProblem] = []
    for channel in 0..<max(output.channelCount, expectedCount) {
      func add(_ isAbsence: Bool, _ reason: String) {
        problems.append(RouteProblem(output: channel, isAbsence: isAbsence, reason: reason))
      }
      guard channel < output.channelCount else {
        add(true, "there is no such output: the device gives \(NumberText.count(output.channelCount, "channel"))")
        continue
      }
      let sources = outputs.map { channel < $0.count ? $0[channel].inputs : [] }
      let isToBeSilent = silent.contains(channel) || sources?.isEmpty ?? (statedCount.map { channel >= $0 } ?? false)
      let peak = Decibels.of(amplitude: output.channels[channel].reduce(0) { max($0, abs($1)) })
      if isToBeSilent {
        if peak > silenceDecibels {
          add(
            false,
            "a sound of \(NumberText.decimal(peak, digits: 1)) dBFS comes out, where "
              + "silence below \(NumberText.decimal(silenceDecibels, digits: 0)) dBFS was expected")
        }
      } else if peak == -.infinity, Self.isHeard(channel, sources, input, outputCount: output.channelCount) {
        add(true, "nothing comes out")
      }
    }
    return problems
  }

  /// True where something is to be heard in an output: an input that sounds comes out there.
  private static func isHeard(_ channel: Int, _ sources: [Int]?, _ input: AudioSignal, outputCount: Int) -> Bool {
    // A graph that plays its own files has no input.
    guard input.frameCount > 0 else { return true }
    func sounds(_ channel: Int) -> Bool {
      channel < input.channelCount && input.channels[channel].contains { $0 != 0 }
    }
    if let sources { return sources.contains(where: sounds) }
    return input.channelCount == outputCount ? sounds(channel) : input.channels.indices.allSatisfy(sounds)
  }
}
