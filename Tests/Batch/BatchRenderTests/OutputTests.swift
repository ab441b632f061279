import BatchRender
import Glibc
import TestSupport
import Testing

/// The file of a render: whole and the same every time, or not there.
@Suite struct OutputTests {
  private static let float = SoundFileFormat(container: .wav, encoding: .float32)

  private func demo() throws -> Graph { try GraphFile.load(Fixtures.path("demo/demo.json")) }

  @Test("slices and threads leave no trace in a file", arguments: [1, 2, 3, 4])
  func sameFile(threads: Int) throws {
    let folder = TemporaryFolder()
    for encoding in [SoundFileEncoding.pcm24, .float32] {
      let format = SoundFileFormat(container: .wav, encoding: encoding)
      _ = try OfflineRenderer(try demo()).render(
        to: folder.file("a.wav"), as: format, options: .init(.frames(300_000)))
      for slice in [137, 1000, 4096] {
        let report = try OfflineRenderer(try demo()).render(
          to: folder.file("b.wav"), as: format, options: .init(.frames(300_000), slice: slice, threads: threads))
        #expect(report.frames == 300_000 && report.file?.frames == 300_000)
        #expect(report.peakDecibels.allSatisfy { $0 > -20 })
        #expect(bytes(ofFile: folder.file("b.wav")) == bytes(ofFile: folder.file("a.wav")), "\(encoding), \(slice)")
      }
    }
  }

  @Test("a file is what is rendered into memory, and rendering twice gives the same", arguments: [1, 2])
  func memory(threads: Int) throws {
    let folder = TemporaryFolder()
    let renderer = OfflineRenderer(try demo())
    let options = OfflineRenderer.Options(.frames(50_000), threads: threads)
    let first = try renderer.renderToMemory(options: options)
    _ = try renderer.render(to: folder.file("a.wav"), as: Self.float, options: options)
    #expect(firstDifference(try readSound(folder.file("a.wav")), first.channels) == nil)
    #expect(first.report.file == nil && first.report.frames == 50_000)
    let peak = first.channels.map { Decibels.of(amplitude: Double($0.map(abs).max() ?? 0)) }
    #expect(first.report.peakDecibels == peak)
  }

  @Test("no frames make a file of no frames", arguments: [1, 2])
  func empty(threads: Int) throws {
    let folder = TemporaryFolder()
    let report = try OfflineRenderer(try demo()).render(
      to: folder.file("a.wav"), options: .init(.frames(0), threads: threads))
    #expect(report.frames == 0)
    #expect(report.peakDecibels == [-.infinity, -.infinity])
    #expect(try SoundFileReader(path: folder.file("a.wav")).info.frameCount == 0)
  }

  @Test("a node that is tapped twice is an error before anything is written") func tappedTwice() throws {
    let folder = TemporaryFolder()
    var options = OfflineRenderer.Options(.frames(1000))
    options.taps = ["t.wav", "u.wav"].map {
      OfflineRenderer.Tap(node: "mix", path: folder.file($0), format: Self.float)
    }
    let graph = try demo()
    expect(
      failure { _ = try OfflineRenderer(graph).render(to: folder.file("a.wav"), options: options) }, .usage, ["mix"])
    #expect(folder.names.isEmpty)
  }

  @Test(
    "a stop asked for by progress ends in .interrupted, and no file is left, not even the old one's ruin",
    arguments: [1, 2])
  func interrupted(threads: Int) throws {
    let folder = TemporaryFolder()
    var calls = 0
    var options = OfflineRenderer.Options(.frames(300_000), threads: threads)
    options.taps = [OfflineRenderer.Tap(node: "mix", path: folder.file("t.wav"), format: Self.float)]
    options.progress = { progress in
      calls += 1
      #expect(progress.framesTotal == 300_000 && progress.framesDone < 300_000)
      return false
    }
    let graph = try demo()
    expect(
      failure { _ = try OfflineRenderer(graph).render(to: folder.file("a.wav"), options: options) }, .interrupted, [])
    #expect(calls == 1)
    #expect(folder.names.isEmpty)
    folder.write("here before", to: "a.wav")
    expect(
      failure { _ = try OfflineRenderer(graph).render(to: folder.file("a.wav"), options: options) }, .interrupted, [])
    #expect(folder.names == ["a.wav"])
    #expect(bytes(ofFile: folder.file("a.wav")) == Array("here before".utf8))
    // The graph is none the worse for it.
    options.progress = { _ in true }
    #expect(try OfflineRenderer(graph).render(to: folder.file("a.wav"), options: options).frames == 300_000)
  }

