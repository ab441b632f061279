import AudioCore
import AudioEngine
import AudioToolbox
import BatchRender
import BuiltInUnits
import Foundation
import RenderGraph
import TestSupport
import Testing

/// Foundation has a `Unit` of its own.
private typealias Unit = AudioEngine.Unit

@Suite("Third-party components run in graphs of the engine")
struct ForeignUnitTests {
  let tree: TemporaryTree
  let units: InstalledUnits

  init() throws {
    tree = try TemporaryTree()
    units = InstalledUnits(
      InstalledComponents(folders: ComponentFolders(folders: [tree.path], cacheFile: nil), scanner: nil))
  }

  static let drums = Fixtures.path("audio/drums.flac")

  /// The output of a graph file; `nodes` are between a file and the output.
  func render(
    _ nodes: String, _ connections: String, seconds: Double = 0.5, slice: Int? = nil, threads: Int = 1
  ) throws -> [[Float]] {
    var options = GraphFile.Options()
    let units = units
    options.findOther = { (name) throws(BenchError) in try units.component(named: name) }
    let text = """
      {"version": 1, "sampleRate": 44100, "nodes": [
        {"id": "in", "unit": "filePlayer", "file": "\(Self.drums)"}, \(nodes)
        {"id": "out", "unit": "genericOutput"}],
       "connections": [\(connections)]}
      """
    var rendering = OfflineRenderer.Options()
    rendering.length = .seconds(seconds)
    rendering.sliceFrames = slice
    rendering.threads = threads
    return try OfflineRenderer(try GraphFile.parse(text, options: options)).renderToMemory(options: rendering).channels
  }

