import Foundation
import TestSupport
import Testing

/// The C interface as `make install` puts it in place, in a folder beside the test bundle.
final class Installation: Sendable {
  /// Installed once for all tests.
  static func shared() throws -> Installation { try made.get() }
  private static let made = Result { try Installation() }

  /// The folder in which this package's programs and libraries are built.
  static let buildFolder: URL = {
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: bundle).deletingLastPathComponent()
  }()

  /// The folder of the toolchain's programs: where the first `swiftc` of the path really is.
  static let toolchain: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { URL(filePath: String($0)).appending(path: "swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    .map { $0.resolvingSymlinksInPath().deletingLastPathComponent() }

  let prefix: String
  /// The folder for compiled programs and their files.
  let folder: String
  let compileFlags: [String]
  let linkFlags: [String]

  var libraryFolder: String { prefix + "/lib" }

  private init() throws {
    let root = Self.buildFolder.appending(path: "client-tests").path
    try? FileManager.default.removeItem(atPath: root)
    prefix = root + "/prefix"
    folder = root + "/programs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let install = try Finished(
      "\(Repository.path)/Scripts/install-library", [Self.buildFolder.path, prefix])
    guard install.code == 0 else { throw Failure("install-library: \(install.errors)") }
    func flags(_ kind: String) throws -> [String] {
      let run = try Finished(
        "/usr/bin/env", ["pkg-config", kind, "AudioToolbox"], ["PKG_CONFIG_PATH": root + "/prefix/lib/pkgconfig"])
      guard run.code == 0 else { throw Failure("pkg-config: \(run.errors)") }
      return run.output.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    compileFlags = try flags("--cflags")
    linkFlags = try flags("--libs")
  }

  /// Compiles and links sources of `Tests/Clients`, warnings as errors.
  /// - Returns: the path of the program, and what the compiler said.
  func build(
    _ source: String, standard: String = "gnu17", with arguments: [String] = []
  ) throws -> (program: String, said: String) {
    let toolchain = try #require(Self.toolchain, "no swiftc on the path")
    let isCxx = source.hasSuffix(".cpp")
    // Each build a file of its own: tests run side by side.
    let program = "\(folder)/\(source.split(separator: ".")[0])-\(standard)-\(UUID().uuidString.prefix(8))"
    let run = try Finished(
      toolchain.appending(path: isCxx ? "clang++" : "clang").path,
      ["-std=\(standard)", "-O1", "-Wall", "-Wextra", "-Werror"] + arguments
        + ["\(Repository.path)/Tests/Clients/\(source)"] + compileFlags + linkFlags + ["-o", program])
    return (program, run.errors)
  }

  /// Builds a program in C that stands on a page, and runs it as fast as it can.
  /// - Parameters:
  ///   - index: the number of the program among those of the page.
  ///   - wave: the sound of the device is written there.
  func runProgram(
    ofPage page: String, _ index: Int = 0, arguments: [String] = [], wave: String
  ) throws -> Finished {
    let programs = try Repository.text(page).matches(of: /```c\n((?:.|\n)*?)```/).map(\.output.1)
    try #require(index < programs.count, "\(page)")
    // A reader takes it in at one look.
    #expect(programs[index].split(separator: "\n").count <= 20)
    let build = TemporaryFolder()
    let source = build.write(String(programs[index]), to: "page.c")
    let clang = try #require(Self.toolchain).appending(path: "clang").path
    let built = try Finished(
      clang,
      ["-std=gnu17", "-Wall", "-Wextra", "-Werror", source] + compileFlags + linkFlags + ["-o", build.file("page")])
    try #require(built.code == 0, "\(built.errors)")
    return try Finished(
      build.file("page"), arguments,
      ["AUBENCH_DEVICE_CLOCK": "free", "AUBENCH_DEVICE_RATE": "44100", "AUBENCH_DEVICE_WAV": wave])
  }

  /// Builds a client and runs it; a device runs for one second, as fast as it can, at `deviceRate`.
  func run(
    _ source: String, standard: String = "gnu17", _ arguments: [String] = [], deviceRate: Int = 44_100,
    wave: String? = nil
  ) throws -> Finished {
    let (program, said) = try build(source, standard: standard)
    try #require(said == "", "\(source) as \(standard)")
    return try Finished(
      program, arguments,
      [
        "AUBENCH_DEVICE_CLOCK": "free", "AUBENCH_DEVICE_SECONDS": "1", "AUBENCH_DEVICE_RATE": "\(deviceRate)",
        "AUBENCH_DEVICE_WAV": wave ?? "",
      ])
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The result of a process.
struct Finished {
  /// The exit code, or 1000 + the number of the signal that ended it.
  let code: Int32
  let output: String
  let errors: String
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Runs a program with variables added to this process's environment, and waits for its end.
  init(_ program: String, _ arguments: [String] = [], _ variables: [String: String] = [:]) throws {
    let folder = TemporaryFolder()
    let output = folder.write("", to: "output")
    let errors = folder.write("", to: "errors")
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a long output cannot block.
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    code = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 1000 : 0)
    self.output = try String(contentsOfFile: folder.file("output"), encoding: .utf8)
    self.errors = try String(contentsOfFile: folder.file("errors"), encoding: .utf8)
  }
}
