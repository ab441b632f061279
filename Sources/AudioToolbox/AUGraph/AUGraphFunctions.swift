// AUGraph.h: graphs, nodes, states. Each function looks its handle up and hands over.

import AudioCore
import CAudioToolbox

/// Runs `body` with the graph of a handle.
///
/// - Returns: what `body` does; -50 for a handle that is stale, foreign or null.
func withGraph(_ handle: AUGraph?, _ body: (GraphModel) -> OSStatus) -> OSStatus {
  HandleTable.shared.withObject(handle, GraphModel.self, kind: .graph, body) ?? kAudio_ParamError
}

/// Answers one question about a graph: -50 where there is no room for the answer.
private func answer<Value>(
  _ handle: AUGraph, into result: UnsafeMutablePointer<Value>, _ body: (GraphModel) throws(AudioStatus) -> Value
) -> OSStatus {
  withGraph(handle) { graph in
    if isNull(result) { return kAudio_ParamError }
    return graph.call { () throws(AudioStatus) in result.pointee = try body(graph) }
  }
}

@c @implementation
public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>) -> OSStatus {
  if isNull(outGraph) { return kAudio_ParamError }
  outGraph.pointee = nil
  return status { () throws(AudioStatus) in outGraph.pointee = try GraphModel.make().handle }
}

@c @implementation
public func DisposeAUGraph(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in
    // A graph inside another is the other's to end.
    graph.parent == nil ? graph.callOutsideRendering { graph.dispose() } : kAudio_ParamError
  }
}

// MARK: Nodes

@c @implementation
public func AUGraphAddNode(
  _ inGraph: AUGraph, _ inDescription: UnsafePointer<AudioComponentDescription>,
  _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  if isNull(inDescription) { return kAudio_ParamError }
  return answer(inGraph, into: outNode) { (graph) throws(AudioStatus) in try graph.addNode(inDescription.pointee) }
}

@c @implementation
public func AUGraphRemoveNode(_ inGraph: AUGraph, _ inNode: AUNode) -> OSStatus {
  withGraph(inGraph) { graph in graph.call { () throws(AudioStatus) in try graph.remove(inNode) } }
}

@c @implementation
public func AUGraphGetNodeCount(_ inGraph: AUGraph, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>) -> OSStatus {
  answer(inGraph, into: outNumberOfNodes) { UInt32($0.presentNodes.count) }
}

@c @implementation
public func AUGraphGetIndNode(
  _ inGraph: AUGraph, _ inIndex: UInt32, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  answer(inGraph, into: outNode) { (graph) throws(AudioStatus) in
    let nodes = graph.presentNodes
    guard Int(inIndex) < nodes.count else { throw .parameterError }
    return nodes[Int(inIndex)].number
  }
}

@c @implementation
public func AUGraphNodeInfo(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
  _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
  withGraph(inGraph) { graph in
    graph.call { () throws(AudioStatus) in
      let node = try graph.node(inNode)
      outDescription?.pointee = node.description
      outAudioUnit?.pointee = node.unit
    }
  }
}

@c @implementation
public func AUGraphNewNodeSubGraph(_ inGraph: AUGraph, _ outNode: UnsafeMutablePointer<AUNode>) -> OSStatus {
  answer(inGraph, into: outNode) { (graph) throws(AudioStatus) in try graph.addMember() }
}

@c @implementation
public func AUGraphGetNodeInfoSubGraph(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outSubGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
  answer(inGraph, into: outSubGraph) { (graph) throws(AudioStatus) in try graph.member(inNode).handle }
}

@c @implementation
public func AUGraphIsNodeSubGraph(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outFlag: UnsafeMutablePointer<Bool>
) -> OSStatus {
  answer(inGraph, into: outFlag) { (graph) throws(AudioStatus) in try graph.node(inNode).member != nil }
}

// MARK: States

@c @implementation
public func AUGraphOpen(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { () throws(AudioStatus) in try graph.open() } }
}

@c @implementation
public func AUGraphClose(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { graph.close() } }
}

@c @implementation
public func AUGraphInitialize(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { () throws(AudioStatus) in try graph.initialize() } }
}

@c @implementation
public func AUGraphUninitialize(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { graph.uninitialize() } }
}

@c @implementation
public func AUGraphStart(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.call { () throws(AudioStatus) in try graph.start() } }
}

@c @implementation
public func AUGraphStop(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.call { () throws(AudioStatus) in try graph.stop() } }
}

@c @implementation
public func AUGraphIsOpen(_ inGraph: AUGraph, _ outIsOpen: UnsafeMutablePointer<Bool>) -> OSStatus {
  answer(inGraph, into: outIsOpen) { $0.state >= .open }
}

@c @implementation
public func AUGraphIsInitialized(_ inGraph: AUGraph, _ outIsInitialized: UnsafeMutablePointer<Bool>) -> OSStatus {
  answer(inGraph, into: outIsInitialized) { $0.state == .initialized }
}

@c @implementation
public func AUGraphIsRunning(_ inGraph: AUGraph, _ outIsRunning: UnsafeMutablePointer<Bool>) -> OSStatus {
  answer(inGraph, into: outIsRunning) { $0.isRunning }
}

@c @implementation
public func AUGraphUpdate(_ inGraph: AUGraph, _ outIsUpdated: UnsafeMutablePointer<Bool>?) -> OSStatus {
  withGraph(inGraph) { graph in
    outIsUpdated?.pointee = false
    return graph.call { () throws(AudioStatus) in
      let isUpdated = try graph.update(waits: outIsUpdated == nil)
      outIsUpdated?.pointee = isUpdated
    }
  }
}

// MARK: Watching the render cycles

@c @implementation
public func AUGraphGetCPULoad(_ inGraph: AUGraph, _ outAverageCPULoad: UnsafeMutablePointer<Float32>) -> OSStatus {
  answer(inGraph, into: outAverageCPULoad) { $0.cycle.averageLoad }
}

@c @implementation
public func AUGraphGetMaxCPULoad(_ inGraph: AUGraph, _ outMaxLoad: UnsafeMutablePointer<Float32>) -> OSStatus {
  answer(inGraph, into: outMaxLoad) { $0.cycle.takeMaximumLoad() }
}

@c @implementation
public func AUGraphAddRenderNotify(
  _ inGraph: AUGraph, _ inCallback: @escaping AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  withGraph(inGraph) { graph in
    if isMissing(inCallback) { return kAudio_ParamError }
    return graph.call { graph.cycle.add(.init(proc: inCallback, userData: inRefCon)) }
  }
}

@c @implementation
public func AUGraphRemoveRenderNotify(
  _ inGraph: AUGraph, _ inCallback: @escaping AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  withGraph(inGraph) { graph in
    if isMissing(inCallback) { return kAudio_ParamError }
    return graph.call { graph.cycle.remove(.init(proc: inCallback, userData: inRefCon)) }
  }
}
