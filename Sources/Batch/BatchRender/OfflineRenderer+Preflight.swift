import AudioCore
import AudioEngine
import BuiltInUnits
import RenderGraph
import SoundFile

extension OfflineRenderer {
  /// Lets offline units see their inputs, each in a pass of its own over the whole render, those in front of others
  /// first: what a later one sees is what the earlier ones make of theirs. The graph is as new afterwards, but for what
  /// they know.
  ///
  /// - Returns: true if there were any.
  func preflight(
    _ options: Options, output: StreamFormat, end: SoundEnd, length: ExactLength, clock: Stopwatch
  ) throws(BenchError) -> Bool {
    let nodes = try graph.renderOrder().map { graph.nodes[$0] }
    var plain = options
    plain.taps = []
    plain.memoryTaps = []
    // A render is not begun, for those who watch it; they may end it all the same.
    plain.progress = options.progress.map { progress in
      {
        progress(
          RenderProgress(
            framesDone: 0, framesTotal: $0.framesTotal, sampleRate: $0.sampleRate, elapsedSeconds: $0.elapsedSeconds))
      }
    }
    let skip = options.trimsLatency ? end.latencyFrames : 0
    var hasPreflights = false
    for node in nodes {
      // Generators have no input to see.
      guard let unit = node.unit as? any OfflineUnit, node.unit.elementCount(.input) > 0 else { continue }
      do throws(AudioStatus) {
        // Behind it others may convert rates: on its own clock the render is as long.
        let rate = try node.unit.streamFormat(.input).sampleRate
        try unit.setInput(
          frames: length.frames.map { FrameCount.converted($0 + skip, from: output.sampleRate, to: rate) } ?? 0)
      } catch {
        throw BenchError(
          .graph, at: "node \"\(node.name)\"", "the unit does not take the length of its input: \(error)")
      }
      guard unit.wantsPreflight else { continue }
      guard options.edits == nil else {
        throw BenchError(
          .usage, at: "node \"\(node.name)\"",
          "sees the whole sound before it renders, so nothing can be edited on the way",
          advice: "leave the edits out, or bypass the node")
      }
      hasPreflights = true
      try preflight(unit, plain, output: output, length: length, skip: skip, clock: clock)
      graph.reset()
    }
    return hasPreflights
  }

  private func preflight(
    _ unit: any OfflineUnit, _ options: Options, output: StreamFormat, length: ExactLength, skip: Int64,
    clock: Stopwatch
  ) throws(BenchError) {
    let plan = try graph.compile(parallel: options.threads > 1)
    unit.beginPreflight()
    defer { unit.endPreflight() }
    let run = try RenderRun(
      plan: plan, output: output, length: length, skip: skip, sink: NoSink(), options: options, clock: clock)
    try run.render(
      slice: options.sliceFrames ?? graph.maximumFramesPerSlice,
      taps: try TapWriters(options, plan: plan, graph: graph, length: length))
  }
}

/// Discards the sound of a preflight.
private final class NoSink: AudioSink {
  func write(_ planes: FloatPlanes, offset: Int, frames: Int) throws(BenchError) {}
  func end() throws(BenchError) -> SoundFileWriteReport? { nil }
  func publish() throws(BenchError) {}
  func discard() {}
}
