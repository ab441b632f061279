import AudioToolbox
import CoreFoundation

/// A component that the tests register with the process, as a program's own.
struct RegisteredComponent {
  typealias GetProperty =
    @convention(c) (
      UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeMutableRawPointer, UnsafeMutablePointer<UInt32>
    ) -> OSStatus
  typealias Render =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, UInt32,
      UInt32, UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus

  let description: AudioComponentDescription
  let component: AudioComponent

  init?(_ name: String, type: OSType, subType: OSType, _ factory: @escaping AudioComponentFactoryFunction) {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: 0x5465_7374, componentFlags: 0,
      componentFlagsMask: 0)
    guard let name = CFStringCreateWithCString(nil, name, 0x0800_0100),
      let component = AudioComponentRegister(&description, name, 0x10000, factory)
    else { return nil }
    (self.description, self.component) = (description, component)
  }

  /// An instance in memory of its own, which its `Close` deallocates. It begins with its table.
  static func made<Instance>(_ instance: Instance) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let memory = UnsafeMutablePointer<Instance>.allocate(capacity: 1)
    memory.initialize(to: instance)
    return UnsafeMutableRawPointer(memory).assumingMemoryBound(to: AudioComponentPlugInInterface.self)
  }

  func open() throws -> OpenedUnit {
    try OpenedUnit(
      type: description.componentType, description.componentSubType, manufacturer: description.componentManufacturer)
  }
}
