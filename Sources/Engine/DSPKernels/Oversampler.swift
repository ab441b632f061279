// Eight samples for each one of a channel, and back: for what makes harmonics that half the rate has no room for. Runs on the render
// thread; allocates nothing after init. Elementwise sums in a fixed order: the bits do not depend on where blocks begin.

import AudioCore
import CKernels
import Glibc

/// One channel at eight times its rate, by three half-band filters of linear phase each way.
///
/// A half-band filter of k pairs is a sinc under a Kaiser window: h[0] = 1/2, h[±(2i + 1)] = sinc((2i + 1)/2)/2 · window, 0 ≤ i < k,
/// scaled so that 0 Hz passes exactly. 38 pairs between once and twice the rate pass what lies below 0.4535 of the rate and stop
/// what lies above 0.5465 by 108 dB; 8 and 5 pairs do the same further up by 115 and 110 dB.
///
/// The samples are held as eight planes, of which plane p has those at p/8 of a frame behind each frame: every sum then
/// runs over neighbouring samples.
public final class Oversampler: @unchecked Sendable {
  /// Samples for each frame.
  public static let factor = 8
  /// What comes back is so many frames late.
  public static let latencyFrames = 84
  /// As many frames at a time.
  public static let blockFrames = 64
  /// What one takes.
  public static let bytes = 24 << 10

  /// Pairs and window of the three filters, from once the rate on.
  private static let designs: [(pairs: Int, beta: Double)] = [(38, 11.1), (8, 12.6), (5, 11.4)]
  /// Frames that stay in front of a block, by level on the way up and on the way down.
  private static let historiesUp = [80, 8, 4, 4]
  private static let historiesDown = [0, 80, 8]

  /// h[1], h[3], …
  private static let coefficients: [[Double]] = designs.map { design in
    let row = (0..<design.pairs).map { pair -> Double in
      let distance = Double(2 * pair + 1)
      let window = Kaiser.value(distance / Double(2 * design.pairs), beta: design.beta)
      return sin(.pi * distance / 2) / (.pi * distance) * window
    }
    let sum = row.reduce(0, +)
    return row.map { $0 * 0.25 / sum }
  }

  /// Two samples that one coefficient is of, at the first frame of a block.
  private typealias Pair = half_band_pair
  /// What makes one plane: half of the centre, where there is one, and all pairs.
  private struct Sum {
    let centre: UnsafePointer<Float>?
    let pairs: UnsafePointer<Pair>
    let weights: UnsafePointer<Float>
    let count: Int
    let output: UnsafeMutablePointer<Float>
  }
  private struct Plane {
    let first: UnsafeMutablePointer<Float>
    let history: Int
  }
  private struct Copy {
    let source: UnsafePointer<Float>
    let output: UnsafeMutablePointer<Float>
  }

  private let memory: FlatMemory<Float>
  private let weights: FlatMemory<Float>
  private let pairs: FlatMemory<Pair>
  /// By level on the way up: the sums of 1, 2 and 4 planes, and the planes that are samples as they were.
  private let sumsUp: FlatMemory<Sum>
  private let copiesUp: FlatMemory<Copy>
  /// Of 4, 2 and 1 planes.
  private let sumsDown: FlatMemory<Sum>
  private let allPlanes: FlatMemory<Plane>
  private let base: UnsafeMutablePointer<Float>
  private let result: UnsafeMutablePointer<Float>

