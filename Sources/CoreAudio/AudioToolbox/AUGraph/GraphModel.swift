// The object behind an AUGraph handle: nodes, the sources of their inputs, and a list of edits. The edit side: any
// thread, one at a time. The part that observes rendering is in `RenderCycleObserver.swift`.

import AudioCore
import AudioEngine
import CAudioToolbox
import Transcripts

/// A graph of units, as AUGraph.h knows it. All its units, and those of graphs inside it, render in one domain, so that
/// a change of the graph holds for all of them at the same edge between two slices.
final class GraphModel: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .graph }

  enum State: Comparable { case closed, open, initialized }

  /// Shared with the graphs inside, as the domain is.
  let domain: RenderDomain
  private let lock: RecursiveLock
  /// The graph that this one is a node of.
  private(set) weak var parent: GraphModel?
  let cycle: RenderCycleObserver
  private(set) var handle: AUGraph?
  /// Its name in a transcript; nil if nothing is recorded.
  let callSubject = CallRecorder.shared?.makeSubject("graph")

  var state = State.closed
  /// Told to start, and not yet to stop.
  var isStarted = false
  var isDisposed = false
  var nodes: [GraphNode] = []
  private var lastNumber: AUNode = 0

  /// The sources of inputs. While the graph is initialized, its units have them; before, they are to get them.
  var interactions = InteractionList()
  /// Inputs that were taken their source before the graph was initialized: that is done with the rest then.
  var abandoned: Set<GraphInput> = []
  /// While initialized: what the next update does.
  var todo: [GraphEdit] = []
  /// The sources of inputs after the waiting edits: queries are answered from it.
  var presentInteractions = InteractionList()
  /// An update is at it: listeners that it calls may edit the graph, but not update it.
  var isUpdating = false
  /// Nodes that an update has removed, and whose units may still be rendering.
  var retired: [GraphNode] = []
  /// The render cycles that were under way when the last update was posted.
  var awaited: [(cycle: RenderCycleObserver, number: UInt)] = []

  private init(_ domain: RenderDomain, parent: GraphModel?) {
    self.parent = parent
    self.domain = domain
    lock = parent?.lock ?? RecursiveLock()
    cycle = RenderCycleObserver(domain)
  }

  /// A new graph with its handle.
  ///
  /// - Parameters:
  ///   - domain: the render domain of its units.
  ///   - parent: the graph that it is to be a node of, in the same domain.
  static func make(in domain: RenderDomain, parent: GraphModel? = nil) throws(AudioStatus) -> GraphModel {
    let graph = GraphModel(domain, parent: parent)
    graph.handle = try HandleTable.shared.add(graph)
    return graph
  }

  /// Runs a call of the interface, one at a time. On the thread that renders the graph it does not wait for another
  /// call to end: it fails with -10863, to be tried again.
  func call(_ body: () throws(AudioStatus) -> Void) -> OSStatus {
    let isRendering = domain.isRenderingHere
    if isRendering {
      guard lock.tryLock() else { return kAUGraphErr_CannotDoInCurrentContext }
    } else {
      lock.lock()
    }
    defer { lock.unlock() }
    guard !isDisposed else { return kAudio_ParamError }
    if !isRendering && !isOutstanding { retire() }
    return status(body)
  }

  /// As ``call(_:)``, for what cannot be done at all on the thread that renders the graph.
  func callOutsideRendering(_ body: () throws(AudioStatus) -> Void) -> OSStatus {
    domain.isRenderingHere ? kAUGraphErr_CannotDoInCurrentContext : call(body)
  }

  func newNumber() -> AUNode {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Nodes

  /// The nodes that are not to be removed by the next update.
  var presentNodes: [GraphNode] { nodes.filter { !$0.isLeaving } }

  func index(of number: AUNode) throws(AudioStatus) -> Int {
    guard let index = nodes.firstIndex(where: { $0.number == number && !$0.isLeaving }) else { throw .nodeNotFound }
    return index
  }

  func node(_ number: AUNode) throws(AudioStatus) -> GraphNode { nodes[try index(of: number)] }

  /// The output node: what pulls all the others.
  var head: GraphNode? { nodes.first { $0.isOutput && !$0.isLeaving } }

  /// The node of a unit.
  func node(of unit: AudioUnit) -> GraphNode? { nodes.first { $0.unit == unit } }

  /// The graphs inside.
  var members: [GraphModel] { nodes.compactMap(\.member) }

  var isRunning: Bool {
    guard let unit = head?.unit else { return false }
    var value: UInt32 = 0
    let status = withUnit(unit) {
      $0.read(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, into: &value)
    }
    return status == noErr ? value != 0 : isStarted
  }
}

/// A node of a graph: a unit or another graph.
struct GraphNode {
  enum Content {
    case component(ComponentEntry)
    case graph(GraphModel)
  }

  let number: AUNode
  /// The description as given, with the open fields filled in; zeros for a graph.
  let description: AudioComponentDescription
  let content: Content
  /// While the graph is open.
  var unit: AudioUnit?
  /// State for the unit to begin with.
  var classInfo: AnyObject?
  /// The next update removes it.
  var isLeaving = false

  var isOutput: Bool { description.componentType == kAudioUnitType_Output }

  var member: GraphModel? {
    if case .graph(let graph) = content { graph } else { nil }
  }

  /// The unit that renders for this node: its own, or the output of the graph inside.
  var renderingUnit: AudioUnit? { member?.head?.unit ?? unit }
}
