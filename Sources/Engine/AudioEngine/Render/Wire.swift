// Step 5 of the path of one slice, between units that a host connects and pulls one by one: wires. Runs on the render thread: no
// allocation, no lock.
//
// A connection of the C interface is a handle: before each pull it would have to be looked up, held, and asked who listens and
// whether the formats fit. All of that stays as it is until an edit is taken over. So the first slice behind an edit goes the
// long way, which wires the nodes together, and the slices that follow pull through the wires. Whatever could change the answer
// cuts them all: an edit, a request (`RenderDomain.noteRequest`), a unit that is pulled past its wire.

import AudioCore
import CRealtime

extension RenderDomain {
  /// Lets an input of a unit pull another unit of the same domain through a wire, from the next slice on.
  ///
  /// - Parameters:
  ///   - reader: whose input it is; must have a host's state, as the source.
  ///   - source: of one output bus, in the format of the input, without a converter between them. It must stay until the edge
  ///     after which it is not to be rendered any more. Nothing happens where it has a wire already, or can have none.
  package func wire(_ reader: RenderNode, input bus: Int, to source: RenderNode) {
    guard reader.state.pointee.host != nil, let host = source.state.pointee.host, host.pointee.reader == nil,
      !source.state.pointee.isPulledDirectly, source.state.pointee.outputCount == 1, reader.slots[bus].node == nil
    else { return }
    host.pointee.reader = reader.state
    host.pointee.readerBus = bus
    host.pointee.nextSource = firstSource.pointee
    firstSource.pointee = source.state
    haveWiresChanged.pointee = true
    source.state.pointee.needsLook = true
    reader.slots[bus].wire(to: source.state)
    reader.state.noteWires()
    source.state.noteWires()
  }

  /// What a unit is asked for past its wire: its memory must be its own from now on.
  @inline(__always)
  package func cutWires(pulledDirectly node: RenderNode) {
    guard let host = node.state.pointee.host, host.pointee.reader != nil else { return }
    node.state.pointee.isPulledDirectly = true
    cutWires()
  }

  /// Ends all wires where there are any: a unit is to render what its host gives it, and nothing that it is wired to.
  package func cutAllWires() {
    if firstSource.pointee != nil { cutWires() }
  }

  /// Ends all wires. Within a render call, or where none is under way.
  @inline(never)
  func cutWires() {
    var next = firstSource.pointee
    while let source = next {
      source.keepLentOutput()
      next = source.pointee.host?.pointee.nextSource
    }
    next = firstSource.pointee
    firstSource.pointee = nil
    haveWiresChanged.pointee = true
    while let source = next, let host = source.pointee.host {
      next = host.pointee.nextSource
      if let reader = host.pointee.reader {
        reader.pointee.slots[host.pointee.readerBus].unwire()
        reader.noteWires()
      }
      host.pointee.reader = nil
      host.pointee.nextSource = nil
      host.pointee.stretch = -1
      source.pointee.needsLook = source.pointee.isInputConverter
      source.noteWires()
    }
  }
}

extension UnsafeMutablePointer<NodeState> {
  /// A node between two wires may lend its input's frames as its own: they are not written over.
  fileprivate func noteWires() {
    pointee.lendsInput = pointee.host?.pointee.reader != nil && pointee.inputCount > 0 && pointee.slots[0].node != nil
  }

  /// Copies what the node has lent of its input to memory of its own, also for the reader that is about to work on it.
  fileprivate func keepLentOutput() {
    let lent = pointee.outputBuffers[0]
    let own = pointee.ownOutput
    guard pointee.lendsInput, lent.buffers != own.buffers else { return }
    // In the middle of its own slice, or after a failure, it holds no frames.
    if pointee.hasRendered && !pointee.isRendering && pointee.failure == .noError {
      let format = pointee.owner._withUnsafeGuaranteedRef { $0.outputFormats[0] }
      let bytes = pointee.renderedFrames * format.bytesPerFrame
      for index in 0..<own.count { own.buffers[index].copyMemory(from: lent.buffers[index], byteCount: bytes) }
    }
    pointee.outputBuffers[0] = own
    guard let host = pointee.host, let reader = host.pointee.reader else { return }
    let bus = host.pointee.readerBus
    if reader.pointee.inputBuffers[bus].buffers == lent.buffers { reader.pointee.inputBuffers[bus] = own }
  }

