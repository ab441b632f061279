import Reporting

/// The manual page, from the same tables as `--help`: `docs/aubench.1`.
enum RoffManual {
  static var text: String {
    var page = ".\\\" Made by \"aubench --print-manual\"; edit the tables in Sources/aubench instead.\n"
    page += ".TH AUBENCH 1 \"\" \"aubench \(Aubench.version)\" \"User Commands\"\n"
    page += ".SH NAME\naubench \\- \(escaped(Self.summary))\n"
    page += ".SH SYNOPSIS\n"
    for command in Command.all {
      page +=
        ".B aubench \(command.name)\n\(escaped(String(command.synopsis.dropFirst("aubench \(command.name) ".count))))\n.br\n"
    }
    page += ".B aubench help\n[COMMAND]\n.SH DESCRIPTION\n"
    page += paragraph(
      "aubench is Apple's Audio Unit system on Linux: a Generic Output unit pulls a graph of audio units faster than "
        + "realtime into a sound file. The result depends on the graph alone: it is the same, bit for bit, from run to "
        + "run, with any number of threads and any slice.")
    page += paragraph("Long options may be shortened as long as they stay unambiguous; -- ends the options.")
    page += paragraph(HelpText.quantities)
    page += ".SH COMMANDS\n"
    for command in Command.all { page += section(command) }
    page += ".SH OPTIONS\n" + Aubench.options.map(entry).joined()
    page += ".SH EXIT STATUS\n" + ExitCode.table.map { item(String($0.code), $0.meaning) }.joined()
    page += ".SH FILES\n"
    page += paragraph(
      "A graph file is JSON, version 1; docs/graph-file.schema.json is its schema. File names in it are relative to its "
        + "own folder. An output is written without a name beside its place and appears when it is whole.")
    page += ".SH EXAMPLES\n"
    for example in Command.all.flatMap(\.examples) {
      page += ".PP\n\(escaped(example.meaning)):\n.PP\n.nf\n.RS\n\(escaped(example.line))\n.RE\n.fi\n"
    }
    return page
  }

  /// Every command in one line, as the NAME section has it.
  private static var summary: String {
    let names = Command.all.map(\.name).filter { $0 != Command.units.name }
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
      + " audio units, graphs of them and sound files; list the \(Command.units.name)"
  }

  private static func section(_ command: Command) -> String {
    var text = ".SS aubench \(command.name)\n" + paragraph(command.description)
    text += command.operands.map { item($0.name, $0.help) }.joined()
    text += command.options.filter { $0.name != CommandOption.help.name }.map(entry).joined()
    let codes = ExitCode.table(of: command).map { "\($0.code)" + ($0.code == 128 ? " and more" : "") }
    text += paragraph("Exit status: \(codes.joined(separator: ", ")).")
    for note in command.notes() {
      text += ".PP\n.B \(escaped(note.title)).\n\(escaped(note.text))\n"
      if !note.table.isEmpty {
        text +=
          ".PP\n.nf\n.RS\n"
          + TextLayout.columns(note.table).split(separator: "\n").map { escaped(String($0)) + "\n" }.joined()
        text += ".RE\n.fi\n"
      }
      text += note.terms.map { item($0.term, $0.meaning) }.joined()
    }
    return text
  }

  private static func entry(_ option: CommandOption) -> String {
    let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
    let value =
      switch option.value {
      case .none: ""
      case .required(let name): "=\\fI\(escaped(name))\\fR"
      case .optional(let name): "[=\\fI\(escaped(name))\\fR]"
      }
    return ".TP\n\(letter)\\fB\\-\\-\(escaped(option.name))\\fR\(value)\n\(escaped(option.help))\n"
  }

  private static func item(_ term: String, _ meaning: String) -> String {
    ".TP\n.B \(escaped(term))\n\(escaped(meaning))\n"
  }

  private static func paragraph(_ text: String) -> String { ".PP\n\(escaped(text))\n" }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Backslashes and dashes as roff wants them; a line that begins with a dot or a quote is no request.
  private static func escaped(_ text: String) -> String {
    var answer = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": answer += "\\e"
      case "-": answer += "\\-"
      // roff reads bytes: what is no ASCII goes by its number.
      case _ where !scalar.isASCII: answer += "\\[u\(hexadecimal(scalar))]"
      default: answer.unicodeScalars.append(scalar)
      }
    }
    return answer.hasPrefix(".") || answer.hasPrefix("'") ? "\\&" + answer : answer
  }
}
