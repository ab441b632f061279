// A delay of a fraction of a frame, as the taps of a filter. Runs on the render thread; the table is made with its first use.

import CKernels
import Glibc

/// A delay by part of a frame: a sinc of 32 taps under a Kaiser window (β 6). Flat to 0.1 dB up to 0.85 of half the sample rate.
public enum FractionalDelay {
  /// Taps of a kernel.
  public static let tapCount = 32
  /// Whole frames by which every kernel delays, beside its fraction.
  public static let centreFrames = 15
  private static let phases = 512
  private static let beta = 6.0

  /// For each 512th part of a frame, and for a whole one, the taps.
  private static let table: [Float] = (0...phases).flatMap { phase in
    taps(fraction: Double(phase) / Double(phases)).map { Float($0) }
  }

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

  /// Writes the taps that delay by ``centreFrames`` and a fraction, between those of the nearest 512ths in a straight line.
  ///
  /// - Parameters:
  ///   - fraction: 0 to 1 frame.
  ///   - gain: that all taps are multiplied by.
  ///   - output: ``tapCount`` values.
  public static func write(fraction: Double, gain: Double, to output: UnsafeMutablePointer<Float>) {
    let place = min(1, max(0, fraction)) * Double(phases)
    let phase = min(phases - 1, Int(place))
    let share = Float(place - Double(phase))
    let gain = Float(gain)
    table.withUnsafeBufferPointer { table in
      guard let start = table.baseAddress.map({ $0 + phase * tapCount }) else { return }
      for tap in 0..<tapCount {
        output[tap] = gain * (start[tap] + share * (start[tap + tapCount] - start[tap]))
      }
    }
  }
}

/// sin(πx)/(πx).
public enum Sinc {
  /// 1 at 0, 0 at every other whole number.
  public static func value(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
}

/// The window of Kaiser: I0(β√(1 − x²)) / I0(β).
public enum Kaiser {
  /// - Parameters:
  ///   - x: 0 in the middle, −1 and 1 at the ends.
  ///   - beta: 0 or more; the larger, the lower the side lobes.
  public static func value(_ x: Double, beta: Double) -> Double {
    bessel(beta * max(0, 1 - x * x).squareRoot()) / bessel(beta)
  }

  /// The modified Bessel function of order 0, by its series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, k) = (1.0, 1.0, 1.0)
    while term > 1e-17 * sum {
      term *= (x / 2 / k) * (x / 2 / k)
      sum += term
      k += 1
    }
    return sum
  }
}

/// A filter of finite impulse response over one plane.
public enum FIRKernels {
  /// output[n] = Σ taps[k] · input[n − k], k from 0 up, each product and sum rounded: see `fir.h`.
  ///
  /// - Parameter input: its first frame; `tapCount − 1` frames lie before it.
  public static func process(
    taps: UnsafePointer<Float>, tapCount: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    frames: Int
  ) { fir_process(taps, tapCount, input, output, frames) }
}
