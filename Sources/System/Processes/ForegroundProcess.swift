import AudioCore
import CProcess
import Glibc

/// A program that runs with the standard streams of this one, for as long as it likes.
package struct ForegroundProcess {
  /// The program, found on the path, and its arguments.
  package var words: [String]
  /// Variables in place of this process's own; those without a value are not passed on.
  package var environment: [String: String?] = [:]
  /// True when its standard output goes to this process's standard error, as this one has output of its own.
  package var outputGoesToErrors = false
  /// The descriptors that become its 3, 4 …
  package var descriptors: [Int32] = []

  package init(_ words: [String]) { self.words = words }

  /// Runs the program and waits for it; it ends with this process, and so does what it has started.
  /// - Parameter goesOn: asked every 50 ms; false ends the program.
  /// - Throws: an error if it cannot be started, or its end cannot be read.
  package func run(goesOn: () -> Bool = { true }) throws(ChildProcess.StartFailure) -> ChildProcess.End {
    // It is in a process group of its own: one that read from the terminal would be stopped.
    let input: Int32 = isatty(STDIN_FILENO) == 1 ? -1 : STDIN_FILENO
    let output = outputGoesToErrors ? STDERR_FILENO : STDOUT_FILENO
    var order = ProcessOrder(words, descriptors: [input, output, STDERR_FILENO] + descriptors)
    order.environment = environment
    order.isSupervised = true
    let child = try RunningChild(order)
    while !child.hasEnded(within: 50), goesOn() {}
    guard let end = child.finish() else { throw ChildProcess.StartFailure(number: ECHILD) }
    return ChildProcess.End(status: end.status)
  }
}
