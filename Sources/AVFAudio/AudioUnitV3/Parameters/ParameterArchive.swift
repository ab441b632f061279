// Parameters and groups in an archive: a property list as one run of bytes. Foundation ends the process where it finds an
// object of another class than was asked for.

import AVFAudioFiles
import AudioCore
import Foundation

/// The fields of a parameter or a group, and of what is in it. Functions of its unit and observers are not archived.
enum ParameterArchive {
  private static let key = "AUParameterNode"
  /// Groups inside one another, at most.
  private static let mostGroups = 64

  static func encode(_ node: AUParameterNode, with coder: NSCoder) {
    guard
      let data = try? PropertyListSerialization.data(fromPropertyList: record(of: node), format: .binary, options: 0)
    else { return }
    coder.encodeBytes([UInt8](data), length: data.count, forKey: key)
  }

  /// The record of an archive; nil where it has none, or one that no node can be made of.
  static func decode(_ coder: NSCoder) -> [String: Any]? {
    guard let bytes = coder.bytes(forKey: key) else { return nil }
    return (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) as? [String: Any]
  }

  private static func record(of node: AUParameterNode) -> [String: Any] {
    var record: [String: Any] = ["identifier": node.identifier, "name": node.displayName]
    if let group = node as? AUParameterGroup { record["children"] = group.children.map { Self.record(of: $0) } }
    guard let parameter = node as? AUParameter else { return record }
    // Numbers of 64 bits, and values that are no numbers, as texts.
    record["address"] = String(parameter.address)
    record["unit"] = String(parameter.unit.rawValue)
    record["flags"] = String(parameter.flags.rawValue)
    record["values"] = [parameter.minValue, parameter.maxValue, parameter.storedValue].map { String($0.bitPattern) }
    record["unitName"] = parameter.unitName
    record["valueStrings"] = parameter.valueStrings
    record["dependentParameters"] = parameter.dependentParameters.map { $0.map { String($0.uint64Value) } }
    return record
  }

  /// The fields of a parameter; nil where one is missing or none.
  struct Fields {
    let identifier: String
    let name: String
    let address: AUParameterAddress
    let values: [AUValue]
    let unit: AudioUnitParameterUnit
    let flags: AudioUnitParameterOptions
    let unitName: String?
    let valueStrings: [String]?
    let dependentParameters: [NSNumber]?

    init?(_ record: [String: Any]) {
      func number<Value: FixedWidthInteger>(_ key: String) -> Value? { (record[key] as? String).flatMap { Value($0) } }
      guard let names = ParameterArchive.names(record), let address: UInt64 = number("address"),
        let rawUnit: UInt32 = number("unit"), let unit = AudioUnitParameterUnit(rawValue: rawUnit),
        let flags: UInt32 = number("flags"), let texts = record["values"] as? [String]
      else { return nil }
      values = texts.compactMap { UInt32($0).map { AUValue(bitPattern: $0) } }
      guard values.count == 3 else { return nil }
      (identifier, name) = names
      self.address = address
      self.unit = unit
      self.flags = AudioUnitParameterOptions(rawValue: flags)
      unitName = record["unitName"] as? String
      valueStrings = record["valueStrings"] as? [String]
      dependentParameters = (record["dependentParameters"] as? [String])?.compactMap { text in
        UInt64(text).map { NSNumber(value: $0) }
      }
    }
  }

  static func names(_ record: [String: Any]) -> (String, String)? {
    guard let identifier = record["identifier"] as? String, let name = record["name"] as? String else { return nil }
    return (identifier, name)
  }

  /// The nodes of a group; nil where one of them is none, or two have one identifier.
  static func children(_ record: [String: Any], depth: Int = 0) -> [AUParameterNode]? {
    guard depth < mostGroups, let records = record["children"] as? [[String: Any]] else { return nil }
    var nodes: [AUParameterNode] = []
    for record in records {
      if record["children"] == nil {
        guard let fields = Fields(record) else { return nil }
        nodes.append(AUParameter(fields))
      } else {
        guard let names = names(record), let children = children(record, depth: depth + 1) else { return nil }
        nodes.append(AUParameterGroup(identifier: names.0, name: names.1, children: children))
      }
    }
    return Set(nodes.map(\.identifier)).count == nodes.count ? nodes : nil
  }

  /// True where no two parameters have the same address.
  static func haveAddresses(_ nodes: [AUParameterNode]) -> Bool {
    let addresses = nodes.flatMap { node in
      (node as? AUParameterGroup)?.allParameters.map(\.address) ?? (node as? AUParameter).map { [$0.address] } ?? []
    }
    return Set(addresses).count == addresses.count
  }
}
