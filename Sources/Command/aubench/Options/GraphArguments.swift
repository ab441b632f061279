import AudioCore
import AudioEngine
import AudioToolbox
import Batch
import BatchRender
import BuiltInUnits
import RenderGraph
import SampleRate
import SoundFile

/// The options that `render` and `describe` share: a graph file and changes to it.
enum GraphArguments {
  static let options: [CommandOption] = [.set, .input, .rate, .quality, .graphRate]

  /// Options of a graph file in which third-party units can be.
  static var thirdPartyUnits: GraphFile.Options {
    var options = GraphFile.Options()
    let others = InstalledUnits.ofCommands
    options.findOther = { (name) throws(BenchError) in try others.component(named: name) }
    options.folderOfOther = { others.bundle(named: $0) }
    return options
  }

  /// The options that override a graph's values, except for files.
  private static func options(_ arguments: Arguments) throws(BenchError) -> GraphFile.Options {
    var options = thirdPartyUnits
    options.sampleRate = try sampleRate(.graphRate, arguments)
    options.nonFinite = try choice(.nonFinite, arguments)
    for (key, value) in try arguments.pairs(.set, "NODE.PARAM@SCOPE:EL=VALUE") {
      options.writtenSettings.append(try setting(key, value))
    }
    return options
  }

  /// The graph of the first operand, and what options say of it, for a job.
  static func apply(_ arguments: Arguments, to job: inout BatchJob) throws(BenchError) {
    job.graphs = [arguments.operands[0]]
    job.graph = try options(arguments)
    job.outputSampleRate = try sampleRate(.rate, arguments)
    let quality: RateConversionQuality? = try choice(.quality, arguments)
    job.outputQuality = quality?.name
  }

  /// The graph of the first operand, changed as the options say.
  static func load(_ arguments: Arguments) throws(BenchError) -> Graph {
    var options = try options(arguments)
    for (node, file) in try arguments.pairs(.input, "NODE=FILE") {
      guard options.inputs.updateValue(file, forKey: node) == nil else {
        throw Arguments.error(.input, "node \"\(node)\" is given two files", advice: "leave one of them out")
      }
    }
    let rate = try sampleRate(.rate, arguments)
    let quality: RateConversionQuality? = try choice(.quality, arguments)
    let graph = try GraphFile.load(arguments.operands[0], options: options)
    try graph.setOutput(sampleRate: rate, quality: quality?.name)
    return graph
  }

  static func sampleRate(_ option: CommandOption, _ arguments: Arguments) throws(BenchError) -> Double? {
    try arguments.number(option, "a sample rate: above 0 and up to 3000000 Hz, as 48000", in: .frequency) {
      StreamFormat.isSampleRate($0)
    }
  }

  /// One of the names that a type has, for the option that is called as what they are names of.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: CommandOption, _ arguments: Arguments
  ) throws(BenchError) -> Choice? {
    guard let text = arguments[option] else { return nil }
    let near = nearest(to: text, in: Choice.allCases.map(\.rawValue)).first
    return try Arguments.choice(text, option, option.name, advice: near.map { "did you mean \($0)?" })
  }

  /// `mix.volume@input:2` and `0.5` or `-6dB`
  static func setting(_ key: String, _ text: String) throws(BenchError) -> WrittenSetting {
    do { return try WrittenSetting(key: key, text: text) } catch {
      throw error.inside("option --\(CommandOption.set.name)")
    }
  }
}

/// The options that `render` and `convert` share: an output file.
enum OutputArguments {
  static let options: [CommandOption] = [
    .encoding, .container, .codecQuality, .bitRate, .dither, .noClobber, .threads,
  ]

  static func writer(_ arguments: Arguments) throws(BenchError) -> SoundFileWriterOptions {
    var options = SoundFileWriterOptions(overwrites: !arguments.has(.noClobber))
    options.outputs = arguments.run.outputs
    options.quality = try arguments.number(
      .codecQuality, "a quality from 0, the smallest, to 1, the best", in: .plain, where: { (0...1).contains($0) })
    let bitRate = try arguments.number(
      .bitRate, "a whole number of kilobits per second above 0", in: .bitRate,
      where: { $0 > 0 && $0 == $0.rounded() && $0 <= 262_144 })
    options.bitRate = bitRate.flatMap { Int(exactly: $0) }
    if arguments.has(.dither) {
      options.ditherSeed = try arguments.seed(.dither) ?? CommandOption.defaultDitherSeed
    }
    return options
  }

  /// - Throws: `.usage` for a quality or a bit rate that no file of the format has.
  static func check(
    _ options: SoundFileWriterOptions, _ format: SoundFileFormat, at path: String
  ) throws(BenchError) {
    try format.check(quality: options.quality, bitRate: options.bitRate, at: path)
  }

  /// - Throws: `.usage` for `-`, which names no file.
  static func checkPath(_ path: String, option: String) throws(BenchError) {
    guard path == "-" else { return OutputStream.expect(path) }
    throw BenchError(
      .usage, at: option, "standard output is written as /dev/stdout, with --container",
      advice: "name that, or a file (./- for one called -)")
  }
}
