// How the render side looks at what the edit side has put into a cell. Here, as generics are made for their types only in
// the target that they stand in.

import AudioEngine

extension RenderCell.View {
  @inline(__always)
  var isEmpty: Bool { reference.pointee == nil }

  /// The value, which stays as long as the render call that asks. For the render side, which knows its class.
  @inline(__always)
  func unretained<Value: AnyObject>(_ type: Value.Type) -> Unmanaged<Value>? {
    guard let object = reference.pointee else { return nil }
    return Unmanaged.fromOpaque(object)
  }

  /// Lends the value to `body`.
  ///
  /// - Returns: nil where there is none.
  @inline(__always)
  func with<Value: AnyObject, Result>(_ type: Value.Type, _ body: (Value) -> Result) -> Result? {
    guard let value = unretained(type) else { return nil }
    return value._withUnsafeGuaranteedRef(body)
  }
}
