/// A channel map or a matrix, and another rate by the library that its quality names, called directly.
struct FormatConverterLaw: UnitLaw {
  static let unit = "formatConverter"
  static let keys: Set = ["map", "matrix", "quality", "ditherSeed"]
  static let residual = -125.0

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    let input = try input(inputs)
    var output = input
    if let map = node.keys["map"]?.list {
      output.channels = map.map { source in
        let channel = source.integer ?? -1
        return channel >= 0 && channel < input.channels.count
          ? input.channels[channel] : [Double](repeating: 0, count: input.frames)
      }
    } else if let rows = node.keys["matrix"]?.list {
      let columns = rows.first?.list?.count ?? 0
      output = .silence(rate: input.rate, channels: columns, frames: input.frames)
      for (row, gains) in rows.enumerated() where row < input.channels.count {
        for (column, gain) in (gains.list ?? []).enumerated() {
          for frame in 0..<input.frames {
            output.channels[column][frame] += input.channels[row][frame] * Double(Float(gain.number ?? 0))
          }
        }
      }
    } else if let channels = node.keys["format"]?["channels"]?.integer, channels != input.channels.count {
      throw LawError("a converter of channels without map and matrix has no law")
    }
    return [try encoded(node.converted(output), node)]
  }

  /// Integers of 16 and 24 bits: rounded to the nearest, halves to even, and clipped.
  private static func encoded(_ signal: LawSignal, _ node: LawNode) throws(LawError) -> LawSignal {
    let dither = node.keys["ditherSeed"]?.integer.map { UInt64(truncatingIfNeeded: $0) }
    guard let encoding = node.keys["format"]?["encoding"]?.text, encoding != "float32" else { return signal }
    guard let full = ["int16": 32_768.0, "int24": 8_388_608.0][encoding] else {
      throw LawError("the encoding \(encoding) has no law")
    }
    var signal = signal
    for channel in signal.channels.indices {
      signal.channels[channel] = signal.channels[channel].enumerated().map { frame, sample in
        let noise = dither.map { DitherLaw.steps(seed: $0, channel: channel, frame: frame) } ?? 0
        return min(full - 1, max(-full, (sample * full + noise).rounded(.toNearestOrEven))) / full
      }
    }
    return signal
  }

  static func draw(_ draw: inout CrossDraw) {
    if draw.random.chance(0.2) { return drawIntegers(&draw) }
    var node: LawValue = ["unit": .text(unit)]
    switch draw.random.whole(0...3) {
    case 0:
      node["map"] = .list(
        (0..<draw.random.whole(1...8)).map { _ in .whole(draw.random.whole(-1...(draw.channels - 1))) })
    case 1: node["matrix"] = draw.matrix(rows: draw.channels, columns: draw.random.whole(1...6))
    default: break
    }
    if draw.random.chance(0.7) {
      node["format"] = ["sampleRate": .number(draw.random.pick(CrossDraw.rates))]
      node["quality"] = .text(
        draw.random.pick(["linear", "zero-order-hold", "fast", "medium", "best", "mastering", "minimum-phase"]))
    }
    draw.device = node
    draw.device["channels"] = .whole(draw.channels)
  }

  /// To integers and back, bit by bit.
  private static func drawIntegers(_ draw: inout CrossDraw) {
    let isInterleaved = draw.random.chance(0.5)
    var there: LawValue = ["id": "device", "unit": "formatConverter"]
    if draw.random.chance(0.5) { there["ditherSeed"] = .whole(draw.random.whole(0...1_000_000)) }
    there["format"] = ["encoding": .text(draw.random.pick(["int16", "int24"])), "interleaved": .flag(isInterleaved)]
    let back: LawValue = [
      "id": "back", "unit": "formatConverter", "format": ["encoding": "float32", "interleaved": false],
    ]
    draw.within = -160
    draw.graph([there, back], ["in -> device", "device -> back", "back -> out"])
  }
}

/// Triangular noise by counting: the sum of both halves of a mixed number.
enum DitherLaw {
  /// Parts of a step, above −1 and below 1.
  static func steps(seed: UInt64, channel: Int, frame: Int) -> Double {
    let factor: UInt64 = 0xD6E8_FEB8_6659_FD93
    var key = seed ^ (UInt64(channel + 1) &* factor)
    for _ in 0..<2 { key = (key ^ (key >> 32)) &* factor }
    key ^= key >> 32
    let z = splitMix(key &+ UInt64(frame + 1) &* 0x9E37_79B9_7F4A_7C15)
    func signed(_ half: UInt64) -> Double {
      let number = Double(half & 0xFFFF_FFFF)
      return number < 0x1p31 ? number : number - 0x1p32
    }
    return (signed(z) + signed(z >> 32) + 1) / 0x1p32
  }
}
