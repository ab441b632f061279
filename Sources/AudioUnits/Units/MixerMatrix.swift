// Between the edit side, which sets levels on any thread, and the render side, which takes them over once a slice.

import AudioCore
import Synchronization

/// The matrix and the meter switch of one mixer input.
///
/// Levels are handed over word by word under a version number: while the edit side is in the middle of writing, the
/// render side keeps what it has, so that a matrix is never half old and half new.
final class MixerMatrix: @unchecked Sendable {
  let isMetered = Atomic<Bool>(false)
  /// Whether the matrix holds for the present slice, in place of pan.
  private(set) var isInUse = false

  private let count: Int
  private let version = Atomic<UInt>(0)
  private let wantsUse = Atomic<Bool>(false)
  private let wanted: UnsafeMutablePointer<Atomic<UInt32>>
  private let writing = Locked<Void>(())
  private let taken: UnsafeMutablePointer<Float>
  private let present: UnsafeMutablePointer<Float>

  init(count: Int) {
    self.count = count
    let capacity = max(1, count)
    wanted = .allocate(capacity: capacity)
    for index in 0..<count { (wanted + index).initialize(to: Atomic(0)) }
    taken = .allocate(capacity: capacity)
    present = .allocate(capacity: capacity)
    taken.initialize(repeating: 0, count: capacity)
    present.initialize(repeating: 0, count: capacity)
  }

  deinit {
    wanted.deinitialize(count: count)
    wanted.deallocate()
    taken.deallocate()
    present.deallocate()
  }

  /// Levels for the next slice, or nil: pan holds again. Edit side only.
  func set(_ values: [Float]?) {
    writing.withLock { _ in
      version.add(1, ordering: .sequentiallyConsistent)
      if let values, values.count == count {
        for (index, value) in values.enumerated() {
          wanted[index].store(value.bitPattern, ordering: .sequentiallyConsistent)
        }
        wantsUse.store(true, ordering: .sequentiallyConsistent)
      } else {
        wantsUse.store(false, ordering: .sequentiallyConsistent)
      }
      version.add(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Takes over what was set, if nobody is writing. Render side only.
  func latch() {
    let before = version.load(ordering: .sequentiallyConsistent)
    guard before % 2 == 0 else { return }
    let use = wantsUse.load(ordering: .sequentiallyConsistent)
    if use {
      for index in 0..<count { taken[index] = Float(bitPattern: wanted[index].load(ordering: .sequentiallyConsistent)) }
    }
    guard version.load(ordering: .sequentiallyConsistent) == before else { return }
    isInUse = use
    if use { present.update(from: taken, count: count) }
  }

  /// A level of the present slice.
  func level(_ index: Int) -> Double { Double(present[index]) }
}
