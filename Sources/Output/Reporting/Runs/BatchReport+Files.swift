import AudioCore
import Batch

// The report of a batch as files: a table for spreadsheets, JUnit XML for CI, a page for people.
extension BatchReport {
  private static let columns = [
    "output", "status", "seconds", "sample rate Hz", "channels", "layout", "format", "bytes", "peak dBFS",
    "clipped samples", "not finite samples", "loudness LUFS", "true peak dBTP", "gain dB", "shortfall dB", "excess dB",
    "limited dB", "limited %", "message",
  ]

  private func cells(_ row: Row) -> [String] {
    func number(_ value: Double?) -> String { value.map { NumberText.short($0) } ?? "" }
    let report = row.report
    // The peak of a sound with samples that are not finite is not known.
    let peak = report?.nonFinite == nil ? report?.peakDecibels.compactMap(\.self).max() : nil
    return [
      VisibleText.name(row.path), row.status, number(report?.seconds), number(report?.sampleRate),
      report.map { "\($0.channels)" } ?? "",
      report?.layout ?? "", report?.format ?? "", report.map { "\($0.bytes)" } ?? "",
      peak.map { NumberText.fixed($0, 2) } ?? "",
      report.map { "\($0.clippedSamples)" } ?? "", report.map { "\($0.nonFinite?.count ?? 0)" } ?? "",
      report?.loudnessLUFS.map { NumberText.fixed($0, 2) } ?? "",
      report?.truePeakDecibels.map { NumberText.fixed($0, 2) } ?? "",
      report?.gainDecibels.map { NumberText.fixed($0, 2) } ?? "",
      report?.shortfallDecibels.map { NumberText.fixed($0, 2) } ?? "",
      report?.excessDecibels.map { NumberText.fixed($0, 2) } ?? "",
      report?.limitedDecibels.map { NumberText.fixed($0, 2) } ?? "",
      report?.limitedShare.map { NumberText.fixed($0 * 100, 1) } ?? "",
      VisibleText.name(row.error?.description ?? report?.warnings.joined(separator: " | ") ?? ""),
    ]
  }

  /// RFC 4180, a line for each output.
  package var csv: String {
    CommaSeparatedText.lines([Self.columns] + rows.map(cells))
  }

  /// A test case for each output.
  package var junit: String {
    func isSkipped(_ row: Row) -> Bool { row.status == "left" || row.status == "present" }
    let cases = rows.map { row -> XMLElement in
      var children: [XMLElement] = []
      if let error = row.error {
        children = [XMLElement("failure", [("type", error.kind.rawValue), ("message", error.description)])]
      } else if isSkipped(row) {
        children = [XMLElement("skipped")]
      }
      return XMLElement("testcase", [("classname", "batch"), ("name", row.path)], children: children)
    }
    let suite = XMLElement(
      "testsuite",
      [
        ("name", "batch"), ("tests", "\(rows.count)"), ("failures", "\(rows.count { $0.error != nil })"),
        ("skipped", "\(rows.count(where: isSkipped))"), ("time", NumberText.fixed(elapsedSeconds ?? 0, 3)),
      ], children: cases)
    return XMLElement("testsuites", children: [suite]).document
  }

  /// One page, without anything from outside.
  package var html: String { BatchPage(self).text }
}
