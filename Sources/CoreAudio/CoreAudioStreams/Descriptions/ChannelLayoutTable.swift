// The channels of layouts in the C structure: queries of AudioFormat, the converter and the units to `ChannelTable`.
// Any thread.

import AudioCore
import CAudioToolbox
import SoundFile

/// The channels of a tag, a bitmap or an AudioChannelLayout.
package enum ChannelLayouts {
  /// Bytes before the descriptions of an AudioChannelLayout, and of each.
  package static let headerSize = 12
  package static let descriptionSize = 20

  private static var table: [ChannelTable.Layout] { ChannelTable.shared.layouts }

  package static func labels(ofTag tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
    ChannelNumbers.labels(ofTag: tag)
  }

  /// The labels of a bitmap, in order; nil where it is empty or has bits without a meaning.
  package static func labels(ofBitmap bitmap: UInt32) -> [AudioChannelLabel]? {
    guard bitmap != 0, bitmap & ~ChannelNumbers.bitmapMask == 0 else { return nil }
    return ChannelNumbers.labels(ofBitmap: bitmap)
  }

  package static func bitmap(of labels: [AudioChannelLabel]) -> UInt32? { ChannelNumbers.bitmap(of: labels) }

  /// The labels of a layout's channels; nil where it contradicts itself.
  ///
  /// - Parameter size: the bytes that are there; a layout that says it is longer gives nil.
  package static func labels(of layout: UnsafeRawPointer, size: Int) -> [AudioChannelLabel]? {
    guard size >= headerSize else { return nil }
    let tag = layout.loadUnaligned(as: UInt32.self)
    switch tag {
    case ChannelNumbers.useChannelDescriptions:
      let count = Int(layout.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      guard count > 0, count <= (size - headerSize) / descriptionSize else { return nil }
      return (0..<count).map {
        layout.loadUnaligned(fromByteOffset: headerSize + $0 * descriptionSize, as: UInt32.self)
      }
    case ChannelNumbers.useChannelBitmap:
      return labels(ofBitmap: layout.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    default: return labels(ofTag: tag)
    }
  }

  /// The labels of a layout of whatever length it says it has.
  package static func labels(of layout: UnsafePointer<AudioChannelLayout>) -> [AudioChannelLabel]? {
    labels(of: UnsafeRawPointer(layout), size: size(of: layout))
  }

  /// The channels of a layout of at most `size` bytes; nil where it contradicts itself. A tag that is not in the table
  /// still says in its low half how many channels it has.
  package static func channelCount(of layout: UnsafeRawPointer, size: Int) -> Int? {
    guard size >= headerSize else { return nil }
    let tag = layout.loadUnaligned(as: UInt32.self)
    if tag != ChannelNumbers.useChannelDescriptions, tag != ChannelNumbers.useChannelBitmap {
      return tag & 0xFFFF == 0 ? nil : Int(tag & 0xFFFF)
    }
    return labels(of: layout, size: size)?.count
  }

  /// The bytes of a layout, by the number of descriptions that it says it has.
  package static func size(of layout: UnsafePointer<AudioChannelLayout>) -> Int {
    let count = UnsafeRawPointer(layout).loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    return headerSize + Int(count) * descriptionSize
  }

  package static func tag(of labels: [AudioChannelLabel]) -> AudioChannelLayoutTag? { ChannelNumbers.tag(of: labels) }

  /// The tags of the table with so many channels.
  package static func tags(channelCount: UInt32) -> [AudioChannelLayoutTag] {
    table.map(\.tag).filter { $0 & 0xFFFF == channelCount }
  }

  /// The tags of the table.
  package static var allTags: [AudioChannelLayoutTag] { table.map(\.tag) }

  /// The bytes of an AudioChannelLayout that describes these channels one by one.
  package static func layout(of labels: [AudioChannelLabel]) -> [UInt8] {
    var words: [UInt32] = [ChannelNumbers.useChannelDescriptions, 0, UInt32(labels.count)]
    for label in labels { words += [label, 0, 0, 0, 0] }
    return words.flatMap(\.littleEndianBytes)
  }

  package static func plainLabel(_ label: AudioChannelLabel) -> AudioChannelLabel { ChannelNumbers.plainLabel(label) }

  /// The name of a tag, in this project's words; nil for a number that is not in the table.
  package static func name(ofTag tag: AudioChannelLayoutTag) -> String? { table.first { $0.tag == tag }?.name }
}
