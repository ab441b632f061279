import BatchRender
import Glibc
import TestSupport
import Testing

/// A render has exactly the requested length, whatever the slice.
@Suite struct RenderLengthTests {
  private let folder = TemporaryFolder()

  /// A file of `frames` frames at `rate` into a low-pass filter and an output at 48 kHz.
  private func graph(frames: Int, rate: Double = 48_000, more: String = "", filter: String = "") throws -> Graph {
    try writeSound(folder.file("a.wav"), noise(frames: frames), rate: rate)
    return try GraphFile.parse(
      graphText(
        rate: 48_000,
        [
          #"{ "id": "a", "unit": "filePlayer", "file": "a.wav" \#(more) }"#,
          #"{ "id": "low", "unit": "lowPassFilter" \#(filter) }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["a -> low", "low -> out"]), folder: folder.path + "/")
  }

  private func length(_ graph: Graph, _ length: RenderLength, slice: Int? = nil) throws -> Int {
    let (channels, report) = try OfflineRenderer(graph).renderToMemory(options: .init(length, slice: slice))
    #expect(channels.count == report.channelCount)
    for channel in channels { #expect(channel.count == Int(report.frames)) }
    return Int(report.frames)
  }

  @Test("frames and seconds are kept to the frame with every slice", arguments: [1, 7, 64, 137, 512, 4096])
  func fixed(slice: Int) throws {
    let graph = try graph(frames: 100)
    for frames in [0, 1, 511, 512, 513, 9000] {
      #expect(try length(graph, .frames(Int64(frames)), slice: slice) == frames)
    }
    #expect(try length(graph, .seconds(0.05), slice: slice) == 2400)
    // To the nearest frame: 0.01234 s are 592.32 frames, 0.01235 s 592.8.
    #expect(try length(graph, .seconds(0.01234), slice: slice) == 592)
    #expect(try length(graph, .seconds(0.01235), slice: slice) == 593)
    #expect(try length(graph, .seconds(0), slice: slice) == 0)
  }

  @Test("lengths that are none are refused")
  func refused() throws {
    let graph = try graph(frames: 100)
    let wrong: [RenderLength] = [
      .frames(-1), .seconds(-0.5), .seconds(.nan), .seconds(.infinity), .seconds(1e300),
      .untilSilent(thresholdDecibels: 0), .untilSilent(thresholdDecibels: .nan),
      .untilSilent(thresholdDecibels: -60, holdSeconds: -1), .untilSilent(thresholdDecibels: -60, holdSeconds: 1e300),
      .untilSilent(thresholdDecibels: -60, capSeconds: .infinity),
    ]
    for wrong in wrong { expect(failure { _ = try length(graph, wrong) }, .usage, [], "\(wrong)") }
    for slice in [0, -1, 4097] {
      expect(failure { _ = try length(graph, .frames(10), slice: slice) }, .usage, ["1 to 4096", "\(slice)"])
    }
    // A hold longer than anything that will be rendered takes no memory of its own.
    let long = RenderLength.untilSilent(thresholdDecibels: -60, holdSeconds: 1e9, capSeconds: 0.01)
    #expect(try length(graph, long) == 480)
  }

  @Test("the longest source decides: start, loops, region and conversion counted, the tail on top where asked for")
  func sources() throws {
    #expect(try length(try graph(frames: 1000), .sources(tail: false)) == 1000)
    #expect(try length(try graph(frames: 1000, more: #", "start": 77, "loops": 2"#), .sources(tail: false)) == 3077)
    #expect(try length(try graph(frames: 1000, more: #", "region": [100, 50]"#), .sources(tail: false)) == 50)
    #expect(try length(try graph(frames: 1000, more: #", "region": [100, 0]"#), .sources(tail: false)) == 0)
    // 1000 × 48000 ÷ 44100 = 1088.4; two passes are converted as one stream, 2176.9.
    #expect(try length(try graph(frames: 1000, rate: 44_100), .sources(tail: false)) == 1088)
    #expect(try length(try graph(frames: 1000, rate: 44_100, more: #", "loops": 1"#), .sources(tail: false)) == 2177)

    // The tail is the filter's: until its impulse response has fallen by 120 dB. Poles of a cookbook low-pass at
    // w0 with Q = 10^(20/20): radius sqrt((1 - a) / (1 + a)), a = sin(w0) / 2Q.
    let ringing = try graph(frames: 1000, filter: #", "set": { "cutoffFrequency": 200, "resonance": 20 }"#)
    let whole = try length(ringing, .sources(tail: true))
    let alpha = sin(2 * Double.pi * 200 / 48_000) / 20
    let byRadius = log(1e-6) / log(sqrt((1 - alpha) / (1 + alpha)))
    #expect(
      whole > 1000 + Int(clamping: 0.8 * byRadius) && whole < 1000 + Int(clamping: 1.5 * byRadius),
      "\(whole), radius \(byRadius)")
    let sound = try OfflineRenderer(ringing).renderToMemory(options: .init(.frames(Int64(whole)))).channels[0]
    let loudest = sound.map(abs).max() ?? 0
    #expect((sound.last.map(abs) ?? 1) < loudest * 2e-6)
    #expect(sound[1000..<2000].contains { abs($0) > loudest * 0.01 }, "it rings at all")

    let endless = try graph(frames: 1000, more: #", "loops": -1"#)
    expect(failure { _ = try length(endless, .sources(tail: true)) }, .usage, ["never ends", "seconds or frames"])
  }

  @Test(
    "until silent: a decay of known law ends with the last frame at or above the threshold", arguments: [1, 137, 4096])
  func decay(slice: Int) throws {
    // 2^(-n/1000) >= 10^(-60/20) up to n = floor(1000 · log2(1000)) = 9965.
    let graph = try callbackGraph { frame, channel in channel == 0 ? Float(exp2(-Double(frame) / 1000)) : 0 }
    let until = RenderLength.untilSilent(thresholdDecibels: -60, holdSeconds: 0.1)
    #expect(try length(graph, until, slice: slice) == 9966)
    let short = RenderLength.untilSilent(thresholdDecibels: -60, holdSeconds: 0.1, capSeconds: 0.1)
    #expect(try length(graph, short, slice: slice) == 4800)
    let sound = try OfflineRenderer(graph).renderToMemory(options: .init(until, slice: slice)).channels
    #expect(sound[0] == (0..<9966).map { Float(exp2(-Double($0) / 1000)) })
  }

  @Test("until silent: without a hold the first quiet frame is the end", arguments: [1, 2, 4096])
  func noHold(slice: Int) throws {
    let graph = try callbackGraph { frame, _ in [0, 2, 5].contains(frame) ? 0.5 : 0 }
    for (hold, frames) in [(0.0, 1), (0.5, 1), (1, 1), (2, 3), (3, 6)] {
      let until = RenderLength.untilSilent(thresholdDecibels: -90, holdSeconds: hold / 48_000, capSeconds: 1)
      #expect(try length(graph, until, slice: slice) == frames, "\(hold)")
    }
  }

  @Test("until silent: a pause shorter than the hold does not end it, a longer one does", arguments: [1, 100, 4096])
  func pause(slice: Int) throws {
    // Sound in [0, 1000), silence of 2400 frames, sound in [3400, 3500), then silence.
    let graph = try callbackGraph { frame, _ in (0..<1000).contains(frame) || (3400..<3500).contains(frame) ? 0.5 : 0 }
    func until(_ hold: Double) -> RenderLength {
      .untilSilent(thresholdDecibels: -90, holdSeconds: hold, capSeconds: 1)
    }
    #expect(try length(graph, until(2401.0 / 48_000), slice: slice) == 3500)
    #expect(try length(graph, until(2400.0 / 48_000), slice: slice) == 1000)
    #expect(try length(graph, until(2399.0 / 48_000), slice: slice) == 1000)
    // Nothing is silent below −∞: only exact zeros are below the smallest of thresholds.
    let faint = try callbackGraph { frame, _ in frame < 1000 ? 1e-30 : 0 }
    #expect(try length(faint, .untilSilent(thresholdDecibels: -700, holdSeconds: 0.01), slice: slice) == 1000)
    // Not a number is no silence.
    let broken = try callbackGraph { _, _ in .nan }
    #expect(try length(broken, .untilSilent(thresholdDecibels: -60, capSeconds: 0.1), slice: slice) == 4800)
  }

  @Test("until silent begins to look behind the sources, and rings out behind them", arguments: [64, 4096])
  func sourcesFirst(slice: Int) throws {
    let until = RenderLength.untilSilent(thresholdDecibels: -60, holdSeconds: 0.05)
    // Half of the file is silence that belongs to it.
    try writeSound(folder.file("half.wav"), [Array(repeating: 0.5, count: 3000) + Array(repeating: 0, count: 9000)])
    let text = graphText(
      [#"{ "id": "a", "unit": "filePlayer", "file": "half.wav" }"#, #"{ "id": "out", "unit": "genericOutput" }"#],
      ["a -> out"])
    #expect(try length(try GraphFile.parse(text, folder: folder.path + "/"), until, slice: slice) == 12_000)
    let ringing = try graph(frames: 1000, filter: #", "set": { "cutoffFrequency": 200, "resonance": 20 }"#)
    let sound = try OfflineRenderer(ringing).renderToMemory(options: .init(.frames(60_000))).channels
    let last = try #require(
      (0..<60_000).last { frame in sound.contains { abs($0[frame]) >= Float(Decibels.amplitude(-60)) } })
    #expect(last > 2000 && last < 50_000)
    #expect(try length(ringing, until, slice: slice) == last + 1)
    // An endless loop never falls silent: the cap holds.
    let endless = try graph(frames: 1000, more: #", "loops": -1"#)
    let capped = RenderLength.untilSilent(thresholdDecibels: -60, holdSeconds: 0.05, capSeconds: 0.25)
    #expect(try length(endless, capped, slice: slice) == 12_000)
    // Silence at the cap but shorter than the hold is no proof: the render is as long as the cap.
    let cut = RenderLength.untilSilent(thresholdDecibels: -60, holdSeconds: 10, capSeconds: 0.5)
    #expect(try length(ringing, cut, slice: slice) == 24_000)
  }

  /// A unit that reports the delay it makes.
  final class Delay: Unit, @unchecked Sendable {
    static let component = Component(
      ComponentDescription(type: .effect, subType: "dlay"), shortName: "delay", name: "Test: delay", summary: "Delays."
    ) { preconditionFailure("made by the test") }
    static let frames = 300
    convenience init() { self.init(Self.component, inputs: 1, outputs: 1) }
    override var latencyFrames: Int { Self.frames }
    override func makeProcessor() throws(AudioStatus) -> Processor { Line() }

    final class Line: Processor {
      private var past = [Float](repeating: 0, count: Delay.frames)
      private var at = 0
      override func process(_ piece: RenderPiece) throws(AudioStatus) {
        for frame in piece.offset..<(piece.offset + piece.frames) {
          piece.outputs[0].planes[0][frame] = past[at]
          past[at] = piece.inputs[0].planes[0][frame]
          at = (at + 1) % past.count
        }
      }
      override func reset() {
        for index in past.indices { past[index] = 0 }
        at = 0
      }
    }
  }

  @Test(
    "reported latency is dropped from the beginning where asked for, and the length stays", arguments: [1, 64, 4096])
  func latency(slice: Int) throws {
    func graph() throws -> Graph { try callbackGraph(channels: 1, effect: Delay()) { frame, _ in Float(frame + 1) } }
    var options = OfflineRenderer.Options(.frames(1000), slice: slice)
    #expect(
      try OfflineRenderer(graph()).renderToMemory(options: options).channels[0]
        == Array(repeating: 0, count: 300) + (1...700).map(Float.init))
    options.trimsLatency = true
    #expect(try OfflineRenderer(graph()).renderToMemory(options: options).channels[0] == (1...1000).map(Float.init))
    // The length may be that of the sound, too: its last frame is the last that is loud.
    options.length = .untilSilent(thresholdDecibels: -60, holdSeconds: 0.01, capSeconds: 1)
    let sounding = try callbackGraph(channels: 1, effect: Delay()) { frame, _ in frame < 500 ? Float(frame + 1) : 0 }
    #expect(try OfflineRenderer(sounding).renderToMemory(options: options).channels[0] == (1...500).map(Float.init))
    options.length = .frames(1000)
    // A tap in front of it has its own clock: not a frame of it is dropped.
    let tapped = try graph()
    let folder = TemporaryFolder()
    let low = try tapped.add(LowPassFilter(), as: "low")
    low.setBypass(true)
    let source = try #require(tapped.node(named: "source")?.unit)
    try tapped.connect(source, to: low)
    try tapped.connect(low, to: try #require(tapped.node(named: "out")?.unit))
    options.taps = [
      OfflineRenderer.Tap(
        node: "low", path: folder.file("low.wav"), format: SoundFileFormat(container: .wav, encoding: .float32))
    ]
    _ = try OfflineRenderer(tapped).renderToMemory(options: options)
    #expect(
      try readSound(folder.file("low.wav"))[0] == Array(repeating: 0, count: 300) + (1...700).map(Float.init))
  }
}
