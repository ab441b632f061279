import AudioCore
import FoundationEssentials
import Glibc

/// Texts for standard output. Where it cannot be written the program ends: quietly if its reader has gone away, as
/// `head` does.
enum StandardOutput {
  static func print(_ text: String) {
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
    print(String(decoding: data, as: UTF8.self) + "\n")
  }

  /// Answers 0, or the number of the system's error.
  @discardableResult
  static func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count > 0 { done += count } else if errno != EINTR { return errno }
      }
      return 0
    }
  }
}

/// Texts for standard error.
enum ErrorOutput {
  static func warn(_ text: String) { StandardOutput.writeAll("aubench: warning: \(text)\n", to: 2) }

  static func warn(ofIdleNodes names: [String]) {
    for name in names { warn("node \"\(name)\" does not lead to the output and is not rendered") }
  }

  /// One line on standard error; with `--json` an object on standard output besides.
  static func report(_ error: BenchError, asJSON: Bool) {
    let text = error.description.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
    StandardOutput.writeAll("aubench: \(text)\n", to: 2)
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
