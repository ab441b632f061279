// Samples between samples, at any place and any rate. Runs on the render thread: `apply` neither allocates, locks nor
// throws. A windowed sinc (A. V. Oppenheim and R. W. Schafer, Discrete-Time Signal Processing: the Kaiser window and
// its formulas for attenuation and width).

import AudioCore
import CKernels
import Glibc

/// Reads a stream between its frames, at a rate that may be another for every output frame.
///
/// With r the input frames for each output frame, p the place that is read, and x the input:
///
///     y = sum over k of x[k] · c · sinc(c · (k − p)) · w(c · (k − p) / 48)
///     c = min(1, 1/r) / (1 + 0.0813 · min(1, 12 · |log2 r|))
///
/// w is Kaiser's window for 120 dB. From a semitone away from the original rate on, what lies above 0.85 of the lower
/// of the two Nyquist frequencies fades out up to that frequency itself, so that nothing aliases or comes back as an
/// image. Nearer to the original rate the filter opens, and at a whole place at rate 1 it is exactly 1 in the middle
/// and 0 elsewhere: frames pass bit for bit.
///
/// For a rate that stays, quadratics between 256 places of the weights are kept. Those of a moving one are found for
/// each frame: see `sinc.h`.
public final class SlidingSinc {
  /// The range of `rate`.
  public static let rates = 0.25...4.0
  /// Zero crossings of the sinc to either side.
  private static let crossings = 48
  /// Half the width of the filter's edge, as a part of its cutoff: (120 − 8) / (2.285 · 96) · 1/(2π).
  private static let edge = 0.0813
  private static let rows = 256
  private static let lanes = 16

  /// Input frames in front of the one at or before a place that may be read, at the most.
  public static let mostBehind = roundedUp(2 * reach(cutoff(rate: rates.upperBound))) + 1
  /// Input frames behind the one at or before a place that may be read, at the most.
  public static let mostAhead = reach(cutoff(rate: rates.upperBound))

  private let table = SincTable.shared
  private let window = FlatMemory(SlidingSinc.windowTerms)
  private let taps = FlatMemory<Float>(repeating: 0, count: SlidingSinc.mostBehind + SlidingSinc.lanes)
  /// For each of 256 places between two frames: blocks of 16 weights at the place, 16 slopes and 16 bends.
  private let kept: FlatMemory<Float>
  private let rowStride: Int
  private let keepsFilters: Bool
  /// The filter for which a row was found, by number.
  private let keptFor: FlatMemory<Int>
  private var keptCutoff = -1.0
  private var keptNumber = 0

  /// The memory of one, in bytes, with the table that all share.
  public static func byteCount(keepsFilters: Bool) -> Int {
    let rows = keepsFilters ? 3 * (rows + 1) : 0
    return (rows + 1) * (mostBehind + lanes) * MemoryLayout<Float>.stride + SincTable.byteCount
  }

  /// Allocates all that it needs.
  /// - Parameter keepsFilters: true to keep the weights for a rate that stays: faster for it, and 640 KB.
  public init(keepsFilters: Bool = true) {
    self.keepsFilters = keepsFilters
    rowStride = 3 * (Self.mostBehind - 1)
    kept = FlatMemory(unwritten: keepsFilters ? Self.rows * rowStride : 0)
    keptFor = FlatMemory(repeating: 0, count: keepsFilters ? Self.rows : 0)
  }

  /// The filter's cutoff at a rate, as a part of the input's Nyquist frequency.
  public static func cutoff(rate: Double) -> Double {
    if rate == 1 { return 1 }
    return min(1, 1 / rate) / (1 + edge * min(1, 12 * abs(log2(rate))))
  }

  /// Input frames behind the one at or before a place that are read at a cutoff.
  @inline(__always)
  private static func reach(_ cutoff: Double) -> Int { Int(clamping: (Double(crossings) / cutoff).rounded(.up)) }

  @inline(__always)
  private static func roundedUp(_ count: Int) -> Int { (count + lanes - 1) / lanes * lanes }

  /// The same for a place that may be a whole one.
  @inline(__always)
  public static func framesAhead(fraction: Double, cutoff: Double) -> Int {
    cutoff == 1 && fraction == 0 ? 0 : reach(cutoff)
  }

  /// Reads frames at a rate that stays, by weights that are kept where they are.
  ///
  /// - Parameters:
  ///   - input: planes that hold the frames from ``mostBehind`` in front of the first place to
  ///     ``framesAhead(fraction:cutoff:)`` behind the last.
  ///   - origin: the frame that is subtracted from a place to find its frame in the planes.
  ///   - places: the frames at or before what is read.
  ///   - fractions: the distance behind them, 0 up to 1.
  ///   - cutoff: the value of ``cutoff(rate:)``.
  ///   - output: planes of which the frames from `offset` on are written.
  public func apply(
    _ frames: Int, input: FloatPlanes, origin: Int64, places: Plane<Int64>, fractions: Plane<Double>,
    cutoff: Double, output: FloatPlanes, offset: Int, channelCount: Int
  ) {
    // At the original rate all places are as far behind their frames as the first.
    guard keepsFilters && (cutoff != 1 || fractions[0] != 0) else {
      for frame in 0..<frames {
        apply(
          input: input, place: Int(places[frame] - origin), fraction: fractions[frame], cutoff: cutoff, output: output,
          frame: offset + frame, channelCount: channelCount)
      }
      return
    }
    let reach = Self.reach(cutoff)
    let count = Self.roundedUp(2 * reach)
    // The last weight is that of the frame `reach` behind; the first may be zeros.
    let ahead = Int64(reach + 1 - count) - origin
    for frame in 0..<frames {
      let scaled = fractions[frame] * Double(Self.rows)
      let row = min(Self.rows - 1, Int(clamping: scaled))
      let weights = keptRow(row, cutoff: cutoff, reach: reach, count: count)
      let start = Int(places[frame] + ahead)
      assert(start >= 0)
      sinc_sum_between(
        weights.start(of: 3 * count), Float(scaled - Double(row)), count,
        input.starts(of: channelCount, frames: start + count), start,
        output.starts(of: channelCount, frames: offset + frame + 1), offset + frame, channelCount)
    }
  }

