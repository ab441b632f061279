// A render whose graph is pulled by scripted hardware: the scenario of the output unit says in which slices, when, and what
// happens meanwhile. What the loudspeaker plays is what is rendered.

import AudioCore
import AudioUnits
import Processes
import RenderGraph
import SoundFile
import Transcripts

/// One run of a graph's scenario from its beginning on.
final class ScenarioRun {
  private let unit: DeviceOutput
  private let seconds: Double
  /// How much of what was played is rendered: the scenario's time, where the last cycle goes on beyond that.
  private let frameLimit: Int64
  private let output: StreamFormat
  private let scratch: ScratchFolder
  private let host: HardwareHost
  private let queue: SinkQueue
  private var tracker: ProgressTracker
  private(set) var framesWritten: Int64 = 0

  var peaks: [Float] { queue.peaks }
  var hasNonFiniteSamples: Bool { queue.hasNonFiniteSamples }
  var clippingNodes: [(name: String, samples: Int64)] { host.renderer.clippingNodes }

  /// - Parameters:
  ///   - scratch: that of the scenario as it is prepared, which the hardware follows.
  ///   - output: the format of what is rendered: the hardware's as the scenario begins.
  ///   - seconds: nil: the scenario's own.
  ///   - recompile: makes a new plan where the hardware has another rate, or other channels.
  /// - Throws: `.usage` where nothing says how long it lasts.
  init(
    _ unit: DeviceOutput, _ scenario: Scenario, _ scratch: ScratchFolder, plan: RenderPlan, output: StreamFormat,
    seconds: Double?,
    sink: any AudioSink, options: OfflineRenderer.Options, clock: Stopwatch,
    recompile: @escaping () throws(BenchError) -> RenderPlan
  ) throws(BenchError) {
    guard let seconds = seconds ?? scenario.seconds else {
      throw BenchError(
        .usage, at: "node \"\(unit.label)\"", "its scenario has no end of its own",
        advice: "give a length, as --seconds 10, or \"seconds\" in the scenario")
    }
    self.unit = unit
    self.scratch = scratch
    self.seconds = min(seconds, DeviceConfiguration.longestSeconds)
    self.output = output
    frameLimit = FrameCount.from(seconds: self.seconds, sampleRate: output.sampleRate) ?? .max
    host = HardwareHost(unit, GraphRenderer(plan), recompile: recompile)
    queue = SinkQueue(sink, channelCount: output.channelCount, isThreaded: false)
    tracker = ProgressTracker(
      framesTotal: frameLimit, sampleRate: output.sampleRate, clock: clock, progress: options.progress)
  }

  /// The scenario as it is rendered: on a clock that is told, with the loudspeaker into a file of our own.
  static func prepared(_ scenario: Scenario, in scratch: ScratchFolder) -> Scenario {
    var scenario = scenario
    scenario.device.clock = .told
    scenario.loudspeakerPath = heardPath(scratch)
    return scenario
  }

  private static func heardPath(_ scratch: ScratchFolder) -> String { scratch.file("heard.wav") }

  func render() throws(BenchError) {
    host.start()
    // Steps in which nobody waits long for a signal, and a failure ends the render.
    let step = 0.25
    var done = 0.0
    while done < seconds, host.failure == nil {
      let next = min(step, seconds - done)
      do throws(AudioStatus) { try unit.hardware.advance(seconds: next) } catch {
        throw BenchError(.render, at: "node \"\(unit.label)\"", "the hardware does not go on: \(error)")
      }
      done += next
      try tracker.report(Int64(done * output.sampleRate))
    }
    unit.stop()
    if let failure = host.failure { throw failure }
    // The file is whole when the hardware has ended.
    try unit.hardware.follow(nil)
    try take(Self.heardPath(scratch))
    try queue.finish()
    try tracker.report(framesWritten, isLast: true)
  }

  /// Hands on what was played: after each change of rate it goes on in a file of its own.
  private func take(_ path: String) throws(BenchError) {
    var number = 1
    while true {
      var name = SimulatedHardware.numbered(path, number)
      guard FileSystem.exists(name) else { return }
      var reader = try SoundFileReader(path: name)
      if reader.info.sampleRate != output.sampleRate || reader.info.channelCount != output.channelCount {
        var options = FileConversion.Options()
        options.sampleRate = output.sampleRate
        options.channelCount = output.channelCount
        let converted = scratch.file("converted-\(number).wav")
        _ = try FileConversion.convert(
          name, to: converted, as: SoundFileFormat(container: .wav, encoding: .float32), options: options)
        name = converted
        reader = try SoundFileReader(path: name)
      }
      let block = PlanarBuffer(channelCount: output.channelCount, frameCapacity: SinkQueue.blockFrames)
      while framesWritten < frameLimit {
        let wanted = min(Int64(block.frameCapacity), frameLimit - framesWritten)
        let frames = try reader.read(into: block.planes, frames: Int(wanted))
        if frames == 0 { break }
        queue.append(block.planes, offset: 0, frames: frames)
        framesWritten += Int64(frames)
        try queue.check()
      }
      number += 1
    }
  }
}

/// The app between the hardware and the graph: starts the output unit, again after an interruption that says so, and renders what it
/// is asked for.
private final class HardwareHost: @unchecked Sendable {
  private let unit: DeviceOutput
  let renderer: GraphRenderer
  private let recompile: () throws(BenchError) -> RenderPlan
  private let firstFailure = Locked<BenchError?>(nil)

  /// What ended the render.
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

  private func fail(_ error: BenchError) { firstFailure.withLock { if $0 == nil { $0 = error } } }

  /// On the hardware's thread.
  private func render(
    _ time: DeviceTime, _ frames: Int, _ output: UnsafeMutablePointer<Float>, _ channelCount: Int
  ) -> AudioStatus {
    renderer.prefetch(sampleTime: time.sampleTime, frames: frames)
    let mark = CallRecorder.shared?.begin(
      .render, "slice", at: CallMoment(sampleTime: Double(time.sampleTime), frames: frames))
    var status = AudioStatus.noError
    do throws(AudioStatus) {
      try renderer.render(sampleTime: time.sampleTime, frames: frames) { buffer, offset, count in
        let bytes = count * channelCount * MemoryLayout<Float>.size
        UnsafeMutableRawPointer(output + offset * channelCount).copyMemory(from: buffer.buffers[0], byteCount: bytes)
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
