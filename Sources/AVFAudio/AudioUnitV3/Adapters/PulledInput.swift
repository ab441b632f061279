// The frames of one input while a render block runs. Runs on the render thread: no allocation, no lock.

import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// One input bus of a unit: what the engine has pulled for the present piece, handed out on demand.
final class PulledInput: @unchecked Sendable {
  private let format: StreamFormat
  /// Copies of frames that others read too.
  private let own: StreamBuffer
  private var source: BusBuffer
  private var time: Int64 = 0
  private var offset = 0
  private var frames = 0
  private var mustCopy = true

  init(_ format: StreamFormat, maximumFrames: Int) {
    self.format = format
    own = StreamBuffer(format: format, frameCapacity: maximumFrames)
    source = own.bus
  }

  /// - Parameter mustCopy: true where the unit must not get the source's own memory to write over.
  func begin(_ input: BusBuffer, _ piece: RenderPiece, mustCopy: Bool) {
    source = input
    time = piece.sampleTime
    offset = piece.offset
    frames = piece.frames
    self.mustCopy = mustCopy || piece.offset * format.bytesPerFrame % 16 != 0
  }

  func forget() { frames = 0 }

  /// Hands over frames of the present piece, or a part of them.
  /// - Returns: −10876 where nothing is connected; −10874 for frames beside the piece.
  func pull(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ asked: Double, frames count: Int,
    _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> AUAudioUnitStatus {
    guard source.count > 0 else { return kAudioUnitErr_NoConnection }
    guard let start = Int64(exactly: asked.rounded(.down)), start >= time, start - time <= Int64(frames - count) else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    let skipped = Int(start - time)
    let bytes = count * format.bytesPerFrame
    let list = UnsafeMutableAudioBufferListPointer(data)
    for index in 0..<min(list.count, source.count) {
      let from = source.buffers[index] + (offset + skipped) * format.bytesPerFrame
      if let place = list[index].mData, Int(list[index].mDataByteSize) >= bytes {
        if place != from { place.copyMemory(from: from, byteCount: bytes) }
      } else if mustCopy {
        let place = own.bus.buffers[index] + skipped * format.bytesPerFrame
        place.copyMemory(from: from, byteCount: bytes)
        list[index].mData = place
      } else {
        list[index].mData = from
      }
      list[index].mDataByteSize = UInt32(clamping: bytes)
    }
    return noErr
  }
}
