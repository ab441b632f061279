import AudioCore

/// The source of an input bus while rendering.
package struct InputSlot {
  package enum Source {
    case none
    case node(Unmanaged<RenderNode>, bus: Int)
    case callback(CallbackSource)
    /// The feed of a C host, which connects its units itself; the number is the unit's own input bus.
    case feed(Unmanaged<InputFeed>, bus: Int)
  }

  /// The source that the edit side has set. The render side reads the fields that follow from it.
  package var source = Source.none { didSet { resolve() } }
  /// The source's buffers have no other reader, so they may be written over.
  package var mayOverwrite = false
  /// Pulled even where the processor would skip it: something upstream has a listener of its own.
  package var alwaysPull = false

  /// The node that is pulled directly, and its output bus.
  private(set) var node: NodePointer?
  private(set) var sourceBus = 0
  private(set) var feed: Unmanaged<InputFeed>?
  private(set) var caller: Unmanaged<CallbackSource>?
  /// Room for the pointers to the frames of one slice.
  let view: BusBuffer

  init(_ format: StreamFormat) {
    view = BusBuffer(buffers: .allocate(capacity: format.bufferCount), count: format.bufferCount, frames: 0)
  }

  /// Attaches a wire: the unit is pulled in place of ``source``, which leads to the same unit (`Wire.swift`).
  mutating func attachWire(from unit: NodePointer) { (node, sourceBus) = (unit, 0) }
  mutating func detachWire() { resolve() }

  private mutating func resolve() {
    (node, sourceBus, feed, caller) = (nil, 0, nil, nil)
    switch source {
    case .none: break
    case .node(let source, let bus): (node, sourceBus) = (source.takeUnretainedValue().state, bus)
    case .feed(let source, let bus): (feed, sourceBus) = (source, bus)
    case .callback(let source): caller = .passUnretained(source)
    }
  }

  /// True when nothing feeds it: it gives no buffers at all, not even silent ones.
  var isEmpty: Bool {
    if node != nil || caller != nil { return false }
    return feed.map { !$0._withUnsafeGuaranteedRef { $0.hasSource(sourceBus) } } ?? true
  }
}

/// A callback with the memory that it fills.
package final class CallbackSource {
  private let callback: RenderCallback
  private let buffer: StreamBuffer
  /// The unit's own, wherever the frames go first.
  private let bus: Int

  package init(_ callback: RenderCallback, _ buffer: StreamBuffer, bus: Int) {
    self.callback = callback
    self.buffer = buffer
    self.bus = bus
  }

  /// - Parameter view: room for the pointers of one slice, which the callback may change; then the frames.
  @inline(never)
  func pull(sampleTime: Int64, frames: Int, into view: inout BusBuffer) -> AudioStatus {
    guard frames <= buffer.frameCapacity else { return .tooManyFramesToProcess }
    view.buffers.update(from: buffer.bus.buffers, count: view.count)
    view = view.holding(frames)
    return callback.body(sampleTime, bus, frames, view)
  }
}
