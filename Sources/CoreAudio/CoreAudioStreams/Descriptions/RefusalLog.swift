// The text of AUBENCH_LOG=1 about calls that were refused, beyond their number. Only the edit side writes it: rendering
// does not log.

import AudioCore

package enum RefusalLog {
  private static let isOn = FileSystem.environment("AUBENCH_LOG") == "1"

  /// One line on standard error, where it is wanted.
  package static func note(_ message: @autoclosure () -> String) {
    if isOn { ErrorLine.write(message()) }
  }
}
