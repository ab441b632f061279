// Where edit side and render side meet: one atomic word per parameter. Any thread writes, the render thread reads,
// nobody waits.

import Synchronization

/// The present values of all parameters of a unit, in slots: global scope first, then inputs, then outputs, each
/// element's parameters in table order.
final class ParameterStore: @unchecked Sendable {
  let slots: [ParameterAddress: Int]
  let descriptors: [ParameterDescriptor]
  let addresses: [ParameterAddress]
  private let words: UnsafeMutablePointer<Atomic<UInt32>>

  /// A store for the given rows, every value at its initial one or, where `former` has the address, carried over.
  init(rows: [(address: ParameterAddress, descriptor: ParameterDescriptor)], former: ParameterStore? = nil) {
    addresses = rows.map(\.address)
    descriptors = rows.map(\.descriptor)
    slots = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.address, $0) })
    words = .allocate(capacity: max(1, rows.count))
    for (slot, row) in rows.enumerated() {
      let value = former.flatMap { store in store.slots[row.address].map { store[$0] } } ?? row.descriptor.initial
      (words + slot).initialize(to: Atomic(value.bitPattern))
    }
  }

  deinit {
    words.deinitialize(count: addresses.count)
    words.deallocate()
  }

  var count: Int { addresses.count }

  subscript(slot: Int) -> Float {
    get {
      precondition(slot >= 0 && slot < addresses.count)
      return unchecked(slot)
    }
    set {
      precondition(slot >= 0 && slot < addresses.count)
      words[slot].store(newValue.bitPattern, ordering: .relaxed)
    }
  }

  /// The value of a slot known to exist: the render side's way in.
  func unchecked(_ slot: Int) -> Float { Float(bitPattern: words[slot].load(ordering: .relaxed)) }
}
