import AudioCore
import FoundationEssentials

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
    let (output, code, errors) = try ChildProcess.run([executable, "-d", "-"], input: Data(script.utf8))
    guard code == 0 else {
      let words = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      throw BenchError(
        .output, at: "gnuplot", "failed with code \(code): " + words.suffix(40).joined(separator: " "),
        advice: "version 5.4 or later is needed, with its cairo terminals (gnuplot-nox)")
    }
    return output
  }
}
