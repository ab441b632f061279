import TestSupport
import Testing

/// Features that the compiler does not check are in files that are named in `unsafe-tools.txt`, each with its reason.
@Suite("What the compiler does not watch over stands in named files")
struct ConfinementTests {
  /// A way around what the compiler promises, and how a line of source shows it.
  private static let tools: [(name: String, isUsed: @Sendable (Substring) -> Bool)] = [
    ("Unmanaged", { $0.contains("Unmanaged") }),
    ("Atomic", { $0.contains("Atomic<") }),
    ("allocate", { $0.contains(".allocate(") }),
    ("unchecked Sendable", { $0.contains("@unchecked Sendable") && !restates($0) }),
    ("unsafe pointer", { $0.contains("Unsafe") && $0.contains(/Unsafe\w*Pointer/) }),
  ]

  /// Swift 6.3 wants subclasses to repeat the conformance, and lets no class that has some be Sendable without `@unchecked`.
  private static func restates(_ line: Substring) -> Bool {
    let roots: Set<Substring> = [
      "Unit", "EffectUnit", "FilterEffect", "GeneratorUnit", "SecondOrderFilter", "InputFeed", "OfflineEffectUnit",
      "RateUnit", "TimePitchUnit", "UnitInstance", "RenderHold", "SchedulePlayer",
    ]
    return line.firstMatch(of: /class \w+(?:<[^>]*>)?: (\w+)/).map { roots.contains($0.output.1) } ?? false
  }

  /// Files by tool: `[TOOL]`, then paths below `Sources`; lines that begin with `#` say why.
  private static func named() throws -> [String: Set<String>] {
    var named: [String: Set<String>] = [:]
    var tool = ""
    for line in try Repository.text("Tests/Engine/AudioCoreTests/unsafe-tools.txt").split(separator: "\n")
    where !line.hasPrefix("#") {
      if let heading = line.wholeMatch(of: /\[(.+)\]/) {
        tool = String(heading.output.1)
        named[tool] = []
      } else {
        #expect(named[tool, default: []].insert(String(line)).inserted, "\(line) is named twice")
      }
    }
    return named
  }

  @Test("Each file that uses one is named, and each that is named uses it")
  func confined() throws {
    let named = try Self.named()
    #expect(Set(named.keys) == Set(Self.tools.map(\.name)))
    var used: [String: Set<String>] = [:]
    let files = try Repository.files(below: "Sources", suffix: ".swift")
    #expect(files.count > 300)
    for file in files {
      let code = try Repository.text(file).split(separator: "\n").map {
        $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex)
      }
      // A C interface is made of pointers.
      for tool in Self.tools
      where
        !(tool.name == "unsafe pointer" && ["Sources/CoreAudio/", "Sources/AVFAudio/"].contains(where: file.hasPrefix))
        && code.contains(where: tool.isUsed)
      {
        used[tool.name, default: []].insert(String(file.dropFirst("Sources/".count)))
      }
    }
    for tool in Self.tools {
      let found = used[tool.name] ?? []
      let listed = named[tool.name] ?? []
      let advice = "use Plane, FlatMemory, Span, HandOver, Semaphore, Locked or JoinedThread, or name it with a reason"
      #expect(
        found.subtracting(listed).sorted() == [],
        "\(tool.name) in a file that unsafe-tools.txt does not name: \(advice)")
      #expect(
        listed.subtracting(found).sorted() == [], "unsafe-tools.txt names a file that has no \(tool.name) any more")
    }
  }

  @Test("No more files of the engine name a pointer type than did when planes came: units, graphs and devices none")
  func pointers() throws {
    let files = try #require(try Self.named()["unsafe pointer"]).filter { $0.hasPrefix("Engine/") }
    #expect(files.count <= 27, "lower the number where there are fewer; do not raise it")
    for target in ["BuiltInUnits", "DeviceUnits", "RenderGraph"] {
      #expect(!files.contains { $0.hasPrefix("Engine/\(target)/") }, "\(target)")
    }
  }

  @Test("Threads, semaphores and conditions of POSIX are made in one place each")
  func posix() throws {
    let homes = [
      "pthread_create(": "Engine/AudioCore/Threads.swift", "sem_init(": "Engine/AudioCore/Semaphore.swift",
      "pthread_cond_init(": "Engine/AudioCore/ConditionLock.swift",
    ]
    for (call, home) in homes {
      let users = try Repository.files(below: "Sources", suffix: ".swift").filter {
        try Repository.text($0).contains(call)
      }
      #expect(users == ["Sources/\(home)"], "\(call)")
    }
  }

  @Test("Tests begin threads by TestSupport, which has them of AudioCore")
  func threadsOfTests() throws {
    let users = try Repository.files(below: "Tests", suffix: ".swift").filter {
      try !$0.hasSuffix("/ConfinementTests.swift") && Repository.text($0).contains("pthread_create(")
    }
    #expect(users == [])
  }
}
