import AudioCore
import SoundFile
import Verification

extension CommandOption {
  static let exact = CommandOption("exact", "bit for bit the same; this decides where no other limit is given")
  static let ulps = CommandOption(
    "ulps", value: .required("N"), "no sample further off than N units in the last place of float32")
  static let peak = CommandOption(
    "peak", value: .required("DB"), "no sample of A - B above this level, in dBFS: --peak -90")
  static let rms = CommandOption(
    "rms", value: .required("DB"), "the RMS of A - B at most this, in dBFS, in every window on every channel")
  static let relative = CommandOption(
    "relative", value: .required("DB"),
    "the RMS of A - B at most this against the RMS of B in the same window; below -60 dBFS B counts as -60 dBFS")
  static let window = CommandOption(
    "window", value: .required("SECONDS"), "the length of a window; the default is 0.01. They overlap by half")
  static let align = CommandOption(
    "align",
    "find gain, polarity and delay between A and B, to fractions of a frame, hold them to their limits, and hold --peak, "
      + "--rms and --relative to what is left without them (default: --relative -60)")
  static let delayLimit = CommandOption(
    "delay", value: .required("FRAMES"),
    "with --align: the largest delay that passes, either way, or \"any\"; the default is 0.001")
  static let gainLimit = CommandOption(
    "gain", value: .required("DB"),
    "with --align: the largest gain that passes, either way, or \"any\"; the default is 0.001")
  static let driftLimit = CommandOption(
    "drift", value: .required("PPM"),
    "with --align: look for clock drift too, and the largest that passes, in parts per million, or \"any\"")
  static let inverted = CommandOption("inverted", "with --align: inverted polarity passes")
  static let bands = CommandOption(
    "bands", value: .required("DB"),
    "third-octave levels at most this far apart in the worst window: for what sounds the same and is not, as after an "
      + "encoder")
  static let spectra = CommandOption(
    "spectra", value: .required("DB"),
    "log-spectral distance at most this in the worst window of 256 to 16384 frames")
  static let loudnessLimit = CommandOption(
    "loudness", value: .required("LU"), "integrated loudness (EBU R 128) at most this far apart")
  static let difference = CommandOption(
    "difference", letter: "d", value: .required("OUT"), completion: .newFile,
    "write A - B as float32, to listen to; the file is whole or absent")
}

extension Command {
  static let compare = Command(
    "compare", "compare two sound files: equal, or how far apart, and where",
    description: """
      Compares A, which is judged, with B, which is expected. Different length, rate or number of channels always \
      fails, and so does a NaN or an infinity in either. Without limits the two must be bit for bit the same; with \
      limits each of them must hold, and equality only with --exact. Limits hold in the worst window and on the worst \
      channel: a click does not drown in the mean of a long file. Figures that decide nothing are shown all the same. \
      Answers 0 where the two are the same, 7 where they are not. Runs in constant memory; --align, --bands, \
      --spectra and --loudness load both files, of up to 67 million samples each (12 minutes of stereo at 48 kHz).
      """,
    operands: [
      Operand("A", "the sound file that is judged"),
      Operand("B", "the sound file that it is held to"),
    ],
    options: [
      .exact, .ulps, .peak, .rms, .relative, .window, .align, .delayLimit, .gainLimit, .driftLimit, .inverted, .bands,
      .spectra, .loudnessLimit, .difference, .noClobber, .json, .quiet,
    ],
    examples: [
      Example("aubench compare take.wav golden.flac", "whether they hold the same samples, else where they part"),
      Example("aubench compare a.wav b.wav --peak -90 --rms -100", "the same but for what nobody hears, everywhere"),
      Example(
        "aubench compare a.wav b.wav --align --delay any --relative -80",
        "how much later A is, and whether all else is the same"),
      Example("aubench compare coded.ogg master.wav --bands 3", "the same to the ear, roughly"),
      Example("aubench compare a.wav b.wav --difference d.wav", "what is between them, to listen to"),
    ],
    exitCodes: [4, 5, 7]
  ) { (arguments) throws(BenchError) in
    try CompareCommand(arguments: arguments).run()
  }
}

