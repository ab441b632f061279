import AudioCore
import FoundationEssentials
import TestSupport
import Testing

/// docs/architecture.md and docs/design: what they say of targets, files and names is compared with the sources.
@Suite("The pages on the design are as the sources are")
struct DesignPagesTests {
  static let overview = "docs/architecture.md"
  static let glossary = "docs/glossary.md"

  static func designPages() throws -> [String] { try Repository.files(below: "docs/design", suffix: ".md") }

  static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(Repository.path)/\(path)") }

  /// The cells of the first column of a page's tables, with the heading that each table stands under.
  static func firstCells(_ page: String) throws -> [(heading: String, cell: String)] {
    var heading = ""
    var cells: [(heading: String, cell: String)] = []
    for line in try Repository.text(page).split(separator: "\n") {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      guard line.hasPrefix("| "), !line.hasPrefix("| ---") else { continue }
      cells.append((heading, String(line.dropFirst(2).split(separator: "|")[0])))
    }
    return cells
  }

  /// The names in backticks.
  static func quoted(_ text: String) -> [String] {
    text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
  }

  @Test("The overview has at most 1,200 words and eight ideas, each with its page")
  func overviewIsShort() throws {
    let text = try Repository.text(Self.overview)
    #expect(text.split(whereSeparator: \.isWhitespace).count <= 1200)
    let ideas = text.components(separatedBy: "\n### ").dropFirst().map { $0.components(separatedBy: "\n## ")[0] }
    #expect(ideas.count == 8)
    for (index, idea) in ideas.enumerated() {
      #expect(idea.hasPrefix("\(index + 1). "))
      #expect(idea.contains("](design/"), "\(idea)")
    }
  }

