// AudioFile.h and ExtendedAudioFile.h: opening and creating files by references to them (FSRef), as programs from
// before URLs do. Each finds the path and goes on as the function that takes a URL.

import AudioCore
import CAudioToolbox

/// The path of a reference as text.
private func path(_ reference: UnsafeRawPointer?) throws(AudioStatus) -> String {
  guard let bytes = FileReferences.path(reference) else { throw .parameterError }
  return ByteText.string(bytes)
}

/// The path of something that is to be created in a folder.
private func path(_ parent: UnsafeRawPointer?, _ name: UnsafeRawPointer?) throws(AudioStatus) -> String {
  guard let text = CFText.string(at: name) else { throw .parameterError }
  return ByteText.string(try FileReferences.path(parent, ByteText.bytes(text)))
}

/// AudioFileOpen: as AudioFileOpenURL, by a reference; -50 for one that none was filled into.
@c(AudioFileOpen)
public func openAudioFileByReference(
  _ inFileRef: UnsafeRawPointer?, _ inPermissions: Int8, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile, CallText.file(inFileTypeHint), function: "AudioFileOpen") { () throws(AudioStatus) in
    try AudioFileObject.open(path: try path(inFileRef), permissions: inPermissions, hint: inFileTypeHint)
  }
}

/// - Parameter outNewFileRef: may be null.
@c(AudioFileCreate)
public func createAudioFileInFolder(
  _ inParentRef: UnsafeRawPointer?, _ inFileName: UnsafeRawPointer?, _ inFileType: AudioFileTypeID,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
  _ outNewFileRef: UnsafeMutableRawPointer?, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile, CallText.file(inFileType, inFormat), function: "AudioFileCreate") { () throws(AudioStatus) in
    try require(inFormat)
    let path = try path(inParentRef, inFileName)
    let file = try AudioFileObject.create(
      path: path, type: inFileType, format: inFormat.pointee, flags: inFlags.rawValue)
    if let outNewFileRef {
      try ensureSuccess(ByteText.withCString(path) { FileReferences.fill(outNewFileRef, path: $0) })
    }
    return file
  }
}

/// Creates a file in the place of one that is there.
@c(AudioFileInitialize)
public func initializeAudioFile(
  _ inFileRef: UnsafeRawPointer?, _ inFileType: AudioFileTypeID,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  handOut(outAudioFile, CallText.file(inFileType, inFormat), function: "AudioFileInitialize") {
    () throws(AudioStatus) in
    try require(inFormat)
    return try AudioFileObject.create(
      path: try path(inFileRef), type: inFileType, format: inFormat.pointee,
      flags: inFlags.union(.eraseFile).rawValue)
  }
}

/// ExtAudioFileOpen: as ExtAudioFileOpenURL, by a reference; -50 for one that none was filled into.
@c(ExtAudioFileOpen)
public func openExtAudioFileByReference(
  _ inFSRef: UnsafeRawPointer?, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  openExtended(outExtAudioFile, isWriting: false, function: "ExtAudioFileOpen") { () throws(AudioStatus) in
    try AudioFileObject.open(path: try path(inFSRef), permissions: 1, hint: 0)
  }
}

/// ExtAudioFileCreateNew: as ExtAudioFileCreateWithURL, by the reference of a folder and a name in it. 'prm?' where the
/// file exists, -37 for a name that no file can have.
@c(ExtAudioFileCreateNew)
public func createExtAudioFileInFolder(
  _ inParentDir: UnsafeRawPointer?, _ inFileName: UnsafeRawPointer?, _ inFileType: AudioFileTypeID,
  _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>, _ inChannelLayout: UnsafePointer<AudioChannelLayout>?,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  openExtended(
    outExtAudioFile, isWriting: true, CallText.file(inFileType, inStreamDesc), function: "ExtAudioFileCreateNew"
  ) { () throws(AudioStatus) in
    try require(inStreamDesc)
    return try createExtended(
      path: try path(inParentDir, inFileName), type: inFileType, format: inStreamDesc.pointee, layout: inChannelLayout,
      flags: 0)
  }
}
