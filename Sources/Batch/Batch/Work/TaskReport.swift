import AudioCore
import BatchRender
import FoundationEssentials

/// The report of one output: kept in the journal, so that it can be repeated for outputs that need not be made again.
package struct TaskReport: Codable, Hashable, Sendable {
  package var frames: Int64
  /// Hertz.
  package var sampleRate: Double
  package var channels: Int
  /// The channels in words; nil for mono, stereo, and what the file does not say.
  package var layout: String?
  package var bytes: Int64
  /// `wav pcm16`
  package var format: String
  /// Texts, pictures, markers and chunks of the input that the file does not keep, by name; nil: it keeps all.
  package var dropped: [String]?
  /// The largest sample of each channel, dBFS; nil for silence, and where a sample is not finite. Empty where none was
  /// looked at.
  package var peakDecibels: [Double?]
  package var clippedSamples: Int64
  /// Samples of the sound, in front of its encoding, that are NaN or infinite; nil: there are none.
  package var nonFinite: NonFiniteSamples?
  /// Integrated, of the output as it is read back, where it was measured and is not silent.
  package var loudnessLUFS: Double?
  package var truePeakDecibels: Double?
  /// The gain that was added to the sound.
  package var gainDecibels: Double?
  /// By how much the loudness stayed below its target, as the true peak is at its limit.
  package var shortfallDecibels: Double?
  /// By how much the true peak of the file exceeds its limit; nil where it does not, within the error of the reading.
  package var excessDecibels: Double?
  /// The largest gain reduction of the limiter, and the part of the time with more than 0.1 dB of one; nil where there
  /// was none.
  package var limitedDecibels: Double?
  package var limitedShare: Double?
  /// The number of times that the output was written until its levels were right; nil: once.
  package var passes: Int?
  /// The reason why the loudness was not set as requested: too short, silent, or not finite.
  package var notNormalized: String?
  /// Frames of silence that were cut off the beginning and the end.
  package var trimmedFrames: [Int64]?
  package var warnings: [String]

  package var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
}

// As it stands in a journal.
extension TaskReport {
  /// JSON.
  package var text: String { String(decoding: JSONMessage.data(withFiniteFigures), as: UTF8.self) }

  /// The same without figures that are not finite, for which JSON has no numbers: they are missing.
  package var withFiniteFigures: TaskReport {
    func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    var report = self
    report.peakDecibels = peakDecibels.map(finite)
    report.loudnessLUFS = finite(loudnessLUFS)
    report.truePeakDecibels = finite(truePeakDecibels)
    report.gainDecibels = finite(gainDecibels)
    report.shortfallDecibels = finite(shortfallDecibels)
    report.excessDecibels = finite(excessDecibels)
    report.limitedDecibels = finite(limitedDecibels)
    return report
  }

  package init?(text: String) {
    guard let report = try? JSONDecoder().decode(TaskReport.self, from: Data(text.utf8)) else { return nil }
    self = report
  }
}
