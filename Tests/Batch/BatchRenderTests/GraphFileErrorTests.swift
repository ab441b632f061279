import BatchRender
import Glibc
import TestSupport
import Testing

/// A mistake in a graph file is an error with its place, the expected and the found value.
@Suite struct GraphFileErrorTests {
  /// A text and the words that its error must have.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let words: [String]
    var kind = BenchError.Kind.graph
    var testDescription: String { name }
  }

  private static let out = #"{ "id": "out", "unit": "genericOutput" }"#

  /// One wrong node "x" in front of an output.
  private static func node(_ name: String, _ keys: String, _ words: String...) -> Wrong {
    Wrong(name: name, text: graphText([out, "{ \"id\": \"x\", \(keys) }"], []), words: words)
  }

  private static let bass = Fixtures.path("audio/bass.flac")
  private static let player = "\"unit\": \"filePlayer\", \"file\": \"\(bass)\""
  private static let mixer = #""unit": "multichannelMixer", "inputs": 3"#
  private static let bands = #""unit": "nBandEQ", "bands":"#

  static let documents: [Wrong] = [
    Wrong(name: "no JSON at all", text: "", words: ["not JSON", "empty"]),
    Wrong(
      name: "a comma too many", text: "{ \"version\": 1,\n  \"nodes\": [1,,2]\n }",
      words: ["not JSON", "line 2", "column"]),
    Wrong(
      name: "a comma behind the last value", text: "{ \"version\": 1,\n  \"nodes\": [1,\n] }",
      words: ["line 3, column 1", "leave out the comma"]),
    Wrong(
      name: "a key twice behind such a comma", text: "{ \"version\": 1, \"version\": 1,\n  \"nodes\": [1,\n] }",
      words: ["line 1", "\"version\"", "duplicate"]),
    Wrong(
      name: "a rate that is a word", text: #"{ "version": 1, "sampleRate": "inputs", "nodes": [] }"#,
      words: ["\"sampleRate\"", "\"inputs\" is no rate", "\"input\""]),
    Wrong(
      name: "the rate of no file", text: #"{ "version": 1, "sampleRate": "input", "nodes": [] }"#,
      words: ["\"sampleRate\"", "no file is played"]),
    Wrong(
      name: "the rate of a file that is not there",
      text:
        #"{ "version": 1, "sampleRate": "input", "nodes": [{ "id": "x", "unit": "filePlayer", "file": "none.wav" }] }"#,
      words: ["node \"x\"", "none.wav"], kind: .input),
    Wrong(name: "cut off", text: "{ \"version\": 1,\n\"nodes\": [ {", words: ["not JSON", "line 2"]),
    Wrong(name: "NaN is no number", text: "{ \"version\": 1,\n\"sampleRate\": NaN }", words: ["not JSON", "line 2"]),
    Wrong(name: "a list", text: "[]", words: ["expected an object", "a list"]),
    Wrong(name: "no version", text: #"{ "nodes": [] }"#, words: ["key \"version\"", "missing", "\"version\": 1"]),
    Wrong(name: "version 2", text: #"{ "version": 2 }"#, words: ["key \"version\"", "version 1", "version 2"]),
    Wrong(name: "version 1.5", text: #"{ "version": 1.5 }"#, words: ["key \"version\"", "whole number", "1.5"]),
    Wrong(
      name: "version as text", text: #"{ "version": "1" }"#, words: ["key \"version\"", "number", "the text \"1\""]),
    Wrong(name: "an unknown key", text: #"{ "version": 1, "node": [] }"#, words: ["\"node\"", "unknown", "\"nodes\""]),
    Wrong(name: "no rate", text: #"{ "version": 1, "sampleRate": 0 }"#, words: ["key \"sampleRate\"", "3000000", "0"]),
    Wrong(
      name: "a rate too high", text: #"{ "version": 1, "sampleRate": 3000001 }"#, words: ["sampleRate", "3000001"]),
    Wrong(
      name: "a rate with another unit", text: #"{ "version": 1, "sampleRate": "48dB" }"#,
      words: ["sampleRate", "\"48dB\": \"dB\" is not its unit", "expected hertz"]),
    Wrong(
      name: "a slice of 0 frames", text: #"{ "version": 1, "maximumFramesPerSlice": 0 }"#,
      words: ["maximumFramesPerSlice", "1 to 1048576", "0"]),
    Wrong(
      name: "nodes as object", text: #"{ "version": 1, "nodes": {} }"#, words: ["\"nodes\"", "a list", "an object"]),
    Wrong(name: "a node as number", text: #"{ "version": 1, "nodes": [7] }"#, words: ["nodes[0]", "an object", "7"]),
    Wrong(
      name: "a key twice", text: "{ \"version\": 1,\n  \"sampleRate\": 1, \"sampleRate\": 2 }",
      words: ["line 2, column 31", "\"sampleRate\"", "duplicate"]),
    Wrong(
      name: "a key twice, deep inside",
      text: graphText([#"{ "id": "x", "unit": "iPodEQ", "set": { "a": 1, "a": 2 } }"#], []),
      words: ["\"a\"", "duplicate"]),
    Wrong(name: "smoothing", text: #"{ "version": 1, "smoothingFrames": -1 }"#, words: ["smoothingFrames", "-1"]),
  ]

  static let nodes: [Wrong] = [
    Wrong(name: "no id", text: graphText([#"{ "unit": "iPodEQ" }"#], []), words: ["nodes[0]", "\"id\"", "missing"]),
    Wrong(
      name: "an empty id", text: graphText([#"{ "id": "", "unit": "iPodEQ" }"#], []), words: ["nodes[0]", "\"id\""]),
    Wrong(
      name: "an id with a colon", text: graphText([#"{ "id": "a:b", "unit": "iPodEQ" }"#], []), words: ["\"a:b\"", ":"]),
    Wrong(
      name: "an id as number", text: graphText([#"{ "id": 3, "unit": "iPodEQ" }"#], []), words: ["\"id\"", "number 3"]),
    Wrong(
      name: "two nodes of one id",
      text: graphText([out, #"{ "id": "x", "unit": "iPodEQ" }"#, #"{ "id": "x", "unit": "lowPassFilter" }"#], []),
      words: ["\"x\"", "two nodes have this id"]),
    Wrong(
      name: "two outputs", text: graphText([out, #"{ "id": "x", "unit": "genericOutput" }"#], []),
      words: ["\"x\"", "\"out\"", "exactly one output"]),
    node("no unit", #""file": "a.wav""#, "nodes[1] \"x\"", "\"unit\"", "missing"),
    node(
      "an unknown unit", #""unit": "ipodQ""#, "nodes[1] \"x\"", "key \"unit\"", "\"ipodQ\"", "iPodEQ"),
    node(
      "a level of a frequency", #""unit": "lowPassFilter", "set": {"cutoffFrequency": "3dB"}"#, "\"cutoffFrequency\"",
      "\"3dB\": \"dB\" is not its unit; expected hertz"),
    node(
      "a frequency of a band's gain", #""unit": "nBandEQ", "bands": [{"gain": "1kHz"}]"#, "bands[0], key \"gain\"",
      "expected decibels"),
    node(
      "a time in a ramp of a level",
      #""unit": "nBandEQ", "ramp": [{"parameter": "globalGain", "points": [[0, "10ms"]]}]"#, "ramp[0], key \"points\"",
      "\"ms\" is not its unit"),
    node(
      "a number in quotation marks", #""unit": "nBandEQ", "globalGain": "-3""#, "expected a number", "the text \"-3\""),
    node("true of what is no switch", #""unit": "lowPassFilter", "set": {"resonance": true}"#, "found true"),
    node("a unit of what has none", #""unit": "multichannelMixer", "set": {"pan@input:0": "3dB"}"#, "without a unit"),
    node("a word with a number", #""unit": "peakLimiter", "ceiling": "about -3""#, "expected a number", "about"),
    node("an unknown key", #""unit": "lowPassFilter", "cutof": 3"#, "\"x\"", "\"cutof\"", "unknown key"),
    node("a key of another unit", #""unit": "lowPassFilter", "preset": 3"#, "\"x\"", "\"preset\"", "unknown key"),
    node("set as list", #""unit": "lowPassFilter", "set": []"#, "\"x\"", "set", "an object", "a list"),
    node(
      "a value as text", #""unit": "lowPassFilter", "set": { "resonance": "3" }"#, "\"x\"", "resonance", "number",
      "\"3\""),
    node(
      "a value that no Float holds", #""unit": "lowPassFilter", "set": { "resonance": 1e39 }"#, "\"x\"", "resonance",
      "inf"),
    node(
      "an unknown parameter", #""unit": "lowPassFilter", "set": { "resonanse": 3 }"#, "\"x\"", "resonanse", "resonance"),
    node(
      "a malformed parameter", #""unit": "lowPassFilter", "set": { "a@b@c": 3 }"#, "\"x\"", "a@b@c",
      "name@scope:element"),
    node("an unknown scope", "\(mixer), \"set\": { \"volume@inputs:0\": 3 }", "\"x\"", "\"inputs\"", "input, output"),
    node("a scope without it", "\(mixer), \"set\": { \"pan@output:0\": 0 }", "\"x\"", "pan@output:0", "pan@input:0"),
    node("a bus that is not there", "\(mixer), \"set\": { \"pan@input:3\": 0 }", "\"x\"", "no input bus 3", "0 to 2"),
    node("a meter", "\(mixer), \"set\": { \"preAveragePower@input:0\": 0 }", "\"x\"", "preAveragePower"),
    node("a band that is not there", "\(bands) [{}], \"set\": { \"gain@band:1\": 0 }", "\"x\"", "no band 1", "1 band"),
    node("a band's unknown parameter", "\(bands) [{}], \"set\": { \"q@band:0\": 0 }", "\"x\"", "q@band:0", "bandwidth"),
    node("a band as list", "\(bands) [[]]", "\"x\"", "bands[0]", "an object", "a list"),
    node("a band's unknown key", "\(bands) [{}, { \"gian\": 3 }]", "\"x\"", "bands[1]", "\"gian\"", "\"gain\""),
    node(
      "a band's unknown type", "\(bands) [{ \"type\": \"peak\" }]", "\"x\"", "bands[0]", "\"type\"", "\"peak\"",
      "parametric"),
    node("a band's gain as text", "\(bands) [{ \"gain\": \"3\" }]", "\"x\"", "bands[0]", "\"gain\"", "number", "\"3\""),
    node("a band's gain beyond Float", "\(bands) [{}, { \"gain\": 1e39 }]", "\"x\"", "bands[1]", "\"gain\"", "1e+39"),
    node(
      "a band's frequency beyond Float", "\(bands) [{ \"frequency\": -1e300 }]", "\"x\"", "bands[0]", "\"frequency\"",
      "-1e+300"),
    node(
      "a band's width beyond Float", "\(bands) [{ \"bandwidth\": 1e60 }]", "\"x\"", "bands[0]", "\"bandwidth\"", "1e+60"
    ),
    node("a gain beyond Float", #""unit": "nBandEQ", "globalGain": 1e39"#, "\"x\"", "\"globalGain\"", "1e+39"),
    node("bypass as number", #""unit": "nBandEQ", "bypass": 1"#, "\"x\"", "\"bypass\"", "true or false", "number 1"),
    node(
      "too many bands", "\(bands) [\(Array(repeating: "{}", count: 1001).joined(separator: ","))]", "\"x\"", "1000",
      "1001"),
    node(
      "a preset that is not there", #""unit": "iPodEQ", "preset": "Rokc""#, "\"x\"", "\"preset\"", "\"Rokc\"",
      "\"Rock\""),
    node("a preset number", #""unit": "iPodEQ", "preset": 23"#, "\"x\"", "\"preset\"", "0 to 22", "23"),
    node("half a preset", #""unit": "iPodEQ", "preset": 1.5"#, "\"x\"", "\"preset\"", "0 to 22", "1.5"),
    node("a preset as list", #""unit": "iPodEQ", "preset": []"#, "\"x\"", "\"preset\"", "a list"),
    node("no file", #""unit": "filePlayer""#, "\"x\"", "\"file\"", "missing", "--input x=FILE"),
    node("start before 0", "\(player), \"start\": -1", "\"x\"", "\"start\"", "-1"),
    node("start of 1e300", "\(player), \"start\": 1e300", "\"x\"", "\"start\"", "1e+300"),
    node("loops below -1", "\(player), \"loops\": -2", "\"x\"", "\"loops\"", "-2"),
    node(
      "a region behind the end", "\(player), \"region\": [41999, 2]", "\"x\"", "\"region\"", "2 frames", "41999",
      "42000"),
    node(
      "a region beyond all numbers", "\(player), \"region\": [9000000000000000000, 9000000000000000000]", "\"x\"",
      "\"region\"", "9000000000000000000", "42000"),
    node(
      "a region of one number", "\(player), \"region\": [5]", "\"x\"", "\"region\"", "[first frame, number of frames]"),
    node("a region below 0", "\(player), \"region\": [-1, 5]", "\"x\"", "\"region\""),
    node("an unknown quality", "\(player), \"quality\": \"great\"", "\"x\"", "\"quality\"", "\"great\"", "medium"),
    node("no inputs", #""unit": "multichannelMixer", "inputs": 0"#, "\"x\"", "\"inputs\"", "1 to 65536"),
    node("an unknown pan law", "\(mixer), \"monoPanLaw\": \"3dB\"", "\"x\"", "\"monoPanLaw\"", "\"3dB\"", "equalPower"),
    node("a matrix of another bus", "\(mixer), \"matrix\": { \"3\": [[1]] }", "\"x\"", "no input bus 3", "0 to 2"),
    node("a matrix as number", "\(mixer), \"matrix\": { \"0\": 1 }", "\"x\"", "matrix", "\"0\"", "a list"),
    node(
      "a format's unknown key", #""unit": "formatConverter", "format": { "rate": 3 }"#, "\"x\"", "format", "\"rate\""),
    node(
      "a format's encoding", #""unit": "formatConverter", "format": { "encoding": "int12" }"#, "\"encoding\"",
      "\"int12\"", "int16"),
    node(
      "a format of no channels", #""unit": "formatConverter", "format": { "channels": 0 }"#, "\"x\"", "\"channels\"",
      "1 to 1024"),
    node(
      "a format's rate", #""unit": "formatConverter", "format": { "sampleRate": -1 }"#, "\"x\"", "\"sampleRate\"", "-1"),
    node("a map as number", #""unit": "formatConverter", "map": 1"#, "\"x\"", "\"map\"", "a list"),
    node("an empty map", #""unit": "formatConverter", "map": []"#, "\"x\"", "\"map\"", "source channel"),
    node("a map below -1", #""unit": "formatConverter", "map": [0, -2]"#, "\"x\"", "\"map\"", "-1 is silence"),
    node("a map's half channel", #""unit": "formatConverter", "map": [0.5]"#, "\"x\"", "\"map\""),
    node("a matrix of rags", #""unit": "formatConverter", "matrix": [[1], [1, 2]]"#, "\"x\"", "\"matrix\"", "as many"),
    node("a matrix of nothing", #""unit": "formatConverter", "matrix": [[]]"#, "\"x\"", "\"matrix\"", "as many"),
    node("a converter's matrix as text", #""unit": "formatConverter", "matrix": "1""#, "\"x\"", "\"matrix\"", "a list"),
    node("a map and a matrix", #""unit": "formatConverter", "map": [0], "matrix": [[1]]"#, "\"matrix\"", "\"map\""),
    node(
      "a map of other channels than the format", #""unit": "formatConverter", "map": [0], "format": { "channels": 2 }"#,
      "\"x\"", "format", "\"channels\"", "map gives 1", "not 2"),
    node(
      "a matrix of other channels than the format",
      #""unit": "formatConverter", "matrix": [[1, 1, 1]], "format": { "channels": 2 }"#, "matrix gives 3", "not 2"),
    node(
      "pan beside a matrix", "\(mixer), \"matrix\": { \"1\": [[1, 1]] }, \"set\": { \"pan@input:1\": 0 }", "\"x\", set",
      "pan@input:1", "input bus 1 has a matrix"),
    node(
      "a ramp of pan beside a matrix",
      "\(mixer), \"matrix\": { \"1\": [[1, 1]] }, \"ramp\": [{ \"parameter\": \"pan@input:1\", \"points\": [[0, 1]] }]",
      "ramp[0]", "input bus 1 has a matrix"),
    node(
      "two ramps of one parameter",
      #""unit": "lowPassFilter", "ramp": [{ "parameter": "resonance", "points": [[0, 1]] }, "#
        + #"{ "parameter": "resonance@global:0", "points": [[5, 1]] }]"#, "\"x\", ramp[1]", "\"resonance\"", "already"),
    node("a seed below 0", #""unit": "formatConverter", "ditherSeed": -1"#, "\"x\"", "\"ditherSeed\"", "-1"),
    node(
      "a ramp without parameter", "\(mixer), \"ramp\": [{ \"points\": [[0, 1]] }]", "\"x\"", "ramp[0]", "\"parameter\"",
      "missing"),
    node(
      "a ramp of no points", "\(mixer), \"ramp\": [{ \"parameter\": \"pan@input:0\", \"points\": [] }]", "\"x\"",
      "ramp[0]", "at least one"),
    node(
      "a ramp backwards", "\(mixer), \"ramp\": [{ \"parameter\": \"pan@input:0\", \"points\": [[5, 1], [4, 1]] }]",
      "ramp[0]", "backwards"),
    node(
      "a ramp's half frame", "\(mixer), \"ramp\": [{ \"parameter\": \"pan@input:0\", \"points\": [[0.5, 1]] }]",
      "ramp[0]", "[frame, value]"),
    node(
      "a ramp's value", "\(mixer), \"ramp\": [{ \"parameter\": \"pan@input:0\", \"points\": [[0, 1e39]] }]", "ramp[0]",
      "\"points\""),
    node(
      "a ramp's unknown key",
      "\(mixer), \"ramp\": [{ \"parameter\": \"pan@input:0\", \"points\": [[0, 0]], \"x\": 1 }]", "ramp[0]", "\"x\""),
    node(
      "a ramp of nothing", "\(mixer), \"ramp\": [{ \"parameter\": \"pam@input:0\", \"points\": [[0, 0]] }]", "ramp[0]",
      "pam@input:0", "pan"),
    node(
      "a ramp of a meter", "\(mixer), \"ramp\": [{ \"parameter\": \"preAveragePower@input:0\", \"points\": [[0, 0]] }]",
      "ramp[0]", "preAveragePower"),
  ]

  private static func connected(_ name: String, _ connections: [String], _ words: String...) -> Wrong {
    let nodes = [
      out, #"{ "id": "mix", "unit": "multichannelMixer", "inputs": 2 }"#, #"{ "id": "low", "unit": "lowPassFilter" }"#,
    ]
    return Wrong(name: name, text: graphText(nodes, connections), words: words)
  }

  static let connections: [Wrong] = [
    connected("no arrow", ["mix out"], "connections[0]", "\"mix out\"", "node:bus -> node:bus"),
    connected("two arrows", ["low -> mix -> out"], "connections[0]", "node:bus -> node:bus"),
    connected("half a connection", ["mix ->"], "connections[0]", "node:bus -> node:bus"),
    connected("a bus that is no number", ["mix -> out:left"], "connections[0]", "a bus is a whole number"),
    connected("a negative bus", ["mix -> out:-1"], "connections[0]", "a bus is a whole number"),
    connected(
      "an unknown node", ["mix -> out", "mux -> low"], "connections[1]", "\"mux -> low\"", "no node \"mux\"", "\"mix\""),
    connected("a bus that is not there", ["low -> mix:2"], "connections[0]", "\"mix\"", "no input bus 2", "0 to 1"),
    connected(
      "the largest bus", ["low -> mix:9223372036854775807"], "connections[0]", "no input bus 9223372036854775807"),
    connected("an output bus", ["low:1 -> mix"], "connections[0]", "\"low\"", "no output bus 1"),
    connected(
      "two sources", ["low -> mix:1", "mix -> mix:1"], "connections[1]", "input bus 1 of \"mix\"", "multichannelMixer"),
    Wrong(
      name: "a number", text: #"{ "version": 1, "connections": [3] }"#, words: ["connections[0]", "a text", "number 3"]),
    Wrong(
      name: "the largest bus of a mixer that counts its own inputs",
      text: graphText(
        [#"{ "id": "low", "unit": "lowPassFilter" }"#, #"{ "id": "mix", "unit": "multichannelMixer" }"#],
        ["low -> mix:9223372036854775807"]), words: ["connections[0]", "no input bus 9223372036854775807"]),
  ]

  @Test(
    "what is wrong is named with its place, what was expected and what was found",
    arguments: documents + nodes + connections)
  func reading(_ wrong: Wrong) {
    expect(failure { _ = try GraphFile.parse(wrong.text) }, wrong.kind, wrong.words, wrong.name)
  }

  /// Wrong only as a whole: found when the graph is compiled.
  static let graphs: [Wrong] = [
    Wrong(
      name: "no output", text: graphText([#"{ "id": "low", "unit": "lowPassFilter" }"#], []), words: ["no output unit"]),
    Wrong(name: "nothing", text: #"{ "version": 1 }"#, words: ["no output unit"]),
    Wrong(
      name: "an output alone", text: graphText([out], []), words: ["node \"out\", input bus 0", "nothing is connected"]),
    connected("a cycle", ["low -> mix:1", "mix -> low", "mix -> out"], "cycle", "low -> mix", "mix -> low"),
    Wrong(
      name: "formats that do not fit",
      text: graphText(
        [
          out, "{ \"id\": \"bass\", \(player) }", #"{ "id": "low", "unit": "lowPassFilter" }"#,
          #"{ "id": "conv", "unit": "formatConverter", "format": { "encoding": "int16" } }"#,
        ], ["bass -> conv", "conv -> low", "low -> out"]),
      words: ["node \"low\", input bus 0", "int16", "\"conv\"", "put a formatConverter in front"]),
    Wrong(
      name: "a file player asked for other channels",
      text: graphText(
        [out, "{ \"id\": \"bass\", \(player), \"format\": { \"channels\": 2 } }"], ["bass -> out"]),
      words: ["node \"bass\""]),
    Wrong(
      name: "a map of a channel that is not there",
      text: graphText(
        [out, "{ \"id\": \"bass\", \(player) }", #"{ "id": "conv", "unit": "formatConverter", "map": [0, 1] }"#],
        ["bass -> conv", "conv -> out"]),
      words: ["node \"conv\"", "[0, 1]", "with 1"]),
    Wrong(
      name: "a converter's matrix of other inputs",
      text: graphText(
        [
          out, "{ \"id\": \"bass\", \(player) }", #"{ "id": "conv", "unit": "formatConverter", "matrix": [[1], [1]] }"#,
        ],
        ["bass -> conv", "conv -> out"]),
      words: ["node \"conv\"", "2 to 1 channels", "1 and 1"]),
    Wrong(
      name: "a matrix that does not fit",
      text: graphText(
        [
          out, "{ \"id\": \"bass\", \(player) }",
          #"{ "id": "mix", "unit": "multichannelMixer", "matrix": { "0": [[1, 1], [1, 1]] } }"#,
        ],
        ["bass -> mix", "mix -> out"]),
      words: ["node \"mix\"", "matrix of input 0", "4 gains", "need 2"]),
  ]

  @Test("what is wrong as a whole is named before the first frame, and no file is begun", arguments: graphs)
  func compiling(_ wrong: Wrong) {
    let folder = TemporaryFolder()
    let error = failure {
      let graph = try GraphFile.parse(wrong.text)
      _ = try OfflineRenderer(graph).render(to: folder.file("out.wav"), options: .init(.frames(100)))
    }
    expect(error, .graph, wrong.words, wrong.name)
    #expect(folder.names.isEmpty)
  }

  @Test("files that a graph names: missing, empty, of the wrong kind, truncated")
  func files() throws {
    let folder = TemporaryFolder()
    folder.write("", to: "empty.wav")
    folder.write("no sound here, only words", to: "words.wav")
    let whole = bytes(ofFile: try writeSound(folder.file("whole.wav"), noise(frames: 1000)))
    folder.write(Array(whole[..<(whole.count / 2)]), to: "cut.wav")
    for name in ["missing.wav", "empty.wav", "words.wav", "cut.wav", "."] {
      folder.write(graphText([#"{ "id": "x", "unit": "filePlayer", "file": "\#(name)" }"#], []), to: "graph.json")
      expect(failure { _ = try GraphFile.load(folder.file("graph.json")) }, .input, ["node \"x\"", name], name)
    }
  }

  @Test("a graph file that cannot be read, or is not one, is named")
  func unreadable() {
    let folder = TemporaryFolder()
    expect(failure { _ = try GraphFile.load(folder.file("none.json")) }, .graph, ["none.json", "no such"])
    expect(failure { _ = try GraphFile.load(folder.path) }, .graph, [folder.path, "not a file"])
    #expect(mkfifo(folder.file("pipe.json"), 0o600) == 0)
    expect(failure { _ = try GraphFile.load(folder.file("pipe.json")) }, .graph, ["pipe.json", "not a file"])
    expect(failure { _ = try GraphFile.load("/dev/zero") }, .graph, ["/dev/zero", "not a file"])
    folder.write("{", to: "huge.json")
    #expect(truncate(folder.file("huge.json"), (16 << 20) + 1) == 0)
    expect(failure { _ = try GraphFile.load(folder.file("huge.json")) }, .graph, ["huge.json", "16777217", "16777216"])
    folder.write([0xFF, 0xFE, 0x00, 0x7B], to: "bytes.json")
    expect(failure { _ = try GraphFile.load(folder.file("bytes.json")) }, .graph, ["bytes.json", "not JSON"])
    let deep = String(repeating: "[", count: 100_000)
    folder.write(deep, to: "deep.json")
    expect(failure { _ = try GraphFile.load(folder.file("deep.json")) }, .graph, ["deep.json", "not JSON"])
    folder.write(#"{ "version": 3 }"#, to: "three.json")
    expect(failure { _ = try GraphFile.load(folder.file("three.json")) }, .graph, ["three.json", "version"])
  }
}
