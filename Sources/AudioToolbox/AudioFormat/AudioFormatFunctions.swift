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
  guard !isNull(outPropertyDataSize) else { return AudioStatus.parameterError.rawValue }
  return status { () throws(AudioStatus) in
    let specifier = FormatSpecifier(pointer: inSpecifier, size: Int(inSpecifierSize))
    outPropertyDataSize.pointee = UInt32(try FormatAnswer(to: inPropertyID, about: specifier).size)
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
    let answer = try FormatAnswer(to: inPropertyID, about: specifier)
    let size = UInt32(answer.size)
    guard let outPropertyData else {
      ioPropertyDataSize?.pointee = size
      return
    }
    if size > 0 {
      guard let ioPropertyDataSize else { throw .parameterError }
      guard ioPropertyDataSize.pointee >= size else { throw FormatError.badPropertySize }
    }
    try answer.write(to: outPropertyData)
    ioPropertyDataSize?.pointee = size
  }
}

extension FormatAnswer {
  fileprivate func write(to data: UnsafeMutableRawPointer) throws(AudioStatus) {
    switch self {
    case .words(let words):
      for (index, word) in words.enumerated() { data.storeBytes(of: word, toByteOffset: 4 * index, as: UInt32.self) }
    case .floats(let floats):
      for (index, value) in floats.enumerated() { data.storeBytes(of: value, toByteOffset: 4 * index, as: Float.self) }
    case .bytes(let bytes): data.copyMemory(from: bytes, byteCount: bytes.count)
    case .text(let text):
      guard let string = CFText.make(text) else { throw .memoryFull }
      data.storeBytes(of: string.toOpaque(), as: UnsafeMutableRawPointer.self)
    case .completedDescription:
      var asbd = data.loadUnaligned(as: AudioStreamBasicDescription.self)
      try FormatFacts.complete(&asbd)
      data.storeBytes(of: asbd, as: AudioStreamBasicDescription.self)
    }
  }
}
