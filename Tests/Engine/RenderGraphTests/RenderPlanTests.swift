import AudioCore
import AudioEngine
import BuiltInUnits
import CAllocationCounter
import Glibc
import RenderGraph
import Synchronization
import Testing
import TestSupport

/// Plans that change while a graph renders: at an edge between two slices, without a sample lost.
@Suite struct RenderPlanTests {
  private static let bands = [NBandEQ.Band(.parametric, frequencyHertz: 3000, bandwidthOctaves: 2, gainDecibels: 9)]

  /// Two sources into a mixer; the first through an equalizer where asked for.
  private final class TwoBranches {
    let graph = Graph(sampleRate: 48_000)
    let first: NBandEQ
    let equalizer: NBandEQ
    let mix: MultichannelMixer

    init(equalized: Bool, mayRunBesideOthers: Bool = true) throws {
      first = try graph.addSource(FunctionSource(mayRunBesideOthers: mayRunBesideOthers, steps(1)), as: "first")
      let second = try graph.addSource(FunctionSource(mayRunBesideOthers: mayRunBesideOthers, steps(2)), as: "second")
      mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
      equalizer = try NBandEQ(bands)
      try graph.connect(first, to: mix, input: 0)
      try graph.connect(second, to: mix, input: 1)
      try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
      if equalized { try insert() }
    }

    func insert() throws {
      try graph.add(equalizer, as: "equalizer")
      try graph.connect(first, to: equalizer)
      try graph.connect(equalizer, to: mix, input: 0)
    }
  }

  @Test("an equalizer put into a branch while rendering is heard from the edge on, to the sample", arguments: [1, 2])
  func insertion(threads: Int) throws {
    let plain = try TwoBranches(equalized: false).graph.renderer().renderedSignal(total: 1000)
    // A new graph that begins at the edge: its equalizer has no past either.
    let equalized = try TwoBranches(equalized: true).graph.renderer().renderedSignal(total: 1000, from: 1000)
    let parts = try TwoBranches(equalized: false)
    let renderer = try parts.graph.renderer(threads: threads)
    let before = try renderer.renderedSignal(total: 1000, in: .slices(of: 300))
    try parts.insert()
    renderer.update(to: try parts.graph.compile(parallel: threads > 1))
    let after = try renderer.renderedSignal(total: 1000, from: 1000, in: .slices(of: 300))
    #expect(firstDifference(before, plain) == nil)
    #expect(firstDifference(after, equalized) == nil)
    let untouched = try TwoBranches(equalized: false).graph.renderer().renderedSignal(total: 1000, from: 1000)
    #expect(firstDifference(after, untouched) != nil, "the equalizer does something")
  }

  @Test(
    "taking over a plan allocates nothing in the render call", .enabled(if: isRelease),
    arguments: [1, 2])
  func allocations(threads: Int) throws {
    let parts = try TwoBranches(equalized: false)
    let renderer = try parts.graph.renderer(threads: threads)
    _ = try renderer.rendered(total: 500)
    try parts.insert()
    renderer.update(to: try parts.graph.compile(parallel: threads > 1))
    var failure = AudioStatus.noError
    allocation_counter_start()
    do throws(AudioStatus) {
      try renderer.render(sampleTime: 500, frames: 500) { _, _, _ in }
    } catch {
      failure = error
    }
    let count = allocation_counter_stop()
    #expect(count == 0)
    #expect(failure == .noError)
  }

  @Test("a retired plan is freed when it is collected, and not before", arguments: [1, 2])
  func retirement(threads: Int) throws {
    let parts = try TwoBranches(equalized: false)
    weak var former: RenderPlan?
    weak var newer: RenderPlan?
    let renderer: GraphRenderer
    do {
      let plan = try parts.graph.compile(parallel: threads > 1)
      former = plan
      renderer = GraphRenderer(plan, threads: threads, rule: .always)
    }
    _ = try renderer.rendered(total: 100)
    try parts.insert()
    do {
      let plan = try parts.graph.compile(parallel: threads > 1)
      newer = plan
      renderer.update(to: plan)
    }
    renderer.collect()
    #expect(former != nil, "it still renders")
    _ = try renderer.rendered(total: 100, from: 100)
    #expect(former != nil, "the render call frees nothing")
    renderer.collect()
    #expect(former == nil)
    #expect(newer != nil)
    // A plan that is replaced before it was taken over goes at once.
    weak var skipped: RenderPlan?
    do {
      let plan = try parts.graph.compile(parallel: threads > 1)
      skipped = plan
      renderer.update(to: plan)
    }
    renderer.update(to: try parts.graph.compile(parallel: threads > 1))
    #expect(skipped == nil)
    _ = try renderer.rendered(total: 100, from: 200)
  }

  @Test(
    "plans handed over by another thread while rendering are taken whole, and the last one stays", arguments: [1, 2])
  func otherThread(threads: Int) throws {
    let graph = Graph(sampleRate: 48_000)
    let sources = try (0..<2).map { index in
      try graph.addSource(
        FunctionSource(mayRunBesideOthers: true) { _, _ in Float(index + 1) }, as: "source\(index)")
    }
    let quiet = try graph.addSource(FunctionSource(mayRunBesideOthers: true) { _, _ in 0.5 }, as: "quiet")
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    try graph.connect(quiet, to: mix, input: 1)
    try graph.connect(sources[0], to: mix, input: 0)
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let renderer = try graph.renderer(threads: threads)

    var failure: (any Error)?
    let editing = OwnThread {
      do {
        for round in 1...301 {
          try graph.connect(sources[round % 2], to: mix, input: 0)
          renderer.update(to: try graph.compile(parallel: threads > 1))
          renderer.collect()
        }
      } catch { failure = error }
    }
    var time: Int64 = 0
    var slices = 0
    func slice() throws -> Float {
      let signal = try renderer.renderedSignal(total: 64, from: time)
      time += 64
      slices += 1
      let level = signal[0][0]
      #expect([1.5, 2.5].contains(level))
      #expect(signal == [[Float]](repeating: Array(repeating: level, count: 64), count: 2), "slice \(slices)")
      return level
    }
    while !editing.hasEnded { _ = try slice() }
    editing.join()
    #expect(failure == nil)
    renderer.collect()
    // Round 301 was the last, and it connected source 1.
    #expect(try slice() == 2.5)
  }

  @Test("a mixer input whose callback is taken away is silent from the next plan on")
  func callbackRemoved() throws {
    let graph = Graph(sampleRate: 48_000)
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    let sources = [FunctionSource { _, _ in 1 }, FunctionSource { _, _ in 2 }]
    for bus in 0..<2 {
      try mix.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .input, element: bus)
      try mix.setRenderCallback(sources[bus].callback, input: bus)
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let renderer = try graph.renderer()
    #expect(try renderer.renderedSignal(total: 10)[0] == Array(repeating: 3, count: 10))
    try graph.disconnect(mix, input: 0)
    #expect(try renderer.renderedSignal(total: 10, from: 10)[0] == Array(repeating: 3, count: 10))
    renderer.update(to: try graph.compile())
    #expect(try renderer.renderedSignal(total: 10, from: 20)[0] == Array(repeating: 2, count: 10))
  }
}
