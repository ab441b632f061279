// Starting and stopping of output units.

import AudioCore
import AudioUnits
import CAudioToolbox

extension NativeInstance {
  /// Whether the unit has been started.
  var isRunning: Bool { hostValues.isRunning }

  /// A generic output has no device: started or not, its host pulls it.
  func startOutput() -> OSStatus {
    guard unit.isOutput else { return kAudio_UnimplementedError }
    let result = edit { () throws(AudioStatus) in
      guard unit.isInitialized else { throw .uninitialized }
      hostValues.isRunning = true
    }
    if result == noErr { propertyChanged(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0) }
    return result
  }

  func stopOutput() -> OSStatus {
    guard unit.isOutput else { return kAudio_UnimplementedError }
    guard hostValues.isRunning else { return noErr }
    hostValues.isRunning = false
    propertyChanged(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)
    return noErr
  }
}
