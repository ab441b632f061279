import AVFAudioFiles
import AudioEngine
import Foundation
import RenderGraph

/// An output bus that feeds an input bus.
struct NodeConnection {
  let source: AVAudioNode
  let sourceBus: AVAudioNodeBus
  let destination: AVAudioNode
  let destinationBus: AVAudioNodeBus
}

/// Nodes, their connections, and the state of rendering them. Any thread may edit it while another renders: an edit holds
/// from the next slice on.
///
/// An engine is rendered by its program, in manual rendering mode; there are no devices yet.
open class AVAudioEngine: NSObject, @unchecked Sendable {
  /// Held by every edit and every slice.
  private let lock = NSRecursiveLock()
  var nodes: [AVAudioNode] = []
  var connections: [NodeConnection] = []
  private var mixer: AVAudioMixerNode?
  private var output: AVAudioOutputNode?
  private var input: AVAudioInputNode?

  var mode: ManualRendering?
  /// Renders the present connections; nil until they are compiled.
  var renderer: GraphRenderer?
  /// Nodes that have gone: their units end in front of the next slice.
  var retired: [AudioEngine.Unit] = []
  /// The nodes that lead to the output.
  var rendered: [AVAudioNode] = []
  /// The first frame of the next slice.
  var sampleTime: AVAudioFramePosition = 0
  /// The first frame of the last slice; nil: none was rendered since the start.
  var lastSlice: AVAudioFramePosition?
  var inputRanDry = false
  /// Calls of the program's functions that are due behind the present slice.
  var dueCalls: [() -> Void] = []

  /// True from ``start()`` to ``pause()`` or ``stop()``.
  public private(set) var isRunning = false
  /// Accepted and without effect: an engine that only its program pulls never stops by itself.
  public var isAutoShutdownEnabled = false

  /// An engine without nodes.
  public override init() {}

  /// Runs `body` while nothing else edits or renders.
  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  // MARK: Nodes

  /// The head of the graph: what it takes is what is rendered.
  public var outputNode: AVAudioOutputNode {
    locked {
      if let output { return output }
      let node = AVAudioOutputNode()
      adopt(node)
      output = node
      return node
    }
  }

  /// The source of what the program gives in manual rendering mode; silent until it has an input block.
  public var inputNode: AVAudioInputNode {
    locked {
      if let input { return input }
      let node = AVAudioInputNode()
      adopt(node)
      input = node
      return node
    }
  }

  /// The mixer in front of ``outputNode``: made, and connected to it, when it is first asked for.
  public var mainMixerNode: AVAudioMixerNode {
    locked {
      if let mixer { return mixer }
      let node = AVAudioMixerNode()
      adopt(node)
      mixer = node
      node.followsOutput = true
      if connection(into: outputNode, bus: 0) == nil { join(node, 0, outputNode, 0) }
      return node
    }
  }

  private func adopt(_ node: AVAudioNode) {
    node.engine = self
    nodes.append(node)
  }

  /// The nodes of the engine: attached ones, and of output, input and main mixer those that were asked for.
  public var attachedNodes: Set<AVAudioNode> { locked { Set(nodes) } }

  /// Adds a node. One of another engine ends the process.
  public func attach(_ node: AVAudioNode) {
    locked {
      guard node.engine !== self else { return }
      require(node.engine == nil, "node.engine == nil")
      adopt(node)
    }
  }

  /// Takes a node out, with its connections. Output, input and main mixer stay.
  public func detach(_ node: AVAudioNode) {
    locked {
      require(node.engine === self, "the node is attached to this engine")
      guard node !== output, node !== input, node !== mixer else { return }
      connections.removeAll { $0.source === node || $0.destination === node }
      nodes.removeAll { $0 === node }
      retired.append(node.unit)
      node.engine = nil
      node.knownSources = [:]
      noteEdit()
    }
  }

  /// The connections are compiled anew in front of the next slice.
  func noteEdit() { renderer = nil }

  // MARK: States

  /// Compiles the graph, so that the first slice does not have to. Errors are those of ``start()``.
  public func prepare() {
    locked { if mode != nil, renderer == nil { try? compile() } }
  }

  /// Begins to render, or goes on after ``pause()``.
  /// - Throws: `NSError`: −10875 where there is nothing to render to (no manual rendering mode; devices are a later
  ///   part), or the graph cannot be rendered, with the reason; −10868 where an effect would have to change a format.
  public func start() throws {
    try locked {
      guard !isRunning else { return }
      require(output != nil || input != nil, "inputNode != nullptr || outputNode != nullptr")
      guard mode != nil else {
        throw NSError(
          .failedInitialization,
          "the engine has no device to render to: enable manual rendering mode in front of start()")
      }
      if renderer == nil { try compile() }
      isRunning = true
    }
  }

  /// Stops rendering; the nodes keep their state.
  public func pause() { locked { isRunning = false } }

  /// Stops rendering. Effects forget what they still would have given; players stop where they are, and keep what is
  /// scheduled. The render time begins anew at 0.
  public func stop() {
    locked {
      isRunning = false
      for node in nodes {
        node.engineDidStop()
        node.flushTap()
        node.unit.reset()
      }
      sampleTime = 0
      lastSlice = nil
    }
    makeDueCalls()
  }

  /// Clears delay lines, filters, converters and the schedules of players; the render time begins anew at 0.
  public func reset() {
    locked {
      for node in nodes { node.clearSignal() }
      sampleTime = 0
      lastSlice = nil
    }
    makeDueCalls()
  }

  /// Calls what is due, in order, without the lock: what is called may edit and render.
  func makeDueCalls() {
    while true {
      let calls = locked {
        defer { dueCalls = [] }
        return dueCalls
      }
      guard !calls.isEmpty else { return }
      for call in calls { call() }
    }
  }
}
