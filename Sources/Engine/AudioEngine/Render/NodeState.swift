// Steps 4 to 8 of the path of one slice: pull, input, notify, parameters, work. Runs on the render thread, or on the
// worker that holds the node's branch. Allocates nothing, takes no lock, touches no file, and, where nothing listens and
// nothing changes, counts no reference.

import AudioCore
import Synchronization

/// What a node keeps while it renders: flat memory that its ``RenderNode`` owns. All that a slice looks at stands here.
@usableFromInline
struct NodeState {
  static let pool = SlabPool<NodeState>()

  // What the node was made of.
  let processor: Unmanaged<Processor>
  let owner: Unmanaged<RenderNode>
  @usableFromInline let parameters: RenderParameters
  package let slots: UnsafeMutablePointer<InputSlot>
  let inputCount: Int
  let outputCount: Int
  let maximumFrames: Int
  @usableFromInline let inputBuffers: UnsafeMutablePointer<BusBuffer>
  @usableFromInline let outputBuffers: UnsafeMutablePointer<BusBuffer>
  /// The node's own memory for output bus 0; without buffers where there is no output.
  let ownOutput: BusBuffer
  /// The buffers of a bus without a source: none.
  let nothing: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// A converter in front of an input: without a source it is that input's empty slot.
  let isInputConverter: Bool
  /// Whether a reader must check the node before it pulls it: it is such a converter, may have been rendered ahead, or has a host.
  var needsLook: Bool
  let hasEqualEnds: Bool
  let pullsItsInputs: Bool
  let choosesInputs: Bool
  let lendsOutput: Bool
  /// What a player of files has read of them. Whether there is any is asked for each slice, and counts no reference.
  unowned(unsafe) let readAhead: ReadAhead?
  let readsAhead: Bool

  // What holds until it is edited.
  /// Whether output bus 0 may be written over input bus 0.
  var isInPlace: Bool
  /// The version of the parameters with which the processor lets its input pass: over the input itself it need not be
  /// called. No version: −1.
  var passingVersion = -1
  /// The version of the parameters with which the processor pulls all its inputs. No version: −1.
  var wantingVersion = -1
  /// Whether there are render notifies or a tap.
  var hasListeners = false
  /// Where the time of its slices is added up; nil: nobody measures.
  var meter: NodeMeters.Slot?
  /// Whether a slice is nothing but inputs and work: nobody listens or measures, and the processor neither pulls nor lends.
  var isPlain: Bool
  /// What the unit keeps of the calls of the host that pulls it; nil where the engine's own plan does.
  var host: UnsafeMutablePointer<HostState>?
  /// What feeds the inputs of such a unit.
  var hostFeed: Unmanaged<InputFeed>?
  /// For how many frames a flag of silence must have come in before it may go out again; negative: it never goes out.
  var ringFrames: Int64 = -1
  /// Whether output bus 0 may be the memory that input bus 0 has from its source: see `Wire.swift`.
  var lendsInput = false
  /// Whether a unit was pulled past its wire before: it gets none any more, until it is initialized anew.
  var isPulledDirectly = false
  /// What a worker has rendered ahead of output bus 0 for the present slice.
  var ahead: Unmanaged<BranchBuffer>?
  /// The same of the output buses behind that one, where there are any.
  let otherAheads: UnsafeMutablePointer<Unmanaged<BranchBuffer>?>?
  /// Where output bus 0 of the next slice is to be written, in place of the node's own memory.
  var target: BusBuffer?

  // The present slice.
  var hasRendered = false
  var renderedTime: Int64 = 0
  var renderedFrames = 0
  /// Whether a slice is under way: who pulls the node from inside its own call is in a ring with it.
  var isRendering = false
  /// The status of the render that failed last, kept to be reported.
  package var failure = AudioStatus.noError
  /// The first error of a render call since this was last taken: the LastRenderError of the C interface.
  var firstFailure = AudioStatus.noError
  /// Whether the host's side has still to be notified that the node failed on a worker.
  var hasFailedAhead = false
}