  /// Reads one frame of each channel, by weights that are found for it; they differ by −140 dB from those that are
  /// kept.
  ///
  /// - Parameters:
  ///   - place: the place in the planes of the frame at or before the reading position.
  ///   - frame: the frame of the output that is written.
  @inline(__always)
  public func apply(
    input: FloatPlanes, place: Int, fraction: Double, cutoff: Double, output: FloatPlanes, frame: Int, channelCount: Int
  ) {
    if cutoff == 1 && fraction == 0 {
      for channel in 0..<channelCount { output[channel][frame] = input[channel][place] }
      return
    }
    let reach = Self.reach(cutoff)
    let count = Self.roundedUp(2 * reach)
    let first = reach + 1 - count
    let weights = taps.all.start(of: count)
    sinc_taps(weights, count, Double(first) - fraction, cutoff, 1 / Double(Self.crossings), window.all.start)
    assert(place + first >= 0)
    sinc_sum(
      weights, count, input.starts(of: channelCount, frames: place + first + count), place + first,
      output.starts(of: channelCount, frames: frame + 1), frame, channelCount)
  }

  /// The weights at a place between two frames, as a quadratic.
  @inline(__always)
  private func keptRow(_ row: Int, cutoff: Double, reach: Int, count: Int) -> Plane<Float> {
    if cutoff != keptCutoff {
      keptCutoff = cutoff
      keptNumber += 1
    }
    let weights = kept.all + row * rowStride
    if keptFor[row] != keptNumber { keep(row, weights, cutoff: cutoff, reach: reach, count: count) }
    return weights
  }

  /// Finds a row: a quadratic through the weights at its beginning, middle and end.
  @inline(never)
  private func keep(_ row: Int, _ weights: Plane<Float>, cutoff: Double, reach: Int, count: Int) {
    keptFor[row] = keptNumber
    let start = Double(row) / Double(Self.rows)
    let half = 0.5 / Double(Self.rows)
    for tap in 0..<count {
      // The distance behind the frame at or before the place.
      let distance = Double(tap + reach + 1 - count) - start
      let (first, middle) = (weight(distance, cutoff), weight(distance - half, cutoff))
      let last = weight(distance - 2 * half, cutoff)
      let block = weights + tap / Self.lanes * 3 * Self.lanes + tap % Self.lanes
      block[0] = Float(first)
      block[Self.lanes] = Float(4 * middle - 3 * first - last)
      block[2 * Self.lanes] = Float(2 * (first - 2 * middle + last))
    }
  }

  /// Kaiser's window for 120 dB, I₀(β√t)/I₀(β), as a polynomial of t: Chebyshev's interpolation of degree 10, within
  /// 1.4e-8.
  private static let windowTerms: [Float] = [
    4.094324e-05, 0.0015368698, 0.014576633, 0.05890136, 0.1546786, 0.15663205, 0.38546705, -0.11919015, 0.42848134,
    -0.17270730, 0.09158261,
  ]

  @inline(__always)
  private func weight(_ distance: Double, _ cutoff: Double) -> Double { cutoff * table.value(abs(distance) * cutoff) }
}

/// sinc(u) · w(u / 48), by quadratics between 512 places from one zero to the next. Made once in a process.
private final class SincTable: Sendable {
  static let shared = SincTable()
  private static let crossings = 48
  private static let steps = 512
  private let quadratics: FlatMemory<SIMD4<Float>>
  static let byteCount = crossings * steps * MemoryLayout<SIMD4<Float>>.stride

  init() {
    // Kaiser's shape for 120 dB.
    let shape = 0.1102 * (120 - 8.7)
    func value(_ halves: Int) -> Double {
      let u = Double(halves) / Double(2 * Self.steps)
      return Sinc.value(u) * Kaiser.value(u / Double(Self.crossings), beta: shape)
    }
    quadratics = FlatMemory(count: Self.crossings * Self.steps) { index in
      let (first, middle, last) = (value(2 * index), value(2 * index + 1), value(2 * index + 2))
      return SIMD4(Float(first), Float(4 * middle - 3 * first - last), Float(2 * (first - 2 * middle + last)), 0)
    }
  }

  /// - Parameter u: zeros of the sinc from its middle, 0 or more.
  @inline(__always)
  func value(_ u: Double) -> Double {
    let scaled = u * Double(Self.steps)
    guard scaled < Double(Self.crossings * Self.steps) else { return 0 }
    let index = Int(clamping: scaled)
    let step = Float(scaled - Double(index))
    let quadratic = quadratics[index]
    return Double(quadratic.x + step * (quadratic.y + step * quadratic.z))
  }
}
