// Units by their descriptions: subclasses that a program has registered, and the engine's own.

import AVFAudioFiles
import AudioCore
import AudioEngine
import AudioUnits
import Foundation

/// The subclasses of this process, and what finds a unit by its codes.
package enum AudioUnitRegistration {
  private struct Entry {
    let type: AUAudioUnit.Type
    let name: String
    let version: UInt32
  }
  private static let entries = Locked<[String: Entry]>([:])

  /// Type, subtype and manufacturer, which say which unit is meant.
  static func key(_ description: AudioComponentDescription) -> String {
    "\(AudioEngine.ComponentDescription(description))"
  }

  private static func entry(_ description: AudioComponentDescription) -> Entry? {
    entries.withLock { $0[key(description)] }
  }

  static func register(
    _ type: AUAudioUnit.Type, _ description: AudioComponentDescription, name: String, version: UInt32
  ) {
    entries.withLock { entries in
      let former = entries[key(description)]
      if former.map({ $0.version <= version }) ?? true {
        entries[key(description)] = Entry(type: type, name: name, version: version)
      }
    }
    let codes = AudioEngine.ComponentDescription(description)
    // Codes that are taken stay with the unit that has them in graph files; a name that is taken gives way to the codes.
    guard !ComponentRegistry.known.components.contains(where: { $0.description == codes }) else { return }
    let short = shortName(name)
    let isTaken = ComponentRegistry.known.named(short) != nil
    try? ComponentRegistry.register(
      Component(
        codes, shortName: isTaken || short.isEmpty ? "\(codes)" : short, name: name,
        summary: "A unit of the program's own, written as an AUAudioUnit.", version: version,
        realtimeException: "what its render block does is up to its maker"
      ) { AudioUnitAdapter.make(description) })
  }

  /// The name in graph files: that of the unit alone in lower camel case, "Acme: Soft Clip" is `softClip`.
  static func shortName(_ name: String) -> String {
    let words = parts(ofName: name).unit.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return (words.first.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? "") + rest.joined()
  }

  /// The maker's name and the unit's, of a name with both.
  static func parts(ofName name: String) -> (maker: String, unit: String) {
    let parts = name.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    return parts.count == 2 ? (parts[0], parts[1]) : ("", name)
  }

  static func name(of description: AudioComponentDescription) -> String? {
    entry(description)?.name ?? component(description)?.name
  }

  static func version(of description: AudioComponentDescription) -> UInt32 {
    entry(description)?.version ?? component(description)?.version ?? 0
  }

  /// The component of the engine that has these codes, zeros for any.
  package static func component(_ description: AudioComponentDescription) -> Component? {
    ComponentRegistry.known.components.first { $0.description.matches(AudioEngine.ComponentDescription(description)) }
  }

  /// A new unit: of a registered subclass, or one that stands for a unit of the engine.
  /// - Throws: `NSError` −3000 where there is none; what its initializer throws.
  package static func makeUnit(
    _ description: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws -> AUAudioUnit {
    if let entry = entry(description) {
      return try entry.type.init(registered: description, instantiation: options)
    }
    guard let component = component(description) else { throw notFound(description) }
    let found = AudioComponentDescription(component.description)
    if let entry = entry(found) { return try entry.type.init(registered: found, instantiation: options) }
    return EngineAudioUnit.make(component.make())
  }

  /// A new unit of the engine: the adapter of a registered subclass, or one of the engine's own.
  /// - Throws: As ``makeUnit(_:options:)``.
  package static func makeEngineUnit(_ description: AudioComponentDescription) throws -> AudioEngine.Unit {
    guard let component = component(description) else {
      guard let entry = entry(description) else { throw notFound(description) }
      return AudioUnitAdapter(try entry.type.init(registered: description, instantiation: []))
    }
    let found = AudioComponentDescription(component.description)
    guard let entry = entry(found) else { return component.make() }
    return AudioUnitAdapter(try entry.type.init(registered: found, instantiation: []))
  }

  private static func notFound(_ description: AudioComponentDescription) -> NSError {
    NSError(unit: -3000, "no unit has the codes \(key(description))")
  }
}

extension AUAudioUnit {
  /// Makes a subclass known in this process: to engines by its description, to graph files by its name, to hosts of the C
  /// interface. A later one with the same codes and no smaller version takes its place. A class that is none of
  /// ``AUAudioUnit`` ends the process.
  ///
  /// - Parameters:
  ///   - cls: the subclass.
  ///   - componentDescription: its codes: a maker's has a letter that is not lower-case.
  ///   - name: the maker's name, a colon, and the unit's: its name in graph files is the latter in lower camel case.
  ///   - version: 0xMMMMmmDD.
  public class func registerSubclass(
    _ cls: AnyClass, as componentDescription: AudioComponentDescription, name: String, version: UInt32
  ) {
    guard let type = cls as? AUAudioUnit.Type else { misuse("\(cls) is a subclass of AUAudioUnit") }
    AudioUnitRegistration.register(type, componentDescription, name: name, version: version)
  }

  /// Makes a unit, and calls a function with it or with the error, on another thread.
  public class func instantiate(
    with componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
    completionHandler: @escaping (AUAudioUnit?, (any Error)?) -> Void
  ) {
    let call = HandedOver(value: completionHandler)
    DispatchQueue.global().async {
      do {
        let unit = try AudioUnitRegistration.makeUnit(componentDescription, options: options)
        call.value(unit, nil)
      } catch { call.value(nil, error) }
    }
  }

  /// Makes a unit.
  /// - Throws: `NSError` −3000 for a description that no unit has; what the unit's initializer throws.
  public class func instantiate(
    with componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
  ) async throws -> sending AUAudioUnit {
    try HandedOver(value: AudioUnitRegistration.makeUnit(componentDescription, options: options)).value
  }
}

/// A value that goes to another thread and is used by one alone.
package struct HandedOver<Value>: @unchecked Sendable {
  package let value: Value
  package init(value: Value) { self.value = value }
}

extension AudioEngine.ComponentDescription {
  /// The codes of a description of the C interface; its flags are left out.
  package init(_ description: AudioComponentDescription) {
    self.init(
      type: FourCharCode(rawValue: description.componentType),
      subType: FourCharCode(rawValue: description.componentSubType),
      manufacturer: FourCharCode(rawValue: description.componentManufacturer))
  }
}

extension AudioComponentDescription {
  /// The codes of a unit of the engine, without flags.
  package init(_ description: AudioEngine.ComponentDescription) {
    self.init(
      componentType: description.type.rawValue, componentSubType: description.subType.rawValue,
      componentManufacturer: description.manufacturer.rawValue, componentFlags: 0, componentFlagsMask: 0)
  }
}
