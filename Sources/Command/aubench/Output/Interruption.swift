import AudioCore
import Processes

/// The message of the program when a signal ends it.
enum Interruption {
  struct Settings {
    var wantsJSON = false
    /// Behind "stopped by SIGINT ". Nothing in it may wait for what other threads hold.
    var told: @Sendable () -> String = { Command.usualInterruption }
  }
  static let settings = Locked(Settings())

  /// Takes signals from now on.
  static func prepare() {
    ProgramEnd.takeSignals { number, name in
      ProgressBar.erase()
      let settings = settings.withLock { $0 }
      ErrorOutput.report(
        BenchError(.interrupted, "stopped by \(name) \(settings.told())"), asJSON: settings.wantsJSON,
        exitCode: 128 + number)
    }
  }
}
