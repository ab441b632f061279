// The level meters of a queue. `measure` runs in the cycle: no allocation and no lock.

import AudioCore
import CAudioToolbox
import Synchronization

/// Mean and peak level of each channel over the frames of the last cycle.
final class QueueMeter: @unchecked Sendable {
  /// Decibels of silence.
  static let floor: Float = -120

  /// True: levels are measured.
  let isOn = Atomic<Bool>(false)
  let channelCount: Int
  private let levels: FlatMemory<Atomic<UInt64>>
  private let squares: FlatMemory<Double>
  private let peaks: FlatMemory<Float>
  private var frames = 0

  init(channelCount: Int) {
    self.channelCount = channelCount
    levels = FlatMemory(count: channelCount) { _ in Atomic(0) }
    squares = FlatMemory(repeating: 0, count: channelCount)
    peaks = FlatMemory(repeating: 0, count: channelCount)
  }

  /// The levels, linear from 0 to 1, or in decibels.
  func states(decibels: Bool) -> [AudioQueueLevelMeterState] {
    (0..<channelCount).map { channel in
      let bits = levels[channel].load(ordering: .relaxed)
      func level(_ bits: UInt64) -> Float {
        let level = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        return decibels ? max(Self.floor, Float(Decibels.of(amplitude: Double(level)))) : level
      }
      return AudioQueueLevelMeterState(mAveragePower: level(bits), mPeakPower: level(bits >> 32))
    }
  }

  /// Silence: nothing plays any more.
  func clear() { for channel in 0..<channelCount { levels[channel].store(0, ordering: .relaxed) } }

  // MARK: The render side

  func measure(_ planes: FloatPlanes, frames count: Int) {
    guard isOn.load(ordering: .relaxed) else { return }
    for channel in 0..<min(channelCount, planes.channelCount) {
      let samples = planes[channel]
      var (sum, peak) = (squares[channel], peaks[channel])
      for frame in 0..<count where samples[frame].isFinite {
        sum += Double(samples[frame]) * Double(samples[frame])
        peak = max(peak, abs(samples[frame]))
      }
      (squares[channel], peaks[channel]) = (sum, peak)
    }
    frames += count
  }

  /// Behind a cycle: what was measured in it is shown.
  func publish() {
    guard frames > 0 else { return }
    for channel in 0..<channelCount {
      let mean = Float((squares[channel] / Double(frames)).squareRoot())
      levels[channel].store(
        UInt64(peaks[channel].bitPattern) << 32 | UInt64(mean.bitPattern), ordering: .relaxed)
      (squares[channel], peaks[channel]) = (0, 0)
    }
    frames = 0
  }
}
