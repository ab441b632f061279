import AudioCore
import AudioEngine
import AudioUnits
import BuiltInUnits
import CAudioToolbox

/// A component as the process knows it: the object behind an AudioComponent handle. Never freed.
final class ComponentEntry: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .component }

  enum Origin {
    /// A unit of this package.
    case builtIn(Component)
    /// A factory that the program has registered.
    case registered(AudioComponentFactoryFunction)
    /// A bundle on disk, loaded when the first instance is made.
    case bundle(ComponentBundle, ComponentBundle.Listing)
  }

  let description: AudioComponentDescription
  /// Maker first: `Apple: AUNBandEQ`.
  let name: String
  /// 0xMMMMmmDD.
  let version: UInt32
  let origin: Origin
  /// Set by the list that it is added to.
  fileprivate(set) var handle: AudioComponent?

  init(_ description: AudioComponentDescription, name: String, version: UInt32, origin: Origin) {
    self.description = description
    self.name = name
    self.version = version
    self.origin = origin
  }

  convenience init(_ component: Component) {
    self.init(
      AudioComponentDescription(component.description), name: component.name, version: component.version,
      origin: .builtIn(component))
  }

  func register() { handle = HandleTable.shared.insert(self) }

  /// A new, open instance without a handle.
  func makeInstance(_ domain: RenderDomain) throws(AudioStatus) -> UnitInstance {
    switch origin {
    case .builtIn(let component):
      let unit = component.make()
      InterfaceDefaults.shared.apply(to: unit)
      return NativeInstance(self, unit: unit, domain: domain)
    case .registered(let factory): return try ForeignInstance(self, factory: factory, domain: domain)
    case .bundle(let bundle, let listing):
      return try ForeignInstance(self, factory: try bundle.factory(listing), domain: domain)
    }
  }

  /// True when a search for `wanted` finds it: zeros match anything, but only a complete description finds an
  /// unsearchable component.
  func matches(_ wanted: AudioComponentDescription) -> Bool {
    let isExact =
      wanted.componentType != 0 && wanted.componentSubType != 0 && wanted.componentManufacturer != 0
    if !isExact && description.componentFlags & AudioComponentFlags.unsearchable.rawValue != 0 { return false }
    return description.agrees(with: wanted)
      && (description.componentFlags ^ wanted.componentFlags) & wanted.flagsThatMatter == 0
  }
}

extension AudioComponentDescription {
  /// True when the three codes are those of a search; 0 there is any.
  func agrees(with wanted: AudioComponentDescription) -> Bool {
    func agree(_ mine: OSType, _ theirs: OSType) -> Bool { theirs == 0 || mine == theirs }
    return agree(componentType, wanted.componentType) && agree(componentSubType, wanted.componentSubType)
      && agree(componentManufacturer, wanted.componentManufacturer)
  }

  /// The mask, or none if it has bits that no flag has: programs leave the last two fields of a description on the
  /// stack uninitialized, and mean nothing by what lies there.
  fileprivate var flagsThatMatter: UInt32 {
    let known =
      AudioComponentFlags.unsearchable.rawValue | AudioComponentFlags.sandboxSafe.rawValue
      | AudioComponentFlags.isV3AudioUnit.rawValue | AudioComponentFlags.requiresAsyncInstantiation.rawValue
      | AudioComponentFlags.canLoadInProcess.rawValue
    return componentFlagsMask & ~known == 0 ? componentFlagsMask : 0
  }
}

extension AudioComponentDescription {
  init(_ description: ComponentDescription) {
    self.init(
      componentType: description.type.rawValue, componentSubType: description.subType.rawValue,
      componentManufacturer: description.manufacturer.rawValue, componentFlags: 0, componentFlagsMask: 0)
  }
}
