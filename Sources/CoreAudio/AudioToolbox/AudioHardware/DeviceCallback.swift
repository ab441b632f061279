import CAudioToolbox
import CForeign
import Hardware

/// The function or block that is called in each cycle of the device.
enum DeviceCallback {
  case function(AudioDeviceIOProc, UnsafeMutableRawPointer?)
  /// On a queue the device's thread waits for it.
  case block(HeldBlock, CDispatchQueue?)

  /// Calls it. On the device's thread.
  func call(
    now: UnsafePointer<AudioTimeStamp>, input: UnsafePointer<AudioBufferList>,
    output: UnsafeMutablePointer<AudioBufferList>, outputTime: UnsafePointer<AudioTimeStamp>
  ) {
    switch self {
    case .function(let proc, let userData):
      _ = proc(SimulatedHardware.deviceID, now, input, now, output, outputTime, userData)
    case .block(let block, let queue):
      guard let queue else { return foreign_call_cycle_block(block.copy, now, input, now, output, outputTime) }
      queue.sync { foreign_call_cycle_block(block.copy, now, input, now, output, outputTime) }
    }
  }
}
