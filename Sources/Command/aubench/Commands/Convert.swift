import AudioCore
import Batch
import BatchRender
import Reporting
import SampleRate
import SoundFile

extension CommandOption {
  static let channels = CommandOption(
    "channels", value: "N|LAYOUT",
    "the layout to convert to by ITU-R BS.775, as stereo, mono or 5.1, or the number of channels: to 1 and 2 by the same "
      + "where the input says what its channels are; else mono goes to all of them, all go to mono as their mean, and "
      + "otherwise channels go straight through and surplus ones are silent or dropped, which a warning names")
  static let layout = CommandOption(
    "layout", value: "LAYOUT",
    "what the channels of the input are, whatever it says: 5.1, 5.1(side), 7.1, quad, 2.1 ..., or a list, L,R,C,LFE")
  static let effects = CommandOption(
    "lfe", value: "GAIN",
    "with --channels: the gain of low frequency effects, as a factor or -6dB, where the output has no such channel "
      + "(default: 0)"
  )
  static let map = CommandOption(
    "map", letter: "m", value: "LIST",
    "the channel of the input, counted from 0, for each channel of the output; -1 is silence: 1,0 swaps left and right, "
      + "0,0,-1 makes three of the first")
  static let allowTruncated = CommandOption(
    "allow-truncated", "accept an input that is shorter than its header says, and use the part that is there")
}

extension Command {
  static let convert = Command(
    "convert", "convert sound files: rate, encoding, channels, container",
    description: """
      Reads a sound file and writes it as another, in constant memory. Without options for them, the following stay: the rate, the \
      channels, the tags and pictures, and the encoding if the new kind of file can hold it (else 24-bit integers, or the usual \
      one of the file). Without a change of rate or channels, integers and floats pass unchanged. The length is exactly \
      frames x new rate / old rate, rounded to the nearest frame. The output appears under its name when it is whole.

      With -o every argument is an input, and the name of each output is made of its input's.
      """,
    operands: [
      Operand("IN", "the sound file to read: any that libsndfile reads"),
      Operand(
        "OUT", isRequired: false, isRepeatable: true, completion: .newFile,
        "the file to write; its extension says what kind of file. With -o a further input"),
    ],
    options: [.outputName] + BatchCommand.options + BatchCommand.finishing + [
      .rate, .quality, .converter, .channels, .layout, .effects, .map,
    ]
      + OutputArguments.options + TagArguments.options + [
        .noMetadata, .allowTruncated, .nonFinite, .json, .quiet,
      ],
    examples: [
      Example("aubench convert take.wav take.flac", "the same samples in another kind of file"),
      Example(
        "aubench convert master.wav cd.wav --rate 44100 --quality mastering --encoding pcm16 --dither",
        "from any rate to that of a CD, with dither"),
      Example("aubench convert film.wav stereo.wav --channels stereo", "a mix for two loudspeakers, by ITU-R BS.775"),
      Example("aubench convert stereo.wav swapped.wav --map 1,0", "left and right swapped"),
      Example(
        "aubench convert 'in/**/*.wav' -o 'out/{folder}/{name}.flac'",
        "each file below in, in the same folders below out"),
      Example(
        "aubench convert take.wav take.flac --tag title='First take' --tag isrc=GBAYE0000351 --cover sleeve.jpg",
        "with tags and a front cover"),
    ],
    exitCodes: [4, 5, 6, ExitCode.severalFailures],
    notes: { [BatchCommand.help, TagArguments.help, qualities, containers] },
    plansMemory: false
  ) { (arguments) throws(BenchError) in
    try ConvertCommand(arguments: arguments).run()
  }

  /// The table of rate conversions, from the figures that stand beside the code.
  private static var qualities: HelpSection {
    HelpSection(
      title: "Qualities of rate conversion",
      text: "Passband: where the response is 3 dB down, as a part of the lower rate's Nyquist frequency. SNR: a sine "
        + "against all else in the output, the worst of several. Speed: against best. Between 44100 and 48000 Hz.",
      table: [["name", "what it is", "passband", "SNR", "speed"]]
        + RateConversionQuality.allCases.map { quality in
          [
            quality.rawValue, quality.title, "\(NumberText.fixed(quality.passband * 100, 1)) %",
            "\(Int(clamping: quality.signalToNoiseDecibels)) dB", "\(NumberText.short(quality.relativeSpeed)) x",
          ]
        })
  }

  /// The containers that the linked libsndfile can write.
  private static var containers: HelpSection {
    HelpSection(
      title: "Containers and their encodings",
      text:
        "Without --encoding, convert keeps that of the input where it can, and otherwise takes the first here, as render "
        + "does. Many other names are understood: 16, s24, "
        + "float, double, s16le and the like.",
      terms: SoundFileContainer.allCases.filter { !$0.encodings.isEmpty }.map { container in
        let usual = container.defaultEncoding
        let names = [usual] + container.encodings.filter { $0 != usual }
        let endings = container.fileExtensions.map { ".\($0)" }.joined(separator: " ")
        return (
          container.rawValue,
          "\(container.summary)\(endings.isEmpty ? "" : " (\(endings))"): "
            + names.map(\.rawValue).joined(separator: ", ")
        )
      })
  }
}

/// One run of `aubench convert`.
private struct ConvertCommand {
  let arguments: Arguments

