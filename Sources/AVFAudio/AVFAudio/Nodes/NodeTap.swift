import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// Collects what a bus puts out, and has the program's function called with it.
final class NodeTap {
  var token = 0
  private unowned let node: AVAudioNode
  private let frames: AVAudioFrameCount
  private let block: AVAudioNodeTapBlock
  private var buffer: AVAudioPCMBuffer?
  private var start: AVAudioFramePosition = 0

  init(_ node: AVAudioNode, frames: AVAudioFrameCount, _ block: @escaping AVAudioNodeTapBlock) {
    self.node = node
    self.frames = frames
    self.block = block
  }

  /// Takes a slice. For the thread that renders.
  func take(_ output: BusBuffer, sampleTime: Int64, frames count: Int) {
    let format = node.outputFormat(forBus: 0)
    guard let stream = format.stream else { return }
    if let buffer, buffer.format != format || start + Int64(buffer.frameLength) != sampleTime { flush() }
    var done = 0
    while done < count {
      if buffer == nil {
        buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames)
        start = sampleTime + Int64(done)
      }
      guard let buffer else { return }
      let step = min(count - done, Int(buffer.frameCapacity - buffer.frameLength))
      let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
      for index in 0..<min(output.count, list.count) {
        list[index].mData?.advanced(by: Int(buffer.frameLength) * stream.bytesPerFrame)
          .copyMemory(
            from: output.buffers[index] + done * stream.bytesPerFrame, byteCount: step * stream.bytesPerFrame)
      }
      buffer.frameLength += AVAudioFrameCount(step)
      done += step
      if buffer.frameLength == buffer.frameCapacity { flush() }
    }
  }

  /// Makes the call for what is there, behind the present slice.
  func flush() {
    guard let buffer, let engine = node.engine, buffer.frameLength > 0 else { return }
    self.buffer = nil
    let time = AVAudioTime(sampleTime: start, atRate: buffer.format.sampleRate)
    engine.dueCalls.append { [block] in block(buffer, time) }
  }
}
