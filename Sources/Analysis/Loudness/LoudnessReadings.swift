import AudioCore

/// The readings of a ``LoudnessMeter`` for a whole stream (EBU R 128, ITU-R BS.1770-4).
///
/// If a sample was not finite, every value is not a number.
public struct LoudnessReadings: Hashable, Sendable {
  /// Integrated loudness in LUFS; nil where no block of 400 ms is above the absolute gate of −70 LUFS: silence, or a
  /// stream shorter than that.
  public var integratedLUFS: Double?
  /// The largest momentary loudness (400 ms); nil for a shorter stream, −∞ for digital silence.
  public var momentaryMaximumLUFS: Double?
  /// The largest short-term loudness (3 s); nil for a shorter stream, −∞ for digital silence.
  public var shortTermMaximumLUFS: Double?
  /// Loudness range in LU (EBU Tech 3342); nil where no block of 3 s is above −70 LUFS.
  public var rangeLU: Double?
  /// The largest magnitude of each channel's band-limited course, between samples too; 1 is 0 dBTP. The sound is taken
  /// to be silent before its first sample and behind its last.
  public var truePeaks: [Double]
  /// The half widths of the intervals around ``truePeaks`` that hold the truth in 95 of 100 cases, amplitudes.
  public var truePeakUncertainties: [Double]
  /// The largest magnitude of a sample of each channel; 1 is 0 dBFS.
  public var samplePeaks: [Double]

  /// dBTP of a channel; −∞ for digital silence.
  public func truePeakDecibels(channel: Int) -> Double { Decibels.of(amplitude: truePeaks[channel]) }
  /// dBFS of a channel's largest sample.
  public func samplePeakDecibels(channel: Int) -> Double { Decibels.of(amplitude: samplePeaks[channel]) }
  /// The largest true peak of all channels, in dBTP.
  public var maximumTruePeakDecibels: Double {
    Decibels.of(amplitude: truePeaks.contains(where: \.isNaN) ? .nan : truePeaks.max() ?? 0)
  }
}
