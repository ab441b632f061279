// A bound of what lies between samples. Runs on the render thread: nothing here allocates but `init`.

import AudioCore
import Glibc

/// A bound that the waveform between neighbouring samples does not exceed, whatever is in the samples.
///
/// No filter of finite length sees the waveform of what lies next to half the rate: a sine there has samples of any size
/// for as long as one beat lasts. So the sound is parted, by a high pass of 65 taps from 0.46 of the rate on: the peaks
/// of the lower part are found (``TruePeakDetector``), and the largest sample of the upper part in the last 1024 to 1056
/// frames, and in the 32 to come, times a share, is added.
public final class TruePeakBound {
  private static let reach = 32
  private static let blockFrames = 256
  /// The upper part is held by blocks.
  private static let heldBlocks = 32
  private static let heldBlockFrames = 32
  /// A value is of the sample that came so many frames before, and of what lies in front of the next one.
  public static let delayFrames = 2 * reach
  /// The memory of one.
  public static let bytes = 16 << 10

  /// A low pass up to 0.04 of the rate (a sinc under Kaiser's window, β 4), turned around: every second tap is negative.
  private static let highPass: [Float] = {
    let row = (-reach...reach).map { place in
      Sinc.value(0.08 * Double(place)) * Kaiser.value(Double(place) / Double(reach + 1), beta: 4)
    }
    let sum = row.reduce(0, +)
    return row.enumerated().map { Float(($0.offset % 2 == reach % 2 ? 1 : -1) * $0.element / sum) }
  }()

  private let detector = TruePeakDetector(.frames32)
  private let kernel: FlatMemory<Float>
  /// The last samples, and a block.
  private let memory = FlatMemory<Float>(repeating: 0, count: 2 * reach + blockFrames)
  private let upper = FlatMemory<Float>(repeating: 0, count: blockFrames)
  private let lower = FlatMemory<Float>(repeating: 0, count: blockFrames)
  private let peaks = FlatMemory<Float>(repeating: 0, count: blockFrames)
  private let held = FlatMemory<Float>(repeating: 0, count: heldBlocks)
  /// The largest of the held blocks, and of the present one.
  private var mostHeld: Float = 0
  private var present: Float = 0
  private var framesInBlock = 0
  private var nextBlock = 0

  /// Silence came before.
  public init() { kernel = FlatMemory(Self.highPass) }

  /// Raises each value of `bounds` to what the magnitude from the sample that came ``delayFrames`` frames before it up to
  /// the next one does not exceed, where that may be above a floor.
  ///
  /// - Parameters:
  ///   - frames: 0 to 256.
  ///   - share: the factor of the upper part, 1 or more.
  ///   - floor: 0 or more.
  public func addBounds(
    of samples: Plane<Float>, to bounds: Plane<Float>, frames: Int, share: Float, above floor: Float
  ) {
    precondition(frames <= Self.blockFrames)
    let history = 2 * Self.reach
    let (start, upper, lower, peaks) = (memory.all, upper.all, lower.all, peaks.all)
    (start + history).update(from: samples, count: frames)
    FIRKernels.process(taps: kernel.all, input: start, output: upper, frames: frames)
    for frame in 0..<frames { lower[frame] = start[Self.reach + frame] - upper[frame] }
    var most: Float = 0
    for frame in 0..<frames {
      upper[frame] = share * hold(abs(upper[frame]))
      most = max(most, upper[frame])
    }
    peaks.update(repeating: 0, count: frames)
    detector.addPeaks(of: lower, to: peaks, frames: frames, above: max(0, floor - most))
    for frame in 0..<frames { bounds[frame] = max(bounds[frame], peaks[frame] + upper[frame]) }
    for place in 0..<history { start[place] = start[frames + place] }
  }

  /// Takes the next magnitude of the upper part, and gives the largest of those that are held.
  @inline(__always)
  private func hold(_ magnitude: Float) -> Float {
    // Samples that are infinite or not a number are not held.
    if magnitude > present && magnitude < .infinity { present = magnitude }
    let most = max(mostHeld, present)
    framesInBlock += 1
    if framesInBlock == Self.heldBlockFrames {
      held[nextBlock] = present
      nextBlock = (nextBlock + 1) % Self.heldBlocks
      (present, framesInBlock, mostHeld) = (0, 0, 0)
      for block in 0..<Self.heldBlocks { mostHeld = max(mostHeld, held[block]) }
    }
    return most
  }

  /// Forgets all samples.
  public func reset() {
    memory.all.fill(0)
    held.all.fill(0)
    (mostHeld, present, framesInBlock, nextBlock) = (0, 0, 0, 0)
    detector.reset()
  }
}
