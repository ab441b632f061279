// Parameter values between edit side and render side: one atomic word per parameter. Any thread writes, the render
// thread reads, no thread waits.

import AudioCore
import Synchronization

/// The present values of all parameters of a unit, in slots: global scope first, then inputs, then outputs, each
/// element's parameters in table order.
package final class ParameterStore: Sendable {
  package let slots: [ParameterAddress: Int]
  let descriptors: [ParameterDescriptor]
  package let addresses: [ParameterAddress]
  /// Events that wait for the next slice, by slot: they end with the store.
  let schedule: ParameterSchedule
  /// Per slot, low half: what holds from the next slice on. High half: what is shown as the present value; the two
  /// differ while scheduled events wait.
  private let words: FlatMemory<Atomic<UInt64>>
  /// Per slot: whether the host has set it, and nothing has put another value in that one's place.
  private let hostFlags: FlatMemory<Atomic<Bool>>
  /// A counter of edits that the render side takes over: values, events, and what processors keep beside
  /// them. Behind a pointer, as the render side looks at it in every slice.
  var edits: Plane<Atomic<UInt>> { editMemory.all }
  private let editMemory = FlatMemory<Atomic<UInt>>(count: 1) { _ in Atomic(0) }

  /// A store for the given rows, every value at its initial one or, where `former` has the address, carried over.
  init(rows: [(address: ParameterAddress, descriptor: ParameterDescriptor)], former: ParameterStore? = nil) {
    addresses = rows.map(\.address)
    descriptors = rows.map(\.descriptor)
    slots = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.address, $0) })
    let carried = rows.map { row in
      former.flatMap { store in store.slots[row.address].map { (value: store[$0], isHosts: store.isHosts($0)) } }
    }
    words = FlatMemory(count: rows.count) { Atomic(Word(carried[$0]?.value ?? rows[$0].descriptor.initial).bits) }
    hostFlags = FlatMemory(count: rows.count) { Atomic(carried[$0]?.isHosts ?? false) }
    schedule = ParameterSchedule(isUsed: !rows.isEmpty, edits: editMemory.all)
  }

  /// Has the render side look for what is new, from its next slice on. Behind every edit.
  package func noteEdit() { edits[0].add(1, ordering: .releasing) }

  private struct Word {
    var bits: UInt64
    init(bits: UInt64) { self.bits = bits }
    init(_ value: Float) { self.init(held: value, shown: value) }
    init(held: Float, shown: Float) { bits = UInt64(shown.bitPattern) << 32 | UInt64(held.bitPattern) }
    var held: Float { Float(bitPattern: UInt32(truncatingIfNeeded: bits)) }
    var shown: Float { Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)) }
  }

  package var count: Int { addresses.count }

  package subscript(slot: Int) -> Float {
    get {
      precondition(slot >= 0 && slot < addresses.count)
      return Word(bits: words[slot].load(ordering: .relaxed)).shown
    }
    set {
      precondition(slot >= 0 && slot < addresses.count)
      words[slot].store(Word(newValue).bits, ordering: .relaxed)
      noteEdit()
    }
  }

  /// True when the host has set the value of a slot that is known to exist.
  func isHosts(_ slot: Int) -> Bool { hostFlags[slot].load(ordering: .relaxed) }

  /// Stores a value that the host sets.
  package func setByHost(_ slot: Int, _ value: Float) {
    self[slot] = value
    hostFlags[slot].store(true, ordering: .relaxed)
  }

  /// Stores values that the host sets together: the render side looks for them when all are there.
  package func setByHost(_ values: [(slot: Int, value: Float)]) {
    for (slot, value) in values {
      precondition(slot >= 0 && slot < addresses.count)
      words[slot].store(Word(value).bits, ordering: .relaxed)
      hostFlags[slot].store(true, ordering: .relaxed)
    }
    noteEdit()
  }

  /// Stores a value of the unit's own. If it equals the host's, it stays the host's.
  func adopt(_ slot: Int, _ value: Float) {
    if self[slot] != value { hostFlags[slot].store(false, ordering: .relaxed) }
    self[slot] = value
  }

  /// The value from the next slice on, of a slot that is known to exist, for the render side.
  func held(_ slot: Int) -> Float { Word(bits: words[slot].load(ordering: .relaxed)).held }

  /// Shows a value that is on its way: an event brings it to the render side.
  func show(_ slot: Int, _ value: Float) {
    precondition(slot >= 0 && slot < addresses.count)
    update(slot) { Word(held: $0.held, shown: value) }
  }

  /// Makes what events have come to the value that holds, unless one has been set since `former` was taken over. It is
  /// shown too, unless a later event already shows its own.
  func settle(_ slot: Int, former: Float, held: Float, formerShown: Float, shown: Float) {
    let mayShow = !schedule.isInUse
    update(slot) { word in
      guard word.held.bitPattern == former.bitPattern else { return word }
      let showsOurs = mayShow || word.shown.bitPattern == formerShown.bitPattern
      return Word(held: held, shown: showsOurs ? shown : word.shown)
    }
  }

  /// Makes what is shown hold: the events that would have brought it are dropped.
  func adoptShown(_ slot: Int) {
    update(slot) { Word($0.shown) }
    noteEdit()
  }

  private func update(_ slot: Int, _ change: (Word) -> Word) {
    var bits = words[slot].load(ordering: .relaxed)
    while true {
      let (exchanged, original) = words[slot].weakCompareExchange(
        expected: bits, desired: change(Word(bits: bits)).bits, ordering: .relaxed)
      if exchanged { return }
      bits = original
    }
  }
}
