import BatchRender
import Glibc
import TestSupport
import Testing

/// Every key of a graph file, as `docs/graph-file.md` lists them.
@Suite struct GraphFileTests {
  private func band(_ unit: NBandEQ, _ parameter: NBandEQ.Parameter, _ band: Int) throws -> Float {
    try unit.parameter(NBandEQ.address(parameter, band: band))
  }

  @Test("the keys of the document reach the graph")
  func document() throws {
    let text = graphText(
      rate: 48_000, [#"{ "id": "out", "unit": "genericOutput" }"#], [],
      more: #""$schema": "x", "maximumFramesPerSlice": 512, "smoothingFrames": 64,"#)
    let graph = try GraphFile.parse(text)
    #expect(graph.sampleRate == 48_000)
    #expect(graph.maximumFramesPerSlice == 512)
    #expect(graph.smoothingFrames == 64)
    let bare = try GraphFile.parse(#"{ "version": 1, "nodes": [], "connections": [] }"#)
    #expect(bare.sampleRate == 44_100 && bare.maximumFramesPerSlice == 4096 && bare.smoothingFrames == 0)
    #expect(bare.nodes.isEmpty)
  }

  @Test("a unit goes by its short name or by three codes", arguments: ComponentRegistry.ofGraphFiles.components)
  func unitNames(_ component: Component) throws {
    let file = Fixtures.path("audio/bass.flac")
    let more = component.shortName == "filePlayer" ? ", \"file\": \"\(file)\"" : ""
    let description = component.description
    for name in [component.shortName, "\(description)"] {
      let graph = try GraphFile.parse(graphText([#"{ "id": "x", "unit": "\#(name)"\#(more) }"#], []))
      #expect(graph.node(named: "x")?.unit.component.shortName == component.shortName, "\(name)")
    }
  }

  @Test("the keys of a file player")
  func player() throws {
    let folder = TemporaryFolder()
    try writeSound(folder.file("a.wav"), noise(frames: 500))
    folder.write(
      graphText(
        [
          #"{ "id": "a", "unit": "filePlayer", "file": "a.wav", "start": 100, "loops": 3, "region": [10, 40], "quality": "best" }"#,
          #"{ "id": "b", "unit": "filePlayer", "file": "\#(folder.file("a.wav"))", "loops": -1 }"#,
        ], []), to: "graph.json")
    let graph = try GraphFile.load(folder.file("graph.json"))
    let first = try #require(graph.node(named: "a")?.unit as? FilePlayer)
    #expect(first.file?.path == folder.file("a.wav"))
    #expect(first.startFrame == 100 && first.loops == 3 && first.region == 10..<50 && first.quality == .best)
    let second = try #require(graph.node(named: "b")?.unit as? FilePlayer)
    #expect(second.startFrame == 0 && second.isEndless && second.region == nil && second.quality == .best)
  }

  @Test("the keys of the equalizers")
  func equalizers() throws {
    let graph = try GraphFile.parse(
      graphText(
        [
          #"{ "id": "rock", "unit": "iPodEQ", "preset": "Rock" }"#, #"{ "id": "two", "unit": "iPodEQ", "preset": 2 }"#,
          #"{ "id": "off", "unit": "iPodEQ" }"#,
          #"""
          { "id": "bands", "unit": "nBandEQ", "globalGain": -3, "bypass": true, "bands": [
            { "type": "resonantLowShelf", "frequency": 150, "bandwidth": 2, "gain": -6.5, "bypass": true }, {} ],
            "set": { "gain@band:1": 4, "frequency@band:0": 77 } }
          """#, #"{ "id": "low", "unit": "lowPassFilter", "bypass": true, "set": { "resonance": 3 } }"#,
        ], []))
    let rock = try #require(graph.node(named: "rock")?.unit as? IPodEQ)
    #expect(rock.preset.name == "Rock")
    #expect((graph.node(named: "two")?.unit as? IPodEQ)?.preset.number == 2)
    #expect((graph.node(named: "off")?.unit as? IPodEQ)?.preset.number == 0)
    let bands = try #require(graph.node(named: "bands")?.unit as? NBandEQ)
    #expect(bands.numberOfBands == 2)
    #expect(try band(bands, .globalGain, 0) == -3)
    #expect(try band(bands, .filterType, 0) == 9)  // resonantLowShelf is type 9
    #expect(try band(bands, .frequency, 0) == 77)
    #expect(try band(bands, .bandwidth, 0) == 2)
    #expect(try band(bands, .gain, 0) == -6.5)
    #expect(try band(bands, .bypassBand, 0) == 1)
    // A band without keys: active, parametric, 1 kHz, half an octave.
    #expect(try band(bands, .filterType, 1) == 0)
    #expect(try band(bands, .frequency, 1) == 1000)
    #expect(try band(bands, .bandwidth, 1) == 0.5)
    #expect(try band(bands, .gain, 1) == 4)
    #expect(try band(bands, .bypassBand, 1) == 0)
    for name in ["bands", "low"] {
      let unit = try #require(graph.node(named: name)?.unit)
      #expect(try unit.property(.bypassEffect) == .uint32(1))
    }
  }

  /// The value of each text in the unit of the parameter, by hand: 10 ms are 0.01 s, −20 dB of a volume a tenth.
  @Test("numbers may be texts with their units")
  func quantities() throws {
    let graph = try GraphFile.parse(
      #"""
      { "version": 1, "sampleRate": "44.1kHz", "nodes": [
        { "id": "eq", "unit": "nBandEQ", "globalGain": "-3dB", "bands": [
          { "frequency": "1.5kHz", "bandwidth": "2oct", "gain": "−6.5 dB" } ], "set": { "frequency@band:0": "2k" } },
        { "id": "delay", "unit": "delay", "set": { "delayTime": "10ms", "wetDryMix": "50%" } },
        { "id": "mix", "unit": "multichannelMixer", "inputs": 2,
          "set": { "volume@input:0": "-20dB", "enable@input:1": false },
          "ramp": [ { "parameter": "volume@input:1", "points": [[0, "0dB"], [100, 0.5]] } ] },
        { "id": "limit", "unit": "peakLimiter", "ceiling": "-1dBFS" },
        { "id": "conv", "unit": "formatConverter", "format": { "sampleRate": "48k" } } ], "connections": [] }
      """#)
    #expect(graph.sampleRate == 44_100)
    func value(_ node: String, _ name: String) throws -> Float {
      let unit = try #require(graph.node(named: node)?.unit)
      return try unit.parameter(try ParameterName(name).address(in: unit))
    }
    let bands = try #require(graph.node(named: "eq")?.unit as? NBandEQ)
    #expect(try band(bands, .globalGain, 0) == -3 && band(bands, .frequency, 0) == 2000)
    #expect(try band(bands, .bandwidth, 0) == 2 && band(bands, .gain, 0) == -6.5)
    #expect(try value("delay", "delayTime") == 0.01 && value("delay", "wetDryMix") == 50)
    #expect(try value("mix", "volume@input:0") == 0.1 && value("mix", "enable@input:1") == 0)
    let mixer = try #require(graph.node(named: "mix")?.unit)
    #expect(mixer.timelines.values.first?.points.map(\.value) == [1, 0.5])
    #expect((graph.node(named: "limit")?.unit as? PeakLimiter)?.ceilingDecibels == -1)
    #expect(graph.node(named: "conv")?.wantedFormat.sampleRate == 48_000)
  }

  @Test("the keys of the mixer, the converter and the output")
  func mixer() throws {
    let graph = try GraphFile.parse(
      graphText(
        [
          #"""
          { "id": "mix", "unit": "multichannelMixer", "inputs": 5, "monoPanLaw": "linear", "stereoPanLaw": "equalPower",
            "quality": "fast", "matrix": { "4": [[1, 0.5], [0, 0.25]] },
            "set": { "volume@input:2": 0.8, "pan@input:1": -0.5, "enable@input:0": 0, "volume@output": 0.7 } }
          """#, #"{ "id": "few", "unit": "multichannelMixer" }"#,
          #"""
          { "id": "conv", "unit": "formatConverter", "quality": "linear", "ditherSeed": 9,
            "format": { "sampleRate": 32000, "channels": 1, "encoding": "int16", "interleaved": true } }
          """#, #"{ "id": "out", "unit": "genericOutput", "quality": "mastering" }"#,
        ], ["mix->conv", " conv:0   ->   out:0 ", "few -> mix:3"]))
    let mix = try #require(graph.node(named: "mix")?.unit as? MultichannelMixer)
    func value(_ id: UInt32, _ scope: Scope, _ bus: Int) throws -> Float {
      try mix.parameter(ParameterAddress(id, scope: scope, element: bus))
    }
    #expect(mix.elementCount(.input) == 5)
    #expect(mix.monoPanLaw == .linear && mix.stereoPanLaw == .equalPower && mix.quality == .fast)
    #expect(try mix.matrixLevels(input: 4) == [1, 0.5, 0, 0.25])
    #expect(try value(0, .input, 2) == 0.8)
    #expect(try value(2, .input, 1) == -0.5)
    #expect(try value(1, .input, 0) == 0)
    #expect(try value(0, .output, 0) == 0.7)
    // As many inputs as are connected, one at least.
    #expect(graph.node(named: "few")?.unit.elementCount(.input) == 1)
    let conv = try #require(graph.node(named: "conv"))
    #expect((conv.unit as? FormatConverterUnit)?.options.quality == .linear)
    #expect((conv.unit as? FormatConverterUnit)?.options.ditherSeed == 9)
    #expect(
      conv.wantedFormat
        == Graph.WantedFormat(sampleRate: 32_000, channelCount: 1, encoding: .int16, isInterleaved: true))
    #expect((graph.node(named: "out")?.unit as? GenericOutput)?.quality == .mastering)
    let wires = graph.connections.map { [$0.source, $0.sourceBus, $0.destination, $0.destinationBus] }
    #expect(wires == [[0, 0, 2, 0], [2, 0, 3, 0], [1, 0, 0, 3]])
  }

  @Test(
    "a converter's map and matrix give its channels, each from the sources that they name",
    arguments: [
      (#""map": [1, -1, 0]"#, [[0, 1], [0, 0], [1, 0]]),
      (#""matrix": [[1, 0.5, 0], [0.25, -2, 0]]"#, [[1, 0.25], [0.5, -2], [0, 0]]),
      (#""map": [1], "format": { "channels": 1 }"#, [[0, 1]]),
    ] as [(String, [[Float]])])
  func converterChannels(keys: String, gains: [[Float]]) throws {
    let folder = TemporaryFolder()
    let signal = noise(frames: 300)
    try writeSound(folder.file("in.wav"), signal, encoding: .float32)
    let graph = try GraphFile.parse(
      graphText(
        [
          #"{ "id": "in", "unit": "filePlayer", "file": "in.wav" }"#,
          "{ \"id\": \"conv\", \"unit\": \"formatConverter\", \(keys) }", #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["in -> conv", "conv -> out"]), folder: folder.path + "/")
    let sound = try OfflineRenderer(graph).renderToMemory(options: .init(.frames(300))).channels
    try #require(sound.count == gains.count)
    for (output, row) in gains.enumerated() {
      #expect(sound[output] == zip(signal[0], signal[1]).map { $0 * row[0] + $1 * row[1] })
    }
  }

  @Test("a ramp runs in straight lines between its points, steps where two have the same frame, and holds at its ends")
  func ramp() throws {
    let folder = TemporaryFolder()
    try writeSound(folder.file("one.wav"), [Array(repeating: 1, count: 1000)], encoding: .float32)
    let graph = try GraphFile.parse(
      graphText(
        [
          #"{ "id": "one", "unit": "filePlayer", "file": "one.wav" }"#,
          #"""
          { "id": "mix", "unit": "multichannelMixer", "format": { "channels": 1 }, "ramp": [
            { "parameter": "volume@input:0", "points": [[100, 0], [612, 1], [700, 1], [700, 0.25]] } ] }
          """#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["one -> mix", "mix -> out"]), folder: folder.path + "/")
    let sound = try OfflineRenderer(graph).renderToMemory(options: .init(.frames(1000), slice: 37)).channels
    try #require(sound.count == 1 && sound[0].count == 1000)
    for frame in 0..<1000 {
      let expected = frame >= 700 ? 0.25 : min(1, max(0, Double(frame - 100) / 512))
      #expect(abs(Double(sound[0][frame]) - expected) < 1e-6, "frame \(frame)")
    }
  }

  @Test("options replace the graph's files, rate and values")
  func options() throws {
    let folder = TemporaryFolder()
    try writeSound(folder.file("a.wav"), noise(frames: 500))
    var options = GraphFile.Options()
    options.inputs = ["a": folder.file("a.wav")]
    options.sampleRate = 96_000
    options.settings = [
      ("mix", try ParameterName("volume@input:0"), 0.25), ("mix", try ParameterName("volume@input:0"), 0.5),
    ]
    let text = graphText(
      [
        #"{ "id": "a", "unit": "filePlayer", "file": "/nowhere/missing.wav" }"#,
        #"{ "id": "mix", "unit": "multichannelMixer", "set": { "volume@input:0": 0.1 } }"#,
      ], [])
    let graph = try GraphFile.parse(text, options: options)
    #expect(graph.sampleRate == 96_000)
    #expect((graph.node(named: "a")?.unit as? FilePlayer)?.file?.path == folder.file("a.wav"))
    let mix = try #require(graph.node(named: "mix")?.unit)
    // The last one holds.
    #expect(try mix.parameter(ParameterAddress(0, scope: .input)) == 0.5)

    func error(_ change: (inout GraphFile.Options) throws -> Void) -> BenchError? {
      failure {
        var changed = options
        try change(&changed)
        _ = try GraphFile.parse(text, options: changed)
      }
    }
    expect(error { $0.inputs["b"] = "x.wav" }, .usage, ["input \"b\"", "no node", "a"])
    expect(error { $0.inputs["mix"] = "x.wav" }, .usage, ["input \"mix\"", "not a filePlayer"])
    expect(error { $0.inputs["a"] = "/nowhere/else.wav" }, .input, ["node \"a\"", "/nowhere/else.wav"])
    expect(error { $0.settings = [("mux", try ParameterName("pan@input:0"), 0)] }, .usage, ["mux.pan@input:0", "mix"])
    expect(error { $0.settings = [("mix", try ParameterName("volum@input:0"), 0)] }, .usage, ["volum", "volume"])
    expect(
      error { $0.settings = [("mix", try ParameterName("pan@input:9"), 0)] }, .usage, ["no input bus 9", "0 to 0"])
    expect(error { $0.settings = [("mix", try ParameterName("pan@input:0"), .nan)] }, .usage, ["pan@input:0", "nan"])
    for rate in [0, -1, .nan, .infinity, 3_000_001.0] {
      expect(error { $0.sampleRate = rate }, .usage, ["\(rate)", "3000000"], "rate \(rate)")
    }
  }

  @Test("a parameter name is name@scope:element, and nothing else")
  func parameterNames() throws {
    for (text, name, scope, element) in [
      ("gain", "gain", "global", 0), ("volume@input:2", "volume", "input", 2), ("volume@output", "volume", "output", 0),
    ] {
      let parsed = try ParameterName(text)
      #expect(parsed.name == name && parsed.scope == scope && parsed.element == element)
    }
    for text in ["", "@input:1", "a@", "a@:1", "a@input:", "a@input:-1", "a@input:x", "a@input:1:2", "a@b@c"] {
      expect(failure { _ = try ParameterName(text) }, .usage, ["name@scope:element", "\"\(text)\""])
    }
    #expect("\(try ParameterName("volume@input:2"))" == "volume@input:2")
    #expect("\(try ParameterName("gain@global:0"))" == "gain")
  }
}
