// Step 5 of the path of one slice, between units that a host connects and pulls one by one: wires. Runs on the render thread: no
// allocation, no lock.
//
// A connection of the C interface is a handle: before each pull it would have to be looked up, held, and asked who listens and
// whether the formats fit. All of that stays as it is until an edit is taken over. So the first slice behind an edit goes the
// long way, which wires the nodes together, and the slices that follow pull through the wires. Whatever could change the answer
// cuts them all: an edit, a wish (`RenderDomain.noteWish`), a unit that is pulled past its wire.

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
    while let source = next, let host = source.pointee.host {
      next = host.pointee.nextSource
      if let reader = host.pointee.reader {
        reader.pointee.slots[host.pointee.readerBus].unwire()
        reader.noteWires()
      }
      host.pointee.reader = nil
      host.pointee.nextSource = nil
      source.pointee.needsLook = source.pointee.isInputConverter
      source.noteWires()
    }
  }
}

extension UnsafeMutablePointer<NodeState> {
  /// A node between two wires may lend its input's frames as its own: nobody writes over them.
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
    guard let reader = pointee.host, reader.pointee.call.leads, reader.pointee.call.engineTime == sampleTime,
      frames <= source.pointee.maximumFrames, !source.pointee.isRendering,
      !host.pointee.domain._withUnsafeGuaranteedRef({ $0.hasWish }), realtime_begin_pull()
    else {
      host.pointee.domain._withUnsafeGuaranteedRef { $0.cutWires() }
      return pullOutside(bus, sampleTime: sampleTime, frames: frames, into: input)
    }
    defer { realtime_end_pull() }
    let isNew = !host.pointee.clock.hasSlice || host.pointee.clock.sampleTime != reader.pointee.call.sampleTime
    if isNew {
      host.pointee.clock.follow(reader.pointee.clock, frames: frames)
      source.pointee.hasRendered = false
      source.latch()
      host.pointee.lastSampleTimeBits.store(reader.pointee.call.sampleTime.bitPattern, ordering: .relaxed)
    }
    var flags = reader.pointee.call.flags
    if reader.pointee.isMixer {
      flags = host.pointee.ownFlags
      host.pointee.ownFlags.pointee = 0
    }
    host.pointee.call = HostCall(following: reader.pointee.call, flags: flags, leads: isNew)
    let status = source.renderOnce(sampleTime: sampleTime, frames: frames)
    if status == .noError {
      if isNew { source.passSilence(host, output: 0, frames: frames) }
      reader.pointee.call.hear(flags?.pointee ?? 0)
      input.pointee = source.pointee.outputBuffers[0]
    } else {
      source.failed(status)
    }
    host.pointee.call.leads = false
    host.pointee.call.flags = nil
    return status
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

  @inline(never)
  private func failed(_ status: AudioStatus) {
    if pointee.firstFailure == .noError { pointee.firstFailure = status }
    pointee.hostFeed?._withUnsafeGuaranteedRef { $0.renderFailed(status) }
  }
}
