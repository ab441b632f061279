import AudioCore
import AudioEngine
import BuiltInUnits
import HandOver
import RenderGraph
import Synchronization
import Testing
import TestSupport

/// The work of a graph that is handed to other threads. Counted, and never timed: the clock is the test's own.
@Suite("Work of a graph is handed to other threads where it is worth it")
struct BranchJobTests {
  private final class Clock: Sendable {
    let ticks = Atomic<UInt64>(0)
    var rule: HandOverRule {
      .scripted(wakeUpTicks: 1000) { [self] in ticks.load(ordering: .sequentiallyConsistent) }
    }
  }

  /// Four sources into one mixer, each of which takes so many ticks for each pull.
  private func graph(_ clock: Clock, ticks: UInt64) throws -> (Graph, [FunctionSource]) {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 4), as: "mix")
    let sources = (0..<4).map { FunctionSource(mayRunBesideOthers: true, steps(Int64($0))) }
    for (bus, source) in sources.enumerated() {
      source.onPull = { clock.ticks.add(ticks, ordering: .sequentiallyConsistent) }
      try graph.connect(try graph.addSource(source, as: "source\(bus)"), to: mix, input: bus)
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    return (graph, sources)
  }

  @Test("no slice is handed over whose branches take one thread less than a wake-up takes", arguments: [1, 64, 500])
  func worth(frames: Int) throws {
    for (ticks, isWorth) in [(0, false), (1, false), (249, false), (5000, true)] as [(UInt64, Bool)] {
      let clock = Clock()
      let (graph, _) = try graph(clock, ticks: ticks)
      let renderer = try graph.renderer(threads: 2, rule: clock.rule)
      let signal = try renderer.renderedSignal(total: 300 * frames, in: .slices(of: frames))
      #expect((renderer.handOverCount > 0) == isWorth, "\(ticks) ticks in each of four branches")
      let (alone, _) = try self.graph(Clock(), ticks: 0)
      #expect(try alone.renderer().renderedSignal(total: 300 * frames, in: .slices(of: frames)) == signal)
    }
  }

  private func tones(_ inputs: Int) throws -> Graph {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: inputs), as: "mix")
    for bus in 0..<inputs {
      let tone = try graph.add(ToneGenerator(), as: "tone\(bus)")
      let low = try graph.add(LowPassFilter(), as: "low\(bus)")
      try graph.connect(tone, to: low)
      try graph.connect(low, to: mix, input: bus)
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    return graph
  }

  /// Renders in slices, of a sound of which so much is known to come without an edit.
  private func render(_ renderer: GraphRenderer, total: Int, slice: Int) throws -> [[Float]] {
    var channels: [[Float]] = [[], []]
    for at in stride(from: 0, to: total, by: slice) {
      let frames = min(slice, total - at)
      renderer.prefetch(sampleTime: Int64(at), frames: frames, steadyFrames: total - at)
      try renderer.render(sampleTime: Int64(at), frames: frames, steadyFrames: total - at) { bus, _, count in
        for channel in 0..<2 {
          channels[channel] += bus.planes[channel].prefix(count).elements
        }
      }
    }
    return channels
  }

  @Test(
    "short slices take theirs from blocks of 4096 frames, which threads render at once", arguments: [1, 64, 1000, 4096])
  func blocks(slice: Int) throws {
    let total = 3 * 4096 + 100
    let wanted = try render(try tones(4).renderer(), total: total, slice: 4096)
    let renderer = try tones(4).renderer(threads: 2, rule: .always)
    let heard = try render(renderer, total: total, slice: slice)
    #expect(heard == wanted)
    #expect(wanted[0].contains { $0 != 0 })
    // One of each block for rendering and one for reading, and the first reading: a remainder of slices is a block as
    // well.
    let blocks = 4 + (total % slice > 0 ? 1 : 0)
    #expect(renderer.handOverCount > 3)
    #expect(renderer.handOverCount <= 2 * blocks + 1, "\(renderer.handOverCount) of \(total / slice) slices")
  }

  @Test("functions of a host are called with its slices, whatever is known of what comes", arguments: [false, true])
  func callbacks(isSafe: Bool) throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    let source = FunctionSource(mayRunBesideOthers: isSafe, steps(3))
    try graph.connect(try graph.addSource(source, as: "source"), to: mix, input: 0)
    for bus in 1..<3 { try graph.connect(try graph.add(ToneGenerator(), as: "tone\(bus)"), to: mix, input: bus) }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    _ = try render(try graph.renderer(threads: 2), total: 1280, slice: 64)
    #expect(source.pulls == 20)
  }
}
