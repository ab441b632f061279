import AudioCore
import AudioEngine
import BatchRender
import CRealtime
import RenderGraph

/// A render whose calls are watched: of all numbers of frames, with parameters that change, from its very first call,
/// into the silence behind its sound.
struct WatchedRender {
  private let graph: Graph
  private let plan: RenderPlan
  private let renderer: GraphRenderer
  private let watch: CallWatch
  private let order: WatchOrder
  private let names: [String]
  private let unit: Unit?

  /// - Throws: `.graph` and `.input` for what is wrong with the graph, `.render` where this process is not watched.
  init(_ subject: BenchSubject, _ order: WatchOrder, options: GraphFile.Options) throws(BenchError) {
    guard let watch = CallWatch() else {
      throw BenchError(.render, "the library that watches render calls is not in this process")
    }
    (self.watch, self.order) = (watch, order)
    graph = try subject.loadGraph(options)
    plan = try graph.compile()
    renderer = GraphRenderer(plan)
    names = plan.allNodes.map(\.name)
    unit = graph.nodes.first { $0.name == order.node }?.unit
  }

  func report() throws(BenchError) -> WatchReport {
    let meters = NodeMeters(plan.allNodes, onEntry: watch.onEntry)
    meters.isOn = true
    defer { meters.isOn = false }
    var kinds = watch.begin([.allocation, .release, .lock, .systemCall])
    var first: [UInt64] = []
    var calls = 0
    try render { (frames) throws(AudioStatus) in
      try watch.around { () throws(AudioStatus) in try frames() }
      if calls == 0 { first = watch.counts }
      calls += 1
    }
    var (findings, lost) = watch.findings(nodes: names, first: first)

    kinds += watch.begin([.denormal])
    realtime_leave_denormals(true)
    var hasDenormals: [Bool] = []
    try render { (frames) throws(AudioStatus) in
      let former = watch.count
      try watch.around { () throws(AudioStatus) in try frames() }
      hasDenormals.append(watch.count > former)
    }
    realtime_leave_denormals(false)
    let denormals = watch.findings(nodes: names, first: [])
    findings += denormals.findings
    lost += denormals.lost
    return WatchReport(
      kinds: kinds, calls: calls, frames: order.frames, findings: findings, lost: lost,
      denormalFactor: hasDenormals.contains(true) ? try denormalFactor(hasDenormals) : nil)
  }

  /// The ratio of the time of some calls with denormals to that with zeros in their place: the least of three.
  private func denormalFactor(_ isCounted: [Bool]) throws(BenchError) -> Double {
    var least = (zeros: UInt64.max, denormals: UInt64.max)
    for _ in 0..<3 {
      least.zeros = min(least.zeros, try ticks(of: isCounted))
      realtime_leave_denormals(true)
      least.denormals = min(least.denormals, try ticks(of: isCounted))
      realtime_leave_denormals(false)
    }
    return Double(least.denormals) / Double(max(1, least.zeros))
  }

  private func ticks(of isCounted: [Bool]) throws(BenchError) -> UInt64 {
    var ticks: UInt64 = 0
    var index = 0
    try render { (frames) throws(AudioStatus) in
      let start = NodeMeters.now()
      try frames()
      if isCounted[index] { ticks += NodeMeters.now() - start }
      index += 1
    }
    return ticks
  }

  /// Renders all frames, from the beginning: the same each time.
  private func render(_ call: (() throws(AudioStatus) -> Void) throws(AudioStatus) -> Void) throws(BenchError) {
    var generator = SplitMix64(seed: 1)
    graph.reset()
    var time: Int64 = 0
    while time < order.frames {
      let most = Int(min(Int64(order.mostFrames), order.frames - time))
      // Small ones as often as large ones.
      let frames = min(
        most,
        Int.random(
          in:
            1...(1
            << Int.random(in: 0...order.mostFrames.bitWidth - order.mostFrames.leadingZeroBitCount, using: &generator)),
          using: &generator))
      if let unit { change(unit, &generator) }
      renderer.prefetch(sampleTime: time, frames: frames)
      do {
        try call { () throws(AudioStatus) in
          try renderer.render(sampleTime: time, frames: frames) { _, _, _ in }
        }
      } catch {
        throw renderer.failure(for: error)
      }
      time += Int64(frames)
    }
  }

  /// Sets one of the parameters, in one call of four: elsewhere nothing changes, which is a path of its own.
  private func change(_ unit: Unit, _ generator: inout SplitMix64) {
    let parameters = unit.allParameters.filter { !$0.descriptor.isReadOnly }
    guard Int.random(in: 0..<4, using: &generator) == 0,
      let (address, descriptor) = parameters.randomElement(using: &generator)
    else { return }
    let largest = descriptor.maximum.isFinite ? descriptor.maximum : 20_000
    guard descriptor.minimum < largest else { return }
    // A value that a unit refuses is no matter of realtime.
    try? unit.setParameter(address, to: Float.random(in: descriptor.minimum...largest, using: &generator))
  }
}
