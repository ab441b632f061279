import AudioCore
import CProcess
import Glibc

/// A program that is run to its end in a process group of its own, within limits of time, memory and file size. All
/// that it has started ends with it, and it ends with this process: see `process_supervise`.
package struct ChildProcess: Sendable {
  package struct Limits: Hashable, Sendable {
    /// Wall-clock time.
    package var seconds: Double
    /// Address space, bytes; 0 is none.
    package var memoryBytes: UInt64
    /// The size of every file that it writes, bytes; 0 is none.
    package var fileBytes: UInt64

    package init(seconds: Double = 60, memoryBytes: UInt64 = 0, fileBytes: UInt64 = 4 << 30) {
      self.seconds = seconds
      self.memoryBytes = memoryBytes
      self.fileBytes = fileBytes
    }
  }

  /// The end of a process.
  package enum End: Hashable, Sendable {
    case exited(code: Int32)
    case signalled(number: Int32, name: String)
    case timedOut
    /// It was no longer wanted.
    case stopped
  }

  package struct Result: Sendable {
    package let end: End
    /// Standard output.
    package let output: [UInt8]
    /// Standard error: its last 8 MiB.
    package let errors: [UInt8]
    /// The bytes that it wrote to descriptor 3.
    package let report: [UInt8]
    /// The third-party code that ended it, of a process that reports; nil where none has, or it has said so on its
    /// standard error.
    package let culprit: String?
    package let cpuSeconds: Double
    package let peakBytes: Int64

    /// The last lines of standard error, as a message shows them.
    package var lastErrors: String {
      String(decoding: errors.suffix(1 << 16), as: UTF8.self).split(separator: "\n").suffix(4).joined(separator: " | ")
    }
  }

  /// Why a program cannot be run.
  package struct StartFailure: Error {
    package let number: Int32
    package var isMissing: Bool { number == ENOENT || number == EACCES || number == ENOTDIR }
    package var reason: String {
      number == ECHILD
        ? "how it ended is not known, as this process ignores SIGCHLD or waits for children that are not its own"
        : String(cString: strerror(number))
    }
  }

  /// The program, found on the path, and its arguments.
  package var words: [String]
  /// The working folder; nil: this process's.
  package var folder: String?
  /// Variables in place of this process's own; those without a value are not passed on.
  package var environment: [String: String?] = [:]
  /// The bytes on its standard input.
  package var input: [UInt8] = []
  package var limits = Limits()
  /// The number of bytes at the end of its standard output that are kept.
  package var outputBytes = 8 << 20
  /// True when it may write a report to descriptor 3.
  package var reports = false
  /// True when its children end with it. False for a program that leaves something running on purpose.
  package var endsWhatItStarted = true

  package init(_ words: [String]) { self.words = words }

  /// Runs the program and waits for it. Its children end with it.
  /// - Parameter goesOn: asked ten times a second; false ends the program.
  /// - Throws: an error if it cannot be started, or its end cannot be read.
  package func run(goesOn: () -> Bool = { true }) throws(StartFailure) -> Result {
    var streams = [try OutputPipe(keeping: outputBytes), try OutputPipe(keeping: 8 << 20)]
    if reports { streams.append(try OutputPipe(keeping: 1 << 30)) }
    let witness = reports ? ProcessWitnesses.new() : nil
    let child = try start(streams, witness)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(min(limits.seconds, 1e6))
    var reason: End?
    while !child.hasEnded() {
      let left = clock.now.duration(to: end) / .milliseconds(1)
      if left <= 0 { reason = .timedOut }
      if !goesOn() { reason = .stopped }
      if reason != nil { break }
      OutputPipe.wait(for: streams, child.ended, milliseconds: Int32(clamping: min(left.rounded(.up), 100)))
      for stream in streams { stream.drain() }
    }
    let taken = child.finish()
    for stream in streams { stream.drain() }
    guard taken != nil || reason != nil else { throw StartFailure(number: ECHILD) }
    let left = taken ?? process_end()
    return Result(
      end: reason ?? End(status: left.status), output: streams[0].bytes, errors: streams[1].bytes,
      report: reports ? streams[2].bytes : [], culprit: witness?.culprit,
      cpuSeconds: left.cpu_seconds, peakBytes: left.peak_bytes)
  }

  private func start(_ streams: [OutputPipe], _ witness: (any ProcessWitness)?) throws(StartFailure) -> RunningChild {
    var stdin: Int32 = -1
    if !input.isEmpty {
      stdin = process_make_input(input, input.count)
      guard stdin >= 0 else { throw StartFailure(number: errno) }
    }
    defer {
      if stdin >= 0 { close(stdin) }
      for stream in streams { stream.closeWritingEnd() }
    }
    var order = ProcessOrder(words, descriptors: [stdin] + streams.map(\.writingEnd))
    if let witness { order.descriptors.append(witness.descriptor) }
    order.environment = environment
    order.folder = folder
    order.memoryBytes = limits.memoryBytes
    order.fileBytes = limits.fileBytes
    order.isSupervised = endsWhatItStarted
    return try RunningChild(order)
  }
}

