// The bytes of a format in an archive: rate, the other fields of its description, layout, magic cookie, as words in little
// endian. They are one value for Foundation: where it finds an object of another class than was asked for, it ends the process.

import AudioCore
import CAudioToolbox
import CoreAudioStreams
import Foundation

/// The parts of a format.
struct FormatArchive {
  var description: AudioStreamBasicDescription
  var layout: ChannelLayoutData?
  var magicCookie: Data?

  /// Stands for "none" where a length does.
  private static let none = UInt32.max
  private static let key = "AUFormat"

  func encode(with coder: NSCoder, layoutBytes: Data?) {
    let rate = description.mSampleRate.bitPattern
    let words = [
      UInt32(truncatingIfNeeded: rate), UInt32(truncatingIfNeeded: rate >> 32), description.mFormatID,
      description.mFormatFlags, description.mBytesPerPacket, description.mFramesPerPacket, description.mBytesPerFrame,
      description.mChannelsPerFrame, description.mBitsPerChannel, layoutBytes.map { UInt32($0.count) } ?? Self.none,
      magicCookie.map { UInt32(clamping: $0.count) } ?? Self.none,
    ]
    var bytes = words.flatMap { (word: UInt32) -> [UInt8] in
      (0..<4).map { (byte: Int) -> UInt8 in UInt8(truncatingIfNeeded: word >> UInt32(8 * byte)) }
    }
    bytes += layoutBytes ?? Data()
    bytes += magicCookie ?? Data()
    coder.encodeBytes(bytes, length: bytes.count, forKey: Self.key)
  }
}

extension FormatArchive {
  /// Nil where the archive has no such bytes, or too few.
  init?(_ coder: NSCoder) {
    guard let bytes = coder.bytes(forKey: Self.key), bytes.count >= 44 else { return nil }
    let words = (0..<11).map { (word: Int) -> UInt32 in
      let place = 4 * word
      return (0..<4).reduce(UInt32(0)) { (sum: UInt32, byte: Int) in
        sum | UInt32(bytes[place + byte]) << UInt32(8 * byte)
      }
    }
    let sizes = words[9...].map { $0 == Self.none ? 0 : Int($0) }
    guard bytes.count == 44 + sizes[0] + sizes[1] else { return nil }
    description = AudioStreamBasicDescription()
    description.mSampleRate = Double(bitPattern: UInt64(words[1]) << 32 | UInt64(words[0]))
    (description.mFormatID, description.mFormatFlags, description.mBytesPerPacket) = (words[2], words[3], words[4])
    (description.mFramesPerPacket, description.mBytesPerFrame) = (words[5], words[6])
    (description.mChannelsPerFrame, description.mBitsPerChannel) = (words[7], words[8])
    if words[9] != Self.none {
      guard let read = ChannelLayoutData(Data(bytes[44..<44 + sizes[0]])) else { return nil }
      layout = read
    }
    if words[10] != Self.none { magicCookie = Data(bytes[(44 + sizes[0])...]) }
  }
}

extension NSCoder {
  /// A copy of bytes; nil: there are none.
  package func bytes(forKey key: String) -> [UInt8]? {
    withDecodedUnsafeBufferPointer(forKey: key) { $0.map { [UInt8]($0) } }
  }
}

extension ChannelLayoutData {
  /// Nil where data hold no layout.
  init?(_ data: Data) {
    let layout = data.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { ChannelLayoutData($0, size: bytes.count) }
    }
    guard let layout else { return nil }
    self = layout
  }
}
