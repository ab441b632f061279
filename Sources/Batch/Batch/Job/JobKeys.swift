import AudioCore
import BatchRender
import FoundationEssentials
import SampleRate
import SoundFile

/// The keys of job files: the reader takes them by these rows, and the schema is made of them.
package enum JobKeys {
  private static let text: [String: JSONValue] = ["type": "string", "minLength": 1]
  private static let textOrTexts: [String: JSONValue] = [
    "anyOf": [
      ["type": "string", "minLength": 1],
      ["type": "array", "minItems": 1, "items": ["type": "string", "minLength": 1]],
    ]
  ]

  // MARK: Inputs and outputs

  static let version = JSONKey(
    required: "version", JSONForm<Int64>.integer(in: 1...Int64(Int32.max)), "the version of the file's form: 1",
    advice: "write \"version\": 1")
  static let graph = JSONKey(
    optional: "graph", .any(textOrTexts),
    "the graph file, or several: every input goes through each; without it inputs are converted")
  static let inputs = JSONKey(
    optional: "inputs",
    .any([
      "anyOf": [
        ["type": "string", "minLength": 1],
        ["type": "array", "minItems": 1, "items": ["type": "string", "minLength": 1]],
        ["type": "object", "additionalProperties": .object(textOrTexts)],
      ]
    ]),
    "files, patterns (in/**/*.wav, stems/{song}-{stem}.wav), folders or lists (@list.txt); of a graph for each of its players: "
      + "{\"voice\": \"in/*.wav\", \"music\": \"music/{name}.flac\"}")
  static let table = JSONKey(
    optional: "table", JSONForm<String>.text,
    "a CSV file with an output for each row; its columns are files (input, or the id of a player), parameters "
      + "(node.parameter) and places of names")
  static let columns = JSONKey(
    optional: "columns",
    JSONForm<JSONValue>.any(["type": "object", "additionalProperties": ["type": "string", "minLength": 1]]),
    "the purpose of columns whose names do not say it: {\"take\": \"voice\", \"level\": \"mix.volume\"}"
  )
  static let sum = JSONKey(
    optional: "sum", JSONForm<String>.text,
    "the place of the pattern over which files are added up: \"stem\" of stems/{song}-{stem}.wav")
  static let set = JSONKey(
    optional: "set", JSONForm<JSONValue>.any(["type": "object"]),
    "parameters and keys of nodes in place of what the graph says: {\"eq.gain@band:0\": -3, \"mix.volume\": \"-6dB\"}")
  static let settings = JSONKey(
    optional: "settings",
    JSONForm<JSONValue>.any([
      "type": "object", "additionalProperties": ["type": "object", "additionalProperties": ["type": "object"]],
    ]),
    "settings of which each output has one: {\"preset\": {\"warm\": {\"eq.gain\": 3}, \"cold\": {\"eq.gain\": -3}}}; the name of "
      + "the list is a place of names")
  static let output = JSONKey(
    required: "output", JSONForm<String>.text, "the name of each output: out/{folder}/{name}-{preset}.flac",
    advice: "write \"output\": \"out/{folder}/{name}.wav\"")
  static let split = JSONKey(
    optional: "split", JSONForm<String>.text,
    "a cue sheet or a table of pieces (start, end, title) by which each input is cut: {path}.cue; markers: its own regions or, "
      + "without any, from each marker to the next; {track} and {title} are places of the pieces' names")

  static let tags = JSONKey(
    optional: "tags",
    JSONForm<JSONValue>.any(["type": "object", "additionalProperties": ["type": "string"]]),
    "texts that outputs carry: {\"title\": \"{name}\", \"artist\": \"Ann\"}; an empty text takes a tag away")
  static let cover = JSONKey(
    optional: "cover", JSONForm<String>.text, "the front cover, PNG or JPEG: {path}.jpg; none takes all pictures away")

  // MARK: How outputs are written

  private static let container = JSONKey(
    optional: "container", JSONForm<String>.choice(from: SoundFileContainer.allCases.map(\.rawValue)),
    "the kind of file, where the output's extension does not say it")
  private static let encoding = JSONKey(
    optional: "encoding", JSONForm<String>.text, "the form of samples: pcm16, pcm24, float32 ...")
  private static let dither = JSONKey(
    optional: "dither", JSONForm<Int64>.integer(in: 0...(1 << 53)),
    "the seed of triangular dither, added where samples lose precision on the way to integers of up to 24 bits")
  private static let codecQuality = JSONKey(
    optional: "codecQuality", JSONForm<Double>.number(.from(0, upTo: 1)),
    "the quality of Vorbis, Opus, MP3, FLAC: 0 small, 1 best")
  private static let bitRate = JSONKey(
    optional: "bitRate", JSONForm<Int>.quantity(.bitRate, in: 1...262_144),
    "kilobits per second of MP3 and Opus, in place of a codecQuality, as 192")
  private static let keepsTexts = JSONKey(
    "keepTexts", .boolean, initial: true, "true: title, artist and other texts are copied")
  private static let replace = JSONKey(
    "replace", .boolean, initial: true, "true: an output that exists and is not of this batch is replaced")

  static func takeOutput(_ top: inout JSONObject, _ job: inout BatchJob) throws(BenchError) {
    job.format.container = try top.take(container)
    job.format.encoding = try top.take(encoding)
    job.conversion.writer.ditherSeed = try top.take(dither).map { UInt64($0) }
    job.conversion.writer.quality = try top.take(codecQuality)
    job.conversion.writer.bitRate = try top.take(bitRate)
    job.conversion.keepsMetadata = try top.take(keepsTexts)
    job.render.keepsMetadata = job.conversion.keepsMetadata
    job.replaces = try top.take(replace)
    try job.checkFormat()
  }

  // MARK: Conversions and renders

  private static let sampleRate = JSONKey(
    optional: "sampleRate", JSONForm<Double>.quantity(.frequency, .above(0, upTo: 3_000_000)),
    "the rate of the outputs, hertz")
  private static let channels = JSONKey(
    optional: "channels", JSONForm<Int>.count(in: 1...1024), "the number of channels of converted outputs")
  private static let layout = JSONKey(
    optional: "layout", JSONForm<String>.text,
    "the loudspeakers of converted outputs, as stereo, 5.1 or L,R,C,LFE, by ITU-R BS.775")
  private static let inputLayout = JSONKey(
    optional: "inputLayout", JSONForm<String>.text, "what the channels of the inputs are, whatever these say: 5.1 ...")
  private static let effects = JSONKey(
    "lfe", JSONForm<Double>.quantity(.gain, .from(0, upTo: 10)), initial: 0,
    "the gain of low frequency effects, as a factor or in decibels (\"-10dB\"), in outputs that have no such channel")
  private static let quality = JSONKey(
    optional: "quality", JSONForm<RateConversionQuality>.rawValue, "the filter of a change of rate",
    initial: RateConversionQuality.standard)
  private static let allowsTruncated = JSONKey(
    "allowTruncated", .boolean, initial: false, "true: an input that ends early is converted as far as it goes")

  private static let nonFinite = JSONKey(
    optional: "nonfinite", JSONForm<NonFinitePolicy>.choice,
    "the treatment of samples of inputs that are NaN or infinite: error fails the output, silence makes each 0, keep passes them "
      + "on, and figures of such a sound are missing; without the key error, or what the graph's players say",
    initial: NonFinitePolicy.standard)

  static func takeConversion(_ top: inout JSONObject, _ job: inout BatchJob) throws(BenchError) {
    let rate = try top.take(sampleRate)
    let quality = try top.take(quality)
    job.conversion.sampleRate = rate
    job.conversion.quality = quality ?? .standard
    (job.outputSampleRate, job.outputQuality) = (rate, quality?.rawValue)
    job.conversion.channelCount = try top.take(channels)
    job.conversion.layout = try takeLayout(layout, "layout", &top)
    job.conversion.inputLayout = try takeLayout(inputLayout, "inputLayout", &top)
    job.conversion.effectsGain = try top.take(effects)
    if let count = job.conversion.channelCount, let layout = job.conversion.layout, layout.channelCount != count {
      throw top.error(
        "channels", "\(layout) has \(layout.channelCount), not \(count)", advice: "leave one of the two out")
    }
    job.conversion.allowsTruncated = try top.take(allowsTruncated)
    job.graph.nonFinite = try top.take(nonFinite)
    job.conversion.nonFinite = job.graph.nonFinite ?? .standard
    if !job.isConversion, job.conversion.channelCount != nil || job.conversion.layout != nil {
      throw top.error(
        job.conversion.layout == nil ? "channels" : "layout", "a graph says itself how many channels it puts out",
        advice: "leave it out")
    }
  }

  private static func takeLayout(
    _ key: JSONKey<String?>, _ name: String, _ top: inout JSONObject
  ) throws(BenchError) -> ChannelLayout? {
    guard let text = try top.take(key) else { return nil }
    do throws(BenchError) { return try ChannelLayout(name: text) } catch {
      throw top.error(name, error.message, advice: error.advice)
    }
  }

  private static let seconds = JSONKey(
    optional: "seconds", JSONForm<Double>.quantity(.time, .from(0)), "the length of each render, in seconds")
  private static let untilSilent = JSONKey(
    optional: "untilSilent", JSONForm<Double>.quantity(.level, .below(0)),
    "render until the output has stayed below this level, dBFS, for a second")
  private static let tail = JSONKey(
    "tail", .boolean, initial: true, "true: a render goes on until the tail behind the longest source has ended")
  private static let trimsLatency = JSONKey(
    "trimLatency", .boolean, initial: false, "true: the latency of the units is cut off the beginning")

  static func takeRender(_ top: inout JSONObject, _ job: inout BatchJob) throws(BenchError) {
    let (seconds, silent) = (try top.take(seconds), try top.take(untilSilent))
    let tail = try top.take(tail)
    guard seconds == nil || silent == nil else {
      throw top.error("untilSilent", "\"seconds\" gives a length as well", advice: "leave one of the two out")
    }
    job.render.length =
      seconds.map { .seconds($0) } ?? silent.map { .untilSilent(thresholdDecibels: $0) } ?? .sources(tail: tail)
    job.render.trimsLatency = try top.take(trimsLatency)
  }

  // MARK: Finishing

  private static let trim = JSONKey(
    optional: "trim", .any(["type": "object"]),
    "cuts silence off the ends: {\"below\": -60 dBFS, \"keep\": 0.05 seconds of it}")
  private static let fade = JSONKey(
    optional: "fade", .any(["type": "object"]), "fades the ends, in seconds: {\"in\": 0.01, \"out\": 0.5}")
  private static let loudness = JSONKey(
    optional: "loudness", .any(["type": "object"]),
    "one gain for each output: {\"target\": -16 LUFS, \"truePeak\": -1 dBTP, \"limit\": true for a limiter, \"album\": true "
      + "for one gain a folder}")
  private static let measure = JSONKey(
    "measureLoudness", .boolean, initial: false, "true: the report has loudness and true peak of the outputs")

  private static let threshold = JSONKey("below", JSONForm<Double>.quantity(.level, .below(0)), initial: -60, "dBFS")
  private static let kept = JSONKey(
    "keep", JSONForm<Double>.quantity(.time, .from(0, upTo: 3600)), initial: 0, "seconds of silence that stay")
  private static let fadeIn = JSONKey(
    "in", JSONForm<Double>.quantity(.time, .from(0, upTo: 86_400)), initial: 0, "seconds")
  private static let fadeOut = JSONKey(
    "out", JSONForm<Double>.quantity(.time, .from(0, upTo: 86_400)), initial: 0, "seconds")
  private static let target = JSONKey(
    required: "target", JSONForm<Double>.quantity(.loudness, .from(-70, upTo: 0)), "LUFS, integrated",
    advice: "write \"target\": -16")
  private static let truePeak = JSONKey(
    "truePeak", JSONForm<Double>.quantity(.truePeak, .from(-60, upTo: 20)), initial: -1,
    "dBTP that no true peak of the file exceeds")
  private static let limit = JSONKey(
    "limit", .boolean, initial: false,
    "true: a limiter turns down the peaks of a sound that would stay quieter than its target")
  private static let album = JSONKey(
    "album", .boolean, initial: false, "true: all outputs of a folder get one gain, by their loudness as a whole")

  static func takeFinishing(_ top: inout JSONObject, _ finishing: inout Finishing) throws(BenchError) {
    if var trim = try top.object("trim") {
      finishing.trim = Finishing.Trim(thresholdDecibels: try trim.take(threshold), keptSeconds: try trim.take(kept))
      try trim.finish()
    }
    if var fade = try top.object("fade") {
      (finishing.fadeInSeconds, finishing.fadeOutSeconds) = (try fade.take(fadeIn), try fade.take(fadeOut))
      try fade.finish()
    }
    if var loudness = try top.object("loudness") {
      finishing.loudness = Finishing.Loudness(
        targetLUFS: try loudness.take(target), limitDecibels: try loudness.take(truePeak),
        isAlbum: try loudness.take(album), limits: try loudness.take(limit))
      try loudness.finish()
    }
    finishing.measuresLoudness = try top.take(measure)
  }

  // MARK: The run

  static let retries = JSONKey(
    "retries", JSONForm<Int>.count(in: 0...100), initial: 0, "the number of further attempts with a file that failed")
  /// The JSON schema of job files.
  package static var schema: JSONValue {
    func part(_ key: JSONKey<JSONValue?>, _ keys: [any SchemaKey]) -> (any SchemaKey) {
      var schema = [String: JSONValue].schema("", of: keys)
      schema["description"] = key.schema["description"]
      return Part(name: key.name, schema: .object(schema))
    }
    let keys: [any SchemaKey] = [
      version, graph, inputs, table, columns, sum, set, settings, output, split, tags, cover, container, encoding,
      dither,
      codecQuality,
      keepsTexts, replace, sampleRate, channels, layout, inputLayout, effects, quality, allowsTruncated, nonFinite,
      seconds, untilSilent, tail,
      trimsLatency,
      part(trim, [threshold, kept]), part(fade, [fadeIn, fadeOut]), part(loudness, [target, truePeak, limit, album]),
      measure,
      retries, bitRate,
    ]
    var schema = [String: JSONValue].schema("A batch: many outputs made of many files, for aubench batch.", of: keys)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "aubench job, version 1"
    var document = JSONValue.object(schema)
    document["properties"]["$schema"] = ["type": "string"]
    return document
  }

  private struct Part: SchemaKey {
    let name: String
    let schema: JSONValue
    var isRequired: Bool { false }
  }
}
