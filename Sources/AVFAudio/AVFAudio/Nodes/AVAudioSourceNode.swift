import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

/// Writes frames into a list of buffers, at a time on the node's clock; by the first argument it may say that they are
/// silent. Answers 0, or the status with which the slice ends.
public typealias AVAudioSourceNodeRenderBlock = (
  UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
  UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// A source whose sound a function of the program gives.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  /// A source whose function writes the format of the node's output.
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    super.init(unit: Self.unit(nil, block))
  }

  /// A source whose function writes PCM of this format; it is converted where the output has another.
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    require(format.stream != nil, "format is PCM")
    super.init(unit: Self.unit(format, block))
    setOutputFormat(format)
  }

  private static func unit(_ format: AVAudioFormat?, _ block: @escaping AVAudioSourceNodeRenderBlock) -> BlockUnit {
    BlockUnit { stream, maximumFrames in
      let output = AVAudioFormat(stream, layout: nil)
      let source = SourceSound(format ?? output, output, maximumFrames: maximumFrames, block)
      return { slice throws(AudioStatus) in try source.fill(slice) }
    }
  }
}

/// The frames of a function, in the format of a node's output. `fill` runs on the thread that renders; at equal formats
/// it does not allocate.
private final class SourceSound {
  private static let pieceFrames = 4096
  private let format: AVAudioFormat
  private let block: AVAudioSourceNodeRenderBlock
  private let buffer: AVAudioPCMBuffer?
  /// Nil at equal formats.
  private let converter: AVAudioConverter?
  private let converted: AVAudioPCMBuffer?
  private let outputRate: Double
  private var time: Int64 = 0
  private var nextTime = Int64.min

  init(
    _ format: AVAudioFormat, _ output: AVAudioFormat, maximumFrames: Int,
    _ block: @escaping AVAudioSourceNodeRenderBlock
  ) {
    self.format = format
    self.block = block
    outputRate = output.sampleRate
    let frames = AVAudioFrameCount(clamping: maximumFrames)
    let isSame = format.stream == output.stream
    buffer = AVAudioPCMBuffer(
      pcmFormat: format, frameCapacity: isSame ? frames : AVAudioFrameCount(Self.pieceFrames))
    converter = isSame ? nil : AVAudioConverter(from: format, to: output)
    converted = isSame ? nil : AVAudioPCMBuffer(pcmFormat: output, frameCapacity: frames)
  }

  func fill(_ slice: BlockSlice) throws(AudioStatus) {
    guard let converted else {
      try call(slice.sampleTime, slice.frames)
      return copy(buffer, to: slice)
    }
    guard let converter else { throw .formatNotSupported }
    if slice.sampleTime != nextTime {
      converter.reset()
      let frames = FrameCount.converted(
        Int64(clamping: slice.sampleTime.magnitude), from: outputRate, to: format.sampleRate)
      time = slice.sampleTime < 0 ? -frames : frames
    }
    nextTime = slice.sampleTime + Int64(slice.frames)
    var failure: AudioStatus?
    converter.convert(to: converted, frames: AVAudioFrameCount(slice.frames)) { frames, status in
      do throws(AudioStatus) {
        try self.call(self.time, Int(min(frames, AVAudioFrameCount(Self.pieceFrames))))
        self.time += Int64(self.buffer?.frameLength ?? 0)
        status.pointee = .haveData
        return self.buffer
      } catch {
        failure = error
        status.pointee = .endOfStream
        return nil
      }
    }
    if let failure { throw failure }
    copy(converted, to: slice)
  }

  private func call(_ sampleTime: Int64, _ frames: Int) throws(AudioStatus) {
    guard let buffer, Int(buffer.frameCapacity) >= frames else { throw .memoryFull }
    buffer.frameLength = AVAudioFrameCount(frames)
    var isSilent = ObjCBool(false)
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(sampleTime)
    stamp.mFlags = .sampleTimeValid
    let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    for index in list.indices { list[index].mDataByteSize = buffer.audioBufferList.pointee.mBuffers.mDataByteSize }
    let status = block(&isSilent, &stamp, AVAudioFrameCount(frames), list.unsafeMutablePointer)
    guard status == 0 else { throw AudioStatus(status) }
    if isSilent.boolValue {
      for place in list {
        place.mData?.initializeMemory(as: UInt8.self, repeating: 0, count: Int(place.mDataByteSize))
      }
    }
  }

  private func copy(_ buffer: AVAudioPCMBuffer?, to slice: BlockSlice) {
    guard let buffer, let samples = buffer.floatChannelData else { return slice.silence() }
    let count = min(slice.frames, Int(buffer.frameLength))
    for channel in 0..<slice.channelCount {
      let output = slice.channel(channel)
      for frame in 0..<count { output[frame] = samples[channel][frame * buffer.stride] }
      (output + count).update(repeating: 0, count: slice.frames - count)
    }
  }
}