  func run() throws(BenchError) {
    guard BatchCommand.isAsked(for: arguments) else { return try runOne() }
    let (inputs, name) = try inputsAndName()
    try arguments.refuseStandardInput(among: inputs)
    try OutputArguments.checkPath(name, option: "convert")
    try arguments.sharesStandardOutput(with: name)
    let batch = BatchCommand(arguments: arguments, verb: "converting")
    var job = BatchJob(output: try NameTemplate(name, at: "option --output"))
    job.conversion = try asked()
    try batch.takeOptions(&job)
    try job.addSource("", inputs)
    try batch.run(job)
  }

  /// `IN... -o NAME`, or `IN OUT`, whose braces are no places.
  private func inputsAndName() throws(BenchError) -> (inputs: [String], name: String) {
    if let name = arguments[.outputName] { return (arguments.operands, name) }
    let (input, output) = try inputAndOutput()
    return ([input], NameTemplate.escaped(output))
  }

  private func inputAndOutput() throws(BenchError) -> (input: String, output: String) {
    guard arguments.operands.count == 2 else {
      throw BenchError(
        .usage, at: "convert",
        arguments.operands.count < 2 ? "OUT is missing" : "\"\(arguments.operands[2])\" is one word too many",
        advice: "write aubench convert IN OUT, or with several files: aubench convert IN... -o 'out/{name}.wav'")
    }
    return (arguments.operands[0], arguments.operands[1])
  }

  private func runOne() throws(BenchError) {
    let (input, output) = try inputAndOutput()
    try arguments.refuseStandardInput(among: [input])
    try OutputArguments.checkPath(output, option: "convert")
    try arguments.sharesStandardOutput(with: output)
    let format = try SoundFileFormat(
      path: output, container: arguments[.container], encoding: arguments[.encoding])
    var options = try asked()
    let bar = ProgressBar("converting", arguments)
    options.progress = bar.update
    let report = try convert(input, to: output, as: format, options)
    bar.erase()
    report.warnings.forEach(ErrorOutput.warn)
    if let warning = options.layoutWarning(of: report.input) { ErrorOutput.warn(warning) }
    options.channelWarning(of: report.input, outputChannelCount: report.channelCount).forEach(ErrorOutput.warn)
    let dropped = options.droppedChannels(of: report.input, outputChannelCount: report.channelCount)
    let json = report.json(threads: options.threads)
    arguments.print(
      dropped.isEmpty ? json : json.adding(["droppedChannels": dropped]), orText: report.text(threads: options.threads))
  }

  /// The options for the conversion: their errors come before errors of files.
  private func asked() throws(BenchError) -> FileConversion.Options {
    var options = FileConversion.Options()
    options.sampleRate = try GraphArguments.sampleRate(.rate, arguments)
    options.quality = try GraphArguments.choice(.quality, arguments) ?? options.quality
    options.method = try GraphArguments.choice(.converter, arguments) ?? options.method
    (options.channelCount, options.layout) = try channels()
    options.inputLayout = try arguments.layout(.layout)
    if let gain = try arguments.number(
      .effects, "a gain from 0 to 10, as a factor or in decibels (-10dB)", in: .gain, where: { 0...10 ~= $0 })
    {
      options.effectsGain = gain
    }
    options.threads = try arguments.threads(.threads) ?? AvailableCores.count
    options.writer = try OutputArguments.writer(arguments)
    options.keepsMetadata = !arguments.has(.noMetadata)
    options.tags = try TagArguments.changes(arguments)
    options.allowsTruncated = arguments.has(.allowTruncated)
    options.nonFinite = try GraphArguments.choice(.nonFinite, arguments) ?? options.nonFinite
    if let map = try channelMap() {
      options.matrix = { (inputCount) throws(BenchError) in try Self.matrix(map, inputCount: inputCount) }
    }
    return options
  }

  /// A number of channels, or a layout.
  private func channels() throws(BenchError) -> (count: Int?, layout: ChannelLayout?) {
    guard let text = arguments[.channels] else { return (nil, nil) }
    if text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-".contains($0)) }) {
      return (try arguments.channelCount(.channels), nil)
    }
    return (nil, try arguments.layout(.channels))
  }

  private func convert(
    _ input: String, to output: String, as format: SoundFileFormat, _ options: FileConversion.Options
  ) throws(BenchError) -> FileConversion.Report {
    var format = format
    let info = try SoundFileReader(path: input, allowTruncated: options.allowsTruncated).info
    if arguments[.encoding] == nil { format = FileConversion.format(in: format.container, like: info) }
    try OutputArguments.check(options.writer, format, at: output)
    do throws(BenchError) { try AtomicFile.makeFolder(of: output) } catch { throw error.inside(output) }
    return try FileConversion.convert(input, to: output, as: format, options: options)
  }

  private func channelMap() throws(BenchError) -> [Int]? {
    guard let text = arguments[.map] else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let map = parts.compactMap { Int($0) }
    guard map.count == parts.count, map.allSatisfy({ $0 >= -1 }) else {
      throw Arguments.error(
        .map, "\"\(text)\" is not a list of channels", advice: "write them from 0 on, with commas: 0,1,-1")
    }
    guard map.count <= 1024 else { throw Arguments.error(.map, "a file has at most 1024 channels, not \(map.count)") }
    return map
  }

  private static func matrix(_ map: [Int], inputCount: Int) throws(BenchError) -> ChannelMatrix {
    if let matrix = ChannelMatrix(map: map, inputCount: inputCount) { return matrix }
    let channels = inputCount == 1 ? "one channel, 0" : "\(inputCount) channels, 0 to \(inputCount - 1)"
    throw Arguments.error(
      .map, "there is no channel \(map.max() ?? 0) in the input, which has \(channels)", advice: "count from 0")
  }
}
