import AudioCore
import AudioUnits
import CAudioToolbox

/// One property of a unit of this package as the C interface shows it: where it applies, how large its value is, and how
/// it is read and written as bytes.
struct PropertyRow: Sendable {
  typealias Size = @Sendable (NativeInstance, Scope, UInt32) throws(AudioStatus) -> Int
  /// Writes the value to memory of the full size.
  typealias Get = @Sendable (NativeInstance, Scope, UInt32, UnsafeMutableRawPointer) throws(AudioStatus) -> Void
  /// Takes a value from memory of at least the full size; the count is that of the caller.
  typealias Set = @Sendable (NativeInstance, Scope, UInt32, UnsafeRawBufferPointer) throws(AudioStatus) -> Void

  var scopes: Swift.Set<Scope> = [.global]
  /// False: the element is not looked at, or means something else.
  var isPerElement = true
  let size: Size
  var get: Get?
  var set: Set?
  /// Whether the property can be written now; by default where there is a way to.
  var isWritable: @Sendable (NativeInstance, Scope, UInt32) -> Bool = { _, _, _ in true }
  /// Takes the value away again, for the few properties where that can be done.
  var remove: (@Sendable (NativeInstance, Scope, UInt32) throws(AudioStatus) -> Void)?

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
    get: (@Sendable (NativeInstance, Scope, UInt32) throws(AudioStatus) -> Value)? = nil,
    set: (@Sendable (NativeInstance, Scope, UInt32, Value) throws(AudioStatus) -> Void)? = nil
  ) -> PropertyRow {
    var row = PropertyRow(
      scopes: scopes, isPerElement: isPerElement,
      size: { (_, _, _) throws(AudioStatus) in MemoryLayout<Value>.size })
    if let get {
      row.get = { (instance, scope, element, memory) throws(AudioStatus) in
        memory.storeBytes(of: try get(instance, scope, element), as: Value.self)
      }
    }
    if let set {
      row.set = { (instance, scope, element, bytes) throws(AudioStatus) in
        // A number has its size; a struct may come with more behind it.
        guard
          MemoryLayout<Value>.size > 8
            ? bytes.count >= MemoryLayout<Value>.size : bytes.count == MemoryLayout<Value>.size
        else { throw .invalidPropertyValue }
        try set(instance, scope, element, bytes.loadUnaligned(as: Value.self))
      }
    }
    return row
  }

  /// A row whose value is kept for the host and has no other use.
  static func kept<Value: BitwiseCopyable>(_ path: WritableKeyPath<HostValues, Value> & Sendable) -> PropertyRow {
    value(
      Value.self, get: { (instance, _, _) throws(AudioStatus) in instance.hostValues[keyPath: path] },
      set: { (instance, _, _, value) throws(AudioStatus) in instance.hostValues[keyPath: path] = value })
  }

  /// A row whose value is an array.
  static func array<Element: BitwiseCopyable>(
    of type: Element.Type, _ scopes: Swift.Set<Scope> = [.global], isPerElement: Bool = true,
    get: (@Sendable (NativeInstance, Scope, UInt32) throws(AudioStatus) -> [Element])? = nil,
    set: (@Sendable (NativeInstance, Scope, UInt32, [Element]) throws(AudioStatus) -> Void)? = nil
  ) -> PropertyRow {
    var row = PropertyRow(
      scopes: scopes, isPerElement: isPerElement,
      size: { (instance, scope, element) throws(AudioStatus) in
        guard let get else { return 0 }
        return try get(instance, scope, element).count * MemoryLayout<Element>.stride
      })
    if let get {
      row.get = { (instance, scope, element, memory) throws(AudioStatus) in
        let values = try get(instance, scope, element)
        values.withUnsafeBytes {
          memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
      }
    }
    if let set {
      row.set = { (instance, scope, element, bytes) throws(AudioStatus) in
        guard bytes.count % MemoryLayout<Element>.stride == 0 else { throw .invalidPropertyValue }
        let count = bytes.count / MemoryLayout<Element>.stride
        let values = (0..<count).map {
          bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: Element.self)
        }
        try set(instance, scope, element, values)
      }
    }
    return row
  }
}
