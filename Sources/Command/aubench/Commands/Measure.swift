import AudioCore
import GraphMeasurement
import Measurement
import Reporting

extension CommandOption {
  static let what = CommandOption(
    "what", letter: "w", value: "LIST", completion: .words { MeasurementKind.allCases.map(\.rawValue) },
    "what to measure, with commas between: \(MeasurementKind.allCases.map(\.rawValue).joined(separator: ", ")), or all "
      + "of them but voice (default: linear; of voiceProcessingIO voice)")
  static let methods = CommandOption(
    "methods", value: "LIST", completion: .words { LinearSettings.Method.allCases.map(\.rawValue) },
    "stimuli of the linear measurement: impulse, sweep, noise, multitone; the first is reported, the others must agree "
      + "(default: impulse,sweep; for integer samples sweep,multitone)")
  static let level = CommandOption(
    "level", value: "DB", "the peak of the stimulus, dBFS (default -12, and what a measurement defines)")
  static let responseFrames = CommandOption(
    "response-frames", value: "N",
    "frames that the device is listened to after an impulse at most (default: 10 s, or the tail it reports)")
  static let farSpeech = file(
    "far",
    "with voice: a recording of 10 s or more that is played to the device, at the rate of the measurement; its first channel "
      + "counts (default: artificial talkers)")
  static let nearSpeech = file(
    "near", "with voice: a recording of who speaks at the microphone")
  static let figure = newFile(
    "plot",
    "draw what was measured: a .svg, .png or .pdf; - draws in the terminal. "
      + "Further figures and several measurements get names of their own: out-impulse.svg, out-distortion.svg")
  static let vary = CommandOption(
    "vary", value: "KEY=V1,V2,...",
    "measure once for each value, side by side: preset, quality or another key of the unit, one of its parameters, or, in "
      + "the words of a command, {KEY}; a unit in that, as in {cutoff_Hz}, stands in pictures, and angles ({azimuth_deg}) are "
      + "drawn around a circle too")
  static let against = file(
    "against", isRepeatable: true,
    "draw a curve over what was measured: a table of x and y with tabs between, as goldens are, or what --json printed")
}

extension Command {
  static let measure = Command(
    "measure", "measure what a unit, a graph or any command does",
    description: """
      Plays stimuli into a device under test and says what it does to them: a unit by its name, a graph file (the stimulus \
      goes into its filePlayer), or any command with a sound file in and out, written behind --, in which {in} and {out} \
      stand for WAV files. Each figure has an uncertainty or a floor: the truth lies within ± in about 95 of 100 cases, and < \
      marks a figure that is no larger than what noise and rounding could read as. A unit whose response has a closed form is \
      compared with that.
      """,
    operands: [
      Operand(
        "DEVICE", isRepeatable: true,
        "a graph file, the name of a unit, or the words of a command with {in} and {out}; with --what levels also a sound file"
      )
    ],
    options: [.what] + DeviceArguments.options + [.layout] + [
      .level, .methods, .responseFrames, .farSpeech, .nearSpeech, .vary, .figure, .data, .against, .json,
    ],
    examples: [
      Example("aubench measure lowPassFilter --set cutoffFrequency=800", "a unit"),
      Example("aubench measure iPodEQ --preset Rock --what linear", "a preset"),
      Example("aubench measure -- sox {in} {out} lowpass 1000", "what SoX does"),
      Example("aubench measure take.wav --what levels", "the levels and the loudness of a sound file"),
      Example(
        "aubench measure formatConverter --keys '{\"format\": {\"sampleRate\": 48000}}' --rate 44100 --what resampler "
          + "--vary quality=fast,medium,best", "qualities of the converter in one table"),
      Example("aubench measure iPodEQ --preset Rock --plot rock.svg", "a picture"),
      Example("aubench measure iPodEQ --preset Rock --plot -", "a chart in the terminal"),
      Example(
        "aubench measure voiceProcessingIO --rate 48000 --plot echo.svg", "how much echo the voice processor takes away"
      ),
    ],
    exitCodes: [3, 4, 5, 6, 9, ExitCode.componentCrash],
    notes: {
      [
        HelpSection(
          title: "Measurements", terms: MeasurementKind.allCases.map { ($0.rawValue, $0.summary) })
      ]
    }
  ) { (arguments) throws(BenchError) in
    try MeasureCommand(arguments: arguments).run()
  }
}

