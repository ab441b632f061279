import AudioCore
import Measurement

/// The findings of measurements, for people and for programs.
package struct MeasurementReport {
  package typealias Results = [(kind: MeasurementKind, findings: Findings)]

  package let deviceName: String
  package let results: Results
  /// Nil if no picture was requested.
  package var drawn: MeasurementPictures.Drawn?

  package init(deviceName: String, results: Results) {
    self.deviceName = deviceName
    self.results = results
  }

  package var text: String {
    var text = "\(VisibleText.name(deviceName))\n"
    for (kind, findings) in results {
      text += "\n\(kind.rawValue)\n"
      var rows: [[String]] = []
      for reading in findings.readings {
        var shown = reading
        shown.channel = nil
        shown.remark = nil
        let channel = reading.channel.map { "channel \($0)" } ?? ""
        rows.append([reading.name, channel, shown.text, reading.remark ?? ""])
      }
      text += TextLayout.columns(rows, indent: "  ")
      for curve in findings.curves where curve.id == "magnitude" { text += Self.table(of: curve, findings) }
      for remark in findings.remarks { text += "  \(VisibleText.line(remark))\n" }
    }
    return text + (drawn?.report ?? "")
  }

  /// The response at octaves, as a small table.
  private static func table(of curve: Curve, _ findings: Findings) -> String {
    let delays = findings.curve("groupDelay", channel: curve.channel ?? 0)
    var rows = [["Hz", "dB", delays == nil ? "" : "group delay, frames"]]
    for centre in [16, 31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000] {
      guard let index = curve.points.firstIndex(where: { abs($0.x / centre - 1) < 0.02 }) else { continue }
      let point = curve.points[index]
      let level =
        point.isBelowFloor ? "< \(NumberText.fixed(point.floor ?? point.y, 1))" : NumberText.fixed(point.y, 4)
      rows.append([
        NumberText.short(centre), level,
        delays.map { NumberText.fixed($0.points[index].y, 3) } ?? "",
      ])
    }
    return "\n  response of channel \(curve.channel ?? 0)\n" + TextLayout.columns(rows, indent: "    ") + "\n"
  }
}
