// Handles of the C interface to units that another module renders. The module of the handles stands above this one, and beside
// those that render: it registers itself here, in programs that are linked with it.

import AudioCore

/// The side that renders a unit to which there is a handle.
package protocol UnitHandleHost: AnyObject, Sendable {
  /// True on the thread that renders, within a slice: there an edit cannot be waited for.
  var isRenderingHere: Bool { get }
  /// Runs an edit of the unit, one at a time.
  func edit(_ body: () -> Void)
  /// Runs a short function while nothing renders. Within an edit.
  func betweenSlices(_ body: () -> Void)
  /// A property of the unit has changed, or a function is to be called around its slices. Within an edit.
  func unitDidChange()
  /// The number of the device that the unit's host plays to or records from; nil: none.
  var deviceID: UInt32? { get }
  /// True while that device runs.
  var isRunning: Bool { get }
}

/// Makes handles.
package protocol UnitHandleMaker: Sendable {
  /// A handle to a unit, until ``endHandle(_:)``; nil where there are too many.
  func makeHandle(of unit: Unit, _ host: any UnitHandleHost) -> OpaquePointer?
  /// Ends a handle; the unit stays.
  func endHandle(_ handle: OpaquePointer)
  /// The handle of a component; nil: there is none of the description.
  func component(_ description: ComponentDescription) -> OpaquePointer?
}

/// The maker of handles of this process.
package enum UnitHandles {
  /// Nil until the C interface has registered itself.
  package static let maker = Locked<(any UnitHandleMaker)?>(nil)
}
