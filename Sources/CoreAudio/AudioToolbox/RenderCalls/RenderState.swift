import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import DeviceUnits

/// The nodes, formats and feed that an initialized unit renders with, handed to the render side as a whole.
final class RenderState: @unchecked Sendable {
  /// One output bus, and the node that renders it.
  struct Outlet {
    let node: Unmanaged<RenderNode>
    let bus: Int
    let format: StreamFormat
    /// The buffers of ``format``.
    let bufferCount: Int
    /// Outlets of one node share a clock: pulled for the same time, it renders once.
    let clock: Int
    /// False for an element of an output unit that was not switched on.
    let isEnabled: Bool

    init(_ node: Unmanaged<RenderNode>, bus: Int, _ format: StreamFormat, clock: Int, isEnabled: Bool) {
      self.node = node
      self.bus = bus
      self.format = format
      bufferCount = format.bufferCount
      self.clock = clock
      self.isEnabled = isEnabled
    }
  }

  /// One input bus: the shape of a list that is pushed into it.
  struct Inlet {
    let bufferCount: Int
    let bytesPerFrame: Int
    /// True when the bus has another format than the processor.
    let isConverted: Bool
  }

  /// By output bus; behind a pointer, so that reading one counts no references.
  let outlets: UnsafeMutablePointer<Outlet>
  let outletCount: Int
  /// By input bus.
  let inlets: UnsafeMutablePointer<Inlet>
  let inletCount: Int
  /// The host's memory for output for which a render call brings none; nil: the unit's own.
  let external: ExternalBuffer?
  /// True when output frame n needs just input frame n.
  let isSynchronous: Bool
  private let nodes: [RenderNode]
  /// Keeps the ``HostState`` too: wires may still lead to it when the instance is gone.
  let feed: HostFeed
  /// True when other units may pull the unit through a wire.
  let mayBeWired: Bool
  let maximumFrames: Int
  /// The unit, where it is one that reads all of its input first.
  private let offline: OfflineEffectUnit?
  /// True for a unit that keeps its own schedule, and decides itself what a reset clears.
  private let isScheduled: Bool

  init(unit: Unit, node: RenderNode, feed: HostFeed, external: ExternalBuffer? = nil) {
    self.external = external
    var list: [Outlet] = []
    if let device = unit.deviceOutput, let input = device.outlet(ofOutput: 1) {
      nodes = [node, input.node]
      list = [
        Outlet(
          .passUnretained(node), bus: 0, node.outputFormats[0], clock: 0, isEnabled: device.isOutputEnabled),
        Outlet(
          .passUnretained(input.node), bus: input.bus, input.node.outputFormats[input.bus], clock: 1,
          isEnabled: device.isInputEnabled),
      ]
    } else {
      nodes = [node]
      list = node.outputFormats.enumerated().map {
        Outlet(.passUnretained(node), bus: $0, $1, clock: 0, isEnabled: true)
      }
    }
    outletCount = list.count
    outlets = .allocate(capacity: max(1, list.count))
    outlets.initialize(from: list, count: list.count)
    inletCount = unit.elementCount(.input)
    inlets = .allocate(capacity: max(1, inletCount))
    for bus in 0..<inletCount {
      let format = (try? unit.streamFormat(.input, element: bus)) ?? .initial
      (inlets + bus).initialize(
        to: Inlet(
          bufferCount: format.bufferCount, bytesPerFrame: format.bytesPerFrame,
          isConverted: format != unit.processingFormat(ofInput: bus)))
    }
    isSynchronous = node.isSynchronous
    self.feed = feed
    isScheduled = unit is SchedulePlayer
    offline = unit as? OfflineEffectUnit
    maximumFrames = node.maximumFrames
    mayBeWired = list.count == 1 && unit.deviceOutput == nil
    let ringFrames: Int64?
    switch unit.component.description.type {
    case .effect: ringFrames = Int64(unit.latencyFrames) + (unit.tailFrames ?? 0)
    // A converter rings on.
    case .mixer: ringFrames = (0..<unit.elementCount(.input)).contains(where: unit.convertsInput) ? nil : 0
    case .output, .formatConverter: ringFrames = node.isSynchronous ? 0 : nil
    default: ringFrames = nil
    }
    node.attach(feed.memory, feed: feed, ringFrames: ringFrames)
  }

  deinit {
    outlets.deinitialize(count: outletCount)
    outlets.deallocate()
    inlets.deallocate()
  }

  /// Frames of the slice just rendered that belong to the sound of an offline unit, where it completed that; nil: all
  /// do.
  func completingFrames(_ flags: AudioUnitRenderActionFlags) -> Int? {
    guard flags.contains(.offlineUnitRenderAction_Complete), let offline else { return nil }
    return offline.completingFrames
  }

  func reset() {
    if !isScheduled { for node in nodes { node.reset() } }
    for node in nodes { node.forgetClock() }
    feed.resetConverters()
  }
}
