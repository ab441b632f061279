import AudioCore

/// The implementation of a rate conversion behind ``RateConverter``: a stream in, a stream out. Everything but `init`
/// runs on the render thread, and `reset` as ``RateConverter/reset()`` requires.
protocol ConversionEngine: AnyObject {
  /// The most input frames that a pop can ask for beyond the frame at the position of its last output frame.
  var readAheadFrames: Int { get }
  /// The number of input frames, from the start on, that must have been pushed before the first `outputs` output frames
  /// are there.
  func inputFrames(for outputs: Int) -> Int
  /// Adds input; silence where there are no planes.
  func push(_ planes: FloatPlanes?, offset: Int, frames: Int)
  /// Takes the next output; enough was pushed.
  func pop(into planes: FloatPlanes, offset: Int, frames: Int)
  /// Back to the state of a new engine, bit for bit.
  func reset()
  /// Goes on as if `output` frames had been popped.
  /// - Returns: the input frame that comes next; nil where only the whole way from the beginning leads there.
  func restart(atOutput output: Int64) -> Int64?
}

extension ConversionEngine {
  func restart(atOutput output: Int64) -> Int64? { nil }
}

import AudioCore

extension Plane<Float> {
  /// Copies frames of a plane, from frame `offset` of it on; silence where there is none.
  func take(_ plane: Plane<Float>?, offset: Int, frames: Int) {
    if let plane { update(from: plane + offset, count: frames) } else { update(repeating: 0, count: frames) }
  }
}
