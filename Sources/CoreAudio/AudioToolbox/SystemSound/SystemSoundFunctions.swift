// AudioServices.h: system sounds.

import AudioCore
import CAudioToolbox
import CForeign

// A CoreFoundation class cannot be a parameter of a function that implements a header on Linux: these come in under their
// C names with plain pointers.

/// AudioServicesCreateSystemSoundID: reads a sound file whole. -1500 where it cannot be read or is longer than 30 s, -50
/// for what is no URL of a file.
@c(AudioServicesCreateSystemSoundID)
public func _audioServicesCreateSystemSoundID(
  _ inFileURL: UnsafeRawPointer?, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>?
) -> OSStatus {
  recorded(nil, result: outSystemSoundID.map { "\($0.pointee)" } ?? "", function: "AudioServicesCreateSystemSoundID") {
    guard let outSystemSoundID else { return kAudio_ParamError }
    outSystemSoundID.pointee = 0
    guard let path = filePath(inFileURL) else { return kAudio_ParamError }
    return status { () throws(AudioStatus) in outSystemSoundID.pointee = try SystemSounds.shared.add(path: path) }
  }
}

/// Forgets a sound; where it plays it ends, and its completion is called. -1500 for one that is unknown.
@c @implementation
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
  recorded(nil, "\(inSystemSoundID)") {
    status { () throws(AudioStatus) in try SystemSounds.shared.remove(inSystemSoundID) }
  }
}

/// Plays a sound on the simulated hardware, beside those that play already.
@c @implementation
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  play(inSystemSoundID, isAlert: false, nil, function: "AudioServicesPlaySystemSound")
}

/// As ``AudioServicesPlaySystemSound(_:)``, with a vibration, which is an event of the transcript.
@c @implementation
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  play(inSystemSoundID, isAlert: true, nil, function: "AudioServicesPlayAlertSound")
}

/// AudioServicesPlaySystemSoundWithCompletion: the block is called on a thread of the library's when the sound has ended.
@c(AudioServicesPlaySystemSoundWithCompletion)
public func _audioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: UnsafeRawPointer?
) { play(inSystemSoundID, isAlert: false, inCompletionBlock, function: "AudioServicesPlaySystemSoundWithCompletion") }

/// AudioServicesPlayAlertSoundWithCompletion: as the one for system sounds, with a vibration.
@c(AudioServicesPlayAlertSoundWithCompletion)
public func _audioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: UnsafeRawPointer?
) { play(inSystemSoundID, isAlert: true, inCompletionBlock, function: "AudioServicesPlayAlertSoundWithCompletion") }

private func play(_ id: SystemSoundID, isAlert: Bool, _ block: UnsafeRawPointer?, function: StaticString) {
  let held = HeldBlock(block)
  _ = recorded(nil, "\(id)", function: function) {
    SystemSounds.shared.play(
      id, isAlert: isAlert,
      completion: held.map { held in
        { @Sendable in
          recordedCallback("system sound completion", nil, "\(id)") { foreign_call_plain_block(held.copy) }
        }
      })
    return noErr
  }
}

/// AudioServicesAddSystemSoundCompletion: has a function called when the sound has ended, in place of one that was added
/// before: on a run loop, in a mode; without them the main thread's, in the default mode. -1500 for a sound that is
/// unknown, -50 without a function.
@c(AudioServicesAddSystemSoundCompletion)
public func _audioServicesAddSystemSoundCompletion(
  _ inSystemSoundID: SystemSoundID, _ inRunLoop: UnsafeRawPointer?, _ inRunLoopMode: UnsafeRawPointer?,
  _ inCompletionRoutine: AudioServicesSystemSoundCompletionProc?, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  recorded(nil, "\(inSystemSoundID)", function: "AudioServicesAddSystemSoundCompletion") {
    guard let inCompletionRoutine else { return kAudio_ParamError }
    let completion = SoundCompletion(
      inSystemSoundID, inCompletionRoutine, inClientData, loop: inRunLoop, mode: inRunLoopMode)
    return status { () throws(AudioStatus) in try SystemSounds.shared.setCompletion(inSystemSoundID, completion) }
  }
}

/// No function is called any more when the sound has ended.
@c @implementation
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
  _ = recorded(nil, "\(inSystemSoundID)") {
    status { () throws(AudioStatus) in try SystemSounds.shared.setCompletion(inSystemSoundID, nil) }
  }
}

// MARK: Properties

private func sound(_ specifier: UnsafeRawPointer?, _ size: UInt32) throws(AudioStatus) -> SystemSoundID {
  guard let specifier, size >= 4 else { throw AudioStatus(kAudioServicesBadSpecifierSizeError) }
  return specifier.loadUnaligned(as: SystemSoundID.self)
}

/// The size of a property of a sound, whose identifier is the specifier. 'pty?' for a property that is unknown, '!spc' for
/// a specifier that is no sound. Either pointer may be null.
@c @implementation
public func AudioServicesGetPropertyInfo(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
  _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  recorded(nil, "'\(FourCharCode(rawValue: inPropertyID))'") {
    status { () throws(AudioStatus) in
      _ = try SystemSounds.shared.value(inPropertyID, of: sound(inSpecifier, inSpecifierSize))
      outPropertyDataSize?.pointee = 4
      outWritable?.pointee = true
    }
  }
}

/// Reads a property of a sound: UInt32. '!siz' for less room.
@c @implementation
public func AudioServicesGetProperty(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  recorded(nil, "'\(FourCharCode(rawValue: inPropertyID))'") {
    status { () throws(AudioStatus) in
      try require(ioPropertyDataSize)
      let value = try SystemSounds.shared.value(inPropertyID, of: sound(inSpecifier, inSpecifierSize))
      guard let outPropertyData, ioPropertyDataSize.pointee >= 4 else {
        throw AudioStatus(kAudioServicesBadPropertySizeError)
      }
      outPropertyData.storeBytes(of: value, as: UInt32.self)
      ioPropertyDataSize.pointee = 4
    }
  }
}

/// Sets a property of a sound: UInt32. Neither changes what the simulated hardware plays.
@c @implementation
public func AudioServicesSetProperty(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  recorded(nil, "'\(FourCharCode(rawValue: inPropertyID))'") {
    status { () throws(AudioStatus) in
      try require(inPropertyData)
      guard inPropertyDataSize >= 4 else { throw AudioStatus(kAudioServicesBadPropertySizeError) }
      try SystemSounds.shared.setValue(
        inPropertyData.loadUnaligned(as: UInt32.self), inPropertyID, of: sound(inSpecifier, inSpecifierSize))
    }
  }
}
