// Access of the render side to shared values. It is in this target because generic functions are specialized for a type
// only in the target that declares them.

import AudioEngine

extension SharedValue.View {
  @inline(__always)
  var isEmpty: Bool { reference.pointee == nil }

  /// The value, which stays to the end of the render call. For the render side, which knows its class.
  @inline(__always)
  func unretained<Value: AnyObject>(_ type: Value.Type) -> Unmanaged<Value>? {
    guard let object = reference.pointee else { return nil }
    return Unmanaged.fromOpaque(object)
  }

  /// Calls `body` with the value.
  ///
  /// - Returns: nil where there is none.
  @inline(__always)
  func with<Value: AnyObject, Result>(_ type: Value.Type, _ body: (Value) -> Result) -> Result? {
    guard let value = unretained(type) else { return nil }
    return value._withUnsafeGuaranteedRef(body)
  }
}
