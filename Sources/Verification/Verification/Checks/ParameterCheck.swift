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
    do { parameter = try ParameterName(text) } catch {
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
    var range: ClosedRange<Float>?
    session.prepare = { graph throws(BenchError) in
      guard let unit = graph.node(named: name)?.unit else {
        throw BenchError(
          .suite, at: place, "the graph has no node \"\(excerpt(name))\"",
          advice: "its nodes are \(graph.nodes.map(\.name).prefix(12).joined(separator: ", "))")
      }
      do throws(BenchError) { address = try parameter.address(in: unit) } catch { throw error.inside(place) }
      range = unit.parameterTable(address.scope, element: address.element).first { $0.id == address.id }
        .map { $0.minimum...max($0.minimum, $0.maximum(atSampleRate: context.subject.sampleRate)) }
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
    if let range, !limits.canFail(in: range) {
      throw BenchError(
        .suite, at: place,
        "the limit \(limits.text) cannot fail: the parameter is never outside \(NumberText.short(Double(range.lowerBound))) to \(NumberText.short(Double(range.upperBound)))",
        advice: "write the limit that must hold")
    }
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
