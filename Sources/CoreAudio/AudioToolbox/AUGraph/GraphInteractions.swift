// The sources of inputs in a graph, as plain values: the list that is in force, and the edits that lead from one to
// another.

import AudioCore
import CAudioToolbox

/// An input bus of a node. It takes part in one interaction at most.
struct GraphInput: Hashable {
  let node: AUNode
  let bus: UInt32
}

/// One connection or one callback, with the input that it feeds.
struct Interaction {
  enum Source {
    case node(AUNode, bus: UInt32)
    /// The same, of the element of an output unit that records: nothing that the device plays comes out there, so its
    /// output may be connected to its own input.
    case recorded(AUNode, bus: UInt32)
    case callback(AURenderCallback, userData: UnsafeMutableRawPointer?)
  }
  let input: GraphInput
  let source: Source

  /// The node that feeds the input, unless a callback does.
  var sourceNode: AUNode? {
    switch source {
    case .node(let node, _), .recorded(let node, _): node
    case .callback: nil
    }
  }

  /// The node that has to render before what it feeds.
  var feeder: AUNode? {
    if case .node(let node, _) = source { node } else { nil }
  }

  func involves(_ node: AUNode) -> Bool { input.node == node || sourceNode == node }
}

/// One thing to do to a graph.
enum GraphEdit {
  /// Gives an input a source, in place of whatever fed it.
  case feed(Interaction)
  case disconnect(GraphInput)
  case clear
  case remove(AUNode)
}

/// The interactions of a graph, in the order in which they were made; one for each input.
struct InteractionList {
  private(set) var all: [Interaction] = []

  subscript(input: GraphInput) -> Interaction? { all.first { $0.input == input } }

  func involving(_ node: AUNode) -> [Interaction] { all.filter { $0.involves(node) } }

  /// The nodes that have to render before a node.
  func feeders(of node: AUNode) -> [AUNode] { all.filter { $0.input.node == node }.compactMap(\.feeder) }

  /// Carries out an edit.
  ///
  /// - Returns: the inputs that have another source now, or none. An input that was disconnected by name is among them
  ///   in any case: it may have a source that the graph knows nothing of.
  @discardableResult
  mutating func apply(_ edit: GraphEdit) -> [GraphInput] {
    switch edit {
    case .feed(let interaction):
      all.removeAll { $0.input == interaction.input }
      all.append(interaction)
      return [interaction.input]
    case .disconnect(let input):
      all.removeAll { $0.input == input }
      return [input]
    case .clear:
      defer { all = [] }
      return all.map(\.input)
    case .remove(let node):
      defer { all.removeAll { $0.involves(node) } }
      return involving(node).map(\.input).filter { $0.node != node }
    }
  }

  func applying(_ edits: some Sequence<GraphEdit>) -> InteractionList {
    var copy = self
    for edit in edits { copy.apply(edit) }
    return copy
  }

  /// True when frames of a node reach another, on whatever way; a node reaches itself.
  func reaches(from source: AUNode, to node: AUNode) -> Bool {
    let interactions = Dictionary(grouping: all, by: \.input.node)
    var walk = UpstreamWalk<AUNode>()
    walk.visit(node) { interactions[$0, default: []].compactMap(\.feeder) }
    return walk.hasMet(source)
  }
}

// MARK: The structs of the C interface

extension Interaction {
  var connection: AudioUnitNodeConnection? {
    switch source {
    case .node(let node, let bus), .recorded(let node, let bus):
      AudioUnitNodeConnection(
        sourceNode: node, sourceOutputNumber: bus, destNode: input.node, destInputNumber: input.bus)
    case .callback: nil
    }
  }

  var nodeInteraction: AUNodeInteraction {
    var result = AUNodeInteraction()
    switch source {
    case .node, .recorded:
      result.nodeInteractionType = kAUNodeInteraction_Connection
      if let connection { result.nodeInteraction.connection = connection }
    case .callback(let proc, let userData):
      result.nodeInteractionType = kAUNodeInteraction_InputCallback
      result.nodeInteraction.inputCallback = AUNodeRenderCallback(
        destNode: input.node, destInputNumber: input.bus,
        cback: AURenderCallbackStruct(inputProc: proc, inputProcRefCon: userData))
    }
    return result
  }
}
