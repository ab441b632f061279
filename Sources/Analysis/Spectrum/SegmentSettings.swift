import AudioCore
import Glibc

/// The division of a stream for averaged or short-time spectra: overlapping segments, each under a window.
public struct SegmentSettings: Hashable, Sendable {
  /// Frames of a segment and of its transform: 2 or more; products of 2, 3, 5 and 7 are fast.
  public let segmentLength: Int
  /// Frames that a segment has in common with the next: 0 ..< ``segmentLength``.
  public let overlapFrames: Int
  /// The window that every segment is multiplied with; as long as a segment.
  public let window: Window

  /// - Parameter overlapFrames: nil: half a segment, rounded down.
  public init(segmentLength: Int = 4_096, overlapFrames: Int? = nil, window: Window = .hann) {
    let overlap = overlapFrames ?? segmentLength / 2
    precondition(segmentLength >= 2 && (0..<segmentLength).contains(overlap))
    self.segmentLength = segmentLength
    self.overlapFrames = overlap
    self.window = window
  }

  /// Frames from the start of a segment to that of the next.
  public var hopFrames: Int { segmentLength - overlapFrames }
  /// Bins of a spectrum, from 0 Hz to half the rate: N/2 + 1, rounded down.
  public var binCount: Int { segmentLength / 2 + 1 }

  /// Whole segments in a stream of `frames` frames. The frames behind the last one are not used.
  public func segmentCount(frames: Int64) -> Int64 {
    frames < Int64(segmentLength) ? 0 : (frames - Int64(segmentLength)) / Int64(hopFrames) + 1
  }

  /// The frequencies of the bins in Hertz: k·rate/N for k = 0 ... N/2.
  public func frequenciesHertz(sampleRate: Double) -> [Double] {
    (0..<binCount).map { Double($0) * sampleRate / Double(segmentLength) }
  }

  /// These settings for a stream that may be shorter than a segment: then one segment of `frames` frames, as scipy
  /// does.
  public func shortened(toFrames frames: Int64) -> SegmentSettings {
    guard frames >= 2, frames < Int64(segmentLength) else { return self }
    let length = Int(frames)
    return SegmentSettings(segmentLength: length, overlapFrames: min(overlapFrames, length - 1), window: window)
  }
}

/// The meaning of 0 dBFS for a mean power.
public enum FullScale: Hashable, Sendable {
  /// A sine that reaches full scale reads 0 dBFS (AES17, IEC 61606).
  case sine
  /// An RMS of 1 reads 0 dBFS: a sine that reaches full scale reads −3.01.
  case square

  /// The decibels of a mean power, in units of full scale squared. −∞ for 0.
  public func decibels(power: Double) -> Double {
    switch self {
    case .sine: 10 * log10(2 * power)
    case .square: 10 * log10(power)
    }
  }
}
