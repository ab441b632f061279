import AudioCore
import CRealtime

/// The cost of a node itself, without its sources: for measurements. For a render on one thread.
package struct NodeMeter {
  /// Ticks of the processor's counter: see ``NodeMeters/now()``.
  package var ticks: UInt64 = 0
  /// Slices.
  package var calls = 0
}

/// Meters for the nodes of a render on one thread. They take about two readings of a counter a node and slice.
package final class NodeMeters: @unchecked Sendable {
  /// The meter in a node that is measured.
  struct Slot {
    let meter: Plane<NodeMeter>
    /// The ticks of the pulls from inside the call that is under way.
    let inner: Plane<UInt64>
    /// The index of the node.
    let index: Int32
    let onEntry: NodeMeters.EntryHandler?

    /// Runs a slice of the node.
    @inline(__always)
    func around(_ body: () -> AudioStatus) -> AudioStatus {
      let outer = inner[0]
      inner[0] = 0
      let outerNode = onEntry?(index)
      let start = realtime_ticks()
      let status = body()
      let all = realtime_ticks() &- start
      meter[0].ticks &+= all &- min(all, inner[0])
      meter[0].calls &+= 1
      inner[0] = outer &+ all
      if let onEntry, let outerNode { _ = onEntry(outerNode) }
      return status
    }
  }

  /// Told which node renders from here on, -1 for none; it answers which one did before.
  package typealias EntryHandler = @convention(c) (Int32) -> Int32

  private let nodes: [RenderNode]
  private let onEntry: EntryHandler?
  private let meters: FlatMemory<NodeMeter>
  /// As they were at ``mark()``.
  private let marked: FlatMemory<NodeMeter>
  private let inner = FlatMemory<UInt64>(repeating: 0, count: 1)

  /// - Parameters:
  ///   - nodes: the nodes of one plan; they are measured as long as this lives, and ``isOn``.
  ///   - onEntry: called with the node that renders; nil if not needed.
  package init(_ nodes: [RenderNode], onEntry: EntryHandler? = nil) {
    self.nodes = nodes
    self.onEntry = onEntry
    meters = FlatMemory(repeating: NodeMeter(), count: max(1, nodes.count))
    marked = FlatMemory(repeating: NodeMeter(), count: max(1, nodes.count))
  }

  deinit { isOn = false }

  /// Between two slices.
  package var isOn = false {
    didSet {
      for (index, node) in nodes.enumerated() {
        node.meter =
          isOn
          ? Slot(meter: meters.all + index, inner: inner.all, index: Int32(clamping: index), onEntry: onEntry) : nil
      }
    }
  }

  /// In the order of the nodes, with their names.
  package var readings: [(name: String, meter: NodeMeter)] {
    nodes.indices.map { (nodes[$0].name, meters[$0]) }
  }

  package func clear() {
    for index in nodes.indices { meters[index] = NodeMeter() }
    inner[0] = 0
  }

  /// The measurements from here on can be taken back.
  package func mark() { marked.all.update(from: meters.all, count: nodes.count) }
  /// Takes back what was measured since ``mark()``.
  package func takeBack() { meters.all.update(from: marked.all, count: nodes.count) }

  /// The counter: its unit is found by a clock beside it.
  package static func now() -> UInt64 { realtime_ticks() }
}
