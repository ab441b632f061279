// ExtendedAudioFile.h. Each function checks its arguments, finds the file, and answers with the number of what goes
// wrong.

import AudioCore
import CAudioToolbox
import Transcripts

/// Runs `body` with the object behind a handle, alone; recorded if calls are.
private func withExtAudioFile(
  _ handle: ExtAudioFileRef, _ arguments: @autoclosure () -> String = "", result: @autoclosure () -> String = "",
  function: StaticString = #function, _ body: (ExtAudioFileObject) throws(AudioStatus) -> Void
) -> OSStatus {
  recorded(CallSubject(extendedFile: handle), arguments(), result: result(), function: function) {
    let answer = HandleTable.shared.withObject(handle, ExtAudioFileObject.self) { file in
      status { () throws(AudioStatus) in try file.alone { () throws(AudioStatus) in try body(file) } }
    }
    return answer ?? kAudio_ParamError
  }
}

/// Gives a file a handle and an extended file around it; neither is left where that fails. Recorded where calls are.
func openExtended(
  _ out: UnsafeMutablePointer<ExtAudioFileRef?>, isWriting: Bool, _ arguments: @autoclosure () -> String = "",
  function: StaticString, _ body: () throws(AudioStatus) -> AudioFileObject
) -> OSStatus {
  recorded(nil, arguments(), result: CallSubject(extendedFile: out.pointee)?.description ?? "", function: function) {
    guard !isNull(out) else { return kAudio_ParamError }
    out.pointee = nil
    return status { () throws(AudioStatus) in
      let file = try body()
      let handle = try HandleTable.shared.add(file)
      do throws(AudioStatus) {
        let made = try ExtAudioFileObject(file, handle: handle, owns: true, isWriting: isWriting)
        out.pointee = try HandleTable.shared.add(made)
      } catch {
        _ = AudioFileClose(handle)
        throw error
      }
    }
  }
}

/// A new file of an extended file, with the layout of its channels.
func createExtended(
  path: String, type: AudioFileTypeID, format: AudioStreamBasicDescription,
  layout: UnsafePointer<AudioChannelLayout>?, flags: UInt32
) throws(AudioStatus) -> AudioFileObject {
  var wanted: ChannelLayoutData?
  if let layout {
    let size = 12 + 20 * Int(min(layout.pointee.mNumberChannelDescriptions, 1_024))
    wanted = ChannelLayoutData(UnsafeRawPointer(layout), size: size)
    guard wanted?.channelCount == Int(format.mChannelsPerFrame) else { throw .extChannelMap }
  }
  let file = try AudioFileObject.create(path: path, type: type, format: format, flags: flags, codes: true)
  // A container that has no place for it keeps the order of the channels all the same.
  if let wanted {
    // Its coder writes the file anew.
    file.statedLayout = wanted
    if file.encoder == nil {
      do throws(AudioStatus) { try file.setChannelLayout(wanted) } catch  where error == .fileOperationUnsupported {}
    }
  }
  return file
}

// A CoreFoundation class cannot be a parameter of a function that implements a header on Linux: these two come in under
// their C names with plain pointers, and the tests call them as the header declares them.

/// ExtAudioFileOpenURL: opens whatever can be decoded, for reading. -43 where there is no file, 'typ?', 'fmt?' and
/// 'dta?' for unknown types, codecs and damage.
@c(ExtAudioFileOpenURL)
public func openExtAudioFile(
  _ inURL: UnsafeRawPointer?, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  openExtended(outExtAudioFile, isWriting: false, function: "ExtAudioFileOpenURL") { () throws(AudioStatus) in
    guard let path = filePath(inURL) else { throw .parameterError }
    return try AudioFileObject.open(path: path, permissions: 1, hint: 0)
  }
}

/// ExtAudioFileCreateWithURL: a new file for samples, which its coder may compress. 'typ?' and 'fmt?' before anything
/// is touched, 'prm?' where a file exists and may not be erased, -66564 for a layout of another number of channels.
@c(ExtAudioFileCreateWithURL)
public func createExtAudioFile(
  _ inURL: UnsafeRawPointer?, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
  _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  openExtended(
    outExtAudioFile, isWriting: true, CallText.file(inFileType, inStreamDesc), function: "ExtAudioFileCreateWithURL"
  ) { () throws(AudioStatus) in
    try require(inStreamDesc)
    guard let path = filePath(inURL) else { throw .parameterError }
    return try createExtended(
      path: path, type: inFileType, format: inStreamDesc.pointee, layout: inChannelLayout, flags: inFlags)
  }
}

/// An extended file around an open one, which stays the caller's and is closed after ``ExtAudioFileDispose(_:)``. One
/// for writing around a file that was opened for reading is made, and its writes answer 'prm?', as on a Mac; 'prm?' for
/// one for reading around a file that was opened for writing alone.
@c @implementation
public func ExtAudioFileWrapAudioFileID(
  _ inFileID: AudioFileID, _ inForWriting: Bool, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  guard !isNull(outExtAudioFile) else { return kAudio_ParamError }
  outExtAudioFile.pointee = nil
  return withAudioFile(
    inFileID, inForWriting ? "for writing" : "for reading",
    result: CallSubject(extendedFile: outExtAudioFile.pointee)?.description ?? ""
  ) { (file) throws(AudioStatus) in
    let made = try ExtAudioFileObject(file, handle: inFileID, owns: false, isWriting: inForWriting)
    outExtAudioFile.pointee = try HandleTable.shared.add(made)
  }
}

