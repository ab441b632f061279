import Foundation
import Glibc
import Testing

/// Every command with every signal: it ends with 128 + its number, and nothing is left of its files and processes.
@Suite(.serialized) struct EndingTests {
  static let stopping = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM]
  /// These kill: the first because it always does, the others because the language's runtime needs them at a crash.
  static let killing = [SIGKILL, SIGUSR1, SIGUSR2]
  static let commands = CommandRuns.long.keys.sorted()

  static func runs(for name: String = "") throws -> CommandRuns {
    let runs = try CommandRuns()
    try runs.writeInputs()
    if name == "describe" || name == "units" { try runs.installHangingComponent() }
    return runs
  }

  @Test(arguments: commands)
  func everySignalEndsEveryCommandAndLeavesNothing(_ name: String) throws {
    let line = try #require(CommandRuns.long[name])
    let runs = try Self.runs(for: name)
    for signal in Self.stopping {
      unlink(runs.output.file("begun"))
      let running = try runs.start(line)
      try runs.awaitWork(running, name)
      kill(running.pid, signal)
      let result = try running.wait()
      #expect(result.code == 128 + signal, "\(name), \(signal): \(result.errors)")
      #expect(result.errors.hasPrefix("aubench: stopped by SIG") && result.errors.filter { $0 == "\n" }.count == 1)
      #expect(result.output.isEmpty)
      #expect(runs.processes.isEmpty, "\(name), \(signal)")
      #expect(runs.litter.isEmpty, "\(name), \(signal): \(runs.litter)")
    }
  }

  /// The rest of a killed program is removed by itself, as soon as its supervisors and the cleaner of its folder have
  /// run.
  @Test(.timeLimit(.minutes(5)), arguments: commands)
  func aKilledCommandLeavesNothingEither(_ name: String) throws {
    let line = try #require(CommandRuns.long[name])
    let runs = try Self.runs(for: name)
    for signal in Self.killing {
      unlink(runs.output.file("begun"))
      let running = try runs.start(line)
      try runs.awaitWork(running, name)
      kill(running.pid, signal)
      #expect(try running.wait().code == 1000 + signal)
      while !(runs.processes.isEmpty && runs.litter.isEmpty) { sched_yield() }
    }
  }

  @Test func aFolderWhoseOwnerAndCleanerWereKilledGoesWithTheNextRun() throws {
    let runs = try Self.runs()
    let line = #"measure -- sh -c ': > "$OUT/begun"; tail -f "$IN/in.wav"' {in} {out}"#
    let running = try runs.start(line)
    try runs.awaitWork(running, "measure a command")
    let stale = try #require(runs.temporary.names.first { $0.hasPrefix("aubench-") })
    try FileManager.default.createDirectory(
      atPath: runs.temporary.file("aubench-others"), withIntermediateDirectories: true)
    runs.temporary.write("not ours", to: "aubench-others/file")
    // A second program does not touch the folder of the first.
    let short = try #require(CommandRuns.short["verify"])
    #expect(try Program.shell(runs.shell(short)).code == 0)
    #expect(runs.temporary.names.contains(stale))
    for process in runs.processes where process != running.pid {
      let words = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      if words.contains("rm -rf") { kill(process, SIGKILL) }
    }
    kill(running.pid, SIGKILL)
    _ = try running.wait()
    #expect(runs.temporary.names.contains(stale))
    #expect(try Program.shell(runs.shell(short)).code == 0)
    #expect(runs.temporary.names.filter { $0 != "aubench" } == ["aubench-others"])
    #expect(runs.temporary.exists("aubench-others/file"))
  }

  @Test func anIgnoredSignalStaysIgnored() throws {
    let runs = try Self.runs()
    let line = try #require(CommandRuns.long["measure a command"])
    let running = try runs.start(line, before: "trap '' HUP INT")
    try runs.awaitWork(running, "measure a command")
    for signal in [SIGHUP, SIGINT, SIGPIPE, SIGXFSZ] { kill(running.pid, signal) }
    #expect(isAlive(running.pid))
    kill(running.pid, SIGTERM)
    #expect(try running.wait().code == 128 + SIGTERM)
  }

  /// Without threads signals cannot be waited for: they keep their default meaning, and the rest is removed as after
  /// SIGKILL.
  @Test(.timeLimit(.minutes(5))) func aSignalEndsACommandThatCouldStartNoThread() throws {
    let runs = try Self.runs()
    let line = try #require(CommandRuns.long["measure a command"])
    // The stack of a thread is as large as `ulimit -s` says: larger than the address space may be.
    let running = try runs.start(line, before: "ulimit -s 100000000; ulimit -v 8000000")
    try runs.awaitWork(running, "measure a command")
    kill(running.pid, SIGTERM)
    #expect(try running.wait().code == 1000 + SIGTERM)
    while !(runs.processes.isEmpty && runs.litter.isEmpty) { sched_yield() }
  }

  /// Whoever starts a program may ignore SIGCHLD, and programs keep that: then the system drops the ends of their
  /// children.
  @Test func howACommandEndedIsKnownWhereSIGCHLDWasIgnored() throws {
    let runs = try Self.runs()
    let line = "measure -- sh -c 'cp \"$0\" \"$1\"; exit 3' {in} {out}"
    let result = try Program.shell(runs.shell(line, before: "AUBENCH=\"env --ignore-signal=CHLD $AUBENCH\""))
    #expect(result.code == 6 && result.errors.contains("it ended with code 3"), "\(result.errors)")
  }

  @Test func signalsThatComeTogetherEndItOnce() throws {
    let runs = try Self.runs()
    let line = try #require(CommandRuns.long["verify"])
    let running = try runs.start(line)
    try runs.awaitWork(running, "verify")
    for signal in [SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGTERM] { kill(running.pid, signal) }
    let result = try running.wait()
    #expect([SIGTERM, SIGINT, SIGQUIT, SIGHUP].contains(result.code - 128), "\(result.code)")
    #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
    #expect(runs.processes.isEmpty && runs.litter.isEmpty)
  }

  @Test func aSignalIsToldInJSONWhereThatWasAskedFor() throws {
    let runs = try Self.runs()
    let running = try runs.start(try #require(CommandRuns.long["verify"]) + " --json")
    try runs.awaitWork(running, "verify")
    kill(running.pid, SIGQUIT)
    let result = try running.wait()
    #expect(try result.value("error.kind") as? String == "interrupted")
    #expect(try result.value("error.exitCode") as? Int32 == 128 + SIGQUIT)
  }

  /// Whoever reads does not: the program ends all the same.
  @Test func aBlockedStandardOutputHoldsNoSignalUp() throws {
    let runs = try Self.runs()
    let pipe = runs.input.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let end = open(pipe, O_RDWR | O_NONBLOCK)
    defer { close(end) }
    while write(end, [UInt8](repeating: 0, count: 4096), 4096) > 0 {}
    let line = runs.shell(#"verify "$IN/short.json" --list --json"#, rest: "> '\(pipe)'")
    let running = try Program.Running(["/bin/sh", "-c", "AUBENCH='\(Program.path)'\n" + line])
    while try !holdsSignals(running.pid) {
      try #require(isAlive(running.pid))
      sched_yield()
    }
    kill(running.pid, SIGTERM)
    #expect(try running.wait().code == 128 + SIGTERM)
  }

  /// True when a process has come so far that it takes signals: SIGTERM is blocked.
  private func holdsSignals(_ process: pid_t) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
    let mask = try #require(UInt64(line.dropFirst(7).filter { !$0.isWhitespace }, radix: 16))
    return mask & (1 << UInt64(SIGTERM - 1)) != 0
  }
}
