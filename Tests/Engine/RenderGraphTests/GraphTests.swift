import AudioCore
import AudioEngine
import BuiltInUnits
import RenderGraph
import Testing
import TestSupport

/// What is in a graph: nodes, their names, and connections.
@Suite struct GraphTests {
  @Test("a second output unit is refused when it is added, and a graph without one when it is compiled")
  func outputs() throws {
    let graph = Graph()
    expectRefusal(failure { _ = try graph.compile() }, "no output unit", "genericOutput")
    try graph.add(GenericOutput(), as: "out")
    expectRefusal(
      failure { _ = try graph.add(GenericOutput(), as: "spare") }, "\"spare\"", "\"out\"", "exactly one output unit")
    #expect(graph.nodes.count == 1)
  }

  @Test("a bus that a unit does not have is named with those that it has")
  func buses() throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    let low = try graph.add(LowPassFilter(), as: "low")
    let player = try graph.add(FilePlayer(), as: "player")
    expectRefusal(failure { try graph.connect(low, to: mix, input: 3) }, "\"mix\"", "no input bus 3", "0 to 2")
    expectRefusal(failure { try graph.connect(low, to: mix, input: -1) }, "\"mix\"", "no input bus -1")
    expectRefusal(failure { try graph.connect(low, output: 1, to: mix) }, "\"low\"", "no output bus 1", "0 to 0")
    expectRefusal(failure { try graph.connect(low, to: player) }, "\"player\"", "has no inputs")
    let stranger = HighPassFilter()
    expectRefusal(failure { try graph.connect(stranger, to: mix) }, "highPassFilter", "not in the graph")
    expectRefusal(failure { try graph.disconnect(stranger) }, "not in the graph")
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

  @Test("names are unique, a unit is in a graph once, and units without a name get one of their kind")
  func names() throws {
    let graph = Graph()
    let low = try graph.add(LowPassFilter(), as: "low")
    expectRefusal(failure { _ = try graph.add(HighPassFilter(), as: "low") }, "\"low\"", "two nodes")
    expectRefusal(failure { _ = try graph.add(low, as: "again") }, "\"again\"", "in the graph already")
    try graph.add(LowPassFilter())
    try graph.add(LowPassFilter())
    #expect(graph.nodes.map(\.name) == ["low", "lowPassFilter1", "lowPassFilter2"])
    #expect(graph.node(named: "lowPassFilter2") != nil && graph.node(named: "nobody") == nil)
  }
}
