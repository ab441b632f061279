import AudioCore
import CAudioToolbox
import CoreAudioStreams
import Foundation

/// Frames of PCM, up to a capacity. One thread at a time; copies share nothing.
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
  /// The frames that there is room for.
  public let frameCapacity: AVAudioFrameCount
  /// The engine's form of the format.
  let stream: StreamFormat
  private let owned: [UnsafeMutableRawPointer]
  private let release: (() -> Void)?
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// Room for so many frames, which are zero at first; the length is 0.
  ///
  /// A format that is not PCM ends the process. Nil where the bytes of a buffer are more than 32 bits count, or more than
  /// the memory that there is.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    guard let stream = format.stream else {
      misuse("isPCMFormat")
    }
    let bytes = Int(frameCapacity) * stream.bytesPerFrame
    guard bytes <= Int(UInt32.max) else { return nil }
    var memory: [UnsafeMutableRawPointer] = []
    for _ in 0..<stream.bufferCount {
      guard let buffer = calloc(max(1, bytes), 1) else {
        memory.forEach { free($0) }
        return nil
      }
      memory.append(buffer)
    }
    self.frameCapacity = frameCapacity
    self.stream = stream
    owned = memory
    release = nil
    channels = Self.places(memory, stream)
    super.init(format: format, channels: Self.channelsPerBuffer(stream), memory: memory)
    setSizes(of: writable, UInt32(bytes))
  }

  /// Frames that lie in the caller's memory, all of them: the length is the capacity.
  ///
  /// A format that is not PCM ends the process. Nil where the list has not the buffers of the format, or one is empty.
  ///
  /// - Parameters:
  ///   - format: linear PCM.
  ///   - bufferList: a buffer for each of the format's.
  ///   - deallocator: called when the memory is no longer needed; nil where the caller frees it.
  public init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    guard let stream = format.stream else {
      misuse("isPCMFormat")
    }
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    let memory = list.compactMap(\.mData)
    guard list.count == stream.bufferCount, memory.count == list.count,
      let bytes = list.map(\.mDataByteSize).min(), stream.bytesPerFrame > 0
    else { return nil }
    frameCapacity = bytes / UInt32(stream.bytesPerFrame)
    self.stream = stream
    owned = []
    release = deallocator.map { deallocator in { deallocator(bufferList) } }
    channels = Self.places(memory, stream)
    super.init(format: format, channels: Self.channelsPerBuffer(stream), memory: memory)
    setSizes(of: writable, frameCapacity * UInt32(stream.bytesPerFrame))
    frameLength = frameCapacity
  }

  deinit {
    channels.deallocate()
    owned.forEach { free($0) }
    release?()
  }

  private static func channelsPerBuffer(_ stream: StreamFormat) -> UInt32 {
    UInt32(stream.isInterleaved ? stream.channelCount : 1)
  }

  /// The first sample of each channel.
  private static func places(
    _ memory: [UnsafeMutableRawPointer], _ stream: StreamFormat
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    let places = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: stream.channelCount)
    for channel in 0..<stream.channelCount {
      let start =
        stream.isInterleaved ? memory[0] + channel * stream.encoding.containerBytes : memory[channel]
      (places + channel).initialize(to: start)
    }
    return places
  }

  /// The frames that are valid, from the first on; more than ``frameCapacity`` end the process.
  public var frameLength: AVAudioFrameCount = 0 {
    didSet {
      require(frameLength <= frameCapacity, "frameLength <= frameCapacity (\(frameLength) of \(frameCapacity))")
      setSizes(of: readable, frameLength * UInt32(stream.bytesPerFrame))
      // A list that a program has kept has its whole room again, whatever a function has left there.
      setSizes(of: writable, frameCapacity * UInt32(stream.bytesPerFrame))
    }
  }

  /// The distance from a channel's sample to its next one: the number of channels where they are interleaved, else 1.
  public var stride: Int { stream.isInterleaved ? stream.channelCount : 1 }

  /// As other programs ask for the buffers to fill them: with their whole room.
  public override var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
    setSizes(of: writable, frameCapacity * UInt32(stream.bytesPerFrame))
    return writable.unsafeMutablePointer
  }

  private func samples<Sample>(
    _ format: AVAudioCommonFormat, _ type: Sample.Type
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard self.format.commonFormat == format else { return nil }
    return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
  }

  /// The first sample of each channel, its next ones ``stride`` apart; nil where the samples are not 32-bit floats.
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { samples(.pcmFormatFloat32, Float.self) }

  /// The same for 16-bit integers.
  public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { samples(.pcmFormatInt16, Int16.self) }

  /// The same for 32-bit integers.
  public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { samples(.pcmFormatInt32, Int32.self) }

  /// Frames of this buffer as the engine's converters see them.
  func bus(_ pointers: UnsafeMutablePointer<UnsafeMutableRawPointer>, from frame: Int) {
    for index in 0..<stream.bufferCount {
      guard let data = readable[index].mData else { continue }
      pointers[index] = data + frame * stream.bytesPerFrame
    }
  }

  /// A buffer of the same capacity with the same frames. No memory for it ends the process.
  public override func copy(with zone: NSZone? = nil) -> Any {
    guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
      fatalError("no memory for a copy of \(frameCapacity) frames")
    }
    copy.frameLength = frameLength
    for index in readable.indices {
      guard let from = readable[index].mData, let to = copy.readable[index].mData else { continue }
      to.copyMemory(from: from, byteCount: Int(frameCapacity) * stream.bytesPerFrame)
    }
    return copy
  }
}
