import AudioCore
import Plotting
import Reporting

extension CommandOption {
  static let picture = newFile(
    "output", letter: "o", value: "OUT",
    "the picture to write: .svg, .png or .pdf. Without it, or with -, the picture is drawn in the terminal")
  static let kind = CommandOption(
    "kind", letter: "k", value: "KIND", completion: .words { FileFigures.Kind.allCases.map(\.rawValue) },
    "what to draw: spectrum (the default), spectrogram or waveform")
  static let channel = CommandOption(
    "channel", value: "N", "only this channel, counted from 0; the default is all of them")
  static let segment = CommandOption(
    "segment", value: "FRAMES",
    "frames of a transform, 16 to 1048576: more resolve more; the default is 8192 to 65536 for a spectrum, by the file's "
      + "length, and 2048 for a spectrogram, which takes four times as many for low frequencies")
  static let smoothing = CommandOption(
    "smoothing", value: "N",
    "draw a spectrum as means over an N-th of an octave, faint as it is; 0: only as it is (default: 24, 0 with --linear)"
  )
  static let from = CommandOption("from", value: "S", "begin at this time, in seconds")
  static let duration = CommandOption("duration", value: "S", "draw no more than this, in seconds")
  static let low = CommandOption("low", value: "HZ", "the lowest frequency shown (default: 20)")
  static let high = CommandOption(
    "high", value: "HZ", "the highest frequency shown (default: half the rate)")
  static let linear = CommandOption("linear", "a linear frequency axis, from 0 on, in place of a logarithmic one")
  static let floor = CommandOption("floor", value: "DB", "the lowest level shown, in dBFS")
  static let pictureTitle = CommandOption("title", value: "TEXT", "the title of the picture")
}

extension Command {
  static let plot = Command(
    "plot", "draw the spectrum, spectrogram or waveform of sound files",
    description: """
      Reads sound files in constant memory and draws them as a picture, or as text in the terminal. A spectrum is Welch's \
      mean of Hann windows that overlap by half; a sine that reaches full scale reads 0 dBFS in it, and several files lie \
      over each other. A spectrogram and a waveform show each channel of one file. A .png and a .pdf are made by librsvg \
      (package librsvg2-bin). The picture appears under its name when it is whole.
      """,
    operands: [Operand("FILE", isRepeatable: true, "a sound file: any that libsndfile reads")],
    options: [
      .picture, .data, .kind, .channel, .segment, .smoothing, .from, .duration, .low, .high, .linear, .floor,
      .pictureTitle, .quiet,
    ],
    examples: [
      Example("aubench plot take.wav", "the spectrum, in the terminal"),
      Example("aubench plot before.wav after.wav -o compare.svg", "two spectra over each other"),
      Example(
        "aubench plot sweep.flac --kind spectrogram --floor=-120 -o sweep.png", "a spectrogram down to -120 dBFS"),
      Example("aubench plot take.wav --kind waveform --from 1.5 --duration 0.01", "ten milliseconds of the waveform"),
    ],
    exitCodes: [4, 5]
  ) { (arguments) throws(BenchError) in
    try PlotCommand(arguments).run()
  }
}

/// One run of `aubench plot`.
private struct PlotCommand {
  let arguments: Arguments
  let kind: FileFigures.Kind
  /// Nil: the terminal.
  let output: String?

  init(_ arguments: Arguments) throws(BenchError) {
    self.arguments = arguments
    if let text = arguments[.kind] { kind = try Arguments.choice(text, .kind, "kind") } else { kind = .spectrum }
    output = arguments[.picture].flatMap { $0 == "-" ? nil : $0 }
  }

  func run() throws(BenchError) {
    let files = arguments.operands
    if kind != .spectrum, files.count > 1 {
      throw BenchError(
        .usage, at: "plot", "a \(kind.rawValue) shows one file, not \(files.count)",
        advice: "draw each by itself, or all as --kind spectrum")
    }
    var settings = FileFigures.Settings()
    settings.channel = try arguments.integer(.channel, "the number of a channel, from 0 on", in: 0...1023)
    settings.segmentFrames = try arguments.integer(
      .segment, "a number of frames from 16 to 1048576", in: 16...1_048_576)
    settings.smoothing = try arguments.integer(.smoothing, "parts of an octave from 0 to 96", in: 0...96)
    settings.fromSeconds = try arguments.number(.from, "a time in seconds from 0 on", in: .time) { $0 >= 0 } ?? 0
    settings.durationSeconds = try arguments.number(.duration, "a time in seconds above 0", in: .time) { $0 > 0 }
    settings.isLinear = arguments.has(.linear)
    settings.lowHertz = try arguments.number(
      .low, "a frequency in hertz, above 0 unless the axis is linear", in: .frequency
    ) {
      $0 > 0 || ($0 == 0 && settings.isLinear)
    }
    settings.highHertz = try arguments.number(.high, "a frequency in hertz above 0", in: .frequency) { $0 > 0 }
    settings.floorDecibels = try arguments.number(.floor, "a level in dBFS: a finite number", in: .level)
    if let low = settings.lowHertz, let high = settings.highHertz, low >= high {
      throw Arguments.error(.low, "\(NumberText.short(low)) Hz is not below --high, \(NumberText.short(high)) Hz")
    }
    try arguments.refuseStandardInput(among: files)
    if let picture = files.first(where: OptionSynonyms.isPicture) {
      throw BenchError(
        .usage, at: "plot", "\"\(picture)\" is a picture, and sound files are drawn",
        advice: output == nil ? "write -o \(picture) to write a picture of this name" : nil)
    }
    let withData = arguments.has(.data)
    if withData, output == nil {
      throw Arguments.error(.data, "goes with a picture", advice: "name one by -o, as -o out.svg")
    }
    // Errors of the output come before long work.
    if let output { try Figure.check(path: output, withData: withData, in: arguments.run.outputs) }

    let bar = ProgressBar("reading", arguments)
    var figure = try FileFigures(settings, progress: bar.update, warn: ErrorOutput.warn).figure(kind, of: files)
    bar.erase()
    if let title = arguments[.pictureTitle] { figure.title = title }
    if let output {
      try figure.write(to: output, withData: withData, in: arguments.run.outputs)
    } else {
      StandardOutput.print(colored: TerminalChart.fitting().text(figure))
    }
  }
}
