import AudioCore
import Glibc

/// The largest magnitudes between neighbouring samples of one channel, by eight times as many: seven phases of a sinc
/// of 64 taps under a Kaiser window (β 5). Finer than the four times of BS.1770, so that what is held by this is held
/// by its meters.
public final class TruePeakDetector {
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

  /// The taps next to the two samples.
  private static let nearTaps = 24..<40
  /// No sum of the taps that count is larger than this times the largest sample; a little more, for what is rounded.
  private static func gain(of isCounted: (_ tap: Int) -> Bool) -> Float {
    let sums = (0..<phases).map { phase in
      (0..<taps).reduce(Float(0)) { isCounted($1) ? $0 + abs(coefficients[phase * taps + $1]) : $0 }
    }
    return 1.0001 * (sums.max() ?? 0)
  }
  private static let wholeGain = gain { _ in true }
  private static let farGain = gain { !nearTaps.contains($0) }
  /// As many frames are looked at before it is decided whether what lies between them is worth finding.
  private static let groupFrames = 64

  private let kernel: FlatMemory<Float>
  // The static values as members, so that no render call is the first to use them.
  private let mostGain = wholeGain
  private let mostFarGain = farGain
  /// The last samples, and a block.
  private let memory = FlatMemory<Float>(repeating: 0, count: taps - 1 + blockFrames)

  private let sums = FlatMemory<Float>(repeating: 0, count: groupFrames)

  /// Silence came before.
  public init() {
    kernel = FlatMemory(repeating: 0, count: Self.coefficients.count)
    for (place, value) in Self.coefficients.enumerated() { kernel.start[place] = value }
  }

  /// Raises each value of `peaks` to the largest magnitude between the samples that came ``delayFrames`` frames before
  /// it and one later, where that is above a floor.
  ///
  /// - Parameters:
  ///   - frames: 0 to 256.
  ///   - floor: 0 or more. Peaks below it may be missed.
  public func addPeaks(
    of samples: UnsafePointer<Float>, to peaks: UnsafeMutablePointer<Float>, frames: Int, above floor: Float = 0
  ) {
    precondition(frames <= Self.blockFrames)
    let history = Self.taps - 1
    let start = memory.start
    (start + history).update(from: samples, count: frames)
    for first in stride(from: 0, to: frames, by: Self.groupFrames) {
      let count = min(Self.groupFrames, frames - first)
      // NaN is no less than the floor.
      let loudest = LevelKernels.absolutePeak(start + first, frames: history + count)
      if loudest * mostGain <= floor { continue }
      if floor > 0 && mostBetween(from: first, loudest: loudest, frames: count) <= floor { continue }
      addPeaks(from: first, to: peaks + first, frames: count)
    }
    for place in 0..<history { start[place] = start[frames + place] }
  }

  /// A bound of the values between two samples of a group.
  private func mostBetween(from first: Int, loudest: Float, frames: Int) -> Float {
    let nearest = memory.start + Self.taps - 1 + first - Self.nearTaps.lowerBound
    var most: Float = 0
    for phase in 0..<Self.phases {
      FIRKernels.process(
        taps: kernel.start + phase * Self.taps + Self.nearTaps.lowerBound, tapCount: Self.nearTaps.count,
        input: nearest, output: sums.start, frames: frames)
      most = max(most, LevelKernels.absolutePeak(sums.start, frames: frames))
    }
    // If a sample is NaN or infinite, so is `loudest`, and so is this bound.
    return 1.0001 * most + mostFarGain * loudest
  }

  private func addPeaks(from first: Int, to peaks: UnsafeMutablePointer<Float>, frames: Int) {
    let (sums, input) = (sums.start, memory.start + Self.taps - 1 + first)
    for phase in 0..<Self.phases {
      FIRKernels.process(
        taps: kernel.start + phase * Self.taps, tapCount: Self.taps, input: input, output: sums, frames: frames)
      for frame in 0..<frames { peaks[frame] = max(peaks[frame], abs(sums[frame])) }
    }
  }

  /// Forgets all samples.
  public func reset() { memory.start.update(repeating: 0, count: memory.count) }
}
