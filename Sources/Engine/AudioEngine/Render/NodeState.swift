// The path of one slice: pull, input, notify, parameters and work. Runs on the render thread, or on the worker that
// holds the node's branch. Allocates nothing, takes no lock, touches no file, and, where nothing listens and nothing
// changes, counts no reference.

import AudioCore
import Synchronization

/// The address of a node's memory, by which nodes pull one another: good as long as its ``RenderNode``.
@usableFromInline typealias NodePointer = UnsafeMutablePointer<NodeState>

/// A node's memory while it renders: flat, owned by its ``RenderNode``.
///
/// A slice reads nothing else of the node. The fields stand in the order in which they share lines of the cache, 64
/// bytes each: a slice in which nothing changes reads the first two, and the beginning of the third.
@usableFromInline
struct NodeState {
  static let pool = SlabPool<NodeState>()

  // Constant.
  let processor: Unmanaged<Processor>
  let owner: Unmanaged<RenderNode>
  @usableFromInline let parameters: RenderParameters
  package let slots: Plane<InputSlot>
  let maximumFrames: Int
  @usableFromInline let inputBuffers: Plane<BusBuffer>
  // Second line of the cache.
  @usableFromInline let outputBuffers: Plane<BusBuffer>
  /// The node's own memory for output bus 0; without buffers where there is no output.
  let ownOutput: BusBuffer

  // The present slice: written by the thread that renders it.
  var renderedTime: Int64 = 0
  var renderedFrames = 0
  /// The status of the render that failed last, kept for reports.
  package var failure = AudioStatus.noError
  /// The first error of a render call since this was last read: LastRenderError of the C interface.
  var firstFailure = AudioStatus.noError
  var hasRendered = false
  /// True while a slice is under way: a pull from inside the node's own call is a ring.
  var isRendering = false

  // Settings, which hold until an edit: written between slices.
  /// True for a node whose slice is nothing but inputs and work: without listeners and meter, and its processor neither
  /// pulls nor lends.
  var isPlain = false
  /// True for input converters, nodes that a worker may have rendered already, and sources of wires.
  var needsSlowPull: Bool
  /// True when output bus 0 may be written over input bus 0.
  var isInPlace: Bool
  /// True for a unit between two wires: while it passes its input on, its output is its input's memory.
  var lendsInput = false
  let choosesInputs: Bool
  let pullsItsInputs: Bool
  /// The version of the parameters with which the processor passes its input on: over the input itself it need not be
  /// called. No version: −1.
  var passingVersion = -1
  // Third line of the cache.
  /// The version of the parameters with which the processor pulls all its inputs. No version: −1.
  var wantingVersion = -1
  /// Memory for output bus 0 of the next slice in place of ``ownOutput``: that of a branch's buffer.
  var target: BusBuffer?
  var host = HostPart()

  // Rare.
  /// The buffers of a bus without a source: none.
  let nothing: BusBuffer
  /// The present slice of output bus 0 as a worker has rendered it ahead.
  var ahead: Unmanaged<BranchBuffer>?
  /// The same of the other output buses, where there are any.
  let otherAheads: Plane<Unmanaged<BranchBuffer>?>
  /// Adds up the time of the node's slices; nil: not measured.
  var meter: NodeMeters.Slot?
  /// True when there are render notifies or a tap.
  var hasListeners = false
  /// True for a converter in front of an input: without a source it is that input's empty slot.
  let isInputConverter: Bool
  let hasEqualEnds: Bool
  let lendsOutput: Bool
}

