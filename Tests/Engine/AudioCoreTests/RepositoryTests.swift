import Foundation
import TestSupport
import Testing

@Suite("The repository")
struct RepositoryTests {
  static let isCheckout = FileManager.default.fileExists(atPath: Repository.path + "/.git")

  @Test("holds no file that git is told to ignore: runs would change it", .enabled(if: isCheckout))
  func nothingIgnoredIsTracked() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", Repository.path, "ls-files", "--cached", "--ignored", "--exclude-standard"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: data, as: UTF8.self).isEmpty, "\(String(decoding: data, as: UTF8.self))")
  }

  @Test("Pages that sources name are there")
  func citedPages() throws {
    let files = try ["Sources", "Tests"].flatMap { folder in
      try [".swift", ".c", ".h"].flatMap { try Repository.files(below: folder, suffix: $0) }
    }
    #expect(files.count > 600)
    let manager = FileManager.default
    for file in files {
      for cited in try Repository.text(file).matches(of: /[A-Za-z][\w\-\/]*\.md\b/) {
        let page = String(cited.output)
        let isThere = ["", "docs/", (file as NSString).deletingLastPathComponent + "/"].contains {
          manager.fileExists(atPath: "\(Repository.path)/\($0)\(page)")
        }
        #expect(isThere, "\(file) names \(page)")
      }
    }
  }

  @Test("Links and pictures of pages lead to files that are there, and to headings in them")
  func links() throws {
    let pages =
      ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
      + (try ["docs", "benchmarks", "fixtures", "Tests"].flatMap { try Repository.files(below: $0, suffix: ".md") })
    #expect(pages.count > 20)
    var headings: [String: Set<String>] = [:]
    func anchors(_ page: String) throws -> Set<String> {
      if let known = headings[page] { return known }
      let found = Set(try Self.prose(page).filter { $0.hasPrefix("#") }.map(Self.anchor))
      headings[page] = found
      return found
    }
    for page in pages {
      let folder = (page as NSString).deletingLastPathComponent
      for target in try Self.prose(page).flatMap({ $0.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) } })
      where !target.hasPrefix("http") {
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? page : URL(filePath: "/\(folder)/\(parts[0])").standardized.path
        #expect(FileManager.default.fileExists(atPath: "\(Repository.path)/\(file)"), "\(page): \(target)")
        if parts.count == 2 { #expect(try anchors(file).contains(parts[1]), "\(page): \(target)") }
      }
    }
  }

  /// The lines of a page outside its blocks of code.
  private static func prose(_ page: String) throws -> [String] {
    var isCode = false
    return try Repository.text(page).split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return isCode || line.hasPrefix("    ") ? nil : String(line)
    }
  }

  /// The part of a link behind #, as GitHub makes it of a heading: lower case, hyphens for blanks, no other signs.
  private static func anchor(_ heading: String) -> String {
    let text = heading.drop { $0 == "#" || $0 == " " }.lowercased()
    return String(text.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil })
  }

  @Test("What runs suites of this repository says where failed cases leave their files")
  func artifacts() throws {
    let lines = try Repository.text("Makefile").split(separator: "\n").filter {
      $0.contains("verify") && $0.contains("suites")
    }
    .filter { !$0.hasPrefix("#") }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("--artifacts") })
  }
}
