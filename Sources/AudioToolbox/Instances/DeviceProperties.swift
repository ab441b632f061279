import AudioCore
import AudioUnits
import CAudioToolbox

/// The properties of the hardware behind an output unit, as the unit itself answers them: hosts ask it for the latency or
/// the rates instead of asking the hardware itself. Device properties have four characters for a number.
enum DeviceProperties {
  static func row(_ id: AudioUnitPropertyID, of unit: Unit) -> PropertyRow? {
    // The numbers of units' own properties are small.
    guard let device = unit as? DeviceOutput, device.kind.isOfTheMac, id > 0xFFFF else { return nil }
    let known = try? value(id, .global)
    guard known != nil else { return nil }
    var row = PropertyRow(
      scopes: [.global, .input, .output], isPerElement: false,
      size: { (_, scope, _) throws(AudioStatus) in try value(id, scope).size })
    row.get = { (_, scope, _, memory) throws(AudioStatus) in
      let value = try value(id, scope)
      _ = value.write(to: memory, room: UInt32(value.size))
    }
    if AudioHardware.shared.isSettable(SimulatedHardware.deviceID, address(id, .global)) {
      row.set = { (_, scope, _, bytes) throws(AudioStatus) in
        try AudioHardware.shared.setValue(SimulatedHardware.deviceID, address(id, scope), bytes)
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
