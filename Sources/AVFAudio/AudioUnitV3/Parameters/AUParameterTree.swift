import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// A number of parameters and groups. Its children are fixed when it is made.
open class AUParameterGroup: AUParameterNode, NSSecureCoding, @unchecked Sendable {
  /// The parameters and groups in it, in order.
  public let children: [AUParameterNode]

  init(identifier: String, name: String, children: [AUParameterNode]) {
    self.children = children
    super.init(identifier: identifier, name: name)
    for child in children {
      require(child.parent == nil, "\(child.identifier) is in one group only")
      child.parent = self
    }
    require(Set(children.map(\.identifier)).count == children.count, "identifiers are unique in the group \(name)")
  }

  /// True: archives are this project's own; Apple's systems do not read them.
  public class var supportsSecureCoding: Bool { true }
  /// Writes all nodes at and below the group; functions of the unit and observers are left out.
  public func encode(with coder: NSCoder) { ParameterArchive.encode(self, with: coder) }
  /// A group in no other; nil where the archive holds none.
  public required convenience init?(coder: NSCoder) {
    guard let record = ParameterArchive.decode(coder), let names = ParameterArchive.names(record),
      let children = ParameterArchive.children(record)
    else { return nil }
    self.init(identifier: names.0, name: names.1, children: children)
  }

  /// All parameters at or below the group, in order.
  public var allParameters: [AUParameter] {
    children.flatMap { ($0 as? AUParameterGroup)?.allParameters ?? ($0 as? AUParameter).map { [$0] } ?? [] }
  }

  /// The child of an identifier; nil: there is none.
  public func value(forKey key: String) -> Any? { children.first { $0.identifier == key } }

  /// The node of a path of identifiers with dots between them; nil: there is none.
  public func value(forKeyPath path: String) -> Any? {
    var node: Any? = self
    for key in path.split(separator: ".") { node = (node as? AUParameterGroup)?.value(forKey: String(key)) }
    return node
  }

  /// The child of an identifier; nil: it has none.
  public subscript(key: String) -> AUParameter? { value(forKey: key) as? AUParameter }
}

/// All parameters of a unit, and what makes them.
public final class AUParameterTree: AUParameterGroup, @unchecked Sendable {
  private let byAddress: [AUParameterAddress: AUParameter]
  /// Hears of each value that is set, with its origin: the unit that hosts the tree.
  private let host = Locked<((AUParameter, AUValue, AUParameterObserverToken?) -> Void)?>(nil)

  init(children: [AUParameterNode]) {
    var found: [AUParameterAddress: AUParameter] = [:]
    func collect(_ nodes: [AUParameterNode]) {
      for node in nodes {
        if let parameter = node as? AUParameter {
          require(found[parameter.address] == nil, "addresses are unique in the tree (\(parameter.address))")
          found[parameter.address] = parameter
        } else if let group = node as? AUParameterGroup {
          collect(group.children)
        }
      }
    }
    collect(children)
    byAddress = found
    super.init(identifier: "", name: "", children: children)
  }

  /// A tree; nil where the archive holds none, or two parameters of the same address.
  public required convenience init?(coder: NSCoder) {
    guard let record = ParameterArchive.decode(coder), let children = ParameterArchive.children(record),
      ParameterArchive.haveAddresses(children)
    else { return nil }
    self.init(children: children)
  }

  /// The parameter of an address; nil: there is none.
  public func parameter(withAddress address: AUParameterAddress) -> AUParameter? { byAddress[address] }

  /// The parameter of a unit of version 2, as this module numbers them: see ``AUAudioUnit/parameterTree``.
  public func parameter(
    withID paramID: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement
  ) -> AUParameter? {
    byAddress[UnitAddress.address(id: paramID, scope: scope, element: element)]
  }

  func setHost(_ body: ((AUParameter, AUValue, AUParameterObserverToken?) -> Void)?) { host.withLock { $0 = body } }

