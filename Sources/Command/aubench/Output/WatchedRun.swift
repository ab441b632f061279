import AudioCore
import AudioToolbox
import Glibc
import Processes

/// A command that needs third-party code runs once more in a second process, which this one watches: a component may
/// end the process that it is in by `exit` or by a signal, write to standard output, and leave processes behind.
///
/// Each process begins as the command; the first that is about to load a component starts the second and only waits.
/// The second says by ``ForeignCode`` when it has come to its own end. Without that, the component is to blame: it is
/// named, and the exit code is 9.
enum WatchedRun {
  /// In front of the words of the second process.
  static let word = "watched-run"
  /// Descriptors that it gets: what it shares with the first, and standard output. Its own standard output is standard
  /// error.
  private static let shared: Int32 = 3
  static let standardOutput: Int32 = 4
  /// The time that the second process may take to disappear after its end.
  private static let patience = Swift.Duration.seconds(2)
  private static let crashes: Set<Int32> = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]

  /// In the second process, before it does anything.
  static func begin() {
    for descriptor in [shared, standardOutput] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    guard ForeignCode.isWatched(by: shared) else {
      ErrorLine.write("\(word): aubench starts this itself, with its own descriptors")
      _exit(2)
    }
    // The exit handlers of components change nothing any more, and the other process does not wait for them for long.
    // They may have printed text that is still in the C library's buffers.
    ProgramEnd.atEnd.withLock {
      $0 = { code in
        ForeignCode.settle(code)
        fflush(nil)
      }
    }
  }

  /// In a process that another one of this program has started for some of its work: no component keeps it from ending.
  static func beginWork() {
    _ = fcntl(ProcessWitnesses.descriptor, F_SETFD, FD_CLOEXEC)
    _ = ForeignCode.isWatched(by: ProcessWitnesses.descriptor)
    ProgramEnd.atEnd.withLock {
      $0 = { code in
        ForeignCode.settle(code)
        guard ForeignCode.wasLoaded else { return }
        _ = DetachedThread.run {
          _ = poll(nil, 0, 2000)
          _exit(code)
        }
        fflush(nil)
      }
    }
  }

  /// In a process that runs commands: the second process is started when it is needed.
  static func prepare() { ForeignCode.beforeLoading(handOver) }

  /// Does not return where the second process has begun.
  @Sendable private static func handOver() {
    guard let program = Aubench.program, let watch = ForeignCode.Watch(), let scratch = try? ScratchFolder() else {
      return
    }
    var process = ForegroundProcess([program, word] + Aubench.words.dropFirst())
    process.outputGoesToErrors = true
    process.descriptors = [watch.descriptor, STDOUT_FILENO]
    process.environment["TMPDIR"] = scratch.path
    ProgramEnd.forwarding.withLock { $0 = { number in forward(number, watch) } }
    var settled: ContinuousClock.Instant?
    let end: ChildProcess.End
    do {
      end = try process.run {
        if watch.settledCode == nil { return true }
        let since = settled ?? .now
        settled = since
        return ContinuousClock.now - since < patience
      }
    } catch {
      // Then here, as before there was a second one.
      ProgramEnd.forwarding.withLock { $0 = nil }
      return
    }
    ProgramEnd.settle()
    if let code = watch.settledCode { ProgramEnd.leave(code) }
    let culprit = watch.running ?? "this program"
    if case .signalled(let number, let name) = end, crashes.contains(number) {
      report("\(culprit) crashed: \(name)", code: 128 + number, isTold: watch.hasTold)
      ProgramEnd.die(by: number)
    }
    let code = ExitCode.of(BenchError(.deviceCrash, ""))
    report(end.text(by: culprit), code: code, isTold: false)
    ProgramEnd.leave(code)
  }

  private static func report(_ message: String, code: Int32, isTold: Bool) {
    let error = BenchError(.deviceCrash, message)
    let wantsJSON = Interruption.settings.withLock(\.wantsJSON)
    ErrorOutput.report(error, asJSON: wantsJSON, exitCode: code, isTold: isTold)
  }

  /// Gives a signal on, and waits until the second process has said that it was stopped by it.
  private static func forward(_ number: Int32, _ watch: ForeignCode.Watch) -> Bool {
    guard let process = watch.process, kill(process, number) == 0 else { return false }
    for _ in 0..<100 where watch.settledCode == nil { usleep(5000) }
    return watch.settledCode == 128 + number
  }
}