/// The part of a node that only units of a C host need. Empty where the engine's own plan pulls the node.
///
/// Set once, by ``RenderNode/attach(_:feed:ringFrames:)``, but for the two flags, which belong to the render thread.
struct HostPart {
  /// The unit's memory of its host's calls; it outlives the node.
  var state: HostPointer?
  /// Pulls inputs that no wire leads to, and reports failures to the host.
  var feed: Unmanaged<InputFeed>?
  /// For how many frames a flag of silence must have come in before it may go out again; negative: it never goes out.
  var ringFrames: Int64 = -1
  /// The files that the processor plays, read ahead; nil: it plays none.
  var readAhead: Unmanaged<ReadAhead>?
  /// True for a unit that the program pulled itself while it was wired: it gets no wire until it is initialized again.
  var staysUnwired = false
  /// True when the node failed on a worker, and the host has not been notified yet.
  var hasFailedAhead = false
}

extension NodePointer {
  /// Takes over the edits since the slice before, if there were any.
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

  /// True when an input bus takes part in the slice to come, by the values latched for it.
  @inline(__always)
  func wantsInput(_ bus: Int) -> Bool {
    if !pointee.choosesInputs || pointee.wantingVersion == pointee.parameters.version { return true }
    return pointee.slots[bus].alwaysPull || asksForInput(bus)
  }

  private func asksForInput(_ bus: Int) -> Bool {
    let parameters = pointee.parameters
    return pointee.processor._withUnsafeGuaranteedRef { $0.wantsInput(bus, parameters: parameters) }
  }

  /// Renders `frames` frames from `sampleTime` on, unless the node holds them, into ``NodeState/outputBuffers``.
  ///
  /// A unit renders once per sample time, however many pull it: the same time again gives the same buffers.
  func render(bus: Int, sampleTime: Int64, frames: Int) -> AudioStatus {
    noted(renderChecked(bus: bus, sampleTime: sampleTime, frames: frames))
  }

  private func renderChecked(bus: Int, sampleTime: Int64, frames: Int) -> AudioStatus {
    guard frames >= 0 else { return .parameterError }
    guard frames <= pointee.maximumFrames else { return .tooManyFramesToProcess }
    // The slice's end, and the end of its last cell of parameters, must still be numbers.
    guard sampleTime < .max - Int64(frames) - RenderParameters.gridFrames else { return .parameterError }
    guard bus >= 0 && bus < pointee.outputBuffers.count else { return .invalidElement }
    return renderOnce(sampleTime: sampleTime, frames: frames)
  }

  /// Renders for a connection of the plan, whose bus is there, at a time that was checked where the slice began.
  @inline(__always)
  private func renderConnected(sampleTime: Int64, frames: Int) -> AudioStatus {
    guard frames <= pointee.maximumFrames else { return .tooManyFramesToProcess }
    return noted(renderOnce(sampleTime: sampleTime, frames: frames))
  }

