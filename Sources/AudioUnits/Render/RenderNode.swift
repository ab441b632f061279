// Steps 4 to 8 of the path of one slice: pull, input, notify, parameters, work. Runs on the render thread, or on the
// worker that holds the node's branch. Allocates nothing, takes no lock, touches no file.

import AudioCore

/// Where the frames of an input bus come from while rendering.
package struct InputSlot {
  package enum Source {
    case none
    case node(Unmanaged<RenderNode>, bus: Int)
    case callback(RenderCallback, StreamBuffer)
    /// A host that connects its units itself; the number is the unit's own input bus.
    case feed(Unmanaged<InputFeed>, bus: Int)
  }
  package var source = Source.none
  /// Nothing feeds it: it gives no buffers at all, not even silent ones.
  var isEmpty: Bool {
    switch source {
    case .none: true
    case .feed(let feed, let bus): !feed._withUnsafeGuaranteedRef { $0.hasSource(bus) }
    case .node, .callback: false
    }
  }
  /// The source's buffers have no other reader, so they may be written over.
  package var mayOverwrite = false
  /// Pulled even where the processor would skip it: something upstream has a listener of its own.
  package var alwaysPull = false
  /// Room for pointers into the middle of a branch buffer.
  fileprivate var view: UnsafeMutablePointer<UnsafeMutableRawPointer>
}

/// The render half of a unit in its place: a processor, its inputs' sources, its output memory and its clock.
public final class RenderNode: @unchecked Sendable {
  /// How errors call it: `node "eq"`, `node "mix", converter of input 2`.
  public let name: String
  public let processor: any Processor
  public let maximumFrames: Int
  public let parameters: RenderParameters
  package let inputFormats: [StreamFormat]
  package let outputFormats: [StreamFormat]
  package let slots: UnsafeMutablePointer<InputSlot>
  /// A converter in front of an input: without a source it is that input's empty slot.
  private let isInputConverter: Bool
  /// Render notifies, called with every slice before and after it renders.
  package var notifies: [RenderNotify] = []
  /// Where a copy of output bus 0 goes, for whoever listens in.
  package var tap: TapBuffer?
  /// What a worker has rendered ahead of output bus 0 for the present slice.
  package var ahead: BranchBuffer?
  /// Where output bus 0 of the next slice is to be written, in place of the node's own memory.
  package var target: BusBuffer?
  /// The status of the render that failed last, kept for whoever reports it.
  package private(set) var failure = AudioStatus.noError
  /// The first error of a render call since this was last taken: the LastRenderError of the C interface.
  private var firstFailure = AudioStatus.noError

  private let inputBuffers: UnsafeMutablePointer<BusBuffer>
  private let outputBuffers: UnsafeMutablePointer<BusBuffer>
  private let ownOutputs: [StreamBuffer]
  private let nothing: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let isInPlace: Bool
  private let pullsItsInputs: Bool
  private var renderedTime: Int64?
  private var renderedFrames = 0
  /// Whether a slice is under way: who pulls the node from inside its own call is in a ring with it.
  private var isRendering = false

  package init(
    name: String, processor: any Processor, inputFormats: [StreamFormat], outputFormats: [StreamFormat],
    maximumFrames: Int, parameters: RenderParameters, isInputConverter: Bool = false
  ) {
    self.isInputConverter = isInputConverter
    self.name = name
    self.processor = processor
    self.inputFormats = inputFormats
    self.outputFormats = outputFormats
    self.maximumFrames = maximumFrames
    self.parameters = parameters
    isInPlace = processor.worksInPlace && inputFormats.first == outputFormats.first
    pullsItsInputs = processor.pullsItsInputs
    nothing = .allocate(capacity: 1)
    ownOutputs = outputFormats.map { StreamBuffer(format: $0, frameCapacity: maximumFrames) }
    slots = .allocate(capacity: max(1, inputFormats.count))
    inputBuffers = .allocate(capacity: max(1, inputFormats.count))
    outputBuffers = .allocate(capacity: max(1, outputFormats.count))
    for (bus, format) in inputFormats.enumerated() {
      (slots + bus).initialize(to: InputSlot(view: .allocate(capacity: format.bufferCount)))
      inputBuffers[bus] = BusBuffer(buffers: nothing, count: 0)
    }
    for (bus, buffer) in ownOutputs.enumerated() { outputBuffers[bus] = buffer.bus }
  }

  deinit {
    for bus in 0..<inputFormats.count { slots[bus].view.deallocate() }
    slots.deinitialize(count: inputFormats.count)
    slots.deallocate()
    inputBuffers.deallocate()
    outputBuffers.deallocate()
    nothing.deallocate()
  }

  /// Forgets signal, clock and smoothing; what was set stays set.
  public func reset() {
    processor.reset()
    parameters.reset()
    renderedTime = nil
    failure = .noError
  }

  /// Makes the next slice a new one, whatever its time.
  package func forgetClock() { renderedTime = nil }

  /// Whether output frame n needs just input frame n: false behind a rate conversion.
  package var isSynchronous: Bool { processor.isSynchronous }

  /// What a node behind a rate conversion will pull for a slice of its own; nil for nodes on their input's clock.
  package func demand(sampleTime: Int64, frames: Int) -> (sampleTime: Int64, frames: Int)? {
    processor.isSynchronous ? nil : processor.demand(sampleTime: sampleTime, frames: frames)
  }

  /// Takes over parameter values for the slice to come.
  package func latch() {
    parameters.latch()
    processor.latch()
  }

  /// Whether an input bus takes part in the slice to come, by the values latched for it.
  package func wantsInput(_ bus: Int) -> Bool {
    slots[bus].alwaysPull || processor.wantsInput(bus, parameters: parameters)
  }

