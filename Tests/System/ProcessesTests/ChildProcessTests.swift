import CProcess
import Glibc
import Processes
import Synchronization
import TestSupport
import Testing

/// True when a process is there and has not ended.
private func isAlive(_ process: pid_t) -> Bool {
  let status = String(decoding: bytes(ofFile: "/proc/\(process)/stat"), as: UTF8.self)
  guard let state = status.split(separator: ")").last?.split(separator: " ").first else { return false }
  return state != "Z"
}

@Suite("A program that is run ends with all that it has started")
struct ChildProcessTests {
  private func shell(_ line: String) -> ChildProcess { ChildProcess(["sh", "-c", line]) }

  /// The same, in which `$PID` is the name of a file.
  private func shell(_ line: String, pid: String) -> ChildProcess {
    var child = shell(line)
    child.environment["PID"] = pid
    return child
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("What it reads, prints, reports and answers")
  func plain() throws {
    var child = shell("cat; echo wrong >&2; echo report >&3; echo $TOLD $LANG; exit 3")
    child.input = Array("given ".utf8)
    child.reports = true
    child.environment["TOLD"] = "told"
    child.environment["LANG"] = .some(nil)
    let result = try child.run()
    #expect(result.end == .exited(code: 3))
    #expect(
      text(result.output) == "given told\n" && text(result.errors) == "wrong\n" && text(result.report) == "report\n")
  }

  @Test("It gets no descriptors but its own, and works in its folder")
  func descriptors() throws {
    let folder = TemporaryFolder()
    let held = open("/dev/null", O_RDONLY)
    defer { close(held) }
    var child = ChildProcess(["ls", "/proc/self/fd"])
    child.folder = folder.path
    // The last is the folder that is listed.
    #expect(text(try child.run().output) == "0\n1\n2\n3\n")
    child.words = ["pwd", "-P"]
    #expect(text(try child.run().output) == folder.path + "\n")
  }

  @Test("Of what it prints without end the end is kept")
  func flood() throws {
    var child = shell("head -c 50000000 /dev/zero; printf end")
    child.outputBytes = 1000
    let output = try child.run().output
    #expect(output.count == 1000 && output.suffix(3) == Array("end".utf8))
  }

  @Test("A program that is not there or cannot be run says so", arguments: ["no-such-program-here", "/dev/null"])
  func missing(_ program: String) {
    let failure = #expect(throws: ChildProcess.StartFailure.self) { try ChildProcess([program]).run() }
    #expect(failure?.isMissing == true)
  }

