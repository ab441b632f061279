// A callback of the hardware interface on the simulated hardware. `pull` runs on the device's thread: no allocation and
// no lock there.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits
import Hardware

/// One callback and its client of the simulated hardware; without a callback, the device's clock alone.
final class DeviceClient: @unchecked Sendable {
  private let device: SimulatedDevice
  private let proc: AudioDeviceIOProc?
  private let userData: UnsafeMutableRawPointer?

  init(_ hardware: SimulatedHardware, _ proc: AudioDeviceIOProc?, _ userData: UnsafeMutableRawPointer?) {
    device = SimulatedDevice(hardware)
    self.proc = proc
    self.userData = userData
  }

  var isRunning: Bool { device.isRunning }

  func stop() { device.stop() }

  func start() throws(AudioStatus) {
    let configuration = device.hardware.configuration
    // A program may write into its input, which others hear as well.
    let microphone = StreamBuffer(
      format: configuration.inputFormat, frameCapacity: DeviceConfiguration.bufferFrameCounts.upperBound)
    let outputChannels = configuration.channelCount
    let (proc, userData) = (proc, userData)
    do {
      try device.start(isAudible: proc != nil) { cycle in
        guard let proc else { return .noError }
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
          proc(SimulatedHardware.deviceID, &stamp, &input, &stamp, &output, &outputStamp, userData)
        }
        return .noError
      }
    } catch {
      throw AudioStatus(kAudioHardwareUnspecifiedError)
    }
  }
}
