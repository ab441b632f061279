import AudioCore
import AudioEngine
import BuiltInUnits
import RenderGraph
import Testing
import TestSupport

/// The graphs that are refused, in which words, and the largest ones.
@Suite struct GraphTopologyTests {
  @Test("a cycle is named node by node, in the direction of sound")
  func cycle() throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    let low = try graph.add(LowPassFilter(), as: "low")
    let high = try graph.add(HighPassFilter(), as: "high")
    let out = try graph.add(GenericOutput(), as: "out")
    try graph.connect(mix, to: low)
    try graph.connect(low, to: high)
    try graph.connect(high, to: mix, input: 1)
    try graph.connect(high, to: out)
    let error = failure { _ = try graph.compile() }
    expectRefusal(error, "cycle")
    let circles = ["mix -> low -> high -> mix", "low -> high -> mix -> low", "high -> mix -> low -> high"]
    #expect(circles.contains { "\(error?.message ?? "")".contains($0) }, "\(error?.message ?? "")")
    // A node that feeds itself is the shortest one.
    let loop = Graph()
    let own = try loop.add(MultichannelMixer(inputs: 1), as: "own")
    try loop.connect(own, to: own)
    try loop.connect(own, to: try loop.add(GenericOutput(), as: "out"))
    expectRefusal(failure { _ = try loop.compile() }, "own -> own")
  }

  @Test("a chain of a thousand nodes renders what goes in at its other end", arguments: [1, 2])
  func chain(threads: Int) throws {
    let graph = Graph(maximumFramesPerSlice: 512)
    var last: Unit = try graph.addSource(FunctionSource(mayRunBesideOthers: true, steps(2)), as: "source")
    for index in 0..<1000 {
      let next = try graph.add(NBandEQ(numberOfBands: 0), as: "node\(index)")
      try graph.connect(last, to: next)
      last = next
    }
    // Two ways from its end, so that the whole chain is a branch.
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    try graph.connect(last, to: mix, input: 0)
    try graph.connect(last, to: mix, input: 1)
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let signal = try graph.renderer(threads: threads).renderedSignal(total: 1024, in: .slices(of: 500))
    for frame in 0..<1024 { #expect(signal[1][frame] == 2 * steps(2)(Int64(frame), 1)) }
  }

  @Test("a mixer of five hundred inputs sums them all", arguments: [1, 2])
  func wide(threads: Int) throws {
    let graph = Graph(maximumFramesPerSlice: 256)
    let mix = try graph.add(MultichannelMixer(inputs: 500), as: "mix")
    for bus in 0..<500 {
      let source = FunctionSource(mayRunBesideOthers: true) { frame, _ in Float(bus) + Float(frame) }
      try graph.connect(try graph.addSource(source, as: "source\(bus)"), to: mix, input: bus)
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let signal = try graph.renderer(threads: threads).renderedSignal(total: 600, in: .slices(of: 250))
    // Sums of whole numbers below 2^24 are exact.
    for frame in 0..<600 { #expect(signal[0][frame] == Float(500 * 499 / 2 + 500 * frame)) }
  }

  @Test("the order of a chain of twenty thousand nodes is found, and its cycle too")
  func longOrder() throws {
    let graph = Graph()
    let count = 20_000
    var units: [Unit] = []
    for index in 0..<count { units.append(try graph.add(NBandEQ(numberOfBands: 0), as: "n\(index)")) }
    let out = try graph.add(GenericOutput(), as: "out")
    for index in 1..<count { try graph.connect(units[index - 1], to: units[index]) }
    try graph.connect(units[count - 1], to: out)
    #expect(try graph.renderOrder() == Array(0...count))
    try graph.connect(units[count - 1], to: units[0])
    expectRefusal(failure { _ = try graph.renderOrder() }, "cycle")
  }
}