  /// Ways to outlive the program: `$PID` is a file that gets the survivor's number.
  static let survivors = [
    #"sleep 1000 & echo $! > "$PID""#,
    #"setsid sleep 1000 & sleep 0.1; echo $! > "$PID""#,
    #"(setsid sh -c 'echo $$ > "$PID"; exec sleep 1000' &) ; while ! test -s "$PID"; do :; done"#,
    #"""
    setsid sh -c 'setsid sh -c "echo \$\$ > \"\$PID\"; trap \"\" TERM INT HUP; exec sleep 1000" & exit' ; while ! test -s "$PID"; do :; done
    """#,
  ]

  @Test("Nothing that it has started outlives it", arguments: survivors)
  func survivor(_ line: String) throws {
    let folder = TemporaryFolder()
    let result = try shell(line, pid: folder.file("pid")).run()
    #expect(result.end == .exited(code: 0))
    let pid = try #require(pid_t(text(bytes(ofFile: folder.file("pid"))).filter(\.isNumber)))
    #expect(!isAlive(pid))
  }

  @Test("Nor its time limit", arguments: survivors)
  func limit(_ line: String) throws {
    let folder = TemporaryFolder()
    var child = shell(line + "; exec sleep 1000", pid: folder.file("pid"))
    // A busy machine may need longer until there is a survivor.
    var survivor: pid_t?
    for seconds in [1.0, 10, 100] where survivor == nil {
      child.limits.seconds = seconds
      #expect(try child.run().end == .timedOut)
      survivor = pid_t(text(bytes(ofFile: folder.file("pid"))).filter(\.isNumber))
    }
    #expect(!isAlive(try #require(survivor)))
  }

  @Test("A program that kills the process that started it kills neither this one nor what watches over it")
  func parricide() throws {
    let folder = TemporaryFolder()
    let line = #"setsid sleep 1000 & echo $! > "$PID"; kill -9 $PPID; sleep 1000"#
    let result = try shell(line, pid: folder.file("pid")).run()
    #expect(result.end == .signalled(number: SIGKILL, name: "SIGKILL"))
    let pid = try #require(pid_t(text(bytes(ofFile: folder.file("pid"))).filter(\.isNumber)))
    #expect(!isAlive(pid))
  }

  @Test("One that kills its process group kills itself alone")
  func group() throws {
    #expect(try shell("kill -9 0").run().end == .signalled(number: SIGKILL, name: "SIGKILL"))
  }

  @Test("It ends when it is no longer wanted")
  func unwanted() throws {
    var asked = 0
    let result = try shell("exec sleep 1000").run {
      asked += 1
      return asked < 3
    }
    #expect(result.end == .stopped && asked == 3)
  }

  @Test("Signals have their default meaning in it, whatever this process does with them")
  func signals() throws {
    #expect(try shell("kill -PIPE $$; exit 5").run().end == .signalled(number: SIGPIPE, name: "SIGPIPE"))
    #expect(try shell("kill -QUIT $$; exit 5").run().end == .signalled(number: SIGQUIT, name: "SIGQUIT"))
  }

  @Test("A file limit is the system's signal, a memory limit an error of its own")
  func limits() throws {
    let folder = TemporaryFolder()
    var child = shell("head -c 100000 /dev/zero > '\(folder.file("large"))'")
    child.limits.fileBytes = 4096
    #expect(try child.run().end != .exited(code: 0))
    #expect(bytes(ofFile: folder.file("large")).count == 4096)
  }

  @Test("An end that somebody else has taken is an error, and no success")
  func takenEnd() throws {
    let folder = TemporaryFolder()
    // The supervisor is what started the process that started it.
    let (new, whole, seen) = (folder.file("new"), folder.file("pid"), folder.file("seen"))
    // It stays until its number has been read: otherwise its end may be taken before anybody else can.
    let child = shell(
      "cut -d ' ' -f 4 /proc/$PPID/stat > '\(new)'; mv '\(new)' '\(whole)'; until test -e '\(seen)'; do sleep 0.01; done"
    )
    let failure = #expect(throws: ChildProcess.StartFailure.self) {
      try child.run {
        // As a host does that waits for all its children.
        if let pid = pid_t(text(bytes(ofFile: whole)).filter(\.isNumber)) {
          close(open(seen, O_CREAT | O_WRONLY, 0o600))
          waitpid(pid, nil, 0)
        }
        return true
      }
    }
    #expect(failure?.number == ECHILD)
  }

  @Test("What it leaves behind and has ended keeps no number while it runs")
  func adopted() throws {
    // The supervisor adopts ten, and has only the process in between when their ends are taken.
    let line = """
      supervisor=$(cut -d ' ' -f 4 /proc/$PPID/stat)
      for i in 1 2 3 4 5 6 7 8 9 10; do (true &); done
      until read -r one two rest < /proc/$supervisor/task/$supervisor/children; test -n "$one" && test -z "$two"; do :; done
      """
    #expect(try shell(line).run().end == .exited(code: 0))
  }

  /// The number of the handler's calls in this process, and in others that have its memory.
  private static let runsHere = Atomic(0)
  private static let runsElsewhere = Atomic(0)
  private static let own = getpid()

  @Test("No handler of this process runs in it, whatever signals come while it starts")
  func handlers() throws {
    _ = Self.own
    // A signal that whoever has no handler for it ignores.
    let former = signal(SIGWINCH) { _ in
      if getpid() == ChildProcessTests.own {
        ChildProcessTests.runsHere.add(1, ordering: .relaxed)
      } else {
        ChildProcessTests.runsElsewhere.add(1, ordering: .relaxed)
      }
    }
    defer { signal(SIGWINCH, former) }
    // The threads that run tests may hold it back, and a new process begins as the thread that starts it.
    var (passed, formerMask) = (sigset_t(), sigset_t())
    sigemptyset(&passed)
    sigaddset(&passed, SIGWINCH)
    pthread_sigmask(SIG_UNBLOCK, &passed, &formerMask)
    defer { pthread_sigmask(SIG_SETMASK, &formerMask, nil) }
    let words = ["sh", "-c", "while kill -s WINCH -- -\(getpgrp()); do :; done"]
    let (sender, failure) = ProcessOrder(words, descriptors: [-1, -1, -1]).start()
    try #require(failure == 0)
    while Self.runsHere.load(ordering: .relaxed) < 5000 {
      let (started, failure) = ProcessOrder(["true"], descriptors: [-1, -1, -1]).start()
      try #require(failure == 0)
      takeEnd(of: started)
    }
    kill(sender.pid, SIGKILL)
    takeEnd(of: sender)
    #expect(Self.runsElsewhere.load(ordering: .relaxed) == 0)
  }

  private func takeEnd(of process: process_handle) {
    var process = process
    var end = process_end()
    #expect(process_take_end(&process, -1, &end) == 1)
    if process.ended >= 0 { close(process.ended) }
  }

  @Test("Many at once end each as it ends")
  func many() async throws {
    try await withThrowingTaskGroup(of: (Int, ChildProcess.End).self) { group in
      for code in 0..<20 {
        group.addTask { (code, try ChildProcess(["sh", "-c", "sleep 100 & exit \(code)"]).run().end) }
      }
      for try await (code, end) in group { #expect(end == .exited(code: Int32(code))) }
    }
  }
}
