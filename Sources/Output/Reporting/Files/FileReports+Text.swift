import AudioCore
import BatchRender
import SoundFile

// The report of a render or a conversion, for people.

extension RenderReport {
  /// The report of a render into a file.
  /// - Parameters:
  ///   - taps: the nodes that were listened to, as many as the report has files of them.
  ///   - threads: that rendered.
  package func text(taps names: [String], threads: Int) -> String {
    guard let file else { return "" }
    let taps = zip(names, taps).map {
      "tap \(VisibleText.name($0)): \(VisibleText.name($1.path)), \($1.kind), \(NumberText.bytes($1.bytes))\n"
    }
    return file.line(sampleRate: sampleRate, channelCount: channelCount) + peakLine(peakDecibels)
      + timeLine("rendered", elapsedSeconds, realtimeFactor, threads: threads) + file.droppedLine + taps.joined()
  }
}

extension FileConversion.Report {
  /// - Parameter threads: that converted.
  package func text(threads: Int) -> String {
    file.line(sampleRate: sampleRate, channelCount: channelCount) + (peakDecibels.isEmpty ? "" : peakLine(peakDecibels))
      + timeLine("converted", elapsedSeconds, realtimeFactor, threads: threads) + file.droppedLine
  }
}

extension SoundFileWriteReport {
  fileprivate func line(sampleRate: Double, channelCount: Int) -> String {
    let extent = SoundFileText.extent(
      path, frames: frames, sampleRate: sampleRate, channelCount: channelCount, layout: layout)
    return "\(extent), \(kind), \(NumberText.bytes(bytes))\n"
  }

  fileprivate var kind: String { SoundFileText.kind(container, encoding) }

  fileprivate var droppedLine: String {
    func line(_ what: String, _ dropped: [String]) -> String {
      let names = dropped.map { VisibleText.name($0) }.joined(separator: ", ")
      return dropped.isEmpty ? "" : "\(what) that \(container.rawValue) does not keep: \(names)\n"
    }
    return line("texts", droppedMetadata.map(\.rawValue) + droppedTags) + line("pictures", droppedPictures)
      + (droppedChunks.isEmpty
        ? "" : "chunks that are not kept: \(droppedChunks.map { VisibleText.name($0) }.joined(separator: ", "))\n")
  }
}

/// Pieces of lines about sound files.
enum SoundFileText {
  /// `a.wav: 0:01.00 (48000 frames), 48000 Hz, 2 channels`
  static func extent(
    _ path: String, frames: Int64, sampleRate: Double, channelCount: Int, layout: ChannelLayout? = nil
  ) -> String {
    let length = NumberText.clockTime(Double(frames) / sampleRate)
    return
      "\(VisibleText.name(path)): \(length) (\(NumberText.count(frames, "frame"))), \(NumberText.short(sampleRate)) Hz, "
      + NumberText.count(channelCount, "channel") + (layout.flatMap(\.shown).map { ", \($0)" } ?? "")
  }

  /// `wav pcm24`; `mp3`
  static func kind(_ container: SoundFileContainer?, _ encoding: SoundFileEncoding?) -> String {
    let words = [container?.rawValue, encoding?.rawValue].compactMap(\.self)
    return words.first == words.last ? words.first ?? "" : words.joined(separator: " ")
  }
}

/// The first channels one by one, the rest in one figure.
private func peakLine(_ peaks: [Double]) -> String {
  func level(_ decibels: Double) -> String {
    decibels.isNaN ? "none (not finite)" : decibels == -.infinity ? "silent" : NumberText.fixed(decibels, 2)
  }
  let shown = peaks.prefix(8).map(level).joined(separator: ", ")
  let others = peaks.dropFirst(8)
  let rest = (others.first(where: \.isNaN) ?? others.max()).map { ", the others up to \(level($0))" } ?? ""
  return "peak: \(shown)\(rest) dBFS\n"
}

private func timeLine(_ verb: String, _ elapsed: Double, _ factor: Double, threads: Int) -> String {
  "\(verb) in \(NumberText.fixed(elapsed, 2)) s: \(NumberText.factor(factor)) x realtime, "
    + "\(NumberText.count(threads, "thread"))\n"
}