  /// Renders `frames` frames from `sampleTime` on, unless that is what was rendered last, and returns an output bus.
  ///
  /// A unit renders once per sample time, however many pull it: the same time again gives the same buffers.
  package func render(bus: Int, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    do throws(AudioStatus) {
      return try renderOnce(bus: bus, sampleTime: sampleTime, frames: frames)
    } catch {
      if firstFailure == .noError { firstFailure = error }
      throw error
    }
  }

  /// The error that came first, once: reading clears it.
  func takeFirstFailure() -> AudioStatus {
    defer { firstFailure = .noError }
    return firstFailure
  }

  private func renderOnce(bus: Int, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    guard frames >= 0 else { throw .parameterError }
    guard frames <= maximumFrames else { throw .tooManyFramesToProcess }
    // The slice's end, and the end of its last cell of parameters, must still be numbers.
    guard sampleTime < .max - Int64(frames) - RenderParameters.gridFrames else { throw .parameterError }
    guard (0..<outputFormats.count).contains(bus) else { throw .invalidElement }
    guard !isRendering else { throw .cannotDoInCurrentContext }
    if renderedTime != sampleTime {
      // No frames are no slice: the time is still to be rendered.
      renderedTime = frames > 0 ? sampleTime : nil
      renderedFrames = frames
      isRendering = true
      defer { isRendering = false }
      try renderSlice(sampleTime: sampleTime, frames: frames)
    } else if frames > renderedFrames {
      throw .tooManyFramesToProcess
    } else if failure != .noError {
      throw failure
    }
    return outputBuffers[bus]
  }

  private func renderSlice(sampleTime: Int64, frames: Int) throws(AudioStatus) {
    failure = .noError
    do {
      for notify in notifies { notify.body(.before, sampleTime, frames, nil) }
      parameters.begin(at: sampleTime, frames: frames)
      if !pullsItsInputs { try pullInputs(sampleTime: sampleTime, frames: frames) }
      if let lent = try processor.lendOutput(sampleTime: sampleTime, frames: frames) {
        outputBuffers[0] = lent
      } else {
        chooseOutput()
        try process(sampleTime: sampleTime, frames: frames)
      }
      try tap?.append(outputBuffers[0], frames: frames)
      for notify in notifies { notify.body(.after, sampleTime, frames, outputBuffers[0]) }
    } catch {
      failure = error
      for notify in notifies { notify.body(.failed(error), sampleTime, frames, nil) }
      throw error
    }
  }

  /// Output bus 0 goes where a branch wants it, over the input where that may be, or else into the node's own memory.
  private func chooseOutput() {
    if let target {
      outputBuffers[0] = target
    } else if isInPlace && slots[0].mayOverwrite && inputBuffers[0].count > 0 {
      outputBuffers[0] = inputBuffers[0]
    } else if !ownOutputs.isEmpty {
      outputBuffers[0] = ownOutputs[0].bus
    }
  }

  private func pullInputs(sampleTime: Int64, frames: Int) throws(AudioStatus) {
    for bus in 0..<inputFormats.count {
      inputBuffers[bus] =
        wantsInput(bus)
        ? try pullInput(bus, sampleTime: sampleTime, frames: frames) : BusBuffer(buffers: nothing, count: 0)
    }
  }

  /// Cuts the slice where parameters bend and hands the pieces to the processor.
  private func process(sampleTime: Int64, frames: Int) throws(AudioStatus) {
    let end = sampleTime + Int64(frames)
    var start = sampleTime
    while start < end || frames == 0 {
      let next = parameters.cut(at: start, limit: end)
      try processor.process(
        RenderPiece(
          sampleTime: start, offset: Int(start - sampleTime), frames: Int(next - start), inputs: inputBuffers,
          outputs: outputBuffers, parameters: parameters, node: self))
      start = next
      if frames == 0 { break }
    }
  }

  /// Step 5 of the path of one slice: a connection, a callback, or nothing.
  func pullInput(_ bus: Int, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    switch slots[bus].source {
    case .none:
      return BusBuffer(buffers: nothing, count: 0)
    case .node(let source, let sourceBus):
      let source = source.takeUnretainedValue()
      if source.isInputConverter, source.slots[0].isEmpty { return BusBuffer(buffers: nothing, count: 0) }
      if let ahead = source.ahead, ahead.covers(sampleTime, frames: frames) {
        return ahead.view(at: sampleTime, through: slots[bus].view)
      }
      return try source.render(bus: sourceBus, sampleTime: sampleTime, frames: frames)
    case .callback(let callback, let buffer):
      guard frames <= buffer.frameCapacity else { throw .tooManyFramesToProcess }
      let view = BusBuffer(buffers: slots[bus].view, count: buffer.bus.count)
      view.buffers.update(from: buffer.bus.buffers, count: view.count)
      let status = callback.body(sampleTime, bus, frames, view)
      guard status == .noError else { throw status }
      return view
    case .feed(let feed, let feedBus):
      return try feed.takeUnretainedValue().pull(
        feedBus, sampleTime: sampleTime, frames: frames,
        view: BusBuffer(buffers: slots[bus].view, count: inputFormats[bus].bufferCount))
    }
  }
}

/// A function that hears of every slice of a unit, before and after it is rendered.
public struct RenderNotify: @unchecked Sendable {
  public enum Phase: Sendable { case before, after, failed(AudioStatus) }
  package let body: (_ phase: Phase, _ sampleTime: Int64, _ frames: Int, _ output: BusBuffer?) -> Void
  package let token: Int
}
