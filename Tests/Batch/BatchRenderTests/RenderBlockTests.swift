import AudioCore
import AudioEngine
import BatchRender
import TestSupport
import Testing

/// Threads render branches ahead of short slices, by as much as nothing is edited in: with one thread every slice is
/// rendered by itself, which says what is right.
@Suite struct RenderBlockTests {
  private static let nodes = [
    #"{ "id": "noise0", "unit": "noiseGenerator", "set": { "level": -20 } }"#,
    #"{ "id": "noise1", "unit": "toneGenerator", "set": { "level": -20 } }"#,
    #"{ "id": "drums", "unit": "filePlayer", "file": "drums.flac" }"#,
    #"{ "id": "tabla", "unit": "filePlayer", "file": "tabla-48000.flac" }"#,
    #"{ "id": "low0", "unit": "lowPassFilter" }"#, #"{ "id": "low1", "unit": "lowPassFilter" }"#,
    #"{ "id": "low2", "unit": "lowPassFilter" }"#, #"{ "id": "low3", "unit": "lowPassFilter" }"#,
    #"{ "id": "mix", "unit": "multichannelMixer" }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
  ]
  private static let connections = [
    "noise0 -> low0", "noise1 -> low1", "drums -> low2", "tabla -> low3", "low0 -> mix:0", "low1 -> mix:1",
    "low2 -> mix:2", "low3 -> mix:3", "mix -> out",
  ]

  private func edits(of graph: Graph) throws -> RenderEdits {
    let cutoff = try ParameterName("cutoffFrequency")
    var now = RenderEdit(frame: 1000, node: "low0")
    now.settings = [(cutoff, 300)]
    var event = RenderEdit(frame: 4321, node: "low1")
    event.settings = [(cutoff, 700)]
    event.isScheduled = true
    var ramp = RenderEdit(frame: 6007, node: "low2")
    ramp.settings = [(cutoff, 2000)]
    (ramp.isScheduled, ramp.rampFrames) = (true, 900)
    var unplugged = RenderEdit(frame: 8000)
    unplugged.disconnections = ["mix:1"]
    var plugged = RenderEdit(frame: 9001)
    plugged.connections = ["low1 -> mix:1"]
    return try RenderEdits([now, event, ramp, unplugged, plugged], of: graph)
  }

  private func render(slice: Int, threads: Int) throws -> (channels: [[Float]], report: RenderReport) {
    let graph = try GraphFile.parse(graphText(Self.nodes, Self.connections), folder: Fixtures.path("audio/"))
    var options = OfflineRenderer.Options()
    options.length = .frames(13_333)
    (options.sliceFrames, options.threads) = (slice, threads)
    options.memoryTaps = ["low0", "low3"]
    options.edits = try edits(of: graph)
    return try OfflineRenderer(graph).renderToMemory(options: options)
  }

  @Test(
    "edits and events between short slices sound as on one thread, at outputs and at taps",
    arguments: [1, 64, 100, 2048])
  func edits(slice: Int) throws {
    let alone = try render(slice: slice, threads: 1)
    let ahead = try render(slice: slice, threads: 3)
    #expect(ahead.channels == alone.channels ? true : false)
    #expect(ahead.report.tapped == alone.report.tapped ? true : false)
    #expect(alone.report.tapped["low3"]?.channels.first?.count == 13_333)
    #expect(Set(alone.channels[0].map(\.bitPattern)).count > 10_000)
  }
}