extension UnsafeMutablePointer<NodeState> {
  /// Takes over what was edited since the slice before, if anything was.
  @inline(__always)
  func latch() {
    if pointee.parameters.state.pointee.hasNews { takeNews() }
  }

  @inline(never)
  private func takeNews() {
    pointee.parameters.state.pointee.latch()
    let isInPlace = pointee.processor._withUnsafeGuaranteedRef { processor in
      processor.latch()
      return processor.worksInPlace
    }
    pointee.isInPlace = isInPlace && pointee.hasEqualEnds
    pointee.passingVersion = -1
    pointee.wantingVersion = -1
  }

  /// Whether an input bus takes part in the slice to come, by the values latched for it.
  @inline(__always)
  func wantsInput(_ bus: Int) -> Bool {
    if !pointee.choosesInputs || pointee.wantingVersion == pointee.parameters.version { return true }
    return pointee.slots[bus].alwaysPull || asksForInput(bus)
  }

  private func asksForInput(_ bus: Int) -> Bool {
    let parameters = pointee.parameters
    return pointee.processor._withUnsafeGuaranteedRef { $0.wantsInput(bus, parameters: parameters) }
  }

  /// Renders `frames` frames from `sampleTime` on, unless that is what was rendered last, into ``NodeState/outputBuffers``.
  ///
  /// A unit renders once per sample time, however many pull it: the same time again gives the same buffers.
  func render(bus: Int, sampleTime: Int64, frames: Int) -> AudioStatus {
    let status = renderChecked(bus: bus, sampleTime: sampleTime, frames: frames)
    if status != .noError && pointee.firstFailure == .noError { pointee.firstFailure = status }
    return status
  }

  private func renderChecked(bus: Int, sampleTime: Int64, frames: Int) -> AudioStatus {
    guard frames >= 0 else { return .parameterError }
    guard frames <= pointee.maximumFrames else { return .tooManyFramesToProcess }
    // The slice's end, and the end of its last cell of parameters, must still be numbers.
    guard sampleTime < .max - Int64(frames) - RenderParameters.gridFrames else { return .parameterError }
    guard bus >= 0 && bus < pointee.outputCount else { return .invalidElement }
    return renderOnce(sampleTime: sampleTime, frames: frames)
  }

  /// For a wire of the plan, whose bus is there, at a time that was checked where the slice began.
  @inline(__always)
  private func renderWired(sampleTime: Int64, frames: Int) -> AudioStatus {
    guard frames <= pointee.maximumFrames else { return .tooManyFramesToProcess }
    let status = renderOnce(sampleTime: sampleTime, frames: frames)
    if status != .noError && pointee.firstFailure == .noError { pointee.firstFailure = status }
    return status
  }

  @inline(__always)
  func renderOnce(sampleTime: Int64, frames: Int) -> AudioStatus {
    guard !pointee.isRendering else { return .cannotDoInCurrentContext }
    if !pointee.hasRendered || pointee.renderedTime != sampleTime {
      // No frames are no slice: the time is still to be rendered.
      pointee.hasRendered = frames > 0
      pointee.renderedTime = sampleTime
      pointee.renderedFrames = frames
      pointee.isRendering = true
      let status =
        pointee.isPlain
        ? renderPlain(sampleTime: sampleTime, frames: frames) : renderOther(sampleTime: sampleTime, frames: frames)
      pointee.isRendering = false
      pointee.failure = status
      return status
    }
    if frames > pointee.renderedFrames { return .tooManyFramesToProcess }
    return pointee.failure
  }

  /// A slice of most nodes.
  @inline(__always)
  private func renderPlain(sampleTime: Int64, frames: Int) -> AudioStatus {
    pointee.parameters.state.pointee.begin(at: sampleTime, frames: frames)
    var bus = 0
    while bus < pointee.inputCount {
      let status = takeInput(bus, sampleTime: sampleTime, frames: frames)
      guard status == .noError else { return status }
      bus &+= 1
    }
    if chooseOutput() { return .noError }
    return process(sampleTime: sampleTime, frames: frames)
  }

