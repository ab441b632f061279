import AudioCore
import BatchRender
import SoundFile
import Measurement

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
    let tapFiles = zip(taps, report.taps).map { FileSummary($1, node: $0) }
    if isJSON {
      StandardOutput.print(
        json: RenderSummary(
          file: FileSummary(file, sampleRate: report.sampleRate, channelCount: report.channelCount),
          elapsedSeconds: report.elapsedSeconds, realtimeFactor: Self.finite(report.realtimeFactor),
          peakDecibels: report.peakDecibels.map(Self.finite), hasNonFiniteSamples: report.hasNonFiniteSamples,
          reachedCap: report.reachedCap, threads: threads, taps: tapFiles, durationSeconds: report.durationSeconds,
          droppedMetadata: file.droppedMetadata.map(\.rawValue)))
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
      StandardOutput.print(
        json: ConversionSummary(
          input: InputSummary(
            path: report.input.path, frames: report.input.frameCount, sampleRateHertz: report.input.sampleRate,
            channels: report.input.channelCount, container: report.input.container?.rawValue,
            encoding: report.input.encoding?.rawValue),
          file: FileSummary(file, sampleRate: report.sampleRate, channelCount: report.channelCount),
          elapsedSeconds: report.elapsedSeconds, realtimeFactor: Self.finite(report.realtimeFactor),
          peakDecibels: report.peakDecibels.map(Self.finite), threads: threads,
          durationSeconds: Double(file.frames) / report.sampleRate,
          droppedMetadata: file.droppedMetadata.map(\.rawValue)))
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

  /// JSON has no infinities: null stands for them.
  private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}

/// A file in JSON.
private struct FileSummary: Encodable {
  let path: String
  let frames: Int64
  let bytes: Int64
  let container: String
  let encoding: String
  let clippedSamples: Int64
  var sampleRateHertz: Double?
  var channels: Int?
  var node: String?

  init(_ report: SoundFileWriteReport, sampleRate: Double? = nil, channelCount: Int? = nil, node: String? = nil) {
    path = report.path
    frames = report.frames
    bytes = report.bytes
    container = report.container.rawValue
    encoding = report.encoding.rawValue
    clippedSamples = report.clippedSamples
    sampleRateHertz = sampleRate
    channels = channelCount
    self.node = node
  }
}

private struct InputSummary: Encodable {
  let path: String
  let frames: Int64
  let sampleRateHertz: Double
  let channels: Int
  let container: String?
  let encoding: String?
}

private struct RenderSummary: Encodable {
  let file: FileSummary
  let elapsedSeconds: Double
  let realtimeFactor: Double?
  /// Null: silence.
  let peakDecibels: [Double?]
  let hasNonFiniteSamples: Bool
  let reachedCap: Bool
  let threads: Int
  let taps: [FileSummary]
  let durationSeconds: Double
  let droppedMetadata: [String]
}

private struct ConversionSummary: Encodable {
  let input: InputSummary
  let file: FileSummary
  let elapsedSeconds: Double
  let realtimeFactor: Double?
  let peakDecibels: [Double?]
  let threads: Int
  let durationSeconds: Double
  let droppedMetadata: [String]
}
