import AudioCore
import AudioEngine
import FoundationEssentials

/// The JSON schema of graph files: what the frame in `Resources` says of every graph, and what the units say of their
/// keys.
package enum GraphSchema {
  /// The schema for the units of a registry.
  package static func document(_ registry: ComponentRegistry) -> JSONValue {
    guard var schema = try? JSONValue.document(Data(PackageResources.graph_file_frame_json), kind: .graph) else {
      preconditionFailure("the frame is JSON")
    }
    let components = registry.components
    let references = components.map { JSONValue.object(["$ref": .string("#/$defs/\($0.shortName)")]) }
    schema["properties"]["nodes"]["items"]["oneOf"] = .array(references + [["$ref": "#/$defs/thirdParty"]])
    schema["$defs"]["thirdParty"]["properties"]["unit"]["not"] = [
      "enum": .array(components.flatMap(names))
    ]
    for component in components { schema["$defs"][component.shortName] = node(component) }
    return schema
  }

  /// The names of a unit in a graph file.
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
