// A parcel is an object that one thread hands to another: an edit, a plan, a scheduled region. It has the link of its
// queue in itself, so that handing it over allocates nothing. A render thread never frees one: it returns it to the
// edit side.

import AudioCore

/// An object that a ``ParcelQueue`` or a ``Mailbox`` hands over. It is in one of them at a time.
open class Parcel {
  /// The parcel behind this one, of which its queue or chain holds a reference.
  final var next: Unmanaged<Parcel>?

  /// A parcel that is in no queue, cell or chain yet.
  public init() {}

  final var bits: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

extension Unmanaged where Instance == Parcel {
  // A number, as an atomic holds it; 0 is none.
  init?(bits: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    self = .fromOpaque(pointer)
  }
  var bits: UInt { UInt(bitPattern: toOpaque()) }
  var next: Unmanaged<Parcel>? {
    get { _withUnsafeGuaranteedRef { $0.next } }
    nonmutating set { _withUnsafeGuaranteedRef { $0.next = newValue } }
  }
}

/// Parcels in a row, with one reference to each. One thread's own; what is left in it at its end is released.
public struct ParcelChain: ~Copyable {
  var front: Unmanaged<Parcel>?
  var back: Unmanaged<Parcel>?

  /// A row of none.
  public init() {}

  /// A row of the parcels, with a new reference to each.
  public init(_ parcels: some Sequence<Parcel>) {
    for parcel in parcels { append(.passRetained(parcel)) }
  }

  deinit {
    var present = front
    while let parcel = present {
      present = parcel.next
      parcel.release()
    }
  }

  /// True: ``removeFirst()`` gives nil.
  public var isEmpty: Bool { front == nil }
  /// The element that ``removeFirst()`` would take out, nil without one; the reference stays the chain's.
  public var first: Unmanaged<Parcel>? { front }

  /// Puts a parcel at the end, with the reference that the caller holds.
  public mutating func append(_ parcel: Unmanaged<Parcel>) {
    parcel.next = nil
    if let back { back.next = parcel } else { front = parcel }
    back = parcel
  }

  /// Puts all of another chain at the end.
  public mutating func append(_ other: consuming ParcelChain) {
    guard let first = other.front else { return }
    if let back { back.next = first } else { front = first }
    back = other.back
    other.forget()
  }

  /// Takes the first one out, with its reference.
  public mutating func removeFirst() -> Unmanaged<Parcel>? {
    guard let parcel = front else { return nil }
    front = parcel.next
    if front == nil { back = nil }
    return parcel
  }

  /// Shows all of them, the first one first.
  public borrowing func forEach(_ body: (Parcel) -> Void) {
    var present = front
    while let parcel = present {
      present = parcel.next
      parcel._withUnsafeGuaranteedRef(body)
    }
  }

  mutating func forget() {
    front = nil
    back = nil
  }
}
