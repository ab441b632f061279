import AudioCore

/// The render half of a unit in its place: a processor, its inputs' sources, its output memory and its clock. It
/// renders slices by the functions in `NodeState.swift`.
package final class RenderNode: @unchecked Sendable {
  /// Its name in errors: `node "eq"`, `node "mix", converter of input 2`.
  package let name: String
  package let processor: Processor
  package let parameters: RenderParameters
  package let inputFormats: [StreamFormat]
  package let outputFormats: [StreamFormat]
  package let slots: Plane<InputSlot>
  let state: NodePointer
  private let ownOutputs: [StreamBuffer]
  private let otherAheads: FlatMemory<Unmanaged<BranchBuffer>?>
  private let buses: BusMemory

  /// Render notifies, called with every slice before and after it renders.
  package var notifies: [RenderNotify] = [] { didSet { noteListeners() } }
  /// A tap: gets a copy of output bus 0.
  package var tap: TapBuffer? { didSet { noteListeners() } }
  /// Adds up its time.
  var meter: NodeMeters.Slot? {
    didSet {
      state.pointee.meter = meter
      noteListeners()
    }
  }
  /// The present slice as a worker renders it ahead, by output bus; empty: none does.
  package var ahead: [BranchBuffer] = [] {
    didSet {
      state.pointee.ahead = ahead.first.map { .passUnretained($0) }
      for bus in 1..<max(1, state.pointee.outputBuffers.count) {
        state.pointee.otherAheads[bus - 1] = bus < ahead.count ? .passUnretained(ahead[bus]) : nil
      }
      state.pointee.needsSlowPull = state.pointee.isInputConverter || !ahead.isEmpty
    }
  }
  /// Memory for output bus 0 of the next slice in place of the node's own.
  package var target: BusBuffer? {
    get { state.pointee.target }
    set { state.pointee.target = newValue }
  }

  package init(
    name: String, processor: Processor, inputFormats: [StreamFormat], outputFormats: [StreamFormat],
    maximumFrames: Int, parameters: RenderParameters, isInputConverter: Bool = false
  ) {
    self.name = name
    self.processor = processor
    self.inputFormats = inputFormats
    self.outputFormats = outputFormats
    self.parameters = parameters
    ownOutputs = outputFormats.map { StreamBuffer(format: $0, frameCapacity: maximumFrames) }
    buses = BusMemory(inputFormats, outputs: ownOutputs)
    slots = buses.slots
    let hasEqualEnds = inputFormats.first == outputFormats.first
    otherAheads = FlatMemory(repeating: nil, count: max(0, outputFormats.count - 1))
    state = NodeState.pool.take()
    state.initialize(
      to: NodeState(
        processor: .passUnretained(processor), owner: .passUnretained(self), parameters: parameters, slots: slots,
        maximumFrames: maximumFrames,
        inputBuffers: buses.inputBuffers, outputBuffers: buses.outputBuffers,
        ownOutput: ownOutputs.first?.bus ?? buses.nothing,
        needsSlowPull: isInputConverter, isInPlace: processor.worksInPlace && hasEqualEnds,
        choosesInputs: processor.choosesInputs, pullsItsInputs: processor.pullsItsInputs, nothing: buses.nothing,
        otherAheads: otherAheads.all, isInputConverter: isInputConverter, hasEqualEnds: hasEqualEnds,
        lendsOutput: processor.lendsOutput))
    noteListeners()
  }

  deinit {
    state.deinitialize(count: 1)
    NodeState.pool.giveBack(state)
    parameters.free()
  }

  private func noteListeners() {
    state.pointee.hasListeners = tap != nil || !notifies.isEmpty
    state.pointee.isPlain =
      !state.pointee.hasListeners && state.pointee.meter == nil && !state.pointee.pullsItsInputs
      && !state.pointee.lendsOutput
  }

  /// The files that the processor plays, read ahead.
  package var readAhead: ReadAhead? { (processor as? any FilePlayingProcessor)?.readAhead }
  package var maximumFrames: Int { state.pointee.maximumFrames }
  /// The status of the render that failed last, kept to be reported.
  package var failure: AudioStatus { state.pointee.failure }

  /// Forgets signal, clock and smoothing; what was set stays set.
  package func reset() {
    processor.reset()
    parameters.state.pointee.reset()
    forgetClock()
    state.pointee.failure = .noError
  }

  /// Makes the next slice a new one, whatever its time.
  package func forgetClock() { state.pointee.hasRendered = false }

  /// True when output frame n needs just input frame n: false behind a rate conversion.
  package var isSynchronous: Bool { processor.isSynchronous }

  /// True when only the node that it feeds can render it.
  package var staysWithReader: Bool { processor.staysWithReader }

  /// The frames that a node behind a rate conversion will pull for a slice of its own; nil for nodes on their input's
  /// clock.
  package func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int)? {
    processor.isSynchronous ? nil : processor.demand(sampleTime: sampleTime, frames: frames)
  }

  /// Takes over parameter values for the slice to come, where any was edited.
  package func latch() { state.latch() }

  /// Renders `frames` frames from `sampleTime` on, unless that is what was rendered last, and returns an output bus.
  ///
  /// A unit renders once per sample time, however many pull it: the same time again gives the same buffers.
  package func render(bus: Int, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    let (status, output) = outcome(bus: bus, sampleTime: sampleTime, frames: frames)
    guard status == .noError else { throw status }
    return output
  }

  /// As ``render(bus:sampleTime:frames:)``, for callers that look at the status: the bus has no buffers where it is an
  /// error.
  package func outcome(bus: Int, sampleTime: Int64, frames: Int) -> (status: AudioStatus, output: BusBuffer) {
    let status = state.render(bus: bus, sampleTime: sampleTime, frames: frames)
    guard status == .noError else { return (status, state.pointee.nothing) }
    return (.noError, state.pointee.outputBuffers[bus])
  }

  /// The output of a bus in the last slice.
  package func output(_ bus: Int) -> BusBuffer { state.pointee.outputBuffers[bus] }

  /// The error that came first, once: reading clears it.
  package func takeFirstFailure() -> AudioStatus {
    defer { state.pointee.firstFailure = .noError }
    return state.pointee.firstFailure
  }
}

/// Nodes in render order, as flat memory: read in every slice.
package struct NodeList: ~Copyable {
  private let states: FlatMemory<NodePointer>

  /// The nodes must outlive the list.
  package init(_ nodes: [RenderNode]) {
    states = FlatMemory(nodes.map(\.state))
  }

  /// Takes over what was edited since the slice before.
  package func latch() {
    for place in 0..<states.count { states[place].latch() }
  }

  /// True when an input bus of a node takes part in the slice to come, by the values latched for it.
  package func wantsInput(_ node: Int, _ bus: Int) -> Bool { states[node].wantsInput(bus) }
}

/// A function that is called for every slice of a unit, before and after it is rendered.
public struct RenderNotify: @unchecked Sendable {
  /// `before` a slice, and then either `after` it, with its output, or `failed` with what it failed by.
  public enum Phase: Sendable { case before, after, failed(AudioStatus) }
  package let body: (_ phase: Phase, _ sampleTime: Int64, _ frames: Int, _ output: BusBuffer?) -> Void
  package let token: Int

  package init(
    body: @escaping (_ phase: Phase, _ sampleTime: Int64, _ frames: Int, _ output: BusBuffer?) -> Void, token: Int
  ) {
    self.body = body
    self.token = token
  }
}
