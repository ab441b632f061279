import Foundation
import TestSupport
import Testing

@Suite("A header leaves the host's own diagnostics as they are without it")
struct DiagnosticTests {
  /// A host with many diagnostics: errors, warnings that are errors by default, warnings that are on or off, that it
  /// has made errors or switched off itself; and one pop too many, which shows how deep the stack of states is.
  private static let host = """
    int number = "text";
    double calls(int unused) { return zqxjkv_undeclared(1) + 0.1f; }
    struct Pair { int first; int second; };
    struct Pair pair = {1};
    void written(int format) { char *text = "constant"; switch (format) { case 1: text = 0; } }
    #define ZQXJKV 1
    int narrow(unsigned count) { int small = 3.5 + 0x80000000L; return count < small ? small : -count; }
    #pragma clang diagnostic pop
    int behind(int unused) { return 1; }
    int number_too = "text";
    #pragma clang diagnostic pop

    """

  private enum Language: String, CaseIterable {
    case c, cpp
    var standard: String { self == .c ? "gnu17" : "c++17" }
  }

  /// Every diagnostic of the host behind these headers, by line.
  private static func diagnostics(
    behind headers: [String], _ language: Language, _ flags: [String], toolchain: String? = nil
  ) throws -> [String] {
    let installation = try Installation.shared()
    let folder = TemporaryFolder()
    let source = """
      #pragma clang diagnostic push
      #pragma clang diagnostic ignored "-Wunused-parameter"
      #pragma clang diagnostic error "-Wunused-macros"
      \((headers + ["stddef.h"]).map { "#include <\($0)>" }.joined(separator: "\n"))
      #line 100 "host"
      \(host)
      """
    let path = folder.write(source, to: "host.\(language.rawValue)")
    let compiler = try #require(Installation.toolchain).appending(path: "clang").path
    var compileFlags = installation.compileFlags
    if let toolchain, let place = compileFlags.firstIndex(of: "-isystem") { compileFlags[place + 1] = toolchain }
    let run = try Finished(
      compiler,
      ["-std=\(language.standard)", "-fsyntax-only", "-fno-caret-diagnostics", "-ferror-limit=0"] + flags + compileFlags
        + [path])
    return run.errors.split(separator: "\n").map(String.init)
      .filter { $0.contains("error:") || $0.contains("warning:") }
  }

  private static let strict = ["-Wall", "-Wextra", "-Weverything"]

  @Test("What is to be said of the host is said, where there is no header of ours")
  func theHostAlone() throws {
    let c = try Self.diagnostics(behind: [], .c, Self.strict)
    for expected in [
      "host:100:5: error: incompatible pointer to integer conversion", "-Wimplicit-function-declaration",
      "host:108:16: warning: unused parameter", "-Wmissing-field-initializers", "[-Werror,-Wunused-macros]",
      "-Wswitch-default", "-Wsign-compare", "host:109:5: error:",
      "host:110:29: warning: pragma diagnostic pop could not pop",
    ] {
      #expect(c.contains { $0.contains(expected) }, "\(expected) in \(c)")
    }
    #expect(!c.contains { $0.contains("host:101:16: warning: unused parameter") })
    #expect(try Self.diagnostics(behind: [], .cpp, Self.strict).count > 8)
  }

  @Test("The umbrella header, under many sets of flags, with CoreFoundation before it, behind it and alone")
  func umbrella() throws {
    let umbrella = "AudioToolbox/AudioToolbox.h"
    let foundation = "CoreFoundation/CoreFoundation.h"
    let orders = [[umbrella], [foundation, umbrella], [umbrella, foundation], [foundation]]
    for language in Language.allCases {
      for flags in [
        [], ["-Wall"], Self.strict, Self.strict + ["-Werror"], ["-w"], ["-Wall", "-Wno-int-conversion"],
        ["-pedantic-errors", "-Wall"], ["-Wall", "-Wno-unused-parameter", "-Werror=missing-field-initializers"],
      ] {
        let without = try Self.diagnostics(behind: [], language, flags)
        for headers in flags == Self.strict ? orders : [orders[0]] {
          #expect(try Self.diagnostics(behind: headers, language, flags) == without, "\(headers) \(language) \(flags)")
        }
      }
    }
  }