/// Writes what is held back, completes the file and closes it, unless it was wrapped. The first error is returned, and
/// all of it is done.
@c @implementation
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
  recorded(CallSubject(extendedFile: inExtAudioFile)) {
    guard let file = HandleTable.shared.remove(inExtAudioFile, ExtAudioFileObject.self) else {
      return kAudio_ParamError
    }
    return status { () throws(AudioStatus) in try file.dispose() }
  }
}

/// Reads frames in the client's format, as many as the buffers have room for; 0 frames at the end of the file and only
/// there. -66565 for a file that is written, -66563 where a client's format is missing, -50 for buffers without room.
@c @implementation
public func ExtAudioFileRead(
  _ inExtAudioFile: ExtAudioFileRef, _ ioNumberFrames: UnsafeMutablePointer<UInt32>,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  withExtAudioFile(
    inExtAudioFile, CallText.count(ioNumberFrames, "frame"), result: CallText.count(ioNumberFrames, "frame")
  ) { (file) throws(AudioStatus) in
    try require(ioNumberFrames, ioData)
    let wanted = Int(ioNumberFrames.pointee)
    ioNumberFrames.pointee = 0
    ioNumberFrames.pointee = UInt32(try file.read(wanted, into: ioData))
  }
}

/// Writes frames of the client's format. -66565 for a file that is read, and after ``ExtAudioFileWriteAsync(_:_:_:)``;
/// -50 for buffers with fewer frames.
@c @implementation
public func ExtAudioFileWrite(
  _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>
) -> OSStatus {
  withExtAudioFile(inExtAudioFile, NumberText.count(inNumberFrames, "frame")) { (file) throws(AudioStatus) in
    try require(ioData)
    try file.write(Int(inNumberFrames), from: ioData)
  }
}

/// Puts frames into a ring that another thread writes to the file. A call with 0 frames makes the ring; after that no
/// call waits or allocates, unless a clock that is not real paces the hardware (see ``AsyncWriting``). -66570 where the
/// ring is full, -66569 for more frames than it ever holds; an earlier write's error comes back here.
@c @implementation
public func ExtAudioFileWriteAsync(
  _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
  recorded(CallSubject(extendedFile: inExtAudioFile), NumberText.count(inNumberFrames, "frame")) {
    let answer = HandleTable.shared.withObject(inExtAudioFile, ExtAudioFileObject.self) { file in
      status { () throws(AudioStatus) in
        // A ring that exists is written to without waiting for other callers of the file: this may be a render thread.
        guard inNumberFrames > 0, let async = file.asyncWriting else {
          return try file.alone { () throws(AudioStatus) in
            try file.writeAsync(Int(inNumberFrames), from: ioData)
          }
        }
        guard let ioData else { throw .parameterError }
        try async.write(Int(inNumberFrames), from: ioData)
      }
    }
    return answer ?? kAudio_ParamError
  }
}

/// Goes to a frame of the file, at the file's rate. -66568 where there is none, and for a file that is written.
@c @implementation
public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef, _ inFrameOffset: Int64) -> OSStatus {
  withExtAudioFile(inExtAudioFile, "frame \(inFrameOffset)") { (file) throws(AudioStatus) in
    try file.seek(to: inFrameOffset)
  }
}

/// The frame of the file that comes next, at the file's rate; for a file that is written, its length.
@c @implementation
public func ExtAudioFileTell(
  _ inExtAudioFile: ExtAudioFileRef, _ outFrameOffset: UnsafeMutablePointer<Int64>
) -> OSStatus {
  withExtAudioFile(
    inExtAudioFile, result: CallText.read(outFrameOffset, as: Int64.self).map { "frame \($0)" } ?? ""
  ) { (file) throws(AudioStatus) in
    try require(outFrameOffset)
    outFrameOffset.pointee = file.position
  }
}

/// A property's size in bytes and whether it can be set now; either result may be null. -66561 for what this file does
/// not have.
@c @implementation
public func ExtAudioFileGetPropertyInfo(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  withExtAudioFile(inExtAudioFile, CallText.property(inPropertyID)) { (file) throws(AudioStatus) in
    let info = try file.propertyInfo(inPropertyID)
    outSize?.pointee = UInt32(info.size)
    outWritable?.pointee = info.isWritable
  }
}

/// Reads a property. The size is the room in bytes on the way in and what was written on the way out; -66562 for too
/// little room, -66561 for what this file does not have.
@c @implementation
public func ExtAudioFileGetProperty(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  withExtAudioFile(
    inExtAudioFile, CallText.property(inPropertyID),
    result: CallText.value(inPropertyID, outPropertyData, ioPropertyDataSize.pointee)
  ) { (file) throws(AudioStatus) in
    try require(ioPropertyDataSize, outPropertyData)
    try file.property(inPropertyID).write(
      to: outPropertyData, size: &ioPropertyDataSize.pointee, orThrow: .extPropertySize)
  }
}

/// Sets a property. -66565 for a format once frames were written, -66566 for one that the engine cannot convert, -66562
/// for a wrong size, -66561 for a property that cannot be set.
@c @implementation
public func ExtAudioFileSetProperty(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  withExtAudioFile(
    inExtAudioFile,
    "\(CallText.property(inPropertyID)) = \(CallText.value(inPropertyID, inPropertyData, inPropertyDataSize))"
  ) { (file) throws(AudioStatus) in
    try file.setProperty(
      inPropertyID, size: Int(inPropertyDataSize), data: isNull(inPropertyData) ? nil : inPropertyData)
  }
}
