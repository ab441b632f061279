// A render whose graph is pulled by scripted hardware: the scenario of the output unit says in which slices, when, and
// what happens meanwhile. The loudspeaker's sound is the output.

import AudioCore
import AudioEngine
import DeviceUnits
import Hardware
import RenderGraph
import Transcripts

/// One run of a graph's scenario from its beginning on.
final class ScenarioRun {
  private let unit: DeviceOutput
  private let seconds: Double
  private let frameLimit: Int64
  private let host: HardwareHost
  private let queue: SinkQueue
  private let played: PlayedSound
  private var tracker: ProgressTracker

  var framesWritten: Int64 { played.framesWritten }
  var peaks: SamplePeaks { queue.peaks }
  var clippingNodes: [(name: String, samples: Int64)] { host.renderer.clippingNodes }
  var nonFiniteNodes: [(name: String, samples: Int64)] { host.renderer.nonFiniteNodes }

  /// - Parameters:
  ///   - unit: whose hardware follows the scenario, as ``prepared(_:)``, and has not begun.
  ///   - output: the format of what is rendered: the hardware's as the scenario begins.
  ///   - frames: the number of frames to render.
  ///   - recompile: makes a new plan where the hardware has another rate, or other channels.
  init(
    _ unit: DeviceOutput, plan: RenderPlan, output: StreamFormat, frames: Int64,
    sink: any AudioSink, options: OfflineRenderer.Options, clock: Stopwatch,
    recompile: @escaping () throws(BenchError) -> RenderPlan
  ) throws(BenchError) {
    self.unit = unit
    frameLimit = frames
    seconds = Double(frames) / output.sampleRate
    let host = HardwareHost(unit, GraphRenderer(plan), recompile: recompile)
    self.host = host
    queue = SinkQueue(sink, channelCount: output.channelCount, isThreaded: false)
    played = PlayedSound(into: queue, output: output, frameLimit: frames) { [weak host] in host?.fail($0) }
    tracker = ProgressTracker(
      framesTotal: frameLimit, sampleRate: output.sampleRate, clock: clock, progress: options.progress)
    unit.hardware.listener = played
  }

  /// The scenario for a render: on a clock that the render advances, and without a file of the loudspeaker, as the
  /// sound goes into the render's output only.
  static func prepared(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.device.clock = .told
    scenario.loudspeakerPath = nil
    return scenario
  }

  /// The number of frames to render.
  /// - Throws: `.usage` if nothing sets the length, or if it is longer than the scenario.
  static func frames(
    _ length: RenderLength, of scenario: Scenario, sampleRate: Double, place: String
  ) throws(BenchError) -> Int64 {
    let end = scenario.seconds.flatMap { FrameCount.from(seconds: $0, sampleRate: sampleRate) }
    let wanted: Int64?
    switch length {
    case .sources(tail: true): wanted = end
    case .sources(tail: false), .untilSilent:
      throw BenchError(
        .usage, at: place, "a scenario ends with its time, not with its sources",
        advice: end == nil ? "give --seconds" : "give --seconds, or nothing")
    case .seconds, .frames:
      let noSources = SoundEnd(sources: nil, latencyFrames: 0, tailFrames: 0)
      wanted = try ExactLength(length, end: noSources, sampleRate: sampleRate).frames
    }
    guard let wanted else {
      throw BenchError(
        .usage, at: place, "its scenario has no end of its own",
        advice: "give a length, as --seconds 10, or \"seconds\" in the scenario")
    }
    let longest = end ?? FrameCount.from(seconds: DeviceConfiguration.longestSeconds, sampleRate: sampleRate) ?? .max
    guard wanted <= longest else {
      let (asked, most) = (Double(wanted) / sampleRate, Double(longest) / sampleRate)
      throw BenchError(
        .usage, at: place, "\(asked) s are asked for, and its scenario ends after \(most) s",
        advice: end == nil ? nil : "render less, or raise \"seconds\" in the scenario")
    }
    return wanted
  }

