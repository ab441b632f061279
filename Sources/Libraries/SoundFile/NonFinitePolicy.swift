import AudioCore
import DSPKernels

/// The treatment of samples of a sound file that are NaN or infinite.
///
/// A NaN spreads: a filter, a fader or a rate converter that has taken one in gives only NaN from then on, and no level
/// or loudness can be computed of it. So reading a file stops at one unless another policy is set.
public enum NonFinitePolicy: String, NamedChoice, Codable {
  /// Reading fails, with the place of the first and their number.
  case error
  /// Each becomes 0, and they are counted.
  case silence
  /// Each is passed on as it is, and they are counted. Figures of the sound are then missing.
  case keep

  /// For files that a graph plays and for files that are converted.
  public static let standard = NonFinitePolicy.error
}

// Such samples are found as they are read, counted, and treated by the reader's policy.
extension SoundFileReader {
  /// False for files whose samples are integers. Decoders of lossy files give floats, and from damaged ones anything.
  static func canBeNonFinite(_ encoding: SoundFileEncoding?) -> Bool {
    guard let encoding else { return true }
    return encoding.isFloat || encoding.bits == nil
  }

  /// Looks at frames that were read to planes.
  /// - Parameter first: the frame of the file that they begin with.
  /// - Returns: the samples among them that are not finite.
  func noteNonFinite<Sample: PlaneSample>(
    _ planes: Planes<Sample>, offset: Int, frames: Int, first: Int64, _ policy: NonFinitePolicy
  ) -> NonFiniteSamples {
    var found = NonFiniteSamples()
    for channel in 0..<info.channelCount {
      let plane = planes[channel] + offset
      found.add(noteNonFinite(plane, channel: channel, frames: frames, first: first))
      guard policy == .silence, !found.isEmpty else { continue }
      for frame in 0..<frames where !plane[frame].isFinite { plane[frame] = 0 }
    }
    noteSeen(first..<first + Int64(frames))
    return found
  }

  /// The same of one channel; the frames are not noted as seen.
  func noteNonFinite<Sample: PlaneSample>(
    _ plane: Plane<Sample>, channel: Int, frames: Int, first: Int64
  ) -> NonFiniteSamples {
    var found = NonFiniteSamples()
    guard !Sample.kernels.isFinite(plane, frames) else { return found }
    found.add(plane.prefix(frames).elements.span, channel: channel, firstFrame: first)
    // Loops and jumps back read frames again, which count once.
    let (block, seen) = (first..<first + Int64(frames), nonFiniteFramesSeen)
    for part in [block.clamped(to: .min..<seen.lowerBound), block.clamped(to: seen.upperBound ..< .max)]
    where !part.isEmpty {
      let samples = (plane + Int(part.lowerBound - first)).prefix(part.count)
      nonFiniteSamples.add(samples.elements.span, channel: channel, firstFrame: part.lowerBound)
    }
    return found
  }

  /// Notes that all channels of some frames have been looked at.
  func noteSeen(_ block: Range<Int64>) {
    let seen = nonFiniteFramesSeen
    let touches = !seen.isEmpty && block.lowerBound <= seen.upperBound && block.upperBound >= seen.lowerBound
    nonFiniteFramesSeen =
      touches ? min(block.lowerBound, seen.lowerBound)..<max(block.upperBound, seen.upperBound) : block
  }

  /// The error if reading stops at such samples.
  /// - Parameter found: those in the block that was read; if the whole file's were counted, the error has those.
  func nonFiniteRefusal(_ found: NonFiniteSamples, isWide: Bool) -> BenchError {
    let all = nonFiniteSamples.isEmpty ? found : nonFiniteSamples
    let range = info.encoding == .float64 && !isWide && all.infinities > 0 ? " (or too large for 32-bit floats)" : ""
    return BenchError(
      .input, at: info.path, "\(all)\(range)",
      advice: "fix what wrote it; --nonfinite silence makes each 0, --nonfinite keep passes them on (in graph and job "
        + "files the key \"nonfinite\")")
  }
}
