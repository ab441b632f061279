// The functions that take a CFURL, for Swift programs that have a URL: `url as CFURL` does not compile on Linux.
// Compiled twice: into the library, and into the module that `make install` puts in place. So this file calls nothing
// but what the C headers declare.

import CAudioToolbox
import CoreFoundation
import FoundationEssentials
import Glibc

/// Opens a file. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: the URL of a file.
///   - permissions: the intended use.
///   - hint: the type of file, 0 where it is not known.
///   - outAudioFile: gets the handle, which AudioFileClose gives back; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h; −50 for a URL of no file.
public func AudioFileOpenURL(
  _ url: URL, _ permissions: AudioFilePermissions, _ hint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  outAudioFile.pointee = nil
  guard let url = file(url) else { return kAudio_ParamError }
  return AudioFileOpenURL(url, permissions, hint, outAudioFile)
}

/// Creates a file. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: the URL of a file; one that exists is an error unless `flags` has `.eraseFile`.
///   - type: the container.
///   - format: the format of its samples.
///   - outAudioFile: gets the handle; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h; −50 for a URL of no file.
public func AudioFileCreateWithURL(
  _ url: URL, _ type: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>, _ flags: AudioFileFlags,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  outAudioFile.pointee = nil
  guard let url = file(url) else { return kAudio_ParamError }
  return AudioFileCreateWithURL(url, type, format, flags, outAudioFile)
}

/// Opens a file for reading in any format. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: the URL of a file.
///   - outExtAudioFile: gets the handle, which ExtAudioFileDispose gives back; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h; −50 for a URL of no file.
public func ExtAudioFileOpenURL(_ url: URL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus {
  outExtAudioFile.pointee = nil
  guard let url = file(url) else { return kAudio_ParamError }
  return ExtAudioFileOpenURL(url, outExtAudioFile)
}

/// Creates a file to be written in any format. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: the URL of a file; one that exists is an error unless `flags` has kAudioFileFlags_EraseFile.
///   - type: the container.
///   - format: the format of the sound in the file.
///   - layout: the speaker of each channel, or nil.
///   - outExtAudioFile: gets the handle; nil where an error is returned.
/// - Returns: 0 or an error of AudioFile.h or ExtendedAudioFile.h; −50 for a URL of no file.
public func ExtAudioFileCreateWithURL(
  _ url: URL, _ type: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>,
  _ layout: UnsafePointer<AudioChannelLayout>?, _ flags: UInt32,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  outExtAudioFile.pointee = nil
  guard let url = file(url) else { return kAudio_ParamError }
  return ExtAudioFileCreateWithURL(url, type, format, layout, flags, outExtAudioFile)
}

/// Reads a system sound. As the C function of this name, with a URL of Foundation.
/// - Parameters:
///   - url: the URL of a file, of 30 s at the most.
///   - outSystemSoundID: gets the identifier; 0 where an error is returned.
/// - Returns: 0, −1500 where it cannot be read; −50 for a URL of no file.
public func AudioServicesCreateSystemSoundID(
  _ url: URL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
  outSystemSoundID.pointee = 0
  guard let url = file(url) else { return kAudio_ParamError }
  return AudioServicesCreateSystemSoundID(url, outSystemSoundID)
}

/// The same URL as CoreFoundation has it; nil where it is that of no file.
private func file(_ url: URL) -> CFURL? {
  guard url.isFileURL else { return nil }
  return url.withUnsafeFileSystemRepresentation { path in
    guard let path else { return nil }
    let count = CFIndex(strlen(path))
    return path.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
      CFURLCreateFromFileSystemRepresentation(nil, bytes, count, false)
    }
  }
}