  func valueWasSet(_ parameter: AUParameter, _ value: AUValue, originator: AUParameterObserverToken?) {
    host.withLock { $0 }?(parameter, value, originator)
  }

  // MARK: Making trees

  /// A parameter that is in no group yet.
  /// - Parameters:
  ///   - identifier: letters, digits and underscores, unique in its group.
  ///   - name: for people.
  ///   - address: unique in its tree.
  ///   - min: the least value of controls.
  ///   - max: the largest.
  ///   - unit: the unit of the value.
  ///   - unitName: its name, where it is a custom one.
  ///   - flags: a parameter ramps if they say so, and is read-only if they say that it is readable alone.
  ///   - valueStrings: the names of the values of an indexed parameter.
  ///   - dependentParameters: addresses of parameters that may change when this one does.
  public static func createParameter(
    withIdentifier identifier: String, name: String, address: AUParameterAddress, min: AUValue, max: AUValue,
    unit: AudioUnitParameterUnit, unitName: String?, flags: AudioUnitParameterOptions = [], valueStrings: [String]?,
    dependentParameters: [NSNumber]?
  ) -> AUParameter {
    AUParameter(
      identifier: identifier, name: name, address: address, min: min, max: max, unit: unit, unitName: unitName,
      flags: flags, valueStrings: valueStrings, dependentParameters: dependentParameters)
  }

  /// A group that is in no other yet.
  public static func createGroup(
    withIdentifier identifier: String, name: String, children: [AUParameterNode]
  ) -> AUParameterGroup {
    AUParameterGroup(identifier: identifier, name: name, children: children)
  }

  /// A tree. Identifiers that come twice in a group and addresses that come twice in the tree end the process.
  public static func createTree(withChildren children: [AUParameterNode]) -> AUParameterTree {
    AUParameterTree(children: children)
  }

  /// A group to make others from; it is no part of a tree itself.
  public static func createGroupTemplate(_ children: [AUParameterNode]) -> AUParameterGroup {
    AUParameterGroup(identifier: "", name: "", children: children)
  }

  /// A group with new nodes like those of a template, whose addresses are larger by an offset.
  public static func createGroup(
    fromTemplate template: AUParameterGroup, identifier: String, name: String,
    addressOffset: AUParameterAddress
  ) -> AUParameterGroup {
    AUParameterGroup(
      identifier: identifier, name: name,
      children: template.children.map { copy($0, addressOffset) })
  }

  private static func copy(_ node: AUParameterNode, _ offset: AUParameterAddress) -> AUParameterNode {
    if let group = node as? AUParameterGroup {
      return createGroup(
        fromTemplate: group, identifier: group.identifier, name: group.displayName, addressOffset: offset)
    }
    guard let original = node as? AUParameter else { return node }
    return AUParameter(
      identifier: original.identifier, name: original.displayName, address: original.address &+ offset,
      min: original.minValue, max: original.maxValue, unit: original.unit, unitName: original.unitName,
      flags: original.flags, valueStrings: original.valueStrings,
      dependentParameters: original.dependentParameters?.map { NSNumber(value: $0.uint64Value &+ offset) },
      value: original.storedValue)
  }
}

/// Addresses of parameters of units of version 2: the id, above it the scope and the element.
enum UnitAddress {
  static func address(id: UInt32, scope: UInt32, element: UInt32) -> AUParameterAddress {
    UInt64(id) | UInt64(scope & 0xFF) << 32 | UInt64(element & 0xFF_FFFF) << 40
  }

  /// The parameter of the engine that an address stands for.
  static func parameter(_ address: AUParameterAddress) -> ParameterAddress {
    ParameterAddress(
      UInt32(truncatingIfNeeded: address),
      scope: Scope(rawValue: UInt32(truncatingIfNeeded: address >> 32) & 0xFF) ?? .global, element: Int(address >> 40))
  }
}
