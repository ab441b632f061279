// A callback of the hardware interface on the simulated hardware. `pull` runs on the device's thread: no allocation and
// no lock there.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits
import Hardware

/// One callback and its client of the simulated hardware; without a callback, the device's clock alone.
final class DeviceClient: @unchecked Sendable {
  let clock: CallbackClock
  private let device: SimulatedDevice
  private let callback: DeviceCallback?

  init(_ hardware: SimulatedHardware, _ callback: DeviceCallback?) {
    device = SimulatedDevice(hardware)
    clock = CallbackClock(hardware)
    self.callback = callback
  }

  var isRunning: Bool { device.isRunning }

  func stop() { device.stop() }

  /// Begins to call.
  /// - Parameters:
  ///   - moment: the callback is not called in cycles that begin before; nil: it is called from the first one on.
  ///   - isInput: the moment is that of the cycle's input, not of its output.
  /// - Throws: 'what' where the run cannot start.
  func start(notBefore moment: DeviceMoment? = nil, isInput: Bool = false) throws(AudioStatus) {
    let configuration = device.hardware.configuration
    // A program may write into its input, which others hear as well.
    let microphone = StreamBuffer(
      format: configuration.inputFormat, frameCapacity: DeviceConfiguration.bufferFrameCounts.upperBound)
    let outputChannels = configuration.channelCount
    let (callback, clock) = (callback, clock)
    let sampleRate = configuration.sampleRate
    do {
      try device.start(isAudible: callback != nil) { cycle in
        defer { clock.note(cycle, sampleRate: sampleRate) }
        guard let callback, (isInput ? cycle.time : cycle.outputTime).isAtOrBehind(moment) else { return .noError }
        var stamp = AudioTimeStamp(cycle.time)
        var outputStamp = AudioTimeStamp(cycle.outputTime)
        func list(_ data: UnsafeMutableRawPointer, _ channelCount: Int) -> AudioBufferList {
          AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
              mNumberChannels: UInt32(channelCount),
              mDataByteSize: UInt32(cycle.frames * channelCount * MemoryLayout<Float>.size), mData: data))
        }
        let heard = min(cycle.inputChannels, microphone.format.channelCount)
        microphone.bus.buffers[0].copyMemory(
          from: cycle.input.start, byteCount: cycle.frames * heard * MemoryLayout<Float>.size)
        var input = list(microphone.bus.buffers[0], heard)
        var output = list(cycle.output.start, outputChannels)
        // The return value of a callback is ignored: its output counts.
        _ = recordedRender(.callback, "IO proc", nil, nil, &stamp, bus: nil, frames: UInt32(cycle.frames)) {
          callback.call(now: &stamp, input: &input, output: &output, outputTime: &outputStamp)
          return noErr
        }
        return .noError
      }
    } catch {
      throw AudioStatus(kAudioHardwareUnspecifiedError)
    }
  }
}

extension DeviceTime {
  /// True without a moment, too.
  fileprivate func isAtOrBehind(_ moment: DeviceMoment?) -> Bool {
    guard let moment else { return true }
    return moment.hostTime.map { hostTime >= $0 } ?? moment.sampleTime.map { Double(sampleTime) >= $0 } ?? true
  }
}
