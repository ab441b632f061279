// AUGraph.h: what feeds what.

import AudioCore
import CAudioToolbox

/// Feeds an input from another node's output, in place of what fed it; in an initialized graph with the next update.
/// -10860 where there is no such node, -10861 for a circle and for an input of a graph inside.
@c @implementation
public func AUGraphConnectNodeInput(
  _ inGraph: AUGraph, _ inSourceNode: AUNode, _ inSourceOutputNumber: UInt32, _ inDestNode: AUNode,
  _ inDestInputNumber: UInt32
) -> OSStatus {
  callGraph(
    inGraph,
    "node \(inSourceNode) output \(inSourceOutputNumber) to node \(inDestNode) input \(inDestInputNumber)"
  ) { (graph) throws(AudioStatus) in
    try graph.connect(
      inSourceNode, bus: inSourceOutputNumber, to: GraphInput(node: inDestNode, bus: inDestInputNumber))
  }
}

/// Feeds an input from a function, in place of what fed it; a null function takes the source away. -10860 where there
/// is no such node, -10861 for an input of a graph inside.
@c @implementation
public func AUGraphSetNodeInputCallback(
  _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32,
  _ inInputCallback: UnsafePointer<AURenderCallbackStruct>
) -> OSStatus {
  withGraph(inGraph, "node \(inDestNode) input \(inDestInputNumber)") { graph in
    if isNull(inInputCallback) { return kAudio_ParamError }
    let callback = inInputCallback.pointee
    return graph.call { () throws(AudioStatus) in
      try graph.setCallback(
        callback.inputProc, userData: callback.inputProcRefCon,
        input: GraphInput(node: inDestNode, bus: inDestInputNumber))
    }
  }
}

/// Takes away what feeds an input; 0 where nothing does. -10860 where there is no such node.
@c @implementation
public func AUGraphDisconnectNodeInput(
  _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus {
  callGraph(inGraph, "node \(inDestNode) input \(inDestInputNumber)") { (graph) throws(AudioStatus) in
    try graph.disconnect(GraphInput(node: inDestNode, bus: inDestInputNumber))
  }
}

/// Takes away all connections and callbacks, in an initialized graph with the next update.
@c @implementation
public func AUGraphClearConnections(_ inGraph: AUGraph) -> OSStatus {
  callGraph(inGraph) { $0.clear() }
}

// MARK: Questions

/// Gets the number of connections and callbacks, with those that wait for an update.
@c @implementation
public func AUGraphGetNumberOfInteractions(
  _ inGraph: AUGraph, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  answer(inGraph, into: outNumInteractions) { UInt32($0.presentInteractions.all.count) }
}

/// The connection or callback of an index from 0. -50 where there is none.
@c @implementation
public func AUGraphGetInteractionInfo(
  _ inGraph: AUGraph, _ inInteractionIndex: UInt32, _ outInteraction: UnsafeMutablePointer<AUNodeInteraction>
) -> OSStatus {
  answer(inGraph, "index \(inInteractionIndex)", into: outInteraction) { (graph) throws(AudioStatus) in
    let all = graph.presentInteractions.all
    guard Int(inInteractionIndex) < all.count else { throw .parameterError }
    return all[Int(inInteractionIndex)].nodeInteraction
  }
}

/// Gets the number of connections and callbacks that a node is part of, at either end. -10860 if there is no such node.
@c @implementation
public func AUGraphCountNodeInteractions(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  answer(inGraph, "node \(inNode)", into: outNumInteractions) { (graph) throws(AudioStatus) in
    UInt32(try graph.interactions(of: inNode).count)
  }
}

/// The connections and callbacks of a node: the number is the room on the way in and what was written on the way out.
@c @implementation
public func AUGraphGetNodeInteractions(
  _ inGraph: AUGraph, _ inNode: AUNode, _ ioNumInteractions: UnsafeMutablePointer<UInt32>,
  _ outInteractions: UnsafeMutablePointer<AUNodeInteraction>
) -> OSStatus {
  answer(inGraph, "node \(inNode)", into: ioNumInteractions) { (graph) throws(AudioStatus) in
    try write(
      try graph.interactions(of: inNode).map(\.nodeInteraction), to: outInteractions, room: ioNumInteractions.pointee)
  }
}

/// Writes as many as there is room for, and says how many that were.
private func write<Element>(
  _ elements: [Element], to memory: UnsafeMutablePointer<Element>, room: UInt32
) throws(AudioStatus) -> UInt32 {
  let count = min(Int(room), elements.count)
  if count > 0 && isNull(memory) { throw .parameterError }
  for index in 0..<count { memory[index] = elements[index] }
  return UInt32(count)
}

// MARK: The calls of 2003, which know connections only

/// Gets the number of connections between nodes; callbacks do not count.
@c @implementation
public func AUGraphGetNumberOfConnections(
  _ inGraph: AUGraph, _ outNumConnections: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  answer(inGraph, into: outNumConnections) { UInt32($0.presentInteractions.all.compactMap(\.connection).count) }
}

/// The connection of an index from 0; any result may be null. -50 where there is none.
@c @implementation
public func AUGraphGetConnectionInfo(
  _ inGraph: AUGraph, _ inConnectionIndex: UInt32, _ outSourceNode: UnsafeMutablePointer<AUNode>,
  _ outSourceOutputNumber: UnsafeMutablePointer<UInt32>, _ outDestNode: UnsafeMutablePointer<AUNode>,
  _ outDestInputNumber: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  callGraph(inGraph, "index \(inConnectionIndex)") { (graph) throws(AudioStatus) in
    let all = graph.presentInteractions.all.compactMap(\.connection)
    guard Int(inConnectionIndex) < all.count else { throw .parameterError }
    let connection = all[Int(inConnectionIndex)]
    if !isNull(outSourceNode) { outSourceNode.pointee = connection.sourceNode }
    if !isNull(outSourceOutputNumber) { outSourceOutputNumber.pointee = connection.sourceOutputNumber }
    if !isNull(outDestNode) { outDestNode.pointee = connection.destNode }
    if !isNull(outDestInputNumber) { outDestInputNumber.pointee = connection.destInputNumber }
  }
}

/// Gets the number of connections that a node is part of, at either end; callbacks do not count.
@c @implementation
public func AUGraphCountNodeConnections(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outNumConnections: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  answer(inGraph, "node \(inNode)", into: outNumConnections) { (graph) throws(AudioStatus) in
    UInt32(try graph.interactions(of: inNode).compactMap(\.connection).count)
  }
}

/// The connections of a node: the number is the room on the way in and what was written on the way out.
@c @implementation
public func AUGraphGetNodeConnections(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outConnections: UnsafeMutablePointer<AudioUnitNodeConnection>,
  _ ioNumConnections: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  answer(inGraph, "node \(inNode)", into: ioNumConnections) { (graph) throws(AudioStatus) in
    try write(
      try graph.interactions(of: inNode).compactMap(\.connection), to: outConnections, room: ioNumConnections.pointee)
  }
}
