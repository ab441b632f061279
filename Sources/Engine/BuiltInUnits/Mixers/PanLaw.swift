import AudioCore
import AudioEngine
import Glibc

/// The effect of a pan position on a mono source in a stereo output. The first is the project's definition, the others
/// are there for users who need them.
public enum MonoPanLaw: UInt32, NamedChoice {
  /// cos and sin of π/4·(1 + pan): −3 dB on both sides at the centre.
  case equalPower = 0
  /// (1 − pan)/2 and (1 + pan)/2: −6 dB on both sides at the centre.
  case linear = 1
  /// Full level on both sides at the centre, the far side fading out linearly.
  case unityCentre = 2
}

/// The effect of a pan position on a stereo source in a stereo output.
public enum StereoPanLaw: UInt32, NamedChoice {
  /// Unity at the centre, the far side fading out linearly.
  case balance = 0
  /// √2·cos and √2·sin of π/4·(1 + pan): unity at the centre, +3 dB on the near side at the end.
  case equalPower = 1
}

/// The gains of a pan position; a position beyond −1 or 1 counts as that end.
enum PanGains {
  static func mono(_ law: MonoPanLaw, pan: Double) -> (left: Double, right: Double) {
    let pan = min(1, max(-1, pan))
    switch law {
    case .equalPower:
      let angle = Double.pi / 4 * (1 + pan)
      return (cos(angle), sin(angle))
    case .linear: return ((1 - pan) / 2, (1 + pan) / 2)
    case .unityCentre: return stereo(.balance, pan: pan)
    }
  }

  static func stereo(_ law: StereoPanLaw, pan: Double) -> (left: Double, right: Double) {
    let pan = min(1, max(-1, pan))
    switch law {
    case .balance: return (pan <= 0 ? 1 : 1 - pan, pan >= 0 ? 1 : 1 + pan)
    case .equalPower:
      let angle = Double.pi / 4 * (1 + pan)
      return (2.squareRoot() * cos(angle), 2.squareRoot() * sin(angle))
    }
  }
}