  @Test("The drawing has every Swift target, above all that it imports")
  func drawing() throws {
    let block = try #require(try Repository.text(Self.overview).components(separatedBy: "```text\n").dropFirst().first)
    let lines = block.components(separatedBy: "```")[0].split(separator: "\n").map { line in
      Set(line.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    }
    let rows = try ArchitectureTests.rows()
    let places = rows.keys.reduce(into: [:]) { places, target in
      places[target] = lines.firstIndex { $0.contains(target) }
    }
    for (target, row) in rows where row.folder.hasPrefix("Sources/") {
      guard let place = places[target] else {
        #expect(target.hasPrefix("C"), "\(target) is not drawn")
        continue
      }
      for module in row.dependencies {
        if let below = places[module] {
          #expect(below > place, "\(module), which \(target) imports, is drawn above it")
        }
      }
    }
  }

  @Test("The overview's table has the folders of Sources")
  func folders() throws {
    let groups = Set(
      try ArchitectureTests.rows().values.compactMap { row in
        row.folder.hasPrefix("Sources/") ? String(row.folder.split(separator: "/")[1]) : nil
      })
    let listed = try Self.firstCells(Self.overview).filter { $0.heading == "The layers" }.flatMap {
      Self.quoted($0.cell)
    }
    #expect(listed.sorted() == groups.sorted())
  }

  @Test("The page of targets has every target of the manifest under its folder, and no other")
  func targets() throws {
    let rows = try ArchitectureTests.rows()
    var folders: [String: String] = [:]
    for (heading, cell) in try Self.firstCells("docs/design/targets.md") {
      for name in Self.quoted(cell) { folders[name] = heading }
    }
    for (target, row) in rows where !target.hasSuffix("Tests") {
      let heading = folders[target]
      #expect(
        heading.map { row.folder.hasPrefix($0) } == true,
        "\(target) is in \(row.folder), listed under \(heading ?? "nothing")")
    }
    for name in folders.keys { #expect(rows[name] != nil, "\(name) is no target") }
  }

  @Test("The page of kernels has every header of CKernels")
  func kernels() throws {
    let headers = try Repository.files(below: "Sources/Engine/CKernels/include", suffix: ".h").map {
      FileName.last(of: $0)
    }
    let listed = try Self.firstCells("docs/design/kernels.md").flatMap { Self.quoted($0.cell) }
    #expect(listed.sorted() == headers.filter { $0 != "CKernels.h" && $0 != "instruction_set.h" }.sorted())
  }

  @Test("The glossary has at most two pages and each word once; its types are declared")
  func glossaryNamesTypes() throws {
    let text = try Repository.text(Self.glossary)
    #expect(text.split(whereSeparator: \.isWhitespace).count { $0 != "|" } <= 900)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
      .map { $0.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") } }
      .filter { $0[0] != "word" }
    #expect(rows.count > 40)
    #expect(Set(rows.map { $0[0] }).count == rows.count)
    let declared = try Self.declaredTypes()
    for row in rows {
      for type in Self.quoted(row[2]) { #expect(declared[type] != nil, "\(row[0]) names \(type)") }
    }
  }

  @Test("No two targets declare a type of the same name, but for private ones")
  func oneTypeForOneName() throws {
    for (name, targets) in try Self.declaredTypes() where targets.count > 1 {
      #expect(targets.isEmpty, "\(name) is declared in \(targets.sorted().joined(separator: " and "))")
    }
  }

  /// The types at the top level of Swift files, but private ones, with the targets that declare them.
  static func declaredTypes() throws -> [String: Set<String>] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    var declared: [String: Set<String>] = [:]
    for file in try Repository.files(below: "Sources", suffix: ".swift") {
      let target = String(file.split(separator: "/")[2])
      for line in try Repository.text(file).split(separator: "\n") where line.utf8.first.map(Self.beginsWord) ?? false {
        let words = line.prefix { $0 != ":" && $0 != "<" && $0 != "{" && $0 != "=" }.split(separator: " ")
        guard let place = words.firstIndex(where: kinds.contains), place + 1 < words.count,
          !words[..<place].contains("private"), !words[..<place].contains("fileprivate"),
          !words[..<place].contains("extension"), !words[..<place].contains("func")
        else { continue }
        declared[String(words[place + 1]), default: []].insert(target)
      }
    }
    return declared
  }

  private static func beginsWord(_ byte: UInt8) -> Bool { byte >= 97 && byte <= 122 || byte == 64 }

  @Test("Every design page is in the list of design pages, and every page in the table of contents")
  func contents() throws {
    let list = try Repository.text("docs/design/README.md")
    for page in try Self.designPages() where !page.hasSuffix("README.md") {
      #expect(list.contains("](\(FileName.last(of: page)))"), "\(page)")
    }
    let contents = try Repository.text("docs/README.md")
    for page in try Repository.files(below: "docs", suffix: ".md") where !page.dropFirst(5).contains("/") {
      #expect(page.hasSuffix("/README.md") || contents.contains("](\(FileName.last(of: page)))"), "\(page)")
    }
  }

  @Test("The index names files that are there, and every folder of Sources; no row stands twice")
  func index() throws {
    var base = ""
    var (named, subjects): (Set<String>, Set<Substring>) = ([], [])
    for line in try Repository.text("docs/where.md").split(separator: "\n")
    where line.hasPrefix("| ") && !line.hasPrefix("| ---") {
      let cells = line.split(separator: "|")
      guard cells.count == 2 else {
        Issue.record("not two columns: \(line)")
        continue
      }
      guard cells[0] != " subject " else {
        // `Engine/AudioCore/…`, or `place`, for what is beside Sources.
        base = cells[1] == " place " ? "" : "Sources/" + cells[1].dropFirst().prefix { $0 != "…" }
        continue
      }
      #expect(subjects.insert(cells[0]).inserted, "twice:\(cells[0])")
      let names = Self.quoted(String(cells[1]))
      #expect(!names.isEmpty, "no file for\(cells[0])")
      for name in names {
        let paths = [base + name, "Sources/" + name].filter(Self.isThere)
        #expect(paths.count == 1, "\(name) is \(paths.isEmpty ? "not there" : "in two places")")
        named.formUnion(paths)
      }
    }
    #expect((200...500).contains(subjects.count))
    let covered = named.union(named.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex)) })
    for file in try Repository.files(below: "Sources", suffix: "") where !file.contains("/include/") {
      let folder = FileName.folder(of: file)
      if file.contains("."), !covered.contains(folder) { Issue.record("\(folder) is not in the index") }
    }
  }

  @Test("Files, folders, types, functions and rules of make that the pages name are there")
  func names() throws {
    let makefile = try Repository.text("Makefile")
    let roots = ["Sources/", "Tests/", "Scripts/", "docs/", "fixtures/", "benchmarks/", "completions/"]
    let targets = try ArchitectureTests.rows()
    let words = try SourceWords.all()
    let pages = [Self.overview, Self.glossary, "docs/working-on-aubench.md", "CONTRIBUTING.md"]
    for page in try pages + Self.designPages() {
      for name in Self.quoted(try Repository.text(page)) {
        if roots.contains(where: { name.hasPrefix($0) }) {
          let path = name.split(separator: " ")[0]
          guard !["…", "*", "GROUP", "YourUnit"].contains(where: path.contains) else { continue }
          #expect(Self.isThere(String(path)), "\(page) names \(name)")
        } else if let rule = name.firstMatch(of: /^make ([a-z-]+)/)?.output.1 {
          #expect(makefile.contains("\n\(rule):"), "\(page) names \(name)")
        } else if name.hasSuffix(".md") {
          #expect(Self.isThere(name) || Self.isThere("docs/\(name)"), "\(page) names \(name)")
        } else if name.wholeMatch(of: /[A-Za-z_][\w+-]*\.(swift|h|c)/) != nil {
          #expect(
            words.files.contains(name) || page == "CONTRIBUTING.md" && name.hasPrefix("Your"), "\(page) names \(name)")
        } else if let parts = name.wholeMatch(of: /([A-Za-z_][\w.]*)(\(.*)?/)?.output.1 {
          for part in parts.split(separator: ".") where targets[String(part)] == nil {
            #expect(words.names.contains(String(part)), "\(page) names \(name)")
          }
        }
      }
    }
  }
}

/// The names of all files, and the words in them.
private struct SourceWords {
  var files: Set<String> = []
  var names: Set<String> = []

  static func all() throws -> SourceWords {
    var all = SourceWords()
    for folder in ["Sources", "Tests", "Scripts", "benchmarks"] {
      for file in try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.path)/\(folder)") {
        let path = "\(Repository.path)/\(folder)/\(file)"
        all.names.insert(FileName.last(of: file))
        guard [".swift", ".h", ".c", ".cpp"].contains(where: { file.hasSuffix($0) }) else { continue }
        all.files.insert(FileName.last(of: file))
        try all.add(Data(contentsOf: URL(filePath: path)))
      }
    }
    return all
  }

  /// Adds each run of ASCII letters, digits and underscores.
  private mutating func add(_ data: Data) {
    data.withUnsafeBytes { bytes in
      var start = 0
      for index in 0...bytes.count {
        if index < bytes.count, Self.isOfWord(bytes[index]) { continue }
        if index > start { names.insert(String(decoding: bytes[start..<index], as: UTF8.self)) }
        start = index + 1
      }
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    byte >= 97 && byte <= 122 || byte >= 65 && byte <= 90 || byte >= 48 && byte <= 57 || byte == 95
  }
}
