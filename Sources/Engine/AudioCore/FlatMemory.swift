/// Owned memory for a fixed number of elements, freed with its owner: for what a render thread reads and writes in
/// place.
///
/// Allocated when a unit, plan or converter is prepared, never while rendering. Unlike an array it is never copied, and
/// what is read through ``start`` counts no references and checks no bounds: the caller must stay within ``count``.
public struct FlatMemory<Element: ~Copyable>: ~Copyable, @unchecked Sendable {
  /// The first element. Valid for as long as this value exists.
  public let start: UnsafeMutablePointer<Element>
  /// Elements behind ``start``; 0 or more.
  public let count: Int

  /// - Parameters:
  ///   - count: 0 or more.
  ///   - element: the value of an element.
  public init(count: Int, _ element: (_ index: Int) -> Element) {
    precondition(count >= 0)
    self.count = count
    start = .allocate(capacity: max(1, count))
    for index in 0..<count { (start + index).initialize(to: element(index)) }
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }
}

extension FlatMemory where Element: Copyable {
  /// - Parameters:
  ///   - element: the value of an element.
  ///   - count: 0 or more.
  public init(repeating element: Element, count: Int) { self.init(count: count) { _ in element } }
}

extension FlatMemory where Element: BitwiseCopyable {
  /// Memory that is not filled: the system gives a page of it when the page is first written to.
  ///
  /// - Parameter count: 0 or more. An element is to be written before it is read.
  public init(unwritten count: Int) {
    precondition(count >= 0)
    self.count = count
    start = .allocate(capacity: max(1, count))
  }
}