extension ChildProcess.End {
  /// `has ended with code 1`, as a message goes on.
  package var text: String {
    switch self {
    case .exited(let code): "has ended with code \(code)"
    case .signalled(_, let name): "was ended by \(name)"
    case .timedOut: "took too long and was ended"
    case .stopped: "was stopped"
    }
  }

  /// `… ended the process (exit code 7)`, of the code that did.
  package func text(by culprit: String) -> String {
    switch self {
    case .exited(let code): "\(culprit) ended the process (exit code \(code))"
    case .signalled(_, let name): "\(culprit) ended the process (\(name))"
    case .timedOut, .stopped: "\(culprit) ended the process"
    }
  }

  /// As waitpid gives it.
  init(status: Int32) {
    let signal = status & 0x7F
    self =
      signal == 0
      ? .exited(code: status >> 8 & 0xFF) : .signalled(number: signal, name: ProgramEnd.signalName(signal))
  }
}

/// A program on its way, known to who ends this process.
final class RunningChild {
  private var handle: process_handle
  private let undo: Unfinished.Token

  init(_ order: ProcessOrder) throws(ChildProcess.StartFailure) {
    let (made, failure, undo) = Unfinished.list.withLock { list in
      let (made, failure) = order.start()
      let undo = list.add {
        guard made.pid > 0 else { return }
        Self.end(made)
        var child = made
        _ = process_has_ended(&child, 500)
      }
      return (made, failure, undo)
    }
    (handle, self.undo) = (made, undo)
    guard failure == 0 else {
      Unfinished.list.withLock { $0.remove(undo) }
      throw ChildProcess.StartFailure(number: failure)
    }
  }

  var ended: Int32 { handle.ended }

  /// - Parameter milliseconds: the time to wait for the end.
  func hasEnded(within milliseconds: Int32 = 0) -> Bool { process_has_ended(&handle, milliseconds) == 1 }

  /// Its supervisor ends it with all that it has started; it alone where it has none. It has not been waited for: the
  /// number is its own.
  private static func end(_ handle: process_handle) {
    if handle.control >= 0 { process_shut_line(handle.control) } else { kill(handle.pid, SIGKILL) }
  }

  /// Ends the program, where it has not ended, and waits for that. Nil where its end cannot be
  /// had.
  func finish() -> process_end? {
    Self.end(handle)
    var left = process_end()
    let isTaken = process_take_end(&handle, -1, &left) == 1
    Unfinished.list.withLock { $0.remove(undo) }
    if handle.control >= 0 { close(handle.control) }
    if handle.ended >= 0 { close(handle.ended) }
    return isTaken ? left : nil
  }
}
