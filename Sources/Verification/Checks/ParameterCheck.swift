import AudioCore
import AudioUnits
import BatchRender
import GraphMeasurement
import Measurement

/// What a parameter of a node shows after so many frames: a meter, or a value that a ramp or an edit has moved.
struct ParameterCheck: Check {
  var id = "parameter"
  private let node: String?
  private let parameter: ParameterName
  private let channel: Int
  private let frames: Int64?
  private let limits: ValueLimits

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    node = try object.string("node")
    let text = try object.requiredString("parameter")
    do throws(BenchError) { parameter = try ParameterName(text) } catch {
      throw object.error("parameter", error.message, advice: "as prePeakHoldLevel@input:0")
    }
    channel = Int(try object.integer("channel", in: 0...1023) ?? 0)
    frames = try object.integer("frames", in: 1...(1 << 40))
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
    }
    session.outputFrames = frames
    let output = try session.process(try context.input(), cut: nil)
    guard let value = try? session.renderedGraph?.node(named: name)?.unit.parameter(address) else {
      throw BenchError(.suite, at: place, "the unit has no channel \(channel) there")
    }
    let reading = Reading(
      "parameter", "\(name).\(parameter)", Double(value), .amplitude, channel: channel,
      at: ["frame": Double(output.frameCount)])
    var outcome = CheckOutcome(
      id, limits.hold(Double(value)) ? .passed : .failed,
      found:
        "\(name).\(parameter) is \(NumberText.significant(Double(value), digits: 7)) after \(output.frameCount) frames",
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

  init(_ object: inout JSONObject) throws(BenchError) {
    let target = try object.number("value")
    let within = try object.number("within")
    if let target {
      guard let within, within >= 0 else { throw object.error("within", "\"value\" needs \"within\", 0 or more") }
      (least, most) = (target - within, target + within)
      // Known, where the keys are listed.
      for key in ["min", "max"] where object.take(key) != nil {
        throw object.error(key, "\"value\" and \"within\" are limits already")
      }
    } else {
      guard within == nil else { throw object.error("value", "\"within\" needs \"value\"") }
      (least, most) = (try object.number("min"), try object.number("max"))
    }
    if let least, let most, least > most { throw object.error("max", "\(most) is below \"min\", \(least)") }
    guard least != nil || most != nil else {
      throw object.error("max", "no limit is given", advice: "as \"max\": -100, or \"value\": 0, \"within\": 0.1")
    }
  }

  func hold(_ value: Double) -> Bool {
    !value.isNaN && least.map { value >= $0 } ?? true && most.map { value <= $0 } ?? true
  }

  var text: String {
    switch (least, most) {
    case (let least?, let most?): "from \(NumberText.significant(least)) to \(NumberText.significant(most))"
    case (let least?, nil): "at least \(NumberText.significant(least))"
    default: "at most \(NumberText.significant(most ?? .nan))"
    }
  }
}
