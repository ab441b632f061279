import Foundation
import Glibc
import TestSupport
import Testing

/// The built program, run as a user's shell would run it.
enum Program {
  /// Beside the test bundle, or where the environment says.
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["AUBENCH"] { return path }
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("aubench").path
  }()

  static let repository = Repository.path
  static let demo = repository + "/fixtures/demo/demo.json"
  static let audio = repository + "/fixtures/audio"

  static func file(_ name: String) throws -> String {
    try String(contentsOfFile: repository + "/" + name, encoding: .utf8)
  }

  /// The result of a finished process.
  struct Result {
    /// The exit code, or 1000 + the number of the signal that ended it.
    let code: Int32
    let output: String
    let errors: String

    func json() throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }

    /// The value at a path of keys, as `file.frames`.
    func value(_ path: String) throws -> Any {
      var value: Any = try json()
      for key in path.split(separator: ".") {
        value = try #require((value as? [String: Any])?[String(key)], "no \(key) in \(output)")
      }
      return value
    }
  }

  static func run(_ arguments: String..., in folder: TemporaryFolder? = nil) throws -> Result {
    try run(arguments, in: folder)
  }

  /// Runs the program, and holds its exit code to what the help of the command says that it can be.
  static func run(_ arguments: [String], in folder: TemporaryFolder? = nil) throws -> Result {
    let result = try Running([path] + arguments, in: folder).wait()
    if result.code != 0, let command = arguments.first, HelpTests.commands.contains(command) {
      let codes = try exitCodes(of: command)
      #expect(codes.contains(result.code), "the help of \(command) does not list \(result.code): \(result.errors)")
    }
    return result
  }

  /// The exit codes that the help of a command lists; nil: that of the program.
  static func exitCodes(of command: String?) throws -> Set<Int32> {
    let help = try Running([path] + (command.map { [$0] } ?? []) + ["--help"]).wait().output
    let start = try #require(help.range(of: "\nExit codes:\n")?.upperBound)
    let lines = help[start...].split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("  ") }
    return Set(
      lines.compactMap {
        $0.hasPrefix("   ") && $0.dropFirst(3).first == " " ? nil : $0.split(separator: " ").first.flatMap { Int32($0) }
      })
  }

  /// A line of shell in which `$AUBENCH` is the program.
  static func shell(_ line: String, in folder: TemporaryFolder? = nil) throws -> Result {
    try Running(["/bin/sh", "-c", "AUBENCH='\(path)'\n" + line], in: folder).wait()
  }

  /// A process on its way. Signals have their default meaning in it, whatever the test runner ignores.
  final class Running {
    let pid: pid_t
    private let folder: TemporaryFolder
    /// The working folder: kept as long as needed.
    private let workingFolder: TemporaryFolder?

    init(_ words: [String], in folder: TemporaryFolder? = nil) throws {
      workingFolder = folder
      self.folder = TemporaryFolder()
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      let flags = O_WRONLY | O_CREAT | O_TRUNC
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, self.folder.file("output"), flags, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, self.folder.file("errors"), flags, 0o600)
      var signals = sigset_t()
      sigfillset(&signals)
      posix_spawnattr_setsigdefault(&attributes, &signals)
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
      // The shell goes to the folder and becomes the program.
      let line = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder?.path ?? "."] + words
      let strings = line.map { strdup($0) } + [nil]
      defer { for string in strings { free(string) } }
      var pid: pid_t = 0
      try #require(posix_spawn(&pid, line[0], &actions, &attributes, strings, environ) == 0, "\(words[0])")
      self.pid = pid
    }

    func wait() throws -> Result {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 { try #require(errno == EINTR) }
      let signal = status & 0x7F
      return Result(
        code: signal == 0 ? (status >> 8) & 0xFF : 1000 + signal,
        output: try String(contentsOfFile: folder.file("output"), encoding: .utf8),
        errors: try String(contentsOfFile: folder.file("errors"), encoding: .utf8))
    }

    /// Waits until the process has a file open for writing in a folder; answers false where it has ended before.
    /// - Parameter ending: the end of the file's name.
    func waitUntilWriting(in folder: TemporaryFolder, ending: String = "") -> Bool {
      let descriptors = "/proc/\(pid)/fd"
      while kill(pid, 0) == 0, let names = try? FileManager.default.contentsOfDirectory(atPath: descriptors) {
        let links = names.compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: descriptors + "/" + $0)
        }
        if links.contains(where: { $0.hasPrefix(folder.path + "/") && $0.hasSuffix(ending) }) { return true }
        if names.isEmpty { return false }
        sched_yield()
      }
      return false
    }
  }
}
