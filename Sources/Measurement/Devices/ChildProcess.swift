import AudioCore
import CForeign
import Glibc

/// A program that is run to its end in a process group of its own, within limits of time, memory and file size.
package struct ChildProcess {
  package struct Limits: Hashable, Sendable {
    /// Of wall-clock time.
    package var seconds: Double
    /// Of address space, bytes; 0 is none.
    package var memoryBytes: UInt64
    /// Of every file that it writes, bytes; 0 is none.
    package var fileBytes: UInt64

    package init(seconds: Double = 60, memoryBytes: UInt64 = 0, fileBytes: UInt64 = 4 << 30) {
      self.seconds = seconds
      self.memoryBytes = memoryBytes
      self.fileBytes = fileBytes
    }
  }

  /// How a process ended.
  package enum End: Hashable, Sendable {
    case exited(code: Int32)
    case signalled(name: String)
    case timedOut
  }

  package struct Result: Sendable {
    package let end: End
    package let output: String
    /// Standard error.
    package let errors: String
    package let cpuSeconds: Double
    package let peakBytes: Int64

    /// The last lines of standard error, as a message shows them.
    package var lastErrors: String {
      errors.split(separator: "\n").suffix(4).joined(separator: " | ")
    }
  }

  /// Runs a program, found on the path, and waits for it.
  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - scratch: where its standard output and standard error go meanwhile.
  ///   - goesOn: asked now and then; false gives the program two more seconds to come to its end.
  /// - Throws: `.usage` where there is no such program, `.render` where it cannot be started.
  package static func run(
    _ words: [String], in folder: String? = nil, limits: Limits = Limits(), scratch: ScratchFolder,
    goesOn: () -> Bool = { true }
  ) throws(BenchError) -> Result {
    let strings = words.map { ByteText.withCString($0) { strdup($0) } } + [nil]
    defer { for string in strings { free(string) } }
    let (output, errors) = (scratch.file("standard-output"), scratch.file("standard-error"))
    let names = [folder, output, errors].map { name in name.flatMap { ByteText.withCString($0) { strdup($0) } } }
    defer { for name in names { free(name) } }
    var child: pid_t = 0
    let failure = foreign_start_limited_child(
      names[0], strings, environ, names[1], names[2], limits.memoryBytes, limits.fileBytes, &child)
    guard failure == 0 else {
      let reason = String(cString: strerror(failure))
      guard failure == ENOENT || failure == EACCES else {
        throw BenchError(.render, at: words[0], "the program cannot be started: \(reason)")
      }
      throw BenchError(
        .usage, at: words[0], "there is no such program to run: \(reason)", advice: "install it, or name its path")
    }
    var ended = foreign_child_end()
    let isInTime = wait(for: child, seconds: min(limits.seconds, 1e6), goesOn: goesOn, &ended)
    if !isInTime { killTree(child) }
    // What it has started itself goes with it.
    kill(-child, SIGKILL)
    if !isInTime { _ = foreign_wait_child(child, Int32.max, &ended) }
    let signal = ended.status & 0x7F
    let name = foreign_signal_name(signal).map { "SIG" + String(cString: $0) } ?? "signal \(signal)"
    return Result(
      end: !isInTime
        ? .timedOut : signal == 0 ? .exited(code: ended.status >> 8 & 0xFF) : .signalled(name: name),
      output: text(of: output), errors: text(of: errors), cpuSeconds: ended.cpu_seconds, peakBytes: ended.peak_bytes)
  }

  /// Waits until a process has ended or its time is over; answers whether it has ended.
  private static func wait(
    for child: pid_t, seconds: Double, goesOn: () -> Bool, _ ended: inout foreign_child_end
  ) -> Bool {
    let clock = ContinuousClock()
    var end = clock.now + .seconds(seconds)
    var isWanted = true
    while true {
      let left = clock.now.duration(to: end) / .milliseconds(1)
      if foreign_wait_child(child, Int32(min(max(left.rounded(.up), 0), 100)), &ended) == 1 { return true }
      if left <= 0 { return false }
      if isWanted, !goesOn() {
        isWanted = false
        end = min(end, clock.now + .seconds(2))
      }
    }
  }

  /// Ends a process with all that came of it, also what is in process groups of its own.
  private static func killTree(_ process: pid_t) {
    // Stopped first, so that it starts nothing while its children are counted.
    kill(process, SIGSTOP)
    for child in children(of: process) {
      killTree(child)
      kill(-child, SIGKILL)
    }
    kill(process, SIGKILL)
  }

  private static func children(of process: pid_t) -> [pid_t] {
    var found: [pid_t] = []
    for thread in FileSystem.names(in: "/proc/\(process)/task") ?? [] {
      guard Int32(thread) != nil else { continue }
      found += text(of: "/proc/\(process)/task/\(thread)/children", limit: 1 << 16).split(separator: " ")
        .compactMap { pid_t($0) }
    }
    return found
  }

  /// The end of a file as text: what does not read as text is replaced.
  private static func text(of path: String, limit: Int = 8 << 20) -> String {
    guard let file = ByteText.withCString(path, { fopen($0, "re") }) else { return "" }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    fseek(file, max(0, ftell(file) - limit), SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = fread(&bytes, 1, limit, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
