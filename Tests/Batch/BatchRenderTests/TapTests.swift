import BatchRender
import Glibc
import TestSupport
import Testing

/// Taps: any node's output in a file of its own, in the same pass.
@Suite struct TapTests {
  private static let float = SoundFileFormat(container: .wav, encoding: .float32)
  private static let frames: Int64 = 20_000

  /// Nodes of three clocks: two of them behind conversions. Bus 2 of the mixer is at volume 0, bus 3 is switched off.
  private static let nodes = [
    #"{ "id": "drums", "unit": "filePlayer", "file": "drums.flac" }"#,
    #"{ "id": "rock", "unit": "iPodEQ", "preset": "Rock" }"#,
    #"{ "id": "tabla", "unit": "filePlayer", "file": "tabla.flac", "loops": 3, "format": { "sampleRate": 32000 } }"#,
    #"{ "id": "dark", "unit": "lowPassFilter", "set": { "cutoffFrequency": 900 } }"#,
    #"{ "id": "crow", "unit": "filePlayer", "file": "crow-22050.flac", "loops": 9, "format": { "sampleRate": 96000 } }"#,
    #"{ "id": "quiet", "unit": "highPassFilter" }"#,
    #"{ "id": "bass", "unit": "filePlayer", "file": "bass.flac" }"#,
    #"{ "id": "off", "unit": "nBandEQ", "bands": [{ "gain": 6 }] }"#,
    #"""
    { "id": "mix", "unit": "multichannelMixer", "quality": "QUALITY",
      "set": { "volume@input:2": 0, "enable@input:3": 0, "volume@input:1": 0.5 } }
    """#,
    #"{ "id": "conv", "unit": "formatConverter", "format": { "encoding": "int16", "interleaved": true } }"#,
  ]
  private static let connections = [
    "drums -> rock", "rock -> mix:0", "tabla -> dark", "dark -> mix:1", "crow -> quiet", "quiet -> mix:2",
    "bass -> off",
    "off -> mix:3", "mix -> conv", "conv -> out",
  ]

  private func graph(quality: String = "fast", head: String? = nil, rate: Int = 44_100) throws -> Graph {
    let format = head == nil ? "" : #", "format": { "sampleRate": \#(rate) }"#
    let out = #"{ "id": "out", "unit": "genericOutput"\#(format) }"#
    var connections = Self.connections
    if let head { connections = connections.filter { !$0.hasSuffix("-> out") } + ["\(head) -> out"] }
    return try GraphFile.parse(
      graphText((Self.nodes + [out]).map { $0.replacing("QUALITY", with: quality) }, connections),
      folder: Fixtures.path("audio/"))
  }

  /// Node, its rate.
  private static let tapped = [
    ("drums", 44_100), ("rock", 44_100), ("tabla", 32_000), ("dark", 32_000), ("crow", 96_000), ("quiet", 96_000),
    ("off", 44_100), ("mix", 44_100), ("conv", 44_100), ("out", 44_100),
  ]

  @Test(
    "a tap is what the node alone would have rendered, bit for bit, on its own clock",
    arguments: ["fast", "linear", "zero-order-hold", "mastering"], [1, 2])
  func alone(quality: String, threads: Int) throws {
    let folder = TemporaryFolder()
    var options = OfflineRenderer.Options(.frames(Self.frames), slice: 777, threads: threads)
    options.taps = Self.tapped.map {
      OfflineRenderer.Tap(node: $0.0, path: folder.file("\($0.0).wav"), format: Self.float)
    }
    let report = try OfflineRenderer(try graph(quality: quality)).render(
      to: folder.file("all.wav"), as: Self.float, options: options)
    #expect(report.taps.count == Self.tapped.count)
    for (index, (node, rate)) in Self.tapped.enumerated() {
      let expected = FrameCount.converted(Self.frames, from: 44_100, to: Double(rate))
      #expect(report.taps[index].frames == expected, "\(node)")
      let reader = try SoundFileReader(path: folder.file("\(node).wav"))
      #expect(reader.info.sampleRate == Double(rate))
      #expect(reader.info.frameCount == expected)
      let head = node == "out" ? try graph(quality: quality) : try graph(quality: quality, head: node, rate: rate)
      let alone = try OfflineRenderer(head).renderToMemory(options: .init(.frames(expected))).channels
      let difference = firstDifference(try readSound(folder.file("\(node).wav")), alone)
      #expect(difference == nil, "\(node): \(difference ?? "")")
      #expect(alone[0].contains { abs($0) > 0.01 }, "\(node) is next to silent")
    }
    // The render itself does not notice.
    let plain = try OfflineRenderer(try graph(quality: quality)).renderToMemory(options: .init(.frames(Self.frames)))
    #expect(firstDifference(try readSound(folder.file("all.wav")), plain.channels) == nil)
  }

  @Test("a tap behind an input at volume 0 changes no bit of the render, not even with infinities and negative zeros")
  func listening() throws {
    func graph() throws -> Graph {
      let graph = Graph(sampleRate: 48_000)
      let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
      for (bus, value) in [Float.infinity, -0.0].enumerated() {
        let source = try graph.add(NBandEQ(numberOfBands: 0), as: "source\(bus)")
        try source.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .input)
        try source.setRenderCallback(
          RenderCallback { _, _, frames, buffer in
            for channel in 0..<buffer.count { buffer.planes[channel].update(repeating: value, count: frames) }
            return .noError
          }, input: 0)
        try graph.connect(source, to: mix, input: bus)
      }
      try mix.setVolume(0, input: 0)
      try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
      return graph
    }
    let folder = TemporaryFolder()
    var options = OfflineRenderer.Options(.frames(1000))
    let plain = try OfflineRenderer(try graph()).renderToMemory(options: options)
    options.taps = [OfflineRenderer.Tap(node: "source0", path: folder.file("t.wav"), format: Self.float)]
    let tapped = try OfflineRenderer(try graph()).renderToMemory(options: options)
    let difference = firstDifference(tapped.channels, plain.channels)
    #expect(difference == nil, "\(difference ?? "")")
    #expect(!tapped.report.hasNonFiniteSamples)
    #expect(try readSound(folder.file("t.wav"))[1] == Array(repeating: .infinity, count: 1000))
  }

  @Test("a tap is as long as a render whose length is found on the way", arguments: [1, 2])
  func untilSilent(threads: Int) throws {
    let folder = TemporaryFolder()
    let graph = try callbackGraph { frame, _ in (0..<5000).contains(frame) ? 0.5 : 0 }
    var options = OfflineRenderer.Options(
      .untilSilent(thresholdDecibels: -60, holdSeconds: 0.2), slice: 100, threads: threads)
    options.taps = [OfflineRenderer.Tap(node: "source", path: folder.file("t.wav"), format: Self.float)]
    let report = try OfflineRenderer(graph).render(to: folder.file("o.wav"), as: Self.float, options: options)
    #expect(report.frames == 5000)
    #expect(report.taps.map(\.frames) == [5000])
    #expect(bytes(ofFile: folder.file("t.wav")) == bytes(ofFile: folder.file("o.wav")))
    // Nothing rendered, nothing tapped.
    options.length = .frames(0)
    let none = try OfflineRenderer(graph).render(to: folder.file("o.wav"), as: Self.float, options: options)
    #expect(none.frames == 0 && none.taps.map(\.frames) == [0])
    #expect(try readSound(folder.file("t.wav")) == [[], []])
  }

  @Test("a tap that cannot be is refused, and neither file is left")
  func refused() throws {
    let folder = TemporaryFolder()
    func error(_ node: String, _ path: String, threads: Int = 1) throws -> BenchError? {
      var options = OfflineRenderer.Options(.frames(100), threads: threads)
      options.taps = [OfflineRenderer.Tap(node: node, path: path, format: Self.float)]
      let graph = try graph()
      try graph.add(LowPassFilter(), as: "dead")
      return failure { _ = try OfflineRenderer(graph).render(to: folder.file("o.wav"), options: options) }
    }
    expect(try error("nobody", folder.file("t.wav")), .graph, ["\"nobody\"", "no such node"])
    expect(try error("dead", folder.file("t.wav")), .graph, ["\"dead\"", "does not lead to the output"])
    expect(try error("rock", folder.file("none/t.wav")), .output, [folder.file("none/t.wav")])
    expect(try error("rock", folder.file("o.wav")), .usage, ["o.wav", "two"])
    #expect(folder.names.isEmpty)
  }
}
