import CAudioToolbox
import Transcripts

/// The listeners of changed properties, called on the thread that changes one: immutable, replaced as a whole.
final class PropertyListeners: Sendable {
  struct Registration: @unchecked Sendable {
    let id: AudioUnitPropertyID
    let proc: AudioUnitPropertyListenerProc
    let userData: UnsafeMutableRawPointer?
  }
  private let registrations: [Registration]

  init(_ registrations: [Registration] = []) { self.registrations = registrations }

  func adding(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) -> PropertyListeners {
    PropertyListeners(registrations + [Registration(id: id, proc: proc, userData: userData)])
  }

  /// - Parameter userData: nil removes the procedure whatever was passed with it.
  func removing(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer??
  ) -> PropertyListeners {
    let wanted = functionAddress(proc)
    return PropertyListeners(
      registrations.filter {
        $0.id != id || functionAddress($0.proc) != wanted
          || !(userData.map { [own = $0.userData] in $0 == own } ?? true)
      })
  }

  /// Tells everyone who listens to a property, on whatever scope and element.
  func call(_ unit: AudioUnit, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    for registration in registrations where registration.id == id {
      let context = unsafeBitCast(registration.userData, to: UnsafeMutableRawPointer.self)
      recordedCallback("property listener", CallSubject(unit: unit), CallText.property(id, scope, element)) {
        registration.proc(context, unit, id, scope, element)
      }
    }
  }
}
