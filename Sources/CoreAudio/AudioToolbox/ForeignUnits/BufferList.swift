import AudioCore
import AudioEngine
import CAudioToolbox
import Glibc

/// An owned AudioBufferList, to be pointed at frames that lie elsewhere.
final class BufferList {
  let pointer: UnsafeMutablePointer<AudioBufferList>
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    pointer = AudioBufferList.allocate(maximumBuffers: self.capacity).unsafeMutablePointer
  }

  deinit { free(pointer) }

  private var buffers: UnsafeMutablePointer<AudioBuffer> { UnsafeMutableAudioBufferListPointer(pointer).buffers }

  /// Points at `frames` frames of a bus, from frame `offset` on.
  func point(at bus: BusBuffer, offset: Int, frames: Int, format: StreamFormat) {
    let count = min(capacity, bus.count)
    pointer.pointee.mNumberBuffers = UInt32(count)
    for index in 0..<count {
      buffers[index] = AudioBuffer(
        mNumberChannels: UInt32(format.isInterleaved ? format.channelCount : 1),
        mDataByteSize: UInt32(frames * format.bytesPerFrame), mData: bus.buffers[index] + offset * format.bytesPerFrame)
    }
  }

  /// The present address of a buffer.
  func pointer(_ index: Int) -> UnsafeMutableRawPointer? { buffers[index].mData }
}