  /// Keeps the status where it is the first failure.
  @inline(__always)
  private func noted(_ status: AudioStatus) -> AudioStatus {
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

  /// Renders a slice of most nodes.
  @inline(__always)
  private func renderPlain(sampleTime: Int64, frames: Int) -> AudioStatus {
    pointee.parameters.state.pointee.begin(at: sampleTime, frames: frames)
    var bus = 0
    while bus < pointee.inputBuffers.count {
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
      ? renderWithListeners(sampleTime: sampleTime, frames: frames)
      : renderSlice(sampleTime: sampleTime, frames: frames)
  }

  /// Renders a slice between its render notifies, and copies it to the tap.
  @inline(never)
  private func renderWithListeners(sampleTime: Int64, frames: Int) -> AudioStatus {
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
      for bus in 0..<pointee.inputBuffers.count {
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
      pointee.inputBuffers[bus] = pointee.nothing
      return .noError
    }
    return pullInput(bus, sampleTime: sampleTime, frames: frames, into: &pointee.inputBuffers[bus])
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

  /// Decides where output bus 0 goes: into a branch's buffer, over the input where that may be, or into the node's own
  /// memory.
  ///
  /// - Returns: true when the output is there already.
  @inline(__always)
  private func chooseOutput() -> Bool {
    if let target = pointee.target {
      pointee.outputBuffers[0] = target
    } else if pointee.isInPlace && pointee.slots[0].mayOverwrite && pointee.inputBuffers[0].count > 0 {
      pointee.outputBuffers[0] = pointee.inputBuffers[0]
      return passesOn
    } else if pointee.lendsInput && pointee.isInPlace && passesOn && pointee.inputBuffers[0].count > 0 {
      pointee.outputBuffers[0] = pointee.inputBuffers[0]
      return true
    } else if pointee.outputBuffers.count > 0 {
      pointee.outputBuffers[0] = pointee.ownOutput
    }
    return false
  }

  /// True when the processor lets its input pass, and goes on to: nothing was edited, and no parameter has a course that
  /// could begin in this slice.
  @inline(__always)
  private var passesOn: Bool {
    pointee.passingVersion == pointee.parameters.version && pointee.parameters.state.pointee.isStill
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

  /// Pulls the source of an input. A connection of the plan or a wire is pulled here; anything else is the host's.
  @inline(__always)
  func pullInput(
    _ bus: Int, sampleTime: Int64, frames: Int, into input: inout BusBuffer
  ) -> AudioStatus {
    guard let source = pointee.slots[bus].node else {
      return pullFromHost(bus, sampleTime: sampleTime, frames: frames, into: &input)
    }
    if source.pointee.needsSlowPull {
      if let host = source.pointee.host.state {
        return pullWire(bus, to: source, host, sampleTime: sampleTime, frames: frames, into: &input)
      }
      if let output = readyOutput(of: source, bus, sampleTime: sampleTime, frames: frames) {
        input = output
        return .noError
      }
    }
    let sourceBus = pointee.slots[bus].sourceBus
    let status = source.renderConnected(sampleTime: sampleTime, frames: frames)
    if status == .noError { input = source.pointee.outputBuffers[sourceBus] }
    return status
  }

  /// The output of a source that need not be rendered: of an empty slot, or rendered ahead by a worker.
  @inline(never)
  private func readyOutput(
    of source: NodePointer, _ bus: Int, sampleTime: Int64, frames: Int
  ) -> BusBuffer? {
    if source.pointee.isInputConverter && source.pointee.slots[0].isEmpty {
      return pointee.nothing
    }
    let sourceBus = pointee.slots[bus].sourceBus
    let buffer = sourceBus == 0 ? source.pointee.ahead : source.pointee.otherAheads[sourceBus - 1]
    guard let ahead = buffer else { return nil }
    let view = pointee.slots[bus].view
    return ahead._withUnsafeGuaranteedRef { ahead in
      ahead.covers(sampleTime, frames: frames) ? ahead.view(at: sampleTime, through: view) : nil
    }
  }

  /// Pulls an input that no node is connected to: from the engine's callback, from the feed of a C host, or nothing.
  @inline(__always)
  func pullFromHost(
    _ bus: Int, sampleTime: Int64, frames: Int, into input: inout BusBuffer
  ) -> AudioStatus {
    guard let caller = pointee.slots[bus].caller else {
      return pullFeed(bus, sampleTime: sampleTime, frames: frames, into: &input)
    }
    input = pointee.slots[bus].view
    return caller._withUnsafeGuaranteedRef { $0.pull(sampleTime: sampleTime, frames: frames, into: &input) }
  }

  @inline(never)
  private func pullFeed(
    _ bus: Int, sampleTime: Int64, frames: Int, into input: inout BusBuffer
  ) -> AudioStatus {
    guard let feed = pointee.slots[bus].feed else {
      input = pointee.nothing
      return .noError
    }
    return feed._withUnsafeGuaranteedRef { feed in
      do throws(AudioStatus) {
        input = try feed.pull(
          pointee.slots[bus].sourceBus, sampleTime: sampleTime, frames: frames, view: pointee.slots[bus].view)
        return .noError
      } catch {
        return error
      }
    }
  }
}
