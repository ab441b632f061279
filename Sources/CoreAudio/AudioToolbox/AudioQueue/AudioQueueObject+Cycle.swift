// A queue on the hardware: its part of each cycle, and what follows from changes of the hardware. `cycle` runs on the
// hardware's thread: no allocation and no lock.

import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware
import Synchronization
import Transcripts

extension AudioQueueObject {
  // MARK: The hardware's thread

  func cycle(_ cycle: DeviceCycle, _ format: QueueDevice.Format) {
    if expectedFrame != .min, expectedFrame != cycle.time.sampleTime {
      discontinuities.wrappingAdd(1, ordering: .relaxed)
    }
    expectedFrame = cycle.time.sampleTime + Int64(cycle.frames)
    if let recorder, recorder.input.sampleRate == format.sampleRate,
      recorder.input.channelCount == format.inputChannels
    {
      if let offset = offset(of: cycle, format), offset == 0 { recorder.take(cycle) }
      return
    }
    guard let voice, let cycleMemory, voice.output.sampleRate == format.sampleRate,
      voice.output.channelCount == format.outputChannels, let offset = offset(of: cycle, format)
    else { return }
    cyclePointers.bus.buffers[0] = cycleMemory.bus.buffers[0]
    let count = min(cycle.frames - offset, cycleMemory.frameCapacity)
    let rendered = voice.render(count, into: cyclePointers.bus.holding(count))
    let samples = cycleMemory.bus.interleaved(format.outputChannels)
    let output = cycle.output + offset * format.outputChannels
    for index in 0..<(rendered * format.outputChannels) { output[index] += samples[index] }
  }

  /// The frame of the cycle with which the queue begins; nil: a later one.
  private func offset(of cycle: DeviceCycle, _ format: QueueDevice.Format) -> Int? {
    if let host = startHost {
      let ahead = host > cycle.time.hostTime ? host - cycle.time.hostTime : 0
      startFrame =
        cycle.time.sampleTime
        + FrameCount.converted(
          Int64(clamping: Double(ahead) / cycle.time.rateScalar), from: 1e9, to: format.sampleRate)
      startHost = nil
    }
    guard let start = startFrame else { return 0 }
    let ahead = start - cycle.time.sampleTime
    guard ahead < Int64(cycle.frames) else {
      framesToStart.store(ahead - Int64(cycle.frames), ordering: .relaxed)
      return nil
    }
    startFrame = nil
    framesToStart.store(0, ordering: .relaxed)
    return Int(max(0, ahead))
  }

  func formatDidChange() {
    discontinuities.wrappingAdd(1, ordering: .relaxed)
    expectedFrame = .min
    // The sound that could not be converted is silence.
    try? prepareVoice(continues: true)
    tell(kAudioQueueDeviceProperty_SampleRate)
    tell(kAudioQueueDeviceProperty_NumberChannels)
    // Nothing of the program's runs on the hardware's thread but behind a cycle, which comes.
  }

  func wasStopped() {
    let isTold = state.withLock { state in
      guard state.run == .running || state.run == .stopping else { return false }
      if state.run == .running { state.run = .paused }
      defer { state.isTold = false }
      return state.isTold
    }
    meter.clear()
    collect()
    if state.withLock({ $0.run == .stopping }) { return conclude { calls.makeFromHardware() } }
    if isTold { tell(kAudioQueueProperty_IsRunning) }
    calls.makeFromHardware()
  }

  // MARK: Behind a cycle

  func afterCycle() {
    collect()
    noteLost()
    if progress.isOver.load(ordering: .acquiring), state.withLock({ $0.run == .stopping }) {
      calls.follow(device.clock)
      return didEnd()
    }
    calls.follow(device.clock)
  }

  private func noteLost() {
    let lost = progress.lostFrames.exchange(0, ordering: .relaxed)
    guard lost > 0 else { return }
    discontinuities.wrappingAdd(1, ordering: .relaxed)
    CallRecorder.shared?.note(
      .event, "record underrun", arguments: "\(NumberText.count(lost, "frame")) without a buffer",
      at: CallMoment(
        sampleTime: Double(progress.frame.load(ordering: .relaxed)), frames: Int(clamping: lost),
        sampleRate: format.stream.sampleRate))
  }
}
