import AudioCore
import AudioUnits
import FoundationEssentials

/// The JSON schema of graph files: what the frame in `Resources` says of every graph, and what the units say of their keys.
package enum GraphSchema {
  /// The schema for the units of a registry, indented.
  package static func text(_ registry: ComponentRegistry) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let frame = try? JSONValue.document(Data(PackageResources.graph_file_frame_json), kind: .graph),
      let data = try? encoder.encode(filled(frame, with: registry.components))
    else { preconditionFailure("the frame is JSON") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private static func filled(_ frame: JSONValue, with components: [Component]) -> JSONValue {
    var schema = frame
    let references = components.map { JSONValue.object(["$ref": .string("#/$defs/\($0.shortName)")]) }
    schema["properties"]["nodes"]["items"]["oneOf"] = .array(references + [["$ref": "#/$defs/thirdParty"]])
    schema["$defs"]["thirdParty"]["properties"]["unit"]["not"] = [
      "enum": .array(components.flatMap(names))
    ]
    for component in components { schema["$defs"][component.shortName] = node(component) }
    return schema
  }

  /// What a unit goes by in a graph file.
  private static func names(_ component: Component) -> [JSONValue] {
    [component.shortName, "\(component.description)", "\(component.description.subType)"].map { .string($0) }
  }

  private static func node(_ component: Component) -> JSONValue {
    let unit = component.make()
    var properties: [String: JSONValue] = [
      "id": ["$ref": "#/$defs/id"], "unit": ["enum": .array(names(component))],
    ]
    for key in GraphFile.commonKeys { properties[key.name] = ["$ref": .string("#/$defs/\(key.name)")] }
    for key in unit.allGraphKeys {
      var schema = key.schema
      schema["description"] = .string(key.meaning)
      schema["default"] = key.initial(unit) ?? schema["default"]
      properties[key.name] = .object(schema)
    }
    return [
      "title": .string(component.shortName), "description": .string(component.summary), "type": "object",
      "required": ["id", "unit"], "additionalProperties": false, "properties": .object(properties),
    ]
  }
}

extension JSONValue {
  /// A member of an object; null where there is none.
  fileprivate subscript(_ key: String) -> JSONValue {
    get { if case .object(let members) = self { members[key] ?? .null } else { .null } }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }
}