/// One run of `aubench measure`.
private struct MeasureCommand {
  let arguments: Arguments

  func run() throws(BenchError) {
    let kinds = try kinds()
    try checkOptions(of: kinds)
    let settings = try settings()
    let pictures = try pictures()
    if arguments.operands.count == 1, let reader = try DeviceArguments.soundFile(arguments.operands[0]) {
      guard kinds == [.levels] else {
        throw Arguments.error(.what, "of a sound file only levels are measured", advice: "add --what levels")
      }
      guard pictures == nil else {
        throw Arguments.error(
          .figure, "a sound file's levels have no curves", advice: "draw its sound by \"aubench plot\"")
      }
      let findings = try LevelMeasurement.findings(of: reader, layout: arguments.layout(.layout))
      let report = MeasurementReport(deviceName: arguments.operands[0], results: [(.levels, findings)])
      return arguments.print(report.json, orText: report.text)
    }
    guard arguments[.layout] == nil else {
      throw Arguments.error(
        .layout, "only a sound file's channels can be named", advice: "in a graph, say it in a node's \"format\"")
    }
    if let variation = arguments[.vary] { return try vary(variation, kinds, settings, pictures) }
    let device = try DeviceArguments.device(arguments)
    var results: MeasurementReport.Results = []
    for kind in kinds {
      do {
        results.append((kind, try kind.findings(of: device, settings, expecting: nil)))
      } catch {
        // Not every device can be measured in every way: with `--what all` the other measurements go on.
        guard arguments[.what] == "all", error.kind == .usage || error.kind == .render else { throw error }
        results.append((kind, Findings(remarks: ["not measured: \(error.message)"])))
      }
    }
    let rate = settings.sampleRate(for: device)
    let closedForm = try (device as? GraphDevice)?.closedForm(sampleRate: rate)
    if let closedForm, let index = kinds.firstIndex(of: .linear) {
      results[index].findings.compare(with: closedForm, sampleRate: rate)
    }
    var report = MeasurementReport(deviceName: device.name, results: results)
    if let pictures {
      let reference = closedForm.map { form in
        ReferenceCurve.magnitude("closed form", sampleRate: rate) { form.magnitudeDecibels(atHertz: $0) }
      }
      report.drawn = try pictures.draw(
        results, device: device, title: title(device), closedForm: reference, settings)
    }
    arguments.print(report.json, orText: report.text, chart: report.drawn?.text ?? "")
  }

  /// One measurement for each value, side by side.
  private func vary(
    _ variation: String, _ kinds: [MeasurementKind], _ settings: MeasurementSettings, _ pictures: MeasurementPictures?
  ) throws(BenchError) {
    let (key, values) = try Arguments.variation(variation, .vary)
    var columns: [(value: String, results: MeasurementReport.Results)] = []
    for value in values {
      let device = try DeviceArguments.device(arguments, varying: key, as: value)
      var results: MeasurementReport.Results = []
      for kind in kinds { results.append((kind, try kind.findings(of: device, settings, expecting: nil))) }
      columns.append((value, results))
    }
    let table = VariationTable(device: arguments.operands.joined(separator: " "), key: key, columns: columns)
    var drawn = MeasurementPictures.Drawn()
    if let pictures {
      let device = try DeviceArguments.device(arguments, varying: key, as: values[0])
      drawn = try pictures.draw(
        columns, key: key, unit: try DeviceArguments.unit(ofVaried: key, device), device: device,
        title: "\(title(device)), \(key)", settings)
    }
    arguments.print(table.json, orText: table.text + drawn.report, chart: drawn.text)
  }

  /// The device with its settings: `iPodEQ Rock`, `lowPassFilter cutoffFrequency=800`.
  private func title(_ device: any Device) -> String {
    ([device.name] + [arguments[.preset]].compactMap { $0 } + arguments.all(.unitSet)).joined(separator: " ")
  }

