// Converted frames that wait for `pop`, planar, first in first out. Runs on the thread of its converter;
// allocates at init only. Linear memory with room for twice the most frames that can wait, so that moving the
// rest to the front costs at most one copy of each frame.

import AudioCore

struct OutputQueue: ~Copyable {
  private let buffer: PlanarBuffer
  private var first = 0
  private(set) var count = 0
  /// The place for the next frames; valid until the next call.
  private(set) var tail: FloatPlanes
  private let tailAddresses: PlaneAddresses<Float>
  private let channelCount: Int

  /// - Parameter mostFrames: no more than this may wait at one time.
  init(channelCount: Int, mostFrames: Int) {
    self.channelCount = channelCount
    let buffer = PlanarBuffer(channelCount: channelCount, frameCapacity: 2 * mostFrames)
    self.buffer = buffer
    tailAddresses = PlaneAddresses(channelCount: channelCount)
    tail = buffer.planes
  }

  /// Makes `tail` point at free memory and returns how many frames fit there: at least half the memory less the queue.
  mutating func makeRoom() -> Int {
    let capacity = buffer.frameCapacity
    if capacity - first - count < capacity / 2 {
      for channel in 0..<channelCount {
        buffer.planes[channel].update(from: buffer.planes[channel] + first, count: count)
      }
      first = 0
    }
    tail = tailAddresses.planes(buffer.planes, from: first + count)
    return capacity - first - count
  }

  /// Says that `frames` frames were written at `tail`.
  mutating func append(_ frames: Int) {
    count += frames
    precondition(frames >= 0 && first + count <= buffer.frameCapacity, "output queue overrun")
  }

  mutating func drop(_ frames: Int) {
    precondition(frames >= 0 && frames <= count)
    count -= frames
    first = count == 0 ? 0 : first + frames
  }

  mutating func pop(into planes: FloatPlanes, offset: Int, frames: Int) {
    precondition(frames >= 0 && frames <= count, "pop of more frames than there are")
    for channel in 0..<channelCount {
      (planes[channel] + offset).update(from: buffer.planes[channel] + first, count: frames)
    }
    drop(frames)
  }

  mutating func removeAll() {
    first = 0
    count = 0
  }
}
