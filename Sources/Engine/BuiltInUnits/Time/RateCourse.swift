import AudioCore
import AudioEngine
import Glibc

/// The speed of a unit through its input over time, and so the input frame of each output frame: the sum of the rates
/// of all output frames before it, in closed form.
struct RateCourse: Sendable {
  /// Output frames from `start` on, of which the first belongs to the input frame `position`. The rate of frame n of
  /// the piece is `rate` + n · `step`, or `rate` · `factor`ⁿ.
  private struct Piece {
    var start: Int64
    var position: Double
    var rate: Double
    var step = 0.0
    var factor = 1.0

    func position(after frames: Double) -> Double {
      if factor != 1 { return position + rate * (pow(factor, frames) - 1) / (factor - 1) }
      return position + frames * rate + step * frames * (frames - 1) / 2
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
      let position = position(at: point.frame)
      var piece = Piece(start: point.frame, position: position, rate: rate(point.value))
      if index + 1 < points.count, points[index + 1].frame > point.frame {
        let next = rate(points[index + 1].value)
        let frames = Double(points[index + 1].frame - point.frame)
        // A step too small to be summed up by its factor is a straight line.
        if isCents && abs(log(next / piece.rate) / frames) > 1e-9 {
          piece.factor = pow(next / piece.rate, 1 / frames)
        } else {
          piece.step = (next - piece.rate) / frames
        }
      }
      pieces.append(piece)
    }
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
