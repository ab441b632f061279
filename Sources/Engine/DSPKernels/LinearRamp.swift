import AudioCore
/// A gain that moves in a straight line from one value to another over a number of frames.
///
/// A pure function of the frame's position, `Float(start + (end − start) · position / duration)` with the operations in
/// that order in Double, so that it does not matter where slices begin. Before the ramp it is `start`, from
/// `durationFrames` on exactly `end`.
public struct LinearRamp: Hashable, Sendable {
  /// Linear gain at position 0.
  public var start: Double
  /// Linear gain at position ``durationFrames`` and after.
  public var end: Double
  /// Frames, 0 or more.
  public var durationFrames: Int64

  /// - Precondition: `durationFrames` is 0 or more; with 0 the gain jumps to `end` at position 0.
  public init(from start: Double, to end: Double, durationFrames: Int64) {
    precondition(durationFrames >= 0)
    self.start = start
    self.end = end
    self.durationFrames = durationFrames
  }

  /// The gain of one frame, counted from the first frame of the ramp.
  public func value(at position: Int64) -> Float {
    if position < 0 { return Float(start) }
    if position >= durationFrames { return Float(end) }
    return Float(start + (end - start) * Double(position) / Double(durationFrames))
  }

  /// Cuts `frames` frames from `position` on into those before the ramp, those on it and those after it.
  func parts(position: Int64, frames: Int) -> (before: Int, moving: Int, after: Int) {
    let before = Int(min(Int64(frames), max(0, -position)))
    let endOfRamp = Int(min(Int64(frames), max(0, durationFrames - position)))
    return (before, max(0, endOfRamp - before), frames - max(endOfRamp, before))
  }
}
