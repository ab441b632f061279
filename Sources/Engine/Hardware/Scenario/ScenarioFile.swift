import AudioCore
import FoundationEssentials
import JSONFiles

/// Reads scenario files, version 1: the JSON form of a scenario. The schema is `docs/scenario-file.schema.json`.
public enum ScenarioFile {
  /// The scenario of a file; the names of sound files in it are relative to its folder.
  /// - Throws: `.input` for what is wrong in the file, naming the key.
  public static func load(_ path: String) throws(BenchError) -> Scenario {
    let data = try JSONFile.read(path, kind: .input, what: "scenario")
    do {
      return try scenario(try JSONValue.document(data, kind: .input), folder: FileName.folderPrefix(of: path))
    } catch {
      throw error.inside(path)
    }
  }

  /// True when a file looks like a scenario, whatever is wrong in it, and not like a graph.
  package static func isScenario(_ path: String) -> Bool {
    guard let data = try? JSONFile.read(path, kind: .input, what: "scenario"),
      let document = try? JSONValue.document(data, kind: .input), case .object(let keys) = document
    else { return false }
    return keys["nodes"] == nil
      && [
        ScenarioKeys.device.name, ScenarioKeys.microphone.name, ScenarioKeys.loudspeaker.name, ScenarioKeys.events.name,
      ]
      .contains { keys[$0] != nil }
  }

  /// The scenario of a JSON text whose file names are relative to `folder` (empty, or ending with a slash).
  public static func parse(_ text: String, folder: String = "") throws(BenchError) -> Scenario {
    try scenario(try JSONValue.document(Data(text.utf8), kind: .input), folder: folder)
  }

  /// The JSON schema of scenario files.
  package static var schema: JSONValue {
    var schema = [String: JSONValue].schema(
      "What the simulated hardware is, and what happens to it over time.", of: ScenarioKeys.all)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$defs"] = [
      "device": .object(.schema("What the hardware is.", of: DeviceKeys.all)),
      "loudspeaker": .object(.schema("Where the sound goes.", of: LoudspeakerKeys.all)),
      "echoPath": .object(.schema("A way from the loudspeaker to the microphone.", of: EchoKeys.all)),
      "source": .object(.schema("What is heard.", of: SourceKeys.all)),
      "event": .object(.schema("What happens, and when: one change each.", of: EventKeys.all)),
      "burst": .object(.schema("Callbacks in groups.", of: BurstKeys.all)),
      "route": .object(.schema("Another way for the sound.", of: RouteKeys.all)),
      "interruption": .object(.schema("Its beginning or end.", of: InterruptionKeys.all)),
    ]
    return .object(schema)
  }

  private static func scenario(_ document: JSONValue, folder: String) throws(BenchError) -> Scenario {
    var top = try JSONObject(document, at: "", folder: folder, kind: .input)
    _ = try top.take(ScenarioKeys.schema)
    guard let version = try top.take(ScenarioKeys.version) else {
      throw top.error("version", "the key is missing", advice: "write \"version\": 1")
    }
    guard version == 1 else {
      throw top.error("version", "this program reads version 1, the file has version \(version)")
    }
    var scenario = Scenario()
    if let device = try top.take(ScenarioKeys.device) { scenario.device = try DeviceKeys.read(device) }
    if let source = try top.take(ScenarioKeys.microphone) { scenario.microphone = try SourceKeys.read(source) }
    if let written = try top.take(ScenarioKeys.loudspeaker) {
      var loudspeaker = written
      scenario.loudspeakerPath = try loudspeaker.take(LoudspeakerKeys.file)
      scenario.echo = try EchoKeys.read(try loudspeaker.take(LoudspeakerKeys.echo), in: loudspeaker)
      try loudspeaker.finish()
    }
    if let source = try top.take(ScenarioKeys.otherAudio) {
      let sound = try SourceKeys.read(source)
      scenario.otherAudio = sound == .silence ? nil : sound
    }
    scenario.costSeconds = try top.take(ScenarioKeys.cost)
    scenario.seconds = try top.take(ScenarioKeys.seconds)
    let events = try top.list(ScenarioKeys.events.name) ?? []
    try top.finish()
    for (index, value) in events.enumerated() {
      scenario.events.append(try EventKeys.read(try top.part(value, at: "events[\(index)]"), of: scenario.device))
    }
    for (former, next) in zip(scenario.events, scenario.events.dropFirst()) where next.seconds < former.seconds {
      throw BenchError(
        .input, at: "events", "they must be in order of time: \(former.seconds) s stands before \(next.seconds) s")
    }
    return scenario
  }
}

extension NumberRange {
  /// Times of a scenario, seconds.
  static let time = NumberRange.from(0, upTo: DeviceConfiguration.longestSeconds)
}

enum ScenarioKeys {
  static let schema = JSONKey(optional: "$schema", JSONForm<String>.text)
  static let version = JSONKey(
    optional: "version", JSONForm<Int>.count(in: 0...Int(Int32.max)), "the version of the file's form: 1")
  static let device = JSONKey(optional: "device", JSONForm<JSONObject>.object("#/$defs/device"))
  static let microphone = JSONKey(
    optional: "microphone", JSONForm<JSONObject>.object("#/$defs/source"),
    "the sound at the microphone; silence where it is missing")
  static let loudspeaker = JSONKey(optional: "loudspeaker", JSONForm<JSONObject>.object("#/$defs/loudspeaker"))
  static let otherAudio = JSONKey(
    optional: "otherAudio", JSONForm<JSONObject>.object("#/$defs/source"), "the sound of another program")
  static let cost = JSONKey(
    "cost", JSONForm<Double>.number(.from(0, upTo: 3600)), initial: 0,
    "the assumed cost of a cycle's callbacks, seconds; more than the cycle's own length leaves a gap")
  static let seconds = JSONKey(
    optional: "seconds", JSONForm<Double>.number(.time),
    "the end of the scenario; without an end where it is missing")
  static let events = JSONKey(
    "events",
    JSONForm<JSONValue>.any(["type": "array", "items": ["$ref": "#/$defs/event"]]), initial: .array([]),
    "events, in order of time")
  static let all: [any SchemaKey] = [
    schema, version, device, microphone, loudspeaker, otherAudio, cost, seconds, events,
  ]
}
