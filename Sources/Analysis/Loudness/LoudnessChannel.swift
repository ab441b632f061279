import AudioCore
import CEBUR128

/// The position of a channel's loudspeaker, which decides its weight in loudness (ITU-R BS.1770-4, table 4).
public enum LoudnessChannel: Hashable, Sendable, CaseIterable {
  case left, right, centre
  /// At ±110°, weight 1.41 (+1.5 dB).
  case leftSurround, rightSurround
  /// At ±90°, weight 1.41.
  case leftSide, rightSide
  /// At ±135°, weight 1.
  case leftBack, rightBack
  /// One channel that will be heard from two loudspeakers: counted twice.
  case dualMono
  /// Low frequency effects and whatever else does not count. Its peaks are read all the same.
  case ignored

  /// The usual meaning of a number of channels in a WAV file: mono, stereo, 3.0, quadro, 5.0, 5.1 and 7.1 (left, right,
  /// centre, LFE, left back, right back, left side, right side). In any other number every channel has weight 1.
  public static func usual(count: Int) -> [LoudnessChannel] {
    switch count {
    case 2: [.left, .right]
    case 3: [.left, .right, .centre]
    case 4: [.left, .right, .leftSurround, .rightSurround]
    case 5: [.left, .right, .centre, .leftSurround, .rightSurround]
    case 6: [.left, .right, .centre, .ignored, .leftSurround, .rightSurround]
    case 8: [.left, .right, .centre, .ignored, .leftBack, .rightBack, .leftSide, .rightSide]
    default: Array(repeating: .centre, count: count)
    }
  }

  /// The loudspeakers of a layout, by their weights in BS.1770-4; of unknown ones the usual meaning of their number.
  public static func of(_ layout: ChannelLayout?, count: Int) -> [LoudnessChannel] {
    guard let layout, layout.channelCount == count else { return usual(count: count) }
    return zip(layout.positions, layout.loudnessWeights).map { position, weight in
      if weight == 0 { return .ignored }
      return switch position {
      case 1: .left
      case 2: .right
      case 3: .centre
      case 5: .leftSurround
      case 6: .rightSurround
      case 33: .leftBack
      case 34: .rightBack
      // Only the weight counts.
      default: weight > 1 ? .leftSide : .centre
      }
    }
  }

  var code: Int32 {
    let channel =
      switch self {
      case .left: EBUR128_LEFT
      case .right: EBUR128_RIGHT
      case .centre: EBUR128_CENTER
      case .leftSurround: EBUR128_LEFT_SURROUND
      case .rightSurround: EBUR128_RIGHT_SURROUND
      case .leftSide: EBUR128_Mp090
      case .rightSide: EBUR128_Mm090
      case .leftBack: EBUR128_Mp135
      case .rightBack: EBUR128_Mm135
      case .dualMono: EBUR128_DUAL_MONO
      case .ignored: EBUR128_UNUSED
      }
    return Int32(channel.rawValue)
  }
}
