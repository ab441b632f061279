// The path of one slice: input, for hosts that connect units one to another themselves. Runs on the render thread.

import AudioCore

/// Feeds the input buses of a unit from outside the engine. A host's own subclass says from where.
open class InputFeed: @unchecked Sendable {
  /// A feed without any source: a subclass overrides ``hasSource(_:)`` and ``pull(_:sampleTime:frames:view:)``.
  public init() {}

  /// True when a bus has a source; a mixer leaves out one that has none.
  open func hasSource(_ bus: Int) -> Bool { false }

  /// Pulls the source of an input bus: frames in the bus's stream format.
  ///
  /// - Parameters:
  ///   - bus: which input, from 0.
  ///   - sampleTime: the first frame, on the source's clock.
  ///   - frames: the number of frames.
  ///   - view: room for the pointers of one slice: point them at the frames and return it, or return a bus
  ///     without buffers where there is no source.
  open func pull(_ bus: Int, sampleTime: Int64, frames: Int, view: BusBuffer) throws(AudioStatus) -> BusBuffer {
    throw .noConnection
  }

  /// Called when the unit itself could not render a slice that was pulled through a wire (`Wire.swift`).
  open func renderFailed(_ status: AudioStatus) {}
}

extension Unit {
  /// Lets a feed deliver to all inputs, in place of callbacks and connections. While initialized, before rendering; the
  /// feed must outlive the unit's render half.
  package func attach(_ feed: InputFeed) {
    guard let node else { return }
    for bus in 0..<elementCount(.input) { node.attach(feed, bus: bus, slot: bus) }
  }
}

extension RenderNode {
  /// Lets a feed deliver to an input slot, as input bus `bus` of its unit.
  package func attach(_ feed: InputFeed, bus: Int, slot: Int) {
    slots[slot].source = .feed(Unmanaged.passUnretained(feed), bus: bus)
  }
}
