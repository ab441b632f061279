// AUGraph.h: graphs, nodes, states. Each function looks its handle up and hands over.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits
import Transcripts

/// Runs `body` with the graph of a handle.
///
/// - Returns: the result of `body`; -50 for a handle that is stale, foreign or null.
///
/// - Parameter arguments: the function's arguments, for a transcript: see ``recorded(_:_:result:function:_:)``.
func withGraph(
  _ handle: AUGraph?, _ arguments: @autoclosure () -> String = "", result: @autoclosure () -> String = "",
  function: StaticString = #function, _ body: (GraphModel) -> OSStatus
) -> OSStatus {
  recorded(CallSubject(graph: handle), arguments(), result: result(), function: function) {
    HandleTable.shared.withObject(handle, GraphModel.self, body) ?? kAudio_ParamError
  }
}

/// Runs one call on the graph of a handle: see ``GraphModel/call(_:)``.
func callGraph(
  _ handle: AUGraph, _ arguments: @autoclosure () -> String = "", function: StaticString = #function,
  _ body: (GraphModel) throws(AudioStatus) -> Void
) -> OSStatus {
  withGraph(handle, arguments(), function: function) { graph in
    graph.call { () throws(AudioStatus) in try body(graph) }
  }
}

/// Answers one question about a graph: -50 where there is no room for the answer.
func answer<Value>(
  _ handle: AUGraph, _ arguments: @autoclosure () -> String = "", into result: UnsafeMutablePointer<Value>,
  function: StaticString = #function, _ body: (GraphModel) throws(AudioStatus) -> Value
) -> OSStatus {
  withGraph(handle, arguments(), result: CallText.answer(result), function: function) { graph in
    if isNull(result) { return kAudio_ParamError }
    return graph.call { () throws(AudioStatus) in result.pointee = try body(graph) }
  }
}

/// A new graph, closed and without nodes. -108 where there is no handle left.
@c @implementation
public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>) -> OSStatus {
  recorded(result: CallSubject(graph: outGraph.pointee)?.description ?? "") {
    if isNull(outGraph) { return kAudio_ParamError }
    outGraph.pointee = nil
    return newAUGraph(outGraph, branchRunner: InterfaceDefaults.branchRunner)
  }
}

/// ``NewAUGraph(_:)``, whose branches are rendered by what is given; nil: the thread that pulls it renders all.
package func newAUGraph(_ graph: UnsafeMutablePointer<AUGraph?>, branchRunner: (any BranchRunner)?) -> OSStatus {
  status(graph.pointee = try GraphModel.make(in: RenderDomain(branchRunner: branchRunner)).handle)
}

/// Ends a graph in whatever state it is, with its units and the graphs inside. -50 for a graph that is a node of
/// another, -10863 on the thread that renders it.
@c @implementation
public func DisposeAUGraph(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in
    // A graph inside another is the other's to end.
    graph.parent == nil ? graph.callOutsideRendering { graph.dispose() } : kAudio_ParamError
  }
}

// MARK: Nodes

/// Adds a node for the first component that matches; its unit is made with the graph's opening, or now. -10864 where
/// none matches, -10862 for a second output.
@c @implementation
public func AUGraphAddNode(
  _ inGraph: AUGraph, _ inDescription: UnsafePointer<AudioComponentDescription>,
  _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  if isNull(inDescription) { return kAudio_ParamError }
  return answer(inGraph, CallText.component(inDescription), into: outNode) { (graph) throws(AudioStatus) in
    try graph.addNode(inDescription.pointee)
  }
}

/// Removes a node with what feeds it and what it feeds, in an initialized graph with the next update. -10860 where
/// there is no such node, -10862 for the output of a running graph.
@c @implementation
public func AUGraphRemoveNode(_ inGraph: AUGraph, _ inNode: AUNode) -> OSStatus {
  callGraph(inGraph, "node \(inNode)") { (graph) throws(AudioStatus) in try graph.remove(inNode) }
}

/// Gets the number of nodes, without those that the next update removes.
@c @implementation
public func AUGraphGetNodeCount(_ inGraph: AUGraph, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>) -> OSStatus {
  answer(inGraph, into: outNumberOfNodes) { UInt32($0.presentNodes.count) }
}

/// The node of an index from 0, in the order in which they were added. -50 where there is none.
@c @implementation
public func AUGraphGetIndNode(
  _ inGraph: AUGraph, _ inIndex: UInt32, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  answer(inGraph, "index \(inIndex)", into: outNode) { (graph) throws(AudioStatus) in
    let nodes = graph.presentNodes
    guard Int(inIndex) < nodes.count else { throw .parameterError }
    return nodes[Int(inIndex)].number
  }
}

/// The description and the unit of a node, either of which may be left out; the unit is null while the graph is closed.
/// -10860 where there is no such node.
@c @implementation
public func AUGraphNodeInfo(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
  _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
  callGraph(inGraph, "node \(inNode)") { (graph) throws(AudioStatus) in
    let node = try graph.node(inNode)
    outDescription?.pointee = node.description
    outAudioUnit?.pointee = node.unit
  }
}

