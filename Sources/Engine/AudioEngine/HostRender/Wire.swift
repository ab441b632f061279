// Wires between units that a C host connects: how they are made and cut. Render thread: no allocation, no lock.
//
// A connection of the C interface is a handle: before each pull it would have to be looked up, held, and asked who
// listens and whether the formats fit. The answers hold until an edit is applied. So the first slice behind an edit
// goes the long way, which makes wires between the nodes, and the slices that follow pull through the wires
// (`NodeState+Wire.swift`). Everything that could change an answer cuts all wires: an edit, a request
// (`RenderDomain.noteRequest`), a call by the program for a wired unit.

import AudioCore

/// A direct connection between the nodes of two units in one domain, kept at its source.
struct Wire: BitwiseCopyable {
  /// The node that pulls, and the input bus that it pulls for.
  let reader: NodePointer
  let bus: Int
  /// The next of the domain's wired sources.
  let nextSource: NodePointer?
}

extension RenderDomain {
  /// Makes a wire from a unit to an input of another unit of the same domain, for the slices to come. Does nothing
  /// where the source has a wire already, or can have none.
  ///
  /// - Parameters:
  ///   - source: has one output bus, in the format of the input, without a converter between them. It must stay until
  ///     the edge after which it is not to be rendered any more.
  ///   - reader: has a host's state, as the source.
  package func makeWire(from source: RenderNode, to reader: RenderNode, input bus: Int) {
    guard reader.state.pointee.host.state != nil, let host = source.state.pointee.host.state, host.pointee.wire == nil,
      !source.state.pointee.host.staysUnwired, source.state.pointee.outputBuffers.count == 1,
      reader.slots[bus].node == nil
    else { return }
    host.pointee.wire = Wire(reader: reader.state, bus: bus, nextSource: owned[0].firstSource)
    owned[0].firstSource = source.state
    owned[0].haveWiresChanged = true
    source.state.pointee.needsSlowPull = true
    reader.slots[bus].attachWire(from: source.state)
    reader.state.noteWires()
    source.state.noteWires()
  }

  /// Cuts the wires where the program asks for a unit that is wired: the unit's memory must be its own from now on.
  @inline(__always)
  package func cutWires(pulledDirectly node: RenderNode) {
    guard let host = node.state.pointee.host.state, host.pointee.wire != nil else { return }
    node.state.pointee.host.staysUnwired = true
    cutWires()
  }

  /// Cuts all wires. Within a render call, or where none is under way.
  @inline(never)
  package func cutWires() {
    let first = owned[0].firstSource
    guard first != nil else { return }
    var next = first
    while let source = next {
      source.keepLentOutput()
      next = source.pointee.host.state?.pointee.wire?.nextSource
    }
    next = first
    owned[0].firstSource = nil
    owned[0].haveWiresChanged = true
    while let source = next, let host = source.pointee.host.state, let wire = host.pointee.wire {
      next = wire.nextSource
      wire.reader.pointee.slots[wire.bus].detachWire()
      wire.reader.noteWires()
      host.pointee.wire = nil
      host.pointee.group = -1
      source.pointee.needsSlowPull = source.pointee.isInputConverter
      source.noteWires()
    }
  }
}

extension NodePointer {
  /// Lets a node between two wires lend its input's frames as its own: they are not written over.
  fileprivate func noteWires() {
    pointee.lendsInput =
      pointee.host.state?.pointee.wire != nil && pointee.inputBuffers.count > 0 && pointee.slots[0].node != nil
  }

  /// Copies the frames that the node has lent of its input to memory of its own, also for the reader that is about to
  /// work on them.
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
    guard let wire = pointee.host.state?.pointee.wire else { return }
    let inputs = wire.reader.pointee.inputBuffers
    if inputs[wire.bus].buffers == lent.buffers { inputs[wire.bus] = own }
  }
}
