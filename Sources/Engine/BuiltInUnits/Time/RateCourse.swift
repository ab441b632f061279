import AudioCore
import AudioEngine
import Glibc

/// The speed of a unit through its input over time, and so the input frame of each output frame: the sum of the rates
/// of all output frames before it, in closed form.
struct RateCourse: Sendable {
  /// Output frames from `start` on, of which the first belongs to the input frame `position`. The rate of frame n of
  /// the piece is `rate` + n · `step`; or, with a factor for each cell of 32 frames, a straight line in each cell to
  /// `cellFactor` times the rate at its first frame, as parameters of units move.
  private struct Piece {
    var start: Int64
    var position: Double
    var rate: Double
    var step = 0.0
    var cellFactor = 1.0

    func position(after frames: Double) -> Double {
      if cellFactor == 1 { return position + Self.line(from: rate, step: step, frames) }
      let cells = (frames / 32).rounded(.down)
      let passed = pow(cellFactor, cells)
      let first = Self.line(from: rate, step: rate * (cellFactor - 1) / 32, 32)
      let present = rate * passed
      return position + first * (passed - 1) / (cellFactor - 1)
        + Self.line(from: present, step: present * (cellFactor - 1) / 32, frames - 32 * cells)
    }

    /// The sum of so many rates on a straight line.
    private static func line(from rate: Double, step: Double, _ frames: Double) -> Double {
      frames * rate + step * frames * (frames - 1) / 2
    }
  }
  /// In order; the first reaches back endlessly.
  private var pieces: [Piece]

  /// The same rate all the time.
  init(constant rate: Double) { pieces = [Piece(start: 0, position: 0, rate: rate)] }

  /// - Parameters:
  ///   - timeline: the timeline of the rate itself, or of cents.
  ///   - rates: the range that rates are clamped to.
  init(_ timeline: ParameterTimeline, isCents: Bool, rates: ClosedRange<Double>) {
    func rate(_ value: Float) -> Double {
      min(rates.upperBound, max(rates.lowerBound, isCents ? exp2(Double(value) / 1200) : Double(value)))
    }
    let points = timeline.points
    pieces = [Piece(start: 0, position: 0, rate: rate(points[0].value))]
    for (index, point) in points.enumerated() {
      let next = index + 1 < points.count ? points[index + 1] : point
      let frames = Double(next.frame - point.frame)
      let from = Piece(start: point.frame, position: position(at: point.frame), rate: rate(point.value))
      guard frames > 0 else {
        pieces.append(from)
        continue
      }
      let factor = rate(next.value) / from.rate
      // A step too small to be summed up by its factor is a straight line.
      guard isCents, abs(log(factor) / frames) > 1e-9 else {
        append(from, to: rate(next.value), at: next.frame)
        continue
      }
      // Cells begin at the bends, and at each absolute frame that is divisible by 32.
      let firstCell = min(next.frame, (point.frame / 32 + 1) * 32)
      let lastCell = max(firstCell, next.frame / 32 * 32)
      func between(_ frame: Int64) -> Double { from.rate * pow(factor, Double(frame - point.frame) / frames) }
      append(from, to: between(firstCell), at: firstCell)
      if firstCell < lastCell {
        var cells = Piece(start: firstCell, position: position(at: firstCell), rate: between(firstCell))
        cells.cellFactor = pow(factor, 32 / frames)
        pieces.append(cells)
      }
      if lastCell < next.frame {
        append(
          Piece(start: lastCell, position: position(at: lastCell), rate: between(lastCell)),
          to: rate(next.value), at: next.frame)
      }
    }
  }

  /// Appends a straight line to a rate at a later frame.
  private mutating func append(_ piece: Piece, to rate: Double, at end: Int64) {
    var piece = piece
    piece.step = (rate - piece.rate) / Double(end - piece.start)
    pieces.append(piece)
  }

  /// The course of a rate, each frame of which is multiplied by a factor that stays from bend to bend.
  ///
  /// - Parameters:
  ///   - bends: frames at which the rate or the factor bends or jumps.
  ///   - rate: value and slope from a bend on.
  init(bends: [Int64], rate: (Int64) -> (value: Double, slope: Double), factor: (Int64) -> Double) {
    let first = bends.first ?? 0
    pieces = [Piece(start: first, position: Double(first) * rate(first - 1).value, rate: rate(first - 1).value)]
    pieces[0].rate *= factor(first - 1)
    pieces[0].position = Double(first) * pieces[0].rate
    for bend in bends {
      let (present, factor) = (rate(bend), factor(bend))
      pieces.append(
        Piece(
          start: bend, position: position(at: bend), rate: present.value * factor, step: present.slope * factor))
    }
  }

  /// The place in the input that output frame `frame` belongs to.
  func position(at frame: Int64) -> Double {
    let passed = pieces.indices.endOfPrefix { pieces[$0].start <= frame }
    let piece = pieces[max(0, passed - 1)]
    return piece.position(after: Double(frame - piece.start))
  }

  /// The first output frame that belongs to the input frame `frame`, or to a later place.
  func firstFrame(from frame: Int64) -> Int64 {
    guard frame > 0 else { return 0 }
    // Up to where the slowest rate leads.
    var (low, high): (Int64, Int64) = (0, 1)
    while position(at: high) < Double(frame) && high < 1 << 61 { high *= 2 }
    while low < high {
      let middle = low + (high - low) / 2
      if position(at: middle) < Double(frame) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
