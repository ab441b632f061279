import AVFAudioFiles
import AudioCore
import AudioEngine
import AudioUnitV3
import Foundation

extension AVAudioUnit {
  /// The codes of the unit.
  public var audioComponentDescription: AudioComponentDescription {
    AudioComponentDescription(unit.component.description)
  }

  /// Makes the node of a unit, and calls a function with it or with the error, on another thread.
  ///
  /// The error is an `NSError`: −3000 for a description that no unit has, or what the unit's initializer throws.
  public class func instantiate(
    with audioComponentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
    completionHandler: @escaping (AVAudioUnit?, (any Error)?) -> Void
  ) {
    let call = HandedOver(value: completionHandler)
    DispatchQueue.global().async {
      do { call.value(try make(audioComponentDescription), nil) } catch { call.value(nil, error) }
    }
  }

  /// Makes the node of a unit: an ``AVAudioUnitEffect``, ``AVAudioUnitGenerator``, ``AVAudioUnitMIDIInstrument`` or
  /// ``AVAudioUnitTimeEffect``, by its type.
  /// - Throws: `NSError` −3000 for a description that no unit has; what the unit's initializer throws.
  public class func instantiate(
    with audioComponentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
  ) async throws -> AVAudioUnit {
    try make(audioComponentDescription)
  }

  private static func make(_ description: AudioComponentDescription) throws -> AVAudioUnit {
    let unit = try AudioUnitRegistration.makeEngineUnit(description)
    switch unit.component.description.type.rawValue {
    case kAudioUnitType_Effect, kAudioUnitType_MusicEffect: return AVAudioUnitEffect(unit: unit)
    case kAudioUnitType_Generator: return AVAudioUnitGenerator(unit: unit)
    case kAudioUnitType_MusicDevice: return AVAudioUnitMIDIInstrument(unit: unit)
    case kAudioUnitType_FormatConverter: return AVAudioUnitTimeEffect(unit: unit)
    default: return AVAudioUnit(unit: unit)
    }
  }

  /// Ends the process where there is no such unit, or where it has another type: initializers cannot fail.
  static func makeUnit(_ description: AudioComponentDescription, of types: [UInt32]) -> AudioEngine.Unit {
    require(types.contains(description.componentType), "componentType is one of this class")
    do { return try AudioUnitRegistration.makeEngineUnit(description) } catch {
      misuse("component != nullptr (\((error as NSError).localizedDescription))")
    }
  }

  /// Takes over a state from a file, the property list of a `.aupreset`.
  /// - Throws: `NSError` −10851 for a state of another unit; what reading the file throws.
  public func loadPreset(at url: URL) throws {
    let data = try Data(contentsOf: url)
    guard let state = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      (state[kAUPresetSubtypeKey] as? NSNumber)?.uint32Value == audioComponentDescription.componentSubType,
      (state[kAUPresetManufacturerKey] as? NSNumber)?.uint32Value == audioComponentDescription.componentManufacturer
    else { throw NSError(.invalidPropertyValue, "\(url.path) is no state of \(name)") }
    inEngine { auAudioUnit.fullState = state }
  }
}

/// A unit with sound of its own.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  override init(unit: AudioEngine.Unit) { super.init(unit: unit) }

  /// The node of a generator (`augn`). A description that none has ends the process.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(unit: AVAudioUnit.makeUnit(audioComponentDescription, of: [kAudioUnitType_Generator]))
  }

  /// True: the generator is bypassed, which is up to it.
  public var bypass: Bool {
    get { auAudioUnit.shouldBypassEffect }
    set { auAudioUnit.shouldBypassEffect = newValue }
  }
}