  func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch { return "\(error)" }
  }

  static let chain = #""in -> a", "a -> out""#

  @Test(
    "An offline unit is told that it renders offline and how long its input is, sees all of it, and then renders",
    arguments: [Int?.none, 700])
  func offline(slice: Int?) throws {
    try TestComponent.bundle("Peak", in: tree.path, type: "auol", macros: ["OFFLINE=1"])
    let source = try render("", #""in -> out""#)
    let sound = try render(#"{"id": "a", "unit": "auol gain Acme"},"#, Self.chain, slice: slice)
    let peak = source.flatMap { $0 }.map(abs).max() ?? 0
    // The component multiplies by the reciprocal.
    #expect(peak > 0 && peak < 1 && sound == source.map { $0.map { $0 * (1 / peak) } })
  }

  @Test("What a component has itself may lie beside the range that it declares, and what a graph sets may not")
  func ownValues() throws {
    try TestComponent.bundle("Gain", in: tree.path, macros: ["HOSTILE_OPEN=((Unit *)self)->gain=7"])
    let source = try render("", #""in -> out""#)
    let loud = try render(#"{"id": "a", "unit": "aufx gain Acme"},"#, Self.chain)
    #expect(loud[0] == source[0].map { $0 * 7 })
    // The same value, set: a default beside the range is no excuse.
    let refused = message {
      _ = try render(#"{"id": "a", "unit": "aufx gain Acme", "set": {"outputGain": 7}},"#, Self.chain)
    }
    #expect(refused.contains("outputGain is 7, outside its range of 0 to 4"), "\(refused)")
    // A preset puts its own value in place of what was set.
    let preset = try render(#"{"id": "a", "unit": "aufx gain Acme", "preset": 1},"#, Self.chain)
    #expect(preset[0] == source[0].map { $0 * 0.25 })
  }

  @Test("A gain of its own parameter is a multiplication", arguments: [#""aufx gain Acme""#, #""Acme: Gain""#])
  func gain(name: String) throws {
    try TestComponent.bundle("Gain", in: tree.path)
    let source = try render("", #""in -> out""#)
    #expect(source[0].contains { abs($0) > 0.01 })
    let louder = try render(#"{"id": "a", "unit": \#(name), "set": {"outputGain": 1.5}},"#, Self.chain)
    #expect(louder == source.map { $0.map { $0 * 1.5 } })
  }

  @Test("A ramp is the straight line that it says, whatever the slices", arguments: [4096, 1000, 512, 100, 7, 1])
  func ramp(slice: Int) throws {
    try TestComponent.bundle("Gain", in: tree.path)
    let node =
      #"{"id": "a", "unit": "aufx gain Acme", "ramp": [{"parameter": "outputGain", "points": [[100, 0], [6100, 2]]}]},"#
    let source = try render("", #""in -> out""#, seconds: 0.2)
    let faded = try render(node, Self.chain, seconds: 0.2, slice: slice)
    #expect(faded == (try render(node, Self.chain, seconds: 0.2)), "the slices are heard")
    var worst: Float = 0
    for channel in source.indices {
      for frame in source[channel].indices {
        let gain = frame < 100 ? 0 : frame >= 6100 ? 2 : Double(frame - 100) / 3000
        worst = max(worst, abs(faded[channel][frame] - Float(Double(source[channel][frame]) * gain)))
      }
    }
    #expect(worst < 1e-6)
  }

  @Test("Without ramps of its own a parameter takes a new value every 32 frames", arguments: [4096, 100])
  func steps(slice: Int) throws {
    try TestComponent.bundle("Gain", in: tree.path, macros: ["RAMP_FLAG=0"])
    let node =
      #"{"id": "a", "unit": "aufx gain Acme", "ramp": [{"parameter": "outputGain", "points": [[0, 0], [4096, 1]]}]},"#
    let source = try render("", #""in -> out""#, seconds: 0.1)
    let faded = try render(node, Self.chain, seconds: 0.1, slice: slice)
    // Exact: the gains are whole 128ths.
    let gains = source[0].indices.map { $0 < 4096 ? Float($0 / 32 * 32) / 4096 : 1 }
    #expect(faded == source.map { channel in zip(channel, gains).map { $0 * $1 } })
  }

  @Test("Its source keeps its sound where others hear it too, however many threads", arguments: [1, 4])
  func sharedSource(threads: Int) throws {
    try TestComponent.bundle("Gain", in: tree.path)
    let source = try render("", #""in -> out""#)
    let mixed = try render(
      #"""
      {"id": "a", "unit": "aufx gain Acme", "set": {"outputGain": 0.5}},
      {"id": "b", "unit": "aufx gain Acme", "set": {"outputGain": 2}},
      {"id": "mix", "unit": "multichannelMixer"},
      """#, #""in -> a", "in -> b", "a -> mix:0", "b -> mix:1", "in -> mix:2", "mix -> out""#, threads: threads)
    // Exact: powers of two, summed in bus order.
    let sums = source.map { (channel: [Float]) -> [Float] in
      channel.map { (sample: Float) -> Float in (sample * 0.5 + sample * 2) + sample }
    }
    #expect(mixed == sums)
  }

  @Test("Branches that reach one render on the calling thread; those of our own units need not")
  func branches() throws {
    try TestComponent.bundle("Gain", in: tree.path)
    func branches(_ make: () -> Unit) throws -> Int {
      let graph = Graph(sampleRate: 44_100)
      let mixer = try graph.add(MultichannelMixer())
      try mixer.setElementCount(2, .input)
      for bus in 0..<2 {
        let player = try graph.add(FilePlayer())
        try player.open(Self.drums)
        let unit = try graph.add(make())
        try graph.connect(player, to: unit)
        try graph.connect(unit, to: mixer, input: bus)
      }
      try graph.connect(mixer, to: try graph.add(GenericOutput()))
      return try graph.compile(parallel: true).branchCount
    }
    let component = try #require(try units.component(named: "gain"))
    #expect(try branches { component.make() } == 0)
    #expect(try branches { LowPassFilter() } == 2)
  }

  @Test("Presets by name and number, and bypass")
  func presets() throws {
    try TestComponent.bundle("Gain", in: tree.path)
    let source = try render("", #""in -> out""#)
    let quarter = source.map { $0.map { $0 * 0.25 } }
    #expect(try render(#"{"id": "a", "unit": "aufx gain Acme", "preset": "Quarter"},"#, Self.chain) == quarter)
    #expect(try render(#"{"id": "a", "unit": "aufx gain Acme", "preset": 1},"#, Self.chain) == quarter)
    #expect(
      try render(#"{"id": "a", "unit": "aufx gain Acme", "preset": 1, "bypass": true},"#, Self.chain) == source)
    let error = message { _ = try render(#"{"id": "a", "unit": "aufx gain Acme", "preset": "Quartre"},"#, Self.chain) }
    #expect(error.contains("there is no preset \"Quartre\"; did you mean \"Quarter\"?"), "\(error)")
  }

  @Test("A saved state is handed over; what is none is refused with the node's name")
  func state() throws {
    try TestComponent.bundle("Gain", in: tree.path)
    let file = URL(filePath: tree.path + "/half.aupreset")
    func render() throws -> [[Float]] {
      try self.render(#"{"id": "a", "unit": "aufx gain Acme", "state": "\#(file.path)"},"#, Self.chain)
    }
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      try PropertyListSerialization.data(fromPropertyList: ["gain": 0.5], format: format, options: 0).write(to: file)
      #expect(try render() == (try self.render("", #""in -> out""#)).map { $0.map { $0 * 0.5 } })
    }
    try PropertyListSerialization.data(fromPropertyList: ["other": 1], format: .xml, options: 0).write(to: file)
    #expect(message { _ = try render() }.contains("\"a\", key \"state\": the component answered: "))
    for text in ["", "junk", "<plist><array/></plist>"] {
      try Data(text.utf8).write(to: file)
      #expect(message { _ = try render() }.contains("key \"state\": the component answered: the file cannot be read"))
    }
    try FileManager.default.removeItem(at: file)
    #expect(message { _ = try render() }.contains("key \"state\": the component answered: the file cannot be read"))
  }

  @Test("Tail and tables come from its properties")
  func tables() throws {
    try TestComponent.bundle("Gain", in: tree.path)
    let unit = try #require(try units.component(named: "gain")).make()
    #expect(unit.tailFrames == 11025 && unit.latencyFrames == 0)
    #expect(unit.factoryPresets.map(\.name) == ["Unity", "Quarter"])
    let row = try #require(unit.allParameters.first)
    #expect(row.descriptor.name == "outputGain" && row.descriptor.minimum == 0 && row.descriptor.maximum == 4)
    #expect(row.descriptor.unit == .linearGain && row.descriptor.canRamp && row.descriptor.initial == 1)
    try unit.select(preset: 1)
    #expect(try unit.parameter(row.address) == 0.25)
    #expect(unit.runsForeignCode)
  }

  @Test("Refusals and failed renders name the node and the component")
  func errors() throws {
    let path = try TestComponent.bundle("Gain", in: tree.path, macros: ["HOSTILE_INITIALIZE=return -10875"])
    let node = #"{"id": "a", "unit": "aufx gain Acme"},"#
    let title = "the component \"Acme: Gain\" (aufx gain Acme) of \(path)"
    let first = message { _ = try render(node, Self.chain) }
    #expect(first.hasPrefix("node \"a\": \(title) cannot be initialized: "), "\(first)")
  }

  @Test("A render that the component refuses names it")
  func renderError() throws {
    let path = try TestComponent.bundle(
      "Gain", in: tree.path, macros: ["HOSTILE_RENDER=if(time->mSampleTime>9000)return -10863"])
    let node = #"{"id": "a", "unit": "aufx gain Acme"},"#
    let text = message { _ = try render(node, Self.chain, slice: 512) }
    let title = "the component \"Acme: Gain\" (aufx gain Acme) of \(path)"
    #expect(text.contains("node \"a\": \(title) answered Render with: "), "\(text)")
    #expect(text.contains("-10863"))
  }

  @Test("One that cannot be opened is an error of its node")
  func notOpened() throws {
    try TestComponent.bundle("Gain", in: tree.path, macros: ["HOSTILE_OPEN=return -50"])
    let text = message { _ = try render(#"{"id": "a", "unit": "aufx gain Acme"},"#, Self.chain) }
    #expect(text.contains("\"a\": the component \"Acme: Gain\" (aufx gain Acme)"), "\(text)")
    #expect(text.contains("cannot be opened"))
  }

  @Test("Names of parameters become names that graph files write")
  func names() {
    #expect(InstalledUnits.parameterName("Dry/Wet Mix") == "dryWetMix")
    #expect(InstalledUnits.parameterName("gain") == "gain")
    #expect(InstalledUnits.parameterName("LFO Rate (Hz)") == "lfoRateHz")
    #expect(InstalledUnits.parameterName("2nd harmonic") == "parameter2ndHarmonic")
    #expect(InstalledUnits.parameterName("—") == nil)
  }
}
