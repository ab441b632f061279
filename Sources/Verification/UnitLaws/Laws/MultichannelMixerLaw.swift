import Glibc

/// output = volume · Σ volumeᵢ · mapᵢ(inputᵢ): with a matrix its gains; mono in two channels and more, and stereo in
/// stereo, by a pan law; stereo in mono by halves; else channel by channel.
///
/// The product of an input's volume and the gain of its pan runs in a straight line over each cell.
struct MultichannelMixerLaw: UnitLaw {
  static let unit = "multichannelMixer"
  static let keys: Set = ["matrix", "monoPanLaw", "stereoPanLaw"]

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    guard let frames = node.wantedFrames ?? inputs.compactMap({ $0?.frames }).max() else {
      throw LawError("a mixer without inputs")
    }
    let channels = node.keys["format"]?["channels"]?.integer ?? 2
    let courses = LawCourses(node, parameters(of: node, inputs: inputs))
    var mix = LawSignal.silence(rate: node.rate, channels: channels, frames: frames)
    for (bus, input) in inputs.enumerated() {
      guard let input = try input.map(node.converted) else { continue }
      let first = 1 + 3 * bus
      let isOn = courses.values(first + 1, frames: frames)
      for route in routes(node, bus, from: input.channels.count, to: channels) {
        for frame in 0..<min(frames, input.frames) where isOn[frame] >= 0.5 {
          let gain = courses.ramped(frame) { $0[first] * route.gain($0[first + 2]) }
          mix.channels[route.to][frame] += input.channels[route.from][frame] * gain
        }
      }
    }
    let volume = courses.values(0, frames: frames)
    for channel in 0..<channels {
      for frame in 0..<frames { mix.channels[channel][frame] *= volume[frame] }
    }
    return [mix]
  }

  static func parameters(of node: LawNode, inputs: [LawSignal?]) -> [LawParameter] {
    levels + inputs.indices.flatMap { parameters(ofBus: $0) }
  }

  private static let levels = [LawParameter("volume@output:0", 0...1, initial: 1)]

  private static func parameters(ofBus bus: Int) -> [LawParameter] {
    [
      LawParameter("volume@input:\(bus)", 0...1, initial: 1),
      LawParameter("enable@input:\(bus)", 0...1, initial: 1, form: .whole),
      LawParameter("pan@input:\(bus)", -1...1, initial: 0),
    ]
  }

  /// A channel of an input on its way to a channel of the output, with its gain at a pan position.
  private struct Route {
    var from: Int
    var to: Int
    var gain: (_ pan: Double) -> Double
  }

  private static func routes(_ node: LawNode, _ bus: Int, from: Int, to: Int) -> [Route] {
    if let rows = node.keys["matrix"]?["\(bus)"]?.list {
      return rows.enumerated().flatMap { row, columns in
        (columns.list ?? []).enumerated().map { column, gain in
          let level = Double(Float(gain.number ?? 0))
          return Route(from: row, to: column) { _ in level }
        }
      }
    }
    if from == 2, to == 1 { return (0...1).map { Route(from: $0, to: 0) { _ in 0.5 } } }
    guard from == 1 && to >= 2 || from == 2 && to == 2 else {
      return (0..<min(from, to)).map { Route(from: $0, to: $0) { _ in 1 } }
    }
    let law =
      from == 1 ? node.keys["monoPanLaw"]?.text ?? "equalPower" : node.keys["stereoPanLaw"]?.text ?? "balance"
    return [
      Route(from: 0, to: 0) { gains($0, law, isMono: from == 1).left },
      Route(from: from - 1, to: 1) { gains($0, law, isMono: from == 1).right },
    ]
  }

  private static func gains(_ pan: Double, _ law: String, isMono: Bool) -> (left: Double, right: Double) {
    let pan = min(1, max(-1, pan))
    let angle = Double.pi / 4 * (1 + pan)
    return switch (law, isMono) {
    case ("linear", _): ((1 - pan) / 2, (1 + pan) / 2)
    case ("equalPower", true): (cos(angle), sin(angle))
    case ("equalPower", false): (sqrt(2) * cos(angle), sqrt(2) * sin(angle))
    default: (min(1, 1 - pan), min(1, 1 + pan))
    }
  }

  static func draw(_ draw: inout CrossDraw) {
    let buses = draw.random.whole(1...4)
    if buses == 1, draw.random.chance(0.5) { draw.inputRate = draw.random.pick(CrossDraw.rates) }
    let output = draw.random.pick([1, 2, 2, 2, 3, 6])
    var node: LawValue = ["unit": .text(unit), "id": "device"]
    if output != 2 { node["format"] = ["channels": .whole(output)] }
    if draw.random.chance(0.5) {
      node["monoPanLaw"] = .text(draw.random.pick(["equalPower", "linear", "unityCentre"]))
      node["stereoPanLaw"] = .text(draw.random.pick(["balance", "equalPower"]))
    }
    let widths = draw.fanIn(buses: buses, into: "device")
    var parameters = levels
    var matrices: [String: LawValue] = [:]
    for bus in 0..<buses {
      let own = self.parameters(ofBus: bus)
      guard draw.random.chance(0.3) else {
        parameters += own
        continue
      }
      parameters += own.prefix(2)
      matrices["\(bus)"] = draw.matrix(rows: widths[bus], columns: output)
    }
    if !matrices.isEmpty { node["matrix"] = .object(matrices) }
    draw.mixerCase(node, parameters)
  }
}
