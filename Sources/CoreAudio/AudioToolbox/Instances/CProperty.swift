import AudioCore
import AudioEngine
import CAudioToolbox

/// The unit, scope and element of which a property is looked up.
struct PropertyPlace {
  let instance: NativeInstance
  let scope: Scope
  let element: UInt32
  /// The caller's memory when a property is read: the few that have one find their question there.
  var question = UnsafeRawBufferPointer(start: nil, count: 0)

  var unit: Unit { instance.unit }
  /// The key of the host's values.
  var key: HostValues.Place { HostValues.Place(scope: scope, element: element) }
}

/// One property of a unit of this package as the C interface shows it: where it applies, the size of its value, and how
/// it is read and written as bytes (``CValue``).
///
/// Properties of the engine (`PropertyDescriptor`, whose values are a `PropertyValue`) are translated by
/// ``EngineProperties``, those of the hardware by ``DeviceProperties``; those that only C has are rows of
/// ``HostProperties``.
struct CProperty: Sendable {
  typealias Get = @Sendable (PropertyPlace) throws(AudioStatus) -> CValue
  /// Takes a value as the caller has laid it out.
  typealias Set = @Sendable (PropertyPlace, UnsafeRawBufferPointer) throws(AudioStatus) -> Void

  var scopes: Swift.Set<Scope> = [.global]
  /// False: the element is not looked at, or means something else.
  var isPerElement = true
  /// In bytes; nil: that of the value that is there.
  var size: Int?
  var get: Get?
  var set: Set?
  /// True when the property can be written now; by default wherever there is a setter.
  var isWritable: @Sendable (PropertyPlace) -> Bool = { _ in true }
  /// Takes the value away again, for the few properties where that can be done.
  var remove: (@Sendable (PropertyPlace) throws(AudioStatus) -> Void)?

  /// Throws unless scope and element exist, in the documented order.
  func check(_ instance: NativeInstance, _ scope: UInt32, _ element: UInt32) throws(AudioStatus) -> Scope {
    guard let scope = Scope(rawValue: scope), scopes.contains(scope) else { throw .invalidScope }
    if isPerElement && Int(element) >= instance.unit.elementCount(scope) { throw .invalidElement }
    return scope
  }

  // MARK: Rows of one fixed type

  /// A row whose value is one number or struct.
  static func value<Value: BitwiseCopyable>(
    _ type: Value.Type, _ scopes: Swift.Set<Scope> = [.global], isPerElement: Bool = true,
    get: (@Sendable (PropertyPlace) throws(AudioStatus) -> Value)? = nil,
    set: (@Sendable (PropertyPlace, Value) throws(AudioStatus) -> Void)? = nil,
    remove: (@Sendable (PropertyPlace) throws(AudioStatus) -> Void)? = nil
  ) -> CProperty {
    var row = CProperty(
      scopes: scopes, isPerElement: isPerElement, size: MemoryLayout<Value>.size, remove: remove)
    if let get { row.get = { (place) throws(AudioStatus) in CValue(try get(place)) } }
    if let set { row.set = { (place, bytes) throws(AudioStatus) in try set(place, try bytes.propertyValue()) } }
    return row
  }

  /// A row whose value is kept for the host and has no other use.
  static func kept<Value: BitwiseCopyable>(_ path: WritableKeyPath<HostValues, Value> & Sendable) -> CProperty {
    value(
      Value.self, get: { $0.instance.hostValues[keyPath: path] },
      set: { $0.instance.hostValues[keyPath: path] = $1 })
  }
}

extension UnsafeRawBufferPointer {
  /// A number has its size; a struct may come with more behind it.
  func propertyValue<Value: BitwiseCopyable>() throws(AudioStatus) -> Value {
    let size = MemoryLayout<Value>.size
    guard size > 8 ? count >= size : count == size else { throw .invalidPropertyValue }
    return loadUnaligned(as: Value.self)
  }

  /// A list comes whole.
  func propertyList<Element: BitwiseCopyable>() throws(AudioStatus) -> [Element] {
    let stride = MemoryLayout<Element>.stride
    guard count % stride == 0 else { throw .invalidPropertyValue }
    return (0..<count / stride).map { loadUnaligned(fromByteOffset: $0 * stride, as: Element.self) }
  }
}