/// One run of `aubench compare`.
private struct CompareCommand {
  let arguments: Arguments

  func run() throws(BenchError) {
    for operand in arguments.operands where operand == "-" {
      throw BenchError(
        .usage, at: "compare", "a sound file cannot be read from standard input: reading goes back and forth",
        advice: "name a file (./- for one called -)")
    }
    var options = FileComparison.Options()
    let window = try arguments.number(.window, "a time from 0.0001 to 60 seconds", in: .time) {
      (0.0001...60).contains($0)
    }
    options.window = window ?? options.window
    options.comparators = try comparators(window: options.window)
    options.differencePath = arguments[.difference]
    if let path = options.differencePath { try OutputArguments.checkPath(path, option: "difference") }
    options.outputs = arguments.run.outputs
    options.replacesDifference = !arguments.has(.noClobber)
    let bar = ProgressBar(verb: "comparing", isWanted: !arguments.has(.quiet) && !arguments.has(.json))
    options.progress = bar.update
    let report: FileComparison.Report
    do throws(BenchError) {
      report = try FileComparison.compare(arguments.operands[0], with: arguments.operands[1], options: options)
    } catch {
      bar.erase()
      throw error
    }
    bar.erase()
    if arguments.has(.json) {
      StandardOutput.print(json: ComparisonSummary(report))
    } else if !arguments.has(.quiet) {
      StandardOutput.print(report.text)
    }
    if !report.isSame { arguments.run.exitCode = ExitCode.checkFailed }
  }

  /// What was asked for; equality where nothing was.
  private func comparators(window: Double) throws(BenchError) -> [any SignalComparator] {
    var comparators: [any SignalComparator] = []
    if arguments.has(.exact) { comparators.append(ExactComparator()) }
    if let limit = try arguments.integer(.ulps, "a whole number of units, 0 or more", in: 0...Int64.max) {
      comparators.append(UlpComparator(limit: limit))
    }
    let peak = try arguments.number(.peak, "a level in dBFS", in: .level)
    let rms = try arguments.number(.rms, "a level in dBFS", in: .level)
    let relative = try arguments.number(.relative, "a level in dB", in: .level)
    if arguments.has(.align) {
      var null = AlignedNullComparator(nullLimit: relative, rmsLimit: rms, peakLimit: peak, window: window)
      if relative == nil && rms == nil && peak == nil { null.nullLimit = -60 }
      if let limit = try bound(.delayLimit, "a number of frames", .plain) { null.delayLimit = limit }
      if let limit = try bound(.gainLimit, "a gain in dB", .level) { null.gainLimit = limit }
      null.driftLimit = try bound(.driftLimit, "a drift in parts per million", .drift)
      null.allowsInversion = arguments.has(.inverted)
      comparators.append(null)
    } else {
      for option in [CommandOption.delayLimit, .gainLimit, .driftLimit, .inverted] where arguments.has(option) {
        throw Arguments.error(option, "needs --align", advice: "add --align")
      }
      if peak != nil || rms != nil || relative != nil {
        comparators.append(
          ResidualComparator(peakLimit: peak, rmsLimit: rms, relativeLimit: relative, window: window))
      }
    }
    if let limit = try arguments.number(.bands, "a distance in dB, above 0", in: .level, where: { $0 > 0 }) {
      comparators.append(BandComparator(limit: limit))
    }
    if let limit = try arguments.number(.spectra, "a distance in dB, above 0", in: .level, where: { $0 > 0 }) {
      comparators.append(MultiResolutionComparator(limit: limit))
    }
    if let limit = try arguments.number(
      .loudnessLimit, "a difference in LU from 0 on", in: .loudness, where: { $0 >= 0 })
    {
      comparators.append(LoudnessComparator(limit: limit))
    }
    return comparators
  }

  /// A limit from 0 on; "any" is no limit.
  private func bound(
    _ option: CommandOption, _ what: String, _ kind: Quantity.Kind
  ) throws(BenchError) -> Double? {
    if arguments[option] == "any" { return .infinity }
    return try arguments.number(option, "\(what) from 0 on, or \"any\"", in: kind) { $0 >= 0 }
  }
}
