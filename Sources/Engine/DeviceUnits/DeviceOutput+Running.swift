// Start, stop, and one cycle of an output unit. The hardware's thread calls `run` in each cycle; it allocates nothing.

import AudioCore
import AudioEngine
import Hardware

extension DeviceOutput {
  /// True from start to stop.
  public var isRunning: Bool { device.isRunning }

  /// Lets the hardware pull. Harmless when repeated.
  ///
  /// - Parameter render: renders each cycle in place of ``render(output:sampleTime:frames:)``, for a layer that has
  ///   more to do there; called only while the output is enabled.
  /// - Throws: `.uninitialized`; `.cannotDoInCurrentContext` where the system gives no more threads.
  public func start(render: Render? = nil) throws(AudioStatus) {
    try start(render: render, formatDidChange: nil, wasStopped: nil)
  }

  /// As ``start(render:)``, for a layer that has more to do where a scenario's hardware changes or stops the unit.
  /// - Parameter afterCycle: called behind each cycle, on a thread of its own: see `SimulatedDevice.start`.
  package func start(
    render: Render?, formatDidChange: (() -> Void)?, wasStopped: (() -> Void)?, afterCycle: (() -> Void)? = nil
  ) throws(AudioStatus) {
    guard isInitialized else { throw .uninitialized }
    guard !hardware.isInterrupted else { throw .cannotDoInCurrentContext }
    if hasOtherHardware, formatDidChange == nil { try adoptChangedHardware() }
    if !isRunning { try forgetLastRun() }
    device.setHandlers(
      formatDidChange: formatDidChange ?? { [weak self] in
        do throws(AudioStatus) { try self?.adoptChangedHardware() } catch {
          SimulatedHardware.complain("a unit cannot follow the change of format: \(error)")
        }
      }, wasStopped: wasStopped)
    let render =
      render ?? { [weak self] time, frames, output in self?.renderOutput(time, frames, output) ?? .noConnection }
    let (plays, inputAvailable) = (isOutputEnabled, inputAvailable)
    do throws(BenchError) {
      try device.start(
        startsAtZero: startsTimestampsAtZero, sampleRate: inputs[1].format.sampleRate, isAudible: plays,
        afterCycle: afterCycle
      ) { [weak self] cycle in
        guard let self else { return plays ? .noConnection : .noError }
        return run(cycle, render, inputAvailable)
      }
    } catch {
      throw .cannotDoInCurrentContext
    }
  }

  private func forgetLastRun() throws(AudioStatus) {
    // Times that begin anew lie behind nothing.
    if startsTimestampsAtZero { outputElement.silentBefore = .min }
    // A run that ended with its first cycle has left a slice of the very time that this one begins with.
    forgetSlices()
    // Frames recorded before a stop are not heard again, and the echo canceller starts anew.
    if isInputEnabled, hardware.scenario != nil {
      try renewVoice()
      inputElement.restart()
    }
  }

  /// Runs a cycle on the hardware's thread: the microphone's frames are there before the output is pulled.
  private func run(_ cycle: DeviceCycle, _ render: Render, _ inputAvailable: InputAvailable?) -> AudioStatus {
    if isInputEnabled {
      inputElement.append(voice.process(cycle, defect: hardware.voiceDefect), frames: cycle.frames)
      if let inputAvailable {
        // The frames that have arrived by the end of this cycle, in whole frames of the app's clock.
        var time = cycle.time
        time.sampleTime = appTime(cycle.time.sampleTime)
        inputAvailable(time, Int(appTime(cycle.time.sampleTime + Int64(cycle.frames)) - time.sampleTime))
      }
    }
    let status = isOutputEnabled ? outputElement.render(cycle, outputs[0].format, render) : .noError
    if isInputEnabled {
      voice.notePlayed(
        isOutputEnabled && status == .noError ? cycle.output : nil, channelCount: outputs[0].format.channelCount,
        frames: cycle.frames)
    }
    return status
  }

  private func renderOutput(
    _ time: DeviceTime, _ frames: Int, _ output: Plane<Float>
  ) -> AudioStatus {
    do throws(AudioStatus) {
      let rendered = try render(output: 0, sampleTime: time.sampleTime, frames: frames)
      let channelCount = outputs[0].format.channelCount
      output.update(from: rendered.interleaved(channelCount), count: frames * channelCount)
      return .noError
    } catch {
      return error
    }
  }

  /// A frame of the hardware's clock on the app's clock of the input.
  private func appTime(_ sampleTime: Int64) -> Int64 {
    FrameCount.converted(sampleTime, from: inputs[1].format.sampleRate, to: outputs[1].format.sampleRate)
  }

  /// Makes the next slice a new one, whatever its time, also of the converters in front of the inputs.
  private func forgetSlices() {
    node?.forgetClock()
    inputElement.node?.forgetClock()
    for converter in inputConverters.values { converter.forgetClock() }
  }

  /// Stops the hardware. Afterwards no cycle is under way; called from within a cycle, that one is the last.
  public func stop() { device.stop() }
}
