import AudioCore
import SoundFile
import Verification

// The result of `aubench compare`, for people.
extension FileComparison.Report {
  /// The verdict is the last line.
  package var text: String {
    var text = TextLayout.columns([["A", Self.line(actual)], ["B", Self.line(expected)]]) + "\n"
    for outcome in outcomes { text += Self.block(outcome) }
    if !information.isEmpty {
      let partly = comparedFrames < max(actual.frameCount, expected.frameCount)
      text +=
        partly ? "for information, of the first \(NumberText.count(comparedFrames, "frame")):\n" : "for information:\n"
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
    let first = failed.compactMap(\.firstFailure).earliest
    return "different: \(failed.map(\.id).joined(separator: ", "))" + (first.map { ", first at \($0)" } ?? "")
  }

  private static func line(_ info: SoundFileInfo) -> String {
    let kind = SoundFileText.kind(info.container, info.encoding)
    let extent = SoundFileText.extent(
      info.path, frames: info.frameCount, sampleRate: info.sampleRate, channelCount: info.channelCount,
      layout: info.layout)
    return "\(extent), \(kind.isEmpty ? info.encodingName : kind)"
  }

  private static func block(_ outcome: CheckOutcome) -> String {
    let isGood = outcome.verdict.isGood
    var text = "\(isGood ? "ok  " : "FAIL") \(outcome.id)\n"
    text += field("expected", outcome.expected) + field("found", outcome.found)
    if let place = outcome.firstFailure { text += field("first", "\(place)") }
    return text
  }

  private static func field(_ name: String, _ value: String, indent: String = "     ", width: Int = 9) -> String {
    let head = indent + name + String(repeating: " ", count: max(1, width - name.count))
    return TextLayout.paragraph(
      value, width: 100, indent: String(repeating: " ", count: indent.count + width), first: head)
  }
}
