// One audio unit as a C program holds it: opened by its component's codes, and disposed of with its owner.

import AudioCore
import AudioToolbox
import Testing

final class OpenedUnit {
  /// Units of this package, by the codes that the interface gives them.
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case mixer = "aumxmcmx"
    case nBandEQ = "aufxnbeq"
    case lowPass = "aufxlpas"
    case iPodEQ = "aufxipeq"
    case converter = "aufcconv"
    case genericOutput = "auougenr"

    var testDescription: String { rawValue }
    static let effects: [Kind] = [.nBandEQ, .lowPass, .iPodEQ]
    /// Those whose one input must have a source.
    static let single: [Kind] = [.nBandEQ, .lowPass, .iPodEQ, .converter, .genericOutput]
  }

  let unit: AudioUnit
  private var isOpen = true

  convenience init(_ kind: Kind) throws {
    let codes = kind.rawValue.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    try self.init(type: UInt32(codes >> 32), UInt32(truncatingIfNeeded: codes))
  }

  init(type: OSType, _ subType: OSType, manufacturer: OSType = kAudioUnitManufacturer_Apple) throws {
    var description = AudioComponentDescription()
    description.componentType = type
    description.componentSubType = subType
    description.componentManufacturer = manufacturer
    let component = try #require(AudioComponentFindNext(nil, &description))
    var made: AudioComponentInstance?
    try #require(AudioComponentInstanceNew(component, &made) == noErr)
    unit = try #require(made)
  }

  deinit { dispose() }

  func dispose() {
    guard isOpen else { return }
    isOpen = false
    AudioComponentInstanceDispose(unit)
  }

  // MARK: Properties

  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0, to value: Value
  ) -> OSStatus {
    withUnsafeBytes(of: value) {
      AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count))
    }
  }

  /// The value with its status: nil where there is none.
  func get<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0,
    as type: Value.Type
  ) -> (status: OSStatus, value: Value?) {
    var size = UInt32(MemoryLayout<Value>.size)
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      guard let base = memory.baseAddress else { return (kAudio_ParamError, nil) }
      let status = AudioUnitGetProperty(unit, id, scope, element, base, &size)
      return (status, status == noErr ? base.pointee : nil)
    }
  }

  func format(_ scope: AudioUnitScope, _ element: UInt32 = 0) throws -> AudioStreamBasicDescription {
    let read = get(kAudioUnitProperty_StreamFormat, scope, element, as: AudioStreamBasicDescription.self)
    return try #require(read.value, "status \(read.status)")
  }

  func parameter(_ id: UInt32, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0)
    -> AudioUnitParameter
  {
    AudioUnitParameter(mAudioUnit: unit, mParameterID: id, mScope: scope, mElement: element)
  }

  /// The value of a parameter; NaN where there is none.
  func value(_ id: UInt32, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0) -> Float {
    var value: AudioUnitParameterValue = .nan
    return AudioUnitGetParameter(unit, id, scope, element, &value) == noErr ? value : .nan
  }
}
