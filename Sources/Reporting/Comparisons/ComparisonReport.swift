import AudioCore
import Measurement
import SoundFile
import Verification

// What `aubench compare` found: for people, and as JSON.
extension FileComparison.Report {
  /// The verdict is the last line.
  package var text: String {
    var text = TextLayout.columns([["A", Self.line(actual)], ["B", Self.line(expected)]]) + "\n"
    for outcome in outcomes { text += Self.block(outcome) }
    if !information.isEmpty {
      let partly = comparedFrames < max(actual.frameCount, expected.frameCount)
      text += partly ? "for information, of the first \(comparedFrames) frames:\n" : "for information:\n"
      for outcome in information { text += Self.field(outcome.id, outcome.found, indent: "  ", width: 10) }
    }
    if let difference {
      text += "A - B: \(VisibleText.name(difference.path)), float32, \(NumberText.bytes(difference.bytes))\n"
    }
    for remark in remarks { text += "\(remark)\n" }
    return text + verdictLine + "\n"
  }

  package var verdictLine: String {
    let failed = outcomes.filter { !$0.verdict.isGood }
    if failed.isEmpty {
      return outcomes.contains { $0.id == "exact" }
        ? "same: bit for bit" : "same within the limits: \(outcomes.map(\.id).joined(separator: ", "))"
    }
    let first = failed.compactMap(\.firstFailure).min { $0.frame < $1.frame }
    return "different: \(failed.map(\.id).joined(separator: ", "))" + (first.map { ", first at \($0)" } ?? "")
  }

  private static func line(_ info: SoundFileInfo) -> String {
    let kind = [info.container?.rawValue, info.encoding?.rawValue].compactMap { $0 }
    let length = NumberText.clockTime(Double(info.frameCount) / info.sampleRate)
    return
      "\(VisibleText.name(info.path)): \(length) (\(info.frameCount) frames), \(NumberText.short(info.sampleRate)) Hz, "
      + "\(NumberText.count(info.channelCount, "channel")), "
      + (kind.isEmpty
        ? info.encodingName : kind.count == 2 && kind[0] == kind[1] ? kind[0] : kind.joined(separator: " "))
  }

  private static func block(_ outcome: CheckOutcome) -> String {
    let isGood = outcome.verdict.isGood
    var text = "\(isGood ? "ok  " : "FAIL") \(outcome.id)\n"
    text += field("expected", outcome.expected, indent: "     ", width: 9)
    text += field("found", outcome.found, indent: "     ", width: 9)
    if let place = outcome.firstFailure { text += field("first", "\(place)", indent: "     ", width: 9) }
    return text
  }

  private static func field(_ name: String, _ value: String, indent: String, width: Int) -> String {
    let head = indent + name + String(repeating: " ", count: max(1, width - name.count))
    return TextLayout.paragraph(
      value, width: 100, indent: String(repeating: " ", count: indent.count + width), first: head)
  }
}

/// A comparison in JSON. Null stands for what is no finite number: a level of nothing at all.
package struct ComparisonSummary: Encodable {
  private let verdict: String
  private let actual: File
  private let expected: File
  private let checks: [Check]
  private let information: [Check]
  private let comparedFrames: Int64
  private let difference: Difference?
  private let remarks: [String]
  private let elapsedSeconds: Double

  package init(_ report: FileComparison.Report) {
    verdict = report.isSame ? "same" : "different"
    actual = File(report.actual)
    expected = File(report.expected)
    checks = report.outcomes.map(Check.init)
    information = report.information.map(Check.init)
    comparedFrames = report.comparedFrames
    difference = report.difference.map { Difference(path: $0.path, frames: $0.frames, bytes: $0.bytes) }
    remarks = report.remarks
    elapsedSeconds = report.elapsedSeconds
  }

  private struct File: Encodable {
    let path: String
    let frames: Int64
    let sampleRateHertz: Double
    let channels: Int
    let container: String?
    let encoding: String?

    init(_ info: SoundFileInfo) {
      path = info.path
      frames = info.frameCount
      sampleRateHertz = info.sampleRate
      channels = info.channelCount
      container = info.container?.rawValue
      encoding = info.encoding?.rawValue
    }
  }

  private struct Difference: Encodable {
    let path: String
    let frames: Int64
    let bytes: Int64
  }

  private struct Check: Encodable {
    let id: String
    let verdict: String
    let expected: String
    let found: String
    let firstFailure: Place?
    let readings: [Value]

    init(_ outcome: CheckOutcome) {
      id = outcome.id
      verdict = outcome.verdict.rawValue
      expected = outcome.expected
      found = outcome.found
      firstFailure = outcome.firstFailure.map { Place(frame: $0.frame, seconds: $0.seconds, channel: $0.channel) }
      readings = outcome.readings.map(Value.init)
    }
  }

  private struct Place: Encodable {
    let frame: Int64
    let seconds: Double
    let channel: Int
  }

  private struct Value: Encodable {
    let id: String
    let name: String
    let value: Double?
    let unit: String
    let channel: Int?
    let at: [String: Double]
    let remark: String?

    init(_ reading: Reading) {
      id = reading.id
      name = reading.name
      value = reading.value.isFinite ? reading.value : nil
      unit = reading.unit.rawValue
      channel = reading.channel
      at = reading.at
      remark = reading.remark
    }
  }
}
