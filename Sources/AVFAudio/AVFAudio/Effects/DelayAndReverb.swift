import AVFAudioFiles
import AudioCore
import BuiltInUnits
import Foundation

/// An echo: the unit `delay`, at first all of it wet.
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
  /// An echo after a second.
  public init() {
    super.init(unit: Delay())
    wetDryMix = 100
  }

  /// Seconds, 0 to 2, 1 at first.
  public var delayTime: TimeInterval {
    get { TimeInterval(value(Delay.Parameter.delayTime.rawValue)) }
    set { set(Delay.Parameter.delayTime.rawValue, to: Float(newValue), in: 0...2) }
  }

  /// Percent, −100 to 100, 50 at first.
  public var feedback: Float {
    get { value(Delay.Parameter.feedback.rawValue) }
    set { set(Delay.Parameter.feedback.rawValue, to: newValue, in: -100...100) }
  }

  /// Hertz, 10 to half the rate, 15000 at first.
  public var lowPassCutoff: Float {
    get { value(Delay.Parameter.lowPassCutoff.rawValue) }
    set {
      let rate = outputFormat(forBus: 0).sampleRate
      set(Delay.Parameter.lowPassCutoff.rawValue, to: newValue, in: 10...max(10, Float(rate / 2)))
    }
  }

  /// Percent, 0 (dry) to 100 (wet), 100 at first.
  public var wetDryMix: Float {
    get { value(Delay.Parameter.wetDryMix.rawValue) }
    set { set(Delay.Parameter.wetDryMix.rawValue, to: newValue, in: 0...100) }
  }
}

/// The rooms of a reverb, by the number of the unit's preset.
public enum AVAudioUnitReverbPreset: Int, Sendable {
  case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, mediumChamber, largeChamber, cathedral
  case largeRoom2, mediumHall2, mediumHall3, largeHall2
}

/// A room: the unit `reverb`, at first the medium hall.
open class AVAudioUnitReverb: AVAudioUnitEffect, @unchecked Sendable {
  /// The medium hall, all of it wet unless ``AVFAudioChoices/reverbWetDryMix`` says otherwise.
  public init() {
    super.init(unit: Reverb())
    loadFactoryPreset(.mediumHall)
    let mix = AVFAudioChoices.standard.reverbWetDryMix
    if mix != wetDryMix { wetDryMix = mix }
  }

  /// Takes over a room.
  public func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
    try? unit.select(preset: Int32(preset.rawValue))
  }

  /// Percent, 0 (dry) to 100 (wet).
  public var wetDryMix: Float {
    get { value(Reverb.Parameter.dryWetMix.rawValue) }
    set { set(Reverb.Parameter.dryWetMix.rawValue, to: newValue, in: 0...100) }
  }
}
