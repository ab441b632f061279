import AVFAudioFiles
import AudioCore
import Foundation
import Synchronization

/// One value of a unit that hosts set, move and show.
///
/// The value may be read and set on any thread. It is stored as it is given: the range is for controls.
public final class AUParameter: AUParameterNode, NSSecureCoding, @unchecked Sendable {
  /// The number by which events name the parameter, unique in its tree.
  public let address: AUParameterAddress
  /// The least value of controls, in ``unit``.
  public let minValue: AUValue
  /// The largest value of controls, in ``unit``.
  public let maxValue: AUValue
  /// The unit of the value.
  public let unit: AudioUnitParameterUnit
  /// The name of the unit, where ``unit`` is a custom one.
  public let unitName: String?
  /// Readable, writable, able to ramp; how controls show it.
  public let flags: AudioUnitParameterOptions
  /// The names of the values of an indexed parameter.
  public let valueStrings: [String]?
  /// The addresses of parameters that may change when this one does.
  public let dependentParameters: [NSNumber]?
  /// The value that was set last, as bits: the render side sets it without a lock.
  private let stored: Atomic<UInt32>

  init(
    identifier: String, name: String, address: AUParameterAddress, min: AUValue, max: AUValue,
    unit: AudioUnitParameterUnit, unitName: String?, flags: AudioUnitParameterOptions, valueStrings: [String]?,
    dependentParameters: [NSNumber]?, value: AUValue? = nil
  ) {
    self.address = address
    minValue = min
    maxValue = max
    self.unit = unit
    self.unitName = unitName
    self.flags = flags
    self.valueStrings = valueStrings
    self.dependentParameters = dependentParameters
    let first = value ?? (min <= 0 && 0 <= max ? 0 : min)
    stored = Atomic(first.bitPattern)
    super.init(identifier: identifier, name: name)
  }

  convenience init(_ fields: ParameterArchive.Fields) {
    self.init(
      identifier: fields.identifier, name: fields.name, address: fields.address, min: fields.values[0],
      max: fields.values[1], unit: fields.unit, unitName: fields.unitName, flags: fields.flags,
      valueStrings: fields.valueStrings, dependentParameters: fields.dependentParameters, value: fields.values[2])
  }

  /// True: archives are this project's own; Apple's systems do not read them.
  public static var supportsSecureCoding: Bool { true }
  /// The fields and the value that was set last; functions of the unit and observers are left out.
  public func encode(with coder: NSCoder) { ParameterArchive.encode(self, with: coder) }
  /// A parameter in no group; nil where the archive holds none.
  public convenience init?(coder: NSCoder) {
    guard let record = ParameterArchive.decode(coder), let fields = ParameterArchive.Fields(record) else { return nil }
    self.init(fields)
  }

  /// The present value: the implementation's where it gives one, else what was set last. A new parameter has 0, or its
  /// least value where 0 is not in the range. Setting it tells the implementation, then the observers.
  public var value: AUValue {
    get { nearest(\.implementorValueProvider)?(self) ?? storedValue }
    set { setValue(newValue, originator: nil) }
  }

  /// The value that was set last or that an event has brought.
  package var storedValue: AUValue { AUValue(bitPattern: stored.load(ordering: .relaxed)) }

  /// Notes what an event has brought. On the render thread: calls nothing.
  package func store(_ value: AUValue) { stored.store(value.bitPattern, ordering: .relaxed) }

  /// Sets the value; the observer whose token is given is not called.
  public func setValue(_ value: AUValue, originator: AUParameterObserverToken?) {
    setValue(value, originator: originator, atHostTime: 0)
  }

  /// Sets the value, with a host time for observers that record.
  public func setValue(_ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64) {
    setValue(value, originator: originator, atHostTime: hostTime, eventType: .value)
  }

  /// Sets the value, with a host time and a kind of touch for observers that record automation.
  public func setValue(
    _ value: AUValue, originator: AUParameterObserverToken?, atHostTime hostTime: UInt64,
    eventType: AUParameterAutomationEventType
  ) {
    store(value)
    nearest(\.implementorValueObserver)?(self, value)
    root?.valueWasSet(self, value, originator: originator)
    notify(
      AUParameterAutomationEvent(
        hostTime: hostTime, address: address, value: value, eventType: eventType, reserved: 0),
      originator: originator)
  }

  private var root: AUParameterTree? {
    var node: AUParameterNode = self
    while let parent = node.parent { node = parent }
    return node as? AUParameterTree
  }

  /// A value as text, the present one for nil: the implementation's text, else the name of an indexed value, else the
  /// number.
  public func string(fromValue value: UnsafePointer<AUValue>?) -> String {
    if let callback = nearest(\.implementorStringFromValueCallback) { return callback(self, value) }
    let number = value?.pointee ?? self.value
    if let valueStrings, let index = Int(exactly: (number - minValue).rounded()), valueStrings.indices.contains(index) {
      return valueStrings[index]
    }
    return NumberText.short(Double(number))
  }

  /// The value of a text: the implementation's, else that of the name, else the number; the present value for any other
  /// text.
  public func value(from string: String) -> AUValue {
    if let callback = nearest(\.implementorValueFromStringCallback) { return callback(self, string) }
    if let index = valueStrings?.firstIndex(of: string) { return minValue + AUValue(index) }
    return AUValue(string) ?? value
  }
}
