// From many threads to one, without a bound and without a wait.

import Synchronization

/// Parcels that any thread puts down and one takes away, all at once, in the order in which they were put down.
///
/// Nothing here allocates, locks or waits, so either side may be a render thread. It holds one reference to each
/// parcel.
public struct ParcelQueue: ~Copyable, Sendable {
  /// The parcel put down last, with those before it behind it; 0: none.
  private let top = Atomic<UInt>(0)

  /// A queue with nothing in it.
  public init() {}

  deinit { _ = takeAll() }

  /// True when there is nothing. Parcels that were queued before anything that the caller has seen are visible to it.
  public var isEmpty: Bool { top.load(ordering: .sequentiallyConsistent) == 0 }

  /// Puts a parcel down, which is retained.
  public func put(_ parcel: Parcel) { put(.passRetained(parcel)) }

  /// Puts a parcel down, with the reference that the caller holds.
  public func put(_ parcel: Unmanaged<Parcel>) {
    var chain = ParcelChain()
    chain.append(parcel)
    put(chain)
  }

  /// Puts several down at once: they are taken together.
  public func put(_ chain: consuming ParcelChain) {
    // The first of a stack is its last: a row is turned over.
    var turned: UInt = 0
    let bottom = chain.front
    while let parcel = chain.removeFirst() {
      parcel.next = Unmanaged(bits: turned)
      turned = parcel.bits
    }
    guard let bottom else { return }
    var former = top.load(ordering: .relaxed)
    while true {
      bottom.next = Unmanaged(bits: former)
      let (done, present) = top.compareExchange(
        expected: former, desired: turned, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed)
      if done { return }
      former = present
    }
  }

  /// Takes all, the one put down first first. Dropping the chain releases them.
  public func takeAll() -> ParcelChain {
    var chain = ParcelChain()
    var present = Unmanaged<Parcel>(bits: top.exchange(0, ordering: .acquiringAndReleasing))
    chain.back = present
    var behind: Unmanaged<Parcel>?
    while let parcel = present {
      present = parcel.next
      parcel.next = behind
      behind = parcel
    }
    chain.front = behind
    return chain
  }
}
