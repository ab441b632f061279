// AudioFormat.h: tests pointers and sizes, and writes the answers of AudioFormatAnswers.swift into the client's memory.

import AudioCore
import CAudioToolbox

/// The size in bytes of what ``AudioFormatGetProperty(_:_:_:_:_:)`` answers. 'prop' for a property that is not known,
/// '!spc' for a specifier that is too short, '!fmt' and 'fmt?' for formats.
@c @implementation
public func AudioFormatGetPropertyInfo(
  _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
  _ outPropertyDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status { () throws(AudioStatus) in
    try require(outPropertyDataSize)
    let specifier = FormatSpecifier(pointer: inSpecifier, size: Int(inSpecifierSize))
    outPropertyDataSize.pointee = UInt32(try FormatAnswer.value(inPropertyID, about: specifier).size)
  }
}

/// Without a place for the value only its size is answered; a value larger than its place is '!siz'.
@c @implementation
public func AudioFormatGetProperty(
  _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(AudioStatus) in
    let specifier = FormatSpecifier(pointer: inSpecifier, size: Int(inSpecifierSize))
    let answer = try FormatAnswer.value(inPropertyID, about: specifier)
    let size = UInt32(answer.size)
    guard let outPropertyData else {
      ioPropertyDataSize?.pointee = size
      return
    }
    if size > 0 {
      guard let ioPropertyDataSize else { throw .parameterError }
      guard ioPropertyDataSize.pointee >= size else { throw FormatError.badPropertySize }
    }
    if inPropertyID == kAudioFormatProperty_FormatInfo {
      var format = outPropertyData.loadUnaligned(as: AudioStreamBasicDescription.self)
      try FormatFacts.complete(&format)
      outPropertyData.storeBytes(of: format, as: AudioStreamBasicDescription.self)
    } else {
      _ = answer.write(to: outPropertyData, room: size)
    }
    ioPropertyDataSize?.pointee = size
  }
}
