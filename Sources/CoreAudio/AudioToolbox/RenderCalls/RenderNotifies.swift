// The path of one slice: notify. Runs on the render thread.

import AudioCore
import CAudioToolbox
import Transcripts

/// The render notifies of a unit or graph: immutable, replaced as a whole.
final class RenderNotifies: Sendable {
  struct Registration: @unchecked Sendable {
    let proc: AURenderCallback
    let userData: UnsafeMutableRawPointer?

    /// True for the notify of a graph, and not of the program.
    var isOfGraph: Bool { functionAddress(proc) == functionAddress(RenderCycleObserver.proc) }

    func isSame(_ other: Registration) -> Bool {
      functionAddress(proc) == functionAddress(other.proc) && userData == other.userData
    }
  }

  let registrations: [Registration]
  init(_ registrations: [Registration] = []) { self.registrations = registrations }

  /// One registration for each function and reference, however often it is added.
  func adding(_ new: Registration) -> RenderNotifies {
    registrations.contains { $0.isSame(new) } ? self : RenderNotifies(registrations + [new])
  }

  func removing(_ old: Registration) -> RenderNotifies { RenderNotifies(registrations.filter { !$0.isSame(old) }) }

  /// The flags that say when a notify is called.
  private static let phases: AudioUnitRenderActionFlags = [
    .unitRenderAction_PreRender, .unitRenderAction_PostRender, .unitRenderAction_PostRenderError,
  ]

  /// Calls all of them, each with a copy of the flags, so that the render does not see changes that they make. Their
  /// status is ignored.
  ///
  /// - Parameter phase: the phase in the copy, whatever the host's flags have; empty: that of the flags.
  func call(
    _ phase: AudioUnitRenderActionFlags, flags: AudioUnitRenderActionFlags, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    bus: UInt32, frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) {
    guard !registrations.isEmpty else { return }
    let phase = phase.isEmpty ? flags.intersection(Self.phases) : phase
    var copy = flags
    for registration in registrations {
      // A flag of another phase, left by the host or by the notify before, would be taken for a beginning or an end.
      copy = copy.subtracting(Self.phases).union(phase)
      let context = unsafeBitCast(registration.userData, to: UnsafeMutableRawPointer.self)
      guard CallRecorder.shared != nil, !registration.isOfGraph else {
        _ = registration.proc(context, &copy, timeStamp, bus, frames, data)
        continue
      }
      _ = withUnsafeMutablePointer(to: &copy) { copy in
        recordedRender(.callback, "render notify", nil, copy, timeStamp, bus: Int(bus), frames: frames) {
          registration.proc(context, copy, timeStamp, bus, frames, data)
        }
      }
    }
  }
}
