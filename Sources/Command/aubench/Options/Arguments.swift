import AudioCore

/// The words of a command line, after parsing.
struct Arguments {
  let command: String
  /// The outputs and the exit code of the command.
  let run = ProgramRun()
  var options: [(option: CommandOption, value: String?)] = []
  var operands: [String] = []

  func has(_ option: CommandOption) -> Bool { options.contains { $0.option.name == option.name } }

  /// The last value of an option; nil where it was not given, or without a value.
  subscript(option: CommandOption) -> String? { options.last { $0.option.name == option.name }?.value }

  /// All values of an option, in order.
  func all(_ option: CommandOption) -> [String] {
    options.compactMap { $0.option.name == option.name ? $0.value : nil }
  }

  /// A finite number, with its unit or without.
  func number(
    _ option: CommandOption, _ what: String, in kind: Quantity.Kind, where isValid: (Double) -> Bool = { _ in true }
  ) throws(BenchError) -> Double? {
    guard let text = self[option] else { return nil }
    var more = ""
    do {
      let number = try Quantity.value(text, kind)
      if isValid(number) { return number }
    } catch {
      if !error.text.isEmpty { more = ": \(error.text)" }
    }
    throw Self.error(option, "\"\(text)\" is not \(what)\(more)")
  }

  /// A whole number within a range.
  func integer<Number: FixedWidthInteger>(
    _ option: CommandOption, _ what: String, in range: ClosedRange<Number>
  ) throws(BenchError) -> Number? {
    guard let text = self[option] else { return nil }
    guard let number = Number(text), range.contains(number) else {
      let hasUnit = Double(text) == nil && Quantity.beginsAsNumber(text)
      throw Self.error(option, "\"\(text)\" is not \(what)\(hasUnit ? ": it is a whole number without a unit" : "")")
    }
    return number
  }

  /// `key=rest` of every use of a repeatable option.
  func pairs(_ option: CommandOption, _ form: String) throws(BenchError) -> [(key: String, value: String)] {
    var pairs: [(String, String)] = []
    for text in all(option) {
      guard let pair = Self.pair(text), !pair.key.isEmpty, !pair.value.isEmpty else {
        throw Self.error(option, "\"\(text)\" is not of the form \(form)")
      }
      pairs.append(pair)
    }
    return pairs
  }

  /// The parts before and behind the first equals sign; nil without one. Cut at bytes, as a name of a file may begin
  /// with an accent: see ``FileName``.
  static func pair(_ text: String) -> (key: String, value: String)? {
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    return (String(Substring(text.utf8[..<sign])), String(Substring(text.utf8[text.utf8.index(after: sign)...])))
  }

  /// The key and the values of `KEY=V1,V2,...`.
  static func variation(
    _ text: String, _ option: CommandOption
  ) throws(BenchError) -> (key: String, values: [String]) {
    guard let (key, list) = pair(text), !key.isEmpty else {
      throw error(option, "\"\(text)\" is not of the form KEY=V1,V2,...")
    }
    let values = list.split(separator: ",").map(String.init)
    guard !values.isEmpty, Set(values).count == values.count else {
      throw error(option, "a list of different values is expected behind \(key)=")
    }
    return (key, values)
  }

  /// The value of a type that a text names.
  /// - Parameter advice: nil: all of them.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ option: CommandOption, _ what: String, advice: String? = nil
  ) throws(BenchError) -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw error(option, "there is no \(what) \"\(text)\"", advice: advice ?? "choose from \(names)")
  }

  /// An error about an option.
  static func error(_ option: CommandOption, _ message: String, advice: String? = nil) -> BenchError {
    BenchError(.usage, at: "option --\(option.name)", message, advice: advice)
  }
}

// Arguments of several commands.
extension Arguments {
  func channelCount(_ option: CommandOption) throws(BenchError) -> Int? {
    try integer(option, "a number of channels from 1 to 1024", in: 1...1024)
  }

  /// The layout of channels that an option names.
  func layout(_ option: CommandOption) throws(BenchError) -> ChannelLayout? {
    guard let text = self[option] else { return nil }
    do throws(BenchError) { return try ChannelLayout(name: text) } catch {
      throw Self.error(option, error.message, advice: error.advice)
    }
  }

  func threads(_ option: CommandOption) throws(BenchError) -> Int? {
    try integer(option, "a number of threads from 1 to 256", in: 1...256)
  }

  func sliceFrames() throws(BenchError) -> Int? {
    try integer(.slice, "a number of frames from 1 on", in: 1...(1 << 20))
  }

  func seed(_ option: CommandOption) throws(BenchError) -> UInt64? {
    try integer(option, "a seed: a whole number from 0 on", in: 0...UInt64.max)
  }

  /// Keeps the report off standard output where a sound goes there.
  /// - Throws: `.usage` for `--json`, which would be in it.
  func sharesStandardOutput(with path: String) throws(BenchError) {
    guard OutputStream.isStandardOutput(path) else { return }
    guard !has(.json) else {
      throw Arguments.error(
        .json, "the report would be in the sound, on standard output", advice: "name a file for one")
    }
    run.isQuiet = true
  }

  /// A sound file is read back and forth, which a stream cannot be.
  func refuseStandardInput(among files: [String]) throws(BenchError) {
    guard files.contains("-") else { return }
    throw BenchError(
      .usage, at: command, "a sound file cannot be read from standard input: reading goes back and forth",
      advice: "name a file (./- for one called -)")
  }
}

/// The outputs of one run of the program, and the exit code once they are written.
final class ProgramRun {
  /// They get their names when standard output has been written.
  let outputs = OutputFiles()
  var exitCode: Int32 = 0
  /// True when no text goes to standard output.
  var isQuiet = false
}
