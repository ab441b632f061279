import AudioCore
import Reporting
import Verification

extension CommandOption {
  /// A limit of a comparator, by its own table.
  init(_ limit: ComparisonLimit) {
    var value = Value.required(limit.placeholder)
    if case .flag = limit.form { value = .none }
    var parts = [(limit.group.map { "with --\($0): " } ?? "") + limit.meaning]
    if case .bound = limit.form { parts[0] += ", or \"any\"" }
    if let initial = limit.initial { parts.append("the default is \(NumberText.short(initial))") }
    if let remark = limit.optionRemark { parts.append(remark) }
    self.init(
      limit.name, value: value, formerNames: [limit.formerOption].compactMap(\.self), parts.joined(separator: "; "))
  }

  /// The option of a limit.
  static func limit(_ name: String) -> CommandOption {
    guard let limit = limits.first(where: { $0.name == name }) else {
      preconditionFailure("there is no limit \(name)")
    }
    return CommandOption(limit)
  }

  fileprivate static let limits = ComparatorKind.all.flatMap(\.limits).filter { !$0.isInSuitesOnly }

  static let difference = newFile(
    "difference", letter: "d", value: "OUT", "write A - B as float32, to listen to; the file is whole or absent")
}

extension Command {
  static let compare = Command(
    "compare", "compare sound files: equal, or how far apart, and where",
    description: """
      Compares A, which is judged, with B, which is expected. Different length, rate or number of channels always \
      fails, and so does a NaN or an infinity in either. Without limits the two must be bit for bit the same; with \
      limits each of them must hold, and equality only with --exact. Limits hold in the worst window and on the worst \
      channel: a click does not drown in the mean of a long file. Figures without a limit are shown too. \
      The exit code is 0 if the two are the same, 7 if they are not. Runs in constant memory; --align, --bands, \
      --spectrum and --loudness load both files, of up to 67 million samples each (12 minutes of stereo at 48 kHz).
      """,
    operands: [
      Operand("A", "the sound file that is judged"),
      Operand("B", "the sound file to compare it with"),
    ],
    options: CommandOption.limits.map(CommandOption.init) + [.difference, .noClobber, .json, .quiet],
    examples: [
      Example("aubench compare take.wav golden.flac", "the same samples, or the first difference"),
      Example("aubench compare a.wav b.wav --peak -90 --rms -100", "the same within limits, everywhere"),
      Example(
        "aubench compare a.wav b.wav --align --delay any --relative -80",
        "how much later A is, and whether all else is the same"),
      Example("aubench compare coded.ogg master.wav --bands 3", "the same to the ear, roughly"),
      Example("aubench compare a.wav b.wav --difference d.wav", "their difference, to listen to"),
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
    try arguments.refuseStandardInput(among: arguments.operands)
    var options = FileComparison.Options()
    let limits = try limits()
    options.window = limits["window"] ?? options.window
    options.comparators = ComparatorKind.comparators(limits)
    options.differencePath = arguments[.difference]
    if let path = options.differencePath { try OutputArguments.checkPath(path, option: "difference") }
    options.outputs = arguments.run.outputs
    options.replacesDifference = !arguments.has(.noClobber)
    let bar = ProgressBar("comparing", arguments)
    options.progress = bar.update
    let report = try FileComparison.compare(arguments.operands[0], with: arguments.operands[1], options: options)
    bar.erase()
    (report.actual.warnings + report.expected.warnings).forEach(ErrorOutput.warn)
    arguments.print(report.json, orText: report.text)
    if !report.isSame { arguments.run.exitCode = ExitCode.checkFailed }
  }

  /// The limits from the options; equality without any.
  private func limits() throws(BenchError) -> ComparisonLimits {
    var limits = ComparisonLimits(isFlat: true)
    for limit in CommandOption.limits {
      let option = CommandOption(limit)
      guard arguments.has(option) else { continue }
      if let group = limit.group, !limits.has(group) {
        throw Arguments.error(option, "needs --\(group)", advice: "add --\(group)")
      }
      limits[limit.name] = try value(limit.form, option)
    }
    return limits
  }

  private func value(_ form: ComparisonLimit.Form, _ option: CommandOption) throws(BenchError) -> Double? {
    switch form {
    case .flag: return 1
    case .count(let expected, let most):
      return try arguments.integer(option, expected, in: 0...Int64(clamping: most) - 1).map(Double.init)
    case .number(let kind, let expected, let range):
      return try arguments.number(option, expected, in: kind, where: range.contains)
    case .bound(let kind, let expected, let most):
      if arguments[option] == "any" { return .infinity }
      let below = most.map { " and below \(NumberText.short($0))" } ?? ""
      return try arguments.number(option, "\(expected) from 0 on\(below), or \"any\"", in: kind) {
        $0 >= 0 && $0 < most ?? .infinity
      }
    }
  }
}
