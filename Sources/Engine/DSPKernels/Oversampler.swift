// Eight samples for each one of a channel, and back: for what makes harmonics that half the rate has no room for. Runs
// on the render thread; allocates nothing after init. Elementwise sums in a fixed order: the bits do not depend on
// where blocks begin.

import AudioCore
import CKernels
import Glibc

/// One channel at eight times its rate, by three half-band filters of linear phase each way.
///
/// A half-band filter of k pairs is a sinc under a Kaiser window: h[0] = 1/2, h[±(2i + 1)] = sinc((2i + 1)/2)/2 ·
/// window, 0 ≤ i < k, scaled so that 0 Hz passes exactly. 38 pairs between once and twice the rate pass what lies below
/// 0.4535 of the rate and stop what lies above 0.5465 by 108 dB; 8 and 5 pairs do the same further up by 115 and 110
/// dB.
///
/// The samples are held as eight planes, of which plane p has those at p/8 of a frame behind each frame: every sum then
/// runs over neighbouring samples.
public final class Oversampler {
  /// Samples for each frame.
  public static let factor = 8
  /// The latency of a way up and down, in frames.
  public static let latencyFrames = 84
  /// As many frames at a time.
  public static let blockFrames = 64
  /// The memory of one.
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
  /// The sum for one plane: half of the centre, if there is one, and all pairs.
  private struct Sum {
    let centre: Plane<Float>?
    let pairs: Plane<Pair>
    let weights: Plane<Float>
    let output: Plane<Float>
  }
  /// The frames that stay in front of a block, and the block.
  private struct Row {
    let all: Plane<Float>
    let history: Int
    var block: Plane<Float> { all + history }
  }
  private struct Copy {
    let source: Plane<Float>
    let output: Plane<Float>
  }

  private let memory: FlatMemory<Float>
  private let weights: FlatMemory<Float>
  private let pairs: FlatMemory<Pair>
  /// By level on the way up: the sums of 1, 2 and 4 planes, and the planes that are samples as they were.
  private let sumsUp: FlatMemory<Sum>
  private let copiesUp: FlatMemory<Copy>
  /// The sums of 4, 2 and 1 planes.
  private let sumsDown: FlatMemory<Sum>
  private let allRows: FlatMemory<Row>
  private let base: Plane<Float>
  private let result: Plane<Float>

  /// Planes, sums and copies of all levels, before memory is made for them.
  private struct Layout {
    /// A ``Sum`` by numbers: the row of weights, the first pair, the plane.
    struct Draft {
      let row: Int
      let pair: Int
      let centre: Plane<Float>?
      let output: Int
    }

    /// The first plane of each level, of 1, 2, 4 and 8 planes; the planes of 8 are of both ways.
    static let firstUp = [0, 1, 3, 7]
    static let firstDown = [21, 19, 15, 7]

    private(set) var rows: [Row] = []
    private(set) var pairs: [Pair] = []
    private(set) var up: [Draft] = []
    private(set) var copies: [Copy] = []
    private(set) var down: [Draft] = []

    /// Frames that stay in front of a block, plane by plane.
    static var histories: [Int] {
      (0...3).flatMap { Array(repeating: historiesUp[$0], count: 1 << $0) }
        + [2, 1, 0].flatMap { Array(repeating: historiesDown[$0], count: 1 << $0) }
    }

    init(_ start: Plane<Float>) {
      var place = 0
      for history in Self.histories {
        rows.append(Row(all: (start + place).prefix(history + blockFrames), history: history))
        place += history + blockFrames
      }
      for level in 0..<3 { addUp(level) }
      for level in [2, 1, 0] { addDown(level) }
    }

    /// A sample by its number at a level, 0 being the first of the block.
    private func sample(_ firstPlane: Int, _ level: Int, _ number: Int) -> Plane<Float> {
      let row = rows[firstPlane + (number & ((1 << level) - 1))]
      return row.all + (row.history + (number >> level))
    }

    private func pair(_ earlier: Plane<Float>, _ later: Plane<Float>) -> Pair {
      Pair(earlier: earlier.start(of: blockFrames), later: later.start(of: blockFrames))
    }

