import AVFAudioFiles
import AudioCore
import AudioEngine
import AudioUnitV3
import BuiltInUnits
import Foundation

/// A node that is one audio unit.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
  /// The name of the unit, without its maker's.
  public var name: String { fullName.last.map(String.init) ?? "" }
  /// The maker of the unit.
  public var manufacturerName: String { fullName.count > 1 ? String(fullName[0]) : "" }
  /// The version of the unit.
  public var version: Int { Int(unit.component.version) }
  private var fullName: [Substring] { unit.component.name.split(separator: ": ", maxSplits: 1) }

  /// The unit that the engine renders, for functions of the C interface: parameters, properties, listeners, notifies. A program
  /// that calls these is linked with `AudioToolboxUnits` besides; in others this stands for nothing.
  ///
  /// The engine alone initializes, connects and renders it: functions for that answer −10863. The handle is the node's.
  public var audioUnit: AudioUnit { handle.unit }

  override var keepsFormat: Bool { !((unit as? AudioUnitAdapter)?.mayChangeChannels ?? false) }

  /// The value of a parameter.
  func value(_ id: UInt32) -> Float { (try? unit.parameter(ParameterAddress(id))) ?? 0 }

  /// Sets a parameter to the nearest value of a range; what is no number is left alone.
  func set(_ id: UInt32, to value: Float, in range: ClosedRange<Float>) {
    guard !value.isNaN else { return }
    try? unit.setParameter(ParameterAddress(id), to: min(range.upperBound, max(range.lowerBound, value)))
  }
}

/// An effect: sound goes in and, in the same format and time, comes out.
open class AVAudioUnitEffect: AVAudioUnit, @unchecked Sendable {
  override init(unit: AudioEngine.Unit) { super.init(unit: unit) }

  /// The node of an effect (`aufx`, `aumf` or `aupn`). A description that none has ends the process.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(
      unit: AVAudioUnit.makeUnit(
        audioComponentDescription, of: [kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_Panner]))
  }

  /// True: the input passes unchanged.
  public var bypass: Bool {
    get { auAudioUnit.shouldBypassEffect }
    set { auAudioUnit.shouldBypassEffect = newValue }
  }
}

/// An effect that takes more or less time than its input.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
  override init(unit: AudioEngine.Unit) { super.init(unit: unit) }

  /// The node of a unit that takes more or less time than its input (`aufc`). A description that none has ends the
  /// process.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(unit: AVAudioUnit.makeUnit(audioComponentDescription, of: [kAudioUnitType_FormatConverter]))
  }

  /// True: the input passes unchanged.
  public var bypass: Bool {
    get { auAudioUnit.shouldBypassEffect }
    set { auAudioUnit.shouldBypassEffect = newValue }
  }
}
