import AVFAudioFiles
import BuiltInUnits
import Foundation

/// Speed and pitch together, as of a tape: the unit `varispeed`.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
  /// At the original speed.
  public init() { super.init(unit: Varispeed()) }

  /// A factor, 0.25 to 4, 1 at first.
  public var rate: Float {
    get { value(Varispeed.Parameter.playbackRate.rawValue) }
    set { set(Varispeed.Parameter.playbackRate.rawValue, to: newValue, in: 0.25...4) }
  }
}

/// Speed and pitch apart from one another: the unit `newTimePitch`.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
  /// At the original speed and pitch.
  public init() { super.init(unit: NewTimePitch()) }

  /// A factor of the speed, 1/32 to 32, 1 at first.
  public var rate: Float {
    get { value(NewTimePitch.Parameter.rate.rawValue) }
    set { set(NewTimePitch.Parameter.rate.rawValue, to: newValue, in: 1 / 32...32) }
  }

  /// Cents, −2400 to 2400, 0 at first.
  public var pitch: Float {
    get { value(NewTimePitch.Parameter.pitch.rawValue) }
    set { set(NewTimePitch.Parameter.pitch.rawValue, to: newValue, in: -2400...2400) }
  }

  /// Pieces of sound that overlap, 3 to 32, 8 at first: the unit's smoothness. Heard from the next start on.
  public var overlap: Float {
    get { value(NewTimePitch.Parameter.smoothness.rawValue) }
    set { set(NewTimePitch.Parameter.smoothness.rawValue, to: newValue, in: 3...32) }
  }
}