  /// Silence came before.
  public init() {
    var histories: [Int] = []
    for level in 0...3 { histories += Array(repeating: Self.historiesUp[level], count: 1 << level) }
    for level in [2, 1, 0] { histories += Array(repeating: Self.historiesDown[level], count: 1 << level) }
    let total = histories.reduce(0) { $0 + $1 + Self.blockFrames }
    let memory = FlatMemory<Float>(repeating: 0, count: total)
    var planes: [Plane] = []
    var place = 0
    for history in histories {
      planes.append(Plane(first: memory.start + place + history, history: history))
      place += history + Self.blockFrames
    }

    // Twice what is in the filter on the way up, as every second sample is none.
    let rows = Self.coefficients.map { $0.map { 2 * $0 } } + Self.coefficients
    let flat = rows.joined().map { Float($0) }
    let weights = FlatMemory<Float>(count: flat.count) { flat[$0] }
    let firstWeight = weights.start
    func weightPlace(_ row: Int) -> UnsafePointer<Float> {
      UnsafePointer(firstWeight + rows[..<row].reduce(0) { $0 + $1.count })
    }

    /// A sample by its number at a level, 0 being the first of the block.
    func sample(_ firstPlane: Int, _ level: Int, _ number: Int) -> UnsafePointer<Float> {
      UnsafePointer(planes[firstPlane + (number & ((1 << level) - 1))].first + (number >> level))
    }
    let firstUp = [0, 1, 3, 7]
    let firstDown = [21, 19, 15, 7]
    var pairList: [Pair] = []
    var up: [(row: Int, place: Int, output: Int)] = []
    var copies: [Copy] = []
    var down: [(row: Int, place: Int, centre: UnsafePointer<Float>, output: Int)] = []
    for level in 0..<3 {
      let count = Self.designs[level].pairs
      for phase in 0..<(1 << level) {
        up.append((level, pairList.count, firstUp[level + 1] + 2 * phase))
        let middle = phase - count + 1
        for i in 0..<count {
          pairList.append(
            Pair(
              earlier: sample(firstUp[level], level, middle - 1 - i), later: sample(firstUp[level], level, middle + i)))
        }
        copies.append(
          Copy(
            source: sample(firstUp[level], level, middle), output: planes[firstUp[level + 1] + 2 * phase + 1].first))
      }
    }
    for level in [2, 1, 0] {
      let count = Self.designs[level].pairs
      for phase in 0..<(1 << level) {
        // One sample later between four and eight times, so that all delays make whole frames.
        let centre = 2 * phase - 2 * count + (level == 2 ? 1 : 2)
        func above(_ number: Int) -> UnsafePointer<Float> { sample(firstDown[level + 1], level + 1, number) }
        down.append((3 + level, pairList.count, above(centre), firstDown[level] + phase))
        for i in 0..<count {
          pairList.append(Pair(earlier: above(centre - 2 * i - 1), later: above(centre + 2 * i + 1)))
        }
      }
    }
    let pairs = FlatMemory<Pair>(count: pairList.count) { pairList[$0] }
    let firstPair = pairs.start
    sumsUp = FlatMemory(count: up.count) { index in
      let (row, place, output) = up[index]
      return Sum(
        centre: nil, pairs: UnsafePointer(firstPair + place), weights: weightPlace(row), count: rows[row].count,
        output: planes[output].first)
    }
    copiesUp = FlatMemory(count: copies.count) { copies[$0] }
    sumsDown = FlatMemory(count: down.count) { index in
      let (row, place, centre, output) = down[index]
      return Sum(
        centre: centre, pairs: UnsafePointer(firstPair + place), weights: weightPlace(row), count: rows[row].count,
        output: planes[output].first)
    }
    allPlanes = FlatMemory(count: planes.count) { planes[$0] }
    (base, result) = (planes[0].first, planes[21].first)
    self.memory = memory
    self.weights = weights
    self.pairs = pairs
  }

  /// The samples at `phase`/8 of a frame behind each frame of the block, to be changed between ``up(_:frames:)`` and
  /// ``down(to:frames:)``. Up to ``blockFrames`` of them may be written.
  ///
  /// - Parameter phase: 0 to 7.
  public func plane(_ phase: Int) -> UnsafeMutablePointer<Float> {
    precondition(phase >= 0 && phase < Self.factor)
    return allPlanes.start[7 + phase].first
  }

  /// Fills the planes.
  ///
  /// - Parameter frames: 0 to ``blockFrames``.
  public func up(_ samples: UnsafePointer<Float>, frames: Int) {
    precondition(frames >= 0 && frames <= Self.blockFrames)
    base.update(from: samples, count: frames)
    for index in 0..<sumsUp.count {
      // A plane's sum and its copy are both of the level below.
      run(sumsUp.start[index], frames: frames)
      let copy = copiesUp.start[index]
      copy.output.update(from: copy.source, count: frames)
    }
  }

  /// Takes the planes back to one sample a frame, and makes room for the next block.
  ///
  /// - Parameter frames: as ``up(_:frames:)`` was called with.
  public func down(to samples: UnsafeMutablePointer<Float>, frames: Int) {
    precondition(frames >= 0 && frames <= Self.blockFrames)
    for index in 0..<sumsDown.count { run(sumsDown.start[index], frames: frames) }
    samples.update(from: result, count: frames)
    for index in 0..<allPlanes.count {
      let plane = allPlanes.start[index]
      let start = plane.first - plane.history
      memmove(start, start + frames, plane.history * MemoryLayout<Float>.size)
    }
  }

  /// Sixteen frames at a time; those behind the last are of no meaning.
  private func run(_ sum: Sum, frames: Int) {
    half_band_sum(sum.pairs, sum.weights, sum.count, sum.centre, sum.output, frames)
  }

  /// Forgets all samples.
  public func reset() { memory.start.update(repeating: 0, count: memory.count) }
}
