// The functions that take a CFURL, for Swift programs that have a URL: `url as CFURL` does not compile on Linux.

import AudioCore
import CAudioToolbox
import FoundationEssentials

/// Opens a file. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: of a file.
///   - permissions: what will be done with it.
///   - hint: the type of file, 0 where it is not known.
///   - outAudioFile: gets the handle, which AudioFileClose gives back; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h; −50 for a URL of no file.
public func AudioFileOpenURL(
  _ url: URL, _ permissions: AudioFilePermissions, _ hint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile) { () throws(AudioStatus) in
    try AudioFileObject.open(path: try path(url), permissions: permissions.rawValue, hint: hint)
  }
}

/// Creates a file. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: of a file; one that exists is an error unless `flags` has `.eraseFile`.
///   - type: the container.
///   - format: how its samples lie in it.
///   - outAudioFile: gets the handle; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h; −50 for a URL of no file.
public func AudioFileCreateWithURL(
  _ url: URL, _ type: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>, _ flags: AudioFileFlags,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile) { () throws(AudioStatus) in
    guard !isNull(format) else { throw .parameterError }
    return try AudioFileObject.create(
      path: try path(url), type: type, format: format.pointee, flags: flags.rawValue)
  }
}

/// Opens a file for reading in any format. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: of a file.
///   - outExtAudioFile: gets the handle, which ExtAudioFileDispose gives back; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h; −50 for a URL of no file.
public func ExtAudioFileOpenURL(_ url: URL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus {
  openExtended(outExtAudioFile, isWriting: false) { () throws(AudioStatus) in
    try AudioFileObject.open(path: try path(url), permissions: 1, hint: 0)
  }
}

/// Creates a file to be written in any format. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: of a file; one that exists is an error unless `flags` has kAudioFileFlags_EraseFile.
///   - type: the container.
///   - format: how the sound is to be stored.
///   - layout: which speaker each channel is for, or nil.
///   - outExtAudioFile: gets the handle; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h or ExtendedAudioFile.h; −50 for a URL of no file.
public func ExtAudioFileCreateWithURL(
  _ url: URL, _ type: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>,
  _ layout: UnsafePointer<AudioChannelLayout>?, _ flags: UInt32,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  openExtended(outExtAudioFile, isWriting: true) { () throws(AudioStatus) in
    guard !isNull(format) else { throw .parameterError }
    return try createExtended(
      path: try path(url), type: type, format: format.pointee, layout: layout, flags: flags)
  }
}

private func path(_ url: URL) throws(AudioStatus) -> String {
  guard url.isFileURL else { throw .parameterError }
  return url.path
}
