// The loop of an offline render: prefetch, render call, hand on. One run renders one plan once.

import AudioCore
import AudioEngine
import DSPKernels
import RenderGraph
import Transcripts

final class RenderRun {
  private let renderer: GraphRenderer
  private let length: ExactLength
  private let options: OfflineRenderer.Options
  private var tracker: ProgressTracker
  private let output: StreamFormat
  private let queue: SinkQueue
  /// The output of the render call in the present slice: it only copies, all else happens after it.
  private let slice: StreamBuffer
  private let planar: PlanarView
  private let silence: SilenceSearch?
  private var skip: Int64
  private(set) var framesWritten: Int64 = 0
  /// True when the level at the end is to be found: see ``levelAtEnd``.
  var watchesEnd = false
  /// The last two seconds: no echo of a delay comes later.
  private static let endSeconds = 2.0
  private var endPeak: Float = 0
  /// Makes a new plan of the graph where an edit has changed its connections.
  var recompile: (() throws(BenchError) -> RenderPlan)?

  init(
    plan: RenderPlan, output: StreamFormat, length: ExactLength, skip: Int64, sink: any AudioSink,
    options: OfflineRenderer.Options, clock: Stopwatch
  ) throws(BenchError) {
    renderer = GraphRenderer(plan, threads: options.threads)
    self.output = output
    self.length = length
    self.skip = skip
    self.options = options
    tracker = ProgressTracker(
      framesTotal: length.frames, sampleRate: output.sampleRate, clock: clock, progress: options.progress)
    queue = SinkQueue(sink, channelCount: output.channelCount, isThreaded: options.threads > 1)
    slice = StreamBuffer(format: output, frameCapacity: plan.maximumFrames)
    planar = try PlanarView(output, maximumFrames: plan.maximumFrames)
    silence = length.silence.map {
      SilenceSearch(
        from: $0.from, threshold: $0.threshold, holdFrames: $0.hold, channelCount: output.channelCount)
    }
  }

  /// True when a search for silence ended at its cap instead.
  var reachedCap: Bool { silence.map { !$0.isFound } ?? false }
  /// Samples that were clipped inside the graph, by node.
  var clippingNodes: [(name: String, samples: Int64)] { renderer.clippingNodes }
  /// As ``clippingNodes``, of samples that were not finite.
  var nonFiniteNodes: [(name: String, samples: Int64)] { renderer.nonFiniteNodes }
  var peaks: SamplePeaks { queue.peaks }
  /// The peak of the last two seconds, dBFS; nil where it was not looked for, and where the sound has decayed by 120 dB.
  var levelAtEnd: Double? {
    let whole = peaks.channels.max() ?? 0
    return watchesEnd && endPeak > whole * 1e-6 ? Decibels.of(amplitude: Double(endPeak)) : nil
  }

  /// Renders to the end, in slices of at most `slice` frames.
  func render(slice sliceFrames: Int, taps: TapWriters) throws(BenchError) {
    var time: Int64 = 0
    while framesWritten < length.limit && !(silence?.isFound ?? false) {
      let edge = try edit(at: time)
      let frames = Int(min(Int64(sliceFrames), skip + length.limit - framesWritten, edge - time))
      try options.edits?.schedule(from: time, frames: frames)
      let steady = steadyFrames(from: time, frames: frames, before: edge)
      renderer.prefetch(sampleTime: time, frames: frames, steadyFrames: steady)
      let mark = CallRecorder.shared?.begin(
        .function, "slice", at: CallMoment(sampleTime: Double(time), frames: frames, sampleRate: output.sampleRate))
      defer { if let mark { CallRecorder.shared?.end(mark) } }
      do throws(AudioStatus) {
        try renderer.render(sampleTime: time, frames: frames, steadyFrames: steady) { buffer, offset, count in
          slice.bus.copy(
            from: buffer, sourceFrame: 0, toFrame: offset, frames: count, bytesPerFrame: output.bytesPerFrame)
        }
      } catch {
        throw renderer.failure(for: error)
      }
      take(frames)
      time += Int64(frames)
      try taps.drain(confirmed: silence.map { min($0.soundEnd, framesWritten) } ?? framesWritten)
      try queue.check()
      try tracker.report(framesWritten)
    }
    if let silence { framesWritten = silence.finish(limit: length.limit, into: queue) }
    try queue.finish()
    try tracker.report(framesWritten, isLast: true)
  }

