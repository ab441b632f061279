import AudioCore
import AudioUnits
import RenderGraph

/// Which channel goes where: the matrices of mixers, the maps and matrices of format converters.
extension NodeReader {
  /// The matrix of one input bus of a mixer.
  func matrix(
    _ value: JSONValue, of mixer: MultichannelMixer, key: String, at place: String
  ) throws(BenchError) {
    let place = "\(place), \"\(excerpt(key))\""
    let levels = try gains(value, at: place).flatMap { $0 }
    guard let bus = Int(key), (try? mixer.setMatrixLevelsAhead(levels, input: bus)) != nil else {
      throw BenchError(
        .graph, at: place,
        "no input bus \(excerpt(key)): the unit has input buses 0 to \(mixer.elementCount(.input) - 1)")
    }
  }

  /// The keys `map` and `matrix` of a format converter.
  func configureChannels(of converter: FormatConverterUnit, _ node: inout JSONObject) throws(BenchError) {
    let range = StreamFormat.channelCountRange
    if let list = try node.list("map") {
      var map: [Int] = []
      for value in list {
        guard case .number(let number) = value, let source = Int(exactly: number), source >= -1 else { break }
        map.append(source)
      }
      guard map.count == list.count, range.contains(map.count) else {
        throw node.error(
          "map", "expected a list of the source channel of each output channel, from 0 on; -1 is silence")
      }
      converter.channelMap = map
    }
    if let value = node.take("matrix") {
      guard converter.channelMap == nil else { throw node.error("matrix", "there is a \"map\" already") }
      let rows = try gains(value, at: "\(node.place), key \"matrix\"")
      let (inputs, outputs) = (rows.count, rows[0].count)
      guard rows.allSatisfy({ $0.count == outputs }), range.contains(inputs), range.contains(outputs) else {
        throw node.error("matrix", "every input channel needs as many gains as there are output channels")
      }
      // The file goes input by input, the matrix output by output.
      let columns = (0..<outputs).flatMap { output in rows.map { $0[output] } }
      converter.options.channels = ChannelMatrix(inputCount: inputs, outputCount: outputs, gains: columns)
    }
  }

  /// A map or a matrix gives the number of channels; a `format` beside it must not ask for another.
  func check(
    _ wanted: Graph.WantedFormat, of converter: FormatConverterUnit, _ format: JSONObject
  ) throws(BenchError) {
    let key = converter.channelMap == nil ? "matrix" : "map"
    guard let given = converter.channelMap?.count ?? converter.options.channels?.outputCount,
      let count = wanted.channelCount, given != count
    else { return }
    throw format.error(
      "channels", "the node's \(key) gives \(given) channels, not \(count)", advice: "leave \"channels\" out")
  }

  /// A list of lists: for each input channel its gains to the output channels.
  private func gains(_ value: JSONValue, at place: String) throws(BenchError) -> [[Float]] {
    let expected = "expected a list for each input channel, of its gains to the output channels: [[1, 0], [0, 1]]"
    guard case .array(let rows) = value, !rows.isEmpty else { throw BenchError(.graph, at: place, expected) }
    var gains: [[Float]] = []
    for row in rows {
      guard case .array(let row) = row else { throw BenchError(.graph, at: place, expected) }
      var numbers: [Float] = []
      for gain in row {
        guard case .number(let gain) = gain, Float(gain).isFinite else { throw BenchError(.graph, at: place, expected) }
        numbers.append(Float(gain))
      }
      gains.append(numbers)
    }
    return gains
  }
}
