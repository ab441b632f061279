import AudioCore
import AudioUnits
import BatchRender

/// A kind of unit with everything that its tables say: a fresh unit, looked at.
struct UnitDescription: Encodable {
  struct Parameter: Encodable {
    let id: UInt32
    let name: String
    let scope: String
    let unit: String
    let minimum: Float
    /// Null: half the sample rate.
    let maximum: Float?
    let initial: Float
    let isReadOnly: Bool
    let canRamp: Bool
    let valueNames: [String]
    /// Of a parameter that the unit has several times: what one of them is called, and which one this is.
    let group: String?
    let groupIndex: Int?
  }

  /// Parameters that the unit has several times.
  struct Group: Encodable {
    let name: String
    let count: Int
    let parameters: [String]
  }

  struct Property: Encodable {
    let id: UInt32
    let name: String
    let scopes: [String]
    let type: String
    let access: String
  }

  struct FactoryPreset: Encodable {
    let number: Int32
    let name: String
  }

  struct Key: Encodable {
    let name: String
    let meaning: String
    /// What can be written, where it is one of a few names.
    let choices: [String]?
    /// What holds where it is not written, as JSON; null: nothing that could be written.
    let initial: String?
  }

  struct Buses: Encodable {
    let initial: Int
    let minimum: Int
    let maximum: Int
  }

  struct Channels: Encodable {
    let input: Int
    let output: Int
  }

  let name: String
  let type: String
  let subType: String
  let manufacturer: String
  let title: String
  let summary: String
  let inputBuses: Buses
  let outputBuses: Buses
  /// -1 and -1: any number, the same on both sides. -1 and -2: any and any.
  let channels: [Channels]
  /// Of element 0 of each scope; those of the other elements are the same.
  let parameters: [Parameter]
  let groups: [Group]
  let presets: [FactoryPreset]
  let properties: [Property]
  /// Keys of its node in a graph file, beside id and unit.
  let graphKeys: [Key]

  init(_ component: Component) {
    let unit = component.make()
    name = component.shortName
    type = "\(component.description.type)"
    subType = "\(component.description.subType)"
    manufacturer = "\(component.description.manufacturer)"
    title = component.name
    summary = component.summary
    inputBuses = Buses(unit, .input)
    outputBuses = Buses(unit, .output)
    channels = unit.channelCapabilities.map { Channels(input: $0.inputChannels, output: $0.outputChannels) }
    var places: [ParameterAddress: (group: String, index: Int)] = [:]
    for group in unit.parameterGroups {
      for index in 0..<group.count {
        for parameter in group.parameters { places[parameter.address(index)] = (group.name, index) }
      }
    }
    parameters = unit.allParameters.filter { $0.address.element == 0 }.map {
      Parameter($0.descriptor, $0.address.scope, places[$0.address])
    }
    groups = unit.parameterGroups.map { Group(name: $0.name, count: $0.count, parameters: $0.parameters.map(\.name)) }
    presets = unit.factoryPresets.map { FactoryPreset(number: $0.number, name: $0.name) }
    properties = unit.properties.filter { unit.has($0) }.map(Property.init)
    graphKeys =
      unit.allGraphKeys.map { Key($0, of: unit) }
      + GraphFile.commonKeys.map { Key(name: $0.name, meaning: $0.meaning, choices: nil, initial: nil) }
  }
}

extension Unit {
  /// Units without presets, a tail or fixed channel counts do not have the properties that tell of them.
  fileprivate func has(_ row: PropertyDescriptor) -> Bool {
    guard row.set == nil, row.scopes.contains(.global) else { return true }
    do throws(AudioStatus) { _ = try property(row.id) } catch { return error != .invalidProperty }
    return true
  }
}

extension UnitDescription.Buses {
  fileprivate init(_ unit: Unit, _ scope: Scope) {
    let range = unit.elementCountRange(scope)
    initial = unit.elementCount(scope)
    minimum = range.lowerBound
    maximum = range.upperBound
  }

  var text: String {
    minimum == maximum ? (initial == 0 ? "none" : "\(initial)") : "\(minimum) to \(maximum), \(initial) at first"
  }
}

extension UnitDescription.Parameter {
  fileprivate init(_ descriptor: ParameterDescriptor, _ scope: Scope, _ place: (group: String, index: Int)?) {
    id = descriptor.id
    name = descriptor.name
    self.scope = scope.name
    unit = descriptor.unit == .indexed || descriptor.unit == .boolean ? "\(descriptor.unit)" : descriptor.unit.symbol
    minimum = descriptor.minimum
    maximum = descriptor.maximum.isFinite ? descriptor.maximum : nil
    initial = descriptor.initial
    isReadOnly = descriptor.isReadOnly
    canRamp = descriptor.canRamp
    valueNames = descriptor.valueNames
    group = place?.group
    groupIndex = place?.index
  }
}

extension UnitDescription.Key {
  fileprivate init(_ key: GraphKey, of unit: Unit) {
    name = key.name
    meaning = key.meaning
    choices = key.choices
    initial = key.initial(unit)?.text
  }
}

extension UnitDescription.Property {
  fileprivate init(_ descriptor: PropertyDescriptor) {
    id = descriptor.id.rawValue
    name = descriptor.name
    scopes = Scope.allCases.filter { descriptor.scopes.contains($0) }.map(\.name)
    type = descriptor.type
    access = descriptor.access
  }
}
