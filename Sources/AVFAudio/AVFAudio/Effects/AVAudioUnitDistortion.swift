import AVFAudioFiles
import AudioCore
import BuiltInUnits
import Foundation

/// The distortions, by the number of the unit's preset.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
  case drumsBitBrush, drumsBufferBeats, drumsLoFi, multiBrokenSpeaker, multiCellphoneConcert
  case multiDecimated1, multiDecimated2, multiDecimated3, multiDecimated4
  case multiDistortedFunk, multiDistortedCubed, multiDistortedSquared
  case multiEcho1, multiEcho2, multiEchoTight1, multiEchoTight2, multiEverythingIsBroken
  case speechAlienChatter, speechCosmicInterference, speechGoldenPi, speechRadioTower, speechWaves
}

/// A distortion of several stages: the unit `distortion`.
open class AVAudioUnitDistortion: AVAudioUnitEffect, @unchecked Sendable {
  /// The unit as it is when new.
  public init() { super.init(unit: Distortion()) }

  /// Takes over a distortion, with its gain and mix.
  public func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
    try? unit.select(preset: Int32(preset.rawValue))
  }

  /// Decibels in front of the distortion, −80 to 20, −6 at first.
  public var preGain: Float {
    get { value(Distortion.Parameter.softClipGain.rawValue) }
    set { set(Distortion.Parameter.softClipGain.rawValue, to: newValue, in: -80...20) }
  }

  /// Percent, 0 (dry) to 100 (wet), 50 at first.
  public var wetDryMix: Float {
    get { value(Distortion.Parameter.finalMix.rawValue) }
    set { set(Distortion.Parameter.finalMix.rawValue, to: newValue, in: 0...100) }
  }
}
