// Handles of the C interface, in programs that are linked with it.

import AVFAudioFiles
import AudioEngine
import COptionalLibrary

/// The C interface as the classes know it: what makes handles.
package enum CInterfaceHandles {
  /// Nil in a program that is linked without the C interface.
  package static var maker: (any UnitHandleMaker)? {
    optional_interface_offer()
    return UnitHandles.maker.withLock { $0 }
  }

  /// A handle that stands for nothing: the functions of the C interface answer −50.
  package static var none: OpaquePointer {
    guard let none = OpaquePointer(bitPattern: 1) else { preconditionFailure("1 is an address") }
    return none
  }

  /// The handle of a component.
  package static func component(_ description: ComponentDescription) -> AudioComponent {
    maker?.component(description) ?? none
  }
}
