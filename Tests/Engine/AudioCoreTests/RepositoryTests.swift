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

  @Test("What runs suites of this repository says where failed cases leave their files")
  func artifacts() throws {
    let lines = try Repository.text("Makefile").split(separator: "\n").filter {
      $0.contains("verify") && $0.contains("suites")
    }
    .filter { !$0.hasPrefix("#") }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("--artifacts") })
  }
}
