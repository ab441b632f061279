import Foundation
import TestSupport
import Testing

/// The README as a newcomer follows it, and what it says of the program. `ReadmeTests` has its program in Swift.
@Suite("The README")
struct ReadmePageTests {
  /// Of `benchmarks`.
  private static let results = "RESULTS" + ".md"

  private static func page() throws -> String { try Program.file("README.md") }

  /// The text without its line breaks.
  private static func sentences() throws -> String { try page().split(separator: "\n").joined(separator: " ") }

  /// The part under a heading, up to the next one.
  private static func section(_ heading: String) throws -> String {
    let page = try page()
    let start = try #require(page.range(of: "\n## \(heading)\n")).upperBound
    return String(
      page[start...].prefix(upTo: page.range(of: "\n## ", range: start..<page.endIndex)?.lowerBound ?? page.endIndex))
  }

  /// A folder with the files that the first screen's commands name, and a shell in which `aubench` is the program.
  private static func checkout(_ commands: String) throws -> (result: Program.Result, folder: TemporaryFolder) {
    let folder = TemporaryFolder()
    let copy = "mkdir fixtures && cp -r '\(Program.repository)'/fixtures/audio '\(Program.repository)'/fixtures/demo "
    let result = try Program.shell(
      copy + "'\(Program.repository)'/fixtures/start fixtures\naubench() { \"$AUBENCH\" \"$@\"; }\n\(commands)",
      in: folder)
    return (result, folder)
  }

  // MARK: The first screen

  @Test("The first commands pass, fail after the change with frame and node, and leave the picture that the page shows")
  func firstResult() throws {
    let block = try #require(
      try Self.section("Sixty seconds to a first result").firstMatch(of: /```sh\n((?:.|\n)*?)```/)
    ).output.1
    // `DemoTests` runs what `make demo` does.
    let commands = block.split(separator: "\n").filter {
      !$0.hasPrefix("make ") && !$0.hasPrefix("export ") && !$0.hasPrefix("git ")
    }
    #expect(commands.count == 3 && block.split(separator: "\n").count == 6)
    let (result, folder) = try Self.checkout(commands.map { "\($0)\necho \"= $?\"" }.joined(separator: "\n"))
    let codes = result.output.split(separator: "\n").filter { $0.hasPrefix("= ") }
    #expect(codes == ["= 0", "= 0", "= 7"], "\(result.output)\(result.errors)")
    #expect(result.output.contains(#""bright" is the first node in render order that differs"#))
    let drawn = try folder.bytes("verify-results/checks/song/close-up.svg")
    let shown = bytes(ofFile: Program.repository + "/docs/images/failing-golden.svg")
    let isSame = drawn == shown
    #expect(isSame, "run: make docs")
    let text = String(decoding: shown, as: UTF8.self)
    for fact in ["golden fails at frame", "first node that differs: bright"] { #expect(text.contains(fact), "\(fact)") }
  }

  @Test("The first command of each door works")
  func doors() throws {
    let rows = try Self.section("Sixty seconds to a first result").split(separator: "\n").filter { $0.hasPrefix("| ") }
      .dropFirst(2)
    let commands = try rows.map { try #require($0.firstMatch(of: /`([^`]+)`/)).output.1 }
    // `InstallationTests` has the fourth; the fifth is the dependency of a package, and no command.
    #expect(commands.count == 5 && commands[3].hasPrefix("clang "))
    #expect(commands[4] == #".product(name: "AVFAudio", package: "aubench")"#)
    // A busy machine may give no figure in a second, which is 7.
    let lines = commands.prefix(3).map {
      $0.contains("aubench bench")
        ? "\($0) --seconds 1 > cost.txt || { [ $? -eq 7 ] && grep -q 'too noisy for a figure' cost.txt; }" : String($0)
    }
    let (result, folder) = try Self.checkout("set -e\n" + lines.joined(separator: "\n"))
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(folder.exists("mix.wav") && folder.exists("report.html"))
  }

  @Test("Commands of its other blocks work", .enabled("SoX is installed") { try Program.shell("which sox").code == 0 })
  func measurements() throws {
    let block = try #require(try Self.section("Measure and verify").firstMatch(of: /```sh\n((?:.|\n)*?)```/)).output.1
    let (result, folder) = try Self.checkout("set -e\n\(block)")
    #expect(result.code == 0 && folder.exists("peak.svg"), "\(result.output)\(result.errors)")
  }

  @Test("The first graph of the page on graph files renders by the commands beside it")
  func firstGraph() throws {
    let page = try Program.file("docs/graph-file.md")
    let graph = try #require(page.firstMatch(of: /```json\n((?:.|\n)*?)```/)).output.1
    let commands = page.split(separator: "\n").filter { $0.hasPrefix("    aubench ") }.map {
      $0.split(separator: "      ")[0]
    }
    #expect(commands.count == 3)
    let (result, folder) = try Self.checkout(
      "set -e\naubench convert fixtures/audio/guitar.flac voice.wav\ncat > voice.json << 'END'\n\(graph)END\n"
        + commands.joined(separator: "\n"))
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(folder.exists("out.wav") && folder.exists("less.wav"))
    #expect(try folder.bytes("out.wav") != folder.bytes("less.wav"))
  }

  /// As the report writes it from the results that are there.
  @Test(
    "The chart of speed is that of the results",
    .enabled("Python is installed") { try Program.shell("which python3").code == 0 })
  func chart() throws {
    let folder = TemporaryFolder()
    let bench = "'\(Program.repository)/benchmarks"
    let result = try Program.shell(
      "cp -r \(bench)/results' . && rm results/*.svg && \(bench)/run' --report-only --results .", in: folder)
    #expect(result.code == 0, "\(result.errors)")
    for name in ["results/headline.svg", Self.results] {
      #expect(
        try folder.bytes(name) == bytes(ofFile: "\(Program.repository)/benchmarks/\(name)"), "run: make docs (\(name))")
    }
  }