  /// The number of frames that threads may render ahead: slices follow each other without an edit. If the render ends
  /// with silence, only the slice.
  private func steadyFrames(from time: Int64, frames: Int, before edge: Int64) -> Int {
    guard silence == nil else { return frames }
    let end = min(skip + length.limit - framesWritten, edge - time)
    return max(frames, Int(clamping: min(end, options.edits?.framesUnscheduled(from: time) ?? .max)))
  }

  /// Makes the edits that are due in front of a frame.
  /// - Returns: the frame in front of which the next one is due.
  private func edit(at time: Int64) throws(BenchError) -> Int64 {
    guard let edits = options.edits else { return .max }
    if try edits.apply(at: time), let recompile { renderer.update(to: try recompile()) }
    return edits.nextFrame ?? .max
  }

  /// Hands a rendered slice on.
  private func take(_ frames: Int) {
    let planes = planar.planes(of: slice.bus, frames: frames)
    let dropped = Int(min(skip, Int64(frames)))
    skip -= Int64(dropped)
    let kept = Int(min(Int64(frames - dropped), length.limit - framesWritten))
    guard kept > 0 else { return }
    if watchesEnd { watch(planes, offset: dropped, frames: kept) }
    if let silence {
      silence.append(planes, offset: dropped, frames: kept, position: framesWritten, into: queue)
    } else {
      queue.append(planes, offset: dropped, frames: kept)
    }
    framesWritten += Int64(kept)
  }

  private func watch(_ planes: FloatPlanes, offset: Int, frames: Int) {
    guard Double(length.limit - framesWritten) <= Self.endSeconds * output.sampleRate else { return }
    for channel in 0..<output.channelCount {
      endPeak = max(endPeak, LevelKernels.absolutePeak(planes[channel] + offset, frames: frames))
    }
  }
}

/// The frames of a bus as planes of Float, converted where they lie otherwise.
struct PlanarView {
  private let conversion: (converter: FormatConverter, result: StreamBuffer)?

  init(_ format: StreamFormat, maximumFrames: Int) throws(BenchError) {
    guard !format.isFloatPlanar else {
      conversion = nil
      return
    }
    conversion = (
      try FormatConverter(from: format, to: format.floatPlanar, maximumFrames: maximumFrames),
      StreamBuffer(format: format.floatPlanar, frameCapacity: maximumFrames)
    )
  }

  func planes(of bus: BusBuffer, frames: Int) -> FloatPlanes {
    guard let conversion else { return bus.planes }
    conversion.converter.convert(bus, to: conversion.result.bus, frames: frames)
    return conversion.result.bus.planes
  }
}

/// Looks for the end of sound: holds quiet frames back until it is known whether louder ones follow.
private final class SilenceSearch {
  private let from: Int64
  private let threshold: Float
  private let holdFrames: Int64
  private let channelCount: Int
  /// The quiet frames since the last loud one.
  private let held: PlanarBuffer
  private var heldCount = 0
  /// The frame behind the last one that was not below the threshold.
  private(set) var soundEnd: Int64
  private(set) var isFound = false

  init(from: Int64, threshold: Float, holdFrames: Int64, channelCount: Int) {
    self.from = from
    self.threshold = threshold
    self.holdFrames = holdFrames
    self.channelCount = channelCount
    soundEnd = from
    held = PlanarBuffer(channelCount: channelCount, frameCapacity: Int(holdFrames))
  }

  func append(
    _ planes: FloatPlanes, offset: Int, frames: Int, position: Int64,
    into queue: SinkQueue
  ) {
    for frame in 0..<frames where !isFound {
      let time = position + Int64(frame)
      if time < from || isLoud(planes, offset + frame) {
        release(into: queue)
        queue.append(planes, offset: offset + frame, frames: 1)
        soundEnd = max(from, time + 1)
      } else {
        hold(planes, offset + frame)
        isFound = Int64(heldCount) == holdFrames
      }
    }
  }

  /// Ends the search and returns the length: where sound ended, or the limit where no silence was found.
  func finish(limit: Int64, into queue: SinkQueue) -> Int64 {
    if isFound { return soundEnd }
    release(into: queue)
    return limit
  }

  private func isLoud(_ planes: FloatPlanes, _ frame: Int) -> Bool {
    for channel in 0..<channelCount where !(abs(planes[channel][frame]) < threshold) { return true }
    return false
  }

  private func hold(_ planes: FloatPlanes, _ frame: Int) {
    for channel in 0..<channelCount { held.planes[channel][heldCount] = planes[channel][frame] }
    heldCount += 1
  }

  private func release(into queue: SinkQueue) {
    guard heldCount > 0 else { return }
    queue.append(held.planes, offset: 0, frames: heldCount)
    heldCount = 0
  }
}
