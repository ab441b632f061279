/// Elements one behind another in memory that something else owns: as a rule the samples of a channel.
///
/// A debug build checks each index, range and count against ``count`` and traps where it lies outside; a release build
/// checks nothing, and a loop over planes costs what one over pointers does. Copies are views of the same memory; it
/// must outlive them all. One type for what is read and what is written, as an output may be the input's memory.
///
///     let plane = buffer[0]     // a channel of a PlanarBuffer of 512 frames
///     let rest = plane + 500    // its last 12 frames
///     rest[3] = 0.5             // frame 503; rest[12] traps in a debug build
@frozen public struct Plane<Element: ~Copyable>: @unchecked Sendable {
  /// The first element's address, for functions in C: see ``start(of:)``.
  @usableFromInline package let start: UnsafeMutablePointer<Element>
  /// Elements; 0 or more.
  public let count: Int

  /// - Parameters:
  ///   - start: the first element; all are initialized and outlive the plane.
  ///   - count: elements; 0 or more.
  @inlinable public init(_ start: UnsafeMutablePointer<Element>, count: Int) {
    assert(count >= 0)
    self.start = start
    self.count = count
  }

  /// All of a buffer.
  @inlinable public init(_ buffer: UnsafeMutableBufferPointer<Element>) {
    guard let start = buffer.baseAddress else { preconditionFailure("a buffer without memory") }
    self.init(start, count: buffer.count)
  }

  /// An element. Precondition: 0 ..< ``count``.
  @inlinable @inline(__always)
  public subscript(index: Int) -> Element {
    unsafeAddress {
      assert(index >= 0 && index < count, "outside of the plane")
      return UnsafePointer(start + index)
    }
    nonmutating unsafeMutableAddress {
      assert(index >= 0 && index < count, "outside of the plane")
      return start + index
    }
  }

  /// The elements from `offset` on; 0 ... ``count``.
  @inlinable @inline(__always)
  public static func + (plane: Self, offset: Int) -> Self {
    assert(offset >= 0 && offset <= plane.count, "outside of the plane")
    return Self(plane.start + offset, count: plane.count &- offset)
  }

  /// The first `count` elements.
  @inlinable @inline(__always)
  public func prefix(_ count: Int) -> Self {
    assert(count >= 0 && count <= self.count, "outside of the plane")
    return Self(start, count: count)
  }

  /// The address of the first of `count` elements, for a function in C that reads or writes so many.
  @inlinable @inline(__always)
  public func start(of count: Int) -> UnsafeMutablePointer<Element> { prefix(count).start }
}

extension Plane {
  /// Copies `count` elements from the beginning of another plane, which may overlap this one.
  @inlinable @inline(__always)
  public func update(from source: Self, count: Int) {
    start(of: count).update(from: source.start(of: count), count: count)
  }

  /// Sets the first `count` elements.
  @inlinable @inline(__always)
  public func update(repeating value: Element, count: Int) { start(of: count).update(repeating: value, count: count) }

  /// Sets all elements.
  @inlinable @inline(__always)
  public func fill(_ value: Element) { start.update(repeating: value, count: count) }

  /// Copies all of a collection to the beginning.
  @inlinable public func update(from source: some Collection<Element>) {
    _ = prefix(source.count).elements.update(fromContentsOf: source)
  }

  /// The same elements as a collection of the standard library.
  @inlinable public var elements: UnsafeMutableBufferPointer<Element> { .init(start: start, count: count) }
}

extension Plane where Element: SIMDScalar & BitwiseCopyable, Element.SIMD8Storage: BitwiseCopyable {
  /// Eight elements, of which `index` is the first.
  @inlinable @inline(__always)
  public subscript(eight index: Int) -> SIMD8<Element> {
    get { UnsafeRawPointer((self + index).start(of: 8)).loadUnaligned(as: SIMD8<Element>.self) }
    nonmutating set {
      UnsafeMutableRawPointer((self + index).start(of: 8)).storeBytes(of: newValue, as: SIMD8<Element>.self)
    }
  }
}

/// The planes of some channels, all of as many frames, in memory that something else owns.
@frozen public struct Planes<Sample>: @unchecked Sendable {
  /// The first sample of each channel, for functions in C.
  @usableFromInline package let starts: UnsafeMutablePointer<UnsafeMutablePointer<Sample>>
  /// Planes; 0 or more.
  public let channelCount: Int
  /// Frames of each plane; 0 or more.
  public let frameCount: Int

  /// - Parameters:
  ///   - starts: the first sample of each channel.
  ///   - channelCount: planes; 0 or more.
  ///   - frameCount: frames of each plane; 0 or more.
  @inlinable public init(
    _ starts: UnsafeMutablePointer<UnsafeMutablePointer<Sample>>, channelCount: Int, frameCount: Int
  ) {
    self.starts = starts
    self.channelCount = channelCount
    self.frameCount = frameCount
  }

  /// The plane of a channel. Precondition: 0 ..< ``channelCount``.
  @inlinable @inline(__always)
  public subscript(channel: Int) -> Plane<Sample> {
    assert(channel >= 0 && channel < channelCount, "there is no such channel")
    return Plane(starts[channel], count: frameCount)
  }

  /// The planes of some channels.
  @inlinable public subscript(channels: Range<Int>) -> Self {
    assert(channels.lowerBound >= 0 && channels.upperBound <= channelCount, "there are no such channels")
    return Self(starts + channels.lowerBound, channelCount: channels.count, frameCount: frameCount)
  }

  /// The addresses of `channelCount` planes of at least `frames` frames, for a function in C.
  @inlinable @inline(__always)
  public func starts(of channelCount: Int, frames: Int) -> UnsafeMutablePointer<UnsafeMutablePointer<Sample>> {
    assert(channelCount <= self.channelCount && frames <= frameCount, "outside of the planes")
    return starts
  }
}

/// Planes of Float32, which is what units render.
public typealias FloatPlanes = Planes<Float>

/// Room for the addresses of planes that lie inside others.
public struct PlaneAddresses<Sample>: ~Copyable, Sendable {
  @usableFromInline let starts: FlatMemory<UnsafeMutablePointer<Sample>>

  /// - Parameter channelCount: 0 or more.
  @inlinable public init(channelCount: Int) { starts = FlatMemory(unwritten: channelCount) }

  /// The planes of others from frame `offset` on. Good until the next call, and as long as this and the others live.
  @inlinable public func planes(_ others: Planes<Sample>, from offset: Int) -> Planes<Sample> {
    for channel in 0..<starts.count { starts[channel] = (others[channel] + offset).start }
    return Planes(starts.all.start, channelCount: starts.count, frameCount: others.frameCount - offset)
  }

  /// The same planes in another order: `order[n]` is the one that becomes number n.
  func planes(_ others: Planes<Sample>, in order: [Int]) -> Planes<Sample> {
    for (channel, source) in order.enumerated() { starts[channel] = others[source].start }
    return Planes(starts.all.start, channelCount: order.count, frameCount: others.frameCount)
  }

  /// The given planes, one for each channel. Good until the next call, and as long as this and the planes live.
  @inlinable public func planes(_ channels: [Plane<Sample>]) -> Planes<Sample> {
    for (channel, plane) in channels.enumerated() { starts[channel] = plane.start }
    return Planes(
      starts.all.start, channelCount: channels.count, frameCount: channels.reduce(.max) { min($0, $1.count) })
  }
}