  @inline(never)
  private func renderOther(sampleTime: Int64, frames: Int) -> AudioStatus {
    guard let meter = pointee.meter else { return renderUnmeasured(sampleTime: sampleTime, frames: frames) }
    return meter.around { renderUnmeasured(sampleTime: sampleTime, frames: frames) }
  }

  private func renderUnmeasured(sampleTime: Int64, frames: Int) -> AudioStatus {
    pointee.hasListeners
      ? renderHeard(sampleTime: sampleTime, frames: frames) : renderSlice(sampleTime: sampleTime, frames: frames)
  }

  /// A slice with listeners.
  @inline(never)
  private func renderHeard(sampleTime: Int64, frames: Int) -> AudioStatus {
    let node = pointee.owner.takeUnretainedValue()
    pointee.failure = .noError
    for notify in node.notifies { notify.body(.before, sampleTime, frames, nil) }
    var status = renderSlice(sampleTime: sampleTime, frames: frames)
    if status == .noError, let tap = node.tap { status = tap.append(pointee.outputBuffers[0], frames: frames) }
    if status == .noError {
      for notify in node.notifies { notify.body(.after, sampleTime, frames, pointee.outputBuffers[0]) }
    } else {
      pointee.failure = status
      for notify in node.notifies { notify.body(.failed(status), sampleTime, frames, nil) }
    }
    return status
  }

  private func renderSlice(sampleTime: Int64, frames: Int) -> AudioStatus {
    pointee.parameters.state.pointee.begin(at: sampleTime, frames: frames)
    if !pointee.pullsItsInputs {
      for bus in 0..<pointee.inputCount {
        let status = takeInput(bus, sampleTime: sampleTime, frames: frames)
        guard status == .noError else { return status }
      }
    }
    if pointee.lendsOutput {
      let (lent, status) = borrowOutput(sampleTime: sampleTime, frames: frames)
      guard status == .noError else { return status }
      if let lent {
        pointee.outputBuffers[0] = lent
        return .noError
      }
    }
    if chooseOutput() { return .noError }
    return process(sampleTime: sampleTime, frames: frames)
  }

  @inline(__always)
  private func takeInput(_ bus: Int, sampleTime: Int64, frames: Int) -> AudioStatus {
    guard wantsInput(bus) else {
      pointee.inputBuffers[bus] = BusBuffer(buffers: pointee.nothing, count: 0)
      return .noError
    }
    return pullInput(bus, sampleTime: sampleTime, frames: frames, into: pointee.inputBuffers + bus)
  }

  private func borrowOutput(sampleTime: Int64, frames: Int) -> (BusBuffer?, AudioStatus) {
    pointee.processor._withUnsafeGuaranteedRef { processor in
      do throws(AudioStatus) {
        return (try processor.lendOutput(sampleTime: sampleTime, frames: frames), .noError)
      } catch {
        return (nil, error)
      }
    }
  }

  /// Output bus 0 goes into a branch's buffer where there is one, over the input where that may be, or else into the node's own memory.
  ///
  /// - Returns: whether that is all there is to do.
  @inline(__always)
  private func chooseOutput() -> Bool {
    if let target = pointee.target {
      pointee.outputBuffers[0] = target
    } else if pointee.isInPlace && pointee.slots[0].mayOverwrite && pointee.inputBuffers[0].count > 0 {
      pointee.outputBuffers[0] = pointee.inputBuffers[0]
      return pointee.passingVersion == pointee.parameters.version
    } else if pointee.lendsInput && pointee.isInPlace && pointee.passingVersion == pointee.parameters.version
      && pointee.inputBuffers[0].count > 0
    {
      pointee.outputBuffers[0] = pointee.inputBuffers[0]
      return true
    } else if pointee.outputCount > 0 {
      pointee.outputBuffers[0] = pointee.ownOutput
    }
    return false
  }

  /// Cuts the slice where parameters bend and hands the pieces to the processor.
  @inline(__always)
  private func process(sampleTime: Int64, frames: Int) -> AudioStatus {
    if pointee.parameters.state.pointee.isStill {
      return work(sampleTime: sampleTime, offset: 0, frames: frames)
    }
    return processPieces(sampleTime: sampleTime, frames: frames)
  }

