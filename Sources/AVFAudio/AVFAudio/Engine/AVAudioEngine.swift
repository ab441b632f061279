import AVFAudioFiles
import AudioEngine
import Foundation
import Hardware
import RenderGraph
import Synchronization

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
/// An engine plays to, and records from, the hardware, which is simulated; or its program renders it, in manual rendering
/// mode.
open class AVAudioEngine: NSObject, @unchecked Sendable {
  /// Held by every edit. Never by the thread that renders.
  private let lock = NSRecursiveLock()
  /// The number of ``locked(_:)`` that are inside one another.
  private var lockDepth = 0
  /// Keeps slices, and what must not run beside them, apart.
  package let domain = RenderDomain()
  /// True while ``betweenSlices(_:)`` keeps slices away: the thread that renders sleeps meanwhile, and does not spin.
  let isHeld = Atomic<Bool>(false)
  var nodes: [AVAudioNode] = []
  var connections: [NodeConnection] = []
  private var mixer: AVAudioMixerNode?
  private(set) var output: AVAudioOutputNode?
  private(set) var input: AVAudioInputNode?

  var mode: ManualRendering? {
    didSet { isOffline = mode?.mode == .offline }
  }
  /// The choices of the engine and its nodes, which never change.
  let choices: AVFAudioChoices
  /// The queue of calls in offline rendering; nil: the thread that renders makes them.
  private let callQueue: DispatchQueue?
  /// The hardware that it plays to.
  let hardware: SimulatedHardware
  /// Its hold of the hardware, from ``start()`` to ``stop()``.
  var link: HardwareLink?
  /// Renders the connections that were compiled last; nil before the first time.
  var renderer: GraphRenderer?
  /// The sinks that the microphone leads to, each with what renders its chain. Changed between slices.
  var liveSinks: [SinkChain] = []
  /// The voice processing of the hardware.
  var voice = VoiceSettings()
  /// True where edits wait to be compiled.
  var needsCompiling = true
  /// Units of nodes that have gone while it renders: they end when that has taken over the edit.
  var retired: [AudioEngine.Unit] = []
  /// The nodes that lead to the output.
  var rendered: [AVAudioNode] = []
  /// The status of edits that could not be compiled while the engine runs; 0: none.
  let editFailure = Atomic<Int32>(0)
  /// The first frame of the next slice.
  let sampleTime = Atomic<AVAudioFramePosition>(0)
  /// The last slice; nil: none was rendered since the start. For the thread that renders, and ``betweenSlices(_:)``.
  var lastSlice: SliceTime?
  /// The thread that renders alone.
  var inputRanDry = false
  /// Calls of the program's functions.
  let dueCalls = DueCalls()

  /// True from ``start()`` to ``pause()`` or ``stop()``, or until the hardware stops it.
  public internal(set) var isRunning: Bool {
    get { runs.load(ordering: .acquiring) }
    set { runs.store(newValue, ordering: .releasing) }
  }
  private let runs = Atomic<Bool>(false)
  /// True where the program renders and waits: the thread that renders may read files.
  private(set) var isOffline = false
  /// Kept, and without effect: simulated hardware needs no rest.
  public var isAutoShutdownEnabled = false

  /// An engine without nodes.
  public override init() {
    hardware = .shared
    choices = .standard
    callQueue = Self.makeCallQueue(choices)
  }

  /// An engine on hardware of its own.
  package init(hardware: SimulatedHardware, choices: AVFAudioChoices = .standard) {
    self.hardware = hardware
    self.choices = choices
    callQueue = Self.makeCallQueue(choices)
  }

  private static func makeCallQueue(_ choices: AVFAudioChoices) -> DispatchQueue? {
    choices.offlineCalls == .queue ? DispatchQueue(label: "AVAudioEngine.offlineCalls") : nil
  }

  /// Makes the calls that are due, or lets the queue make them. Not on the thread that renders in real time.
  func makeDueCalls() {
    guard isOffline, let callQueue else { return dueCalls.makeAll() }
    callQueue.async { [dueCalls] in dueCalls.makeAll() }
  }

  private var follower: SliceFollower?

