import AudioCore

/// A source of frames that is read ahead of the render thread: frames by number, from 0 on.
package protocol FrameStream: AnyObject {
  var channelCount: Int { get }
  /// Frames before this one can be produced by now.
  var knownEnd: Int64 { get }
  /// Writes the next frames, at most ``ReadAhead/blockFrames`` of them.
  func produce(
    into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError)
  /// Frames at the beginning of a ``produce(into:offset:frames:)`` that has failed which are good all the same: so it
  /// does not depend on how far is read ahead whether a failure is met.
  var framesBeforeFailure: Int { get }
  /// Makes frame `frame` the next one.
  func seek(to frame: Int64) throws(BenchError)
}

extension FrameStream {
  package var framesBeforeFailure: Int { 0 }
}
