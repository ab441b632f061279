import AudioCore
import DSPKernels

/// The frames of one bus for one slice: a view of its buffers, in the bus's stream format. Owns nothing.
///
/// Planar streams have a buffer per channel, interleaved ones a single buffer. A bus without a source has none.
public struct BusBuffer: @unchecked Sendable {
  /// By channel, or a single one where the stream is interleaved.
  public let buffers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// Buffers and frames in one word: a node copies its buses in every slice.
  @usableFromInline let shape: UInt64

  /// A view of memory that must outlive it.
  ///
  /// - Parameter frames: the frames that each buffer has room for.
  package init(buffers: UnsafeMutablePointer<UnsafeMutableRawPointer>, count: Int, frames: Int) {
    assert(count >= 0 && frames >= 0 && frames <= UInt32.max)
    self.buffers = buffers
    // Clamping would take ten instructions of each node's slice.
    shape = UInt64(truncatingIfNeeded: frames) << 32 | UInt64(UInt32(truncatingIfNeeded: count))
  }

  /// The number of buffers; 0: the bus has no source.
  @inlinable public var count: Int { Int(truncatingIfNeeded: shape & 0xFFFF_FFFF) }
  /// The frames that each buffer has room for.
  @inlinable public var frameCapacity: Int { Int(truncatingIfNeeded: shape &>> 32) }

  /// The same buffers, of which another number of frames may be read and written: for pointers that are set anew.
  package func holding(_ frames: Int) -> BusBuffer { BusBuffer(buffers: buffers, count: count, frames: frames) }

  /// The planes of a Float32 stream with a buffer per channel.
  @inlinable public var planes: FloatPlanes {
    FloatPlanes(
      UnsafeMutableRawPointer(buffers).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self), channelCount: count,
      frameCount: frameCapacity)
  }

  /// All samples of a Float32 stream in one buffer, frame by frame.
  package func interleaved(_ channelCount: Int) -> Plane<Float> {
    assert(count == 1)
    return Plane(buffers[0].assumingMemoryBound(to: Float.self), count: frameCapacity * channelCount)
  }

  /// Writes the first `frames` frames of silence, as samples of a format say it: those without a sign have their middle
  /// there. Allocates nothing.
  package func fillWithSilence(_ format: StreamFormat, frames: Int) {
    assert(frames <= frameCapacity, "outside of the bus")
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
      withUnsafeMutablePointer(to: &zero) {
        _ = PCMCodec.encode(Plane($0, count: 1), frames: 1, as: format.encoding, to: start, stride: sampleBytes)
      }
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
    assert(sourceFrame >= 0 && sourceFrame + frames <= source.frameCapacity, "outside of the source")
    assert(toFrame >= 0 && toFrame + frames <= frameCapacity, "outside of the bus")
    for index in 0..<min(count, source.count) {
      let to = buffers[index] + toFrame * bytesPerFrame
      let from = source.buffers[index] + sourceFrame * bytesPerFrame
      if to != from { to.copyMemory(from: from, byteCount: frames * bytesPerFrame) }
    }
  }
}

/// Owned memory for some frames of a stream, silent at first, aligned to 64 bytes. Allocated when a unit is
/// initialized.
package final class StreamBuffer: Sendable {
  /// The layout of samples in ``bus``.
  package let format: StreamFormat
  /// Frames that each buffer has room for.
  package let frameCapacity: Int
  /// The memory: good as long as this object lives.
  package let bus: BusBuffer
  private let storage: Plane<UInt8>

  /// - Precondition: the format is valid, and `frameCapacity` is 0 or more.
  package init(format: StreamFormat, frameCapacity: Int) {
    precondition(format.isValid && frameCapacity >= 0)
    self.format = format
    self.frameCapacity = frameCapacity
    let count = format.bufferCount
    // One cache line more than needed keeps the planes of a power-of-two slice out of the same cache set.
    let stride = (frameCapacity * format.bytesPerFrame + 63) / 64 * 64 + 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride * count, alignment: 64)
    storage = Plane(memory.initializeMemory(as: UInt8.self, repeating: 0, count: stride * count), count: stride * count)
    let pointers = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
    for index in 0..<count { pointers[index] = memory + index * stride }
    bus = BusBuffer(buffers: pointers, count: count, frames: frameCapacity)
    if format.encoding.kind == .unsignedInteger { bus.fillWithSilence(format, frames: frameCapacity) }
  }

  deinit {
    bus.buffers.deallocate()
    storage.start.deallocate()
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
    bus = BusBuffer(buffers: memory.all.start, count: count, frames: 0)
  }

  /// The frames of another bus from `frame` on. Good until the next call.
  package func bus(_ other: BusBuffer, from frame: Int, bytesPerFrame: Int) -> BusBuffer {
    for index in 0..<other.count { bus.buffers[index] = other.buffers[index] + frame * bytesPerFrame }
    return bus.holding(other.frameCapacity - frame)
  }

  /// Planes from `frame` on, as a bus. Good until the next call.
  package func bus(_ planes: FloatPlanes, from frame: Int) -> BusBuffer {
    for channel in 0..<bus.count { bus.buffers[channel] = UnsafeMutableRawPointer((planes[channel] + frame).start) }
    return bus.holding(planes.frameCount - frame)
  }
}