  @inline(never)
  private func processPieces(sampleTime: Int64, frames: Int) -> AudioStatus {
    let end = sampleTime + Int64(frames)
    var start = sampleTime
    repeat {
      let next = pointee.parameters.state.pointee.cut(at: start, limit: end)
      let status = work(sampleTime: start, offset: Int(start - sampleTime), frames: Int(next - start))
      guard status == .noError else { return status }
      start = next
    } while start < end
    return .noError
  }

  @inline(__always)
  private func work(sampleTime: Int64, offset: Int, frames: Int) -> AudioStatus {
    let piece = RenderPiece(node: self, sampleTime: sampleTime, offset: offset, frames: frames)
    return pointee.processor._withUnsafeGuaranteedRef { processor in
      do throws(AudioStatus) {
        try processor.process(piece)
        return .noError
      } catch {
        return error
      }
    }
  }

  /// Step 5 of the path of one slice: a connection, a callback, or nothing.
  @inline(__always)
  func pullInput(
    _ bus: Int, sampleTime: Int64, frames: Int, into input: UnsafeMutablePointer<BusBuffer>
  ) -> AudioStatus {
    guard let source = pointee.slots[bus].node else {
      return pullOutside(bus, sampleTime: sampleTime, frames: frames, into: input)
    }
    if source.pointee.needsLook {
      if let host = source.pointee.host {
        return pullWire(bus, to: source, host, sampleTime: sampleTime, frames: frames, into: input)
      }
      if let there = look(into: source, bus, sampleTime: sampleTime, frames: frames) {
        input.pointee = there
        return .noError
      }
    }
    let sourceBus = pointee.slots[bus].sourceBus
    let status = source.renderWired(sampleTime: sampleTime, frames: frames)
    if status == .noError { input.pointee = source.pointee.outputBuffers[sourceBus] }
    return status
  }

  /// What there is of a source without rendering it: nothing, or what a worker has rendered ahead.
  @inline(never)
  private func look(
    into source: UnsafeMutablePointer<NodeState>, _ bus: Int, sampleTime: Int64, frames: Int
  ) -> BusBuffer? {
    if source.pointee.isInputConverter && source.pointee.slots[0].isEmpty {
      return BusBuffer(buffers: pointee.nothing, count: 0)
    }
    let sourceBus = pointee.slots[bus].sourceBus
    let buffer = sourceBus == 0 ? source.pointee.ahead : source.pointee.otherAheads?[sourceBus - 1]
    guard let ahead = buffer else { return nil }
    let view = pointee.slots[bus].view
    return ahead._withUnsafeGuaranteedRef { ahead in
      ahead.covers(sampleTime, frames: frames) ? ahead.view(at: sampleTime, through: view) : nil
    }
  }

  /// What no wire brings.
  func pullOutside(
    _ bus: Int, sampleTime: Int64, frames: Int, into input: UnsafeMutablePointer<BusBuffer>
  ) -> AudioStatus {
    if let caller = pointee.slots[bus].caller {
      let view = BusBuffer(buffers: pointee.slots[bus].view, count: pointee.slots[bus].bufferCount)
      input.pointee = view
      return caller._withUnsafeGuaranteedRef { $0.pull(sampleTime: sampleTime, frames: frames, view: view) }
    }
    guard let feed = pointee.slots[bus].feed else {
      input.pointee = BusBuffer(buffers: pointee.nothing, count: 0)
      return .noError
    }
    let view = BusBuffer(buffers: pointee.slots[bus].view, count: pointee.slots[bus].bufferCount)
    let feedBus = pointee.slots[bus].sourceBus
    let (pulled, status) = feed._withUnsafeGuaranteedRef { feed -> (BusBuffer, AudioStatus) in
      do throws(AudioStatus) {
        return (try feed.pull(feedBus, sampleTime: sampleTime, frames: frames, view: view), .noError)
      } catch {
        return (view, error)
      }
    }
    input.pointee = pulled
    return status
  }
}