  @Test("progress ends with all frames done")
  func progress() throws {
    var last: RenderProgress?
    var done: [Int64] = []
    var options = OfflineRenderer.Options(.frames(100_000))
    options.progress = {
      last = $0
      done.append($0.framesDone)
      return true
    }
    _ = try OfflineRenderer(try demo()).renderToMemory(options: options)
    #expect(last?.framesDone == 100_000 && last?.framesTotal == 100_000)
    #expect(done == done.sorted() && done.count >= 2)
    #expect((last?.realtimeFactor ?? 0) > 0)
  }

  @Test("an output that cannot be written is named, with nothing left", arguments: [1, 2])
  func unwritable(threads: Int) throws {
    let folder = TemporaryFolder()
    let graph = try demo()
    func error(_ path: String, _ change: (inout OfflineRenderer.Options) -> Void = { _ in }) -> BenchError? {
      var options = OfflineRenderer.Options(.frames(100_000), threads: threads)
      change(&options)
      return failure { _ = try OfflineRenderer(graph).render(to: path, options: options) }
    }
    expect(error(folder.file("none/a.wav")), .output, [folder.file("none/a.wav")])
    folder.write("x", to: "file")
    expect(error(folder.file("file/a.wav")), .output, [folder.file("file/a.wav")])
    expect(error("/proc/a.wav"), .output, ["/proc/a.wav"])
    expect(error(folder.file("a.xyz")), .usage, [".xyz"])
    expect(error(folder.file("a")), .usage, ["no extension"])
    folder.write("old", to: "old.wav")
    expect(error(folder.file("old.wav")) { $0.writer.overwrites = false }, .output, ["old.wav"])
    // A full disk, as the writer's own tests make it.
    for space: Int64 in [0, 40, 10_000, 200_000] {
      let full = error(folder.file("a.wav")) { $0.writer.space = space }
      expect(full, .output, [folder.file("a.wav"), "no space left"], "\(space) bytes")
    }
    #expect(folder.names == ["file", "old.wav"])
    #expect(bytes(ofFile: folder.file("old.wav")) == Array("old".utf8))
  }

  @Test("samples beyond the range of integers are counted one by one, and none for floats", arguments: [1, 2])
  func clipping(threads: Int) throws {
    let folder = TemporaryFolder()
    // −2, −1.75 … 1.75 in turn: below −1 are 4 of 16, at or above 1 are 4 of 16.
    func graph() throws -> Graph {
      try callbackGraph { frame, channel in Float((frame + Int64(channel)) % 16) / 4 - 2 }
    }
    for encoding in [SoundFileEncoding.pcmU8, .pcm16, .pcm24, .pcm32] {
      let report = try OfflineRenderer(graph()).render(
        to: folder.file("a.wav"), as: SoundFileFormat(container: .wav, encoding: encoding),
        options: .init(.frames(16_000), threads: threads))
      #expect(report.clippedSamples == 16_000, "\(encoding)")
      let sound = try readSound(folder.file("a.wav"))
      #expect(sound[0][0] == -1 && sound[0][8] == 0 && sound[0][6] == -0.5, "clipped, not wrapped round")
      #expect(sound[0][15] > 0.99)
      #expect(abs((report.peakDecibels.first ?? 0) - Decibels.of(amplitude: 2)) < 1e-9)
    }
    let report = try OfflineRenderer(graph()).render(
      to: folder.file("a.wav"), as: Self.float, options: .init(.frames(16_000), threads: threads))
    #expect(report.clippedSamples == 0)
  }

