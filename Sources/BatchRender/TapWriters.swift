import AudioCore
import AudioUnits
import RenderGraph
import SoundFile

/// Writes the outputs of tapped nodes to files of their own, each as long as the render on the node's own clock.
final class TapWriters {
  private struct Writer {
    let tap: TapBuffer
    let sink: SoundFileWriter
    let converter: FormatConverter?
    let converted: StreamBuffer?
    let rate: Double
  }
  private let outputRate: Double
  private var writers: [Writer] = []

  init(
    _ taps: [OfflineRenderer.Tap], plan: RenderPlan, graph: Graph, length: ExactLength, writer: SoundFileWriterOptions
  ) throws(BenchError) {
    outputRate = plan.headFormat.sampleRate
    for tap in taps {
      guard let node = graph.node(named: tap.node), let format = try? node.unit.streamFormat(.output) else {
        throw BenchError(.graph, at: "node \"\(tap.node)\"", "there is no such node to tap")
      }
      // A rate conversion asks for more than the slice at once: its ratio, and its read-ahead. A search for silence
      // holds frames back.
      let ratio = max(1, format.sampleRate / outputRate)
      let held = 4 * graph.maximumFramesPerSlice + Int(length.silence?.hold ?? 0)
      let buffer = TapBuffer(format: format, frameCapacity: Int(Double(held) * ratio) + 65_536)
      plan.setTap(buffer, ofNode: tap.node)
      writers.append(
        Writer(
          tap: buffer,
          sink: try SoundFileWriter(
            path: tap.path, format: tap.format, sampleRate: format.sampleRate, channelCount: format.channelCount,
            expectedFrames: length.frames.map { FrameCount.converted($0, from: outputRate, to: format.sampleRate) },
            options: writer),
          converter: format.isFloatPlanar
            ? nil
            : try FormatConverter(from: format, to: format.floatPlanar, maximumFrames: buffer.buffer.frameCapacity),
          converted: format.isFloatPlanar
            ? nil : StreamBuffer(format: format.floatPlanar, frameCapacity: buffer.buffer.frameCapacity),
          rate: format.sampleRate))
    }
  }

  /// Writes what the taps hold, up to frame `confirmed` of the render's output; the rest waits.
  func drain(confirmed: Int64) throws(BenchError) {
    for writer in writers where writer.tap.frames > 0 {
      let limit = FrameCount.converted(confirmed, from: outputRate, to: writer.rate)
      let frames = Int(min(Int64(writer.tap.frames), limit - writer.sink.framesWritten))
      guard frames > 0 else { continue }
      var planes = writer.tap.buffer.bus.planes
      if let converter = writer.converter, let converted = writer.converted {
        converter.convert(writer.tap.buffer.bus, to: converted.bus, frames: frames)
        planes = converted.bus.planes
      }
      try writer.sink.write(planes, frames: frames)
      writer.tap.removeFirst(frames)
    }
  }

  /// Writes what is left and completes the files, for a render of `frames` frames; none of them is to be seen yet.
  func complete(frames: Int64) throws(BenchError) -> [SoundFileWriteReport] {
    try drain(confirmed: frames)
    var reports: [SoundFileWriteReport] = []
    for writer in writers { reports.append(try writer.sink.complete()) }
    return reports
  }

  /// Lets the files be seen.
  func publish() throws(BenchError) {
    for writer in writers { try writer.sink.publish() }
  }
}
