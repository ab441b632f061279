import Loudness
import Spectrum

/// The settings of a level measurement.
public struct LevelSettings: Hashable, Sendable {
  /// The meaning of 0 dBFS for RMS. The default reads a full-scale sine as −3.01 dBFS, as SoX and FFmpeg do;
  /// `FullScale.sine` reads it as 0 dBFS (AES17).
  public var rmsFullScale = FullScale.square
  /// The positions of the channels' loudspeakers; nil: those that the file says, or the usual ones for their number.
  public var loudspeakers: [LoudnessChannel]?
  /// Samples in a row, of one sign, that make a clipped run: 1 or more.
  public var clippedRunLength = 3
  /// The magnitude from which on a sample may be clipped; nil: the largest positive value that the file's integers
  /// have, and 1 for everything else.
  public var clippingAmplitude: Double?

  /// RMS against a full-scale square, the usual loudspeakers, clipped runs of 3 samples.
  public init() {}
}
