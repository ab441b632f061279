import AudioCore
import AudioEngine
import BuiltInUnits
import RenderGraph
import TestSupport
import Testing

/// What a graph refuses, in which words, and how large it may be.
@Suite struct StructureTests {
  private func expect(_ error: BenchError?, _ words: String..., place: SourceLocation = #_sourceLocation) {
    guard let error else {
      Issue.record("nothing was thrown", sourceLocation: place)
      return
    }
    #expect(error.kind == .graph, "\(error)", sourceLocation: place)
    for word in words { #expect("\(error)".contains(word), "no \"\(word)\" in: \(error)", sourceLocation: place) }
  }

  private func silence(_ graph: Graph, as name: String, channels: Int = 2) throws -> NBandEQ {
    try graph.addSource(FunctionSource(mayRunBesideOthers: true) { _, _ in 0 }, as: name, channels: channels)
  }

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
    expect(error, "cycle")
    let circles = ["mix -> low -> high -> mix", "low -> high -> mix -> low", "high -> mix -> low -> high"]
    #expect(circles.contains { "\(error?.message ?? "")".contains($0) }, "\(error?.message ?? "")")
    // A node that feeds itself is the shortest one.
    let loop = Graph()
    let own = try loop.add(MultichannelMixer(inputs: 1), as: "own")
    try loop.connect(own, to: own)
    try loop.connect(own, to: try loop.add(GenericOutput(), as: "out"))
    expect(failure { _ = try loop.compile() }, "own -> own")
  }

  @Test("a second output unit is refused when it is added, and a graph without one when it is compiled")
  func outputs() throws {
    let graph = Graph()
    expect(failure { _ = try graph.compile() }, "no output unit", "genericOutput")
    try graph.add(GenericOutput(), as: "out")
    expect(
      failure { _ = try graph.add(GenericOutput(), as: "spare") }, "\"spare\"", "\"out\"", "exactly one output unit")
    #expect(graph.nodes.count == 1)
  }

  @Test("an input that nothing feeds is named with its bus; a mixer takes it as silence")
  func unconnected() throws {
    let graph = Graph()
    let low = try graph.add(LowPassFilter(), as: "low")
    let out = try graph.add(GenericOutput(), as: "out")
    expect(failure { _ = try graph.compile() }, "node \"out\", input bus 0", "nothing is connected")
    try graph.connect(low, to: out)
    expect(failure { _ = try graph.compile() }, "node \"low\", input bus 0")
    let mixed = Graph()
    let mix = try mixed.add(MultichannelMixer(inputs: 3), as: "mix")
    try mixed.connect(mix, to: try mixed.add(GenericOutput(), as: "out"))
    let signal = try mixed.renderer().renderedSignal(total: 100)
    #expect(signal == [[Float]](repeating: Array(repeating: 0, count: 100), count: 2))
  }

  @Test("a bus that a unit does not have is named with those that it has")
  func buses() throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    let low = try graph.add(LowPassFilter(), as: "low")
    let player = try graph.add(FilePlayer(), as: "player")
    expect(failure { try graph.connect(low, to: mix, input: 3) }, "\"mix\"", "no input bus 3", "0 to 2")
    expect(failure { try graph.connect(low, to: mix, input: -1) }, "\"mix\"", "no input bus -1")
    expect(failure { try graph.connect(low, output: 1, to: mix) }, "\"low\"", "no output bus 1", "0 to 0")
    expect(failure { try graph.connect(low, to: player) }, "\"player\"", "has no inputs")
    let stranger = HighPassFilter()
    expect(failure { try graph.connect(stranger, to: mix) }, "highPassFilter", "not in the graph")
    expect(failure { try graph.disconnect(stranger) }, "not in the graph")
    #expect(graph.connections.isEmpty)
  }

  @Test("an input has one source: a second connection replaces the first")
  func replaced() throws {
    let graph = Graph()
    let first = try graph.addSource(FunctionSource { _, _ in 0.25 }, as: "first")
    let second = try graph.addSource(FunctionSource { _, _ in 0.5 }, as: "second")
    let out = try graph.add(GenericOutput(), as: "out")
    try graph.connect(first, to: out)
    try graph.connect(second, to: out)
    #expect(graph.connections.count == 1)
    #expect(try graph.renderer().renderedSignal(total: 10)[0] == Array(repeating: 0.5, count: 10))
    #expect(!first.isInitialized && second.isInitialized)
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
    expect(failure { _ = try graph.compile() }, "node \"source\"", "two speeds", "node of its own")
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
    expect(failure { _ = try graph.compile() }, "node \"source\"", "two speeds", "node of its own")
    try scene.set(.playbackRate, input: 1, to: 1)
    try scene.setProperty(.spatialRenderingFlags, .input, element: 0, to: .uint32(2))
    expect(failure { _ = try graph.compile() }, "node \"source\"", "two speeds", "node of its own")
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
    expect(failure { _ = try graph.compile(taps: ["dead"]) }, "\"dead\"", "does not lead to the output")
    expect(failure { _ = try graph.compile(taps: ["nobody"]) }, "\"nobody\"", "no such node")
  }

  @Test("names are unique, a unit is in a graph once, and units without a name get one of their kind")
  func names() throws {
    let graph = Graph()
    let low = try graph.add(LowPassFilter(), as: "low")
    expect(failure { _ = try graph.add(HighPassFilter(), as: "low") }, "\"low\"", "two nodes")
    expect(failure { _ = try graph.add(low, as: "again") }, "\"again\"", "in the graph already")
    try graph.add(LowPassFilter())
    try graph.add(LowPassFilter())
    #expect(graph.nodes.map(\.name) == ["low", "lowPassFilter1", "lowPassFilter2"])
    #expect(graph.node(named: "lowPassFilter2") != nil && graph.node(named: "nobody") == nil)
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
    expect(
      failure { _ = try graph.compile() }, "node \"low\", input bus 0", "int16", "\"conv\"", "formatConverter in front")

    let six = Graph()
    let wide = try silence(six, as: "wide", channels: 6)
    let rock = try six.add(IPodEQ(preset: 17), as: "rock")
    try six.connect(wide, to: rock)
    try six.connect(rock, to: try six.add(GenericOutput(), as: "out"))
    expect(
      failure { _ = try six.compile() }, "node \"rock\", input bus 0", "6 ch", "but 1 or 2 channels", "mono and stereo",
      "formatConverter")

    let rates = Graph(sampleRate: 48_000)
    let equalizer = try silence(rates, as: "equalizer")
    try rates.setOutputFormat(Graph.WantedFormat(sampleRate: 44_100), of: equalizer)
    let after = try rates.add(LowPassFilter(), as: "after")
    try rates.setOutputFormat(Graph.WantedFormat(sampleRate: 44_100), of: after)
    try rates.connect(equalizer, to: after)
    try rates.connect(after, to: try rates.add(GenericOutput(), as: "out"))
    expect(failure { _ = try rates.compile() }, "node \"equalizer\"", "48000", "44100", "formatConverter")
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
    expect(failure { _ = try graph.renderOrder() }, "cycle")
  }
}
