/// The course of one parameter over the frames of a node's output: straight pieces, one behind the other.
struct LawCourse {
  struct Piece {
    var start: Int
    var end: Int
    var from: Double
    var to: Double
    /// The end that the line was to have when it began: cells do not know what is set later.
    var reach: Int

    init(start: Int, end: Int, from: Double, to: Double, bends: Bool = false) {
      (self.start, self.end, self.from, self.to, self.bends, reach) = (start, end, from, to, bends, end)
    }

    /// True when cells of moving parameters begin anew at its start.
    var bends = false
    /// The frame from which on that is forgotten: that of a reset.
    var bendEnd = Int.max

    func value(at frame: Int) -> Double {
      if frame == end { return to }
      return from == to ? from : from + (to - from) * Double(frame - start) / Double(end - start)
    }
  }

  private(set) var pieces: [Piece]
  private let name: String
  /// True when the parameter takes no values between: a line is its first value.
  let steps: Bool

  /// - Parameters:
  ///   - initial: the value where the graph file sets none.
  ///   - steps: true for switches, choices and numbers of frames.
  init(_ name: String, _ initial: Double, steps: Bool, of node: LawNode) {
    (self.name, self.steps) = (LawNode.fullName(name), steps)
    let first = node.start(name, initial)
    pieces = [Piece(start: .min, end: .max, from: first, to: first)]
    if let points = node.points(name), let first = points.first {
      pieces = [Piece(start: .min, end: first.frame, from: first.value, to: first.value)]
      for (point, next) in zip(points, points.dropFirst()) where next.frame > point.frame {
        pieces.append(
          Piece(
            start: point.frame, end: next.frame, from: point.value, to: steps ? point.value : next.value, bends: true))
      }
      let last = points[points.count - 1]
      pieces.append(Piece(start: last.frame, end: .max, from: last.value, to: last.value, bends: true))
    } else {
      take(node.events, smoothingFrames: steps ? 0 : node.smoothingFrames)
    }
  }

  /// Events in the order of their frames. In a frame with a reset, and in front of the first frame, nothing is smoothed.
  private mutating func take(_ events: [LawEvent], smoothingFrames: Int) {
    let resets = Set(events.filter(\.resets).map(\.frame))
    for event in events {
      if event.resets { reset(at: event.frame) }
      guard let written = event.settings[name] else { continue }
      let (target, present) = (Double(Float(written)), pieces[pieces.count - 1].to)
      guard event.isScheduled || target != present else { continue }
      let isSmoothed = !event.isScheduled && event.frame > 0 && !resets.contains(event.frame)
      let length = event.isScheduled ? event.rampFrames : isSmoothed ? smoothingFrames : 0
      // A scheduled line begins at what was set, wherever smoothing is on its way there.
      let from = event.isScheduled ? present : value(at: event.frame)
      cut(at: event.frame)
      let bends = event.isScheduled || length > 0
      let end = event.frame + length
      if length > 0 {
        pieces.append(Piece(start: event.frame, end: end, from: from, to: steps ? from : target, bends: bends))
      }
      pieces.append(
        Piece(start: end, end: .max, from: target, to: target, bends: event.isScheduled))
    }
  }

  /// Ends what smooths, and forgets where events were.
  private mutating func reset(at frame: Int) {
    let last = pieces[pieces.count - 1]
    if last.start > frame, !last.bends {
      cut(at: frame)
      pieces.append(Piece(start: frame, end: .max, from: last.from, to: last.to))
    }
    // A scheduled line that still runs is scheduled anew.
    for index in pieces.indices
    where pieces[index].bends
      && (pieces[index].end <= frame || pieces[index].end == .max && pieces[index].start < frame)
    {
      pieces[index].bendEnd = frame
    }
  }

