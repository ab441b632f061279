import AudioCore
import BatchRender
import Glibc
import Processes

/// Texts for standard output. If it cannot be written the program ends and removes its outputs: quietly if its reader
/// has gone away, as `head` does.
enum StandardOutput {
  /// The descriptor of the output: not the one that third-party code in this process prints to.
  static let descriptor: Int32 = Aubench.isWatched ? WatchedRun.standardOutput : STDOUT_FILENO

  /// Control characters are escaped, so that no text from a file or another program controls the terminal: see
  /// ``VisibleText``.
  static func print(_ text: String) { write(VisibleText.of(text)) }

  /// A text with colours, whose maker has made everything in it visible that is not its own.
  static func print(colored text: String) { write(text) }

  private static func write(_ text: String) {
    let failure = writeAll(text, to: descriptor)
    if failure == 0 { return }
    if failure == EPIPE { ProgramEnd.end(128 + SIGPIPE) }
    ProgramEnd.end(1) {
      ErrorLine.write("standard output: cannot be written: \(systemMessage(failure))")
    }
  }

  /// A value as JSON, keys in alphabetical order.
  static func print(json value: JSONValue) { write(text(json: value)) }

  static func text(json value: JSONValue) -> String { VisibleText.json(value.indentedText) }

  /// Takes the places of standard streams that are closed, so that no file gets into them: reading from and writing to
  /// them stay errors.
  static func takePlaces() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      _ = FileSystem.open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Texts for standard error.
enum ErrorOutput {
  static func warn(_ text: String) {
    ErrorLine.write("warning: \(text)")
  }

  /// Reports why a command that has done its work ends as failed.
  static func fail(_ text: String) {
    ErrorLine.write("failed: \(text)")
  }

  /// One line on standard error; with `--json` an object on standard output besides.
  /// - Parameter isTold: standard error has the line already.
  static func report(_ error: BenchError, asJSON: Bool, exitCode: Int32, isTold: Bool = false) {
    if !isTold { ErrorLine.write(error.description) }
    // If that cannot be written either, the error and its code stay the same.
    let body = JSONValue([
      "kind": error.kind.rawValue, "place": error.place, "message": error.message, "advice": error.advice,
      "exitCode": Int(exitCode),
    ])
    if asJSON { writeAll(StandardOutput.text(json: ["error": body]), to: StandardOutput.descriptor) }
  }
}

extension Arguments {
  /// Prints the result of the command: as JSON if requested, else as text, but not with `--quiet`.
  /// - Parameter chart: a part of the text with colours of its own; empty: none.
  func print(_ json: @autoclosure () -> JSONValue, orText text: @autoclosure () -> String, chart: String = "") {
    if has(.json) {
      StandardOutput.print(json: json())
    } else if !has(.quiet), !run.isQuiet {
      let text = text()
      guard !chart.isEmpty, let place = text.firstRange(of: chart) else { return StandardOutput.print(text) }
      StandardOutput.print(String(text[..<place.lowerBound]))
      StandardOutput.print(colored: chart)
      StandardOutput.print(String(text[place.upperBound...]))
    }
  }
}
