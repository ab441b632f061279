import CAudioToolbox
import CoreAudioStreams
import Foundation

/// Sound of one format in a list of buffers. Its subclasses make it: ``AVAudioPCMBuffer`` and ``AVAudioCompressedBuffer``.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  /// The format of what is in the buffers.
  public let format: AVAudioFormat
  /// Lists for programs that read and that write: their sizes say what is there, and how much there is room for.
  let readable: UnsafeMutableAudioBufferListPointer
  let writable: UnsafeMutableAudioBufferListPointer

  /// - Parameters:
  ///   - channels: the channels of each buffer.
  ///   - memory: the beginning of each buffer; not freed here.
  init(format: AVAudioFormat, channels: UInt32, memory: [UnsafeMutableRawPointer?]) {
    self.format = format
    readable = AudioBufferList.allocate(maximumBuffers: max(1, memory.count))
    writable = AudioBufferList.allocate(maximumBuffers: max(1, memory.count))
    for (index, data) in memory.enumerated() {
      for list in [readable, writable] {
        list[index] = AudioBuffer(mNumberChannels: channels, mDataByteSize: 0, mData: data)
      }
    }
  }

  deinit {
    free(readable.unsafeMutablePointer)
    free(writable.unsafeMutablePointer)
  }

  /// The buffers, with the sizes of what is in them, in bytes.
  public var audioBufferList: UnsafePointer<AudioBufferList> { readable.unsafePointer }

  /// The buffers, with the sizes of what there is room for, in bytes: for functions that fill them. The length is set
  /// separately afterwards.
  public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { writable.unsafeMutablePointer }

  /// A buffer of the same format and capacity with the same content, in memory of its own. No memory for it ends the process.
  public func copy(with zone: NSZone? = nil) -> Any {
    fatalError("every buffer is an AVAudioPCMBuffer or an AVAudioCompressedBuffer")
  }
  /// As ``copy(with:)``.
  public func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
  /// As ``copy(with:)``.
  public override func copy() -> Any { copy(with: nil) }
  /// As ``copy(with:)``.
  public override func mutableCopy() -> Any { copy(with: nil) }

  /// Writes sizes into a list.
  func setSizes(of list: UnsafeMutableAudioBufferListPointer, _ bytes: UInt32) {
    for index in list.indices { list[index].mDataByteSize = bytes }
  }
}
