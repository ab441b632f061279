// Conversions by a library that keeps a state of its own. It is always given the same blocks, whatever the caller's
// slices are, so that the bits cannot depend on them. Runs on the render thread.

import AudioCore

/// One library's state for all channels of a conversion. Blocks come at fixed absolute positions.
protocol LibraryEngine: AnyObject {
  /// Input frames a block holds; every block is full.
  var blockFrames: Int { get }
  /// Input frames, from the one at an output's own position on, that surely bring that output forth.
  var lookAheadFrames: Int { get }

  /// Puts frames into the open block, from frame `start` of the block; silence where there are no planes.
  func store(_ planes: FloatPlanes?, offset: Int, frames: Int, at start: Int)
  /// Converts the full block and appends all that comes out. Does not allocate.
  func convertBlock(into queue: inout OutputQueue)
  /// Back to the state of a new one, bit for bit.
  func reset()
}

/// The input frames of a block at a ratio (output ÷ input): 128, fewer if they would make more than about 256 output
/// frames, so that little is read ahead; never under 16.
func conversionBlockFrames(ratio: Double) -> Int {
  max(16, min(128, Int(clamping: 256 / ratio)))
}

/// Fills a library's blocks and queues what comes out of them.
final class BlockEngine: ConversionEngine {
  private let library: any LibraryEngine
  private let blockFrames: Int
  private let lookAheadFrames: Int
  /// Input frames for an output frame.
  private let step: Double
  private var queue: OutputQueue
  /// Frames in the open block.
  private var stagedFrames = 0

  init(_ library: any LibraryEngine, ratio: Double, step: Double, channelCount: Int, maximumOutputFrames: Int) {
    self.library = library
    self.step = step
    blockFrames = library.blockFrames
    lookAheadFrames = library.lookAheadFrames
    queue = OutputQueue(
      channelCount: channelCount,
      mostFrames: Self.mostQueuedFrames(
        maximumOutputFrames, lookAheadFrames: lookAheadFrames, blockFrames: blockFrames, ratio: ratio))
  }

  /// The most output frames that can wait to be popped.
  static func mostQueuedFrames(
    _ maximumOutputFrames: Int, lookAheadFrames: Int, blockFrames: Int, ratio: Double
  ) -> Int {
    maximumOutputFrames + Int(clamping: Double(lookAheadFrames + 3 * blockFrames) * ratio) + 64
  }

  var readAheadFrames: Int { lookAheadFrames + blockFrames - 2 }

  /// Whole blocks.
  func inputFrames(for outputs: Int) -> Int {
    guard outputs > 0 else { return 0 }
    let last = Int(clamping: (Double(outputs - 1) * step).rounded(.down))
    return (last + lookAheadFrames + blockFrames - 1) / blockFrames * blockFrames
  }

  func push(_ planes: FloatPlanes?, offset: Int, frames: Int) {
    var done = 0
    while done < frames {
      let part = min(frames - done, blockFrames - stagedFrames)
      library.store(planes, offset: offset + done, frames: part, at: stagedFrames)
      stagedFrames += part
      if stagedFrames == blockFrames {
        library.convertBlock(into: &queue)
        stagedFrames = 0
      }
      done += part
    }
  }

  func pop(into planes: FloatPlanes, offset: Int, frames: Int) {
    queue.pop(into: planes, offset: offset, frames: frames)
  }

  func reset() {
    library.reset()
    queue.removeAll()
    stagedFrames = 0
  }
}
