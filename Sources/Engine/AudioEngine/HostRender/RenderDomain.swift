// The path of one slice: edge, for units that a host pulls one by one. Units that render together change together,
// between two slices. `enter`, `leave` and `adopt` run on the render thread: no allocation, no lock, no wait.

import AudioCore
import CRealtime
import Glibc
import HandOver
import Synchronization

/// Units that render as one: edits reach all of them at the same edge between two slices.
///
/// The edit side queues edits, one for each ``SharedValue``; the next render call applies all of them before its slice
/// begins. The values that they replace are freed on the edit side, by the next edit.
package final class RenderDomain: @unchecked Sendable {
  /// The thread that renders, with its last bit set while it only keeps others from rendering; 0 when there is none.
  private let owner = Atomic<UInt>(0)
  /// The fields of that thread alone. Behind a pointer, and read without the checks that a class's property costs.
  struct Owned: BitwiseCopyable {
    /// The number of times that it has entered.
    var depth = 0
    /// The first of the units that are pulled through wires (`Wire.swift`).
    var firstSource: NodePointer?
    /// True when wires were made or cut since the branches were last found.
    var haveWiresChanged = false
    /// The last of the holds of the present render call.
    var holds: Unmanaged<RenderHold>?
  }
  var owned: Plane<Owned> { memory.all }
  private let memory = FlatMemory(repeating: Owned(), count: 1)
  /// The number of render calls that have ended.
  private let ended = Atomic<UInt>(0)
  /// Edits that wait to be applied, and applied edits that hold replaced values, to be freed by the edit side.
  private let incoming = ParcelQueue()
  private let retired = ParcelQueue()
  /// The approximate number of edits that were queued since some were last applied.
  private let waiting = Atomic<Int>(0)
  /// The branches that render ahead on several threads; nil: the thread that pulls renders all.
  let branches: WiredBranches?
  /// True when a unit has a request that is no queued edit, such as a reset.
  private let request = Atomic<Bool>(false)

  /// - Parameter branchRunner: renders branches side by side; nil: nothing does.
  package init(branchRunner: (any BranchRunner)? = nil) { branches = branchRunner.map { WiredBranches($0) } }

  private static var thisThread: UInt { UInt(pthread_self()) }
  /// Marks an owner that does not render. Thread numbers are addresses, and even.
  private static let isAlone: UInt = 1

  // MARK: Render side

  /// Begins a render call, which may be inside another of the same thread; applies the queued edits.
  ///
  /// - Returns: false where another thread is rendering these units, or too many units pull one another.
  @inline(__always)
  package func enter() -> Bool {
    guard realtime_begin_pull() else { return false }
    let isIn = claim()
    if !isIn { realtime_end_pull() }
    return isIn
  }

  /// Keeps other threads from these units as a render call does; also beyond the end of a call, while memory that it
  /// gave is in use.
  ///
  /// - Returns: false where another thread is rendering them. Else ``release()`` must follow, on the same thread.
  @inline(__always)
  package func claim() -> Bool {
    let thread = Self.thisThread
    if owner.load(ordering: .relaxed) & ~Self.isAlone == thread {
      owned[0].depth += 1
      return true
    }
    guard
      owner.compareExchange(expected: 0, desired: thread, ordering: .sequentiallyConsistent).exchanged
        || enterBehindEdit(thread)
    else { return false }
    owned[0].depth = 1
    adopt()
    return true
  }

  /// Waits for an edit that keeps others from rendering, which is short, but not for a thread that renders.
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

  /// Ends what ``claim()`` began.
  @inline(__always)
  package func release() {
    guard owned[0].depth == 1 else {
      owned[0].depth -= 1
      return
    }
    if owned[0].holds != nil { endHolds() }
    owned[0].depth = 0
    // The owner alone counts.
    ended.store(ended.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    owner.store(0, ordering: .releasing)
  }

  /// Takes a hold until the outermost render call of these units has ended. Within such a call.
  package func hold(_ hold: RenderHold) {
    hold.next = owned[0].holds
    owned[0].holds = Unmanaged.passUnretained(hold)
  }

  @inline(never)
  private func endHolds() {
    while let hold = owned[0].holds {
      hold._withUnsafeGuaranteedRef {
        owned[0].holds = $0.next
        $0.end()
      }
    }
  }

  /// True when the calling thread is inside a render call of these units.
  package var isRenderingHere: Bool { owner.load(ordering: .relaxed) == Self.thisThread }
  /// True when the present render call is not inside another.
  package var isOutermost: Bool { owned[0].depth == 1 }

  /// Applies the queued edits. Inside a render call, before anything is pulled.
  @inline(__always)
  package func adopt() {
    if !incoming.isEmpty { takeOver() }
    if hasRequest { takeRequest() }
    if owned[0].haveWiresChanged { findBranches() }
  }

  @inline(never)
  private func findBranches() {
    owned[0].haveWiresChanged = false
    branches?.find(from: owned[0].firstSource)
  }

  /// True when there is a request: units look at it only when they are pulled without wires (``Wire``).
  @inline(__always)
  var hasRequest: Bool { request.load(ordering: .acquiring) }

  @inline(never)
  private func takeRequest() {
    _ = request.exchange(false, ordering: .acquiringAndReleasing)
    cutWires()
  }

  /// Makes the next pull of each unit go without wires, so that it sees the request. Any thread; store the request
  /// first.
  package func noteRequest() { request.store(true, ordering: .releasing) }

  @inline(never)
  private func takeOver() {
    waiting.store(0, ordering: .relaxed)
    // Held and wired units may be replaced now.
    endHolds()
    cutWires()
    let edits = incoming.takeAll()
    edits.forEach { unsafeDowncast($0, to: QueuedEdit.self).apply() }
    retired.put(edits)
  }

  // MARK: Edit side

  /// Queues edits: they are applied before the next slice, all together.
  package func post(_ edits: [SharedValue.Edit]) {
    guard !edits.isEmpty else { return }
    _ = retired.takeAll()
    incoming.put(ParcelChain(edits.map { QueuedEdit($0) }))
    // While nothing renders, no edits are applied there: so that the queue does not grow, they are applied here.
    if waiting.add(edits.count, ordering: .relaxed).newValue > 1000, !isRenderingHere {
      _ = runIfAlone { takeOver() }
      _ = retired.takeAll()
    }
  }

  /// Waits until no render call is under way that began before the last post: replaced values are then out of use.
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

  /// Runs a function that must not run beside a render call. A call that begins meanwhile waits for a moment and then
  /// fails, so the function must be short and rare. After a second it runs in any case; on the thread that renders, at
  /// once.
  package func runAlone(_ body: () -> Void) {
    if !runIfAlone(body) { body() }
  }

  /// - Returns: false, without running `body`, where it would have run beside a render call.
  private func runIfAlone(_ body: () -> Void) -> Bool {
    let thread = Self.thisThread
    var wait = BoundedWait()
    repeat {
      if owner.load(ordering: .relaxed) & ~Self.isAlone == thread { return false }
      let mine = thread | Self.isAlone
      if owner.compareExchange(expected: 0, desired: mine, ordering: .sequentiallyConsistent).exchanged {
        owned[0].depth = 1
        body()
        release()
        return true
      }
    } while wait.pause()
    return false
  }
}

/// An object that a render call keeps in use until its end: see `RenderDomain.hold(_:)`.
open class RenderHold {
  /// The hold before this one.
  fileprivate final var next: Unmanaged<RenderHold>?

  /// A hold that is not taken yet: `RenderDomain.hold(_:)` takes it.
  public init() {}

  /// Ends the use, on the thread that renders.
  open func end() {}
}
