import AudioCore
import Batch
import BatchRender
import RenderGraph
import Reporting
import SoundFile

extension CommandOption {
  static let output = newFile(
    "output", letter: "o", value: "OUT", "the file to write; its extension says what kind of file")
  static let seconds = CommandOption(
    "seconds", value: "S", "render so many seconds, rounded to the nearest frame of the output")
  static let frames = CommandOption("frames", value: "N", "render so many frames of the output")
  static let untilSilent = CommandOption(
    "until-silent", value: .optional("DB"),
    "after the longest source, render until the output has stayed below DB dBFS (default -90) for a second; the file "
      + "ends with the last frame that was not below it")
  static let cap = CommandOption(
    "cap", value: "S",
    "with --until-silent: at most so many seconds in all (default: a minute past the sources)")
  static let noTail = CommandOption(
    "no-tail", "end with the longest source, without what rings on after it")
  static let slice = CommandOption(
    "slice", value: "N",
    "frames per render call, up to the graph's maximumFramesPerSlice, which is the default. The sound is the same with any"
  )
  static let tap = CommandOption(
    "tap", value: "NODE=FILE", completion: .newFile, isRepeatable: true,
    "write the output of a node to a file of its own, in the same pass. It has the encoding of --encoding where its kind "
      + "of file holds that, else the usual one")
  static let trimLatency = CommandOption(
    "trim-latency",
    "drop the latency that the units report from the beginning; without --frames or --seconds the output is so much shorter"
  )
}

extension Command {
  static let render = Command(
    "render", "render a graph of audio units into a sound file",
    description: """
      Reads a graph file (JSON), pulls the graph faster than realtime and writes what comes out to a file. Without a \
      length the render ends when the longest source has ended, its latency has passed, and what it set ringing has \
      decayed by 120 dB. The output appears under its name when it is whole; on any error, and on Ctrl-C, nothing is \
      left of it. The result is the same, bit for bit, from run to run, with any number of threads and any slice. Title, \
      artist, the other tags and pictures are kept that all files have in common which the graph plays into the output: \
      with one file, all of its own.
      """,
    operands: [Operand("GRAPH", "the graph file, version 1: see docs/graph-file.schema.json")],
    options: [.output] + BatchCommand.options + BatchCommand.finishing + [
      .seconds, .frames, .untilSilent, .cap, .noTail, .slice, .trimLatency,
    ]
      + GraphArguments.options
      + [.tap] + OutputArguments.options + TagArguments.options + [.noMetadata, .nonFinite, .json, .quiet],
    examples: [
      Example("aubench render song.json -o song.wav", "the whole song, tail included, as 24-bit WAV"),
      Example(
        "aubench render song.json -o song.flac --seconds 30 --rate 48000 --encoding pcm16 --dither",
        "half a minute, at 48 kHz, in 16 bits with dither"),
      Example(
        "aubench render song.json -o loud.wav --set mix.volume@output:0=1.5 --encoding float32",
        "another volume, and floats that cannot clip"),
      Example(
        "aubench render chain.json -o out.wav --input voice=take2.wav --tap eq=eq.wav",
        "another recording through the same chain, and a second file of what the node eq puts out"),
      Example(
        "aubench render chain.json --input voice='in/**/*.wav' -o 'out/{folder}/{name}.flac'",
        "each file below in through the chain, into the same folders below out"),
    ],
    exitCodes: [3, 4, 5, 6, 9, ExitCode.severalFailures, ExitCode.componentCrash],
    notes: {
      [
        BatchCommand.help, TagArguments.help,
        HelpSection(
          title: "Clipping",
          text:
            "Samples beyond the range of an integer encoding are cut off there, counted, and reported on standard error, also with --quiet. Floats (--encoding float32) keep them."
        ),
      ]
    }
  ) { (arguments) throws(BenchError) in
    try RenderCommand(arguments: arguments).run()
  }
}

/// One run of `aubench render`.
private struct RenderCommand {
  let arguments: Arguments

  func run() throws(BenchError) {
    guard let path = arguments[.output] else {
      throw BenchError(.usage, at: "render", "no output file is named", advice: "add -o OUT, as -o out.wav")
    }
    try OutputArguments.checkPath(path, option: "option --output")
    try arguments.sharesStandardOutput(with: path)
    guard BatchCommand.isAsked(for: arguments) else {
      return try runOne(
        path, try SoundFileFormat(path: path, container: arguments[.container], encoding: arguments[.encoding]))
    }
    guard !arguments.has(.tap) else {
      throw Arguments.error(.tap, "is for one output", advice: "render one file after the other")
    }
    let batch = BatchCommand(arguments: arguments, verb: "rendering")
    let isTemplate = arguments.all(.input).isEmpty == false || path.contains("{")
    var job = BatchJob(
      output: try NameTemplate(isTemplate ? path : NameTemplate.escaped(path), at: "option --output"))
    job.render = try asked(beside: path)
    job.conversion.writer = job.render.writer
    try GraphArguments.apply(arguments, to: &job)
    try batch.takeOptions(&job)
    for (node, text) in try arguments.pairs(.input, "NODE=FILE") { try job.addSource(node, [text]) }
    try batch.run(job)
  }

