// The device of an output unit of version 3. `render` and `hear` run on the hardware's thread: they neither allocate, lock nor
// wait, but for what the program's functions do.

import AVFAudioFiles
import AudioCore
import AudioEngine
import DeviceUnits
import Foundation
import Hardware

/// The program's functions of an output unit, as its last start took them over.
final class OutputUnitFunctions {
  /// Gives the frames that are played.
  var provider: AURenderPullInputBlock?
  /// The host's time of the cycle that is rendered; 0: none is.
  var hostTime: UInt64 = 0
}

/// An output unit of the engine as a device of version 3.
final class OutputUnitDevice: AudioUnitDevice {
  private unowned let owner: AUAudioUnit
  private let output: DeviceOutput
  let functions = OutputUnitFunctions()
  var outputProvider: AURenderPullInputBlock?
  var inputHandler: AUInputHandler?

  init(_ output: DeviceOutput, of owner: AUAudioUnit) {
    self.output = output
    self.owner = owner
  }

  var canPerformInput: Bool { output.kind.hasInput && output.hardware.hasMicrophone }
  var canPerformOutput: Bool { true }
  var isRunning: Bool { output.isRunning }
  var deviceID: UInt32 { SimulatedHardware.deviceID }
  func setDeviceID(_ deviceID: UInt32) throws { try check(deviceID) }

  var isInputEnabled: Bool {
    get { output.isInputEnabled }
    set { enable(.input, element: 1, newValue) }
  }
  var isOutputEnabled: Bool {
    get { output.isOutputEnabled }
    set { enable(.output, element: 0, newValue) }
  }

  /// Nothing while resources are allocated.
  private func enable(_ scope: Scope, element: Int, _ flag: Bool) {
    try? output.setProperty(.enableIO, scope, element: element, to: .uint32(flag ? 1 : 0))
  }

  func start() throws {
    guard owner.renderResourcesAllocated else {
      throw NSError(unit: kAudioUnitErr_Uninitialized, "allocateRenderResources() comes in front of startHardware()")
    }
    guard !output.isRunning else { return }
    functions.provider = outputProvider
    output.inputAvailable = inputHandler.map { handler in { time, frames in Self.hear(time, frames, handler) } }
    let functions = functions
    do throws(AudioStatus) {
      try output.start { [weak output] time, frames, place in
        functions.hostTime = time.hostTime
        defer { functions.hostTime = 0 }
        guard let output else { return .noConnection }
        do throws(AudioStatus) {
          let channels = try output.streamFormat(.output).channelCount
          let rendered = try output.render(output: 0, sampleTime: time.sampleTime, frames: frames)
          place.update(from: rendered.interleaved(channels), count: frames * channels)
          return .noError
        } catch { return error }
      }
    } catch {
      throw NSError(unit: error.rawValue, "the hardware does not start; it may be interrupted")
    }
  }

  private static func hear(_ time: DeviceTime, _ frames: Int, _ handler: AUInputHandler) {
    var flags = AudioUnitRenderActionFlags()
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(time.sampleTime)
    stamp.mHostTime = time.hostTime
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
    handler(&flags, &stamp, AUAudioFrameCount(clamping: frames), 1)
  }

  func stop() { output.stop() }
}
