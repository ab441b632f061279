import Foundation
import Glibc
import TestSupport
import Testing

@Suite("C programs as hosts and as makers of components")
struct ComponentHostTests {
  /// The folder of what was built: that of the tests' own program.
  static let products: String? = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    .map { URL(filePath: $0).deletingLastPathComponent().path }

  /// Compiles a program against the library, runs it, and returns what it said on both outputs and its exit code.
  func run(_ source: String, _ environment: [String: String] = [:]) throws -> (
    output: [String], errors: String, code: Int32
  ) {
    let products = try #require(Self.products)
    let tree = try TemporaryTree()
    let program = tree.path + "/program"
    try TestComponent.compile(
      source, options: ["-Wno-multichar", "-L", products, "-lAudioToolbox", "-Wl,-rpath," + products], to: program)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["AUBENCH_COMPONENT_PATH": "", "XDG_DATA_HOME": tree.path, "XDG_CACHE_HOME": tree.path]
    ) { $1 }.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complained = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (said.split(separator: "\n").map(String.init), complained, process.terminationStatus)
  }

  @Test("Each selector of a registered component is called with what the host passed; a missing one answers −4")
  func selectors() throws {
    let (output, errors, code) = try run("recorder.c")
    #expect(
      output == [
        "initialize", "uninitialize", "info 8 1 2", "get 8 1 2 4", "set 8 1 2 9 4", "parameter 3 1 2",
        "set parameter 3 1 2 0.5 64", "reset 1 2", "listen 8 1 0x10", "render 96 2 32 1", "notify 1 0x10",
        "unnotify 1 0x10", "schedule 5 2", "unlisten 8 1 0x10", "process 96 32 1", "multiple 32 1 1 1", "start", "stop",
        "closed 36",
        // The component's own answer; what fails to open has freed itself and is not closed.
        "open answers -4711, instance null, closed 36", "factory without anything answers -50, instance null",
        "factory null is registered as none",
      ])
    #expect(errors == "" && code == 0)
  }

  @Test("A host finds a bundle by search, and renders through it")
  func host() throws {
    let tree = try TemporaryTree()
    try TestComponent.bundle("Gain", in: tree.path)
    try TestComponent.bundle("Hostile", in: tree.path, subType: "host", macros: ["HOSTILE_FACTORY=abort()"])
    let (output, errors, code) = try run("host.c", ["AUBENCH_COMPONENT_PATH": tree.path])
    // out = 0.5 · (1000 + frame); the hostile one is not found.
    #expect(
      output == ["components 1", "found Acme: Gain, version 10203", "rendered 500 531.5 500.5"], "\(output)")
    #expect(errors == "" && code == 0)
    let log = try run("host.c", ["AUBENCH_COMPONENT_PATH": tree.path, "AUBENCH_COMPONENT_LOG": "1"]).errors
    #expect(log.split(separator: "\n").count == 1, "\(log)")
    #expect(log.contains("\"Acme: Hostile\" (aufx host Acme) crashed (SIGABRT) in its factory function"))
    // Whatever its folder is called, the line is one, and holds nothing that a terminal obeys.
    rename("\(tree.path)/Hostile.component", "\(tree.path)/Hos\u{1B}[2J\ntile.component")
    let named = try run("host.c", ["AUBENCH_COMPONENT_PATH": tree.path, "AUBENCH_COMPONENT_LOG": "1"]).errors
    #expect(named.filter { $0 == "\n" }.count == 1 && named.contains(#"/Hos\u{1B}[2J\ntile.component: "#), "\(named)")
  }

  @Test("Without the scanner, components are listed unseen and loaded when they are used")
  func noScanner() throws {
    let tree = try TemporaryTree()
    try TestComponent.bundle("Gain", in: tree.path)
    let (output, _, code) = try run("host.c", ["AUBENCH_COMPONENT_PATH": tree.path, "AUBENCH_SCANNER": ""])
    #expect(output.last == "rendered 500 531.5 500.5" && code == 0)
  }
}
