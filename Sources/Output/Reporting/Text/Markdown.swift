/// Pieces of pages in Markdown.
package enum Markdown {
  package static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  package static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows.map { $0.map(cell) }).map { "| \($0.joined(separator: " | ")) |\n" }
      .joined()
  }
}
