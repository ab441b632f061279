// Keys of scenario files for the device, its loudspeaker and echoes, and sources of sound.

import AudioCore
import JSONFiles

enum DeviceKeys {
  static let rates = DeviceConfiguration.sampleRates
  static let rate = JSONForm<Int>.count(in: Int(clamping: rates.lowerBound)...Int(clamping: rates.upperBound))
  static let slices = JSONForm<[Int]>.integers(in: 1...DeviceConfiguration.bufferFrameCounts.upperBound)

  static let profile = JSONKey(
    "profile", JSONForm<DeviceProfile>.rawValue, initial: .simulator,
    "the values of the other keys where they are missing")
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
    "errors of real devices: silentVoiceOnSpeaker and noisyVoiceOnSpeaker (what a voice processor's microphone gives "
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
    "the device that plays; the one that is built in where it is missing")
  static let input = JSONKey(
    optional: "input", JSONForm<String>.choice(from: DeviceRoute.inputs),
    "the device that records; the one that is built in where it is missing")
  static let leavesBuffers = JSONKey(
    optional: "leavesBuffers", JSONForm<Bool>.boolean,
    "true: buffers of callbacks hold their last contents in place of silence")
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

enum LoudspeakerKeys {
  static let file = JSONKey(
    optional: "file", JSONForm<String>.file, "the file that the played sound is written to, as 32-bit float WAV")
  static let echo = JSONKey(
    optional: "echo", JSONForm<JSONValue>.any(["type": "array", "items": ["$ref": "#/$defs/echoPath"]]),
    "the ways from the loudspeaker to the microphone")
  static let all: [any SchemaKey] = [file, echo]
}

enum EchoKeys {
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

enum SourceKeys {
  enum Kind: String, CaseIterable { case silence, file, tone, noise }
  static let kind = JSONKey(required: "type", JSONForm<Kind>.rawValue)
  static let file = JSONKey(optional: "file", JSONForm<String>.file, "a sound file, for the type file")
  static let repeats = JSONKey(
    "repeats", JSONForm<Bool>.boolean, initial: false, "true: a file begins again at its end")
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
    return switch kind {
    case .silence: .silence
    case .file: .file(path: path ?? "", gain: Decibels.amplitude(level ?? 0), repeats: repeats)
    case .tone: .tone(hertz: hertz, amplitude: Decibels.amplitude(level ?? -12))
    case .noise: .noise(seed: UInt64(seed), amplitude: Decibels.amplitude(level ?? -12))
    }
  }
}
