import AudioCore
import CProcess
import Glibc

/// A program that gets one piece of work after another, as a line on its standard input, and answers by lines on
/// descriptor 3. A crash or an endless loop in it does not harm this process. It ends with this process: see
/// `process_supervise`.
///
/// For one thread at a time.
package final class WorkerProcess {
  /// The result of waiting for a line.
  package enum Answer {
    case line([UInt8])
    /// It has ended, or was ended as it said nothing for too long.
    case ended(ChildProcess.End)
  }

  private let child: RunningChild
  private let input: Int32
  private let answers: OutputPipe
  private let errors: OutputPipe
  private let witness = ProcessWitnesses.new()
  private var isEnded = false

  /// - Parameters:
  ///   - words: the program, found on the path, and its arguments. Its standard output is closed off.
  ///   - environment: variables in place of this process's own.
  package init(_ words: [String], environment: [String: String?] = [:]) throws(ChildProcess.StartFailure) {
    var ends: [Int32] = [-1, -1]
    let failure = process_make_line(&ends)
    guard failure == 0 else { throw ChildProcess.StartFailure(number: failure) }
    input = ends[1]
    defer { close(ends[0]) }
    do {
      answers = try OutputPipe(keeping: 1 << 30)
      errors = try OutputPipe(keeping: 1 << 16)
      var order = ProcessOrder(words, descriptors: [ends[0], -1, errors.writingEnd, answers.writingEnd])
      if let witness { order.descriptors.append(witness.descriptor) }
      order.isSupervised = true
      order.environment = environment
      child = try RunningChild(order)
    } catch {
      close(ends[1])
      throw error
    }
    answers.closeWritingEnd()
    errors.closeWritingEnd()
  }

  deinit {
    end()
    close(input)
  }

  /// Gives it a line. One that has ended takes none, which the answer shows.
  package func send(_ line: [UInt8]) {
    let bytes = line + [UInt8(ascii: "\n")]
    var done = 0
    while done < bytes.count {
      // Not by a signal, which would end this process where the other has ended.
      let count = bytes[done...].withUnsafeBytes { Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }

  /// Waits for the next line.
  /// - Parameter patienceSeconds: after which a program that says nothing is ended.
  package func answer(patienceSeconds: Double) -> Answer {
    let clock = ContinuousClock()
    let limit = clock.now + .seconds(patienceSeconds)
    while true {
      if let line = answers.takeLine() { return .line(line) }
      let hasEnded = child.hasEnded()
      answers.drain()
      errors.drain()
      if let line = answers.takeLine() { return .line(line) }
      if hasEnded { return .ended(end() ?? .exited(code: 0)) }
      let left = clock.now.duration(to: limit) / .milliseconds(1)
      guard left > 0 else {
        end()
        return .ended(.timedOut)
      }
      OutputPipe.wait(for: [answers, errors], child.ended, milliseconds: Int32(clamping: min(left.rounded(.up), 1000)))
    }
  }

  /// The third-party code that ended it; nil where none has, or it has said so on its standard error.
  package var culprit: String? { witness?.culprit }

  /// Takes the text that it has written to its standard error since the last call.
  package func takeErrors() -> String {
    errors.drain()
    return ByteText.string(errors.takeAll())
  }

  /// Ends it, where it has not ended, and waits for that.
  @discardableResult
  private func end() -> ChildProcess.End? {
    guard !isEnded else { return nil }
    isEnded = true
    let left = child.finish()
    errors.drain()
    return left.map { ChildProcess.End(status: $0.status) }
  }
}
