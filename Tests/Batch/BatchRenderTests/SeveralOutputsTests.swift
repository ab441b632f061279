import BatchRender
import TestSupport
import Testing

/// Graph files with units of several outputs: the matrix mixer, the splitters, the merger.
@Suite struct SeveralOutputsTests {
  private func player(_ id: String, _ path: String) -> String {
    #"{ "id": "\#(id)", "unit": "filePlayer", "file": "\#(path)" }"#
  }

  private func rendered(_ graph: Graph, frames: Int64, threads: Int) throws -> [[Float]] {
    try OfflineRenderer(graph).renderToMemory(options: .init(.frames(frames), threads: threads)).channels
  }

  @Test("a matrix mixer with two output buses, and levels set by name", arguments: [1, 3])
  func matrix(_ threads: Int) throws {
    let folder = TemporaryFolder()
    let (stereo, mono) = (noise(2, frames: 3000, seed: 1), noise(1, frames: 3000, seed: 2))
    try writeSound(folder.file("stereo.wav"), stereo, encoding: .float32)
    try writeSound(folder.file("mono.wav"), mono, encoding: .float32)
    let graph = try GraphFile.parse(
      graphText(
        [
          player("a", folder.file("stereo.wav")), player("b", folder.file("mono.wav")),
          #"""
          { "id": "mx", "unit": "matrixMixer", "outputChannels": [1, 2],
            "matrix": [[0.5, 0, 0], [0, 0.25, 0], [1, 1, -1]],
            "set": { "volume@master": 0.5, "volume@input:1": 2, "volume@output:2": 0.25, "volume@crosspoint:0,2": 4 } }
          """#,
          #"{ "id": "merge", "unit": "merger" }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["a -> mx:0", "b -> mx:1", "mx:0 -> merge:0", "mx:1 -> merge:1", "merge -> out"]))
    let heard = try rendered(graph, frames: 3000, threads: threads)
    #expect(heard.count == 3)
    // All factors are powers of two: products are exact, and each sum is rounded once.
    for frame in 0..<3000 {
      let (left, right, middle) = (stereo[0][frame], stereo[1][frame], mono[0][frame])
      let expected = [(left * 0.5 + middle) * 0.5, (right * 0.5 + middle) * 0.5, (left * 4 - middle) * 0.125]
      guard (0..<3).allSatisfy({ heard[$0][frame] == expected[$0] }) else {
        Issue.record("frame \(frame): \((0..<3).map { heard[$0][frame] }) in place of \(expected)")
        return
      }
    }
  }

  @Test("the channels of the outputs are those of the columns, and levels can follow ramps")
  func matrixKeys() throws {
    let graph = try GraphFile.parse(
      graphText(
        [
          #"""
          { "id": "mx", "unit": "aumx mxmx appl", "inputs": 2, "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "ramp": [ { "parameter": "volume@crosspoint:2,1", "points": [[0, 0], [100, 1]] },
                      { "parameter": "volume@input:2", "points": [[0, 0], [100, 1]] } ] }
          """#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["mx -> out"]))
    let mixer = try #require(graph.node(named: "mx")?.unit as? MatrixMixer)
    #expect(mixer.elementCount(.input) == 2 && mixer.elementCount(.output) == 1)
    #expect(mixer.hasTimeline(MatrixMixer.crosspointAddress(input: 2, output: 1)))
    #expect(mixer.hasTimeline(MatrixMixer.channelAddress(.input, 2)))
    #expect(mixer.matrixLevels == [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1])
  }

  @Test("crosspoints are set and moved without a matrix, by channels that only the connections give")
  func crosspointsAlone() throws {
    let folder = TemporaryFolder()
    let sound = noise(3, frames: 500)
    try writeSound(folder.file("three.wav"), sound, encoding: .float32)
    func graph(_ crosspoint: String) throws -> Graph {
      try GraphFile.parse(
        graphText(
          [
            player("a", folder.file("three.wav")),
            #"""
            { "id": "mx", "unit": "matrixMixer", "set": { "volume@crosspoint:\#(crosspoint)": 0.5, "volume@input:2": 1,
              "volume@output:0": 1, "volume@master": 1 },
              "ramp": [{ "parameter": "volume@crosspoint:1,1", "points": [[0, 0], [100, 1]] }] }
            """#,
            #"{ "id": "out", "unit": "genericOutput" }"#,
          ], ["a -> mx", "mx -> out"]))
    }
    let heard = try rendered(graph("2,0"), frames: 500, threads: 1)
    #expect(heard == [sound[2].map { $0 * 0.5 }, [Float](repeating: 0, count: 500)])
    expect(failure { _ = try graph("3,0").compile() }, .graph, ["mx", "input channel 3", "3 input channels"])
    expect(failure { _ = try graph("2,2").compile() }, .graph, ["mx", "output channel 2", "2 output channels"])
  }

  private func error(_ node: String, _ connections: [String] = ["a -> mx", "mx -> out"]) -> BenchError? {
    failure {
      let graph = try GraphFile.parse(
        graphText(
          [player("a", Fixtures.path("audio/bass.flac")), node, #"{ "id": "out", "unit": "genericOutput" }"#],
          connections))
      _ = try graph.compile()
    }
  }

  @Test("mistakes with a matrix are named")
  func matrixErrors() throws {
    func matrix(_ keys: String) -> String { #"{ "id": "mx", "unit": "matrixMixer"\#(keys) }"# }
    expect(error(matrix("")), .graph, ["mx", "no gains", "matrix"])
    expect(error(matrix(#", "matrix": [[1, 0], [1]]"#)), .graph, ["mx", "row 0 has 2 gains, row 1 has 1"])
    expect(error(matrix(#", "matrix": [[]]"#)), .graph, ["mx", "matrix"])
    expect(
      error(matrix(#", "matrix": [[1, 0, 0]], "outputChannels": [1, 1]"#)), .graph, ["mx", "3 gains", "2 altogether"])
    expect(error(matrix(#", "matrix": [[1]], "outputChannels": [0]"#)), .graph, ["mx", "outputChannels"])
    expect(
      error(matrix(#", "matrix": [[1], [1], [1], [1], [1]]"#)), .graph, ["mx", "5 rows of 1 gain,", "input"])
    expect(
      error(matrix(#", "matrix": [[1]], "set": { "volume@crosspoint:1,0": 1 }"#)), .graph,
      ["crosspoint:1,0", "1 row of 1 crosspoint"])
    expect(error(matrix(#", "matrix": [[1]], "set": { "volume@crosspoint:0": 1 }"#)), .graph, ["a row and a column"])
    expect(error(matrix(#", "matrix": [[1]], "set": { "volume@input:0,1": 1 }"#)), .graph, ["no columns"])
    expect(
      error(matrix(#", "matrix": [[1], [1]], "set": { "volume@input:2": 1 }"#)), .graph,
      ["no input element 2", "0 to 1"])
    expect(error(matrix(#", "matrix": [[1], [1]]"#), ["a -> mx", "mx:1 -> out"]), .graph, ["no output bus 1"])
  }

  @Test("a parameter name may have a column")
  func columns() throws {
    let name = try ParameterName("volume@crosspoint:12,3")
    #expect(name.element == 12 && name.column == 3 && "\(name)" == "volume@crosspoint:12,3")
    #expect(try ParameterName("volume@input:2").column == nil)
    for text in ["a@b:1,", "a@b:,1", "a@b:1,2,3", "a@b:1,-2"] {
      expect(failure { _ = try ParameterName(text) }, .usage, ["name@scope:element"])
    }
  }

  @Test("splitters give the same frames to all their readers, on any number of threads", arguments: [1, 2, 4])
  func splitters(_ threads: Int) throws {
    let folder = TemporaryFolder()
    let sound = noise(2, frames: 3000)
    try writeSound(folder.file("a.wav"), sound, encoding: .float32)
    let graph = try GraphFile.parse(
      graphText(
        [
          player("a", folder.file("a.wav")), #"{ "id": "two", "unit": "splitter" }"#,
          #"{ "id": "many", "unit": "multiSplitter" }"#,
          #"{ "id": "d", "unit": "sampleDelay", "set": { "delayFrames": 100 } }"#,
          #"{ "id": "mix", "unit": "multichannelMixer", "set": { "volume@input:1": 2, "volume@input:2": 4 } }"#,
          #"{ "id": "out", "unit": "genericOutput" }"#,
        ],
        [
          "a -> two", "two:0 -> mix:0", "two:1 -> many", "many:2 -> mix:1", "many:0 -> d", "d -> mix:2", "mix -> out",
        ]))
    #expect(graph.node(named: "many")?.unit.elementCount(.output) == 3)
    let heard = try rendered(graph, frames: 3000, threads: threads)
    for channel in 0..<2 {
      for frame in 0..<3000 {
        let late = frame < 100 ? 0 : sound[channel][frame - 100]
        let expected = sound[channel][frame] + sound[channel][frame] * 2 + late * 4
        guard heard[channel][frame] == expected else {
          Issue.record("channel \(channel), frame \(frame): \(heard[channel][frame]) in place of \(expected)")
          return
        }
      }
    }
  }

  @Test("a merger needs both inputs, and a splitter has two outputs")
  func busErrors() {
    expect(
      error(#"{ "id": "m", "unit": "merger" }"#, ["a -> m:0", "m -> out"]), .graph, ["m", "input bus 1", "nothing"])
    expect(
      error(#"{ "id": "s", "unit": "splitter" }"#, ["a -> s", "s:2 -> out"]), .graph, ["no output bus 2", "0 to 1"])
    expect(
      error(#"{ "id": "s", "unit": "multiSplitter", "outputs": 2 }"#, ["a -> s", "s:2 -> out"]), .graph,
      ["no output bus 2", "0 to 1"])
    expect(
      error(#"{ "id": "s", "unit": "multiSplitter", "outputs": 0 }"#, ["a -> s", "s -> out"]), .graph, ["outputs"])
  }
}
