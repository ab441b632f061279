// Step 2 of the path of one slice, for units that a host pulls one by one: the edge. What renders together changes
// together, between two slices. `enter`, `leave` and `adopt` run on the render thread: no allocation, no lock, no wait.

import AudioCore
import CRealtime
import Glibc
import HandOver
import Synchronization

/// Units that render as one: edits reach all of them at the same edge between two slices.
///
/// The edit side queues edits, one for each ``RenderCell``; the next render call applies all of them before its slice
/// begins. The values that they replace are freed on the edit side, by the next edit.
package final class RenderDomain: @unchecked Sendable {
  /// The thread that renders, with its last bit set while it only keeps others from rendering; 0 when there is none.
  private let owner = Atomic<UInt>(0)
  /// How often that thread has entered. The owner's alone; behind a pointer, and read without the checks that a class's
  /// property costs.
  private var depth: UnsafeMutablePointer<Int> { depthMemory.start }
  private let depthMemory = FlatMemory(repeating: 0, count: 1)
  /// How many render calls have ended.
  private let ended = Atomic<UInt>(0)
  /// Edits that wait to be applied, and applied edits that hold replaced values, to be freed by the edit side.
  private let incoming = ParcelQueue()
  private let retired = ParcelQueue()
  /// How many edits were queued since some were last applied, about.
  private let waiting = Atomic<Int>(0)
  /// What the present render call holds on to, the last first. The owner's alone, as ``depth``.
  private var holds: UnsafeMutablePointer<Unmanaged<RenderHold>?> { holdMemory.start }
  private let holdMemory = FlatMemory<Unmanaged<RenderHold>?>(repeating: nil, count: 1)
  /// The first of the units that are pulled through wires (`Wire.swift`). The owner's alone, as ``depth``.
  var firstSource: UnsafeMutablePointer<UnsafeMutablePointer<NodeState>?> { sourceMemory.start }
  private let sourceMemory = FlatMemory<UnsafeMutablePointer<NodeState>?>(repeating: nil, count: 1)
  /// Whether wires were made or cut since the branches were looked for. The owner's alone, as ``depth``.
  var haveWiresChanged: UnsafeMutablePointer<Bool> { changeMemory.start }
  private let changeMemory = FlatMemory(repeating: false, count: 1)
  /// What renders ahead on several threads; nil: the thread that pulls renders all.
  let branches: WiredBranches?
  /// Whether a unit has a request to look at that is no queued edit, such as a reset.
  private let request = Atomic<Bool>(false)

  /// - Parameter branchRunner: what renders branches side by side; nil: nothing does.
  package init(branchRunner: (any BranchRunner)? = nil) { branches = branchRunner.map { WiredBranches($0) } }

  private static var thisThread: UInt { UInt(pthread_self()) }
  /// Marks an owner that does not render. Thread numbers are addresses, and even.
  private static let isAlone: UInt = 1

  // MARK: Render side

  /// Begins a render call, which may be inside another of the same thread; takes over what was posted.
  ///
  /// - Returns: false where another thread is rendering these units, or too many units pull one another.
  @inline(__always)
  package func enter() -> Bool {
    guard realtime_begin_pull() else { return false }
    let isIn = takeOwnership()
    if !isIn { realtime_end_pull() }
    return isIn
  }

  @inline(__always)
  private func takeOwnership() -> Bool {
    let thread = Self.thisThread
    if owner.load(ordering: .relaxed) & ~Self.isAlone == thread {
      depth.pointee += 1
      return true
    }
    guard
      owner.compareExchange(expected: 0, desired: thread, ordering: .sequentiallyConsistent).exchanged
        || enterBehindEdit(thread)
    else { return false }
    depth.pointee = 1
    adopt()
    return true
  }

  /// An edit that keeps others from rendering is over in no time; a thread that renders is not waited for.
  @inline(never)
  private func enterBehindEdit(_ thread: UInt) -> Bool {
    for _ in 0..<4000 {
      let (done, present) = owner.compareExchange(
        expected: 0, desired: thread, ordering: .sequentiallyConsistent)
      if done { return true }
      guard present & Self.isAlone != 0 else { return false }
      realtime_spin_pause()
    }
    return false
  }

  /// Ends what ``enter()`` began.
  @inline(__always)
  package func leave() {
    realtime_end_pull()
    release()
  }

  @inline(__always)
  private func release() {
    guard depth.pointee == 1 else {
      depth.pointee -= 1
      return
    }
    if holds.pointee != nil { endHolds() }
    depth.pointee = 0
    // The owner alone counts.
    ended.store(ended.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    owner.store(0, ordering: .releasing)
  }

  /// Keeps other threads from these units as a render call does, for what outlasts the call: memory that it has given.
  ///
  /// - Returns: false where another thread is rendering them. Else ``free()`` must follow, on the same thread.
  package func keep() -> Bool { takeOwnership() }
  /// Ends what ``keep()`` began.
  package func free() { release() }

  /// Holds on to something until the present render call of these units, with all around it, has ended. Within such a call.
  package func hold(_ hold: RenderHold) {
    hold.next = holds.pointee
    holds.pointee = Unmanaged.passUnretained(hold)
  }

  @inline(never)
  private func endHolds() {
    while let hold = holds.pointee {
      hold._withUnsafeGuaranteedRef {
        holds.pointee = $0.next
        $0.end()
      }
    }
  }

  /// Whether the calling thread is inside a render call of these units.
  package var isRenderingHere: Bool { owner.load(ordering: .relaxed) == Self.thisThread }
  /// Whether the present render call is not inside another.
  package var isOutermost: Bool { depth.pointee == 1 }

  /// Takes over what was posted. Inside a render call, before anything is pulled.
  @inline(__always)
  package func adopt() {
    if !incoming.isEmpty { takeOver() }
    if hasRequest { takeRequest() }
    if haveWiresChanged.pointee { findBranches() }
  }

  @inline(never)
  private func findBranches() {
    haveWiresChanged.pointee = false
    branches?.find(from: firstSource.pointee)
  }

  /// Whether there is a request that units look at only when they are pulled without wires (``Wire``).
  @inline(__always)
  var hasRequest: Bool { request.load(ordering: .acquiring) }

  @inline(never)
  private func takeRequest() {
    _ = request.exchange(false, ordering: .acquiringAndReleasing)
    cutWires()
  }

  /// Makes the next pull of each unit go without wires, so that it sees the request. Any thread; the request itself is
  /// stored before.
  package func noteRequest() { request.store(true, ordering: .releasing) }

  @inline(never)
  private func takeOver() {
    waiting.store(0, ordering: .relaxed)
    // What is held, or wired, may be replaced now.
    endHolds()
    cutWires()
    let edits = incoming.takeAll()
    edits.forEach { unsafeDowncast($0, to: QueuedEdit.self).apply() }
    retired.put(edits)
  }

  // MARK: Edit side

  /// Queues new values for some cells: they are applied before the next slice, all together.
  package func post(_ edits: [(cell: RenderCell, value: AnyObject?)]) {
    guard !edits.isEmpty else { return }
    _ = retired.takeAll()
    incoming.put(ParcelChain(edits.map { QueuedEdit($0.cell, $0.value) }))
    // While nothing renders, no edits are applied there: so that the queue does not grow, they are applied here.
    if waiting.add(edits.count, ordering: .relaxed).newValue > 1000, !isRenderingHere {
      _ = runIfAlone { takeOver() }
      _ = retired.takeAll()
    }
  }

  /// Waits until no render call is under way that began before the last post: what was replaced is then out of use.
  ///
  /// - Returns: false at once on the thread that renders, and after a second in any case, as a render callback may be
  ///   waiting for the caller: the call is still under way then.
  @discardableResult
  package func settle() -> Bool {
    let before = ended.load(ordering: .acquiring)
    let thread = Self.thisThread
    var wait = BoundedWait()
    repeat {
      let present = owner.load(ordering: .sequentiallyConsistent)
      if present == 0 || ended.load(ordering: .acquiring) != before { return true }
      if present & ~Self.isAlone == thread { return false }
    } while wait.pause()
    return false
  }

  /// Runs what must not run beside a render call. One that begins meanwhile waits for a moment and then fails, so this is
  /// for what is short and rare. After a second it runs in any case; on the thread that renders, at once.
  package func runAlone(_ body: () -> Void) {
    if !runIfAlone(body) { body() }
  }

  /// Answers false, and has not run `body`, where it would have been beside a render call.
  private func runIfAlone(_ body: () -> Void) -> Bool {
    let thread = Self.thisThread
    var wait = BoundedWait()
    repeat {
      if owner.load(ordering: .relaxed) & ~Self.isAlone == thread { return false }
      let mine = thread | Self.isAlone
      if owner.compareExchange(expected: 0, desired: mine, ordering: .sequentiallyConsistent).exchanged {
        depth.pointee = 1
        body()
        release()
        return true
      }
    } while wait.pause()
    return false
  }
}

/// What a render call holds on to until its end: see ``RenderDomain/hold(_:)``.
open class RenderHold {
  /// What was held before.
  fileprivate final var next: Unmanaged<RenderHold>?

  /// A hold that has not been taken yet: ``RenderDomain/hold(_:)`` does that.
  public init() {}

  /// Lets go, on the thread that renders.
  open func end() {}
}

/// One value that the render side reads and the edit side replaces through a ``RenderDomain``.
package final class RenderCell: @unchecked Sendable {
  /// A retained reference, or none; behind a pointer, and read without the checks that a class's property costs.
  fileprivate let reference: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  package init(_ value: AnyObject? = nil) {
    reference = .allocate(capacity: 1)
    reference.initialize(to: Self.retained(value))
  }

  deinit {
    Self.release(reference.pointee)
    reference.deallocate()
  }

  fileprivate static func retained(_ value: AnyObject?) -> UnsafeMutableRawPointer? {
    value.map { Unmanaged.passRetained($0).toOpaque() }
  }

  fileprivate static func release(_ reference: UnsafeMutableRawPointer?) {
    if let reference { Unmanaged<AnyObject>.fromOpaque(reference).release() }
  }

  /// Puts a value in before anything renders from the cell.
  package func fill(_ value: AnyObject?) {
    precondition(reference.pointee == nil)
    reference.pointee = Self.retained(value)
  }

  /// The cell as the render side reads it. Good as long as the cell lives.
  package var view: View { View(reference: reference) }

  /// A look into a cell that counts no references.
  package struct View {
    /// The address of an object whose class the render side knows; nil where there is none. A plain pointer: what is read
    /// through it is read in place in other targets too.
    package let reference: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  }
}

/// A new value for a cell; once it is applied, the value that it replaced, to be freed.
private final class QueuedEdit: Parcel {
  private let cell: RenderCell
  private var reference: UnsafeMutableRawPointer?

  init(_ cell: RenderCell, _ value: AnyObject?) {
    self.cell = cell
    reference = RenderCell.retained(value)
  }

  deinit { RenderCell.release(reference) }

  func apply() { swap(&cell.reference.pointee, &reference) }
}