  /// Pulls the unit at the other end of a wire, as `NativeInstance.lend` does without one; where the slice is out of the
  /// ordinary, goes the long way.
  @inline(never)
  func pullWire(
    _ bus: Int, to source: UnsafeMutablePointer<NodeState>, _ host: UnsafeMutablePointer<HostState>, sampleTime: Int64,
    frames: Int, into input: UnsafeMutablePointer<BusBuffer>
  ) -> AudioStatus {
    guard let reader = pointee.host else { return .noConnection }
    if host.pointee.stretch >= 0,
      let status = source.takeAhead(host, for: reader, sampleTime: sampleTime, frames: frames, into: input)
    {
      return status
    }
    guard reader.pointee.call.leads, reader.pointee.call.engineTime == sampleTime,
      frames <= source.pointee.maximumFrames, !source.pointee.isRendering,
      reader.pointee.call.isAhead || !host.pointee.domain._withUnsafeGuaranteedRef({ $0.hasRequest }),
      realtime_begin_pull()
    else {
      // Branches that render ahead have ordinary slices; a worker may not touch what belongs to the render thread.
      if reader.pointee.call.isAhead { return .cannotDoInCurrentContext }
      host.pointee.domain._withUnsafeGuaranteedRef { $0.cutWires() }
      return pullOutside(bus, sampleTime: sampleTime, frames: frames, into: input)
    }
    defer { realtime_end_pull() }
    var flags = reader.pointee.call.flags
    if reader.pointee.isMixer {
      flags = host.pointee.ownFlags
      host.pointee.ownFlags.pointee = 0
    }
    let isNew = source.beginWire(host, for: reader, flags: flags, frames: frames)
    let status = source.renderWire(host, isNew: isNew, sampleTime: sampleTime, frames: frames)
    if status == .noError {
      reader.pointee.call.hear(flags?.pointee ?? 0)
      input.pointee = source.pointee.outputBuffers[0]
    }
    return status
  }

  /// Makes a unit ready for the slice of its reader.
  ///
  /// - Returns: whether that is a new one.
  @inline(__always)
  func beginWire(
    _ host: UnsafeMutablePointer<HostState>, for reader: UnsafeMutablePointer<HostState>,
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

  /// Renders the slice that ``beginWire(_:for:flags:frames:)`` has begun.
  @inline(__always)
  func renderWire(
    _ host: UnsafeMutablePointer<HostState>, isNew: Bool, sampleTime: Int64, frames: Int
  ) -> AudioStatus {
    if isNew && pointee.readsAhead { readAhead(frames: frames) }
    let status = renderOnce(sampleTime: sampleTime, frames: frames)
    if status != .noError {
      failed(status, isAhead: host.pointee.call.isAhead)
    } else if isNew {
      passSilence(host, output: 0, frames: frames)
    }
    host.pointee.call.leads = false
    host.pointee.call.flags = nil
    return status
  }

  @inline(never)
  private func readAhead(frames: Int) { pointee.readAhead?.prefetch(frames: frames) }

  /// Takes what a branch has rendered ahead; the first pull of a stretch renders it (`WiredBranches.swift`).
  ///
  /// - Returns: nil, where the unit is to be pulled as any other.
  @inline(never)
  private func takeAhead(
    _ host: UnsafeMutablePointer<HostState>, for reader: UnsafeMutablePointer<HostState>, sampleTime: Int64,
    frames: Int,
    into input: UnsafeMutablePointer<BusBuffer>
  ) -> AudioStatus? {
    if !host.pointee.clock.hasSlice(of: reader.pointee.call) {
      host.pointee.isAhead = false
      guard reader.pointee.call.leads, !reader.pointee.call.isAhead, reader.pointee.call.engineTime == sampleTime else {
        return nil
      }
      host.pointee.domain._withUnsafeGuaranteedRef { domain in
        if domain.hasRequest { return }
        domain.branches?.render(
          stretch: host.pointee.stretch, for: reader, sampleTime: sampleTime, frames: frames)
      }
    }
    guard host.pointee.isAhead, frames <= pointee.renderedFrames else { return nil }
    host.pointee.isAhead = false
    if pointee.failure == .noError {
      reader.pointee.call.hear(host.pointee.ownFlags.pointee)
      input.pointee = pointee.outputBuffers[0]
    }
    return pointee.failure
  }

  /// Silence that came in goes out again as such only when everything has rung out; the flag promises zeros.
  @inline(__always)
  func passSilence(_ host: UnsafeMutablePointer<HostState>, output bus: Int, frames: Int) {
    let isSilent = host.pointee.call.inputIsSilent(ofMixer: host.pointee.isMixer)
    let former = host.pointee.clock.silentFrames
    host.pointee.clock.silentFrames = isSilent ? former &+ Int64(frames) : 0
    if isSilent, pointee.ringFrames >= 0, former >= pointee.ringFrames {
      giveSilence(bus, frames: frames)
      host.pointee.call.flags?.pointee |= HostCall.outputIsSilence
    } else if pointee.inputCount > 0 {
      host.pointee.call.flags?.pointee &= ~HostCall.outputIsSilence
    }
  }

  @inline(never)
  private func giveSilence(_ bus: Int, frames: Int) {
    // What is lent is not the node's to write to.
    if pointee.lendsInput && bus == 0 { pointee.outputBuffers[0] = pointee.ownOutput }
    let format = pointee.owner._withUnsafeGuaranteedRef { $0.outputFormats[bus] }
    pointee.outputBuffers[bus].fillWithSilence(format, frames: frames)
  }

  /// - Parameter isAhead: the host's side is notified later, by the render thread.
  @inline(never)
  private func failed(_ status: AudioStatus, isAhead: Bool) {
    if pointee.firstFailure == .noError { pointee.firstFailure = status }
    pointee.hasFailedAhead = isAhead
    if isAhead { return }
    pointee.hostFeed?._withUnsafeGuaranteedRef { $0.renderFailed(status) }
  }
}
