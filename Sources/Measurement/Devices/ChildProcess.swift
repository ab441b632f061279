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
  /// - Throws: `.usage` where there is no such program, `.render` where it cannot be started.
  package static func run(
    _ words: [String], in folder: String? = nil, limits: Limits = Limits(), scratch: ScratchFolder
  ) throws(BenchError) -> Result {
    let strings = words.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    let (output, errors) = (scratch.file("standard-output"), scratch.file("standard-error"))
    var child: pid_t = 0
    let failure = foreign_start_limited_child(
      folder, strings, environ, output, errors, limits.memoryBytes, limits.fileBytes, &child)
    guard failure == 0 else {
      let reason = String(cString: strerror(failure))
      guard failure == ENOENT || failure == EACCES else {
        throw BenchError(.render, at: words[0], "the program cannot be started: \(reason)")
      }
      throw BenchError(
        .usage, at: words[0], "there is no such program to run: \(reason)", advice: "install it, or name its path")
    }
    var ended = foreign_child_end()
    let milliseconds = Int32(clamping: Int64(min(limits.seconds, 1e6) * 1000))
    let isInTime = foreign_wait_child(child, milliseconds, &ended) == 1
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

  /// The end of a file as text: what does not read as text is replaced.
  private static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    let limit = 8 << 20
    fseek(file, 0, SEEK_END)
    fseek(file, max(0, ftell(file) - limit), SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = fread(&bytes, 1, limit, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
