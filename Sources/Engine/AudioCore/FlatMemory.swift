/// Owned memory for a fixed number of elements, freed with its owner: for what a render thread reads and writes in
/// place.
///
/// Allocated when a unit, plan or converter is prepared, never while rendering. Unlike an array it is never copied, and
/// counts no references; a debug build checks indices, as those of ``Plane``.
public struct FlatMemory<Element: ~Copyable>: ~Copyable, Sendable {
  /// A view of all elements. Valid for as long as this value exists.
  public let all: Plane<Element>
  /// Elements; 0 or more.
  @inlinable public var count: Int { all.count }

  /// - Parameters:
  ///   - count: 0 or more.
  ///   - element: the value of an element.
  @inlinable public init(count: Int, _ element: (_ index: Int) -> Element) {
    precondition(count >= 0)
    all = Self.allocated(count)
    for index in 0..<count { (all.start + index).initialize(to: element(index)) }
  }

  /// Memory that is not initialized: on cache lines of its own, if it fills one.
  @inlinable static func allocated(_ count: Int) -> Plane<Element> {
    let bytes = max(1, count) * MemoryLayout<Element>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: bytes, alignment: bytes < 64 ? MemoryLayout<Element>.alignment : 64)
    return Plane(memory.bindMemory(to: Element.self, capacity: count), count: count)
  }

  deinit {
    all.start.deinitialize(count: count)
    all.start.deallocate()
  }

  /// An element. Precondition: 0 ..< ``count``.
  @inlinable @inline(__always)
  public subscript(index: Int) -> Element {
    unsafeAddress {
      assert(index >= 0 && index < count, "outside of the memory")
      return UnsafePointer(all.start + index)
    }
    nonmutating unsafeMutableAddress {
      assert(index >= 0 && index < count, "outside of the memory")
      return all.start + index
    }
  }
}

extension FlatMemory where Element: Copyable {
  /// - Parameters:
  ///   - element: the value of an element.
  ///   - count: 0 or more.
  @inlinable public init(repeating element: Element, count: Int) { self.init(count: count) { _ in element } }

  /// A copy of all elements of a list.
  @inlinable public init(_ elements: [Element]) { self.init(count: elements.count) { elements[$0] } }
}

extension FlatMemory where Element: BitwiseCopyable {
  /// Memory that is not filled: the system gives a page of it when the page is first written to.
  ///
  /// - Parameter count: 0 or more. An element is to be written before it is read.
  @inlinable public init(unwritten count: Int) {
    precondition(count >= 0)
    all = Self.allocated(count)
  }
}
