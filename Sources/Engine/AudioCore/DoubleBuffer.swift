/// Owned memory for some channels of Float64: what ``PlanarBuffer`` is to Float32. For samples that Float cannot hold.
package final class DoubleBuffer: @unchecked Sendable {
  package let frameCapacity: Int
  /// The planes' first samples.
  package let planes: Planes<Double>
  private let storage: UnsafeMutablePointer<Double>

  /// Zeroed memory for `channelCount` planes of `frameCapacity` frames.
  package init(channelCount: Int, frameCapacity: Int) {
    precondition(channelCount >= 0 && frameCapacity >= 0)
    self.frameCapacity = frameCapacity
    let count = max(1, channelCount * frameCapacity)
    storage = .allocate(capacity: count)
    storage.initialize(repeating: 0, count: count)
    planes = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount { planes[channel] = storage + channel * frameCapacity }
  }

  deinit {
    storage.deallocate()
    planes.deallocate()
  }
}