  @Test(
    "one sample that is not a number, or infinite, is told", arguments: [Float.nan, .infinity, -.infinity], [1, 2])
  func nonFinite(value: Float, threads: Int) throws {
    for at: Int64 in [0, 8191, 8192, 29_999] {
      let graph = try callbackGraph { frame, channel in frame == at && channel == 1 ? value : 0.25 }
      let report = try OfflineRenderer(graph).renderToMemory(options: .init(.frames(30_000), threads: threads)).report
      #expect(report.hasNonFiniteSamples, "\(value) at \(at)")
      #expect(abs(report.peakDecibels[0] - Decibels.of(amplitude: 0.25)) < 1e-9)
      // The channel that has it has no peak.
      #expect(report.peakDecibels[1].isNaN)
      #expect(report.nonFiniteSamples.firstFrame == at && report.nonFiniteSamples.firstChannel == 1)
      #expect(report.nonFiniteSamples.count == 1 && report.firstNonFiniteNode == "source")
    }
    let finite = try callbackGraph { _, _ in 0.25 }
    #expect(try !OfflineRenderer(finite).renderToMemory(options: .init(.frames(30_000))).report.hasNonFiniteSamples)
  }

  @Test("an input that breaks off while rendering is named with its node, and no file is left", arguments: [1, 2])
  func truncated(threads: Int) throws {
    let folder = TemporaryFolder()
    let input = folder.file("in.wav")
    let graph = try { () -> Graph in
      try writeSound(input, noise(frames: 400_000))
      return try GraphFile.parse(
        graphText(
          [
            #"{ "id": "voice", "unit": "filePlayer", "file": "in.wav" }"#,
            #"{ "id": "bass", "unit": "filePlayer", "file": "\#(Fixtures.path("audio/bass.flac"))" }"#,
            #"{ "id": "mix", "unit": "multichannelMixer" }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
          ], ["bass -> mix", "voice -> mix:1", "mix -> out"]), folder: folder.path + "/")
    }()
    var options = OfflineRenderer.Options(.sources(tail: true), threads: threads)
    options.taps = [OfflineRenderer.Tap(node: "bass", path: folder.file("t.wav"), format: Self.float)]
    options.progress = { _ in
      truncate(input, 44 + 4 * 100_000)
      return true
    }
    let error = failure { _ = try OfflineRenderer(graph).render(to: folder.file("out.wav"), options: options) }
    expect(error, .input, ["node \"voice\"", input])
    #expect(folder.names == ["in.wav"])
  }

  @Test("the output converts to the format that is asked of it", arguments: [1, 2])
  func format(threads: Int) throws {
    func graph(_ format: String) throws -> Graph {
      try GraphFile.parse(
        graphText(
          [
            #"{ "id": "a", "unit": "filePlayer", "file": "drums.flac" }"#,
            #"{ "id": "out", "unit": "genericOutput", "format": \#(format) }"#,
          ], ["a -> out"]), folder: Fixtures.path("audio/"))
    }
    func render(_ format: String) throws -> (channels: [[Float]], report: RenderReport) {
      try OfflineRenderer(try graph(format)).renderToMemory(options: .init(.sources(tail: false), threads: threads))
    }
    let drums = try readSound(Fixtures.path("audio/drums.flac"))
    // 16-bit material survives 16 bits and 24 bits, planar or not, bit for bit.
    for format in ["{}", #"{ "encoding": "int16" }"#, #"{ "encoding": "int24", "interleaved": true }"#] {
      let (channels, report) = try render(format)
      #expect(firstDifference(channels, drums) == nil, "\(format)")
      #expect(report.frames == 84_000 && report.sampleRate == 44_100)
    }
    let (slow, report) = try render(#"{ "sampleRate": 22050 }"#)
    #expect(report.sampleRate == 22_050 && report.frames == 42_000)
    #expect(firstDifference(slow, try RateConverter.convert(drums, from: 44_100, to: 22_050)) == nil)
  }
}