  private func pictures() throws(BenchError) -> MeasurementPictures? {
    guard let output = arguments[.figure] else {
      for option in [CommandOption.against, .data] where arguments.has(option) {
        throw Arguments.error(option, "goes with --plot")
      }
      return nil
    }
    if output == "-", arguments.has(.json) {
      throw Arguments.error(
        .figure, "a chart in the terminal does not go with --json", advice: "name a picture, or leave --json out")
    }
    if output == "-", arguments.has(.data) {
      throw Arguments.error(.data, "goes with a picture", advice: "name one by --plot, as --plot out.svg")
    }
    return try MeasurementPictures(
      output, withData: arguments.has(.data), against: arguments.all(.against), outputs: arguments.run.outputs,
      terminal: StandardOutput.descriptor)
  }

  private func kinds() throws(BenchError) -> [MeasurementKind] {
    let isVoiceUnit = arguments.operands == [VoiceUnitDevice.unitName]
    guard let list = arguments[.what] else { return isVoiceUnit ? [.voice] : [.linear] }
    if list == "all" { return isVoiceUnit ? [.voice] : MeasurementKind.general }
    var kinds: [MeasurementKind] = []
    for name in list.split(separator: ",") {
      let kind: MeasurementKind = try Arguments.choice(String(name), .what, "measurement")
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    guard !kinds.isEmpty else {
      throw Arguments.error(
        .what, "names no measurement", advice: "as \(MeasurementKind.general.map(\.rawValue).joined(separator: ","))")
    }
    if isVoiceUnit, kinds != [.voice] {
      throw Arguments.error(
        .what, "of \(VoiceUnitDevice.unitName) only voice is measured: its two channels are not alike",
        advice: "write --what voice")
    }
    return kinds
  }

  /// Options that none of the measurements looks at.
  private func checkOptions(of kinds: [MeasurementKind]) throws(BenchError) {
    if !kinds.contains(.voice), let option = [CommandOption.farSpeech, .nearSpeech].first(where: arguments.has) {
      throw Arguments.error(option, "is for the measurement of voice", advice: "add --what voice")
    }
    if kinds == [.voice], let option = [CommandOption.level, .methods, .responseFrames].first(where: arguments.has) {
      throw Arguments.error(option, "changes nothing in the measurement of voice", advice: "leave it out")
    }
  }

  /// The first channel of a recording, whose rate is that of the measurement.
  private func speech(_ option: CommandOption, _ settings: inout MeasurementSettings) throws(BenchError) -> [Double]? {
    guard let path = arguments[option] else { return nil }
    let signal = try AudioSignal(contentsOf: path)
    let rate = settings.sampleRate ?? signal.sampleRate
    guard rate == signal.sampleRate else {
      throw Arguments.error(
        option, "\(path) has \(NumberText.short(signal.sampleRate)) Hz, and \(NumberText.short(rate)) are measured at",
        advice: "aubench convert \(path) OUT --rate \(NumberText.short(rate))")
    }
    settings.sampleRate = rate
    return signal.channels.first
  }

  private func settings() throws(BenchError) -> MeasurementSettings {
    var settings = MeasurementSettings()
    settings.sampleRate = try DeviceArguments.rate(arguments)
    settings.channelCount = try arguments.channelCount(.deviceChannels)
    settings.levelDecibels = try arguments.number(.level, "a level of at most 0 dBFS", in: .level, where: { $0 <= 0 })
    settings.responseFrames = try arguments.integer(
      .responseFrames, "a number of frames from 1024 to 4194304", in: 1024...(1 << 22))
    settings.farSpeech = try speech(.farSpeech, &settings)
    settings.nearSpeech = try speech(.nearSpeech, &settings)
    if let list = arguments[.methods] {
      var methods: [LinearSettings.Method] = []
      for name in list.split(separator: ",") {
        methods.append(try Arguments.choice(String(name), .methods, "stimulus"))
      }
      guard !methods.isEmpty else {
        throw Arguments.error(
          .methods, "names no stimulus",
          advice: "as \(LinearSettings.Method.allCases.map(\.rawValue).joined(separator: ","))")
      }
      settings.methods = methods
    }
    return settings
  }
}
