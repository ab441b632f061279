import Reporting

/// `--help`: for a terminal of 80 columns.
enum HelpText {
  static var program: String {
    var text = """
      aubench: Apple's Audio Unit system on Linux: an offline renderer and DSP bench

      Usage: aubench COMMAND [OPTION]...

      Commands:

      """
    text += TextLayout.columns(Command.all.map { [$0.shortForm, $0.summary] }, indent: "  ")
    text += "\nOptions:\n" + options(Aubench.options)
    text += "\nNumbers:\n" + TextLayout.paragraph(quantities, indent: "  ")
    text += "\nExit codes:\n" + list(ExitCode.table.map { (String($0.code), $0.meaning) })
    text += "\nExamples:\n"
    for command in Command.all { text += "  \(command.examples[0].line)\n" }
    text += "\n\"aubench help COMMAND\" tells more about a command, \"man aubench\" all of it.\n"
    text += TextLayout.paragraph(files)
    return text
  }

  /// A reference to the help on keys of files.
  static let files =
    "\"aubench help FILE\" lists the keys of a file that you write: "
    + FileKeysText.Topic.allCases.map(\.rawValue).joined(separator: ", ") + "."

  /// The notation of numbers, for the help and the manual.
  static let quantities =
    "Numbers may have their unit: 48k, 3kHz and 2.8MHz are frequencies, -3dB a level, 90s, 250ms, 1.5min, 2h, 1:30 and "
    + "1:02:03.5 times. A factor of amplitude (a volume) may be given in decibels. Without a unit they are in the one that "
    + "the option names."

  static func of(_ command: Command) -> String {
    var text = "Usage: \(command.synopsis)\n\n"
    text += TextLayout.paragraph(command.description)
    text += "\nArguments:\n" + list(command.operands.map { ($0.name, $0.help) })
    text += "\nOptions:\n" + options(command.options)
    for section in command.notes() {
      text += "\n\(section.title):\n"
      if !section.text.isEmpty { text += TextLayout.paragraph(section.text, indent: "  ") }
      if !section.table.isEmpty { text += "\n" + TextLayout.columns(section.table, indent: "  ") }
      if !section.terms.isEmpty { text += "\n" + list(section.terms.map { ($0.term, $0.meaning) }) }
    }
    if command.takesQuantities { text += "\nNumbers:\n" + TextLayout.paragraph(quantities, indent: "  ") }
    text += "\nExamples:\n"
    for example in command.examples {
      text += "  \(example.line)\n" + TextLayout.paragraph(example.meaning, indent: "      ")
    }
    text += "\nExit codes:\n" + list(ExitCode.table(of: command).map { (String($0.code), $0.meaning) })
    return text
  }

  private static func options(_ options: [CommandOption]) -> String {
    list(options.map { ($0.letter == nil ? "    \($0.form)" : $0.form, $0.help) })
  }

  /// Terms in a column of their own; a long one has a line to itself.
  private static func list(_ rows: [(String, String)]) -> String {
    let column = min(22, (rows.map(\.0.count).max() ?? 0) + 2)
    let indent = String(repeating: " ", count: column + 2)
    return rows.map { term, meaning in
      let start = "  \(term)"
      guard term.count + 2 <= column else { return start + "\n" + TextLayout.paragraph(meaning, indent: indent) }
      let padding = String(repeating: " ", count: column - term.count)
      return TextLayout.paragraph(meaning, indent: indent, first: start + padding)
    }.joined()
  }
}

extension Command {
  /// True when it has options whose numbers have units.
  var takesQuantities: Bool {
    options.contains { option in
      guard case .required(let value) = option.value else { return false }
      return ["HZ", "DB", "S", "SECONDS", "LU", "PPM"].contains(value) || value.contains("PARAM")
    }
  }

  /// `convert IN [OUT...]`, as the list of commands shows it: what may be left out, of a long name is.
  fileprivate var shortForm: String {
    let shown = operands.filter { $0.isRequired || !name.contains(" ") }
    return ([name] + shown.map(\.form)).joined(separator: " ")
  }
}
