// A channel layout, from and to the two shapes that it has: the C structure, and the chunk of AIFF-C and CAF files.
// Both are a tag, a bitmap, a count, and that many descriptions of 20 bytes; the chunk is big-endian.

import AudioCore
import CAudioToolbox
import SoundFile

package struct ChannelLayoutData: Equatable {
  package var tag: AudioChannelLayoutTag
  package var bitmap: UInt32 = 0
  /// Label, flags and the bits of three coordinates.
  package var descriptions: [[UInt32]] = []

  package init(tag: AudioChannelLayoutTag, bitmap: UInt32 = 0, descriptions: [[UInt32]] = []) {
    self.tag = tag
    self.bitmap = bitmap
    self.descriptions = descriptions
  }
}

extension ChannelLayoutData {
  /// - Parameter size: the size of the memory at `pointer`, in bytes. Nil if that is less than the layout needs.
  package init?(_ pointer: UnsafeRawPointer, size: Int) {
    self.init(size: size) { pointer.loadUnaligned(fromByteOffset: $0, as: UInt32.self) }
  }

  package init?(chunk bytes: [UInt8]) {
    self.init(size: bytes.count) { at in UInt32(bytes[at..<at + 4].bigEndianValue) }
  }

  private init?(size: Int, word: (Int) -> UInt32) {
    guard size >= 12 else { return nil }
    tag = word(0)
    bitmap = word(4)
    let count = Int(word(8))
    guard count <= 1_024, size >= 12 + 20 * count else { return nil }
    descriptions = (0..<count).map { index in (0..<5).map { word(12 + 20 * index + 4 * $0) } }
  }

  /// Makes a layout of mono or stereo; the order of more channels is not known.
  package init?(channelCount: Int) {
    switch channelCount {
    case 1: self.init(tag: kAudioChannelLayoutTag_Mono)
    case 2: self.init(tag: kAudioChannelLayoutTag_Stereo)
    default: return nil
    }
  }

  package var channelCount: Int {
    switch tag {
    case kAudioChannelLayoutTag_UseChannelDescriptions: descriptions.count
    case kAudioChannelLayoutTag_UseChannelBitmap: bitmap.nonzeroBitCount
    default: Int(tag & 0xFFFF)
    }
  }

  private var words: [UInt32] { [tag, bitmap, UInt32(descriptions.count)] + descriptions.flatMap { $0 } }

  /// The C structure, with room for the one description that it always has.
  package var structureBytes: [UInt8] {
    let bytes = words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    return bytes + [UInt8](repeating: 0, count: max(0, MemoryLayout<AudioChannelLayout>.size - bytes.count))
  }

  package var chunkBytes: [UInt8] { words.flatMap(\.bigEndianBytes) }

  /// The speakers of a WAVE_FORMAT_EXTENSIBLE header; nil where they cannot say it in this order.
  package var waveMask: UInt32? {
    if tag == kAudioChannelLayoutTag_UseChannelBitmap { return bitmap }
    guard let places = ChannelLayout(chunk: chunkBytes)?.wavePlaces, places.order.elementsEqual(places.order.indices)
    else { return nil }
    return places.mask
  }
}
