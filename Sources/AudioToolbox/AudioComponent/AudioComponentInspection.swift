// AudioComponent.h: making an instance elsewhere, and what a component can say of itself before one is used.

import AudioCore
import CAudioToolbox
import CoreFoundation
import Dispatch

/// A handler of the program's, which may run on any thread. Not generic over the block's type: without Objective-C the
/// runtime knows no value witnesses of blocks, and unspecialized code that copies one crashes.
private struct InstantiationHandler: @unchecked Sendable {
  let call: @convention(block) (AudioComponentInstance?, OSStatus) -> Void
}

/// The same for validation.
private struct ValidationHandler: @unchecked Sendable {
  let call: @convention(block) (AudioComponentValidationResult, UnsafeMutableRawPointer?) -> Void
}

/// AudioComponentInstantiate.
@c(AudioComponentInstantiate)
public func _audioComponentInstantiate(
  _ inComponent: AudioComponent?, _ inOptions: AudioComponentInstantiationOptions,
  _ inCompletionHandler: (@convention(block) (AudioComponentInstance?, OSStatus) -> Void)?
) {
  guard let inCompletionHandler else { return }
  let handler = InstantiationHandler(call: inCompletionHandler)
  let component = UInt(bitPattern: inComponent)
  DispatchQueue.global().async {
    var instance: AudioComponentInstance?
    let made = withComponent(AudioComponent(bitPattern: component)) { entry in
      status { () throws(AudioStatus) in instance = try UnitInstance.make(entry).handle }
    }
    handler.call(instance, made)
  }
}

/// AudioComponentCopyConfigurationInfo.
@c(AudioComponentCopyConfigurationInfo)
public func _audioComponentCopyConfigurationInfo(
  _ inComponent: AudioComponent?, _ outConfigurationInfo: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
  withComponent(inComponent) { entry in
    guard let outConfigurationInfo else { return kAudio_ParamError }
    return status { () throws(AudioStatus) in
      let instance = try UnitInstance.make(entry)
      outConfigurationInfo.pointee = ComponentShape(instance).configuration.makeObject()
      _ = UnitInstance.dispose(instance.handle)
    }
  }
}

/// AudioComponentValidate. The parameters (time limit, another process, no cache) have no meaning here.
@c(AudioComponentValidate)
public func _audioComponentValidate(
  _ inComponent: AudioComponent?, _ inValidationParameters: UnsafeMutableRawPointer?,
  _ outValidationResult: UnsafeMutablePointer<AudioComponentValidationResult>?
) -> OSStatus {
  withComponent(inComponent) { entry in
    guard let outValidationResult else { return kAudio_ParamError }
    outValidationResult.pointee = ComponentTrial(of: entry).result
    return noErr
  }
}

/// AudioComponentValidateWithResults. The dictionary is the handler's for the length of the call.
@c(AudioComponentValidateWithResults)
public func _audioComponentValidateWithResults(
  _ inComponent: AudioComponent?, _ inValidationParameters: UnsafeMutableRawPointer?,
  _ inCompletionHandler: (@convention(block) (AudioComponentValidationResult, UnsafeMutableRawPointer?) -> Void)?
) {
  guard let inCompletionHandler else { return }
  let handler = ValidationHandler(call: inCompletionHandler)
  let component = UInt(bitPattern: inComponent)
  DispatchQueue.global().async {
    var result = AudioComponentValidationResult.unknown
    var report = PropertyTree.table([])
    _ = withComponent(AudioComponent(bitPattern: component)) { entry in
      let trial = ComponentTrial(of: entry)
      (result, report) = (trial.result, trial.report)
      return noErr
    }
    let dictionary = report.makeObject()
    handler.call(result, dictionary)
    if let dictionary { Unmanaged<AnyObject>.fromOpaque(dictionary).release() }
  }
}
