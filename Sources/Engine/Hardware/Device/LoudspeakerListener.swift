import AudioCore

/// A listener to all that a scenario's hardware plays, beside the file that the scenario names. Called on the
/// hardware's thread, between two cycles: it may wait.
package protocol LoudspeakerListener: AnyObject, Sendable {
  /// From now on frames come in another format: before the first cycle, and where the hardware's rate has changed.
  func begin(_ format: StreamFormat)
  /// Takes a cycle, all channels interleaved.
  func append(_ samples: Plane<Float>, frames: Int)
}
