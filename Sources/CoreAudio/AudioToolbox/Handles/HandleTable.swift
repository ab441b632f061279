// Handles, which a C program holds instead of objects. Any thread, the render thread too: looking one up takes no lock
// and allocates nothing.
//
// A handle is a number that no pointer can be: kind, generation and place in the table. So a handle that was disposed
// of, one of another kind, or a pointer to something else is recognised and is an error.

import AudioCore
import Synchronization

/// The kind of a handle: one class for each.
enum HandleKind: UInt8 {
  case unit = 1
  case component
  case graph
  case converter
  case audioFile
  case extAudioFile
  case listener
  case audioQueue
  case audioQueueTimeline
  case audioQueueTap
  case audioFileStream
}

/// An object behind a handle.
protocol HandleObject: AnyObject {
  static var handleKind: HandleKind { get }
}

/// The objects behind all handles of the process.
final class HandleTable: @unchecked Sendable {
  static let shared = HandleTable()

  // A handle: bits 48 to 55 the kind with its high bit set (no address has those), 20 to 47 the generation, 0 to 19
  // the place.
  private static let placeBits: UInt64 = 20
  private static let generationMask: UInt64 = (1 << 28) - 1
  private static let chunkBits = 10
  private static let chunkSlots = 1 << chunkBits
  private static let chunkCount = 1 << (Int(placeBits) - chunkBits)

  /// One place. The state: bits 36 to 63 the generation, 30 to 35 the kind, 29 alive, 28 occupied, below them how many
  /// are using the object now, the table itself counted while it is alive.
  private struct Slot: ~Copyable {
    let state = Atomic<UInt64>(0)
    var object: Unmanaged<AnyObject>?
  }
  private static let isAlive: UInt64 = 1 << 29
  private static let isOccupied: UInt64 = 1 << 28
  private static let userMask: UInt64 = isOccupied - 1
  private static func key(_ generation: UInt64, _ kind: UInt8) -> UInt64 {
    generation << 36 | UInt64(kind) << 30 | isAlive | isOccupied
  }

  private typealias Chunk = UnsafeMutablePointer<Slot>
  private let chunks: UnsafeMutablePointer<Atomic<UInt>>

  /// Places for new objects: those that came free, and the first that was never used.
  private struct Free {
    var places: [Int] = []
    var next = 0
  }
  private let free = Locked(Free())

  private init() {
    chunks = .allocate(capacity: Self.chunkCount)
    for index in 0..<Self.chunkCount { (chunks + index).initialize(to: Atomic(0)) }
  }

  /// Gives an object a handle and keeps it until ``remove(_:_:)``. Not for the render thread.
  ///
  /// - Returns: nil where a million objects are alive already.
  func insert<T: HandleObject>(_ object: T) -> OpaquePointer? {
    let kind = T.handleKind
    return free.withLock { free in
      if free.places.isEmpty && free.next < Self.chunkCount << Self.chunkBits {
        free.places.append(free.next)
        free.next += 1
      }
      guard let place = free.places.popLast() else { return nil }
      let slot = slot(making: place)
      let generation = (slot.pointee.state.load(ordering: .relaxed) >> 36 + 1) & Self.generationMask
      slot.pointee.object = Unmanaged.passRetained(object)
      // Added, not stored: a stale handle may be looked up this very moment.
      var former = slot.pointee.state.load(ordering: .relaxed)
      while true {
        let users = former & Self.userMask
        let (done, original) = slot.pointee.state.compareExchange(
          expected: former, desired: Self.key(generation, kind.rawValue) | (users + 1), ordering: .acquiringAndReleasing
        )
        if done { break }
        former = original
      }
      let bits = (UInt64(kind.rawValue) | 0x80) << 48 | generation << Self.placeBits | UInt64(place)
      return OpaquePointer(bitPattern: UInt(bits))
    }
  }

  /// As ``insert(_:)``.
  /// - Throws: −108 where a million objects are alive already.
  func add(_ object: some HandleObject) throws(AudioStatus) -> OpaquePointer {
    guard let handle = insert(object) else { throw .memoryFull }
    return handle
  }

