// Presets of users, and the state of a unit: its codes, and the values of its parameters as bytes.

import AVFAudioFiles
import AudioCore
import Foundation
import SoundFile

extension AUAudioUnit {
  /// The state of a unit of one's own. The values are under "data": for each parameter its address as UInt64 and its
  /// value as Float32, big-endian, in the order of addresses.
  var ownState: [String: Any] {
    var bytes: [UInt8] = []
    for parameter in (parameterTree?.allParameters ?? []).sorted(by: { $0.address < $1.address })
    where !parameter.flags.contains(.flag_OmitFromPresets) && !parameter.isReadOnly {
      bytes += UInt32(truncatingIfNeeded: parameter.address >> 32).bigEndianBytes
      bytes += UInt32(truncatingIfNeeded: parameter.address).bigEndianBytes
      bytes += parameter.value.bitPattern.bigEndianBytes
    }
    return codes.merging([kAUPresetDataKey: Data(bytes)]) { own, _ in own }
  }

  /// The codes and the name of the preset, as every state has them.
  var codes: [String: Any] {
    [
      kAUPresetVersionKey: 1,
      kAUPresetTypeKey: Int(componentDescription.componentType),
      kAUPresetSubtypeKey: Int(componentDescription.componentSubType),
      kAUPresetManufacturerKey: Int(componentDescription.componentManufacturer),
      kAUPresetNameKey: currentPreset?.name ?? "Untitled",
    ]
  }

  /// True for a state of a unit with these codes.
  func isOwn(_ state: [String: Any]) -> Bool {
    (state[kAUPresetSubtypeKey] as? NSNumber)?.uint32Value == componentDescription.componentSubType
      && (state[kAUPresetManufacturerKey] as? NSNumber)?.uint32Value == componentDescription.componentManufacturer
  }

  /// Takes over the values of a state. Those of parameters that the unit lacks, or that are no numbers, are left out.
  func restore(_ state: [String: Any]?) {
    guard let state, isOwn(state), let data = state[kAUPresetDataKey] as? Data else { return }
    let bytes = [UInt8](data)
    func word(_ place: Int) -> UInt32 { UInt32(bytes[place..<place + 4].bigEndianValue) }
    for place in stride(from: 0, through: bytes.count - 12, by: 12) {
      let address = UInt64(word(place)) << 32 | UInt64(word(place + 4))
      let value = AUValue(bitPattern: word(place + 8))
      guard value.isFinite, let parameter = parameterTree?.parameter(withAddress: address) else { continue }
      parameter.setValue(value, originator: nil)
    }
  }

  // MARK: Presets of users

  private static let saved = Locked<[String: [(preset: AUAudioUnitPreset, state: [String: Any])]]>([:])
  private var savingKey: String { AudioUnitRegistration.key(componentDescription) }

  /// The presets that were saved in this process, where the unit supports any.
  var savedPresets: [AUAudioUnitPreset] {
    guard supportsUserPresets else { return [] }
    return Self.saved.withLock { $0[savingKey, default: []].map(\.preset) }
  }

  func save(_ userPreset: AUAudioUnitPreset) throws {
    try checkUserPreset(userPreset)
    let state = fullStateForDocument ?? [:]
    Self.saved.withLock { saved in
      saved[savingKey, default: []].removeAll { $0.preset.number == userPreset.number }
      saved[savingKey, default: []].append((userPreset, state))
    }
  }

  func delete(_ userPreset: AUAudioUnitPreset) throws {
    try checkUserPreset(userPreset)
    let count = Self.saved.withLock { saved in
      let before = saved[savingKey, default: []].count
      saved[savingKey, default: []].removeAll { $0.preset.number == userPreset.number }
      return before - saved[savingKey, default: []].count
    }
    if count == 0 { throw Self.unknownPreset(userPreset) }
  }

  func savedState(of userPreset: AUAudioUnitPreset) throws -> [String: Any] {
    try checkUserPreset(userPreset)
    let state = Self.saved.withLock { saved in
      saved[savingKey, default: []].first { $0.preset.number == userPreset.number }?.state
    }
    guard let state else { throw Self.unknownPreset(userPreset) }
    return state
  }

  private func checkUserPreset(_ preset: AUAudioUnitPreset) throws {
    guard supportsUserPresets else {
      throw NSError(unit: kAudioUnitErr_InvalidProperty, "the unit supports no presets of users")
    }
    guard preset.number < 0 else { throw Self.unknownPreset(preset) }
  }

  private static func unknownPreset(_ preset: AUAudioUnitPreset) -> NSError {
    NSError(
      unit: kAudioUnitErr_InvalidPropertyValue,
      "there is no preset \(preset.number) of a user: their numbers are below 0")
  }
}

extension AUParameter {
  /// True of meters, and of parameters that are declared readable alone.
  var isReadOnly: Bool {
    flags.contains(.flag_MeterReadOnly) || flags.contains(.flag_IsReadable) && !flags.contains(.flag_IsWritable)
  }
}
