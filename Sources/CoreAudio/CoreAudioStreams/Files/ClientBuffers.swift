// The caller's AudioBufferList as the engine's buses see it: checked against the client format, then only pointers.

import AudioCore
import AudioEngine
import CAudioToolbox

/// Pointers into a buffer list of the client format. Made once, pointed at each call's list.
package final class ClientBuffers {
  package let format: StreamFormat
  /// The place of each buffer's next frame; holds the frames of the list.
  package private(set) var bus: BusBuffer
  private var list: UnsafeMutablePointer<AudioBuffer>?

  package init(format: StreamFormat) {
    self.format = format
    bus = BusBuffer(buffers: .allocate(capacity: format.bufferCount), count: format.bufferCount, frames: 0)
  }

  deinit { bus.buffers.deallocate() }

  /// Points at a list.
  /// - Returns: the frames that its smallest buffer has room for.
  /// - Throws: −50 for a list of another shape than the client format, or a buffer without memory.
  package func attach(_ data: UnsafeMutablePointer<AudioBufferList>) throws(AudioStatus) -> Int {
    guard !isNull(data), Int(data.pointee.mNumberBuffers) == format.bufferCount else { throw .parameterError }
    let first = UnsafeMutableAudioBufferListPointer(data).buffers
    var room = Int.max
    for index in 0..<format.bufferCount {
      room = min(room, Int(first[index].mDataByteSize) / format.bytesPerFrame)
      guard let memory = first[index].mData else { throw .parameterError }
      bus.buffers[index] = memory
    }
    list = first
    bus = bus.holding(room)
    return room
  }

  /// Moves on by so many frames.
  package func advance(_ frames: Int) {
    bus.advance(by: frames * format.bytesPerFrame)
    bus = bus.holding(bus.frameCapacity - frames)
  }

  /// Says in the list how many frames were written.
  package func setFrames(_ frames: Int) {
    guard let list else { return }
    for index in 0..<bus.count { list[index].mDataByteSize = UInt32(frames * format.bytesPerFrame) }
  }
}
