import Reporting

/// The short reference in the repository, from the same tables as `--help`: `docs/commands.md`.
enum MarkdownManual {
  static var text: String {
    var page = "<!-- Made by `aubench --print-manual=markdown`; edit the tables in Sources/aubench instead. -->\n"
    page += "# Commands of aubench\n\n| command | does |\n| --- | --- |\n"
    for command in Command.all {
      page += "| [`\(command.name)`](#aubench-\(command.name)) | \(Markdown.cell(command.summary)) |\n"
    }
    page += "\n`aubench help COMMAND` prints what stands here. Long options may be shortened; `--` ends the options.\n"
    page += "\n" + TextLayout.paragraph(HelpText.quantities, width: 120)
    page += "\n" + TextLayout.paragraph(visibleNames, width: 120)
    for command in Command.all { page += section(command) }
    page += "\n## Exit codes\n\n| code | meaning |\n| --- | --- |\n"
    for row in ExitCode.table { page += "| \(row.code) | \(Markdown.cell(row.meaning)) |\n" }
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
    text += TextLayout.paragraph(command.description, width: 120) + "\n| argument | meaning |\n| --- | --- |\n"
    for operand in command.operands { text += "| `\(operand.name)` | \(Markdown.cell(operand.help)) |\n" }
    for option in command.options { text += "| `\(Markdown.cell(option.form))` | \(Markdown.cell(option.help)) |\n" }
    for note in command.notes() {
      text += "\n### \(note.title)\n" + (note.text.isEmpty ? "" : "\n" + TextLayout.paragraph(note.text, width: 120))
      if let head = note.table.first {
        text += "\n| \(head.joined(separator: " | ")) |\n|\(head.map { _ in " --- |" }.joined())\n"
        for row in note.table.dropFirst() { text += "| \(row.map(Markdown.cell).joined(separator: " | ")) |\n" }
      }
      if !note.terms.isEmpty {
        text += "\n| name | |\n| --- | --- |\n"
        for term in note.terms { text += "| `\(term.term)` | \(Markdown.cell(term.meaning)) |\n" }
      }
    }
    text += "\nExamples:\n\n"
    for example in command.examples { text += "    \(example.line)\n        # \(example.meaning)\n" }
    let codes = ExitCode.table(of: command).map { "\($0.code)" + ($0.code == 128 ? " and more" : "") }
    text += "\n[Exit codes](#exit-codes): \(codes.joined(separator: ", ")).\n"
    return text
  }
}

/// Pieces of pages in Markdown.
enum Markdown {
  static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows.map { $0.map(cell) }).map { "| \($0.joined(separator: " | ")) |\n" }
      .joined()
  }
}
