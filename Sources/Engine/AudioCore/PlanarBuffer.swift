/// Owned memory for some channels of samples, each plane aligned to 64 bytes; freed with the object.
///
/// Allocated when a unit or plan is prepared, never while rendering. All other code gets views of it. All is inlinable:
/// what is not specialized makes types at run time, with a lock and memory.
public final class SampleBuffer<Sample: BinaryFloatingPoint & BitwiseCopyable & Sendable>: Sendable {
  /// Views of the memory.
  public let planes: Planes<Sample>
  @usableFromInline let storage: Plane<Sample>

  /// Zeroed memory for `channelCount` planes of `frameCapacity` frames.
  @inlinable public init(channelCount: Int, frameCapacity: Int) {
    precondition(channelCount >= 0 && frameCapacity >= 0)
    // One cache line more than needed keeps planes of a power of two out of the same cache set.
    let line = 64 / MemoryLayout<Sample>.stride
    let stride = (frameCapacity + line - 1) / line * line + line
    let count = max(line, stride * channelCount)
    let storage = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Sample>.stride, alignment: 64)
      .initializeMemory(as: Sample.self, repeating: 0, count: count)
    self.storage = Plane(storage, count: count)
    let starts = UnsafeMutablePointer<UnsafeMutablePointer<Sample>>.allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount { (starts + channel).initialize(to: storage + channel * stride) }
    planes = Planes(starts, channelCount: channelCount, frameCount: frameCapacity)
  }

  @inlinable deinit {
    storage.start.deallocate()
    planes.starts.deallocate()
  }

  /// Planes; 0 or more.
  @inlinable public var channelCount: Int { planes.channelCount }
  /// Frames that each plane has room for; 0 or more.
  @inlinable public var frameCapacity: Int { planes.frameCount }

  /// A plane. Precondition: 0 ..< ``channelCount``.
  @inlinable public subscript(channel: Int) -> Plane<Sample> {
    precondition(channel >= 0 && channel < channelCount)
    return planes[channel]
  }

  /// Sets `frames` frames of all planes to zero, from frame `start`.
  @inlinable public func clear(from start: Int = 0, frames: Int) {
    precondition(start >= 0 && frames >= 0 && start + frames <= frameCapacity)
    for channel in 0..<channelCount { (planes[channel] + start).update(repeating: 0, count: frames) }
  }
}

/// Memory for planes of Float32.
public typealias PlanarBuffer = SampleBuffer<Float>
/// Memory for planes of Float64: for samples that Float cannot hold.
public typealias DoubleBuffer = SampleBuffer<Double>
