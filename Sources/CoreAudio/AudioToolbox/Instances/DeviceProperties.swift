import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits
import Hardware

/// The properties of the hardware behind an output unit, as the unit itself answers them: hosts ask it for the latency
/// or the rates instead of asking the hardware itself. Device properties have four characters for a number.
enum DeviceProperties {
  static func row(_ id: AudioUnitPropertyID, of unit: Unit) -> CProperty? {
    // The numbers of units' own properties are small.
    guard let device = unit.deviceOutput, device.kind.isOfTheMac, id > 0xFFFF else { return nil }
    guard (try? value(id, .global)) != nil else { return nil }
    var row = CProperty(
      scopes: [.global, .input, .output], isPerElement: false,
      get: { (place) throws(AudioStatus) in try value(id, place.scope) })
    if AudioHardware.shared.isSettable(SimulatedHardware.deviceID, address(id, .global)) {
      row.set = { (place, bytes) throws(AudioStatus) in
        try AudioHardware.shared.setValue(SimulatedHardware.deviceID, address(id, place.scope), bytes)
      }
    }
    return row
  }

  private static func value(_ id: AudioUnitPropertyID, _ scope: Scope) throws(AudioStatus) -> CValue {
    try AudioHardware.shared.value(SimulatedHardware.deviceID, address(id, scope))
  }

  private static func address(_ id: AudioUnitPropertyID, _ scope: Scope) -> AudioObjectPropertyAddress {
    let side =
      switch scope {
      case .input: kAudioObjectPropertyScopeInput
      case .output: kAudioObjectPropertyScopeOutput
      default: kAudioObjectPropertyScopeGlobal
      }
    return AudioObjectPropertyAddress(id, scope: side)
  }
}
