import Reporting

/// The short reference in the repository, from the same tables as `--help`: `docs/commands.md`.
enum MarkdownManual {
  static var text: String {
    var page =
      "<!-- Made by `aubench --print-manual=markdown`; edit the tables in Sources/Command/aubench instead. -->\n"
    page += "# Commands of aubench\n\n"
    page += Markdown.table(
      ["command", "does"],
      Command.all.map { ["[`\($0.name)`](#aubench-\($0.name.replacing(" ", with: "-")))", $0.summary] })
    page += "\n`aubench help COMMAND` prints what stands here. Long options may be shortened; `--` ends the options.\n"
    page += "\n" + TextLayout.paragraph(HelpText.files, width: 120)
    page += "\n" + TextLayout.paragraph(HelpText.quantities, width: 120)
    page += "\n" + TextLayout.paragraph(visibleNames, width: 120)
    for command in Command.all { page += section(command) }
    page += "\n## Exit codes\n\n"
    page += Markdown.table(["code", "meaning"], ExitCode.table.map { ["\($0.code)", $0.meaning] })
    page += """

      An error is one line on standard error, `aubench: PLACE: message; advice`. With `--json` it comes on standard output \
      as well, as `{"error": {"kind", "place", "message", "advice", "exitCode"}}`.

      """
    return page
  }

  private static let visibleNames =
    "Names of files are taken and written byte by byte, UTF-8 or not. Where texts are shown, a control character, a line "
    + "separator or a mark that turns the direction of writing stands as `\\u{1B}`, and a byte of a name that is not UTF-8 "
    + "as `\\xFF`; in JSON such a byte is the character U+10FE00 + byte (`\\udbff\\udeff`), also in graphs and suites that name "
    + "such files."

  private static func section(_ command: Command) -> String {
    var text = "\n## aubench \(command.name)\n\n    \(command.synopsis)\n\n"
    text += TextLayout.paragraph(command.description, width: 120) + "\n"
    text += terms("argument", command.operands.map { ($0.name, $0.help) } + command.options.map { ($0.form, $0.help) })
    for note in command.notes() {
      text += "\n### \(note.title)\n" + (note.text.isEmpty ? "" : "\n" + TextLayout.paragraph(note.text, width: 120))
      if let head = note.table.first {
        text += "\n" + Markdown.table(head, Array(note.table.dropFirst()))
      }
      if !note.terms.isEmpty { text += "\n" + terms("name", note.terms.map { ($0.term, $0.meaning) }) }
    }
    text += "\nExamples:\n\n"
    for example in command.examples { text += "    \(example.line)\n        # \(example.meaning)\n" }
    let codes = ExitCode.table(of: command).map { "\($0.code)" + ($0.code == 128 ? " and more" : "") }
    text += "\n[Exit codes](#exit-codes): \(codes.joined(separator: ", ")).\n"
    return text
  }

  private static func terms(_ head: String, _ rows: [(term: String, meaning: String)]) -> String {
    Markdown.table([head, "meaning"], rows.map { ["`\($0.term)`", $0.meaning] })
  }
}
