import AudioCore
import AudioEngine
import BatchRender
import Foundation

/// The JSON schema of suite files: what the frame in `Resources` says of every suite, and what checks, comparators,
/// stimuli and units say of their keys.
package enum SuiteSchema {
  /// The schema for the units of a registry.
  package static func document(_ registry: ComponentRegistry) -> JSONValue {
    guard let frame = try? JSONValue.document(Data(PackageResources.suite_file_frame_json), kind: .suite) else {
      preconditionFailure("the frame is JSON")
    }
    var schema = frame
    schema["$defs"]["check"] = ["oneOf": .array(CheckReader.kinds.map { ["$ref": .string("#/$defs/\($0.name)Check")] })]
    for kind in CheckReader.kinds {
      let name = JSONKey(required: "check", .any(["const": .string(kind.name)]))
      schema["$defs"]["\(kind.name)Check"] = .object(
        .schema(kind.meaning, of: [name, CheckReader.idKey] + kind.keys, rules: kind.rules))
    }
    schema["$defs"]["comparators"] = .object(ComparisonLimits.schema)
    add(StimulusDescription.keys, to: &schema["$defs"]["stimulus"])
    add(DeviceReading.commandKeys, to: &schema["$defs"]["command"])
    add([DeviceReading.precisionKey], to: &schema["$defs"]["formula"])
    add([DeviceReading.filterKey], to: &schema["$defs"]["libraryConversion"]["properties"]["libraryConversion"])
    for (name, schemas) in unitKeys(GraphSchema.document(registry)) {
      schema["$defs"]["unit"]["properties"][name] = schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)]
    }
    // Values are put into any text of a case, so that its keys say nothing before.
    for key in schema["$defs"]["case"]["properties"].keys {
      schema["$defs"]["caseOfMatrix"]["properties"][key] = [:]
    }
    return schema
  }

  private static func add(_ keys: [any SchemaKey], to schema: inout JSONValue) {
    for key in keys { schema["properties"][key.name] = key.schema }
  }

  /// The keys of nodes of graph files, but for their id: where the graphs' schema defines each; several places where
  /// units differ.
  private static func unitKeys(_ graph: JSONValue) -> [String: [JSONValue]] {
    var found: [String: [(schema: JSONValue, reference: JSONValue)]] = [:]
    for unit in graph["$defs"].keys {
      let properties = graph["$defs"][unit]["properties"]
      guard properties["unit"] != .null else { continue }
      for key in properties.keys where !["id", "unit"].contains(key) {
        // Units may say other words of the same key.
        var schema = properties[key]
        (schema["description"], schema["default"]) = (.null, .null)
        guard !(found[key] ?? []).contains(where: { $0.schema == schema }) else { continue }
        let place = "graph-file.schema.json#/$defs/\(unit)/properties/\(key)"
        found[key, default: []].append((schema, ["$ref": .string(place)]))
      }
    }
    return found.mapValues { $0.map(\.reference) }
  }
}
