// A callback of the hardware interface on the simulated hardware. `pull` runs on the device's thread: no allocation and no
// lock there.

import AudioCore
import AudioUnits
import CAudioToolbox

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
    let format = configuration.streamFormat
    // The microphone gives silence.
    let microphone = StreamBuffer(format: format, frameCapacity: DeviceConfiguration.bufferFrameCounts.upperBound)
    let channelCount = UInt32(format.channelCount)
    let bytesPerFrame = format.bytesPerFrame
    let (proc, userData) = (proc, userData)
    do throws(BenchError) {
      try device.start(isAudible: proc != nil) { time, frames, buffer in
        guard let proc else { return .noError }
        let byteCount = UInt32(frames * bytesPerFrame)
        var stamp = AudioTimeStamp(time)
        func list(_ data: UnsafeMutableRawPointer) -> AudioBufferList {
          AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(mNumberChannels: channelCount, mDataByteSize: byteCount, mData: data))
        }
        // A program may have written into the last cycle's input.
        microphone.bus.buffers[0].initializeMemory(as: UInt8.self, repeating: 0, count: Int(byteCount))
        var input = list(microphone.bus.buffers[0])
        var output = list(buffer.buffers[0])
        // What a callback returns means nothing: its output counts.
        _ = proc(SimulatedHardware.deviceID, &stamp, &input, &stamp, &output, &stamp, userData)
        return .noError
      }
    } catch {
      throw AudioStatus(kAudioHardwareUnspecifiedError)
    }
  }
}
