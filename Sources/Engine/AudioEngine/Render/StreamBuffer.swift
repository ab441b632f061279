import AudioCore
import DSPKernels

/// The frames of one bus for one slice: pointers to its buffers, in the bus's stream format. Owns nothing.
///
/// Planar streams have a buffer per channel, interleaved ones a single buffer. A bus without a source has none.
public struct BusBuffer: @unchecked Sendable {
  /// By channel, or a single one where the stream is interleaved.
  public let buffers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// The number of buffers; 0: the bus has no source.
  public let count: Int

  /// A view of memory that must outlive it.
  package init(buffers: UnsafeMutablePointer<UnsafeMutableRawPointer>, count: Int) {
    self.buffers = buffers
    self.count = count
  }

  /// The planes of a Float32 stream with a buffer per channel.
  public var planes: FloatPlanes {
    UnsafeMutableRawPointer(buffers).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self)
  }

  /// Writes the first `frames` frames of silence, as samples of a format say it: those without a sign have their middle
  /// there. Allocates nothing.
  package func fillWithSilence(_ format: StreamFormat, frames: Int) {
    let bytes = frames * format.bytesPerFrame
    let sampleBytes = format.encoding.containerBytes
    guard bytes > 0 else { return }
    for index in 0..<count {
      let start = buffers[index]
      guard format.encoding.kind == .unsignedInteger else {
        start.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        continue
      }
      var zero: Float = 0
      PCMCodec.encode(&zero, frames: 1, as: format.encoding, to: start, stride: sampleBytes)
      var done = sampleBytes
      while done < bytes {
        let more = min(done, bytes - done)
        (start + done).copyMemory(from: start, byteCount: more)
        done += more
      }
    }
  }

  /// Copies `frames` frames of `bytesPerFrame` bytes from another bus of the same layout, each side from its own frame.
  package func copy(from source: BusBuffer, sourceFrame: Int, toFrame: Int, frames: Int, bytesPerFrame: Int) {
    for index in 0..<min(count, source.count) {
      let to = buffers[index] + toFrame * bytesPerFrame
      let from = source.buffers[index] + sourceFrame * bytesPerFrame
      if to != from { to.copyMemory(from: from, byteCount: frames * bytesPerFrame) }
    }
  }
}

/// Owned memory for some frames of a stream, silent at first, aligned to 64 bytes. Allocated when a unit is
/// initialized.
package final class StreamBuffer: @unchecked Sendable {
  /// The layout of samples in ``bus``.
  package let format: StreamFormat
  /// Frames that each buffer has room for.
  package let frameCapacity: Int
  /// The memory: good as long as this object lives.
  package let bus: BusBuffer
  private let storage: UnsafeMutableRawPointer

  /// - Precondition: the format is valid, and `frameCapacity` is 0 or more.
  package init(format: StreamFormat, frameCapacity: Int) {
    precondition(format.isValid && frameCapacity >= 0)
    self.format = format
    self.frameCapacity = frameCapacity
    let count = format.bufferCount
    // One cache line more than needed keeps the planes of a power-of-two slice out of the same cache set.
    let stride = (frameCapacity * format.bytesPerFrame + 63) / 64 * 64 + 64
    storage = .allocate(byteCount: stride * count, alignment: 64)
    storage.initializeMemory(as: UInt8.self, repeating: 0, count: stride * count)
    let pointers = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
    for index in 0..<count { pointers[index] = storage + index * stride }
    bus = BusBuffer(buffers: pointers, count: count)
    if format.encoding.kind == .unsignedInteger { bus.fillWithSilence(format, frames: frameCapacity) }
  }

  deinit {
    bus.buffers.deallocate()
    storage.deallocate()
  }
}

/// Room for the pointers of a bus whose frames lie somewhere else. Null until it has been filled.
package struct StreamPointers: ~Copyable, Sendable {
  package let bus: BusBuffer
  private let memory: FlatMemory<UnsafeMutableRawPointer>

  /// - Parameter count: the number of buffers, 0 or more.
  package init(count: Int) {
    // An address that nothing lies at, for what must not be nil.
    let nowhere = UnsafeMutableRawPointer(bitPattern: 64).unsafelyUnwrapped
    memory = FlatMemory(repeating: nowhere, count: count)
    bus = BusBuffer(buffers: memory.start, count: count)
  }
}
