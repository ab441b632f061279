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
  /// How often that thread has entered. The owner's alone.
  private var depth = 0
  /// How many render calls have ended.
  private let ended = Atomic<UInt>(0)
  /// A chain of letters on its way in, and one on its way home: each a retained reference, or none.
  private let incoming = Atomic<UInt>(0)
  private let home = Atomic<UInt>(0)
  /// Orders those who edit.
  private let editing = Mutex<Void>(())

  package init() {}

  deinit {
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
      depth += 1
      return true
    }
    guard
      owner.compareExchange(expected: 0, desired: thread, ordering: .sequentiallyConsistent).exchanged
    else { return false }
    depth = 1
    adopt()
    return true
  }

  /// Ends what ``enter()`` began.
  package func leave() {
    depth -= 1
    guard depth == 0 else { return }
    ended.add(1, ordering: .releasing)
    owner.store(0, ordering: .sequentiallyConsistent)
  }

  /// Whether the calling thread is inside a render call of these units.
  package var isRenderingHere: Bool { owner.load(ordering: .relaxed) == Self.thisThread }
  /// Whether the present render call is not inside another.
  package var isOutermost: Bool { depth == 1 }

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
          present.value = edit.value
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
  /// The value that holds. For the render side, and for anyone before the cell is first rendered with.
  package fileprivate(set) var value: AnyObject?
  package init(_ value: AnyObject? = nil) { self.value = value }
}

/// A value on its way to a cell; afterwards the replaced value, on its way home.
private final class RenderLetter {
  let cell: RenderCell
  var value: AnyObject?
  var next: RenderLetter?
  /// On the way home: the chain below this one, a retained reference or none. A number, so that the render thread
  /// retains and releases nothing.
  var below: UInt = 0

  init(_ cell: RenderCell, _ value: AnyObject?) {
    self.cell = cell
    self.value = value
  }

  func deliver() { swap(&cell.value, &value) }
}
