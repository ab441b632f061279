// The channels of layouts: queries of AudioFormat, the converter and the units to `channel-layouts.tsv`. Any thread.
// The layouts are those of the SDK's header.

import AudioCore
import CAudioToolbox
import SoundFile

/// The channels of a tag, a bitmap or an AudioChannelLayout.
package enum ChannelLayouts {
  /// The layout says by a list of descriptions what its channels are.
  package static let useChannelDescriptions: UInt32 = 0
  /// The layout says by bits 0...17 which of the labels 1...18 it has, in that order.
  package static let useChannelBitmap: UInt32 = 0x0001_0000
  /// With a count in the low half: channels without a meaning, numbered.
  package static let discreteInOrder: UInt32 = 0x0093_0000
  /// With a count in the low half: ambisonics of higher orders, channels by their number (ACN).
  static let ambisonicSN3D: UInt32 = 0x00BE_0000
  static let ambisonicN3D: UInt32 = 0x00BF_0000
  /// Channel n of those is this with n in the low half.
  static let ambisonicLabel: UInt32 = 0x0002_0000
  /// With a count in the low half: nothing is known.
  package static let unknownTag: UInt32 = 0xFFFF_0000
  /// Discrete channel n is this with n in the low half.
  package static let discreteLabel: UInt32 = 0x0001_0000
  package static let unknownLabel: UInt32 = 0xFFFF_FFFF
  /// Bits that a bitmap may have.
  static let bitmapMask: UInt32 = 0x3FFFF
  /// Bytes before the descriptions of an AudioChannelLayout, and of each.
  static let headerSize = 12
  static let descriptionSize = 20

  private static var table: [ChannelTable.Layout] { ChannelTable.shared.layouts }

  /// The labels of a tag's channels, in order; nil for a number that is no tag, and for the two that send the reader on
  /// to the descriptions or the bitmap.
  package static func labels(ofTag tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
    let count = tag & 0xFFFF
    switch tag & 0xFFFF_0000 {
    case discreteInOrder where count > 0: return (0..<count).map { discreteLabel | $0 }
    case ambisonicSN3D where count > 0, ambisonicN3D where count > 0: return (0..<count).map { ambisonicLabel | $0 }
    case unknownTag where count > 0: return Array(repeating: unknownLabel, count: Int(count))
    default: return table.first { $0.tag == tag }?.labels
    }
  }

  /// The labels of a bitmap, in order; nil where it is empty or has bits without a meaning.
  package static func labels(ofBitmap bitmap: UInt32) -> [AudioChannelLabel]? {
    guard bitmap != 0, bitmap & ~bitmapMask == 0 else { return nil }
    return (0..<18).filter { bitmap & (1 << $0) != 0 }.map { $0 + 1 }
  }

  /// The bitmap of these channels in this order; nil if there is none.
  static func bitmap(of labels: [AudioChannelLabel]) -> UInt32? {
    guard let last = labels.last, last <= 18, !labels.contains(0),
      zip(labels, labels.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    return labels.reduce(0) { $0 | 1 << ($1 - 1) }
  }

  /// The labels of a layout's channels; nil where it contradicts itself.
  ///
  /// - Parameter size: the bytes that are there; a layout that says it is longer gives nil.
  package static func labels(of layout: UnsafeRawPointer, size: Int) -> [AudioChannelLabel]? {
    guard size >= headerSize else { return nil }
    let tag = layout.loadUnaligned(as: UInt32.self)
    switch tag {
    case useChannelDescriptions:
      let count = Int(layout.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      guard count > 0, count <= (size - headerSize) / descriptionSize else { return nil }
      return (0..<count).map {
        layout.loadUnaligned(fromByteOffset: headerSize + $0 * descriptionSize, as: UInt32.self)
      }
    case useChannelBitmap: return labels(ofBitmap: layout.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    default: return labels(ofTag: tag)
    }
  }

  /// The labels of a layout of whatever length it says it has.
  package static func labels(of layout: UnsafePointer<AudioChannelLayout>) -> [AudioChannelLabel]? {
    labels(of: UnsafeRawPointer(layout), size: size(of: layout))
  }

  /// The channels of a layout; nil where it contradicts itself.
  package static func channelCount(of layout: UnsafePointer<AudioChannelLayout>) -> Int? {
    channelCount(of: UnsafeRawPointer(layout), size: size(of: layout))
  }

  /// The channels of a layout of at most `size` bytes; nil where it contradicts itself. A tag that is not in the table
  /// still says in its low half how many channels it has.
  static func channelCount(of layout: UnsafeRawPointer, size: Int) -> Int? {
    guard size >= headerSize else { return nil }
    let tag = layout.loadUnaligned(as: UInt32.self)
    if tag != useChannelDescriptions, tag != useChannelBitmap { return tag & 0xFFFF == 0 ? nil : Int(tag & 0xFFFF) }
    return labels(of: layout, size: size)?.count
  }

  /// The bytes of a layout, by the number of descriptions that it says it has.
  package static func size(of layout: UnsafePointer<AudioChannelLayout>) -> Int {
    let count = UnsafeRawPointer(layout).loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    return headerSize + Int(count) * descriptionSize
  }

  /// The first tag for these channels in this order: a tag of the table, or discrete channels.
  package static func tag(of labels: [AudioChannelLabel]) -> AudioChannelLayoutTag? {
    let wanted = labels.map(plainLabel)
    if let row = table.first(where: { $0.labels.map(plainLabel) == wanted }) { return row.tag }
    let isDiscrete = labels.enumerated().allSatisfy { $1 == discreteLabel | UInt32($0) }
    return isDiscrete && !labels.isEmpty ? discreteInOrder | UInt32(labels.count) : nil
  }

  /// The tags of the table with so many channels.
  static func tags(channelCount: UInt32) -> [AudioChannelLayoutTag] {
    table.map(\.tag).filter { $0 & 0xFFFF == channelCount }
  }

  /// The tags of the table.
  static var allTags: [AudioChannelLayoutTag] { table.map(\.tag) }

  /// The bytes of an AudioChannelLayout that describes these channels one by one.
  package static func layout(of labels: [AudioChannelLabel]) -> [UInt8] {
    var words: [UInt32] = [useChannelDescriptions, 0, UInt32(labels.count)]
    for label in labels { words += [label, 0, 0, 0, 0] }
    return words.flatMap(\.littleEndianBytes)
  }

  /// One name for each of the places that has several: mono is the centre, left and right are so on headphones too.
  static func plainLabel(_ label: AudioChannelLabel) -> AudioChannelLabel {
    switch label {
    case 42: 3
    case 208, 301: 1
    case 209, 302: 2
    default: label
    }
  }

  /// The name of a tag, in this project's words; nil for a number that is not in the table.
  static func name(ofTag tag: AudioChannelLayoutTag) -> String? { table.first { $0.tag == tag }?.name }
}
