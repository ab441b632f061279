// Input between a converter and its client: the list that goes out to the proc, the memory it may fill, and what of its
// delivery is still to be read. Runs on the thread that fills; allocates at init only.

import AudioCore
import AudioEngine
import CAudioToolbox
import Glibc

/// The input from the client's proc: frames in its memory or in ours, from a place that moves on as they are read.
package final class PendingInput {
  /// Frames delivered and not yet read.
  package private(set) var frames = 0
  /// The frames that the proc may put into our memory.
  package let roomFrames: Int
  /// The buffer list that the proc gets and may change.
  package let list: UnsafeMutablePointer<AudioBufferList>
  private let bytesPerFrame: Int
  /// The proc delivers packets, and frames are made of them.
  private let takesPackets: Bool
  private let channelsPerBuffer: Int
  private let bufferCount: Int
  private let memory: StreamBuffer
  private let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer>

  package init(format: ConverterFormat) {
    bytesPerFrame = format.bytesPerFrame
    takesPackets = format.packets != nil
    bufferCount = format.bufferCount
    channelsPerBuffer = format.stream.isInterleaved ? format.stream.channelCount : 1
    // 8192 frames, but no more than 4 MiB; codes are bytes, whatever the engine sees in their place.
    roomFrames = min(8192, max(512, (4 << 20) / (bytesPerFrame * bufferCount)))
    var stored = format.stream
    if takesPackets {
      // Our memory is bytes for packets then; frames come from a decoder's.
      stored = StreamFormat(sampleRate: 1, channelCount: 1, encoding: .uint8, isInterleaved: true)
    } else if format.code != nil {
      stored = StreamFormat(sampleRate: 1, channelCount: bytesPerFrame, encoding: .uint8, isInterleaved: true)
    }
    memory = StreamBuffer(format: stored, frameCapacity: takesPackets ? PacketInput.roomBytes : roomFrames)
    pointers = .allocate(capacity: bufferCount)
    pointers.update(from: memory.bus.buffers, count: bufferCount)
    list = AudioBufferList.allocate(maximumBuffers: bufferCount).unsafeMutablePointer
  }

  deinit {
    pointers.deallocate()
    free(list)
  }

  /// The place of the next frame.
  package var bus: BusBuffer { BusBuffer(buffers: pointers, count: bufferCount, frames: frames) }

  package func clear() { frames = 0 }

  /// Prepares the list for a proc that is to deliver packets.
  package func offerPackets() {
    offer(frames: 1)
    list.pointee.mBuffers.mDataByteSize = UInt32(PacketInput.roomBytes)
  }

  /// The bytes of packets that the proc left in the list.
  /// - Throws: 'insz' where the buffer is missing, or more was put into our memory than it holds.
  package func acceptedBytes() throws(AudioStatus) -> UnsafeRawBufferPointer {
    let buffer = list.pointee.mBuffers
    guard list.pointee.mNumberBuffers == 1, let data = buffer.mData,
      data != memory.bus.buffers[0] || Int(buffer.mDataByteSize) <= PacketInput.roomBytes
    else { throw ConverterError.invalidInputSize }
    return UnsafeRawBufferPointer(start: data, count: Int(buffer.mDataByteSize))
  }

  /// Takes over frames that a decoder has made.
  package func accept(decoded frames: Int, at memory: UnsafeMutableRawPointer) {
    pointers[0] = memory
    self.frames = frames
  }

  /// Prepares the list for a proc that is to deliver so many frames, at most ``roomFrames``: our memory, and its size.
  package func offer(frames: Int) {
    list.pointee.mNumberBuffers = UInt32(bufferCount)
    let buffers = UnsafeMutableAudioBufferListPointer(list).buffers
    for index in 0..<bufferCount {
      buffers[index].mNumberChannels = UInt32(channelsPerBuffer)
      buffers[index].mDataByteSize = UInt32(frames * bytesPerFrame)
      buffers[index].mData = memory.bus.buffers[index]
    }
  }

  /// Takes over what the proc left in the list.
  ///
  /// - Throws: 'insz' where a buffer is missing, holds less than announced or is no whole number of frames, or where
  ///   more was put into our memory than it holds.
  package func accept(frames delivered: Int) throws(AudioStatus) {
    guard list.pointee.mNumberBuffers == UInt32(bufferCount) else { throw ConverterError.invalidInputSize }
    let buffers = UnsafeMutableAudioBufferListPointer(list).buffers
    for index in 0..<bufferCount {
      let bytes = Int(buffers[index].mDataByteSize)
      guard let data = buffers[index].mData, bytes % bytesPerFrame == 0, bytes >= delivered * bytesPerFrame,
        data != memory.bus.buffers[index] || delivered <= roomFrames
      else { throw ConverterError.invalidInputSize }
      pointers[index] = data
    }
    frames = delivered
  }

  /// Moves on past frames that were read.
  package func consume(_ count: Int) {
    precondition(count <= frames)
    for index in 0..<bufferCount { pointers[index] += count * bytesPerFrame }
    frames -= count
  }
}