  /// In one of the languages; the umbrella has all of them in both.
  @Test("Every public header, alone")
  func everyHeader() throws {
    let root = "Sources/CoreAudio/CAudioToolbox/include"
    let headers = try Repository.files(below: root, suffix: ".h").map { String($0.dropFirst(root.count + 1)) }
    #expect(headers.count > 50)
    for (turn, language) in Language.allCases.enumerated() {
      let without = try Self.diagnostics(behind: [], language, Self.strict)
      for header in headers.indices.filter({ $0 % 2 == turn }).map({ headers[$0] }) {
        #expect(try Self.diagnostics(behind: [header], language, Self.strict) == without, "\(header) \(language)")
      }
    }
  }

  /// Another toolchain's CoreFoundation may pop what it pushes.
  @Test("A toolchain whose CoreFoundation is balanced, or leaves another push behind")
  func otherToolchains() throws {
    let installation = try Installation.shared()
    let place = try #require(installation.compileFlags.firstIndex(of: "-isystem"))
    let original = installation.compileFlags[place + 1]
    let files = FileManager.default
    for (file, added) in [
      ("CFRuntime.h", "\n#pragma GCC diagnostic pop\n"),
      ("CFArray.h", "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wall\"\n"),
    ] {
      let copy = "\(installation.folder)/toolchain-\(file)"
      try? files.removeItem(atPath: copy)
      try files.createDirectory(atPath: "\(copy)/CoreFoundation", withIntermediateDirectories: true)
      for folder in ["Block", "dispatch", "os"] {
        try files.createSymbolicLink(atPath: "\(copy)/\(folder)", withDestinationPath: "\(original)/\(folder)")
      }
      // Written anew: a copied file keeps its owner, which only root can give.
      for name in try files.contentsOfDirectory(atPath: "\(original)/CoreFoundation") {
        let header = try Data(contentsOf: URL(filePath: "\(original)/CoreFoundation/\(name)"))
        try header.write(to: URL(filePath: "\(copy)/CoreFoundation/\(name)"))
      }
      var changed = try String(contentsOfFile: "\(original)/CoreFoundation/\(file)", encoding: .utf8)
      // Inside the header's own guard.
      let end = try #require(changed.range(of: "#endif", options: .backwards))
      changed.insert(contentsOf: added, at: end.lowerBound)
      try changed.write(toFile: "\(copy)/CoreFoundation/\(file)", atomically: true, encoding: .utf8)
      for language in Language.allCases {
        let without = try Self.diagnostics(behind: [], language, Self.strict)
        let with = try Self.diagnostics(
          behind: ["AudioToolbox/AudioToolbox.h"], language, Self.strict, toolchain: copy)
        // If another header leaves a push behind, the host's state is as it was, but there is one more of it to pop.
        let known = file == "CFRuntime.h" ? 200 : 108
        func upTo(_ lines: [String]) -> [String] {
          lines.filter { line in (100..<known).contains { line.hasPrefix("host:\($0):") } }
        }
        #expect(upTo(with) == upTo(without) && upTo(with).count > 5, "\(file) \(language)")
      }
    }
  }

  @Test("A program of Swift: what its own C headers do wrong is told behind ours")
  func importer() throws {
    let installation = try Installation.shared()
    let folder = TemporaryFolder()
    let swiftc = try #require(Installation.toolchain).appending(path: "swiftc").path
    let program = folder.write("print(zqxjkv())\n", to: "program.swift")
    func build(_ includes: String) throws -> Finished {
      let header = folder.write(
        "\(includes)\n#line 100 \"host\"\nstatic inline int zqxjkv(void) { int number = \"text\"; return number; }\n",
        to: "bridging.h")
      return try Finished(
        swiftc,
        [
          "-typecheck", "-I\(installation.libraryFolder)/aubench", "-I\(installation.prefix)/include/aubench",
          "-import-objc-header", header, program,
        ])
    }
    for includes in ["", "#include <AudioToolbox/AudioToolbox.h>", "#include <CoreServices/CoreServices.h>"] {
      let run = try build(includes)
      #expect(run.code != 0 && run.errors.contains("incompatible pointer to integer conversion"), "\(includes)")
    }
  }
}
