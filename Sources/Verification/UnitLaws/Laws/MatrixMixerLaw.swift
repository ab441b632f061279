/// Output channel o = (master · bₒ) · Σᵢ (aᵢ · cᵢₒ) · input channel i, the channels counted over all buses.
///
/// Both products of levels are computed every 32 frames, and run in straight lines between.
struct MatrixMixerLaw: UnitLaw {
  static let unit = "matrixMixer"
  static let keys: Set = ["matrix", "outputChannels"]

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    guard let frames = node.wantedFrames ?? inputs.compactMap({ $0?.frames }).max() else {
      throw LawError("a mixer without inputs")
    }
    guard let rows = node.keys["matrix"]?.list, let columns = rows.first?.list?.count else {
      throw LawError("a matrix mixer without a matrix has no law")
    }
    let widths = node.keys["outputChannels"]?.list?.compactMap(\.integer) ?? [columns]
    let courses = LawCourses(node, parameters(of: node, inputs: inputs))
    let (inputPlace, outputPlace) = (1, 1 + rows.count * (columns + 1))
    let switchPlace = outputPlace + columns
    var mix = LawSignal.silence(rate: node.rate, channels: columns, frames: frames)
    var row = 0
    for (bus, input) in inputs.enumerated() {
      guard let input = try input.map(node.converted) else { continue }
      let isOn = courses.values(switchPlace + bus, frames: frames)
      for samples in input.channels {
        guard row < rows.count else { throw LawError("fewer rows than channels") }
        let level = inputPlace + row * (columns + 1)
        for column in 0..<columns {
          for frame in 0..<min(frames, samples.count) where isOn[frame] >= 0.5 {
            let gain = courses.ramped(frame) { $0[level] * $0[level + 1 + column] }
            mix.channels[column][frame] += samples[frame] * gain
          }
        }
        row += 1
      }
    }
    var column = 0
    var signals: [LawSignal] = []
    for (bus, width) in widths.enumerated() {
      let isOn = courses.values(switchPlace + inputs.count + bus, frames: frames)
      var signal = LawSignal.silence(rate: node.rate, channels: width, frames: frames)
      for channel in 0..<width {
        for frame in 0..<frames where isOn[frame] >= 0.5 {
          let gain = courses.ramped(frame) { [column] in $0[0] * $0[outputPlace + column] }
          signal.channels[channel][frame] = mix.channels[column][frame] * gain
        }
        column += 1
      }
      signals.append(signal)
    }
    return signals
  }

  static func parameters(of node: LawNode, inputs: [LawSignal?]) -> [LawParameter] {
    let rows = node.keys["matrix"]?.list ?? []
    let columns = rows.first?.list?.count ?? 0
    return parameters(
      rows: rows, columns: columns, inputs: inputs.count, outputs: node.keys["outputChannels"]?.list?.count ?? 1)
  }

  /// The master; for each row its level and its crosspoints; the output's channels; the switches.
  private static func parameters(rows: [LawValue], columns: Int, inputs: Int, outputs: Int) -> [LawParameter] {
    var parameters = [LawParameter("volume@master", 0...1, initial: 1)]
    for (row, levels) in rows.enumerated() {
      parameters.append(LawParameter("volume@input:\(row)", 0...1, initial: 1))
      for column in 0..<columns {
        let level = levels.list.flatMap { column < $0.count ? $0[column].number : nil } ?? 0
        parameters.append(LawParameter("volume@crosspoint:\(row),\(column)", 0...1, initial: level))
      }
    }
    for column in 0..<columns { parameters.append(LawParameter("volume@output:\(column)", 0...1, initial: 1)) }
    for bus in 0..<inputs { parameters.append(LawParameter("enable@input:\(bus)", 0...1, initial: 1, form: .whole)) }
    for bus in 0..<outputs { parameters.append(LawParameter("enable@output:\(bus)", 0...1, initial: 1, form: .whole)) }
    return parameters
  }

  static func draw(_ draw: inout CrossDraw) {
    let buses = draw.random.whole(1...3)
    if buses == 1, draw.random.chance(0.4) { draw.inputRate = draw.random.pick(CrossDraw.rates) }
    let output = draw.random.pick([1, 2, 3, 5])
    let widths = draw.fanIn(buses: buses, into: "device")
    let rows = widths.reduce(0, +)
    var node: LawValue = ["unit": .text(unit), "id": "device"]
    node["matrix"] = draw.matrix(rows: rows, columns: output)
    var parameters = [LawParameter("volume@master", 0...1, initial: 1)]
    for bus in 0..<buses { parameters.append(LawParameter("enable@input:\(bus)", 0...1, initial: 1, form: .whole)) }
    parameters.append(LawParameter("enable@output:0", 0...1, initial: 1, form: .whole))
    for row in 0..<rows {
      parameters.append(LawParameter("volume@input:\(row)", 0...1, initial: 1))
      let column = draw.random.whole(0...(output - 1))
      parameters.append(LawParameter("volume@crosspoint:\(row),\(column)", 0...1, initial: 1))
    }
    for column in 0..<output { parameters.append(LawParameter("volume@output:\(column)", 0...1, initial: 1)) }
    draw.mixerCase(node, parameters)
  }
}