  private mutating func cut(at frame: Int) {
    pieces.removeAll { $0.start >= frame }
    guard let last = pieces.indices.last else { return }
    // The line keeps its slope.
    let end = pieces[last].value(at: frame)
    pieces[last].to = pieces[last].from == pieces[last].to ? pieces[last].to : end
    pieces[last].end = frame
  }

  func piece(at frame: Int) -> Piece { pieces.last { $0.start <= frame } ?? pieces[0] }

  func value(at frame: Int) -> Double { piece(at: frame).value(at: frame) }

  /// True when it can move without being set between slices.
  func isDynamic(_ node: LawNode) -> Bool {
    node.points(name) != nil || (node.smoothingFrames > 0 && !steps)
      || node.events.contains { $0.isScheduled && $0.settings[name] != nil }
  }
}

/// The courses of all parameters of a node.
///
/// While any of them moves, values are taken on cells of 32 frames, counted from the first frame of the output, which are
/// cut where a ramp has a corner, smoothing begins, or a scheduled event is. What follows from values is computed at the
/// ends of a cell.
struct LawCourses {
  struct Cell {
    var start: Int
    var end: Int
    /// The piece of each parameter.
    var pieces: [LawCourse.Piece]
  }

  private let courses: [LawCourse]
  private let dynamic: [Int]
  private let ramps: Set<Int>
  let names: [String]

  init(_ node: LawNode, _ parameters: [LawParameter]) {
    names = parameters.map(\.name)
    courses = parameters.map { LawCourse($0.name, $0.initial, steps: $0.steps, of: node) }
    ramps = Set(parameters.indices.filter { node.points(parameters[$0].name) != nil })
    dynamic = courses.indices.filter { [courses] in courses[$0].isDynamic(node) }
  }

  /// The values of one parameter, frame by frame.
  func values(_ index: Int, frames: Int) -> [Double] { (0..<frames).map { courses[index].value(at: $0) } }

  func value(_ index: Int, at frame: Int) -> Double { courses[index].value(at: frame) }

  /// The value by the parameter's ramp; without one, that at the start.
  func first(_ index: Int, at frame: Int) -> Double { courses[index].value(at: ramps.contains(index) ? frame : .min) }

  /// The step to the next frame along a straight line; 0 where there is none.
  func slope(_ index: Int, at frame: Int) -> Double {
    let piece = courses[index].piece(at: frame)
    return piece.from == piece.to ? 0 : piece.value(at: frame + 1) - piece.value(at: frame)
  }

  func cell(at frame: Int) -> Cell {
    let pieces = courses.map { $0.piece(at: frame) }
    let grid = frame - frame % 32
    var cell = Cell(start: grid, end: grid + 32, pieces: pieces)
    for index in dynamic {
      let piece = pieces[index]
      if piece.bends, frame < piece.bendEnd { cell.start = max(cell.start, piece.start) }
      cell.end = min(cell.end, piece.reach)
    }
    return cell
  }

  /// The values that hold in a frame where they are taken at the first frame of a cell only.
  func held(at frame: Int) -> [Double] {
    let cell = cell(at: frame)
    return cell.pieces.map { $0.value(at: cell.start) }
  }

  /// A number that is computed at both ends of a cell and runs in a straight line between.
  /// - Parameter part: a time behind the frame, as a part of it.
  func ramped(_ frame: Int, part: Double = 0, _ number: ([Double]) -> Double) -> Double {
    let cell = cell(at: frame)
    let start = number(cell.pieces.map { $0.value(at: cell.start) })
    guard cell.pieces.contains(where: { $0.from != $0.to }) else { return start }
    let end = number(cell.pieces.map { $0.value(at: cell.end) })
    return start + (end - start) * (Double(frame - cell.start) + part) / Double(cell.end - cell.start)
  }

  /// The values of a parameter at both ends of the cell of a frame.
  func ends(_ frame: Int, _ index: Int) -> [Double] {
    let cell = cell(at: frame)
    return [cell.start, cell.end].map { cell.pieces[index].value(at: $0) }
  }
}
