import BatchRender
import TestSupport
import Testing

/// NaN and infinities in files that a graph plays, and from its own nodes: what the render does, and what it tells.
@Suite("Samples in a graph that are not finite")
struct NonFiniteGraphTests {
  private let folder = TemporaryFolder()

  /// Two players into a mixer; the second one's file has samples that are not finite.
  private func graph(
    rate: Int = 44_100, policy: String? = nil, options: NonFinitePolicy? = nil, region: String = ""
  ) throws -> Graph {
    var samples = noise(2, frames: 60_000, seed: 5, amplitude: 0.1)
    (samples[1][30_000], samples[1][30_001], samples[0][40_000]) = (.nan, .nan, .infinity)
    try writeSound(folder.file("bad.wav"), samples, encoding: .float32)
    try writeSound(folder.file("good.wav"), noise(2, frames: 60_000, seed: 6, amplitude: 0.1), encoding: .float32)
    var reading = GraphFile.Options()
    reading.nonFinite = options
    let key = policy.map { ", \"nonfinite\": \"\($0)\"" } ?? ""
    return try GraphFile.parse(
      graphText(
        rate: rate,
        [
          #"{ "id": "bed", "unit": "filePlayer", "file": "good.wav" }"#,
          #"{ "id": "voice", "unit": "filePlayer", "file": "bad.wav"\#(key)\#(region) }"#,
          #"{ "id": "eq", "unit": "nBandEQ", "bands": [{ "type": "parametric", "frequency": 900, "gain": -12 }] }"#,
          #"{ "id": "mix", "unit": "multichannelMixer" }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["bed -> mix:0", "voice -> eq", "eq -> mix:1", "mix -> out"]), folder: folder.path + "/", options: reading)
  }

  @Test(
    "by default the render ends, and says which node's file has how many where",
    arguments: [(1, 512), (2, 4096), (2, 1)])
  func stops(threads: Int, slice: Int) throws {
    for graph in [try graph(), try graph(policy: "error"), try graph(policy: "keep", options: .error)] {
      expect(
        failure {
          _ = try OfflineRenderer(graph).render(
            to: folder.file("o.wav"), options: .init(.standard, slice: slice, threads: threads))
        }, .input,
        ["voice", "bad.wav", "2 samples are NaN and 1 is infinite, the first at frame 30000 of channel 1", "nonfinite"])
      #expect(!folder.exists("o.wav"))
    }
  }

  @Test("with silence each becomes 0, and all else sounds as if they had been 0 in the file", arguments: [1, 2])
  func silence(threads: Int) throws {
    var clean = noise(2, frames: 60_000, seed: 5, amplitude: 0.1)
    (clean[1][30_000], clean[1][30_001], clean[0][40_000]) = (0, 0, 0)
    let (found, report) = try OfflineRenderer(graph(policy: "silence")).renderToMemory(
      options: .init(.standard, threads: threads))
    let other = try graph(options: .silence)
    try writeSound(folder.file("bad.wav"), clean, encoding: .float32)
    let (expected, plain) = try OfflineRenderer(other).renderToMemory(options: .init(.standard, threads: threads))
    #expect(found == expected)
    #expect(!report.hasNonFiniteSamples && plain.nonFiniteFiles.isEmpty)
    let file = try #require(report.nonFiniteFiles.first)
    #expect(file.node == "voice" && file.policy == .silence && report.nonFiniteFiles.count == 1)
    #expect(
      file.samples == NonFiniteSamples(notNumbers: 2, infinities: 1, firstFrame: 30_000, firstChannel: 1))
  }

  @Test("with keep they pass, the node is named, and no peak is told of their channels", arguments: [1, 2])
  func keep(threads: Int) throws {
    let report = try OfflineRenderer(graph(policy: "keep")).render(
      to: folder.file("o.wav"), options: .init(.seconds(0.8), threads: threads))
    #expect(report.firstNonFiniteNode == "voice")
    #expect(report.nonFiniteSamples.firstFrame == 30_000 && report.nonFiniteSamples.firstChannel == 1)
    #expect(report.peakDecibels[1].isNaN && report.peakDecibels[0].isFinite)
    // Integers have none of them; none of that is clipping.
    #expect(report.clippedSamples == 0)
    let words = report.warnings.joined(separator: "\n")
    #expect(words.contains("node \"voice\": ") && words.contains("passed on"))
    #expect(words.contains("written as 0") && words.contains("the first node that puts out such is \"voice\""))
  }

  /// Files are read ahead: whether a render fails may not depend on how far.
  @Test("a render that ends in front of the first sees none of it", arguments: [44_100, 48_000])
  func endsBefore(rate: Int) throws {
    // 30000 frames at the file's rate; a conversion looks some frames ahead.
    let last = rate == 44_100 ? 30_000 : 30_000 * 480 / 441 - 600
    for (threads, slice) in [(1, 1), (1, 512), (2, 4096), (1, 4096), (2, 100)] {
      let options = OfflineRenderer.Options(.frames(Int64(last)), slice: slice, threads: threads)
      let report = try OfflineRenderer(graph(rate: rate)).renderToMemory(options: options).report
      #expect(report.frames == last && !report.hasNonFiniteSamples)
      let beyond = OfflineRenderer.Options(.frames(Int64(last) + 1200), slice: slice, threads: threads)
      #expect(failure { _ = try OfflineRenderer(graph(rate: rate)).renderToMemory(options: beyond) } != nil)
    }
    let part = try graph(rate: rate, region: #", "region": [0, 30000]"#)
    #expect(try !OfflineRenderer(part).renderToMemory().report.hasNonFiniteSamples)
  }

  @Test("a node that makes them itself is named, of all behind it", arguments: [1, 2])
  func firstNode(threads: Int) throws {
    let graph = Graph(sampleRate: 48_000)
    let source = try graph.add(NBandEQ(numberOfBands: 0), as: "source")
    try source.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .input)
    try source.setRenderCallback(
      RenderCallback { time, _, frames, buffer in
        for channel in 0..<buffer.count {
          for frame in 0..<frames {
            buffer.planes[channel][frame] = time + Int64(frame) == 20_001 && channel == 1 ? .nan : 0.25
          }
        }
        return .noError
      }, input: 0)
    let tone = try graph.add(ToneGenerator(), as: "tone")
    let behind = try graph.add(NBandEQ(numberOfBands: 0), as: "behind")
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    try graph.connect(tone, to: mix, input: 0)
    try graph.connect(source, to: behind)
    try graph.connect(behind, to: mix, input: 1)
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let report = try OfflineRenderer(graph).renderToMemory(options: .init(.frames(30_000), threads: threads)).report
    #expect(report.firstNonFiniteNode == "source")
    #expect(
      report.nonFiniteSamples == NonFiniteSamples(notNumbers: 1, infinities: 0, firstFrame: 20_001, firstChannel: 1))
  }

  @Test("a word that is none of the policies is refused, with its place")
  func badWord() throws {
    expect(failure { _ = try graph(policy: "ignore") }, .graph, ["voice", "nonfinite", "error", "silence", "keep"])
  }

  @Test("conversions: the same three, and figures of none of it")
  func conversions() throws {
    _ = try graph()
    let path = folder.file("bad.wav")
    let float = SoundFileFormat(container: .wav, encoding: .float32)
    for (format, rate) in [(float, nil), (SoundFileFormat(container: .flac, encoding: .pcm24), nil), (float, 48_000.0)]
    {
      for threads in [1, 2] {
        var options = FileConversion.Options()
        (options.sampleRate, options.threads) = (rate, threads)
        expect(
          failure { _ = try FileConversion.convert(path, to: folder.file("e"), as: format, options: options) }, .input,
          ["bad.wav", "2 samples are NaN and 1 is infinite, the first at frame 30000 of channel 1"])
        #expect(!folder.exists("e"))
        options.nonFinite = .silence
        let silent = try FileConversion.convert(path, to: folder.file("o"), as: format, options: options)
        #expect(silent.nonFiniteSamples.isEmpty && silent.peakDecibels.allSatisfy(\.isFinite))
        #expect(silent.nonFiniteFiles.first?.samples.count == 3 && silent.warnings.count == 1)
        #expect(try readSound(folder.file("o")).allSatisfy { $0.allSatisfy(\.isFinite) })
        options.nonFinite = .keep
        let kept = try FileConversion.convert(path, to: folder.file("o"), as: format, options: options)
        #expect(kept.peakDecibels.allSatisfy(\.isNaN) && kept.file.clippedSamples == 0)
        #expect(kept.nonFiniteSamples.count >= 3)
        let sound = try readSound(folder.file("o"))
        #expect(format == float ? sound[1].contains(where: \.isNaN) : sound[1][30_000] == 0)
      }
    }
  }
}
