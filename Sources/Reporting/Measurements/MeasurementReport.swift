import AudioCore
import Measurement

/// What was measured, for people and for programs.
package struct MeasurementReport {
  package let deviceName: String
  package let results: [(kind: MeasurementKind, findings: Findings)]
  /// Nil: no picture was asked for.
  package var drawn: MeasurementPictures.Drawn?

  package init(
    deviceName: String, results: [(kind: MeasurementKind, findings: Findings)], drawn: MeasurementPictures.Drawn? = nil
  ) {
    self.deviceName = deviceName
    self.results = results
    self.drawn = drawn
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
      rows.append([
        NumberText.short(centre), NumberText.fixed(curve.points[index].y, 4),
        delays.map { NumberText.fixed($0.points[index].y, 3) } ?? "",
      ])
    }
    return "\n  response of channel \(curve.channel ?? 0)\n" + TextLayout.columns(rows, indent: "    ") + "\n"
  }

  // MARK: For programs

  package var json: JSON {
    JSON(
      device: deviceName,
      measurements: results.map { kind, findings in
        JSON.Part(
          measurement: kind.rawValue,
          readings: findings.readings.map { reading in
            JSON.Reading(
              id: reading.id, name: reading.name, value: JSON.finite(reading.value), unit: reading.unit.rawValue,
              floor: reading.floor.flatMap(JSON.finite), uncertainty: reading.uncertainty.flatMap(JSON.finite),
              isBelowFloor: reading.isBelowFloor, bound: reading.bound?.rawValue, channel: reading.channel,
              at: reading.at, remark: reading.remark)
          },
          curves: findings.curves.map { curve in
            JSON.Curve(
              id: curve.id, name: curve.name, channel: curve.channel, xUnit: curve.x.unit.rawValue,
              yUnit: curve.y.unit.rawValue, x: curve.points.map(\.x), y: curve.points.map { JSON.finite($0.y) },
              uncertainty: curve.points.contains { $0.uncertainty != nil }
                ? curve.points.map { $0.uncertainty.flatMap(JSON.finite) } : nil)
          },
          remarks: findings.remarks)
      },
      pictures: drawn?.paths, remarks: drawn?.remarks)
  }

  /// Numbers that are none, or infinite, are null.
  package struct JSON: Encodable {
    let device: String
    let measurements: [Part]
    /// Paths; nil where none were asked for.
    let pictures: [String]?
    /// What could not be drawn.
    let remarks: [String]?

    static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

    struct Part: Encodable {
      let measurement: String
      let readings: [Reading]
      let curves: [Curve]
      let remarks: [String]
    }

    struct Reading: Encodable {
      let id: String
      let name: String
      let value: Double?
      let unit: String
      let floor: Double?
      let uncertainty: Double?
      let isBelowFloor: Bool
      let bound: String?
      let channel: Int?
      let at: [String: Double]
      let remark: String?
    }

    struct Curve: Encodable {
      let id: String
      let name: String
      let channel: Int?
      let xUnit: String
      let yUnit: String
      let x: [Double]
      let y: [Double?]
      let uncertainty: [Double?]?
    }
  }
}
