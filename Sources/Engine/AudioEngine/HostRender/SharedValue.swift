// The path of one slice: edge, for units that a host pulls one by one. A value that a render call reads and an edit
// replaces: edits are queued in a `RenderDomain`; the render thread swaps the values, and the edit side frees the old
// ones.

import AudioCore
import HandOver

/// A value that the render side reads and the edit side replaces through a ``RenderDomain``.
package final class SharedValue: @unchecked Sendable {
  /// A new value for one of them.
  package typealias Edit = (target: SharedValue, value: AnyObject?)

  /// A retained reference, or none; behind a pointer, and read without the checks that a class's property costs.
  fileprivate let reference: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  package init(_ value: AnyObject? = nil) {
    reference = .allocate(capacity: 1)
    reference.initialize(to: Self.retained(value))
  }

  deinit {
    Self.release(reference.pointee)
    reference.deallocate()
  }

  fileprivate static func retained(_ value: AnyObject?) -> UnsafeMutableRawPointer? {
    value.map { Unmanaged.passRetained($0).toOpaque() }
  }

  fileprivate static func release(_ reference: UnsafeMutableRawPointer?) {
    if let reference { Unmanaged<AnyObject>.fromOpaque(reference).release() }
  }

  /// Sets the first value. Call before rendering starts.
  package func setInitial(_ value: AnyObject?) {
    precondition(reference.pointee == nil)
    reference.pointee = Self.retained(value)
  }

  /// The value as the render side reads it. Valid as long as this object lives.
  package var view: View { View(reference: reference) }

  /// Reads the value without counting references.
  package struct View {
    /// The address of an object whose class the render side knows; nil where there is none. A plain pointer, so that it
    /// is read in place in other targets too.
    package let reference: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  }
}

/// An edit in a queue: the new value until it is applied, then the old one, to be freed.
final class QueuedEdit: Parcel {
  private let target: SharedValue
  private var reference: UnsafeMutableRawPointer?

  init(_ edit: SharedValue.Edit) {
    target = edit.target
    reference = SharedValue.retained(edit.value)
  }

  deinit { SharedValue.release(reference) }

  func apply() { swap(&target.reference.pointee, &reference) }
}