  func render() throws(BenchError) {
    host.start()
    // Steps short enough for signals to be handled soon; a failure ends the render.
    let step = 0.25
    var done = 0.0
    while done < seconds, host.failure == nil {
      let next = min(step, seconds - done)
      do throws(AudioStatus) { try unit.hardware.advance(seconds: next) } catch {
        throw BenchError(.render, at: "node \"\(unit.label)\"", "the hardware does not go on: \(error)")
      }
      done += next
      try tracker.report(min(frameLimit, Int64(clamping: done * Double(frameLimit) / seconds)))
    }
    unit.stop()
    try unit.hardware.follow(nil)
    played.end()
    if let failure = host.failure { throw failure }
    try queue.finish()
    guard framesWritten == frameLimit else {
      throw BenchError(
        .render, at: "node \"\(unit.label)\"",
        "its hardware has played \(NumberText.count(framesWritten, "frame")) of \(frameLimit)")
    }
    try tracker.report(framesWritten, isLast: true)
  }
}

/// The app between the hardware and the graph: starts the output unit, again after an interruption that says so, and
/// renders each request.
private final class HardwareHost: @unchecked Sendable {
  private let unit: DeviceOutput
  let renderer: GraphRenderer
  private let recompile: () throws(BenchError) -> RenderPlan
  private let firstFailure = Locked<BenchError?>(nil)

  /// The error that ended the render.
  var failure: BenchError? { firstFailure.withLock { $0 } }

  init(_ unit: DeviceOutput, _ renderer: GraphRenderer, recompile: @escaping () throws(BenchError) -> RenderPlan) {
    self.unit = unit
    self.renderer = renderer
    self.recompile = recompile
    unit.startsTimestampsAtZero = true
    unit.hardware.observe { [weak self] event in
      if case .interruptionEnded(resumes: true, isTold: true) = event { self?.start() }
    }
  }

  func start() {
    let channelCount = unit.hardware.configuration.channelCount
    if unit.hasOtherHardware { adopt() }
    do throws(AudioStatus) {
      try unit.start(
        render: { [unowned self] time, frames, output in render(time, frames, output, channelCount) },
        formatDidChange: { [weak self] in self?.adopt() }, wasStopped: nil)
      // Times go on after an interruption, and so do players.
      unit.startsTimestampsAtZero = false
    } catch {
      fail(BenchError(.render, at: "node \"\(unit.label)\"", "the hardware does not start: \(error)"))
    }
  }

  func fail(_ error: BenchError) { firstFailure.withLock { if $0 == nil { $0 = error } } }

  /// On the hardware's thread.
  private func render(
    _ time: DeviceTime, _ frames: Int, _ output: Plane<Float>, _ channelCount: Int
  ) -> AudioStatus {
    renderer.prefetch(sampleTime: time.sampleTime, frames: frames)
    let mark = CallRecorder.shared?.begin(
      .render, "slice", at: CallMoment(sampleTime: Double(time.sampleTime), frames: frames))
    var status = AudioStatus.noError
    do throws(AudioStatus) {
      try renderer.render(sampleTime: time.sampleTime, frames: frames) { buffer, offset, count in
        (output + offset * channelCount).update(from: buffer.interleaved(channelCount), count: count * channelCount)
      }
    } catch {
      status = error
      fail(renderer.failure(for: error))
    }
    if let mark { CallRecorder.shared?.end(mark, status: status.rawValue) }
    return status
  }

  /// The hardware has another rate, or other channels: the unit is set up anew, and with it the plan.
  private func adopt() {
    do throws(AudioStatus) { try unit.adoptChangedHardware() } catch {
      return fail(
        BenchError(.render, at: "node \"\(unit.label)\"", "it cannot follow the change of its hardware: \(error)"))
    }
    do throws(BenchError) { renderer.update(to: try recompile()) } catch { fail(error) }
  }
}