  /// Lends the object of a handle to `body`; it stays alive at least that long.
  ///
  /// - Returns: nil for a handle that is stale, foreign, null or of another kind.
  @inline(__always)
  func withObject<T: HandleObject, R>(
    _ handle: OpaquePointer?, _ type: T.Type, _ body: (T) -> R
  ) -> R? {
    guard let (slot, object) = lend(handle, T.handleKind) else { return nil }
    defer { leave(slot) }
    // The kind of the handle says the class.
    return object._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: T.self)) }
  }

  /// Lends the object of a handle until it is given back: see ``giveBack(_:_:)``.
  ///
  /// - Returns: nil for a handle that is stale, foreign or of another kind; nothing is lent then.
  func borrow<T: HandleObject>(_ handle: OpaquePointer, _ type: T.Type) -> Unmanaged<T>? {
    lend(handle, T.handleKind).map { _, object in
      object._withUnsafeGuaranteedRef { Unmanaged.passUnretained(unsafeDowncast($0, to: T.self)) }
    }
  }

  /// Ends what ``borrow(_:_:)`` has lent, for the same handle: it may be stale by now.
  func giveBack<T: HandleObject>(_ handle: OpaquePointer, _ type: T.Type) {
    guard let (slot, _) = find(handle, T.handleKind) else { return }
    leave(slot)
  }

  /// Ends a handle and returns its object; a call that uses it at this moment keeps it until it ends.
  func remove<T: HandleObject>(_ handle: OpaquePointer?, _ type: T.Type) -> T? {
    guard let (slot, key) = find(handle, T.handleKind) else { return nil }
    var state = slot.pointee.state.add(1, ordering: .acquiring).newValue
    defer { leave(slot) }
    while state & ~Self.userMask == key {
      let (done, original) = slot.pointee.state.compareExchange(
        expected: state, desired: state & ~Self.isAlive, ordering: .acquiringAndReleasing)
      if done {
        let object = slot.pointee.object?.takeUnretainedValue()
        leave(slot)
        return object as? T
      }
      state = original
    }
    return nil
  }

  @inline(__always)
  private func lend(_ handle: OpaquePointer?, _ kind: HandleKind) -> (slot: Chunk, object: Unmanaged<AnyObject>)? {
    guard let (slot, key) = find(handle, kind) else { return nil }
    let state = slot.pointee.state.add(1, ordering: .acquiring).oldValue
    guard state & ~Self.userMask == key, let object = slot.pointee.object else {
      leave(slot)
      return nil
    }
    return (slot, object)
  }

  @inline(__always)
  private func find(_ handle: OpaquePointer?, _ kind: HandleKind) -> (slot: Chunk, key: UInt64)? {
    let bits = UInt64(UInt(bitPattern: handle))
    guard bits >> 48 == UInt64(kind.rawValue) | 0x80 else { return nil }
    let place = Int(bits & (1 << Self.placeBits - 1))
    guard let chunk = chunk(place >> Self.chunkBits) else { return nil }
    return (
      chunk + place & (Self.chunkSlots - 1), Self.key(bits >> Self.placeBits & Self.generationMask, kind.rawValue)
    )
  }

  @inline(__always)
  private func chunk(_ index: Int) -> Chunk? {
    UnsafeMutableRawPointer(bitPattern: chunks[index].load(ordering: .acquiring))?
      .assumingMemoryBound(to: Slot.self)
  }

  private func slot(making place: Int) -> Chunk {
    let index = place >> Self.chunkBits
    if let chunk = chunk(index) { return chunk + place & (Self.chunkSlots - 1) }
    let made = Chunk.allocate(capacity: Self.chunkSlots)
    for index in 0..<Self.chunkSlots { (made + index).initialize(to: Slot()) }
    chunks[index].store(UInt(bitPattern: made), ordering: .releasing)
    return made + place & (Self.chunkSlots - 1)
  }

  /// The last to leave a place that is not alive any more frees the object.
  @inline(__always)
  private func leave(_ slot: Chunk) {
    let state = slot.pointee.state.subtract(1, ordering: .acquiringAndReleasing).newValue
    if state & (Self.userMask | Self.isAlive) == 0 && state & Self.isOccupied != 0 { vacate(slot, state) }
  }

  @inline(never)
  private func vacate(_ slot: Chunk, _ state: UInt64) {
    guard
      slot.pointee.state.compareExchange(
        expected: state, desired: state & ~Self.isOccupied, ordering: .acquiringAndReleasing
      ).exchanged
    else { return }
    let object = slot.pointee.object
    slot.pointee.object = nil
    let place = self.place(of: slot)
    object?.release()
    if let place { free.withLock { $0.places.append(place) } }
  }

  private func place(of slot: Chunk) -> Int? {
    for index in 0..<Self.chunkCount {
      guard let chunk = chunk(index) else { return nil }
      let offset = slot - chunk
      if (0..<Self.chunkSlots).contains(offset) { return index << Self.chunkBits + offset }
    }
    return nil
  }
}