  private func runOne(_ path: String, _ format: SoundFileFormat) throws(BenchError) {
    var options = try asked(beside: path)
    try OutputArguments.check(options.writer, format, at: path)
    let graph = try GraphArguments.load(arguments)
    try check(options.taps, in: graph)
    let bar = ProgressBar("rendering", arguments)
    options.progress = bar.update
    let report = try render(graph, to: path, as: format, options)
    bar.erase()
    report.warnings.forEach(ErrorOutput.warn)
    let taps = options.taps.map(\.node)
    arguments.print(
      report.json(taps: taps, threads: options.threads), orText: report.text(taps: taps, threads: options.threads))
  }

  private func asked(beside path: String) throws(BenchError) -> OfflineRenderer.Options {
    var options = OfflineRenderer.Options()
    options.length = try length()
    if let slice = try arguments.sliceFrames() { options.sliceFrames = slice }
    options.threads = try arguments.threads(.threads) ?? AvailableCores.count
    options.trimsLatency = arguments.has(.trimLatency)
    options.writer = try OutputArguments.writer(arguments)
    options.keepsMetadata = !arguments.has(.noMetadata)
    options.tags = try TagArguments.changes(arguments)
    options.taps = try taps(beside: path)
    return options
  }

  private func render(
    _ graph: Graph, to path: String, as format: SoundFileFormat, _ options: OfflineRenderer.Options
  ) throws(BenchError) -> RenderReport {
    do {
      return try OfflineRenderer(graph).render(to: path, as: format, options: options)
    } catch {
      throw error.kind == .graph ? error.inside(arguments.operands[0]) : error
    }
  }

  private func length() throws(BenchError) -> RenderLength {
    let ways = [CommandOption.seconds, .frames, .untilSilent, .noTail].filter { arguments.has($0) }
    guard ways.count <= 1 else {
      let names = ways.map { "--\($0.name)" }.joined(separator: " and ")
      throw BenchError(.usage, at: "render", "\(names) each give a length", advice: "leave one of them out")
    }
    if arguments.has(.cap), !arguments.has(.untilSilent) {
      throw Arguments.error(.cap, "goes with --until-silent", advice: "or give the length by --seconds")
    }
    if let seconds = try arguments.number(.seconds, "a number of seconds from 0 on", in: .time, where: { $0 >= 0 }) {
      return .seconds(seconds)
    }
    if let frames = try arguments.integer(.frames, "a whole number of frames from 0 on", in: 0...Int64.max) {
      return .frames(frames)
    }
    if arguments.has(.untilSilent) {
      let threshold = try arguments.number(.untilSilent, "a level below 0 dBFS, as -60", in: .level, where: { $0 < 0 })
      let cap = try arguments.number(.cap, "a number of seconds above 0", in: .time, where: { $0 > 0 })
      return .untilSilent(thresholdDecibels: threshold ?? -90, capSeconds: cap)
    }
    return arguments.has(.noTail) ? .sources(tail: false) : .standard
  }

  private func check(_ taps: [OfflineRenderer.Tap], in graph: Graph) throws(BenchError) {
    for tap in taps where graph.node(named: tap.node) == nil {
      let near = nearest(to: tap.node, in: graph.nodes.map(\.name))
      throw Arguments.error(
        .tap, "the graph has no node \"\(tap.node)\"",
        advice: near.isEmpty ? "\"aubench describe\" lists them" : "did you mean \"\(near[0])\"?")
    }
  }

  private func taps(beside output: String) throws(BenchError) -> [OfflineRenderer.Tap] {
    var taps: [OfflineRenderer.Tap] = []
    for (node, path) in try arguments.pairs(.tap, "NODE=FILE") {
      try OutputArguments.checkPath(path, option: "option --tap")
      try arguments.sharesStandardOutput(with: path)
      guard !ByteText.isSame(path, output), !taps.contains(where: { ByteText.isSame($0.path, path) }) else {
        throw Arguments.error(.tap, "\(path) is to be written twice", advice: "give every file a name of its own")
      }
      var format = try SoundFileFormat(path: path)
      if let name = arguments[.encoding], let wanted = try? SoundFileFormat(path: path, encoding: name) {
        format = wanted
      }
      taps.append(OfflineRenderer.Tap(node: node, path: path, format: format))
    }
    return taps
  }
}
