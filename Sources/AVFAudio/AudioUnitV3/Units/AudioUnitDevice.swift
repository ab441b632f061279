import AVFAudioFiles
import Foundation

/// Takes the frames that a device has recorded: called in each of its cycles with the time and number of frames. The
/// function pulls them with the unit's render block and the number of the bus.
public typealias AUInputHandler = (
  UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int
) -> Void

/// The device that a unit plays to and records from.
package protocol AudioUnitDevice: AnyObject {
  var canPerformInput: Bool { get }
  var canPerformOutput: Bool { get }
  var isInputEnabled: Bool { get set }
  var isOutputEnabled: Bool { get set }
  var isRunning: Bool { get }
  var deviceID: UInt32 { get }
  /// - Throws: `NSError` '!dev' for a device that there is not.
  func setDeviceID(_ deviceID: UInt32) throws
  var outputProvider: AURenderPullInputBlock? { get set }
  var inputHandler: AUInputHandler? { get set }
  func start() throws
  func stop()
}

extension AudioUnitDevice {
  /// - Throws: `NSError` '!dev' for any number but that of the simulated device.
  package func check(_ id: UInt32) throws {
    guard id == deviceID else {
      throw NSError(unit: 0x2164_6576, "there is one device, which has the number \(deviceID)")
    }
  }
}
