// Calls of the program's functions that a slice brings: put down by the thread that renders, made on another one, or
// behind the slice. `put` neither allocates, locks nor waits.

import AudioCore
import HandOver
import Synchronization

/// A call of a function of the program's, made ready before the slice that brings it.
class DueCall: Parcel {
  /// Makes the call. Not on the thread that renders.
  func make() {}
}

/// The calls that are due, in the order in which they became so.
final class DueCalls: Sendable {
  private let queue = ParcelQueue()
  /// True while a thread makes calls: another one leaves them to it.
  private let isCalling = Atomic<Bool>(false)

  /// Puts a call down. Any thread.
  func put(_ call: DueCall) { queue.put(call) }
  /// The same, with the reference that the caller holds.
  func put(_ call: Unmanaged<Parcel>) { queue.put(call) }

  /// Makes all calls, and those that become due meanwhile; returns at once where another call is being made.
  func makeAll() {
    while !queue.isEmpty, !isCalling.exchange(true, ordering: .acquiringAndReleasing) {
      var calls = queue.takeAll()
      while let call = calls.removeFirst() {
        unsafeDowncast(call.takeRetainedValue(), to: DueCall.self).make()
      }
      isCalling.store(false, ordering: .sequentiallyConsistent)
    }
  }
}
