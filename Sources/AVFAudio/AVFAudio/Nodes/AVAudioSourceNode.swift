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
  private final class Source {
    weak var node: AVAudioSourceNode?
    let format: AVAudioFormat?
    let block: AVAudioSourceNodeRenderBlock
    private var buffer: AVAudioPCMBuffer?
    private var converter: AVAudioConverter?
    private var converted: AVAudioPCMBuffer?
    private var time: Int64 = 0
    private var nextTime = Int64.min

    init(_ format: AVAudioFormat?, _ block: @escaping AVAudioSourceNodeRenderBlock) {
      self.format = format
      self.block = block
    }

    /// The unit that renders the source.
    var unit: BlockUnit { BlockUnit { slice throws(AudioStatus) in try self.fill(slice) } }

    func fill(_ slice: BlockSlice) throws(AudioStatus) {
      guard let output = node?.outputFormat(forBus: 0) else { return slice.silence() }
      let given = format ?? output
      if given.stream == output.stream {
        try call(given, slice.sampleTime, slice.frames)
        return copy(buffer, to: slice)
      }
      if converter?.inputFormat != given || converter?.outputFormat != output || slice.sampleTime != nextTime {
        converter = AVAudioConverter(from: given, to: output)
        time = AVAudioTime(sampleTime: slice.sampleTime, atRate: output.sampleRate).frame(atRate: given.sampleRate) ?? 0
      }
      nextTime = slice.sampleTime + Int64(slice.frames)
      if converted.map({ Int($0.frameCapacity) < slice.frames || $0.format != output }) ?? true {
        converted = AVAudioPCMBuffer(pcmFormat: output, frameCapacity: AVAudioFrameCount(slice.frames))
      }
      guard let converter, let whole = converted,
        let target = whole.prefix(AVAudioFrameCount(slice.frames))
      else { throw .formatNotSupported }
      var failure: AudioStatus?
      converter.convert(to: target, error: nil) { frames, status in
        do throws(AudioStatus) {
          try self.call(given, self.time, Int(min(frames, 4096)))
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
      copy(target, to: slice)
    }

    private func call(_ format: AVAudioFormat, _ sampleTime: Int64, _ frames: Int) throws(AudioStatus) {
      if buffer.map({ Int($0.frameCapacity) < frames || $0.format != format }) ?? true {
        buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames))
      }
      guard let buffer else { throw .memoryFull }
      buffer.frameLength = AVAudioFrameCount(frames)
      var isSilent = ObjCBool(false)
      var stamp = AVAudioTime(sampleTime: sampleTime, atRate: format.sampleRate).audioTimeStamp
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

  /// A source whose function writes the format of the node's output.
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    let source = Source(nil, block)
    super.init(unit: source.unit)
    source.node = self
  }

  /// A source whose function writes PCM of this format; it is converted where the output has another.
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    require(format.stream != nil, "format is PCM")
    let source = Source(format, block)
    super.init(unit: source.unit)
    source.node = self
    setOutputFormat(format)
  }
}

extension AVAudioPCMBuffer {
  /// A view of the first frames, which lives no longer than this buffer.
  fileprivate func prefix(_ frames: AVAudioFrameCount) -> AVAudioPCMBuffer? {
    let list = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
    for index in list.indices {
      list[index].mDataByteSize = frames * format.streamDescription.pointee.mBytesPerFrame
    }
    return AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer)
  }
}
