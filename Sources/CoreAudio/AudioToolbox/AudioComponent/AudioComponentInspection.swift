// AudioComponent.h: making an instance elsewhere, and what a component can say of itself before one is used.

import AudioCore
import CAudioToolbox
import CForeign
import CoreFoundation
import Dispatch

/// AudioComponentInstantiate.
@c(AudioComponentInstantiate)
public func _audioComponentInstantiate(
  _ inComponent: AudioComponent?, _ inOptions: AudioComponentInstantiationOptions,
  _ inCompletionHandler: UnsafeRawPointer?
) {
  guard let handler = HeldBlock(inCompletionHandler) else { return }
  let component = UInt(bitPattern: inComponent)
  DispatchQueue.global().async {
    var instance: AudioComponentInstance?
    let made = withComponent(AudioComponent(bitPattern: component)) { entry in
      status { () throws(AudioStatus) in instance = try UnitInstance.make(entry).handle }
    }
    foreign_call_block_with_object(handler.copy, instance.map { UnsafeMutableRawPointer($0) }, made)
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
  _ inCompletionHandler: UnsafeRawPointer?
) {
  guard let handler = HeldBlock(inCompletionHandler) else { return }
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
    foreign_call_block_with_result(handler.copy, result.rawValue, dictionary)
    if let dictionary { Unmanaged<AnyObject>.fromOpaque(dictionary).release() }
  }
}
