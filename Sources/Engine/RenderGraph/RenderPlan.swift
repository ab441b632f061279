// A compiled graph: immutable except for the state of its nodes. Made on the edit side, handed to the render side.

import AudioCore
import AudioEngine
import Transcripts

/// The render of a node that is under way.
private final class RecordedRender {
  var present: CallRecorder.Mark?

  func end(_ recorder: CallRecorder, _ status: AudioStatus) {
    if let present { recorder.end(present, status: status.rawValue) }
    present = nil
  }
}

/// Nodes in render order, the connections between them, and how they fall into branches that may run side by side.
public final class RenderPlan: BranchList, @unchecked Sendable {
  /// An input slot and the output bus that feeds it, by the numbers of their nodes.
  struct Connection {
    let node: Int
    let slot: Int
    let source: Int
    let sourceBus: Int
    let mayOverwrite: Bool
    let alwaysPull: Bool
  }

  /// A part of the plan that renders on its own: the nodes between its head and the branches below.
  struct Branch {
    let head: Int
    /// By output bus of the head.
    let buffers: [BranchBuffer]
    /// Branches whose output this one reads.
    let needs: [Int]
    let sources: [ReadAhead]
  }

  /// Sources first; the last is the output unit's.
  let nodes: [RenderNode]
  /// For measurements.
  package var allNodes: [RenderNode] { nodes }
  /// The same, for reading in every slice.
  let list: NodeList
  let connections: [Connection]
  /// Slots that nothing feeds: a callback that is still in one was taken away by the host.
  private let silentSlots: [(node: RenderNode, slot: Int)]
  /// Sources that this plan has put out of their slots. They go with the plan, so that the render thread frees nothing.
  private let displaced: FlatMemory<InputSlot.Source>
  private var displacedCount = 0
  /// In an order in which needed branches come first. Empty: everything runs on the calling thread.
  let branches: [Branch]
  /// The readers of files: all of them, and those that belong to no branch.
  let sources: [ReadAhead]
  let trunkSources: [ReadAhead]
  /// The frames that are pulled at once inside a slice: few, so that buffers stay in the nearest cache.
  let stepFrames: Int
  /// The longest slice: the graph's ``Graph/maximumFramesPerSlice`` when it was compiled.
  package let maximumFrames: Int
  /// No function of a host runs anywhere in it, and the output is on the clock of what it pulls: branches may be
  /// rendered further ahead than the slice reaches.
  let mayRenderBlocks: Bool
  /// Keeps alive what the nodes belong to.
  let units: [Unit]
  let head: RenderNode
  /// Scratch of the activity walk: whether each node takes part in the present slice.
  private let takesPart: FlatMemory<Bool>
  /// Connections by destination node: `inputRanges[node]` indexes ``connections``.
  let inputRanges: [Range<Int>]

  /// Frames that fit the nearest caches with some buffers to spare.
  static let preferredStepFrames = 512

  init(
    nodes: [RenderNode], connections: [Connection], silentSlots: [(node: RenderNode, slot: Int)], branches: [Branch],
    units: [Unit], maximumFrames: Int, stepFrames: Int, runsHostCode: Bool
  ) {
    precondition(!nodes.isEmpty)
    self.nodes = nodes
    list = NodeList(nodes)
    self.connections = connections
    self.silentSlots = silentSlots
    displaced = FlatMemory(repeating: .none, count: connections.count + silentSlots.count)
    self.branches = branches
    self.units = units
    self.maximumFrames = maximumFrames
    self.stepFrames = min(stepFrames, maximumFrames)
    head = nodes[nodes.count - 1]
    mayRenderBlocks = !runsHostCode && head.isSynchronous
    sources = nodes.compactMap(\.readAhead)
    let inBranches = Set(branches.flatMap { $0.sources.map { ObjectIdentifier($0) } })
    trunkSources = sources.filter { !inBranches.contains(ObjectIdentifier($0)) }
    takesPart = FlatMemory(repeating: true, count: nodes.count)
    var ranges = [Range<Int>](repeating: 0..<0, count: nodes.count)
    for (index, input) in connections.enumerated() {
      let first = ranges[input.node].isEmpty ? index : ranges[input.node].lowerBound
      ranges[input.node] = first..<(index + 1)
    }
    inputRanges = ranges
  }

  private static let recordToken = -1
  /// Renders are written down, as the slices ask for them.
  private(set) var isRecorded = false

