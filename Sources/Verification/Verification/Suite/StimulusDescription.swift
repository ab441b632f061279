import AudioCore
import Measurement

/// The stimulus of a device, as a suite writes it: `{"type": "noise", "seconds": 0.5, "level": -12}`.
public struct StimulusDescription: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case impulse, sweep, noise, sine, silence, file, formula
  }

  let kind: Kind
  let path: String?
  let formula: Formula?
  let seconds: Double
  let frames: Int?
  /// The peak, dBFS.
  let levelDecibels: Double
  let frequencyHertz: Double
  let seed: UInt64
  /// The only channel that sounds; nil: all do.
  let channel: Int?
  /// The samples themselves, in place of all that.
  var samples: AudioSignal?
  package var definition: JSONValue

  // MARK: In a suite

  private static let kindKey = JSONKey("type", JSONForm<Kind>.rawValue, initial: .noise)
  private static let fileKey = JSONKey(optional: "file", JSONForm<String>.file, "A sound file, for the type file.")
  private static let formulaKey = JSONKey(
    optional: "formula",
    JSONForm<String>(["type": "string", "minLength": 1, "maxLength": 10_000]) { (object, key) throws(BenchError) in
      try object.string(key)
    }, "Of the frame n, the time t, the channel c and the rate; for the type formula.")
  private static let secondsKey = JSONKey(
    "seconds", .number(.above(0, upTo: 3600)), initial: 0.5, "Of sound.")
  private static let framesKey = JSONKey(
    optional: "frames", JSONForm<Int>.count(in: 1...(1 << 28)), "Of sound, in place of seconds.")
  private static let levelKey = JSONKey(
    optional: "level", JSONForm<Double>.number(.upTo(200), expected: "a level of at most 200 dBFS"),
    "The peak, dBFS; 0 for an impulse, -12 for others where it is missing.")
  private static let frequencyKey = JSONKey(
    "frequency", .number(.above(0), expected: "a frequency above 0 Hz"), initial: 997, "Of a sine, hertz.")
  private static let seedKey = JSONKey("seed", JSONForm<Int64>.integer(in: 0...(1 << 53)), initial: 1, "Of noise.")
  private static let channelKey = JSONKey(
    optional: "channel", JSONForm<Int>.count(in: 0...1023),
    "The only channel that sounds, from 0 on; all where it is missing.")

  /// For the schema.
  static let keys: [any SchemaKey] = [
    kindKey, fileKey, formulaKey, secondsKey, framesKey, levelKey, frequencyKey, seedKey, channelKey,
  ]

  /// The stimulus that is written; half a second of noise where none is; nothing for a graph, which plays its own
  /// files.
  static func read(_ written: JSONObject?, device: DeviceDescription) throws(BenchError) -> StimulusDescription? {
    if let written { return try StimulusDescription(written) }
    return device.isGraph ? nil : try StimulusDescription(JSONObject([:], at: "", kind: .suite))
  }

  init(_ written: JSONObject) throws(BenchError) {
    var object = written
    var copy = written
    definition = .object(Dictionary(uniqueKeysWithValues: copy.takeAll().map { ($0.key, $0.value) }))
    kind = try object.take(Self.kindKey)
    path = try object.take(Self.fileKey)
    if kind == .file, path == nil { throw object.error("file", "the key is missing") }
    if kind != .file, path != nil { throw object.error("file", "goes with \"type\": \"file\"") }
    if let text = try object.take(Self.formulaKey) {
      guard kind == .formula else { throw object.error("formula", "goes with \"type\": \"formula\"") }
      do { formula = try Formula(text) } catch {
        throw object.error("formula", error.description, advice: "as \"(n - 1000) / 32768\"")
      }
    } else {
      guard kind != .formula else { throw object.error("formula", "the key is missing") }
      formula = nil
    }
    seconds = try object.take(Self.secondsKey)
    frames = try object.take(Self.framesKey)
    levelDecibels = try object.take(Self.levelKey) ?? (kind == .impulse ? 0 : -12)
    frequencyHertz = try object.take(Self.frequencyKey)
    seed = UInt64(try object.take(Self.seedKey))
    channel = try object.take(Self.channelKey)
    try object.finish()
  }

  /// The number of channels that the stimulus has itself; nil: any number.
  var ownChannelCount: Int? { samples?.channelCount }

  /// The samples, each channel of noise its own.
  /// - Throws: `.input` for a file that cannot be read, `.suite` where its channels are not those of the device.
  func signal(sampleRate: Double, channelCount: Int) throws(BenchError) -> AudioSignal {
    if let samples { return samples }
    if kind == .file, let path {
      let signal = try AudioSignal(contentsOf: path)
      guard signal.channelCount == channelCount else {
        throw BenchError(
          .suite, at: path,
          "channels: the file has \(signal.channelCount), and the device takes \(channelCount)",
          advice: "say \"channels\": \(signal.channelCount) of the device")
      }
      return signal
    }
    if let channel, channel >= channelCount {
      throw BenchError(
        .suite, at: "stimulus, key \"channel\"",
        "the device takes \(channelCount), counted from 0, so there is no channel \(channel)")
    }
    if kind == .sine, frequencyHertz >= sampleRate / 2 {
      throw BenchError(
        .suite, at: "stimulus, key \"frequency\"",
        "expected a frequency below half the rate, found \(frequencyHertz)")
    }
    let count = frames ?? max(1, Int(clamping: (seconds * sampleRate).rounded()))
    try AudioSignal.checkMemory(frames: count, channels: channelCount, at: "stimulus", kind: .suite)
    lazy var zeros = [Double](repeating: 0, count: count)
    if let formula {
      var source = FormulaDevice([formula], precision: .float64)
      (source.outputFrames, source.outputChannelCount) = (count, channelCount)
      let silence = AudioSignal(sampleRate: sampleRate, channelCount: channelCount, [])
      var signal = try source.process(silence)
      for index in signal.channels.indices where channel.map({ $0 != index }) ?? false {
        signal.channels[index] = zeros
      }
      return signal
    }
    let amplitude = Decibels.amplitude(levelDecibels)
    let channels = (0..<channelCount).map { index -> [Double] in
      guard channel == nil || channel == index else { return zeros }
      return switch kind {
      case .impulse: Stimulus.impulse(frames: count, amplitude: amplitude)
      case .sweep:
        ExponentialSweep(
          startHertz: min(20, sampleRate / 8), endHertz: sampleRate / 2, frames: max(2, count), sampleRate: sampleRate
        ).samples(amplitude: amplitude)
      case .noise: Stimulus.whiteNoise(frames: count, amplitude: amplitude, seed: seed &* 1009 &+ UInt64(index))
      case .sine:
        Stimulus.sine(
          frames: count, frequencyHertz: frequencyHertz, sampleRate: sampleRate, amplitude: amplitude)
      case .silence, .file, .formula: zeros
      }
    }
    return AudioSignal(sampleRate: sampleRate, channels: channels)
  }
}
