/// An automation of one parameter: points in frames, linear between them, held before the first and after the last.
///
/// The value at a frame depends on the frame alone, so slices of any length give the same sound. Two points on the
/// same frame make a step: the second holds from that frame on.
public struct ParameterTimeline: Hashable, Sendable {
  /// A corner of the course: the value at a frame.
  public struct Point: Hashable, Sendable {
    /// Frame number on the unit's own output clock, 0 or more.
    public var frame: Int64
    /// In the parameter's unit, finite.
    public var value: Float
    /// A point that ``ParameterTimeline/init(_:)`` checks: here any frame and value are taken.
    public init(frame: Int64, value: Float) {
      self.frame = frame
      self.value = value
    }
  }

  /// In order of time, at least one; two on the same frame are a step.
  public let points: [Point]

  /// Points in order of time, at least one, frames not negative, values finite; nil otherwise.
  public init?(_ points: [Point]) {
    guard let first = points.first, first.frame >= 0, points.allSatisfy({ $0.value.isFinite }),
      zip(points, points.dropFirst()).allSatisfy({ $0.frame <= $1.frame })
    else { return nil }
    self.points = points
  }

  /// The straight piece that holds at `frame`: the last point at or before it, and the next one after it.
  package func segment(at frame: Int64) -> RampSegment {
    // The number of points at or before `frame`.
    let passed = points.indices.endOfPrefix { points[$0].frame <= frame }
    if passed == 0 { return RampSegment(from: .min, to: points[0].frame, points[0].value, points[0].value) }
    let left = points[passed - 1]
    guard passed < points.count else { return RampSegment(from: left.frame, to: .max, left.value, left.value) }
    return RampSegment(from: left.frame, to: points[passed].frame, left.value, points[passed].value)
  }
}

/// One straight piece of a parameter's course: from `startFrame` on, before `endFrame`.
public struct RampSegment {
  @usableFromInline var startFrame: Int64
  public var endFrame: Int64
  @usableFromInline var startValue: Double
  @usableFromInline var endValue: Double
  /// The frames where the line that the piece is part of has its two values: the piece's own ends, unless something
  /// cuts it.
  @usableFromInline var lineStart: Int64
  @usableFromInline var lineEnd: Int64

  init(from startFrame: Int64, to endFrame: Int64, _ startValue: Float, _ endValue: Float) {
    self.startFrame = startFrame
    self.endFrame = endFrame
    self.startValue = Double(startValue)
    self.endValue = Double(endValue)
    lineStart = startFrame
    lineEnd = endFrame
  }

  /// The change of the value from frame to frame.
  @inlinable public var slope: Double { isConstant ? 0 : (endValue - startValue) / Double(lineEnd - lineStart) }

  /// The same piece without a line: its first value all the time.
  var held: RampSegment {
    var held = self
    held.endValue = startValue
    return held
  }

  /// Ends the piece in front of a frame, without bending the line.
  mutating func cut(at frame: Int64) { endFrame = min(endFrame, frame) }

  @inlinable public var isConstant: Bool { startValue == endValue }

  func covers(_ frame: Int64) -> Bool { frame >= startFrame && frame < endFrame }

  /// The value at a frame, a function of the frame alone: never accumulated.
  @inlinable public func value(at frame: Int64) -> Double {
    if isConstant { return startValue }
    return startValue + (endValue - startValue) * (Double(frame - lineStart) / Double(lineEnd - lineStart))
  }
}
