// Peaks between samples. Runs on the render thread: nothing here allocates but `init`, and static values are taken over
// there.

import AudioCore
import Glibc

/// The largest magnitudes between neighbouring samples of one channel: seven phases of a windowed sinc (Kaiser, β 4),
/// and a parabola through each three of these and the samples, whose vertex counts. Finer than the four times of
/// BS.1770, so that what is held by this is held by its meters.
///
/// With a reach of 64 frames a peak of a sound below 0.47 of the rate is found to 0.01 dB. What lies above is seen in
/// part: of noise up to half the rate up to 0.3 dB are missed, of a sine at 0.49 of the rate 0.6 dB.
public final class TruePeakDetector {
  /// The taps of a reach, and what bounds their sums.
  private struct Design {
    let reach: Int
    /// By phase and tap: the newest sample's first.
    let coefficients: [Float]
    /// The taps next to the two samples.
    let nearTaps: Range<Int>
    /// No sum of all taps, or of those that are not near, is larger than this times the largest sample.
    let wholeGain: Float
    let farGain: Float

    init(reach: Int) {
      self.reach = reach
      let near = reach - 8..<reach + 8
      nearTaps = near
      coefficients = (1...phases).flatMap { phase in
        let fraction = Double(phase) / Double(phases + 1)
        let row = (0..<2 * reach).map { tap -> Double in
          // The sample of tap t lies at reach − t on the line whose 0 is the earlier of the two samples.
          let distance = Double(reach - tap) - fraction
          return Sinc.value(distance) * Kaiser.value(distance / Double(reach), beta: 4)
        }
        let sum = row.reduce(0, +)
        return row.map { Float($0 / sum) }
      }
      let rows = coefficients
      func gain(of isCounted: (_ tap: Int) -> Bool) -> Float {
        let sums = (0..<phases).map { phase in
          (0..<2 * reach).reduce(Float(0)) { isCounted($1) ? $0 + abs(rows[phase * 2 * reach + $1]) : $0 }
        }
        // A little more, for what is rounded.
        return 1.0001 * (sums.max() ?? 0)
      }
      wholeGain = max(1, gain { _ in true })
      farGain = gain { !near.contains($0) }
    }

    static let short = Design(reach: 32)
    static let long = Design(reach: 64)
  }

  /// The frames on either side that count.
  public enum Reach: Sendable { case frames32, frames64 }

  private static let phases = 7
  private static let blockFrames = 256
  /// As many frames are looked at before it is decided whether what lies between them is worth finding.
  private static let groupFrames = 64
  /// A vertex is at most by a quarter higher than the highest of its three values.
  private static let vertexGain: Float = 1.25

  /// A value is of the sample that came so many frames before, and of what lies in front of the next one.
  public let delayFrames: Int
  private let taps: Int
  private let nearTaps: Range<Int>
  private let wholeGain: Float
  private let farGain: Float
  private let kernel: FlatMemory<Float>
  /// The last samples, and a block.
  private let memory: FlatMemory<Float>
  /// A row for each phase: a group, and the frame before it.
  private let rows = FlatMemory<Float>(repeating: 0, count: phases * (groupFrames + 1))

  /// Silence came before.
  public init(_ reach: Reach = .frames64) {
    let design = reach == .frames32 ? Design.short : Design.long
    delayFrames = design.reach
    taps = 2 * design.reach
    (nearTaps, wholeGain, farGain) = (design.nearTaps, design.wholeGain, design.farGain)
    kernel = FlatMemory(design.coefficients)
    memory = FlatMemory(repeating: 0, count: taps + Self.blockFrames)
  }

  /// Raises each value of `peaks` to the largest magnitude from the sample that came ``delayFrames`` frames before it up
  /// to the next one, where that is above a floor.
  ///
  /// - Parameters:
  ///   - frames: 0 to 256.
  ///   - floor: 0 or more. Peaks below it may be missed.
  public func addPeaks(
    of samples: Plane<Float>, to peaks: Plane<Float>, frames: Int, above floor: Float = 0
  ) {
    precondition(frames <= Self.blockFrames)
    let start = memory.all
    (start + taps).update(from: samples, count: frames)
    for first in stride(from: 0, to: frames, by: Self.groupFrames) {
      let count = min(Self.groupFrames, frames - first)
      // NaN is no less than the floor.
      let loudest = LevelKernels.absolutePeak(start + first, frames: taps + count)
      if Self.vertexGain * loudest * wholeGain <= floor { continue }
      if floor > 0 && Self.vertexGain * mostBetween(from: first, loudest: loudest, frames: count) <= floor { continue }
      addPeaks(from: first, to: peaks + first, frames: count)
    }
    for place in 0..<taps { start[place] = start[frames + place] }
  }

  private func row(_ phase: Int) -> Plane<Float> { rows.all + phase * (Self.groupFrames + 1) }

  /// The samples that a group's values are of.
  private func delayed(_ first: Int) -> Plane<Float> { memory.all + (taps + first - delayFrames) }

  /// A bound of the samples of a group, and of the values of the phases between them.
  private func mostBetween(from first: Int, loudest: Float, frames: Int) -> Float {
    var most: Float = 0
    for phase in 0..<Self.phases {
      FIRKernels.process(
        taps: (kernel.all + phase * taps + nearTaps.lowerBound).prefix(nearTaps.count),
        input: memory.all + (taps + first - nearTaps.upperBound + 1), output: row(0), frames: frames)
      most = max(most, LevelKernels.absolutePeak(row(0), frames: frames))
    }
    // If a sample is NaN or infinite, so is `loudest`, and so is this bound.
    return max(
      1.0001 * most + farGain * loudest, LevelKernels.absolutePeak(delayed(first), frames: frames))
  }

  private func addPeaks(from first: Int, to peaks: Plane<Float>, frames: Int) {
    for phase in 0..<Self.phases {
      FIRKernels.process(
        taps: (kernel.all + phase * taps).prefix(taps), input: memory.all + first, output: row(phase),
        frames: frames + 1)
    }
    let samples = delayed(first)
    func values(_ place: Int) -> Plane<Float> {
      switch place {
      case -1: row(Self.phases - 1)
      case 0: samples
      case Self.phases + 1: samples + 1
      default: row(place - 1) + 1
      }
    }
    for place in 0...Self.phases {
      Self.raise(peaks, values(place - 1), values(place), values(place + 1), frames: frames)
    }
  }

  /// Raises peaks to the magnitudes of `middle` and, where these are higher than both neighbours, to the vertices of the
  /// parabolas through the three.
  @inline(__always)
  private static func raise(
    _ peaks: Plane<Float>, _ left: Plane<Float>, _ middle: Plane<Float>, _ right: Plane<Float>, frames: Int
  ) {
    for frame in 0..<frames {
      let (a, b, c) = (left[frame], middle[frame], right[frame])
      let (bend, slope) = (2 * b - a - c, a - c)
      let isTop = abs(b) >= abs(a) && abs(b) >= abs(c) && bend * b > 0
      let more = isTop ? slope * slope / (8 * bend) : 0
      peaks[frame] = max(peaks[frame], abs(b + more))
    }
  }

  /// Forgets all samples.
  public func reset() { memory.all.fill(0) }
}
