import Testing

/// Pages with numbered tasks, whose commands tests run as they stand there.
enum TaskPage {
  /// The part of a page between the heading of a task and the next one.
  static func section(_ number: Int, of page: String) throws -> String {
    let page = try Program.file(page)
    let start = try #require(page.range(of: "\n### \(number). "))
    let rest = page[start.upperBound...]
    return String(rest[..<(rest.range(of: "\n##")?.lowerBound ?? rest.endIndex)])
  }

  /// The commands of a section: a script, which ends with the first that fails.
  static func commands(_ section: String) throws -> String {
    let commands = try #require(section.firstMatch(of: /```sh\n((?:.|\n)*?)```/)).output.1
    return "aubench() { \"$AUBENCH\" \"$@\"; }\nset -e\n\(commands)"
  }
}
