// A delay of a fraction of a frame, as the taps of a filter. Runs on the render thread; the table is made with its
// first use.

import AudioCore
import Glibc

/// A delay by part of a frame: a sinc of 32 taps under a Kaiser window (β 6). Flat to 0.1 dB up to 0.85 of half the
/// sample rate.
public enum FractionalDelay {
  /// Taps of a kernel.
  public static let tapCount = 32
  /// Whole frames by which every kernel delays, beside its fraction.
  public static let centreFrames = 15
  private static let phases = 512
  private static let beta = 6.0

  /// For each 512th part of a frame, and for a whole one, the taps.
  private static let table = FlatMemory(
    (0...phases).flatMap { phase in taps(fraction: Double(phase) / Double(phases)).map { Float($0) } })

  /// Makes the table, so that no render does.
  public static func prepare() { _ = table.count }

  /// The taps in full precision: their sum is 1.
  private static func taps(fraction: Double) -> [Double] {
    let reach = Double(tapCount) / 2
    let row = (0..<tapCount).map { tap -> Double in
      let distance = Double(tap - centreFrames) - fraction
      return Sinc.value(distance) * Kaiser.value(distance / reach, beta: beta)
    }
    let sum = row.reduce(0, +)
    return row.map { $0 / sum }
  }

  /// Writes the taps that delay by ``centreFrames`` and a fraction, between those of the nearest 512ths in a straight
  /// line.
  ///
  /// - Parameters:
  ///   - fraction: 0 to 1 frame.
  ///   - gain: that all taps are multiplied by.
  ///   - output: ``tapCount`` values.
  public static func write(fraction: Double, gain: Double, to output: Plane<Float>) {
    let place = min(1, max(0, fraction)) * Double(phases)
    let phase = min(phases - 1, Int(clamping: place))
    let share = Float(place - Double(phase))
    let gain = Float(gain)
    let rows = table.all + phase * tapCount
    for tap in 0..<tapCount { output[tap] = gain * (rows[tap] + share * (rows[tap + tapCount] - rows[tap])) }
  }
}
