// The path of one slice: out, for units of a C host: the flag of silence. Runs on the thread that renders the unit.

import AudioCore

extension NodePointer {
  /// Flags the output of the present slice as silent where its inputs were, once everything has rung out. The flag
  /// promises zeros.
  @inline(__always)
  func passSilence(_ host: HostPointer, frames: Int) {
    let isSilent = host.pointee.call.inputIsSilent(byInput: host.pointee.inputsHaveOwnFlags)
    let former = host.pointee.clock.silentFrames
    host.pointee.clock.silentFrames = isSilent ? former &+ Int64(frames) : 0
    if isSilent, pointee.host.ringFrames >= 0, former >= pointee.host.ringFrames {
      fillWithSilence(frames: frames)
      host.pointee.call.flags?.pointee |= HostCall.outputIsSilence
    } else if pointee.inputBuffers.count > 0 {
      host.pointee.call.flags?.pointee &= ~HostCall.outputIsSilence
    }
  }

  /// Silences all outputs, also those that are pulled later.
  @inline(never)
  private func fillWithSilence(frames: Int) {
    // Lent memory is not the node's to write to.
    if pointee.lendsInput { pointee.outputBuffers[0] = pointee.ownOutput }
    pointee.owner._withUnsafeGuaranteedRef { owner in
      for bus in 0..<pointee.outputBuffers.count {
        pointee.outputBuffers[bus].fillWithSilence(owner.outputFormats[bus], frames: frames)
      }
    }
  }
}
