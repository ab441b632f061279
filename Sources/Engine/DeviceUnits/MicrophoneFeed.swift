// The feed of an output unit's input element under a scenario: the frames of the present cycle, and as many older ones
// as its rate conversion reads ahead. Runs on the hardware's thread; allocates nothing after init.

import AudioCore
import AudioEngine
import Hardware

/// A queue of recorded frames between the hardware's cycle and the app's pull.
///
/// Frames that the app does not take within their cycle are lost with the next one, as on a real device; frames beyond
/// the cycle are silence. The delay is always the same: if the app left frames, its conversion begins anew, and reads
/// ahead of the cycle again.
final class MicrophoneFeed {
  private let channelCount: Int
  private let capacity: Int
  /// Frames that are kept back, silent at first: what a conversion reads ahead has been recorded by then.
  private let heldFrames: Int
  private let memory: FlatMemory<Float>
  private var first = 0
  private var count: Int
  /// Frames of the present cycle, while nothing has been taken of it.
  private var freshFrames: Int?
  /// The sample time at which the last frames that were taken end.
  private var takenEnd: Int64?

  /// - Parameter heldFrames: 0 or more; the delay of the input.
  init(channelCount: Int, heldFrames: Int) {
    self.channelCount = channelCount
    self.heldFrames = heldFrames
    capacity = heldFrames + 2 * DeviceConfiguration.bufferFrameCounts.upperBound
    memory = FlatMemory(repeating: 0, count: capacity * channelCount)
    count = heldFrames
  }

  /// As new. While nothing runs.
  func reset() {
    memory.all.fill(0)
    (first, count) = (0, heldFrames)
    (freshFrames, takenEnd) = (nil, nil)
  }

  /// Takes over what the microphone has recorded in a cycle, interleaved.
  func append(_ samples: Plane<Float>, frames: Int) {
    if count > heldFrames {
      first = (first + count - heldFrames) % capacity
      count = heldFrames
    }
    for frame in 0..<frames {
      let place = (first + count + frame) % capacity * channelCount
      (memory.all + place).update(from: samples + frame * channelCount, count: channelCount)
    }
    count += frames
    freshFrames = frames
  }

  /// Gives the oldest frames.
  func take(into samples: Plane<Float>, frames: Int, at sampleTime: Int64) {
    if let cycle = freshFrames, sampleTime != takenEnd {
      // Frames that were taken before are in the ring still.
      let missing = heldFrames + cycle - count
      (first, count) = ((first + capacity - missing) % capacity, heldFrames + cycle)
    }
    freshFrames = nil
    takenEnd = sampleTime &+ Int64(frames)
    let given = min(frames, count)
    for frame in 0..<given {
      let place = (first + frame) % capacity * channelCount
      (samples + frame * channelCount).update(from: memory.all + place, count: channelCount)
    }
    (samples + given * channelCount).update(repeating: 0, count: (frames - given) * channelCount)
    first = (first + given) % capacity
    count -= given
  }
}
