// What a unit that a host pulls one by one keeps of the host's calls. Read and written on the render thread.

import AudioCore
import Synchronization

/// The render call that a unit is in.
package struct HostCall {
  /// The host's word of flags, in which sources and effects note silence (`AudioUnitRenderActionFlags`).
  package var flags: UnsafeMutablePointer<UInt32>?
  /// The host's `AudioTimeStamp`.
  package var timeStamp: UnsafeRawPointer?
  /// The slice's first frame as the host counts: the stamp's sample time, or that of the unit's own clock.
  package var sampleTime = 0.0
  package var engineTime: Int64 = 0
  /// The lists that the host pushes in, in place of every source: by input, pointers to `AudioBufferList` or null.
  package var pushed: UnsafeRawPointer?
  package var pushedCount = 0
  /// How many frames each of them has, from the slice's first on.
  package var pushedFrames = 0
  /// Whether units that this one is wired to may go by its clock: the slice is new, and its stamp says the sample time.
  package var leads = false
  /// Whether the unit renders ahead of its pull, on whichever thread: see `WiredBranches.swift`.
  var isAhead = false
  /// Whether any input of the present slice was flagged as silent, and whether any was not.
  package var heardSilence = false
  package var heardSound = false

  /// The flag that says that all that a unit gives is zeros.
  package static let outputIsSilence: UInt32 = 1 << 4

  package init() {}

  /// The same slice, as a unit at the other end of a wire is asked for it.
  @inline(__always)
  init(following leader: HostCall, flags: UnsafeMutablePointer<UInt32>?, leads: Bool) {
    self.flags = flags
    timeStamp = leader.timeStamp
    sampleTime = leader.sampleTime
    engineTime = leader.engineTime
    isAhead = leader.isAhead
    self.leads = leads
  }

  /// Notes what the flags of an input said.
  @inline(__always)
  package mutating func hear(_ flags: UInt32) {
    if flags & Self.outputIsSilence != 0 { heardSilence = true } else { heardSound = true }
  }

  /// Whether all that came in with the present slice was flagged as silent.
  ///
  /// The flags of an effect's call are also its source's, so what the host passes counts. A mixer's sources have words of
  /// their own.
  @inline(__always)
  func inputIsSilent(ofMixer isMixer: Bool) -> Bool {
    if heardSound { return false }
    return isMixer ? heardSilence : (flags?.pointee ?? 0) & Self.outputIsSilence != 0
  }
}

/// Which slice a unit rendered last, as the host counts.
package struct RenderClock {
  /// The first frame of the last slice, and how many it had.
  package var sampleTime = 0.0
  package var frames: UInt32 = 0
  /// Whether that slice is what the node's buffers hold.
  package var hasSlice = false
  /// What the stamp of the last slice said; of a clock that the stamp leaves out, 0.
  package var stated = Stated()
  /// The output buses that were pulled for the last slice, the first 64 of them.
  package var pulledBuses: UInt64 = 0
  /// How long the inputs have been flagged as silent.
  package var silentFrames: Int64 = 0

  package init() {}

  package struct Stated: Equatable {
    package var flags: UInt32 = 0
    package var sampleTime: UInt64 = 0
    package var hostTime: UInt64 = 0
    package var wordClockTime: UInt64 = 0

    package init() {}
  }

  /// Makes the next slice a new one, whatever its time.
  package mutating func forgetSlice() { hasSlice = false }

  /// Whether the last slice is the one that a call is in.
  @inline(__always)
  func hasSlice(of call: HostCall) -> Bool { hasSlice && sampleTime == call.sampleTime }

  /// The slice of the unit that pulls this one, on the same stamp.
  @inline(__always)
  mutating func follow(_ leader: RenderClock, frames: Int) {
    sampleTime = leader.sampleTime
    self.frames = UInt32(truncatingIfNeeded: frames)
    // No frames are no slice: the time is still to be rendered.
    hasSlice = frames > 0
    stated = leader.stated
    pulledBuses = 1
  }
}

/// What a unit keeps of its host's calls: flat memory, so that units that render together see one another's.
package struct HostState: ~Copyable {
  static let pool = SlabPool<HostState>()

  package var call = HostCall()
  package var clock = RenderClock()
  /// The bits of the sample time that was rendered last; that of the lowest finite number before the first.
  package let lastSampleTimeBits = Atomic<UInt64>((-Double.greatestFiniteMagnitude).bitPattern)
  /// Sums its inputs, so that one silent input says nothing about the others.
  package let isMixer: Bool
  let domain: Unmanaged<RenderDomain>

  /// What the last call was of an offline render: its preflight, its render or, at 0, none.
  package var offlineAction: UInt32 = 0

  // The wire at the unit's output: see `Wire.swift`.
  /// The node that pulls the unit through a wire, at which input; nil: none does.
  var reader: UnsafeMutablePointer<NodeState>?
  var readerBus = 0
  /// The next of the domain's wired sources.
  var nextSource: UnsafeMutablePointer<NodeState>?
  /// The word of flags that goes to the unit where a mixer pulls it.
  let ownFlags: UnsafeMutablePointer<UInt32>

  // What `WiredBranches.swift` finds of it.
  /// Whether something of the host's runs in the unit, or in what it pulls.
  enum Kind: UInt8 { case unknown, free, bound, root }
  var kind = Kind.unknown
  /// The stretch that renders the unit ahead; −1: none does.
  var stretch = -1
  /// Whether the present slice was rendered ahead and has not been pulled.
  var isAhead = false

  fileprivate init(isMixer: Bool, domain: RenderDomain, ownFlags: UnsafeMutablePointer<UInt32>) {
    self.isMixer = isMixer
    self.domain = .passUnretained(domain)
    self.ownFlags = ownFlags
  }
}

/// The memory of a ``HostState``, owned by the unit and by whatever renders with it.
package final class HostMemory: @unchecked Sendable {
  package let state: UnsafeMutablePointer<HostState>
  private let flags = FlatMemory<UInt32>(repeating: 0, count: 1)

  /// - Parameter domain: what the unit renders in; it must outlive the memory.
  package init(isMixer: Bool, domain: RenderDomain) {
    state = HostState.pool.take()
    state.initialize(to: HostState(isMixer: isMixer, domain: domain, ownFlags: flags.start))
  }

  deinit {
    state.deinitialize(count: 1)
    HostState.pool.giveBack(state)
  }
}
