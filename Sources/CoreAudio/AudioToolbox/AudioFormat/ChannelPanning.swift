// Gains of a mono source among loudspeakers, and of balance and fade. Any thread; not for the render.
// Laws, ours: vector-based panning between the two loudspeakers nearest in direction (V. Pulkki, JAES 45, 1997, in the
// plane); sound field by first-order cardioids; both scaled to a power of 1. Directions after ITU-R BS.775 and BS.2051.

import Foundation

enum ChannelPanning {
  enum Mode: UInt32 { case soundField = 3, vectorBased = 4 }

  /// Degrees from the front, to the right positive; nil for channels that are heard from nowhere in particular.
  static func azimuth(of label: UInt32) -> Double? {
    switch ChannelLayouts.plainLabel(label) {
    case 1, 38, 206: -30
    case 2, 39, 207: 30
    case 3: 0
    case 5: -110
    case 6: 110
    case 7: -15
    case 8: 15
    case 9: 180
    case 10: -90
    case 11: 90
    case 13: -30
    case 14: 0
    case 15: 30
    case 16: -135
    case 17: 180
    case 18: 135
    case 33: -145
    case 34: 145
    case 35: -60
    case 36: 60
    default: nil
    }
  }

  /// Degrees from the front, to the right positive, of a place to the right by x and to the front by y.
  static func direction(x: Double, y: Double) -> Double { atan2(x, y) * 180 / .pi }

  /// A gain for each output.
  ///
  /// - Parameter azimuth: degrees from the front, to the right positive; any turn.
  static func gains(mode: Mode, azimuth: Double, scale: Double, outputs: [UInt32]) -> [Float] {
    let speakers = outputs.enumerated().compactMap { index, label in
      Self.azimuth(of: label).map { (index: index, azimuth: $0) }
    }
    var gains = [Double](repeating: 0, count: outputs.count)
    switch mode {
    case .soundField:
      for speaker in speakers { gains[speaker.index] = (1 + cos(radians(azimuth - speaker.azimuth))) / 2 }
    case .vectorBased:
      for (index, gain) in pair(azimuth, speakers) { gains[index] += gain }
    }
    let power = gains.reduce(0) { $0 + $1 * $1 }
    guard power > 0 else { return gains.map { Float($0) } }
    return gains.map { Float($0 * scale / power.squareRoot()) }
  }

  /// The loudspeakers on either side of a direction, and their gains before scaling.
  ///
  /// A gap of a half turn or more, as behind two loudspeakers, cannot be panned over: what lies in it is mirrored to
  /// the front, and then goes to the nearer end where it is still beyond.
  private static func pair(_ azimuth: Double, _ speakers: [(index: Int, azimuth: Double)]) -> [(Int, Double)] {
    guard let only = speakers.first else { return [] }
    guard speakers.count > 1 else { return [(only.index, 1)] }
    let sorted = speakers.sorted { $0.azimuth < $1.azimuth }
    for direction in [wrapped(azimuth), mirrored(wrapped(azimuth))] {
      for (position, left) in sorted.enumerated() {
        let right = sorted[(position + 1) % sorted.count]
        let gap = turn(from: left.azimuth, to: right.azimuth)
        let offset = turn(from: left.azimuth, to: direction)
        guard gap > 0, gap < 180, offset <= gap else { continue }
        return [(left.index, sin(radians(gap - offset))), (right.index, sin(radians(offset)))]
      }
    }
    let front = mirrored(wrapped(azimuth))
    let nearest = sorted.min { abs(wrapped($0.azimuth - front)) < abs(wrapped($1.azimuth - front)) }
    return [(nearest?.index ?? only.index, 1)]
  }

  /// Gains of a balance between left and right and a fade between back and front, each from −1 to 1.
  ///
  /// - Parameter equalPower: the sides follow cosine and sine, 1/√2 each in the middle; else the favoured side keeps
  ///   1 and the other falls to 0. Channels in the middle of an axis take no part in it.
  static func balance(leftRight: Double, backFront: Double, equalPower: Bool, labels: [UInt32]) -> [Float] {
    func gain(_ position: Double, towards side: Double) -> Double {
      if equalPower { return sin(.pi / 4 * (1 + position * side)) }
      return min(1, 1 + position * side)
    }
    return labels.map { label in
      guard let azimuth = azimuth(of: label) else { return 1 }
      let isMiddle = azimuth == 0 || azimuth == 180
      let sideways = isMiddle ? 1 : gain(leftRight, towards: azimuth > 0 ? 1 : -1)
      let isBeside = abs(azimuth) == 90
      let lengthways = isBeside ? 1 : gain(backFront, towards: abs(azimuth) < 90 ? 1 : -1)
      return Float(sideways * lengthways)
    }
  }

  private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

  /// Into −180 ..< 180.
  private static func wrapped(_ degrees: Double) -> Double {
    let turn = (degrees + 180).truncatingRemainder(dividingBy: 360)
    return (turn < 0 ? turn + 360 : turn) - 180
  }

  /// The turn to the right from one direction to another, 0 ..< 360.
  private static func turn(from: Double, to: Double) -> Double {
    let turn = (to - from).truncatingRemainder(dividingBy: 360)
    return turn < 0 ? turn + 360 : turn
  }

  /// A direction behind, mirrored to the front.
  private static func mirrored(_ degrees: Double) -> Double {
    abs(degrees) <= 90 ? degrees : (degrees < 0 ? -180 : 180) - degrees
  }
}
