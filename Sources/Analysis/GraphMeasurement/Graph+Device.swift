// Graphs and units of the engine as devices under test.

import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import Measurement
import Processes
import RenderGraph

extension GraphDevice {
  /// True when its file players play their own files; its input then sets only the rate.
  public var playsFiles: Bool { inputNode == nil }
}

extension Graph: DeviceConvertible {
  /// The graph itself is rendered, again and again: while the device is there it belongs to it. Afterwards it is
  /// uninitialized, and its players have the files and the regions that they had.
  public func device(playsItself: Bool) throws(BenchError) -> any Device {
    let borrowed = BorrowedGraph(self)
    return try GraphDevice("graph", playsItself: playsItself) { (rate) throws(BenchError) in
      try borrowed.graph(atRate: rate)
    }
  }

  /// True when a node plays files, scheduled ones too.
  public var playsFiles: Bool {
    nodes.contains { $0.unit.filePlayer != nil || $0.unit is SchedulePlayer }
  }
}

extension Unit: DeviceConvertible {
  /// As ``device(sampleRate:)`` without a rate; `playsItself` changes nothing.
  public func device(playsItself: Bool) throws(BenchError) -> any Device { try device(sampleRate: nil) }

  /// The unit between a player and an output: what comes into its input 0 is the stimulus, and its other inputs have
  /// nothing. The unit belongs to the device while that is there.
  ///
  /// - Parameter sampleRate: hertz, above 0 and at most 3 MHz; nil: what was set on its input, and 48000 for a unit
  ///   whose format is still the one that it was made with (44100 Hz, stereo), as in suites and `aubench measure`.
  /// - Throws: `.usage` for a unit without an input or an output, or another rate.
  public func device(sampleRate: Double?) throws(BenchError) -> any Device {
    let borrowed = try BorrowedUnit(self, sampleRate: sampleRate)
    return try GraphDevice(component.shortName, input: GraphDevice.stimulusNode) { (rate) throws(BenchError) in
      try borrowed.graph(atRate: rate)
    }
  }

  /// False: a unit by itself is always given a stimulus.
  public var playsFiles: Bool { false }
}

/// A graph that belongs to the caller, given back as it was. One thread at a time: the devices' calls come one after
/// another.
private final class BorrowedGraph: @unchecked Sendable {
  private let graph: Graph
  private let restorePlayers: [() -> Void]

  init(_ graph: Graph) {
    self.graph = graph
    graph.uninitialize()
    restorePlayers = graph.filePlayers.map { $0.player.restoring() }
  }

  func graph(atRate rate: Double?) throws(BenchError) -> Graph {
    guard rate == nil || rate == graph.sampleRate else {
      throw BenchError(
        .usage, "the graph runs at \(graph.sampleRate) Hz, and the stimulus has \(rate ?? 0) Hz",
        advice: "give it a stimulus of its own rate")
    }
    return graph
  }

  deinit {
    graph.uninitialize()
    for restore in restorePlayers { restore() }
  }
}

/// A unit that belongs to the caller, in a graph that is made for it.
private final class BorrowedUnit: @unchecked Sendable {
  private let unit: Unit
  private let label: String
  private let input: StreamFormat
  private let output: StreamFormat
  /// The rate of the unit's renders: the one given, or the unit's own.
  private let sampleRate: Double
  private let silence: ScratchFolder
  private let silencePath: String
  private var graph: Graph?

  init(_ unit: Unit, sampleRate: Double?) throws(BenchError) {
    guard let input = try? unit.streamFormat(.input), let output = try? unit.streamFormat(.output) else {
      throw BenchError(
        .usage, at: "unit \(unit.component.shortName)", "the unit has no input, or no output",
        advice: "put it into a graph, and test that")
    }
    if let sampleRate, !StreamFormat.isSampleRate(sampleRate) {
      throw BenchError(
        .usage, at: "unit \(unit.component.shortName)",
        "a rate lies above 0 and is at most 3000000 Hz, found \(sampleRate)")
    }
    self.sampleRate = sampleRate ?? (input == .initial ? MeasurementSettings.defaultSampleRate : input.sampleRate)
    (self.unit, label, self.input, self.output) = (unit, unit.label, input, output)
    unit.uninitialize()
    silence = try ScratchFolder()
    silencePath = silence.file("silence.wav")
    try AudioSignal(sampleRate: 48_000, channelCount: input.channelCount, [0]).write(to: silencePath)
  }

  func graph(atRate rate: Double?) throws(BenchError) -> Graph {
    let rate = rate ?? sampleRate
    if let graph, graph.sampleRate == rate { return graph }
    giveBack()
    let graph = Graph(sampleRate: rate)
    let player = try graph.add(FilePlayer(silencePath), as: GraphDevice.stimulusNode)
    try graph.add(unit, as: label == GraphDevice.stimulusNode ? unit.component.shortName : label)
    let head = try graph.add(GenericOutput(), as: "out")
    // A format that the host has set on its output stays; an output without one follows the input.
    var wanted = Graph.WantedFormat()
    let isAsked = output != .initial
    if isAsked, output.sampleRate != input.sampleRate { wanted.sampleRate = output.sampleRate }
    if isAsked, output.channelCount != input.channelCount { wanted.channelCount = output.channelCount }
    try graph.setOutputFormat(wanted, of: unit)
    try graph.setOutputFormat(Graph.WantedFormat(sampleRate: wanted.sampleRate), of: head)
    try graph.connect(player, to: unit)
    try graph.connect(unit, to: head)
    self.graph = graph
    return graph
  }

  private func giveBack() {
    graph?.uninitialize()
    try? graph?.disconnect(unit)
    graph = nil
    unit.label = label
  }

  deinit {
    giveBack()
    try? unit.setStreamFormat(input, .input)
    try? unit.setStreamFormat(output, .output)
  }
}
