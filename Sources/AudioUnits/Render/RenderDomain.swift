// Step 2 of the path of one slice, for units that a host pulls one by one: the edge. What renders together changes
// together, between two slices. `enter`, `leave` and `adopt` run on the render thread: no allocation, no lock, no wait.

import Glibc
import Synchronization

/// Units that render as one: edits reach all of them at the same edge between two slices.
///
/// The edit side writes what it wants into letters, one for each ``RenderCell``, and posts them; whoever renders next
/// takes them all over before the slice begins. Replaced values travel home with the letters and are freed there.
package final class RenderDomain: @unchecked Sendable {
  /// The thread that renders, 0 when none does.
  private let owner = Atomic<UInt>(0)
  /// How often that thread has entered. The owner's alone; behind a pointer, and read without the checks that a class's
  /// property costs.
  private let depth: UnsafeMutablePointer<Int>
  /// How many render calls have ended.
  private let ended = Atomic<UInt>(0)
  /// A chain of letters on its way in, and one on its way home: each a retained reference, or none.
  private let incoming = Atomic<UInt>(0)
  private let home = Atomic<UInt>(0)
  /// Orders those who edit.
  private let editing = Mutex<Void>(())

  package init() {
    depth = .allocate(capacity: 1)
    depth.initialize(to: 0)
  }

  deinit {
    depth.deallocate()
    Self.drop(incoming.exchange(0, ordering: .acquiringAndReleasing))
    Self.drop(home.exchange(0, ordering: .acquiringAndReleasing))
  }

  private static var thisThread: UInt { UInt(pthread_self()) }

  // MARK: Render side

  /// Begins a render call, which may be inside another of the same thread; takes over what was posted.
  ///
  /// - Returns: false where another thread is rendering these units.
  package func enter() -> Bool {
    let thread = Self.thisThread
    if owner.load(ordering: .relaxed) == thread {
      depth.pointee += 1
      return true
    }
    guard
      owner.compareExchange(expected: 0, desired: thread, ordering: .sequentiallyConsistent).exchanged
    else { return false }
    depth.pointee = 1
    adopt()
    return true
  }

  /// Ends what ``enter()`` began.
  package func leave() {
    depth.pointee -= 1
    guard depth.pointee == 0 else { return }
    // The owner alone counts.
    ended.store(ended.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    owner.store(0, ordering: .releasing)
  }

  /// Whether the calling thread is inside a render call of these units.
  package var isRenderingHere: Bool { owner.load(ordering: .relaxed) == Self.thisThread }
  /// Whether the present render call is not inside another.
  package var isOutermost: Bool { depth.pointee == 1 }

  /// Takes over what was posted. Inside a render call, before anything is pulled.
  package func adopt() {
    guard incoming.load(ordering: .sequentiallyConsistent) != 0 else { return }
    let bits = incoming.exchange(0, ordering: .acquiringAndReleasing)
    guard let first = Self.letter(bits) else { return }
    var last = first
    while true {
      last.deliver()
      guard let next = last.next else { break }
      last = next
    }
    // The way home is a stack: the chain goes on top.
    var former = home.load(ordering: .relaxed)
    while true {
      last.below = former
      let (exchanged, original) = home.compareExchange(
        expected: former, desired: bits, ordering: .acquiringAndReleasing)
      if exchanged { return }
      former = original
    }
  }

  // MARK: Edit side

  /// Posts new values for some cells: they hold from the edge before the next slice on, all together.
  package func post(_ edits: [(cell: RenderCell, value: AnyObject?)]) {
    guard !edits.isEmpty else { return }
    editing.withLock { _ in
      collect()
      // What nobody has taken yet is taken back, so that later values replace earlier ones and the order stays.
      let pending = incoming.exchange(0, ordering: .acquiringAndReleasing)
      var letters: [RenderLetter] = []
      var letter = Self.letter(pending)
      while let present = letter {
        letters.append(present)
        letter = present.next
      }
      for edit in edits {
        if let present = letters.first(where: { $0.cell === edit.cell }) {
          present.replace(edit.value)
        } else {
          letters.append(RenderLetter(edit.cell, edit.value))
        }
      }
      for (index, letter) in letters.enumerated() {
        letter.next = index + 1 < letters.count ? letters[index + 1] : nil
      }
      let bits = UInt(bitPattern: Unmanaged.passRetained(letters[0]).toOpaque())
      incoming.store(bits, ordering: .sequentiallyConsistent)
      if let pointer = UnsafeRawPointer(bitPattern: pending) { Unmanaged<RenderLetter>.fromOpaque(pointer).release() }
    }
  }

  /// Waits until no render call is under way that began before the last post: what was replaced is then out of use.
  ///
  /// Returns at once on the thread that renders, and after a second in any case: a render callback may be waiting for
  /// the caller.
  package func settle() {
    guard !isRenderingHere else { return }
    let before = ended.load(ordering: .acquiring)
    var turns = 0
    while owner.load(ordering: .sequentiallyConsistent) != 0, ended.load(ordering: .acquiring) == before {
      turns += 1
      if turns < 200 { sched_yield() } else { usleep(100) }
      if turns > 10_000 { return }
    }
  }

  /// Runs what must not run beside a render call. One that begins meanwhile fails and may be tried again, so this is for
  /// what is short and rare. After a second it runs in any case; on the thread that renders, at once.
  package func runAlone(_ body: () -> Void) {
    var turns = 0
    var isAlone = false
    while !isRenderingHere, turns < 10_000 {
      if owner.compareExchange(expected: 0, desired: Self.thisThread, ordering: .sequentiallyConsistent).exchanged {
        isAlone = true
        depth.pointee = 1
        break
      }
      turns += 1
      if turns < 200 { sched_yield() } else { usleep(100) }
    }
    body()
    if isAlone { leave() }
  }

  /// Frees what has come home. Not for the render thread.
  private func collect() { Self.drop(home.exchange(0, ordering: .acquiringAndReleasing)) }

  private static func letter(_ bits: UInt) -> RenderLetter? {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged<RenderLetter>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Releases chains link by link: a long one would otherwise be freed recursively.
  private static func drop(_ bits: UInt) {
    var bits = bits
    while let pointer = UnsafeRawPointer(bitPattern: bits) {
      bits = 0
      var letter: RenderLetter? = Unmanaged<RenderLetter>.fromOpaque(pointer).takeRetainedValue()
      while let present = letter {
        if present.below != 0 { bits = present.below }
        letter = present.next
        present.next = nil
      }
    }
  }
}

/// One value that the render side reads and the edit side replaces through a ``RenderDomain``.
package final class RenderCell: @unchecked Sendable {
  /// A retained reference, or none; behind a pointer, and read without the checks that a class's property costs.
  fileprivate let reference: UnsafeMutablePointer<Unmanaged<AnyObject>?>

  package init(_ value: AnyObject? = nil) {
    reference = .allocate(capacity: 1)
    reference.initialize(to: value.map { Unmanaged.passRetained($0) })
  }

  deinit {
    reference.pointee?.release()
    reference.deallocate()
  }

  package var isEmpty: Bool { reference.pointee == nil }

  /// Lends the value to `body`, without counting references. For the render side, which knows its class.
  ///
  /// - Returns: nil where there is none.
  @inline(__always)
  package func with<Value: AnyObject, Result>(_ type: Value.Type, _ body: (Value) -> Result) -> Result? {
    guard let reference = reference.pointee else { return nil }
    return reference._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Value.self)) }
  }
}

/// A value on its way to a cell; afterwards the replaced value, on its way home.
private final class RenderLetter {
  let cell: RenderCell
  private var reference: Unmanaged<AnyObject>?
  var next: RenderLetter?
  /// On the way home: the chain below this one, a retained reference or none. A number, so that the render thread
  /// retains and releases nothing.
  var below: UInt = 0

  init(_ cell: RenderCell, _ value: AnyObject?) {
    self.cell = cell
    reference = value.map { Unmanaged.passRetained($0) }
  }

  deinit { reference?.release() }

  func deliver() { swap(&cell.reference.pointee, &reference) }

  /// Puts a newer value in place of one that was not delivered.
  func replace(_ value: AnyObject?) {
    let former = reference
    reference = value.map { Unmanaged.passRetained($0) }
    former?.release()
  }
}
