import AudioCore
import FoundationEssentials
import Processes

/// The one place that makes PNG and PDF of SVG: by librsvg's program, a child process with the SVG on its standard
/// input and the picture on its standard output.
package struct PictureConverter {
  /// Looked for on the path where it has no slash.
  var executable: String

  package init(executable: String = "rsvg-convert") { self.executable = executable }

  /// - Parameter format: not SVG.
  /// - Throws: `.output` where the program is not there, fails, or answers with something else.
  package func picture(_ svg: Data, as format: PictureFormat) throws(BenchError) -> Data {
    var child = ChildProcess([executable, "--format", format.rawValue])
    // Twice as many pixels as CSS has; a PDF has points, 72 to the inch.
    child.words += format == .png ? ["--zoom", "2"] : ["--dpi-x", "96", "--dpi-y", "96"]
    child.input = Array(svg)
    child.environment["LC_ALL"] = "C.UTF-8"
    child.environment["SOURCE_DATE_EPOCH"] = "946684800"
    child.outputBytes = 1 << 30
    child.limits.seconds = .infinity
    let result: ChildProcess.Result
    do { result = try child.run() } catch {
      throw BenchError(
        .output, at: executable,
        error.isMissing
          ? "\(format.rawValue.uppercased()) pictures are made by it, and it is not there"
          : "cannot be run: \(error.reason)",
        advice: error.isMissing ? "install librsvg2-bin, or write an .svg" : nil)
    }
    switch result.end {
    case .exited(0): break
    case .exited(let code):
      let words = String(decoding: result.errors, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      throw BenchError(.output, at: executable, "failed with code \(code): " + words.suffix(40).joined(separator: " "))
    case .signalled(let number, let name):
      throw BenchError(.output, at: executable, "was stopped by signal \(number) (\(name))")
    case .timedOut, .stopped: throw BenchError(.output, at: executable, "did not come to its end")
    }
    guard format.isBegunBy(result.output) else {
      throw BenchError(.output, at: executable, "answered with something else than \(format.rawValue.uppercased())")
    }
    return Data(result.output)
  }
}
