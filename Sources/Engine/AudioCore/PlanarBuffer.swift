/// The first samples of some planes: one pointer for each channel.
public typealias Planes<Sample> = UnsafeMutablePointer<UnsafeMutablePointer<Sample>>
/// Planes of Float32, which is what units render.
public typealias FloatPlanes = Planes<Float>

/// Owned memory for some channels of Float32, each plane aligned to 64 bytes; freed with the object.
///
/// Allocated when a unit or plan is prepared, never while rendering. Planes are allocated and freed only here: all
/// other code uses the plane pointers handed out here, within `channelCount` and `frameCapacity`.
public final class PlanarBuffer: @unchecked Sendable {
  /// Planes; 0 or more.
  public let channelCount: Int
  /// Frames that each plane has room for; 0 or more.
  public let frameCapacity: Int
  /// The planes' first samples, `channelCount` of them.
  public let planes: FloatPlanes
  private let storage: UnsafeMutableRawPointer

  /// Zeroed memory for `channelCount` planes of at least `frameCapacity` frames.
  public init(channelCount: Int, frameCapacity: Int) {
    precondition(channelCount >= 0 && frameCapacity >= 0)
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    // 16 floats fill a cache line; one more line between planes keeps them out of the same cache set.
    let stride = (frameCapacity + 15) / 16 * 16 + 16
    let bytes = max(64, stride * channelCount * MemoryLayout<Float>.stride)
    storage = .allocate(byteCount: bytes, alignment: 64)
    storage.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    planes = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount {
      planes[channel] = storage.assumingMemoryBound(to: Float.self) + channel * stride
    }
  }

  deinit {
    storage.deallocate()
    planes.deallocate()
  }

  /// The first sample of a plane. Precondition: 0 ..< ``channelCount``.
  public subscript(channel: Int) -> UnsafeMutablePointer<Float> {
    precondition(channel >= 0 && channel < channelCount)
    return planes[channel]
  }

  /// Sets `frames` frames of all planes to zero, from frame `start`.
  public func clear(from start: Int = 0, frames: Int) {
    precondition(start >= 0 && frames >= 0 && start + frames <= frameCapacity)
    for channel in 0..<channelCount { (planes[channel] + start).update(repeating: 0, count: frames) }
  }
}
