import Foundation
import TestSupport
import Testing

/// Holds docs/stability.md and CHANGELOG.md to the program.
@Suite("The pages of releases and of what is stable are as the program is")
struct StabilityPageTests {
  private static let page = (try? Program.file("docs/stability.md")) ?? ""
  private static let graph =
    #"{"version": 1, "nodes": [{"id": "tone", "unit": "toneGenerator"}, {"id": "out", "unit": "genericOutput"}], "#
    + #""connections": ["tone -> out"]}"#

  /// The text under a heading of the page.
  private static func section(_ heading: String) throws -> Substring {
    let start = try #require(page.range(of: "\n\(heading)\n")?.upperBound, "\(heading)")
    return page[start...].prefix(upTo: page[start...].range(of: "\n##")?.lowerBound ?? page.endIndex)
  }

  /// The version in the row of the page that begins so.
  private static func version(_ row: String) throws -> Int {
    let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("| \(row)") }, "\(row)")
    let number = line.split(separator: "|")[1].firstMatch(of: /(?:version|transcript)"?:? (\d+)/)
    return try #require(number.flatMap { Int($0.output.1) }, "\(line)")
  }

  private static func names(in text: Substring) -> Set<String> {
    Set(text.matches(of: /`([\w-]+)`/).map { String($0.output.1) })
  }

  @Test("The newest release of the changelog is the program's version; releases are in order")
  func releases() throws {
    let lines = try Program.file("CHANGELOG.md").split(separator: "\n").map(String.init)
    var heads = lines.filter { $0.hasPrefix("## ") }
    if heads.first == "## Unreleased" { heads.removeFirst() }
    let releases = try heads.map { head in
      let form = /## 0\.(\d+)\.(\d+), (\d{4}-\d{2}-\d{2})(?:, revision ([0-9a-f]{8}))?/
      return try #require(try form.wholeMatch(in: head), "\(head)").output
    }
    let newest = try #require(releases.first)
    #expect(try Program.run("--version").output == "aubench 0.\(newest.1).\(newest.2)\n")
    for (later, earlier) in zip(releases, releases.dropFirst()) {
      let numbers = try [later, earlier].map { release in
        [try #require(Int(release.1)), try #require(Int(release.2))]
      }
      #expect(numbers[1].lexicographicallyPrecedes(numbers[0]), "\(later.0)")
      #expect(earlier.3 <= later.3, "\(later.0)")
      #expect(earlier.4 != nil, "\(earlier.0) names no revision")
    }
    #expect(Set(releases.compactMap(\.4)).count >= releases.count - 1)
    let kinds = lines.filter { $0.hasPrefix("### ") }
    #expect(Set(kinds) == ["### Added", "### Changed", "### Fixed"])
  }

  @Test(
    "Files of a later version are refused by the number that the page has",
    arguments: [
      ("[graph files]", ["describe", "file.json"], #"{"version": VERSION, "nodes": []}"#),
      ("[suite files]", ["verify", "file.json"], #"{"version": VERSION, "cases": []}"#),
      ("[job files]", ["batch", "file.json"], #"{"version": VERSION, "inputs": "*.wav", "output": "o.wav"}"#),
      ("[scenario files]", ["trace", "--scenario", "file.json", "true"], #"{"version": VERSION}"#),
    ])
  func versionsOfFiles(_ row: String, _ words: [String], _ text: String) throws {
    let (version, folder) = (try Self.version(row), TemporaryFolder())
    folder.write(text.replacing("VERSION", with: "\(version + 1)"), to: "file.json")
    let result = try Program.run(words, in: folder)
    let refusal = "this program reads version \(version), the file has version \(version + 1)"
    #expect(result.code != 0 && result.errors.contains(refusal), "\(result.errors)")
  }

  @Test("Records of goldens, reports, transcripts and journals have the versions that the page has")
  func versionsOfWhatIsWritten() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 100).bytes, to: "in.wav")
    folder.write(Self.graph, to: "graph.json")
    let device = #"{"unit": "lowPassFilter"}"#
    folder.write(Suites.text([Suites.testCase("a", device, check: Suites.golden)]), to: "s.json")
    let report = try Program.run("verify", "s.json", "--json", "--bless=missing", "--reason", "one", in: folder)
    #expect(try report.value("version") as? Int == Self.version("the report of `verify"))
    #expect(try report.value("format") as? String == "aubench verify report")
    let record = String(decoding: try folder.bytes("golden/s/a.json"), as: UTF8.self)
    let written = Program.Result(code: 0, output: record, errors: "")
    #expect(try written.value("version") as? Int == Self.version("records of"))
    let transcript = try Program.run("trace", "graph.json", "--frames", "512", in: folder)
    #expect(transcript.output.hasPrefix("aubench transcript \(try Self.version("[transcripts]"))\n"))
    #expect(try Program.run("convert", "in.wav", "-o", "{name}.flac", "--journal", "j", in: folder).code == 0)
    // Where SQLite keeps the version of its user, most significant byte first.
    let journal = try folder.bytes("j")
    try #require(journal.count >= 100)
    #expect(journal[60..<64].reduce(0) { $0 << 8 | Int($1) } == (try Self.version("[journals]")))
  }

  @Test("Exit codes, and the keys of an error in JSON")
  func exitCodes() throws {
    let codes = try Self.section("### Exit codes").split(separator: "·").compactMap { item in
      item.firstMatch(of: /\d+/).flatMap { Int32($0.output) }
    }
    #expect(try Set(codes) == Program.exitCodes(of: nil))
    let error = try Program.run("describe", "none.json", "--json", in: TemporaryFolder())
    let keys = try #require(try error.value("error") as? [String: Any]).keys
    let written = try #require(Self.page.firstMatch(of: /\{"error": \{([^}]*)\}\}/))
    #expect(Set(written.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) }) == Set(keys))
  }

  @Test("Products of the package, schemas and environment variables")
  func names() throws {
    let manifest = try Program.file("Package.swift")
    let products = manifest.matches(of: /\.(?:library|executable)\(\s*name: "([\w-]+)"/).map { String($0.output.1) }
    let rows = try Self.section("### Products").split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(Self.names(in: rows.map { $0.dropFirst().prefix { $0 != "|" } }.joined()[...]) == Set(products))
    for schema in try Repository.files(below: "docs", suffix: ".schema.json") {
      #expect(Self.page.contains("](\(schema.dropFirst(5)))"), "\(schema)")
    }
    let sources = try [".swift", ".c"].flatMap { try Repository.files(below: "Sources", suffix: $0) }
    let variables = try sources.flatMap { file in
      try Repository.text(file).matches(of: /"(AUBENCH_[A-Z_]+)"/).map { String($0.output.1) }
    }
    // The one by which `aubench trace` hands memory over.
    let ofPeople = Set(variables).subtracting(["AUBENCH_TRACE_MEMORY"])
    #expect(ofPeople.count > 15)
    #expect(try Self.names(in: Self.section("### Environment variables")) == ofPeople)
  }

  @Test("Former names are taken, and are all that the sources have")
  func formerNames() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(channels: 2, frames: 4000).bytes, to: "in.wav")
    #expect(try Program.run("compare", "in.wav", "in.wav", "--spectra", "1", in: folder).code == 0)
    let other = Suites.shell(#"cp "$1" "$2""#)
    let check = #"{"check": "sameAs", "device": \#(other), "align": {"inversion": true}}"#
    folder.write(Suites.text([Suites.testCase("a", check: check)]), to: "s.json")
    let suite = try Program.run("verify", "s.json", in: folder)
    #expect(suite.code == 0, "\(suite.output)\(suite.errors)")
    let former = try Repository.files(below: "Sources", suffix: ".swift").flatMap { file in
      try Repository.text(file).matches(of: /former(?:Option|Key|Names): \[?"([\w-]+)"/).map { String($0.output.1) }
    }
    #expect(Set(former) == ["spectra", "inversion"])
    for name in former { #expect(Self.page.firstMatch(of: try Regex("\\| `[^|]*\(name)`")) != nil, "\(name)") }
  }

  /// Readings of random devices are kept beside their tests.
  @Test("Ids of readings are in the page of measuring")
  func idsOfReadings() throws {
    let page = try #require(try Program.file("docs/measuring.md").components(separatedBy: "## Ids of readings").last)
    let ids = Self.names(in: page[...])
    let files = try Repository.files(below: "Tests", suffix: ".txt").filter { $0.contains("MeasurementTests/held/") }
    #expect(files.count >= 7)
    for file in files {
      let readings = try Repository.text(file).split(separator: "\n").filter { !$0.hasPrefix("curve ") }
        .compactMap { $0.firstMatch(of: #/^(\w+) -?\d.*: \S+ ± .*floor /#).map { String($0.output.1) } }
      #expect(!readings.isEmpty && Set(readings).isSubset(of: ids), "\(file): \(Set(readings).subtracting(ids))")
    }
  }
}
