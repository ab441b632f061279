import TestSupport
import Testing

@Suite("Imports, libraries and lengths of files are as the pages on the design say")
struct ArchitectureTests {
  /// Modules of the toolchain, which any target may import.
  static let toolchain: Set<String> = [
    "Glibc", "Synchronization", "Dispatch", "FoundationEssentials", "Foundation", "FoundationXML", "CoreFoundation",
    "Testing",
  ]

  /// Targets with what each depends on, read from the manifest.
  static func manifest() throws -> [String: Set<String>] { try rows().mapValues(\.dependencies) }

  /// A target's row: what it depends on, and where its sources are.
  struct Row {
    let dependencies: Set<String>
    let folder: String
  }

  static func rows() throws -> [String: Row] {
    let text = try Repository.text("Package.swift")
      .split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }.joined(separator: "\n")
    var targets: [String: Row] = [:]
    var folder = ""
    for match in text.matches(
      of: /in: "([^"]+)"|\.(?:target|executableTarget|testTarget|systemLibrary)\(\s*name: "([\w-]+)"([^()]*)/)
    {
      if let named = match.output.1 { folder = String(named) }
      guard let name = match.output.2, let rest = match.output.3 else { continue }
      let dependencies = rest.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.output.1 ?? ""
      targets[String(name)] = Row(
        dependencies: Set(dependencies.matches(of: /"(\w+)"/).map { String($0.output.1) }), folder: "\(folder)/\(name)")
    }
    return targets
  }

  @Test("A target imports only what its row in the manifest names")
  func importsMatchTheManifest() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 8)
    var seen = 0
    for (target, row) in rows {
      for file in try Repository.files(below: row.folder, suffix: ".swift") {
        for match in try Repository.text(file).matches(
          of: /(?m)^(?:@_exported |public |internal |private |package )?import (?:struct |class |func |enum )?(\w+)/)
        {
          let module = String(match.output.1)
          seen += 1
          #expect(
            row.dependencies.contains(module) || Self.toolchain.contains(module),
            "\(file) imports \(module), which \(target)'s row in Package.swift does not name")
        }
      }
    }
    #expect(seen > 50)
  }

  @Test("No command loads the libraries behind FoundationXML")
  func noXMLLibrary() throws {
    for file in try Repository.files(below: "Sources", suffix: ".swift") {
      #expect(!(try Repository.text(file)).contains("import FoundationXML"), "\(file)")
    }
  }

  @Test(
    "The laws of units share nothing with what they judge: they import no target, and only verification imports them")
  func lawsAreAlone() throws {
    let targets = try Self.manifest()
    #expect(targets["UnitLaws"] == [])
    #expect(targets.filter { $0.value.contains("UnitLaws") }.keys.sorted() == ["Verification"])
  }

  @Test("Every row that the manifest names is used")
  func noDependencyIsIdle() throws {
    for (target, row) in try Self.rows() where !target.hasPrefix("C") && !target.hasSuffix("Tests") {
      let sources = try Repository.files(below: row.folder, suffix: ".swift").map { try Repository.text($0) }
      if sources.isEmpty { continue }
      for module in row.dependencies {
        #expect(
          sources.contains { $0.contains("import \(module)\n") },
          "\(target)'s row in Package.swift names \(module), which nothing there imports")
      }
    }
  }

  @Test(
    "Only one target of the engine calls each C library; LibraryReference calls some of them directly",
    arguments: [
      ("sf_", "Sources/Libraries/SoundFile/"), ("src_", "Sources/Libraries/SampleRate/"),
      ("soxr_", "Sources/Libraries/SampleRate/"),
      ("fftw_", "Sources/Analysis/Spectrum/"), ("ebur128_", "Sources/Analysis/Loudness/"),
      ("tag_", "Sources/Libraries/Tags/"),
      ("sqlite3_", "Sources/Batch/Journal/SQLite/"), ("XXH3_", "Sources/Libraries/Digests/"),
    ])
  func librariesHaveOneCaller(prefix: String, owner: String) throws {
    for file in try Repository.files(below: "Sources", suffix: ".swift")
    where !file.hasPrefix(owner) && !file.hasPrefix("Sources/Libraries/LibraryReference/") {
      let text = try Repository.text(file)
      let calls = text.matches(of: /\b([A-Za-z0-9]+_)\w*\(/).filter { $0.output.1 == prefix }
      #expect(calls.isEmpty, "\(file) calls \(prefix)…, which only \(owner) may call")
    }
  }

  @Test(
    "Neither the engine nor the C interface reaches FFTW, whose licence is the GPL",
    arguments: ["AudioToolbox", "BatchRender"])
  func engineIsFreeOfTheGPL(product: String) throws {
    let targets = try Self.manifest()
    var reached: Set<String> = []
    var open = [product]
    while let target = open.popLast() {
      guard reached.insert(target).inserted else { continue }
      open += targets[target] ?? []
    }
    #expect(reached.count > 5)
    #expect(reached.isDisjoint(with: ["CFFTW", "Spectrum", "Measurement", "Verification", "LibraryReference"]))
  }

  @Test(
    "The libraries that the engine loads while it runs are named here, none of them under the GPL; nothing links them")
  func loadedLibraries() throws {
    var loaded: Set<String> = []
    for suffix in [".c", ".swift"] {
      for file in try Repository.files(below: "Sources", suffix: suffix) {
        let calls = try Repository.text(file).matches(of: /(?:dlopen|optional_library_load)\("([^"]+)"/)
        loaded.formUnion(calls.map { String($0.output.1) })
      }
    }
    // BSD's licence, twice; the LGPL, twice; Apache's.
    #expect(
      loaded == [
        "libspeexdsp.so.1", "libmysofa.so.1", "libSoundTouchDll.so.1", "libmpg123.so.0", "libvo-aacenc.so.0",
      ])
    let manifest = try Repository.text("Package.swift").lowercased()
    for library in ["speexdsp", "mysofa", "soundtouch", "soundtouchdll", "mpg123", "vo-aacenc"] {
      #expect(!manifest.contains("linkedlibrary(\"\(library)\"") && !manifest.contains("pkgconfig: \"\(library)\""))
    }
  }

  @Test(
    "The path of one slice can be walked: each of its ten steps is in the head of a file, and on the page",
    arguments: ["caller", "edge", "guard", "pull", "input", "notify", "parameters", "work", "convert", "out"])
  func pathOfOneSlice(step: String) throws {
    let files = try Repository.files(below: "Sources", suffix: ".swift").filter { file in
      // `// The path of one slice: edge, guard and pull. …`
      let head = try Repository.text(file).prefix(400).firstMatch(of: /The path of one slice: ([^.:]+)/)
      return head?.output.1.split { !$0.isLetter }.contains { $0 == step } ?? false
    }
    #expect(!files.isEmpty, "no file says that it has the step \(step)")
    let page = try Repository.text("docs/design/render-path.md")
    #expect(page.contains("\n| \(step) |"), "the page does not list the step \(step)")
  }

  @Test("A call of AudioUnitRender can be followed: each step's function is in the file that the page links")
  func pathOfOneCall() throws {
    let page = try Repository.text("docs/design/rendering.md")
    let steps = page.matches(of: /\n\| (\d+)[a-g]? \| `(\w+)` \| \[[^\]]+\]\(\.\.\/\.\.\/([^)]+)\)/)
    #expect(Set(steps.map { String($0.output.1) }) == Set((1...16).map { String($0) }))
    for step in steps {
      let file = String(step.output.3)
      #expect(try Repository.text(file).contains("func \(step.output.2)("), "\(file) has no function \(step.output.2)")
    }
    #expect(page.split(whereSeparator: \.isWhitespace).count <= 1700)
  }

  @Test("Files stay readable: none is longer than 500 lines")
  func filesAreShort() throws {
    // The division of the C interface into headers is given from outside.
    for suffix in [".swift", ".c", ".h"] {
      for file in try Repository.files(below: "Sources", suffix: suffix)
      where !file.hasPrefix("Sources/CoreAudio/CAudioToolbox/") {
        let lines = try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(lines <= 500, "\(file) has \(lines) lines")
      }
    }
  }
}
