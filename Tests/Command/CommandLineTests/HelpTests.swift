import TestSupport
import Testing

@Suite struct HelpTests {
  /// The commands that the program itself lists: a command that comes later is tested like the others.
  static let commands: [String] = {
    guard let help = try? Program.run("--help").output, let start = help.range(of: "Commands:\n")?.upperBound else {
      return []
    }
    return help[start...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
  }()

  /// Options that commands must have, whatever else they have.
  static let options: [String: [String]] = [
    "render": [
      "output", "seconds", "frames", "until-silent", "cap", "no-tail", "slice", "trim-latency", "set", "input", "rate",
      "quality", "graph-rate", "tap", "tag", "cover", "encoding", "container", "dither", "no-clobber", "threads",
      "no-metadata", "json",
      "quiet", "help",
    ],
    "convert": [
      "rate", "quality", "channels", "map", "tag", "cover", "encoding", "container", "dither", "no-clobber", "threads",
      "no-metadata",
      "allow-truncated", "json", "quiet", "help",
    ],
    "describe": ["dot", "set", "input", "rate", "graph-rate", "quality", "json", "help"],
    "units": ["json", "help"], "measure": ["what", "set", "preset", "plot", "data", "vary", "json", "help"],
    "plot": ["output", "data", "kind", "help"], "compare": ["exact", "peak", "align", "json", "help"],
    "verify": ["case", "bless", "no-commands", "artifacts", "json", "help"],
  ]

  @Test func theProgramListsItsCommands() {
    #expect(Self.commands.count >= 8)
    for command in Self.options.keys { #expect(Self.commands.contains(command), "\(command)") }
  }

  @Test(arguments: commands)
  func helpOfACommandShowsEveryOptionAndAnExample(_ command: String) throws {
    let help = try Program.run(command, "--help")
    #expect(help.code == 0)
    #expect(help.errors.isEmpty)
    for option in Self.options[command] ?? [] { #expect(help.output.contains("--\(option)"), "\(option)") }
    #expect(help.output.contains("Examples:\n  aubench \(command)"))
    #expect(help.output.hasPrefix("Usage: aubench \(command)"))
    #expect(try Program.run("help", command).output == help.output)
    #expect(try Program.run(command, "-h", "--", "x").output == help.output)
  }

  @Test func everyLineOfHelpFitsATerminalOfEightyColumns() throws {
    for command in Self.commands {
      for line in try Program.run(command, "--help").output.split(separator: "\n")
      where !line.contains("aubench \(command)") {
        #expect(line.count <= 80, "\(line)")
      }
    }
    for line in try Program.run("--help").output.split(separator: "\n") where !line.contains("  aubench ") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  /// Every other test holds the codes that commands really end with to this: see ``Program/run(_:in:)``.
  @Test(arguments: commands)
  func helpOfACommandListsTheExitCodesOfItsOwn(_ command: String) throws {
    let codes = try Program.exitCodes(of: command)
    #expect(codes.isSuperset(of: [0, 1, 2, 128]), "\(codes)")
    let own: [String: Set<Int32>] = [
      "render": [3, 4, 5, 6, 9, 11, 139], "convert": [4, 5, 6, 11], "measure": [3, 4, 5, 6, 9, 139],
      "verify": [5, 7, 8, 9, 10, 139],
      "compare": [4, 5, 7], "plot": [4, 5], "describe": [3, 4, 9, 139], "units": [3, 9, 139],
    ]
    if let own = own[command] { #expect(codes.subtracting([0, 1, 2, 128]) == own) }
    // The same in the pages, and every code of the program is somebody's.
    let page = try Program.file("docs/commands.md")
    let section = try #require(
      page.components(separatedBy: "## aubench \(command)\n").last?.components(separatedBy: "\n## ").first)
    let line = codes.sorted().map { "\($0)" + ($0 == 128 ? " and more" : "") }.joined(separator: ", ")
    #expect(section.contains("[Exit codes](#exit-codes): \(line).\n"), "\(section.suffix(200))")
    let all = try Self.commands.reduce(into: Set<Int32>()) { $0.formUnion(try Program.exitCodes(of: $1)) }
    #expect(try Program.exitCodes(of: nil) == all)
  }

  @Test func theManualsNameLineHasEveryCommand() throws {
    let manual = try Program.file("docs/aubench.1")
    let lines = manual.split(separator: "\n")
    let name = lines.drop { $0 != ".SH NAME" }.dropFirst().prefix { !$0.hasPrefix(".SH") }
    let line = name.joined(separator: " ")
    for command in Self.commands { #expect(line.contains(command), "\(command): \(line)") }
    let readme = try Program.file("README.md")
    for command in Self.commands { #expect(readme.contains("| `aubench \(command)"), "\(command)") }
  }

  @Test func thePageForNewcomersSaysOnWhatItRunsAndUnderWhichLicence() throws {
    let readme = try Program.file("README.md")
    for word in ["Debian", "Ubuntu", "x86-64", "arm64", "FFTW", "GPL", "MIT licence"] {
      #expect(readme.contains(word), "\(word)")
    }
  }

  @Test func theProgramHelpsAndTellsItsVersion() throws {
    let help = try Program.run("--help")
    #expect(help.code == 0)
    for command in Self.commands { #expect(help.output.contains("\n  \(command) ")) }
    #expect(help.output.contains("Exit codes:"))
    #expect(try Program.run("help").output == help.output)
    #expect(try Program.run("-h").output == help.output)
    let version = try Program.run("--version")
    #expect(version.code == 0)
    #expect(version.output.hasPrefix("aubench "))
    #expect(try Program.run("-V").output == version.output)
  }

  @Test func convertTellsOfQualitiesAndContainers() throws {
    let help = try Program.run("convert", "--help").output
    for quality in ["linear", "zero-order-hold", "fast", "medium", "best", "mastering", "minimum-phase"] {
      let line = try #require(help.split(separator: "\n").first { $0.hasPrefix("  \(quality) ") })
      #expect(line.contains(" %") && line.contains(" dB") && line.hasSuffix(" x"), "\(line)")
    }
    for container in ["wav", "rf64", "aiff", "caf", "flac", "ogg", "opus"] {
      #expect(help.contains("\n  \(container) "))
    }
    #expect(help.contains("float32") && help.contains("vorbis"))
  }

  /// The schemas in the repository are made by the same tables; here they only name the keys.
  @Test(arguments: ["graph-file", "job-file", "suite-file", "scenario-file"])
  func helpListsTheKeysOfFiles(_ topic: String) throws {
    let help = try Program.run("help", topic)
    #expect(help.code == 0 && help.errors.isEmpty)
    let lines = help.output.split(separator: "\n")
    for line in lines { #expect(line.count <= 80 || !line.contains(" "), "\(line)") }
    let schema = Program.Result(code: 0, output: try Program.file("docs/\(topic).schema.json"), errors: "")
    let keys = try #require(try schema.value("properties") as? [String: Any]).keys.filter { $0 != "$schema" }
    #expect(keys.count > 4)
    for key in keys { #expect(lines.contains { $0.hasPrefix("  \(key) ") }, "\(key)") }
    #expect(try Program.run("help").output.contains(topic))
    #expect(try Program.run("help", String(topic.dropLast())).errors.contains("did you mean \(topic)?"))
  }

  @Test(arguments: [
    ("docs/commands.md", "--print-manual=markdown"), ("docs/units.md", "--print-manual=units"),
    ("docs/graph-file.schema.json", "--print-manual=graph-schema"),
    ("docs/suite-file.schema.json", "--print-manual=suite-schema"),
    ("completions/aubench.bash", "--print-completion=bash"), ("completions/_aubench", "--print-completion=zsh"),
  ])
  func committedTextIsWhatTheProgramPrints(_ name: String, _ option: String) throws {
    let printed = try Program.run(option)
    #expect(printed.code == 0)
    #expect(try Program.file(name) == printed.output, "run: aubench \(option) > \(name)")
  }

  /// As plain text: what the page says, and not how one version of pandoc writes it in roff.
  @Test(.enabled("pandoc is installed") { try Program.shell("which pandoc").code == 0 })
  func committedManualPageIsWhatTheProgramPrintsThroughPandoc() throws {
    let folder = TemporaryFolder()
    let asText = "pandoc --from man --to plain --wrap none"
    let made = try Program.shell(
      "'\(Program.repository)/Scripts/manual-page' \"$AUBENCH\" > made.1 && \(asText) made.1", in: folder)
    #expect(made.code == 0, "\(made.errors)")
    let committed = try Program.shell("\(asText) '\(Program.repository)/docs/aubench.1'", in: folder)
    #expect(committed.code == 0 && committed.output.count > 20_000, "\(committed.errors)")
    #expect(committed.output == made.output, "run: make docs")
  }

  @Test func bashCompletesCommandsOptionsValuesAndUnits() throws {
    let script = """
      . '\(Program.repository)/completions/aubench.bash'
      complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _aubench; echo "${COMPREPLY[*]}"; }
      complete_line aubench ren; complete_line aubench render --sec; complete_line aubench convert --quality m
      complete_line aubench convert --encoding = float; complete_line aubench units nB; complete_line aubench help d
      complete_line aubench render gr; complete_line aubench convert a -c w6
      """
    let folder = TemporaryFolder()
    folder.write(script, to: "script")
    folder.write("", to: "graph with blanks.json")
    let answer = try Program.shell("bash script", in: folder)
    #expect(answer.errors.isEmpty)
    #expect(
      answer.output.split(separator: "\n") == [
        "render", "--seconds=", "medium mastering minimum-phase", "float32 float64", "nBandEQ", "describe",
        "graph with blanks.json", "w64",
      ])
  }

  @Test(.enabled("groff and zsh are installed") { try Program.shell("which groff zsh").code == 0 })
  func theManualFormatsWithoutAWarningAndZshTakesItsScript() throws {
    let manual = try Program.shell("groff -t -man -ww -Tutf8 '\(Program.repository)/docs/aubench.1' > /dev/null")
    #expect(manual.code == 0 && manual.errors.isEmpty, "\(manual.errors)")
    #expect(try Program.shell("zsh -n '\(Program.repository)/completions/_aubench'").errors.isEmpty)
  }
}