  // MARK: What it says

  @Test("It names the units that there are, and how many presets iPodEQ has")
  func units() throws {
    let rows = try Self.section("What is in it").split(separator: "\n").drop { !$0.contains("| units |") }.dropFirst(2)
      .prefix { $0.hasPrefix("|") }
    let named = rows.flatMap { row in row.matches(of: /`(\w+)`/).map { String($0.output.1) } }
    let units = try #require(try Program.run("units", "--json").value("units") as? [[String: Any]])
    #expect(named.sorted() == units.compactMap { $0["name"] as? String }.sorted())
    let presets = try #require(try Program.run("units", "iPodEQ", "--json").value("presets") as? [Any])
    #expect(try Self.page().contains("`iPodEQ` (\(presets.count) presets)"))
  }

  @Test("It says which commands have no --json")
  func commandsWithoutJSON() throws {
    let without = try HelpTests.commands.filter { try !Program.run($0, "--help").output.contains("--json") }.sorted()
    let names = without.map { "`\($0)`" }.joined(separator: " and ")
    #expect(try Self.page().contains("`--json` (but \(names))"), "\(names)")
  }

  @Test("The graph that it shows is the one of the first screen")
  func graph() throws {
    let block = try #require(try Self.section("A graph").firstMatch(of: /```json\n((?:.|\n)*?)```/)).output.1
    #expect(try Program.file("fixtures/start/song.json") == block)
  }

  @Test("Every make command of the pages is a target")
  func targets() throws {
    let makefile = try Program.file("Makefile")
    for page in ["README.md", "CONTRIBUTING.md", "benchmarks/README.md"] {
      for word in try Program.file(page).matches(of: /(?:`|\n {4}|\n)make ([a-z\-]+)/).map(\.output.1) {
        #expect(makefile.contains("\n\(word):"), "\(page): make \(word)")
      }
    }
  }

  @Test("Its ratios lie within the rounds of the last benchmark")
  func speeds() throws {
    let claim = try #require(
      try Self.sentences().firstMatch(
        of:
          /pedalboard and FFmpeg about (\d+) times as long as aubench +on one core, and on two cores pedalboard (\d+) times and SoX (\d+) times as long/
      ))
    let conversion = try #require(
      try Self.sentences().firstMatch(
        of:
          /take (0\.\d) s on one core +with (\d+) dB of image rejection; FFmpeg's own converter takes (0\.\d) times as long, with (\d+) dB/
      ))
    let stems = try BenchmarkResult("stems")
    let rate = try BenchmarkResult("rate")
    func holds(_ claimed: Substring, _ measured: [Double]) throws -> Bool {
      let (claimed, low, high) = (try #require(Double(claimed)), measured.min() ?? 0, measured.max() ?? 0)
      // As many digits as are written.
      return claimed > low - 0.05 && claimed < high + 0.05
    }
    for (claimed, tool, ours) in [
      (claim.output.1, "pedalboard, 1 thread", "aubench, 1 thread"),
      (claim.output.1, "ffmpeg, 1 filter thread", "aubench, 1 thread"),
      (claim.output.2, "pedalboard, 2 threads", "aubench, 2 threads"),
      (claim.output.3, "sox, 17 processes", "aubench, 2 threads"),
    ] {
      let ratios = try stems.ratios(tool, ours)
      #expect(try holds(claimed, ratios), "\(tool): \(ratios)")
    }
    #expect(try holds(conversion.output.1, try rate.times("aubench, best, 1 thread")))
    #expect(try holds(conversion.output.3, try rate.ratios("ffmpeg, swr", "aubench, best, 1 thread")))
    for (claimed, tool) in [(conversion.output.2, "aubench, best, 1 thread"), (conversion.output.4, "ffmpeg, swr")] {
      #expect(try Double(claimed) == -rate.image(tool).rounded(), "\(tool)")
    }
  }
}

/// A file of `benchmarks/results`.
private struct BenchmarkResult: Decodable {
  struct Line: Decodable {
    struct Run: Decodable { let time: Double }
    struct Check: Decodable {
      let image: Double?
      enum CodingKeys: String, CodingKey { case image = "image dB" }
    }
    let name: String
    let runs: [Run]
    let check: Check?
  }
  private let lines: [Line]

  init(_ name: String) throws {
    let text = try Program.file("benchmarks/results/\(name).json")
    self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
  }

  private func line(_ name: String) throws -> Line { try #require(lines.first { $0.name == name }, "no \(name)") }

  /// Seconds of each round.
  func times(_ name: String) throws -> [Double] { try line(name).runs.map(\.time) }

  /// One line's times over another's, round by round.
  func ratios(_ name: String, _ base: String) throws -> [Double] {
    try zip(times(name), times(base)).map { $0 / $1 }
  }

  /// The level of the highest mirror image of a conversion, dB.
  func image(_ name: String) throws -> Double { try #require(try line(name).check?.image) }
}
