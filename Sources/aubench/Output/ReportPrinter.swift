import AudioCore
import BatchRender
import Measurement
import Reporting
import SoundFile

/// What a render or a conversion did: for people on standard output, for machines as JSON, warnings on standard error.
struct ReportPrinter {
  private let isQuiet: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    isQuiet = arguments.has(.quiet)
    isJSON = arguments.has(.json)
  }

  func print(_ report: RenderReport, taps: [String], threads: Int) {
    guard let file = report.file else { return }
    warnOfClipping(file, channelCount: report.channelCount)
    for tap in report.taps { warnOfClipping(tap, channelCount: nil) }
    if report.hasNonFiniteSamples {
      ErrorOutput.warn(
        "\(file.path): infinities or not-a-numbers came out of the graph; look for a gain or feedback that runs away")
    }
    for node in report.clippingNodes {
      ErrorOutput.warn("node \"\(node.name)\": \(node.samples) samples clipped to the range of its format")
    }
    ErrorOutput.warn(ofIdleNodes: report.idleNodes)
    if report.reachedCap {
      ErrorOutput.warn("\(file.path): the output had not become silent when the cap was reached; see --cap")
    }
    if isJSON {
      StandardOutput.print(json: report.json(taps: taps, threads: threads))
    } else if !isQuiet {
      StandardOutput.print(
        Self.fileLine(file, sampleRate: report.sampleRate, channelCount: report.channelCount)
          + Self.peakLine(report.peakDecibels)
          + Self.timeLine("rendered", report.elapsedSeconds, report.realtimeFactor, threads: threads)
          + Self.droppedLine(file)
          + zip(taps, report.taps).map {
            "tap \(VisibleText.name($0)): \(VisibleText.name($1.path)), \(Self.encoding($1)), \(NumberText.bytes($1.bytes))\n"
          }
          .joined())
    }
  }

  func print(_ report: FileConversion.Report, threads: Int) {
    let file = report.file
    warnOfClipping(file, channelCount: report.channelCount)
    if isJSON {
      StandardOutput.print(json: report.json(threads: threads))
    } else if !isQuiet {
      StandardOutput.print(
        Self.fileLine(file, sampleRate: report.sampleRate, channelCount: report.channelCount)
          + (report.peakDecibels.isEmpty ? "" : Self.peakLine(report.peakDecibels))
          + Self.timeLine("converted", report.elapsedSeconds, report.realtimeFactor, threads: threads)
          + Self.droppedLine(file))
    }
  }

  /// Never silent, not even with `--quiet`.
  private func warnOfClipping(_ file: SoundFileWriteReport, channelCount: Int?) {
    guard file.clippedSamples > 0 else { return }
    let share = channelCount.map { channels -> String in
      let part = Double(file.clippedSamples) / Double(max(1, file.frames * Int64(channels))) * 100
      return part < 0.01 ? " (less than 0.01 %)" : " (\(NumberText.fixed(part, 2)) %)"
    }
    let samples = file.clippedSamples == 1 ? "1 sample" : "\(file.clippedSamples) samples"
    ErrorOutput.warn(
      "\(file.path): \(samples) clipped\(share ?? ""): lower the volume or use --encoding float32")
  }

  private static func fileLine(_ file: SoundFileWriteReport, sampleRate: Double, channelCount: Int) -> String {
    let length = NumberText.clockTime(Double(file.frames) / sampleRate)
    return "\(VisibleText.name(file.path)): \(length) (\(file.frames) frames), \(NumberText.short(sampleRate)) Hz, "
      + "\(NumberText.count(channelCount, "channel")), \(encoding(file)), \(NumberText.bytes(file.bytes))\n"
  }

  private static func encoding(_ file: SoundFileWriteReport) -> String {
    file.container.rawValue == file.encoding.rawValue
      ? file.encoding.rawValue : "\(file.container.rawValue) \(file.encoding.rawValue)"
  }

  /// The first channels one by one, the rest in one figure.
  private static func peakLine(_ peaks: [Double]) -> String {
    func level(_ decibels: Double) -> String { decibels == -.infinity ? "silent" : "\(NumberText.fixed(decibels, 2))" }
    let shown = peaks.prefix(8).map(level).joined(separator: ", ")
    let rest = peaks.dropFirst(8).max().map { ", the others up to \(level($0))" } ?? ""
    return "peak: \(shown)\(rest) dBFS\n"
  }

  private static func timeLine(_ verb: String, _ elapsed: Double, _ factor: Double, threads: Int) -> String {
    "\(verb) in \(NumberText.fixed(elapsed, 2)) s: \(NumberText.factor(factor)) x realtime, \(NumberText.count(threads, "thread"))\n"
  }

  private static func droppedLine(_ file: SoundFileWriteReport) -> String {
    let dropped = file.droppedMetadata.map(\.rawValue).joined(separator: ", ")
    return dropped.isEmpty ? "" : "texts that \(file.container.rawValue) does not keep: \(dropped)\n"
  }
}
