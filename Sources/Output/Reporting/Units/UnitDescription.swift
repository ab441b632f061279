import AudioCore
import AudioEngine
import BatchRender

/// A kind of unit with everything that its tables say: a fresh unit, looked at.
package struct UnitDescription {
  package let component: Component
  let unit: Unit
  /// The parameters of element 0 of each scope; those of the other elements are the same.
  package let parameters: [Parameter]

  package init(_ component: Component) {
    self.component = component
    let unit = component.make()
    self.unit = unit
    var places: [ParameterAddress: Place] = [:]
    for group in unit.parameterGroups {
      for index in 0..<group.count {
        for parameter in group.parameters {
          places[parameter.address(index)] = Place(group: group, index: index, name: parameter.name)
        }
      }
    }
    parameters = unit.allParameters.filter { $0.address.element == 0 || places[$0.address]?.index == 0 }.map {
      Parameter(descriptor: $0.descriptor, scope: $0.address.scope, place: places[$0.address])
    }
  }

  /// The place of a parameter in a group.
  package struct Place {
    let group: ParameterGroup
    let index: Int
    /// The parameter's name in the group.
    let name: String
  }

  package struct Parameter {
    let descriptor: ParameterDescriptor
    let scope: Scope
    /// The place of a parameter in its group.
    let place: Place?

    var unit: String {
      descriptor.unit == .indexed || descriptor.unit == .boolean ? "\(descriptor.unit)" : descriptor.unit.symbol
    }
  }

  package var presets: [Preset] { unit.factoryPresets }

  /// The properties that every unit has, without those that do not apply here: units without presets, a tail or fixed
  /// channel counts do not have theirs.
  package var properties: [PropertyDescriptor] {
    unit.properties.filter { row in
      guard row.set == nil, row.scopes.contains(.global) else { return true }
      do throws(AudioStatus) { _ = try unit.property(row.id) } catch { return error != .invalidProperty }
      return true
    }
  }
}

extension UnitDescription: JSONRepresentable {
  package var json: JSONValue {
    component.description.json.adding([
      "name": component.shortName, "title": component.name, "summary": component.summary,
      // Null: its render calls neither allocate, lock nor call the system, or it is third-party, and this is not known.
      "realtimeException": component.realtimeException,
      "inputBuses": buses(.input), "outputBuses": buses(.output),
      // -1 and -1: any number, the same on both sides. -1 and -2: any and any.
      "channels": unit.channelCapabilities.map { JSONValue(["input": $0.inputChannels, "output": $0.outputChannels]) },
      "parameters": parameters,
      "groups": unit.parameterGroups.map { group in
        JSONValue([
          "name": group.name, "count": group.count, "columns": group.columns,
          "parameters": group.parameters.map(\.name),
        ])
      },
      "presets": presets.map { JSONValue(["number": Int($0.number), "name": $0.name]) },
      "properties": properties,
      "graphKeys": unit.allGraphKeys.map { key in
        JSONValue([
          "name": key.name, "meaning": key.meaning, "choices": key.choices, "initial": key.initial(unit)?.text,
        ])
      } + GraphFile.commonKeys.map { JSONValue(["name": $0.name, "meaning": $0.meaning]) },
    ])
  }

  private func buses(_ scope: Scope) -> JSONValue {
    let range = unit.elementCountRange(scope)
    return JSONValue([
      "initial": unit.elementCount(scope), "minimum": range.lowerBound, "maximum": range.upperBound,
    ])
  }
}

extension ComponentDescription: JSONRepresentable {
  package var json: JSONValue {
    JSONValue(["type": "\(type)", "subType": "\(subType)", "manufacturer": "\(manufacturer)"])
  }
}

extension UnitDescription.Parameter: JSONRepresentable {
  package var json: JSONValue {
    // Float has shorter texts than Double; a maximum that is not there is what the sample rate allows.
    JSONValue([
      "id": Int(descriptor.id), "name": descriptor.name, "scope": scope.name, "unit": unit,
      "minimum": JSONValue(number: "\(descriptor.minimum)"), "maximum": JSONValue(number: "\(descriptor.maximum)"),
      "initial": JSONValue(number: "\(descriptor.initial)"), "isReadOnly": descriptor.isReadOnly,
      "canRamp": descriptor.canRamp, "valueNames": descriptor.valueNames, "group": place?.group.name,
      "groupIndex": place?.index,
    ])
  }
}

extension PropertyDescriptor: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "id": Int(id.rawValue), "name": name, "scopes": scopeNames, "type": type, "access": access,
    ])
  }

  var scopeNames: [String] { Scope.allCases.filter(scopes.contains).map(\.name) }
}
