// AudioComponent.h: finding, making and ending components' instances.

import AudioCore
import AudioEngine
import AudioUnits
import CAudioToolbox
import Hardware
import Transcripts

/// Runs `body` with the component of a handle; -50 for a handle that is stale, foreign or null.
func withComponent(_ handle: AudioComponent?, _ body: (ComponentEntry) -> OSStatus) -> OSStatus {
  HandleTable.shared.withObject(handle, ComponentEntry.self, body) ?? kAudio_ParamError
}

/// The next component that matches, behind `inComponent` or from the beginning; null at the end. Zeros in the
/// description match anything. Bundles are scanned where the search gets as far as them.
@c @implementation
public func AudioComponentFindNext(
  _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
  var found: AudioComponent?
  _ = recorded(nil, CallText.component(inDesc), result: found == nil ? "none" : CallText.component(found)) {
    if isNull(inDesc) { return noErr }
    guard let inComponent else {
      found = ComponentList.shared.next(after: nil, matching: inDesc.pointee)?.handle
      return noErr
    }
    found =
      HandleTable.shared.withObject(inComponent, ComponentEntry.self) {
        ComponentList.shared.next(after: $0, matching: inDesc.pointee)?.handle
      } ?? nil
    return noErr
  }
  return found
}

/// The number of components that match; zeros match anything.
@c @implementation
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
  isNull(inDesc) ? 0 : UInt32(ComponentList.shared.count(matching: inDesc.pointee))
}

/// AudioComponentCopyName. Functions with CoreFoundation types cannot be marked as implementations of their headers:
/// such types are classes to Swift.
@c(AudioComponentCopyName)
public func _audioComponentCopyName(
  _ inComponent: AudioComponent?, _ outName: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
  withComponent(inComponent) { entry in
    guard let outName else { return kAudio_ParamError }
    outName.pointee = CFText.make(entry.name)?.toOpaque()
    return noErr
  }
}

/// The codes and flags of a component.
@c @implementation
public func AudioComponentGetDescription(
  _ inComponent: AudioComponent, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
  withComponent(inComponent) { entry in
    if isNull(outDesc) { return kAudio_ParamError }
    outDesc.pointee = entry.description
    return noErr
  }
}

/// A component's version as its maker states it: `0x00010000` is 1.0.
@c @implementation
public func AudioComponentGetVersion(
  _ inComponent: AudioComponent, _ outVersion: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  withComponent(inComponent) { entry in
    if isNull(outVersion) { return kAudio_ParamError }
    outVersion.pointee = entry.version
    return noErr
  }
}

/// Opens an instance of a component. -66750 where there is no handle left; for a bundle, what its loading or the
/// component's own opening fails with.
@c @implementation
public func AudioComponentInstanceNew(
  _ inComponent: AudioComponent, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
  recorded(nil, CallText.component(inComponent), result: CallSubject(unit: outInstance.pointee)?.description ?? "") {
    withComponent(inComponent) { entry in
      if isNull(outInstance) { return kAudio_ParamError }
      SimulatedHardware.readScenario()
      outInstance.pointee = nil
      return status { () throws(AudioStatus) in outInstance.pointee = try UnitInstance.make(entry).handle }
    }
  }
}

/// Stops an instance and ends it; its handle is stale from here on, which -50 tells.
@c @implementation
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance) -> OSStatus {
  recorded(CallSubject(unit: inInstance)) { UnitInstance.dispose(inInstance) }
}

/// The component that an instance was made of; null for a handle that is stale.
@c @implementation
public func AudioComponentInstanceGetComponent(_ inInstance: AudioComponentInstance) -> AudioComponent? {
  HandleTable.shared.withObject(inInstance, UnitInstance.self) { $0.component.handle } ?? nil
}

/// Tells whether an instance has the function of a selector (`kAudioUnitRenderSelect`); false for a handle that is
/// stale.
@c @implementation
public func AudioComponentInstanceCanDo(_ inInstance: AudioComponentInstance, _ inSelectorID: Int16) -> Bool {
  HandleTable.shared.withObject(inInstance, UnitInstance.self) { $0.canDo(inSelectorID) } ?? false
}

/// AudioComponentRegister.
@c(AudioComponentRegister)
public func _audioComponentRegister(
  _ inDesc: UnsafePointer<AudioComponentDescription>?, _ inName: UnsafeMutableRawPointer?, _ inVersion: UInt32,
  _ inFactory: AudioComponentFactoryFunction?
) -> AudioComponent? {
  guard let inDesc, let inFactory else { return nil }
  let entry = ComponentEntry(
    inDesc.pointee, name: CFText.string(at: inName) ?? "", version: inVersion, origin: .registered(inFactory))
  ComponentList.shared.add(entry)
  return entry.handle
}
