// Access to buffer lists in Swift: the C struct ends in an array of variable length, which Swift cannot index.

import CAudioToolbox
import Glibc

/// The buffers of an `AudioBufferList`, as a collection that can be written through.
public struct UnsafeMutableAudioBufferListPointer: @unchecked Sendable {
  /// The list itself, which this does not own.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// The buffers of a list, whose memory stays the caller's.
  @inlinable public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = pointer }

  /// Nil of nil.
  public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
    guard let pointer else { return nil }
    self.init(pointer)
  }

  /// The list for functions that only read it.
  public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

  /// The number of buffers; setting it does not allocate any.
  @inlinable public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }

  /// The first buffer's address.
  @inlinable package var buffers: UnsafeMutablePointer<AudioBuffer> {
    (UnsafeMutableRawPointer(unsafeMutablePointer) + AudioBufferList.buffersOffset)
      .assumingMemoryBound(to: AudioBuffer.self)
  }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
  public typealias Index = Int
  public typealias Indices = Range<Int>
  /// Always 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of buffers.
  @inlinable public var endIndex: Int { count }

  /// A buffer's channels, size and address; traps for an index that is not in the list.
  @inlinable public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(index >= 0 && index < count, "buffer \(index) of a list of \(count)")
      return buffers[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count, "buffer \(index) of a list of \(count)")
      buffers[index] = newValue
    }
  }
}

extension AudioBufferList {
  /// The place of `mBuffers`, in bytes: the header checks of the tests hold it.
  @inlinable package static var buffersOffset: Int { 8 }

  /// The size in bytes of a list with room for so many buffers, at least one.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "a buffer list has at least one buffer")
    return buffersOffset + maximumBuffers * MemoryLayout<AudioBuffer>.stride
  }

  /// A list of so many empty buffers. To be freed with `free` from the C library, as on the systems it comes from.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let bytes = sizeInBytes(maximumBuffers: maximumBuffers)
    guard let memory = calloc(1, bytes) else { preconditionFailure("out of memory: \(bytes) bytes") }
    let list = UnsafeMutableAudioBufferListPointer(memory.bindMemory(to: AudioBufferList.self, capacity: 1))
    list.count = maximumBuffers
    return list
  }
}

extension AudioBuffer {
  /// A buffer over a typed array: its size in bytes follows from its count.
  public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
    self.init(
      mNumberChannels: UInt32(numberOfChannels),
      mDataByteSize: UInt32(typedBuffer.count * MemoryLayout<Element>.stride),
      mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
  }
}

extension UnsafeBufferPointer {
  /// The samples of a buffer, as an array of a type.
  public init(_ audioBuffer: AudioBuffer) {
    let start = audioBuffer.mData?.assumingMemoryBound(to: Element.self)
    self.init(start: start, count: Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride)
  }
}

extension UnsafeMutableBufferPointer {
  /// The samples of a buffer, as an array of a type.
  public init(_ audioBuffer: AudioBuffer) {
    let start = audioBuffer.mData?.assumingMemoryBound(to: Element.self)
    self.init(start: start, count: Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride)
  }
}
