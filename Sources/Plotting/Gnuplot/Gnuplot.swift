import AudioCore
import FoundationEssentials
import Processes

/// The one place that runs gnuplot: a child process with a script on its standard input and the picture on its standard
/// output.
package struct Gnuplot {
  /// Looked for on the path where it has no slash.
  var executable: String

  package init(executable: String = "gnuplot") { self.executable = executable }

  /// The bytes of a picture.
  /// - Throws: `.output` where gnuplot is not there, fails, or answers with something else.
  package func picture(_ figure: Figure, _ format: PictureFormat) throws(BenchError) -> Data {
    var script = GnuplotScript(figure, format: format).text
    // An SVG's viewer has fonts of its own.
    if format != .svg { script = try FontCoverage().drawable(script) }
    let picture = try run(script)
    guard format.isBegunBy(picture) else {
      throw BenchError(.output, at: "gnuplot", "answered with something else than \(format.rawValue.uppercased())")
    }
    return format.tidied(picture, title: figure.title)
  }

  /// What gnuplot writes to standard output for a script.
  package func run(_ script: String) throws(BenchError) -> Data {
    let (output, code, errors) = try Self.run([executable, "-d", "-"], input: Array(script.utf8))
    guard code == 0 else {
      let words = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      throw BenchError(
        .output, at: "gnuplot", "failed with code \(code): " + words.suffix(40).joined(separator: " "),
        advice: "version 5.4 or later is needed, with its cairo terminals (gnuplot-nox)")
    }
    return output
  }

  /// A program that Plotting runs, in an environment that does not change the picture.
  /// - Throws: `.output` where the program is not there or is stopped by a signal.
  static func run(
    _ command: [String], input: [UInt8] = []
  ) throws(BenchError) -> (output: Data, code: Int32, errors: [UInt8]) {
    var child = ChildProcess(command)
    child.input = input
    // The user's own, without settings of gnuplot and languages.
    for name in ProcessInfo.processInfo.environment.keys
    where name.hasPrefix("GNU") || name.hasPrefix("LC_") || name == "LANG" || name == "LANGUAGE" {
      child.environment[name] = .some(nil)
    }
    child.environment["LC_ALL"] = "C.UTF-8"
    child.environment["SOURCE_DATE_EPOCH"] = "946684800"
    child.outputBytes = 1 << 30
    child.limits.seconds = .infinity
    let result: ChildProcess.Result
    do throws(ChildProcess.StartFailure) { result = try child.run() } catch {
      guard error.isMissing else {
        throw BenchError(.output, at: command[0], "cannot be run: \(error.reason)")
      }
      throw BenchError(
        .output, at: command[0], "pictures are drawn by gnuplot, and it is not there", advice: "install gnuplot-nox")
    }
    switch result.end {
    case .exited(let code): return (Data(result.output), code, result.errors)
    case .signalled(let number, let name):
      throw BenchError(.output, at: command[0], "was stopped by signal \(number) (\(name))")
    case .timedOut, .stopped: throw BenchError(.output, at: command[0], "did not come to its end")
    }
  }
}
