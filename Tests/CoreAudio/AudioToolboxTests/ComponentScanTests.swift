import AudioCore
import AudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Third-party components are looked at in a process of their own")
struct ComponentScanTests {
  /// A search path of one folder, with the installed scanner.
  struct Place {
    let tree: TemporaryTree
    var cacheFile: String { tree.path + "/cache/components.json" }

    init() throws { tree = try TemporaryTree() }

    func components(limitSeconds: Double = 60) throws -> InstalledComponents {
      let scanner = try #require(ComponentScanner.installed(environment: [:]), "aubench-scan is not beside the tests")
      return InstalledComponents(
        folders: ComponentFolders(folders: [tree.path], cacheFile: cacheFile),
        scanner: ComponentScanner(program: scanner.program, limitSeconds: limitSeconds))
    }

    func failure(limitSeconds: Double = 60) throws -> String? {
      let report = try components(limitSeconds: limitSeconds).report()
      return report.components.first?.verdict?.failure ?? report.problems.first?.problem
    }
  }

  @Test("A healthy one tells what it is", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func healthy(format: PropertyListSerialization.PropertyListFormat) throws {
    let place = try Place()
    let path = try TestComponent.bundle("Gain", in: place.tree.path, format: format)
    let report = try place.components().report()
    let found = try #require(report.components.first)
    #expect(report.components.count == 1 && report.problems.isEmpty)
    #expect(found.component.name == "Acme: Gain" && "\(found.component.codes)" == "aufx gain Acme")
    #expect(found.component.version == 0x1_0203 && found.component.bundlePath == path)
    let verdict = try #require(found.verdict)
    #expect(verdict.failure == nil)
    #expect(verdict.inputBuses == 1 && verdict.outputBuses == 1 && verdict.parameters == 1 && verdict.presets == 2)
    #expect(verdict.tailSeconds == 0.25)
  }

  @Test(
    "The code is found in each place where bundles have it",
    arguments: ["Contents/Linux", "Contents/MacOS", "Contents/Linux-\(Self.machine)", "."])
  func places(place name: String) throws {
    let place = try Place()
    try TestComponent.bundle("Gain", in: place.tree.path, place: name)
    #expect(try place.failure() == nil)
  }

  private static var machine: String {
    #if arch(arm64)
      "aarch64"
    #else
      "x86_64"
    #endif
  }

  @Test(
    "A hostile one is listed with the reason",
    arguments: [
      ("HOSTILE_FACTORY=abort()", "crashed (SIGABRT) in its factory function"),
      ("HOSTILE_FACTORY=*(volatile int *)16=1", "crashed (SIGSEGV) in its factory function"),
      ("HOSTILE_OPEN=__builtin_trap()", "crashed (SIGILL) while it was opened"),
      ("HOSTILE_OPEN=return -50", "cannot be opened: an argument is wrong (-50)"),
      ("HOSTILE_INITIALIZE=exit(0)", "ended the process (exit code 0) while it was initialized"),
      ("HOSTILE_INITIALIZE=return -10868", "Initialize answered: the stream format is not supported here (-10868)"),
      ("HOSTILE_INITIALIZE=if(!malloc(5ul<<30))abort()", "crashed (SIGABRT) while it was initialized"),
      ("HOSTILE_RENDER=unit->gain=0.0f/0.0f", "put out nan in frame 0 of buffer 0, fed with silence"),
      ("HOSTILE_RENDER=return -10863", "Render, fed with silence, answered: "),
      ("HOSTILE_FACTORY=extern void nobody(void);nobody()", "cannot be loaded: "),
    ])
  func hostile(macro: String, reason: String) throws {
    #if !arch(x86_64)
      if macro.contains("trap") { return }
    #endif
    let place = try Place()
    try TestComponent.bundle("Bad", in: place.tree.path, macros: [macro])
    let failure = try #require(try place.failure())
    #expect(failure.hasPrefix(reason), "\(failure)")
  }

  /// The function with which C++'s own library throws, called from C.
  @Test(
    "An exception that is let out is a status: the one that it names, or one for its kind",
    arguments: [
      (#"21__throw_runtime_errorPKc("OSStatus -10877")"#, -10877),
      (#"21__throw_runtime_errorPKc("anything")"#, -1), ("17__throw_bad_allocv()", -108),
    ])
  func throwing(call: String, status: Int) throws {
    let place = try Place()
    let name = call.prefix { $0 != "(" }
    let takes = name.hasSuffix("PKc") ? "const char *" : "void"
    try TestComponent.bundle(
      "Bad", in: place.tree.path, macros: ["HOSTILE_RENDER=extern void _ZSt\(name)(\(takes));_ZSt\(call)"])
    let failure = try #require(try place.failure())
    #expect(failure.hasPrefix("Render, fed with silence, answered: ") && failure.hasSuffix("(\(status))"), "\(failure)")
  }

  @Test("One that hangs is ended when its time is up")
  func hanging() throws {
    let place = try Place()
    try TestComponent.bundle("Bad", in: place.tree.path, macros: ["HOSTILE_OPEN=for(;;)pause()"])
    let failure = try #require(try place.failure(limitSeconds: 3))
    #expect(failure.hasPrefix("did not answer within 3 s "), "\(failure)")
  }

  @Test("One that lets go of the pipe and hangs is ended too")
  func silentHanging() throws {
    let place = try Place()
    try TestComponent.bundle("Bad", in: place.tree.path, macros: ["HOSTILE_OPEN=close(3);for(;;)pause()"])
    let failure = try #require(try place.failure(limitSeconds: 3))
    #expect(failure.hasPrefix("did not answer within 3 s "), "\(failure)")
  }

  /// Processes that have the name of the place on their command line.
  private func processes(_ place: Place) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { name in
      guard Int32(name) != nil, let words = try? Data(contentsOf: URL(filePath: "/proc/\(name)/cmdline")) else {
        return false
      }
      return String(decoding: words, as: UTF8.self).contains(place.tree.path)
    }
  }

  @Test("One that kills the process that started it kills neither the host nor anything of it")
  func parricide() throws {
    let place = try Place()
    try TestComponent.bundle(
      "Bad", in: place.tree.path,
      macros: ["HOSTILE_OPEN=extern int kill(int,int);kill(getppid(),9);for(;;)pause()"])
    let failure = try #require(try place.failure())
    #expect(failure == "crashed (SIGKILL) while it was opened", "\(failure)")
    #expect(processes(place).isEmpty)
  }

  @Test(
    "Processes that one starts end with the look at it, wherever they have gone",
    arguments: [
      ("", nil), ("abort()", "crashed (SIGABRT) while it was opened"),
      ("for(;;)pause()", "did not answer within 3 s while it was opened"),
      ("extern int kill(int,int);kill(getppid(),9);pause()", "crashed (SIGKILL) while it was opened"),
    ] as [(String, String?)])
  func runaway(last: String, failure: String?) throws {
    let place = try Place()
    try TestComponent.bundle(
      "Bad", in: place.tree.path,
      macros: [
        "HOSTILE_OPEN=if(!fork()){setsid();if(!fork()){setsid();for(;;)pause();}for(;;)pause();}\(last)"
      ])
    #expect(try place.failure(limitSeconds: last.hasPrefix("for") ? 3 : 60) == failure)
    #expect(processes(place).isEmpty)
  }

  @Test("A bundle that is wrong as a whole is named with the reason")
  func wrongBundles() throws {
    let place = try Place()
    try TestComponent.bundle("Wrong", in: place.tree.path, subType: "none")
    #expect(try place.failure() == "is not made by its factory function: an argument is wrong (-50)")

    let other = try Place()
    try TestComponent.bundle("Wrong", in: other.tree.path, factory: "Nobody")
    #expect(try other.failure() == "has no function \"Nobody\" to make it")

    let codes = try Place()
    try TestComponent.bundle("Wrong", in: codes.tree.path, subType: "five!")
    #expect(try codes.failure() == "AudioComponents[0]: its subtype is not a four-character code")

    let empty = try Place()
    try FileManager.default.createDirectory(
      atPath: empty.tree.path + "/Empty.component/Contents", withIntermediateDirectories: true)
    #expect(try empty.failure() == "it has no Contents/Info.plist")
    _ = FileManager.default.createFile(
      atPath: empty.tree.path + "/Empty.component/Contents/Info.plist", contents: Data("<plist".utf8))
    #expect(try empty.failure() == "its Info.plist is no property list")
  }

  @Test("What was found is kept, and looked at again only where the files have changed")
  func cache() throws {
    let place = try Place()
    let path = try TestComponent.bundle("Gain", in: place.tree.path)
    let first = try place.components()
    _ = first.report()
    _ = first.report()
    #expect(first.scanCount == 1)
    let second = try place.components()
    #expect(second.report().components.first?.verdict == first.report().components.first?.verdict)
    #expect(second.scanCount == 0)
    // Another time of the property list.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path + "/Contents/Info.plist")
    let third = try place.components()
    _ = third.report()
    #expect(third.scanCount == 1)
    // A damaged file is as good as none, and is mended.
    try Data("{\"version\":1,\"bundles\":[".utf8).write(to: URL(filePath: place.cacheFile))
    let fourth = try place.components()
    _ = fourth.report()
    #expect(fourth.scanCount == 1)
    let fifth = try place.components()
    _ = fifth.report()
    #expect(fifth.scanCount == 0)
  }

  @Test("Nothing is looked at that nobody asks for, and no process is started without a bundle")
  func lazy() throws {
    let place = try Place()
    let none = try place.components()
    #expect(none.report().components.isEmpty && none.scanCount == 0)
    #expect(!FileManager.default.fileExists(atPath: place.cacheFile))
    try TestComponent.bundle("Gain", in: place.tree.path)
    try TestComponent.bundle("Bad", in: place.tree.path, subType: "bad ", macros: ["HOSTILE_OPEN=abort()"])
    let units = InstalledUnits(try place.components())
    #expect(try units.component(named: "aufx gain Acme")?.name == "Acme: Gain")
    #expect(try units.component(named: "Gain")?.name == "Acme: Gain")
    #expect(try units.component(named: "nobody") == nil)
    do {
      _ = try units.component(named: "Acme: Bad")
      Issue.record("a component that crashes was handed out")
    } catch {
      #expect(error.description.contains("Bad.component cannot be used: it "))
    }
  }

  @Test("Of two with the same codes the first in path order wins")
  func duplicates() throws {
    let first = try Place()
    let second = try Place()
    try TestComponent.bundle("One", in: first.tree.path)
    let hidden = try TestComponent.bundle("Two", in: second.tree.path)
    let both = InstalledComponents(
      folders: ComponentFolders(folders: [first.tree.path, second.tree.path], cacheFile: nil), scanner: nil)
    let report = both.report()
    #expect(report.components.map(\.component.name) == ["Acme: One"])
    #expect(report.components.first?.verdict == nil)
    #expect(report.problems.first?.path == hidden)
  }

  @Test("The environment says where components lie")
  func folders() {
    let folders = ComponentFolders(
      environment: [
        "AUBENCH_COMPONENT_PATH": "/a:/b", "XDG_DATA_HOME": "/data", "XDG_CACHE_HOME": "/cache", "HOME": "/home/me",
      ])
    #expect(folders.folders.prefix(3) == ["/a", "/b", "/data/aubench/components"])
    #expect(folders.folders.contains("/usr/lib/aubench/components"))
    #expect(folders.cacheFile == "/cache/aubench/components.json")
    let plain = ComponentFolders(environment: ["HOME": "/home/me"])
    #expect(plain.folders.first == "/home/me/.local/share/aubench/components")
    #expect(plain.cacheFile == "/home/me/.cache/aubench/components.json")
  }

  @Test("The log tells what was asked for, once, and nothing else")
  func log() throws {
    let place = try Place()
    let scanner = try #require(ComponentScanner.installed(environment: [:]))
    try TestComponent.bundle("Gain", in: place.tree.path)
    try TestComponent.bundle("Bad", in: place.tree.path, subType: "bad ", macros: ["HOSTILE_OPEN=abort()"])
    // One whose codes are known and that has no code, and one of which nothing is known.
    let codeless = try TestComponent.bundle("Codeless", in: place.tree.path, subType: "none")
    try FileManager.default.removeItem(atPath: codeless + "/Contents/Linux/Codeless.so")
    try FileManager.default.createDirectory(
      atPath: place.tree.path + "/Unknown.component/Contents", withIntermediateDirectories: true)

    let lines = Locked<[String]>([])
    func said() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines.map { String($0.dropFirst(place.tree.path.count + 1).prefix { $0 != ":" }) }
      }
    }
    func list() -> InstalledComponents {
      InstalledComponents(
        folders: ComponentFolders(folders: [place.tree.path], cacheFile: nil),
        scanner: ComponentScanner(program: scanner.program, limitSeconds: 60),
        log: { text in lines.withLock { $0.append(text) } })
    }
    func description(_ subType: String) -> AudioComponentDescription {
      var wanted = AudioComponentDescription()
      wanted.componentType = kAudioUnitType_Effect
      wanted.componentSubType = subType.utf8.reduce(0) { $0 << 8 | UInt32($1) }
      wanted.componentManufacturer = "Acme".utf8.reduce(0) { $0 << 8 | UInt32($1) }
      return wanted
    }

    let one = list()
    #expect(one.names(matching: description("gain")) == ["Acme: Gain"] && said() == [])
    #expect(one.names(matching: description("bad ")).isEmpty)
    // Looked for in vain: also what cannot be read may be it. It has neither a list nor code.
    #expect(said() == ["Bad.component", "Unknown.component", "Unknown.component"])
    #expect(one.names(matching: description("bad ")).isEmpty && said() == [])
    #expect(one.names(matching: description("none")).isEmpty && said() == ["Codeless.component"])

    let all = list()
    _ = all.report()
    #expect(
      said().sorted() == ["Bad.component", "Codeless.component", "Unknown.component", "Unknown.component"])
    _ = all.report()
    #expect(said() == [])
  }

  /// Each of two waits, in its factory function, until the other one's has been called. In a process of its own: in
  /// this one other tests may have all of Dispatch's threads, and then components are looked at one after another.
  @Test(
    "Components are looked at side by side, and told in the order of their paths",
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func parallel() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      let meeting = try TemporaryTree()
      for (name, own, other) in [("A", "a", "b"), ("B", "b", "a")] {
        // The factory makes a unit of one subtype.
        let wait =
          "({ static AudioComponentDescription gain; gain = *description; gain.componentSubType = 0x6761696E; "
          + "description = &gain; FILE *mine = fopen(\"\(meeting.path)/\(own)\", \"w\"); if (mine) fclose(mine); "
          + "for (FILE *other = NULL; !other; other = fopen(\"\(meeting.path)/\(other)\", \"r\")) usleep(1000); })"
        try TestComponent.bundle(
          name, in: place.tree.path, subType: "gai\(own)", macros: ["HOSTILE_FACTORY=\(wait)"])
      }
      let components = try place.components(limitSeconds: 100)
      let report = components.report()
      #expect(report.components.map(\.component.name) == ["Acme: A", "Acme: B"])
      #expect(report.components.map(\.verdict?.failure) == [nil, nil])
      #expect(components.scanCount == 2)
    }
  }

  @Test("A component may release its constant strings too often, as one does that was written for a Mac")
  func constantStrings() throws {
    let place = try Place()
    try TestComponent.bundle(
      "Strings", in: place.tree.path,
      macros: ["HOSTILE_OPEN=({ for (int turn = 0; turn < 1000; ++turn) CFRelease(CFSTR(\"Unity\")); })"])
    let report = try place.components().report()
    #expect(report.components.first?.verdict?.failure == nil)
    #expect(report.components.first?.verdict?.presets == 2)
  }
}
