import AudioCore
import FoundationEssentials
import Glibc

/// Texts for standard output. Where it cannot be written the program ends: quietly if its reader has gone away, as
/// `head` does.
enum StandardOutput {
  /// Whatever is in a text of somebody else's, nothing goes out that a terminal would obey: see ``VisibleText``.
  static func print(_ text: String) { write(VisibleText.of(text)) }

  /// A text with colours, whose maker has made everything in it visible that is not its own.
  static func print(colored text: String) { write(text) }

  private static func write(_ text: String) {
    let failure = writeAll(text, to: 1)
    if failure == 0 { return }
    if failure == EPIPE { exit(128 + SIGPIPE) }
    writeAll("aubench: standard output: cannot be written: \(String(cString: strerror(failure)))\n", to: 2)
    exit(1)
  }

  /// A value as JSON, keys in alphabetical order.
  static func print(json value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { preconditionFailure("every number was made finite") }
    write(VisibleText.json(String(decoding: data, as: UTF8.self)) + "\n")
  }

  /// Answers 0, or the number of the system's error.
  @discardableResult
  static func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count > 0 { done += count } else if errno != EINTR { return errno }
      }
      return 0
    }
  }
}

/// Texts for standard error.
enum ErrorOutput {
  static func warn(_ text: String) {
    StandardOutput.writeAll("aubench: warning: \(VisibleText.name(text))\n", to: 2)
  }

  static func warn(ofIdleNodes names: [String]) {
    for name in names { warn("node \"\(name)\" does not lead to the output and is not rendered") }
  }

  /// One line on standard error; with `--json` an object on standard output besides.
  static func report(_ error: BenchError, asJSON: Bool) {
    StandardOutput.writeAll("aubench: \(VisibleText.name(error.description))\n", to: 2)
    if asJSON { StandardOutput.print(json: Report(error: Body(error))) }
  }

  private struct Report: Encodable { let error: Body }

  private struct Body: Encodable {
    let kind: String
    let place: String
    let message: String
    let advice: String?
    let exitCode: Int32

    init(_ error: BenchError) {
      kind = error.kind.rawValue
      place = error.place
      message = error.message
      advice = error.advice
      exitCode = ExitCode.of(error)
    }
  }
}
