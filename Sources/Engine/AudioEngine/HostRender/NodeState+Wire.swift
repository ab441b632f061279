// The path of one slice: input, between units that a C host connects: a pull through a wire. Runs on the thread that
// renders the reader: no allocation, no lock.

import AudioCore
import CRealtime

extension NodePointer {
  /// Pulls the unit at the other end of a wire, as `NativeInstance.renderForReader` does without one. A slice out of
  /// the ordinary cuts the wires and goes the long way.
  @inline(never)
  func pullWire(
    _ bus: Int, to source: NodePointer, _ host: HostPointer, sampleTime: Int64,
    frames: Int, into input: inout BusBuffer
  ) -> AudioStatus {
    guard let reader = pointee.host.state else { return .noConnection }
    if host.pointee.group >= 0,
      let status = source.takeRenderedAhead(host, for: reader, sampleTime: sampleTime, frames: frames, into: &input)
    {
      return status
    }
    guard reader.pointee.call.leads, reader.pointee.call.engineTime == sampleTime,
      frames <= source.pointee.maximumFrames, !source.pointee.isRendering,
      reader.pointee.call.isAhead || !host.pointee.domain._withUnsafeGuaranteedRef({ $0.hasRequest }),
      realtime_begin_pull()
    else {
      // Branches that render ahead have ordinary slices; a worker may not touch the render thread's fields.
      if reader.pointee.call.isAhead { return .cannotDoInCurrentContext }
      host.pointee.domain._withUnsafeGuaranteedRef { $0.cutWires() }
      return pullFromHost(bus, sampleTime: sampleTime, frames: frames, into: &input)
    }
    defer { realtime_end_pull() }
    var flags = reader.pointee.call.flags
    if reader.pointee.inputsHaveOwnFlags {
      flags = host.pointee.ownFlags
      host.pointee.ownFlags.pointee = 0
    }
    let isNew = source.beginForWire(reader, host, flags: flags, frames: frames)
    let status = source.renderForWire(host, isNew: isNew, sampleTime: sampleTime, frames: frames)
    if status == .noError {
      reader.pointee.call.noteInput(flags: flags?.pointee ?? 0)
      input = source.pointee.outputBuffers[0]
    }
    return status
  }

  /// Makes a unit ready for the slice of its reader.
  ///
  /// - Returns: true when the unit has not rendered that slice yet.
  @inline(__always)
  func beginForWire(
    _ reader: HostPointer, _ host: HostPointer,
    flags: UnsafeMutablePointer<UInt32>?, frames: Int
  ) -> Bool {
    let isNew = !host.pointee.clock.hasSlice(of: reader.pointee.call)
    if isNew {
      host.pointee.clock.follow(reader.pointee.clock, frames: frames)
      pointee.hasRendered = false
      latch()
      host.pointee.lastSampleTimeBits.store(reader.pointee.call.sampleTime.bitPattern, ordering: .relaxed)
    }
    host.pointee.call = HostCall(following: reader.pointee.call, flags: flags, leads: isNew)
    return isNew
  }

  /// Renders the slice that ``beginForWire(_:_:flags:frames:)`` has made the unit ready for.
  @inline(__always)
  func renderForWire(
    _ host: HostPointer, isNew: Bool, sampleTime: Int64, frames: Int
  ) -> AudioStatus {
    if isNew { readAhead(frames: frames) }
    let status = renderOnce(sampleTime: sampleTime, frames: frames)
    if status != .noError {
      failed(status, isAhead: host.pointee.call.isAhead)
    } else if isNew {
      passSilence(host, frames: frames)
    }
    host.pointee.call.leads = false
    host.pointee.call.flags = nil
    return status
  }

  /// Reads the files that the node plays as far as a slice needs them.
  @inline(__always)
  func readAhead(frames: Int) {
    if let readAhead = pointee.host.readAhead { prefetch(readAhead, frames: frames) }
  }

  @inline(never)
  private func prefetch(_ readAhead: Unmanaged<ReadAhead>, frames: Int) {
    readAhead._withUnsafeGuaranteedRef { $0.prefetch(frames: frames) }
  }

  /// Takes the slice that a branch has rendered ahead; the first pull of a group renders all its branches
  /// (`WiredBranches.swift`).
  ///
  /// - Returns: nil where the unit is to be pulled as any other.
  @inline(never)
  private func takeRenderedAhead(
    _ host: HostPointer, for reader: HostPointer, sampleTime: Int64,
    frames: Int, into input: inout BusBuffer
  ) -> AudioStatus? {
    if !host.pointee.clock.hasSlice(of: reader.pointee.call) {
      host.pointee.isRenderedAhead = false
      guard reader.pointee.call.leads, !reader.pointee.call.isAhead, reader.pointee.call.engineTime == sampleTime else {
        return nil
      }
      host.pointee.domain._withUnsafeGuaranteedRef { domain in
        if domain.hasRequest { return }
        domain.branches?.render(group: host.pointee.group, for: reader, sampleTime: sampleTime, frames: frames)
      }
    }
    guard host.pointee.isRenderedAhead, frames <= pointee.renderedFrames else { return nil }
    host.pointee.isRenderedAhead = false
    if pointee.failure == .noError {
      reader.pointee.call.noteInput(flags: host.pointee.ownFlags.pointee)
      input = pointee.outputBuffers[0]
    }
    return pointee.failure
  }

  /// - Parameter isAhead: the host is notified later, by the render thread.
  @inline(never)
  private func failed(_ status: AudioStatus, isAhead: Bool) {
    if pointee.firstFailure == .noError { pointee.firstFailure = status }
    pointee.host.hasFailedAhead = isAhead
    if isAhead { return }
    pointee.host.feed?._withUnsafeGuaranteedRef { $0.renderFailed(status) }
  }
}
