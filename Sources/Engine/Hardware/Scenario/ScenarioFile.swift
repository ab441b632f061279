import AudioCore
import FoundationEssentials
import JSONFiles

/// Reads scenario files, version 1: the JSON form of a scenario. The schema is `docs/scenario-file.schema.json`.
public enum ScenarioFile {
  /// The scenario of a file; the names of sound files in it are relative to its folder.
  /// - Throws: `.input` for what is wrong in the file, naming the key.
  public static func load(_ path: String) throws(BenchError) -> Scenario {
    let data = try JSONFile.read(path, kind: .input, what: "scenario")
    do throws(BenchError) {
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
    if let source = try top.take(ScenarioKeys.otherAudio) { scenario.otherAudio = try SourceKeys.read(source) }
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
  fileprivate static let time = NumberRange.from(0, upTo: DeviceConfiguration.longestSeconds)
}

private enum ScenarioKeys {
  static let schema = JSONKey(optional: "$schema", JSONForm<String>.text)
  static let version = JSONKey(
    optional: "version", JSONForm<Int>.count(in: 0...Int(Int32.max)), "of the form of this file: 1")
  static let device = JSONKey(optional: "device", JSONForm<JSONObject>.object("#/$defs/device"))
  static let microphone = JSONKey(
    optional: "microphone", JSONForm<JSONObject>.object("#/$defs/source"), "what it hears; silence where it is missing")
  static let loudspeaker = JSONKey(optional: "loudspeaker", JSONForm<JSONObject>.object("#/$defs/loudspeaker"))
  static let otherAudio = JSONKey(
    optional: "otherAudio", JSONForm<JSONObject>.object("#/$defs/source"), "what another program plays")
  static let cost = JSONKey(
    "cost", JSONForm<Double>.number(.from(0, upTo: 3600)), initial: 0,
    "what the callbacks of a cycle are taken to cost, seconds; one that costs more than its cycle leaves a gap")
  static let seconds = JSONKey(
    optional: "seconds", JSONForm<Double>.number(.time),
    "after which nothing is pulled any more; without an end where it is missing")
  static let events = JSONKey(
    "events",
    JSONForm<JSONValue>.any(["type": "array", "items": ["$ref": "#/$defs/event"]]), initial: .array([]),
    "what happens, in order of time")
  static let all: [any SchemaKey] = [
    schema, version, device, microphone, loudspeaker, otherAudio, cost, seconds, events,
  ]
}

private enum DeviceKeys {
  static let rates = DeviceConfiguration.sampleRates
  static let rate = JSONForm<Int>.count(in: Int(clamping: rates.lowerBound)...Int(clamping: rates.upperBound))
  static let slices = JSONForm<[Int]>.integers(in: 1...DeviceConfiguration.bufferFrameCounts.upperBound)

  static let profile = JSONKey(
    "profile", JSONForm<DeviceProfile>.rawValue, initial: .simulator, "what the other keys are where they are missing")
  static let clock = JSONKey(
    optional: "clock", JSONForm<DeviceConfiguration.Clock>.rawValue,
    "free: as fast as the program delivers; told: moves when the program says so; real: by the wall clock",
    initial: .free)
  static let sampleRate = JSONKey(optional: "sampleRate", rate, "hertz")
  static let sampleRates = JSONKey(
    optional: "sampleRates",
    JSONForm<[Int]>.integers(in: Int(clamping: rates.lowerBound)...Int(clamping: rates.upperBound)),
    "those that it can have, hertz; any where it is missing")
  static let slicesKey = JSONKey(
    optional: "slices", slices,
    "frames of one cycle after another, repeated; as the program prefers where it is missing")
  static let inputChannels = JSONKey(optional: "inputChannels", JSONForm<Int>.count(in: 0...8), "0: no microphone")
  static let outputChannels = JSONKey(optional: "outputChannels", JSONForm<Int>.count(in: 1...8))
  static let refuses = JSONKey(
    optional: "refuses", some(of: ScenarioDevice.Refusal.self),
    "formats of the program that it does not take: float (-50), mono (-10868), otherRates (-10868)")
  static let defects = JSONKey(
    optional: "defects", some(of: ScenarioDevice.Defect.self),
    "what real devices do and should not: silentVoiceOnSpeaker and noisyVoiceOnSpeaker (what a voice processor's microphone gives "
      + "there), unrestoredFormats (all sound is rough after a unit that was disposed of with formats that are not a new one's)"
  )

  /// A list of names, each one of those that a type has.
  private static func some<Name: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
    of type: Name.Type
  ) -> JSONForm<Set<Name>> {
    JSONForm([
      "type": "array", "items": ["enum": .array(Name.allCases.map { .string($0.rawValue) })],
    ]) { (object, key) throws(BenchError) in
      guard let list = try object.list(key) else { return nil }
      var names: Set<Name> = []
      for value in list {
        guard case .string(let word) = value, let name = Name(rawValue: word) else {
          throw object.error(key, "expected some of \(Name.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        names.insert(name)
      }
      return names
    }
  }
  static let output = JSONKey(
    optional: "output", JSONForm<String>.choice(from: DeviceRoute.outputs),
    "what plays; what is built in where it is missing")
  static let input = JSONKey(
    optional: "input", JSONForm<String>.choice(from: DeviceRoute.inputs),
    "what records; what is built in where it is missing")
  static let leavesBuffers = JSONKey(
    optional: "leavesBuffers", JSONForm<Bool>.boolean,
    "whether callbacks get buffers with what was in them last, and not silence")
  static let all: [any SchemaKey] = [
    profile, clock, sampleRate, sampleRates, slicesKey, inputChannels, outputChannels, refuses, output, input,
    leavesBuffers, defects,
  ]

  static func read(_ written: JSONObject) throws(BenchError) -> ScenarioDevice {
    var object = written
    var device = try object.take(profile).device
    device.clock = try object.take(clock) ?? device.clock
    device.sampleRate = try object.take(sampleRate).map(Double.init) ?? device.sampleRate
    device.sampleRates = try object.take(sampleRates)?.map(Double.init) ?? device.sampleRates
    device.slices = try object.take(slicesKey) ?? device.slices
    device.inputChannels = try object.take(inputChannels) ?? device.inputChannels
    device.outputChannels = try object.take(outputChannels) ?? device.outputChannels
    device.refusals = try object.take(refuses) ?? device.refusals
    device.defects = try object.take(defects) ?? device.defects
    device.route.output = try object.take(output) ?? device.route.output
    device.route.input = try object.take(input) ?? device.route.input
    device.leavesBuffers = try object.take(leavesBuffers) ?? device.leavesBuffers
    try object.finish()
    guard device.sampleRates.isEmpty || device.sampleRates.contains(device.sampleRate) else {
      throw object.error(
        "sampleRate", "\(Int(clamping: device.sampleRate)) Hz is none of \"sampleRates\"",
        advice: "add it there, or choose one of them")
    }
    return device
  }
}

private enum LoudspeakerKeys {
  static let file = JSONKey(
    optional: "file", JSONForm<String>.file, "what is played is written there, as 32-bit float WAV")
  static let echo = JSONKey(
    optional: "echo", JSONForm<JSONValue>.any(["type": "array", "items": ["$ref": "#/$defs/echoPath"]]),
    "the ways from the loudspeaker to the microphone")
  static let all: [any SchemaKey] = [file, echo]
}

private enum EchoKeys {
  static let delay = JSONKey(
    "delay", JSONForm<Double>.number(.from(0, upTo: 10)), initial: 0,
    "seconds from playing to recording; at least a cycle")
  static let gain = JSONKey("gain", JSONForm<Double>.number(.from(-200, upTo: 60)), initial: 0, "dB")
  static let all: [any SchemaKey] = [delay, gain]

  static func read(_ list: JSONValue?, in owner: JSONObject) throws(BenchError) -> [EchoPath] {
    guard let list else { return [] }
    guard case .array(let values) = list else { throw owner.error("echo", "expected a list, found \(list.kind)") }
    var paths: [EchoPath] = []
    for (index, value) in values.enumerated() {
      var object = try owner.part(value, at: "echo[\(index)]")
      paths.append(EchoPath(delaySeconds: try object.take(delay), gainDecibels: try object.take(gain)))
      try object.finish()
    }
    return paths
  }
}

private enum SourceKeys {
  enum Kind: String, CaseIterable { case silence, file, tone, noise }
  static let kind = JSONKey(required: "type", JSONForm<Kind>.rawValue)
  static let file = JSONKey(optional: "file", JSONForm<String>.file, "a sound file, for the type file")
  static let repeats = JSONKey(
    "repeats", JSONForm<Bool>.boolean, initial: false, "whether a file begins again at its end")
  static let frequency = JSONKey(
    "frequency", JSONForm<Double>.number(.above(0, upTo: 1e6)), initial: 997, "of a tone, hertz")
  static let level = JSONKey(
    optional: "level", JSONForm<Double>.number(.from(-200, upTo: 60)),
    "the peak of a tone or noise, dBFS, -12 where it is missing; the gain of a file, dB, 0 where it is missing")
  static let seed = JSONKey("seed", JSONForm<Int64>.integer(in: 0...(1 << 53)), initial: 1, "of noise")
  static let all: [any SchemaKey] = [kind, file, repeats, frequency, level, seed]

  static func read(_ written: JSONObject) throws(BenchError) -> SoundSource {
    var object = written
    let kind = try object.take(kind)
    let path = try object.take(file)
    let repeats = try object.take(repeats)
    let hertz = try object.take(frequency)
    let level = try object.take(level)
    let seed = try object.take(seed)
    try object.finish()
    if kind == .file, path == nil { throw object.error("file", "the key is missing") }
    if kind != .file, path != nil { throw object.error("file", "goes with \"type\": \"file\"") }
    switch kind {
    case .silence: return .silence
    case .file: return .file(path: path ?? "", gain: Decibels.amplitude(level ?? 0), repeats: repeats)
    case .tone: return .tone(hertz: hertz, amplitude: Decibels.amplitude(level ?? -12))
    case .noise: return .noise(seed: UInt64(seed), amplitude: Decibels.amplitude(level ?? -12))
    }
  }
}

private enum EventKeys {
  static let at = JSONKey(required: "at", JSONForm<Double>.number(.time), "seconds from the start of the scenario")
  static let slices = JSONKey(
    optional: "slices",
    JSONForm<[Int]>([
      "type": "array",
      "items": [
        "type": "integer", "minimum": 1, "maximum": .number(Double(DeviceConfiguration.bufferFrameCounts.upperBound)),
      ],
    ]) { (object, key) throws(BenchError) in
      if case .array(let list) = object.peek(key), list.isEmpty {
        _ = object.take(key)
        return []
      }
      return try DeviceKeys.slices.take(&object, key)
    }, "frames of one cycle after another, repeated; an empty list: as the program prefers")
  static let burst = JSONKey(
    optional: "burst", JSONForm<JSONObject>.object("#/$defs/burst"), "callbacks come in groups")
  static let route = JSONKey(optional: "route", JSONForm<JSONObject>.object("#/$defs/route"), "the route changes")
  static let interruption = JSONKey(
    optional: "interruption", JSONForm<JSONObject>.object("#/$defs/interruption"), "as by a phone call")
  static let microphone = JSONKey(
    optional: "microphone", JSONForm<JSONObject>.object("#/$defs/source"), "what it hears from now on")
  static let microphoneFails = JSONKey(
    optional: "microphoneFails", JSONForm<Bool>.boolean, "true: it gives silence until a unit is started again")
  static let drift = JSONKey(
    optional: "drift", JSONForm<Double>.number(.from(-100_000, upTo: 100_000)),
    "how much faster than its nominal rate the clock runs, parts per million")
  static let late = JSONKey(
    optional: "late", JSONForm<Double>.number(.from(0, upTo: 3600)),
    "how long after the beginning of their cycle callbacks come from now on, seconds")
  static let cost = JSONKey(
    optional: "cost", JSONForm<Double>.number(.from(0, upTo: 3600)),
    "what the callbacks of a cycle are taken to cost from now on, seconds")
  static let otherAudio = JSONKey(
    optional: "otherAudio", JSONForm<JSONObject>.object("#/$defs/source"), "what another program plays from now on")
  static let volume = JSONKey(
    optional: "volume", JSONForm<Double>.number(.from(0, upTo: 1)), "of the loudspeaker, a factor")
  static let all: [any SchemaKey] = [
    at, slices, burst, route, interruption, microphone, microphoneFails, drift, late, cost, otherAudio, volume,
  ]

  static func read(_ written: JSONObject, of device: ScenarioDevice) throws(BenchError) -> ScenarioEvent {
    var object = written
    let seconds = try object.take(at)
    var changes: [ScenarioEvent.Change] = []
    if let frames = try object.take(slices) { changes.append(.slices(frames)) }
    if let burst = try object.take(burst) { changes.append(.burst(try BurstKeys.read(burst))) }
    if let route = try object.take(route) { changes.append(.route(try RouteKeys.read(route, of: device))) }
    if let part = try object.take(interruption) { changes.append(try InterruptionKeys.read(part)) }
    if let source = try object.take(microphone) { changes.append(.microphone(try SourceKeys.read(source))) }
    if let fails = try object.take(microphoneFails) {
      guard fails else { throw object.error("microphoneFails", "expected true, found false") }
      changes.append(.microphoneFails)
    }
    if let ppm = try object.take(drift) { changes.append(.drift(ppm)) }
    if let seconds = try object.take(late) { changes.append(.late(seconds)) }
    if let seconds = try object.take(cost) { changes.append(.cost(seconds)) }
    if let source = try object.take(otherAudio) {
      let source = try SourceKeys.read(source)
      changes.append(.otherAudio(source == .silence ? nil : source))
    }
    if let factor = try object.take(volume) { changes.append(.volume(factor)) }
    try object.finish()
    guard changes.count == 1 else {
      throw BenchError(
        .input, at: object.place, changes.isEmpty ? "says when, and not what" : "has \(changes.count) changes",
        advice: "give each event \"at\" and one of "
          + all.dropFirst().map(\.name).joined(separator: ", "))
    }
    return ScenarioEvent(seconds: seconds, changes[0])
  }
}

private enum BurstKeys {
  static let callbacks = JSONKey(
    "callbacks", JSONForm<Int>.count(in: 1...1000), initial: 1, "of a group; 1: one a cycle again")
  static let pause = JSONKey(
    "pause", JSONForm<Double>.number(.from(0, upTo: 3600)), initial: 0,
    "seconds without any; what is left of the cycles lies between them")
  static let all: [any SchemaKey] = [callbacks, pause]

  static func read(_ written: JSONObject) throws(BenchError) -> ScenarioEvent.Burst? {
    var object = written
    let burst = ScenarioEvent.Burst(callbacks: try object.take(callbacks), pauseSeconds: try object.take(pause))
    try object.finish()
    return burst.callbacks > 1 ? burst : nil
  }
}

private enum RouteKeys {
  static let output = JSONKey(optional: "output", JSONForm<String>.choice(from: DeviceRoute.outputs), "what plays")
  static let input = JSONKey(optional: "input", JSONForm<String>.choice(from: DeviceRoute.inputs), "what records")
  static let blocked = JSONKey(
    "blocked", JSONForm<Double>.number(.from(0, upTo: 60)), initial: 0.2, "seconds without callbacks")
  static let sampleRate = JSONKey(optional: "sampleRate", DeviceKeys.rate, "of the new hardware, hertz")
  static let inputChannels = JSONKey(optional: "inputChannels", JSONForm<Int>.count(in: 0...8), "of the new hardware")
  static let reason = JSONKey(
    "reason",
    JSONForm<String>.choice(from: DeviceRoute.Reason.allCases.map { String(describing: $0) }), initial: "unknown",
    "what listeners are told")
  static let all: [any SchemaKey] = [output, input, blocked, sampleRate, inputChannels, reason]

  static func read(
    _ written: JSONObject, of device: ScenarioDevice
  ) throws(BenchError) -> ScenarioEvent.RouteChange {
    var object = written
    var change = ScenarioEvent.RouteChange()
    change.route = DeviceRoute(output: try object.take(output), input: try object.take(input))
    change.blockedSeconds = try object.take(blocked)
    change.sampleRate = try object.take(sampleRate).map(Double.init)
    change.inputChannels = try object.take(inputChannels)
    let name = try object.take(reason)
    change.reason = DeviceRoute.Reason.allCases.first { String(describing: $0) == name } ?? .unknown
    try object.finish()
    return change
  }
}

private enum InterruptionKeys {
  enum Edge: String, CaseIterable { case begin, end }
  static let edge = JSONKey(required: "edge", JSONForm<Edge>.rawValue)
  static let resumes = JSONKey(
    "resumes", JSONForm<Bool>.boolean, initial: true, "of an end: whether the program should go on")
  static let isTold = JSONKey(
    "told", JSONForm<Bool>.boolean, initial: true, "of an end: whether the program learns of it")
  static let all: [any SchemaKey] = [edge, resumes, isTold]

  static func read(_ written: JSONObject) throws(BenchError) -> ScenarioEvent.Change {
    var object = written
    let edge = try object.take(edge)
    var end = ScenarioEvent.InterruptionEnd()
    end.resumes = try object.take(resumes)
    end.isTold = try object.take(isTold)
    try object.finish()
    return edge == .begin ? .interruptionBegins : .interruptionEnds(end)
  }
}
