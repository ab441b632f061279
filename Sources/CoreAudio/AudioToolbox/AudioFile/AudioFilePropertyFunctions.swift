// AudioFile.h: the properties of a file.

import AudioCore
import CAudioToolbox

/// A property's size in bytes, and 1 where it can be set now; either result may be null. 'pty?' for what this file does
/// not have.
@c @implementation
public func AudioFileGetPropertyInfo(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?,
  _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  withAudioFile(inAudioFile, CallText.property(inPropertyID)) { (file) throws(AudioStatus) in
    let size: Int
    if let translation = AudioFileObject.translationSize(inPropertyID) {
      size = translation
    } else if inPropertyID == kAudioFilePropertyUseAudioTrack {
      size = MemoryLayout<UInt32>.size
    } else {
      size = try file.property(inPropertyID).size
    }
    outDataSize?.pointee = UInt32(size)
    isWritable?.pointee = file.isSettable(inPropertyID) ? 1 : 0
  }
}

/// Reads a property, or answers a translation in place. '!siz' for too little room, 'pty?' for what this file does not
/// have. Objects are the caller's to release.
@c @implementation
public func AudioFileGetProperty(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>,
  _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  withAudioFile(inAudioFile, CallText.property(inPropertyID)) { (file) throws(AudioStatus) in
    try require(ioDataSize, outPropertyData)
    if let size = AudioFileObject.translationSize(inPropertyID) {
      guard Int(ioDataSize.pointee) >= size else { throw .filePropertySize }
      try file.translate(inPropertyID, outPropertyData)
      ioDataSize.pointee = UInt32(size)
      return
    }
    try file.property(inPropertyID).write(to: outPropertyData, size: &ioDataSize.pointee, orThrow: .filePropertySize)
  }
}

/// Sets a property. 'pty?' for one that cannot be set, '!siz' for a wrong size, 'prm?' for a file that is only read,
/// -50 for a value that means nothing.
@c @implementation
public func AudioFileSetProperty(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ inDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  withAudioFile(inAudioFile, CallText.property(inPropertyID)) { (file) throws(AudioStatus) in
    try require(inPropertyData)
    try file.setProperty(inPropertyID, size: Int(inDataSize), data: inPropertyData)
  }
}