    private mutating func addUp(_ level: Int) {
      let count = designs[level].pairs
      let (first, next) = (Self.firstUp[level], Self.firstUp[level + 1])
      for phase in 0..<(1 << level) {
        up.append(Draft(row: level, pair: pairs.count, centre: nil, output: next + 2 * phase))
        let middle = phase - count + 1
        for i in 0..<count {
          pairs.append(pair(sample(first, level, middle - 1 - i), sample(first, level, middle + i)))
        }
        copies.append(Copy(source: sample(first, level, middle), output: rows[next + 2 * phase + 1].block))
      }
    }

    private mutating func addDown(_ level: Int) {
      let count = designs[level].pairs
      func above(_ number: Int) -> Plane<Float> { sample(Self.firstDown[level + 1], level + 1, number) }
      for phase in 0..<(1 << level) {
        // One sample later between four and eight times, so that all delays make whole frames.
        let centre = 2 * phase - 2 * count + (level == 2 ? 1 : 2)
        down.append(
          Draft(
            row: 3 + level, pair: pairs.count, centre: above(centre), output: Self.firstDown[level] + phase))
        for i in 0..<count {
          pairs.append(pair(above(centre - 2 * i - 1), above(centre + 2 * i + 1)))
        }
      }
    }
  }

  /// Silence came before.
  public init() {
    let total = Layout.histories.reduce(0) { $0 + $1 + Self.blockFrames }
    memory = FlatMemory(repeating: 0, count: total)
    let layout = Layout(memory.all)
    // Twice what is in the filter on the way up, as every second sample is none.
    let rows = Self.coefficients.map { $0.map { 2 * $0 } } + Self.coefficients
    let flat = rows.joined().map { Float($0) }
    weights = FlatMemory(flat)
    pairs = FlatMemory(layout.pairs)
    let (allWeights, allPairs) = (weights.all, pairs.all)
    func sum(_ draft: Layout.Draft) -> Sum {
      Sum(
        centre: draft.centre, pairs: (allPairs + draft.pair).prefix(rows[draft.row].count),
        weights: allWeights + rows[..<draft.row].reduce(0) { $0 + $1.count },
        output: layout.rows[draft.output].block)
    }
    sumsUp = FlatMemory(layout.up.map(sum))
    copiesUp = FlatMemory(layout.copies)
    sumsDown = FlatMemory(layout.down.map(sum))
    allRows = FlatMemory(layout.rows)
    base = layout.rows[0].block
    result = layout.rows[Layout.firstDown[0]].block
  }

  /// The samples at `phase`/8 of a frame behind each frame of the block, to be changed between ``up(_:frames:)`` and
  /// ``down(to:frames:)``. Up to ``blockFrames`` of them may be written.
  ///
  /// - Parameter phase: 0 to 7.
  public func plane(_ phase: Int) -> Plane<Float> {
    precondition(phase >= 0 && phase < Self.factor)
    return allRows[7 + phase].block
  }

  /// Fills the planes.
  ///
  /// - Parameter frames: 0 to ``blockFrames``.
  public func up(_ samples: Plane<Float>, frames: Int) {
    precondition(frames >= 0 && frames <= Self.blockFrames)
    base.update(from: samples, count: frames)
    for index in 0..<sumsUp.count {
      // A plane's sum and its copy are both of the level below.
      run(sumsUp[index], frames: frames)
      let copy = copiesUp[index]
      copy.output.update(from: copy.source, count: frames)
    }
  }

  /// Takes the planes back to one sample a frame, and makes room for the next block.
  ///
  /// - Parameter frames: as ``up(_:frames:)`` was called with.
  public func down(to samples: Plane<Float>, frames: Int) {
    precondition(frames >= 0 && frames <= Self.blockFrames)
    for index in 0..<sumsDown.count { run(sumsDown[index], frames: frames) }
    samples.update(from: result, count: frames)
    for index in 0..<allRows.count {
      let row = allRows[index]
      row.all.update(from: row.all + frames, count: row.history)
    }
  }

  /// Sixteen frames at a time; those behind the last are of no meaning.
  private func run(_ sum: Sum, frames: Int) {
    half_band_sum(
      sum.pairs.start, sum.weights.start(of: sum.pairs.count), sum.pairs.count, sum.centre?.start,
      sum.output.start(of: Self.blockFrames), frames)
  }

  /// Forgets all samples.
  public func reset() { memory.all.fill(0) }
}
