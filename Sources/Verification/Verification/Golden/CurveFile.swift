import AudioCore
import Foundation
import Measurement

/// A curve as text: a head, then lines of x and y, tab separated, and a third column with the answer in closed form
/// where there is one. Small, and readable in a difference.
package struct CurveFile {
  package var xName: String
  package var yName: String
  package var points: [(x: Double, y: Double)]
  package var analytic: [Double]?

  package init(_ curve: Curve, analytic: [Double]? = nil) {
    xName = "\(curve.x.name) \(curve.x.unit.rawValue)"
    yName = "\(curve.y.name) \(curve.y.unit.rawValue)"
    points = curve.points.map { ($0.x, $0.y) }
    self.analytic = analytic
  }

  /// Far above any table of a curve: a million points take 30 MB.
  package static let maximumBytes = 64 << 20

  /// - Throws: `.suite` for a file that is no such table, naming the line.
  package init(contentsOf path: String) throws(BenchError) {
    let bytes = try FileSystem.bytes(of: path, atMost: Self.maximumBytes, orThrow: .suite)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw BenchError(.suite, at: path, "is no text: a curve is a table of two columns")
    }
    (xName, yName, points) = ("x", "y", [])
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (number, line) in lines.enumerated() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      if number == 0, line.hasPrefix("# "), fields.count >= 2 {
        (xName, yName) = (String(fields[0].dropFirst(2)), String(fields[1]))
      }
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      guard fields.count >= 2, let x = Double(fields[0]), let y = Double(fields[1]), x.isFinite else {
        throw BenchError(
          .suite, at: "\(path):\(number + 1)", "expected two numbers with a tab between")
      }
      guard points.last.map({ $0.x < x }) ?? true else {
        throw BenchError(.suite, at: "\(path):\(number + 1)", "the first column does not rise: \(x)")
      }
      points.append((x, y))
    }
    guard !points.isEmpty else { throw BenchError(.suite, at: path, "the curve has no points") }
  }

  /// Between the points, over log x.
  package var line: Interpolation { Interpolation(points, isLogarithmic: true) }

  package var text: String {
    var text = "# \(xName)\t\(yName)\(analytic == nil ? "" : "\tclosed form")\n"
    for (index, point) in points.enumerated() {
      text += "\(Self.number(point.x))\t\(Self.number(point.y))"
      if let analytic { text += "\t\(Self.number(analytic[index]))" }
      text += "\n"
    }
    return text
  }

  /// Nine digits that count; `nan` where there is nothing.
  private static func number(_ value: Double) -> String {
    value.isFinite ? String(format: "%.9g", value) : JSONValue.text(of: value)
  }
}
