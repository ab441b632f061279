import AudioCore
import Glibc

/// The largest magnitudes between neighbouring samples of one channel, by eight times as many: seven phases of a sinc of 64 taps under
/// a Kaiser window (β 5). Finer than the four times of BS.1770, so that what is held by this is held by its meters.
public final class TruePeakDetector: @unchecked Sendable {
  /// A value is of the two samples that came so many frames before and one later.
  public static let delayFrames = 32
  private static let taps = 64
  private static let phases = 7
  private static let blockFrames = 256

  /// By phase and tap: the newest sample's first.
  private static let coefficients: [Float] = (1...phases).flatMap { phase in
    let fraction = Double(phase) / Double(phases + 1)
    let row = (0..<taps).map { tap -> Double in
      // The sample of tap t lies at 32 − t on the line whose 0 is the earlier of the two samples.
      let distance = Double(delayFrames - tap) - fraction
      return Sinc.value(distance) * Kaiser.value(distance / Double(delayFrames), beta: 5)
    }
    let sum = row.reduce(0, +)
    return row.map { Float($0 / sum) }
  }

  private let kernel: FlatMemory<Float>
  /// The last samples, and a block.
  private let memory = FlatMemory<Float>(repeating: 0, count: taps - 1 + blockFrames)

  private let sums = FlatMemory<Float>(repeating: 0, count: blockFrames)

  /// Silence came before.
  public init() {
    kernel = FlatMemory(repeating: 0, count: Self.coefficients.count)
    for (place, value) in Self.coefficients.enumerated() { kernel.start[place] = value }
  }

  /// Raises each value of `peaks` to the largest magnitude between the samples that came ``delayFrames`` frames before it and one
  /// later.
  ///
  /// - Parameter frames: 0 to 256.
  public func addPeaks(of samples: UnsafePointer<Float>, to peaks: UnsafeMutablePointer<Float>, frames: Int) {
    precondition(frames <= Self.blockFrames)
    let history = Self.taps - 1
    let start = memory.start
    (start + history).update(from: samples, count: frames)
    for phase in 0..<Self.phases {
      let row = kernel.start + phase * Self.taps
      let sums = sums.start
      sums.update(repeating: 0, count: frames)
      for tap in 0..<Self.taps {
        let (weight, sample) = (row[tap], start + history - tap)
        for frame in 0..<frames { sums[frame] += weight * sample[frame] }
      }
      for frame in 0..<frames { peaks[frame] = max(peaks[frame], abs(sums[frame])) }
    }
    for place in 0..<history { start[place] = start[frames + place] }
  }

  /// Forgets all samples.
  public func reset() { memory.start.update(repeating: 0, count: memory.count) }
}
