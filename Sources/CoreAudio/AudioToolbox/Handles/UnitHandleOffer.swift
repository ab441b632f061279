// Handles to units that another module renders: the engine of classes asks for them by the engine's `UnitHandles`.

import AudioCore
import AudioEngine
import CAudioToolbox

/// Registers the handles of this library. Called by `optional_interface_offer`, which knows it as a weak symbol.
@c(_aubench_offer_unit_handles)
public func _aubenchOfferUnitHandles() { UnitHandles.maker.withLock { $0 = ProcessHandles() } }

/// The handles of the process.
private struct ProcessHandles: UnitHandleMaker {
  func makeHandle(of unit: Unit, _ host: any UnitHandleHost) -> OpaquePointer? {
    let entry = ComponentList.shared.entry(of: unit.component.description) ?? ComponentEntry(unit.component)
    let instance = AttachedInstance(entry, unit: unit, host)
    do throws(AudioStatus) { try instance.openWithHandle() } catch { return nil }
    return instance.handle
  }

  func endHandle(_ handle: OpaquePointer) { _ = UnitInstance.dispose(handle) }

  func component(_ description: ComponentDescription) -> OpaquePointer? {
    ComponentList.shared.entry(of: description)?.handle
  }
}