  /// The thread for what follows slices that a program renders in real time; nil where the system gives none. With the
  /// lock held.
  func realtimeFollower() -> SliceFollower? {
    if follower == nil { follower = SliceFollower { [weak self] in self?.followSlice() } }
    return follower
  }

  /// True where an interruption has stopped it, and nothing has started or stopped it since.
  var wasInterrupted = false
  /// The number of its observer at the hardware; nil: none yet.
  var observer: Int?

  deinit {
    link?.end()
    if let observer { hardware.stopObserving(observer) }
  }

  /// Runs `body` while nothing else edits. What runs takes over the edits when the outermost one ends.
  package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    lockDepth += 1
    defer {
      if lockDepth == 1, needsCompiling, rendersLive { compileLive() }
      lockDepth -= 1
      lock.unlock()
    }
    return try body()
  }

  /// Runs `body`, which must be short, while nothing renders: it changes words, and lists that are as long as what the
  /// program has scheduled. A thread that renders meanwhile waits for it, and for a second at most.
  package func betweenSlices<Result>(_ body: () -> Result) -> Result {
    var result: Result?
    domain.runAlone {
      let wasHeld = isHeld.exchange(true, ordering: .acquiringAndReleasing)
      result = body()
      isHeld.store(wasHeld, ordering: .releasing)
    }
    guard let result else { preconditionFailure("the function was run") }
    return result
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

  /// The source of what the microphone records; in manual rendering mode of what the program gives, silent until it has
  /// an input block.
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
    node.tap?.due = dueCalls
    (node as? AVAudioMixerNode)?.follow(choices.mixerLaw)
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
      node.engine = nil
      // A slice that is under way may use it: it ends behind that, or when what runs has taken over the edit.
      if rendersLive { retired.append(node.unit) } else { betweenSlices { node.unit.uninitialize() } }
      node.knownSources = [:]
      noteEdit()
    }
  }

  /// The connections are compiled anew in front of the next slice.
  func noteEdit() { needsCompiling = true }

  // MARK: States

  /// Compiles the graph, so that ``start()`` does not have to. Errors are those of ``start()``.
  public func prepare() {
    locked { if needsCompiling { try? compile() } }
  }

  /// Begins to render, or goes on after ``pause()``: in manual rendering mode when the program asks for it, else to the
  /// hardware.
  ///
  /// - Throws: `NSError`: −10875 where the graph cannot be rendered, with the reason; −10868 where an effect would have
  ///   to change a format; '!pla' or '!rec' (561015905, 561145187) while the hardware is interrupted.
  public func start() throws {
    try locked {
      guard !isRunning else { return }
      wasInterrupted = false
      require(output != nil || input != nil, "inputNode != nullptr || outputNode != nullptr")
      if mode == nil {
        try startHardware()
      } else {
        if needsCompiling { try compile() }
        isRunning = true
      }
    }
  }

  /// Stops rendering; the nodes keep their state.
  public func pause() {
    let link = locked {
      isRunning = false
      wasInterrupted = false
      return self.link
    }
    // Without the lock: the hardware may be waiting for an edit.
    link?.pause()
  }

  /// Stops rendering. Effects forget what they still would have given; players stop where they are, and keep what is
  /// scheduled. The render time begins anew at 0.
  public func stop() {
    let link = locked {
      isRunning = false
      wasInterrupted = false
      defer { self.link = nil }
      return self.link
    }
    link?.end()
    locked {
      guard !isRunning else { return }
      betweenSlices { beginAnew() }
    }
    makeDueCalls()
  }

  /// All nodes forget their signal, and the render time begins at 0. While nothing renders.
  func beginAnew() {
    for node in nodes {
      node.engineDidStop()
      node.flushTap()
      node.unit.reset()
    }
    sampleTime.store(0, ordering: .relaxed)
    lastSlice = nil
  }

  /// Clears delay lines, filters, converters and the schedules of players; the render time begins anew at 0, but for an
  /// engine that the hardware drives.
  public func reset() {
    locked {
      betweenSlices {
        for node in nodes { node.clearSignal() }
        guard mode != nil || !isRunning else { return }
        sampleTime.store(0, ordering: .relaxed)
        lastSlice = nil
      }
    }
    makeDueCalls()
  }
}