  /// Has each render of a node written down: where calls are recorded, so that nothing else costs more.
  package func record(by recorder: CallRecorder) {
    isRecorded = true
    // A plan that is made anew has nodes of the one before.
    for node in nodes where !node.notifies.contains(where: { $0.token == Self.recordToken }) {
      let mark = RecordedRender()
      let name = node.name
      let body: (RenderNotify.Phase, Int64, Int, BusBuffer?) -> Void = { phase, sampleTime, frames, _ in
        switch phase {
        case .before:
          mark.present = recorder.begin(
            .render, "render", node: name, at: CallMoment(sampleTime: Double(sampleTime), frames: frames))
        case .after: mark.end(recorder, .noError)
        case .failed(let status): mark.end(recorder, status)
        }
      }
      node.notifies.append(RenderNotify(body: body, token: Self.recordToken))
    }
  }

  /// The edge of the path of one slice. Points every input slot at its source. Allocates nothing.
  /// - Parameter rendersAhead: true if branches are rendered ahead of their readers.
  func adopt(rendersAhead: Bool) {
    for node in nodes {
      for slot in 0..<node.inputFormats.count {
        if case .node = node.slots[slot].source { node.slots[slot].source = .none }
        node.slots[slot].mayOverwrite = false
        node.slots[slot].alwaysPull = false
      }
      node.ahead = []
    }
    for (node, slot) in silentSlots {
      displaceCallback(of: node, slot)
      if case .callback = node.slots[slot].source { node.slots[slot].source = .none }
    }
    for input in connections {
      let slots = nodes[input.node].slots
      displaceCallback(of: nodes[input.node], input.slot)
      slots[input.slot].source = .node(Unmanaged.passUnretained(nodes[input.source]), bus: input.sourceBus)
      slots[input.slot].mayOverwrite = input.mayOverwrite
      slots[input.slot].alwaysPull = input.alwaysPull
    }
    guard rendersAhead else { return }
    for branch in branches { nodes[branch.head].ahead = branch.buffers }
  }

  private func displaceCallback(of node: RenderNode, _ slot: Int) {
    guard case .callback = node.slots[slot].source, displacedCount < displaced.count else { return }
    displaced[displacedCount] = node.slots[slot].source
    displacedCount += 1
  }

  /// Finds the nodes that take part in the slice to come: those that some active node pulls.
  func walkActivity() {
    takesPart.all.update(repeating: false, count: nodes.count)
    takesPart[nodes.count - 1] = true
    for index in stride(from: nodes.count - 1, through: 0, by: -1) where takesPart[index] {
      for input in inputRanges[index] where list.wantsInput(index, connections[input].slot) {
        takesPart[connections[input].source] = true
      }
    }
  }

  /// Forgets what branches have rendered: from `sampleTime` on nothing is there.
  func clearBranches(at sampleTime: Int64) {
    for branch in branches {
      for buffer in branch.buffers { buffer.clear(at: sampleTime) }
    }
  }

  // MARK: Branches

  package func need(_ turn: Int, of branch: Int) -> Int? {
    turn < branches[branch].needs.count ? branches[branch].needs[turn] : nil
  }

  package func isActive(_ branch: Int) -> Bool { takesPart[branches[branch].head] }

  package func prefetch(_ branch: Int, frames: Int) {
    for source in branches[branch].sources { source.prefetch(frames: frames) }
  }

  /// Renders a branch into its buffers, a step at a time.
  package func render(_ branch: Int, sampleTime: Int64, frames: Int) -> AudioStatus {
    let node = nodes[branches[branch].head]
    let buffers = branches[branch].buffers
    defer { node.target = nil }
    var done = 0
    while done < frames {
      let step = min(stepFrames, frames - done)
      node.target = buffers[0].tail()
      let (status, output) = node.outcome(bus: 0, sampleTime: sampleTime + Int64(done), frames: step)
      guard status == .noError else { return status }
      buffers[0].append(output, frames: step)
      for bus in 1..<max(1, buffers.count) { buffers[bus].append(node.output(bus), frames: step) }
      done += step
    }
    return .noError
  }
}

extension RenderPlan {
  /// Parts that may render side by side; 0: everything runs on the calling thread.
  package var branchCount: Int { branches.count }

  /// The stream format of the output unit.
  package var headFormat: StreamFormat { head.outputFormats[0] }

  /// Lets a buffer listen to a node's output. Before the first slice only.
  package func setTap(_ tap: TapBuffer, ofNode name: String) {
    nodes.first { $0.name == name }?.tap = tap
  }
}
