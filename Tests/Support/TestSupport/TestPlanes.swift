import AudioCore

// Arrays as planes, for kernels that are tested by themselves.

extension Plane {
  /// A view of elements that are only read.
  public init(_ buffer: UnsafeBufferPointer<Element>) { self.init(UnsafeMutableBufferPointer(mutating: buffer)) }
}

extension Array where Element: BitwiseCopyable & Sendable {
  /// A copy of the elements, which stays until the tests have ended.
  public var plane: Plane<Element> {
    let copy = KeptPlane(self)
    keptPlanes.withLock { $0.append(copy) }
    return copy.memory.all
  }
}

private final class KeptPlane<Element: BitwiseCopyable & Sendable>: Sendable {
  let memory: FlatMemory<Element>
  init(_ elements: [Element]) { memory = FlatMemory(elements) }
}

private let keptPlanes = Locked<[any AnyObject & Sendable]>([])

extension SampleBuffer {
  /// A copy of some channels of one length.
  public convenience init(_ channels: [[Sample]]) {
    self.init(channelCount: channels.count, frameCapacity: channels.first?.count ?? 0)
    for (channel, samples) in channels.enumerated() { self[channel].update(from: samples) }
  }
}
