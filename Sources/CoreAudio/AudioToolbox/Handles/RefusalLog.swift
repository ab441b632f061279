// What AUBENCH_LOG=1 says of calls that were refused, beyond their number. The edit side alone writes here: rendering
// does not log.

import AudioCore

enum RefusalLog {
  private static let isOn = FileSystem.environment("AUBENCH_LOG") == "1"

  /// One line on standard error, where it is wanted.
  static func note(_ message: @autoclosure () -> String) {
    if isOn { ErrorLine.write(message()) }
  }
}
