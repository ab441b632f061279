import AudioCore
import AudioEngine
import BuiltInUnits
import RenderGraph
import Testing
import TestSupport

/// What a graph is refused for when it is compiled, and what it may have.
@Suite struct GraphCompileTests {
  @Test("an input that nothing feeds is named with its bus; a mixer takes it as silence")
  func unconnected() throws {
    let graph = Graph()
    let low = try graph.add(LowPassFilter(), as: "low")
    let out = try graph.add(GenericOutput(), as: "out")
    expectRefusal(failure { _ = try graph.compile() }, "node \"out\", input bus 0", "nothing is connected")
    try graph.connect(low, to: out)
    expectRefusal(failure { _ = try graph.compile() }, "node \"low\", input bus 0")
    let mixed = Graph()
    let mix = try mixed.add(MultichannelMixer(inputs: 3), as: "mix")
    try mixed.connect(mix, to: try mixed.add(GenericOutput(), as: "out"))
    let signal = try mixed.renderer().renderedSignal(total: 100)
    #expect(signal == [[Float]](repeating: Array(repeating: 0, count: 100), count: 2))
  }

  @Test("nodes that do not lead to the output stay uninitialized, and need no input")
  func dead() throws {
    let graph = Graph()
    let heard = try silence(graph, as: "heard")
    let dead = try graph.add(LowPassFilter(), as: "dead")
    let player = try graph.add(FilePlayer(), as: "player")
    try graph.connect(heard, to: try graph.add(GenericOutput(), as: "out"))
    try graph.connect(heard, to: dead)
    _ = try graph.compile()
    #expect(heard.isInitialized)
    #expect(!dead.isInitialized && !player.isInitialized)
    expectRefusal(failure { _ = try graph.compile(taps: ["dead"]) }, "\"dead\"", "does not lead to the output")
    expectRefusal(failure { _ = try graph.compile(taps: ["nobody"]) }, "\"nobody\"", "no such node")
  }

  @Test("a format that an input does not take names node, bus, format and where to put a converter")
  func formats() throws {
    let graph = Graph()
    let source = try silence(graph, as: "source")
    let conv = try graph.add(FormatConverterUnit(), as: "conv")
    let low = try graph.add(LowPassFilter(), as: "low")
    try graph.setOutputFormat(Graph.WantedFormat(encoding: .int16, isInterleaved: true), of: conv)
    try graph.connect(source, to: conv)
    try graph.connect(conv, to: low)
    try graph.connect(low, to: try graph.add(GenericOutput(), as: "out"))
    expectRefusal(
      failure { _ = try graph.compile() }, "node \"low\", input bus 0", "int16", "\"conv\"", "formatConverter in front")

    let six = Graph()
    let wide = try silence(six, as: "wide", channels: 6)
    let rock = try six.add(IPodEQ(preset: 17), as: "rock")
    try six.connect(wide, to: rock)
    try six.connect(rock, to: try six.add(GenericOutput(), as: "out"))
    expectRefusal(
      failure { _ = try six.compile() }, "node \"rock\", input bus 0", "6 ch", "but 1 or 2 channels", "mono and stereo",
      "formatConverter")

    let rates = Graph(sampleRate: 48_000)
    let equalizer = try silence(rates, as: "equalizer")
    try rates.setOutputFormat(Graph.WantedFormat(sampleRate: 44_100), of: equalizer)
    let after = try rates.add(LowPassFilter(), as: "after")
    try rates.setOutputFormat(Graph.WantedFormat(sampleRate: 44_100), of: after)
    try rates.connect(equalizer, to: after)
    try rates.connect(after, to: try rates.add(GenericOutput(), as: "out"))
    expectRefusal(failure { _ = try rates.compile() }, "node \"equalizer\"", "48000", "44100", "formatConverter")
  }

  @Test("one node that would have to run at two speeds is refused by name")
  func twoClocks() throws {
    let graph = Graph(sampleRate: 48_000)
    let source = try silence(graph, as: "source")
    let slow = try graph.add(FormatConverterUnit(), as: "slow")
    let fast = try graph.add(FormatConverterUnit(), as: "fast")
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    try graph.setOutputFormat(Graph.WantedFormat(sampleRate: 32_000), of: slow)
    try graph.connect(source, to: slow)
    try graph.connect(slow, to: mix, input: 0)
    try graph.connect(source, to: mix, input: 1)
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    expectRefusal(failure { _ = try graph.compile() }, "node \"source\"", "two speeds", "node of its own")
    // Two conversions are two clocks as well, even of the same rates; a change of format alone is none.
    try graph.setOutputFormat(Graph.WantedFormat(encoding: .int16), of: fast)
    try graph.connect(source, to: fast)
    try graph.connect(fast, to: mix, input: 0)
    graph.uninitialize()
    #expect(try graph.renderer().renderedSignal(total: 10)[0].count == 10)
  }

  @Test("one node for two inputs of a 3D mixer is refused where one of them has another speed", arguments: [1, 2])
  func speeds(threads: Int) throws {
    let graph = Graph(sampleRate: 48_000)
    let source = try graph.addSource(FunctionSource(steps(3)), as: "source")
    let scene = SpatialMixer(inputs: 2)
    let mix = try graph.add(scene, as: "scene")
    try graph.connect(source, to: mix, input: 0)
    try graph.connect(source, to: mix, input: 1)
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let twice = try graph.renderer(threads: threads).renderedSignal(total: 1000)
    #expect(twice[0].contains { $0 != 0 })
    graph.uninitialize()
    try scene.set(.playbackRate, input: 1, to: 1.5)
    expectRefusal(failure { _ = try graph.compile() }, "node \"source\"", "two speeds", "node of its own")
    try scene.set(.playbackRate, input: 1, to: 1)
    try scene.setProperty(.spatialRenderingFlags, .input, element: 0, to: .uint32(2))
    expectRefusal(failure { _ = try graph.compile() }, "node \"source\"", "two speeds", "node of its own")
  }

  @Test("a node behind which a conversion lies may feed several others on its own clock")
  func fanOutBehindConversion() throws {
    func make(shared: Bool) throws -> Graph {
      let graph = Graph(sampleRate: 48_000)
      let one = try graph.addSource(FunctionSource(steps(3)), as: "one")
      let other = shared ? one : try graph.addSource(FunctionSource(steps(3)), as: "other")
      let low = try graph.add(LowPassFilter(), as: "low")
      let sum = try graph.add(MultichannelMixer(inputs: 2), as: "sum")
      let conv = try graph.add(FormatConverterUnit(), as: "conv")
      try graph.setOutputFormat(Graph.WantedFormat(sampleRate: 44_100), of: conv)
      let out = try graph.add(GenericOutput(), as: "out")
      try graph.connect(one, to: low)
      try graph.connect(low, to: sum, input: 0)
      try graph.connect(other, to: sum, input: 1)
      try graph.connect(sum, to: conv)
      try graph.connect(conv, to: out)
      return graph
    }
    let expected = try make(shared: false).renderer().renderedSignal(total: 3000)
    #expect(expected[0].contains { abs($0) > 0.1 })
    for partition in Partition.all {
      let signal = try make(shared: true).renderer(threads: 2).renderedSignal(total: 3000, in: partition)
      #expect(firstDifference(signal, expected) == nil, "\(partition)")
    }
  }
}
