// The identity of a changed value: the key by which listeners and changes find each other.

import AudioCore
import CAudioToolbox
import Hardware

/// One kind of event of one parameter or property of one unit.
struct ChangeKey: Hashable, Sendable {
  let kind: AudioUnitEventType.RawValue
  /// The unit's handle, as bits: a program may pass anything.
  let unitBits: UInt
  /// A parameter's or a property's number.
  let id: UInt32
  let scope: AudioUnitScope
  let element: AudioUnitElement

  static let value = AudioUnitEventType.parameterValueChange.rawValue
  static let begin = AudioUnitEventType.beginParameterChangeGesture.rawValue
  static let end = AudioUnitEventType.endParameterChangeGesture.rawValue
  static let property = AudioUnitEventType.propertyChange.rawValue

  init(_ kind: AudioUnitEventType.RawValue, _ parameter: AudioUnitParameter) {
    self.kind = kind
    unitBits = UInt(bitPattern: parameter.mAudioUnit)
    id = parameter.mParameterID
    scope = parameter.mScope
    element = parameter.mElement
  }

  init(_ property: AudioUnitProperty) {
    kind = Self.property
    unitBits = UInt(bitPattern: property.mAudioUnit)
    id = property.mPropertyID
    scope = property.mScope
    element = property.mElement
  }

  /// - Returns: nil for a type of event that does not exist.
  init?(_ event: AudioUnitEvent) {
    switch event.mEventType.rawValue {
    case Self.value, Self.begin, Self.end: self.init(event.mEventType.rawValue, event.mArgument.mParameter)
    case Self.property: self.init(event.mArgument.mProperty)
    default: return nil
    }
  }

  var unit: AudioUnit? { AudioUnit(bitPattern: unitBits) }
  var isProperty: Bool { kind == Self.property }
  /// In place of a parameter: all of the unit.
  var isAnyParameter: Bool { !isProperty && id == kAUParameterListener_AnyParameter }

  /// True when a change of `other` is one of this, which may mean every parameter of its unit.
  func covers(_ other: ChangeKey) -> Bool {
    self == other || isAnyParameter && kind == other.kind && unitBits == other.unitBits
  }

  /// The key as C has it. `unit` is the same unit, known to exist.
  func event(of unit: AudioUnit) -> AudioUnitEvent {
    var event = AudioUnitEvent()
    if isProperty {
      event.mEventType = .propertyChange
      event.mArgument.mProperty = AudioUnitProperty(
        mAudioUnit: unit, mPropertyID: id, mScope: scope, mElement: element)
    } else {
      event.mEventType =
        kind == Self.value
        ? .parameterValueChange : kind == Self.begin ? .beginParameterChangeGesture : .endParameterChangeGesture
      event.mArgument.mParameter = AudioUnitParameter(
        mAudioUnit: unit, mParameterID: id, mScope: scope, mElement: element)
    }
    return event
  }
}

/// One change on its way to listeners.
struct Change: Sendable {
  let key: ChangeKey
  /// A parameter's new value; 0 for a property.
  let value: AudioUnitParameterValue
  /// Nanoseconds of the host's clock, which is the scenario's under one that is not in real time.
  let hostTime = HostClock.now()

  init(_ key: ChangeKey, value: AudioUnitParameterValue) {
    self.key = key
    self.value = value
  }
}
