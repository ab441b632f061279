// The part of a unit's render memory that only units of a C host need, and that outlives a new initialization. Read and
// written on the thread that renders the unit.

import AudioCore
import Synchronization

/// The address of a unit's memory of its host's calls: good as long as its ``HostMemory``.
package typealias HostPointer = UnsafeMutablePointer<HostState>

/// A unit's memory of its host's calls: flat, so that units that render together can read one another's.
package struct HostState: ~Copyable {
  static let pool = SlabPool<HostState>()

  // Written by each render call.
  package var call = HostCall()
  package var clock = RenderClock()
  /// The bits of the sample time that was rendered last; those of the lowest finite number before the first.
  package let lastSampleTimeBits = Atomic<UInt64>((-Double.greatestFiniteMagnitude).bitPattern)
  /// True for a unit that does without the inputs that have no source.
  let isMixer: Bool
  /// True for a unit with several inputs: each is pulled with flags of its own, as one silent input says nothing about
  /// the others.
  package let inputsHaveOwnFlags: Bool
  let domain: Unmanaged<RenderDomain>
  /// The phase of an offline render in the last call: preflight, render or, at 0, none.
  package var offlineAction: UInt32 = 0

  // Written when wires are made and cut.
  /// The wire at the unit's output; nil: the unit is pulled by calls alone.
  var wire: Wire?
  /// The action flags that the unit gets when one with several inputs pulls it.
  let ownFlags: UnsafeMutablePointer<UInt32>

  // Written by `WiredBranches`.
  /// Code of the host in the unit, or in the units that it pulls.
  var hostCode = HostCode.unknown
  /// The group of branches that renders the unit ahead; −1: none does.
  var group = -1
  /// True while the unit holds a slice that was rendered ahead and has not been pulled.
  var isRenderedAhead = false

  enum HostCode: UInt8 {
    case unknown, absent, present
    /// Not asked: the unit is the root of a tree of wires.
    case root
  }
}

/// The memory of a ``HostState``, owned by the unit and by whatever renders with it.
package final class HostMemory: @unchecked Sendable {
  package let state: HostPointer
  private let flags = FlatMemory<UInt32>(repeating: 0, count: 1)

  /// - Parameter domain: the domain that the unit renders in; it must outlive the memory.
  package init(isMixer: Bool, inputsHaveOwnFlags: Bool, domain: RenderDomain) {
    state = HostState.pool.take()
    state.initialize(
      to: HostState(
        isMixer: isMixer, inputsHaveOwnFlags: inputsHaveOwnFlags, domain: .passUnretained(domain),
        ownFlags: flags.all.start))
  }

  deinit {
    state.deinitialize(count: 1)
    HostState.pool.giveBack(state)
  }
}
