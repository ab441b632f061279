// Step 10 of the path of one slice, for units of a C host: the flag of silence. Runs on the thread that renders the
// unit.

import AudioCore

extension NodePointer {
  /// Flags the output of the present slice as silent where its inputs were, once everything has rung out. The flag
  /// promises zeros.
  @inline(__always)
  func passSilence(_ host: HostPointer, output bus: Int, frames: Int) {
    let isSilent = host.pointee.call.inputIsSilent(ofMixer: host.pointee.isMixer)
    let former = host.pointee.clock.silentFrames
    host.pointee.clock.silentFrames = isSilent ? former &+ Int64(frames) : 0
    if isSilent, pointee.host.ringFrames >= 0, former >= pointee.host.ringFrames {
      fillWithSilence(bus, frames: frames)
      host.pointee.call.flags?.pointee |= HostCall.outputIsSilence
    } else if pointee.inputBuffers.count > 0 {
      host.pointee.call.flags?.pointee &= ~HostCall.outputIsSilence
    }
  }

  @inline(never)
  private func fillWithSilence(_ bus: Int, frames: Int) {
    // Lent memory is not the node's to write to.
    if pointee.lendsInput && bus == 0 { pointee.outputBuffers[0] = pointee.ownOutput }
    let format = pointee.owner._withUnsafeGuaranteedRef { $0.outputFormats[bus] }
    pointee.outputBuffers[bus].fillWithSilence(format, frames: frames)
  }
}