/// Adds an empty graph as a node, open where this one is; it belongs to this one.
@c @implementation
public func AUGraphNewNodeSubGraph(_ inGraph: AUGraph, _ outNode: UnsafeMutablePointer<AUNode>) -> OSStatus {
  answer(inGraph, into: outNode) { (graph) throws(AudioStatus) in try graph.addMember() }
}

/// Gets the graph behind a node. -10860 if there is no such node, or if it is a unit.
@c @implementation
public func AUGraphGetNodeInfoSubGraph(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outSubGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
  answer(inGraph, "node \(inNode)", into: outSubGraph) { (graph) throws(AudioStatus) in try graph.member(inNode).handle
  }
}

/// Tells whether a node is a graph. -10860 if there is no such node.
@c @implementation
public func AUGraphIsNodeSubGraph(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outFlag: UnsafeMutablePointer<Bool>
) -> OSStatus {
  answer(inGraph, "node \(inNode)", into: outFlag) { (graph) throws(AudioStatus) in try graph.node(inNode).member != nil
  }
}

// MARK: States

/// Makes the units of all nodes, or none where one cannot be made. 0 where the graph is open already; -10863 on the
/// thread that renders it.
@c @implementation
public func AUGraphOpen(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { () throws(AudioStatus) in try graph.open() } }
}

/// Stops and uninitializes the graph and ends its units; nodes and connections stay.
@c @implementation
public func AUGraphClose(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { graph.close() } }
}

/// Connects and initializes the units that take part, or none where one fails. -10863 for a closed graph, -10868 for
/// formats that do not match, -10877 for a bus that does not exist.
@c @implementation
public func AUGraphInitialize(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { () throws(AudioStatus) in try graph.initialize() } }
}

/// Stops the graph and uninitializes its units; what waited for an update is part of the next initialization.
@c @implementation
public func AUGraphUninitialize(_ inGraph: AUGraph) -> OSStatus {
  withGraph(inGraph) { graph in graph.callOutsideRendering { graph.uninitialize() } }
}

/// Carries out what waits for an update and starts the output. -10863 unless the graph is initialized, -10862 where it
/// has no output.
@c @implementation
public func AUGraphStart(_ inGraph: AUGraph) -> OSStatus {
  callGraph(inGraph) { (graph) throws(AudioStatus) in try graph.start() }
}

/// Stops the output. -10863 unless the graph is initialized, -10862 where it has no output.
@c @implementation
public func AUGraphStop(_ inGraph: AUGraph) -> OSStatus {
  callGraph(inGraph) { (graph) throws(AudioStatus) in try graph.stop() }
}

/// Tells whether the graph has its units: open or initialized.
@c @implementation
public func AUGraphIsOpen(_ inGraph: AUGraph, _ outIsOpen: UnsafeMutablePointer<Bool>) -> OSStatus {
  answer(inGraph, into: outIsOpen) { $0.state >= .open }
}

/// Tells whether the graph is initialized.
@c @implementation
public func AUGraphIsInitialized(_ inGraph: AUGraph, _ outIsInitialized: UnsafeMutablePointer<Bool>) -> OSStatus {
  answer(inGraph, into: outIsInitialized) { $0.state == .initialized }
}

/// Tells whether the output runs, also if the graph did not start it.
@c @implementation
public func AUGraphIsRunning(_ inGraph: AUGraph, _ outIsRunning: UnsafeMutablePointer<Bool>) -> OSStatus {
  answer(inGraph, into: outIsRunning) { $0.isRunning }
}

/// Carries out the edits that wait in an initialized graph, at the edge before the next slice. Without a result it
/// waits until the replaced parts are out of use; otherwise the result tells whether nothing is left to do. An edit
/// that fails is dropped, and its error returned.
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

/// Time spent rendering over the time available, 0 for none: an average in which later cycles weigh more.
@c @implementation
public func AUGraphGetCPULoad(_ inGraph: AUGraph, _ outAverageCPULoad: UnsafeMutablePointer<Float32>) -> OSStatus {
  answer(inGraph, into: outAverageCPULoad) { $0.cycle.averageLoad }
}

/// The largest load of one cycle since the last call or the start, 1 for all the time available.
@c @implementation
public func AUGraphGetMaxCPULoad(_ inGraph: AUGraph, _ outMaxLoad: UnsafeMutablePointer<Float32>) -> OSStatus {
  answer(inGraph, into: outMaxLoad) { $0.cycle.takeMaximumLoad() }
}

/// Calls a function before and after each cycle of the graph's output. Adding it again changes nothing.
@c @implementation
public func AUGraphAddRenderNotify(
  _ inGraph: AUGraph, _ inCallback: @escaping AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  withGraph(inGraph) { graph in
    if isMissing(inCallback) { return kAudio_ParamError }
    return graph.call { graph.cycle.add(.init(proc: inCallback, userData: inRefCon)) }
  }
}

/// Removes a function that was added with this data; 0 where there is none.
@c @implementation
public func AUGraphRemoveRenderNotify(
  _ inGraph: AUGraph, _ inCallback: @escaping AURenderCallback, _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  withGraph(inGraph) { graph in
    if isMissing(inCallback) { return kAudio_ParamError }
    return graph.call { graph.cycle.remove(.init(proc: inCallback, userData: inRefCon)) }
  }
}
