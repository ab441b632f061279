import Glibc

/// Lines on standard error: all messages are written by this. Control characters are escaped, so that no text from a
/// file or another program controls the terminal: see ``VisibleText``.
package enum ErrorLine {
  /// `aubench: …`, on one line. A line that cannot be written is lost.
  @Sendable package static func write(_ message: String) { writeAll(text(message) + "\n", to: STDERR_FILENO) }

  /// The line as ``write(_:)`` writes it, without its end, for callers that write it later. A message of megabytes,
  /// which may quote a file, is shortened to both ends.
  package static func text(_ message: String) -> String { "aubench: \(VisibleText.name(shortened(message)))" }

  private static let mostBytes = 8192

  private static func shortened(_ message: String) -> String {
    let bytes = message.utf8
    guard bytes.count > mostBytes else { return message }
    let half = mostBytes / 2
    let (start, end) = (
      String(decoding: bytes.prefix(half), as: UTF8.self), String(decoding: bytes.suffix(half), as: UTF8.self)
    )
    return "\(start) [\(bytes.count - 2 * half) bytes left out] \(end)"
  }

  /// The standard error of a program under test, on as many lines.
  package static func passOn(log: String) {
    let text = VisibleText.ofLog(log)
    writeAll(text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n", to: STDERR_FILENO)
  }
}
