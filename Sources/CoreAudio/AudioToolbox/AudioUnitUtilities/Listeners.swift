import AudioCore
import CAudioToolbox

/// All listeners of the process, and what becomes of a change.
enum Listeners {
  private static let all = Locked<[ChangeListener]>([])

  static func add(_ listener: ChangeListener) { all.withLock { $0.append(listener) } }
  static func remove(_ listener: ChangeListener) { all.withLock { $0.removeAll { $0 === listener } } }

  /// Announces a change, or with "any parameter" as many as there are listened to.
  ///
  /// A parameter's value is read from its unit here, so that all hear the same.
  ///
  /// - Parameters:
  ///   - sender: the listener whose own change this is; null: none.
  ///   - object: the object of that listener which is not told.
  /// - Returns: -50 for a unit or sender that does not exist, or the unit's error where it has no such parameter.
  static func announce(
    _ key: ChangeKey, from sender: OpaquePointer?, object: UnsafeMutableRawPointer?
  ) -> OSStatus {
    var sending: ChangeListener?
    if sender != nil {
      sending = HandleTable.shared.withObject(sender, ChangeListener.self) { $0 }
      guard sending != nil else { return kAudio_ParamError }
    }
    let listeners = all.withLock { $0 }
    var changes: [Change] = []
    let status = withUnit(key.unit) { unit in
      guard key.isAnyParameter else {
        let (status, value) = value(of: key, unit)
        if status == noErr { changes.append(Change(key, value: value)) }
        return status
      }
      var seen: Set<ChangeKey> = []
      for listener in listeners {
        for known in listener.keys(coveredBy: key) where seen.insert(known).inserted {
          let (status, value) = value(of: known, unit)
          // One that is not there (any more) has no change to tell.
          if status == noErr { changes.append(Change(known, value: value)) }
        }
      }
      return noErr
    }
    guard status == noErr else { return status }
    let own = UInt(bitPattern: object)
    for change in changes {
      for listener in listeners { listener.tell(change, exceptFor: listener === sending ? own : nil) }
    }
    return noErr
  }

  private static func value(of key: ChangeKey, _ unit: UnitInstance) -> (OSStatus, AudioUnitParameterValue) {
    var value: AudioUnitParameterValue = 0
    if key.isProperty { return (noErr, value) }
    let status = unit.parameter(key.id, key.scope, key.element, into: &value)
    return (status, value)
  }
}

/// A property whose changes the unit itself reports: of every scope and element.
struct ListenedProperty: Hashable {
  private let unitBits: UInt
  private let id: AudioUnitPropertyID

  init(_ key: ChangeKey) {
    unitBits = key.unitBits
    id = key.id
  }

  private var unit: AudioUnit? { AudioUnit(bitPattern: unitBits) }

  func begin(_ listener: OpaquePointer?) -> OSStatus {
    withUnit(unit) { $0.addPropertyListener(id, Self.didChange, listener.map { UnsafeMutableRawPointer($0) }) }
  }

  /// A unit that is gone has forgotten the listener by itself.
  func end(_ listener: OpaquePointer?) {
    _ = withUnit(unit) {
      $0.removePropertyListener(
        id, Self.didChange, listener.map { UnsafeMutableRawPointer($0) }, anyUserData: false)
    }
  }

  private static let didChange: AudioUnitPropertyListenerProc = { listener, unit, id, scope, element in
    let property = AudioUnitProperty(mAudioUnit: unit, mPropertyID: id, mScope: scope, mElement: element)
    let change = Change(ChangeKey(property), value: 0)
    HandleTable.shared.withObject(OpaquePointer(listener), ChangeListener.self) {
      $0.tell(change, exceptFor: nil)
    }
  }
}
