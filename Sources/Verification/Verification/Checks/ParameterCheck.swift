import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import GraphMeasurement
import Measurement

/// The value of a node's parameter after so many frames: a meter, or a value that a ramp or an edit has changed.
///
/// ```json
/// {
///   "id": "parameter",
///   "device": {
///     "unit": "lowPassFilter",
///     "edits": [{ "frame": 2400, "set": { "cutoffFrequency": 500 } }]
///   },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "parameter", "parameter": "cutoffFrequency", "value": 500, "within": 0 }]
/// }
/// ```
struct ParameterCheck: SuiteCheck {
  var id = "parameter"
  private let node: String?
  private let parameter: ParameterName
  private let channel: Int
  private let frames: Int64?
  private let limits: ValueLimits

  static let kind = CheckKind(
    "parameter",
    "What a parameter of a node shows after some frames: a meter, or a value that a ramp or an edit has moved.",
    keys: [nodeKey, parameterKey, channelKey, framesKey] + ValueLimits.keys, rules: ValueLimits.rules)

  private static let nodeKey = JSONKey(
    optional: "node", JSONForm<String>.text, "The id of a graph's node; the unit itself where it is missing.")
  private static let parameterKey = JSONKey(
    required: "parameter", JSONForm<String>.text, "As name@scope:element. A mixer's meters are switched on.")
  private static let channelKey = JSONKey("channel", JSONForm<Int>.count(in: 0...1023), initial: 0, "Of a meter.")
  private static let framesKey = JSONKey(
    optional: "frames", JSONForm<Int64>.integer(in: 1...(1 << 40)),
    "Of the output, rendered before; all of them where it is missing.")

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    node = try object.take(Self.nodeKey)
    let text = try object.take(Self.parameterKey)
    do throws(BenchError) { parameter = try ParameterName(text) } catch {
      throw object.error("parameter", error.message, advice: "as prePeakHoldLevel@input:0")
    }
    channel = try object.take(Self.channelKey)
    frames = try object.take(Self.framesKey)
    limits = try ValueLimits(&object)
    id = "parameter-\(parameter)"
  }

  func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let place = "case \"\(context.subject.name)\", check \"\(id)\""
    guard let graph = context.device as? any GraphBacked else {
      throw BenchError(.suite, at: place, "only units and graphs have parameters that can be read")
    }
    let session = try graph.session()
    let name = node ?? GraphDevice.deviceNode
    let (parameter, channel) = (parameter, channel)
    var address = ParameterAddress(0)
    session.prepare = { graph throws(BenchError) in
      guard let unit = graph.node(named: name)?.unit else {
        throw BenchError(
          .suite, at: place, "the graph has no node \"\(excerpt(name))\"",
          advice: "its nodes are \(graph.nodes.map(\.name).prefix(12).joined(separator: ", "))")
      }
      do throws(BenchError) { address = try parameter.address(in: unit) } catch { throw error.inside(place) }
      guard unit.meterValue(address) != nil else {
        guard channel == 0 else { throw BenchError(.suite, at: place, "only meters have channels") }
        return
      }
      // A bus's further channels have the ids behind that of its first.
      address.id += UInt32(channel)
      try? unit.setProperty(.meteringMode, address.scope, element: address.element, to: .uint32(1))
      // The elements of a matrix mixer's meters are channels.
      try? unit.setProperty(.meteringMode, .global, to: .uint32(1))
    }
    session.outputFrames = frames
    let output = try session.process(try context.input(), partition: nil)
    guard let value = try? session.renderedGraph?.node(named: name)?.unit.parameter(address) else {
      throw BenchError(.suite, at: place, "the unit has no channel \(channel) there")
    }
    let reading = Reading(
      "parameter", "\(name).\(parameter)", Double(value), .amplitude, channel: channel,
      at: ["frame": Double(output.frameCount)])
    var outcome = CheckOutcome(
      id, limits.hold(Double(value)) ? .passed : .failed,
      found:
        "\(name).\(parameter) is \(NumberText.significant(Double(value), digits: 7)) after \(NumberText.count(output.frameCount, "frame"))",
      expected: limits.text, readings: [reading])
    outcome.limit = limits.text
    outcome.examined = Examined(values: 1)
    return outcome
  }
}

/// Limits of one value, as a suite writes them: `value` with `within`, or `min`, `max` or both.
struct ValueLimits: Sendable {
  let least: Double?
  let most: Double?

  private static let valueKey = JSONKey(optional: "value", JSONForm<Double>.number(), "What it is to be; with within.")
  private static let withinKey = JSONKey(
    optional: "within", JSONForm<Double>.number(.from(0)), "How far it may lie off value.")
  private static let leastKey = JSONKey(optional: "min", JSONForm<Double>.number(), "What it is at least.")
  private static let mostKey = JSONKey(optional: "max", JSONForm<Double>.number(), "What it is at most.")

  static let keys: [any SchemaKey] = [valueKey, withinKey, leastKey, mostKey]
  static let rules: [String: JSONValue] = [
    "anyOf": [
      .has("value", "within", without: ["min", "max"]), .has("min", without: ["value", "within"]),
      .has("max", without: ["value", "within"]),
    ]
  ]

  func hold(_ value: Double) -> Bool {
    !value.isNaN && least.map { value >= $0 } ?? true && most.map { value <= $0 } ?? true
  }

  /// `-3 to 3`, or the one that there is.
  var numbers: String { [least, most].compactMap(\.self).map { NumberText.significant($0) }.joined(separator: " to ") }

  var text: String {
    switch (least, most) {
    case (_?, _?): "from \(numbers)"
    case (_?, nil): "at least \(numbers)"
    default: "at most \(numbers)"
    }
  }
}

extension ValueLimits {
  init(_ object: inout JSONObject) throws(BenchError) {
    let within = try object.take(Self.withinKey)
    if let target = try object.take(Self.valueKey) {
      guard let within else { throw object.error("within", "\"value\" needs \"within\", 0 or more") }
      (least, most) = (target - within, target + within)
      // Known, where the keys are listed.
      for key in ["min", "max"] where object.take(key) != nil {
        throw object.error(key, "\"value\" and \"within\" are limits already")
      }
    } else {
      guard within == nil else { throw object.error("value", "\"within\" needs \"value\"") }
      (least, most) = (try object.take(Self.leastKey), try object.take(Self.mostKey))
    }
    if let least, let most, least > most { throw object.error("max", "\(most) is below \"min\", \(least)") }
    guard least != nil || most != nil else {
      throw object.error("max", "no limit is given", advice: "as \"max\": -100, or \"value\": 0, \"within\": 0.1")
    }
  }
}
