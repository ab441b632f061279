// Equal rates: what is pushed is popped. Runs on the render thread.

import AudioCore

final class CopyEngine: ConversionEngine {
  private var queue: OutputQueue
  private let channelCount: Int

  init(channelCount: Int, maximumOutputFrames: Int) {
    self.channelCount = channelCount
    // A caller may push a block more than needed.
    queue = OutputQueue(channelCount: channelCount, mostFrames: maximumOutputFrames + 128)
  }

  let readAheadFrames = 0

  func inputFrames(for outputs: Int) -> Int { outputs }

  func push(_ planes: FloatPlanes?, offset: Int, frames: Int) {
    precondition(queue.makeRoom() >= frames, "output queue overrun")
    for channel in 0..<channelCount {
      queue.tail[channel].take(planes?[channel], offset: offset, frames: frames)
    }
    queue.append(frames)
  }

  func pop(into planes: FloatPlanes, offset: Int, frames: Int) {
    queue.pop(into: planes, offset: offset, frames: frames)
  }

  func reset() { queue.removeAll() }

  func restart(atOutput output: Int64) -> Int64? {
    queue.removeAll()
    return output
  }
}
