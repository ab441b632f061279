import AudioCore
import Loudness

/// The finishing of a whole sound before it is written: silence is cut off its ends, they are faded, and its loudness
/// is set. In this order.
package struct Finishing: Sendable {
  /// Silence at the ends.
  package struct Trim: Sendable {
    /// Samples below this level count as silence, dBFS.
    package var thresholdDecibels: Double
    /// The silence that is kept at either end, seconds.
    package var keptSeconds: Double

    package init(thresholdDecibels: Double = -60, keptSeconds: Double = 0) {
      (self.thresholdDecibels, self.keptSeconds) = (thresholdDecibels, keptSeconds)
    }
  }

  /// One gain for the whole, of which the loudness follows.
  package struct Loudness: Sendable {
    /// Integrated loudness (EBU R 128), LUFS.
    package var targetLUFS: Double
    /// The largest true peak of the file, dBTP: if both are impossible, the sound stays quieter, or is limited.
    package var limitDecibels: Double
    /// True when all sounds of a folder get one gain, by their loudness as a whole.
    package var isAlbum: Bool
    /// True when the peaks of a sound that would stay quieter are turned down by a limiter.
    package var limits: Bool

    package init(targetLUFS: Double, limitDecibels: Double = -1, isAlbum: Bool = false, limits: Bool = false) {
      (self.targetLUFS, self.limitDecibels, self.isAlbum, self.limits) = (targetLUFS, limitDecibels, isAlbum, limits)
    }

    /// The gain of a sound, or of all sounds of an album.
    package struct Gain: Hashable, Sendable {
      /// The gain that is added to it.
      package var decibels = 0.0
      /// The distance to the target, if the true peak is at its limit; nil if no loudness is set.
      package var shortfallDecibels: Double?
      /// Why nothing is done: `all of it is below −70 LUFS`; nil where the loudness is set.
      package var refusal: String?
    }

    /// The gain for a sound.
    /// - Parameters:
    ///   - loudnessLUFS: nil: silence, or too short to have a loudness; it stays as it is.
    ///   - truePeakDecibels: dBTP.
    ///   - frames: the length of the sound, or of the longest of several.
    ///   - nonFinite: samples of it that are NaN or infinite, of which there is no loudness.
    package func gain(
      loudnessLUFS: Double?, truePeakDecibels: Double, frames: Int64, sampleRate: Double,
      nonFinite: Bool
    ) -> Gain {
      guard !nonFinite else { return Gain(refusal: "it has samples that are NaN or infinite") }
      guard let loudnessLUFS, loudnessLUFS.isFinite, truePeakDecibels.isFinite else {
        // 400 ms are the shortest of which EBU R 128 knows a loudness.
        let isShort = Double(frames) < 0.4 * sampleRate
        return Gain(refusal: isShort ? "it is shorter than 400 ms" : "all of it is below the gate of -70 LUFS")
      }
      let wanted = targetLUFS - loudnessLUFS
      let gain = limits ? wanted : min(wanted, limitDecibels - truePeakDecibels)
      return Gain(decibels: gain, shortfallDecibels: wanted - gain)
    }
  }

  package var trim: Trim?
  /// Seconds; a fade is a half period of a cosine.
  package var fadeInSeconds = 0.0
  package var fadeOutSeconds = 0.0
  package var loudness: Loudness?
  /// True when loudness and true peak are measured even if they are not set.
  package var measuresLoudness = false

  package init() {}

  /// True when sounds are written unchanged.
  package var isNothing: Bool {
    trim == nil && fadeInSeconds == 0 && fadeOutSeconds == 0 && loudness == nil && !measuresLoudness
  }
}
