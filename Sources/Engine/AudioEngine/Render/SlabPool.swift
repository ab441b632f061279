import AudioCore

/// Memory for things of which there are many that are looked at in turn: neighbours where they can be, as those that
/// are made one after another as a rule are. Heap blocks of their own, with all that lies between them, would share few
/// lines of a cache and often the same places in it.
///
/// Returned memory is reused; it is not given back to the system. Any thread but the render thread.
final class SlabPool<Element: ~Copyable>: Sendable {
  private static var slabCount: Int { 64 }
  private let free = Locked<[UInt]>([])

  /// Memory for one element, which is not initialized.
  func take() -> UnsafeMutablePointer<Element> {
    free.withLock { free in
      if free.isEmpty {
        let slab = UnsafeMutableRawPointer.allocate(
          byteCount: Self.slabCount * Self.stride, alignment: 64)
        for index in (0..<Self.slabCount).reversed() { free.append(UInt(bitPattern: slab + index * Self.stride)) }
      }
      let bits = free.removeLast()
      return UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped.assumingMemoryBound(to: Element.self)
    }
  }

  /// Takes memory back whose element has been deinitialized.
  func giveBack(_ element: UnsafeMutablePointer<Element>) { free.withLock { $0.append(UInt(bitPattern: element)) } }

  /// Whole lines of a cache, so that no two threads write to the same.
  private static var stride: Int { (MemoryLayout<Element>.stride + 63) / 64 * 64 }
}
