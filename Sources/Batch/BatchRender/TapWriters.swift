import AudioCore
import AudioEngine
import RenderGraph
import SoundFile
import Tags

/// Writes the outputs of tapped nodes to files of their own or into memory, each as long as the render on the node's
/// own clock.
final class TapWriters {
  private struct Writer {
    let node: String
    let tap: TapBuffer
    let sink: any AudioSink
    var framesWritten: Int64 = 0
    let planar: PlanarView
    let rate: Double
  }
  private let outputRate: Double
  private var writers: [Writer] = []

  init(
    _ options: OfflineRenderer.Options, plan: RenderPlan, graph: Graph, length: ExactLength
  ) throws(BenchError) {
    outputRate = plan.headFormat.sampleRate
    // A node has one tap: what is wanted of it in memory comes from a tap without a file.
    for name in options.memoryTaps.sorted() where !options.taps.contains(where: { $0.node == name }) {
      try add(name, plan: plan, graph: graph, length: length) { (format, frames) throws(BenchError) in
        try MemorySink(format, frames: frames)
      }
    }
    for tap in options.taps {
      try add(tap.node, plan: plan, graph: graph, length: length) { (format, frames) throws(BenchError) in
        let node = graph.nodes.firstIndex { $0.name == tap.node }
        return try SoundFileSink(
          tap.path, tap.format, format, frames: frames,
          tags: node.map { options.tags(of: graph, node: $0) } ?? SoundTags(metadata: options.writer.metadata),
          options: options.writer)
      }
    }
  }

  private func add(
    _ name: String, plan: RenderPlan, graph: Graph, length: ExactLength,
    makeSink: (StreamFormat, Int64?) throws(BenchError) -> any AudioSink
  ) throws(BenchError) {
    guard let node = graph.node(named: name), let format = try? node.unit.streamFormat(.output) else {
      throw BenchError(.graph, at: "node \"\(name)\"", "there is no such node to tap")
    }
    // A rate conversion asks for more than the slice at once: its ratio, and its read-ahead. A search for silence
    // holds frames back.
    let ratio = max(1, format.sampleRate / outputRate)
    let held = 4 * graph.maximumFramesPerSlice + Int(length.silence?.hold ?? 0)
    let buffer = TapBuffer(format: format, frameCapacity: Int(clamping: Double(held) * ratio) + 65_536)
    plan.setTap(buffer, ofNode: name)
    let frames = length.frames.map { FrameCount.converted($0, from: outputRate, to: format.sampleRate) }
    writers.append(
      Writer(
        node: name, tap: buffer, sink: try makeSink(format, frames),
        planar: try PlanarView(format, maximumFrames: buffer.buffer.frameCapacity), rate: format.sampleRate))
  }

  /// Listens to the same nodes in a newer plan of the graph.
  func attach(to plan: RenderPlan) { for writer in writers { plan.setTap(writer.tap, ofNode: writer.node) } }

  /// Writes what the taps hold, up to frame `confirmed` of the render's output; the rest waits.
  func drain(confirmed: Int64) throws(BenchError) {
    for index in writers.indices where writers[index].tap.frames > 0 {
      let writer = writers[index]
      let limit = FrameCount.converted(confirmed, from: outputRate, to: writer.rate)
      let frames = Int(min(Int64(writer.tap.frames), limit - writer.framesWritten))
      guard frames > 0 else { continue }
      let planes = writer.planar.planes(of: writer.tap.buffer.bus, frames: frames)
      try writer.sink.write(planes, offset: 0, frames: frames)
      writers[index].framesWritten += Int64(frames)
      writer.tap.removeFirst(frames)
    }
  }

  /// Writes what is left and completes the files, for a render of `frames` frames; none of them is to be seen yet.
  func complete(frames: Int64) throws(BenchError) -> [SoundFileWriteReport] {
    try drain(confirmed: frames)
    var reports: [SoundFileWriteReport] = []
    for writer in writers {
      if let report = try writer.sink.end() { reports.append(report) }
    }
    return reports
  }

  /// The signals that were tapped into memory, by node.
  var inMemory: [String: RenderReport.TappedSignal] {
    var signals: [String: RenderReport.TappedSignal] = [:]
    for writer in writers {
      guard let sink = writer.sink as? MemorySink else { continue }
      signals[writer.node] = RenderReport.TappedSignal(sampleRate: writer.rate, channels: sink.channels)
    }
    return signals
  }

  /// Lets the files be seen.
  func publish() throws(BenchError) {
    for writer in writers { try writer.sink.publish() }
  }
}
