// AudioToolbox.h: the printing of buffers, layouts and descriptions, for debugging. The wording is our own.

import AudioCore
import CAudioToolbox
import CoreAudioStreams

/// Prints each buffer of a list with the words of its first frames.
///
/// - Parameter framesToPrint: frames of each buffer; none beyond its bytes.
/// - Parameter wordSize: 0 for Float32; else the bytes of an integer, 1 to 4, negative where it is little-endian.
@c @implementation
public func CAShowAudioBufferList(
  _ abl: UnsafePointer<AudioBufferList>?, _ framesToPrint: Int32, _ wordSize: Int32
) { print(ShownValues.text(of: abl, frames: framesToPrint, wordSize: wordSize), terminator: "") }

/// Prints a layout: the name of its tag and its channels in order.
@c @implementation
public func CAShowChannelLayout(_ layout: UnsafePointer<AudioChannelLayout>?) {
  print(ShownValues.text(of: layout), terminator: "")
}

/// Prints the codes and flags of a description.
@c @implementation
public func CAShowComponentDescription(_ desc: UnsafePointer<AudioComponentDescription>?) {
  print(ShownValues.text(of: desc), terminator: "")
}

/// The printed texts of values that lie in a client's memory.
package enum ShownValues {
  package static func text(of list: UnsafePointer<AudioBufferList>?, frames: Int32, wordSize: Int32) -> String {
    guard let list else { return "AudioBufferList: null\n" }
    var text = "AudioBufferList \(ShownObject.number(OpaquePointer(list))): \(list.pointee.mNumberBuffers) buffers\n"
    let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
    for (index, buffer) in buffers.enumerated() {
      text += "  buffer \(index): \(buffer.mNumberChannels) channels, \(buffer.mDataByteSize) bytes"
      text += buffer.mData.map { " at \(ShownObject.number(OpaquePointer($0)))" } ?? ", no memory"
      let words = words(of: buffer, frames: frames, wordSize: wordSize)
      text += words.isEmpty ? "\n" : ": \(words.joined(separator: " "))\n"
    }
    return text
  }

  package static func text(of layout: UnsafePointer<AudioChannelLayout>?) -> String {
    guard let layout else { return "AudioChannelLayout: null\n" }
    let tag = layout.pointee.mChannelLayoutTag
    var text = "AudioChannelLayout \(ShownObject.number(OpaquePointer(layout))): tag 0x\(String(tag, radix: 16))"
    if tag == kAudioChannelLayoutTag_UseChannelBitmap {
      text += ", bitmap 0x\(String(layout.pointee.mChannelBitmap.rawValue, radix: 16))"
    }
    guard let labels = ChannelLayouts.labels(of: layout) else { return text + ", unknown channels\n" }
    return text + ", \(ChannelNames.name(of: labels))\n"
  }

  package static func text(of description: UnsafePointer<AudioComponentDescription>?) -> String {
    guard let description = description?.pointee else { return "AudioComponentDescription: null\n" }
    let codes = [description.componentType, description.componentSubType, description.componentManufacturer]
      .map { "'\(FourCharCode(rawValue: $0))'" }.joined(separator: " ")
    return "AudioComponentDescription: \(codes), flags 0x\(String(description.componentFlags, radix: 16)), "
      + "mask 0x\(String(description.componentFlagsMask, radix: 16))\n"
  }

  private static func words(of buffer: AudioBuffer, frames: Int32, wordSize: Int32) -> [String] {
    let bytes = wordSize == 0 ? 4 : Int(wordSize.magnitude)
    guard let memory = buffer.mData, frames > 0, (1...4).contains(bytes) else { return [] }
    let wanted = Int(frames).multipliedReportingOverflow(by: max(1, Int(buffer.mNumberChannels)))
    let present = Int(buffer.mDataByteSize) / bytes
    return (0..<(wanted.overflow ? present : min(wanted.partialValue, present))).map { word in
      let start = memory + word * bytes
      if wordSize == 0 { return "\(start.loadUnaligned(as: Float32.self))" }
      var value: UInt32 = 0
      for place in 0..<bytes {
        let byte = start.load(fromByteOffset: wordSize < 0 ? bytes - 1 - place : place, as: UInt8.self)
        value = value << 8 | UInt32(byte)
      }
      // The sign is that of the word's highest bit.
      let unused = UInt32(32 - bytes * 8)
      return "\(Int32(bitPattern: value << unused) >> Int32(unused))"
    }
  }
}
