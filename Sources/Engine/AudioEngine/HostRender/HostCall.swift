// The render call that a unit of a C host is in, in the engine's types. Read and written on the thread that renders the
// unit.

import AudioCore

/// The render call that a unit is in: a call of the host, or of the unit that pulls this one.
package struct HostCall {
  /// The host's action flags (`AudioUnitRenderActionFlags`), in which sources and effects report silence.
  package var flags: UnsafeMutablePointer<UInt32>?
  /// The host's `AudioTimeStamp`.
  package var timeStamp: UnsafeRawPointer?
  /// The slice's first frame as the host counts: the stamp's sample time, or that of the unit's own clock.
  package var sampleTime = 0.0
  package var engineTime: Int64 = 0
  /// Buffer lists that replace every source (`AudioUnitProcess`): by input, pointers to `AudioBufferList` or null.
  package var pushed: UnsafeRawPointer?
  package var pushedCount = 0
  /// Frames of each of them, from the slice's first on.
  package var pushedFrames = 0
  /// True when units that this one pulls through wires may use its clock: the slice is new, and its stamp has a sample
  /// time.
  package var leads = false
  /// True while the unit renders ahead of its pull, on whichever thread: see `WiredBranches.swift`.
  var isAhead = false
  /// True when an input of the present slice was flagged as silent, and when one was not.
  package var hadSilence = false
  package var hadSound = false

  /// The flag of a slice that is all zeros.
  package static let outputIsSilence: UInt32 = 1 << 4

  package init() {}

  /// The same slice, for the unit at the source end of a wire.
  @inline(__always)
  init(following reader: HostCall, flags: UnsafeMutablePointer<UInt32>?, leads: Bool) {
    self.flags = flags
    timeStamp = reader.timeStamp
    sampleTime = reader.sampleTime
    engineTime = reader.engineTime
    isAhead = reader.isAhead
    self.leads = leads
  }

  /// Notes the flags with which an input came in.
  @inline(__always)
  package mutating func noteInput(flags: UInt32) {
    if flags & Self.outputIsSilence != 0 { hadSilence = true } else { hadSound = true }
  }

  /// True when all inputs of the present slice were flagged as silent.
  ///
  /// An effect and its source have the same flags, so that what the host passes counts. Each source of a unit with several
  /// inputs has its own.
  @inline(__always)
  func inputIsSilent(byInput: Bool) -> Bool {
    if hadSound { return false }
    return byInput ? hadSilence : (flags?.pointee ?? 0) & Self.outputIsSilence != 0
  }
}
