// The channel layouts that have a number, and what each channel of them is. The one table that AudioFormat, the
// converter and the units read. Any thread.
// The layouts are those of the SDK's header; the order of the cube's corners is this project's.

import AudioCore
import CAudioToolbox
import SoundFile

/// Questions about channel layouts: which channels a tag, a bitmap or an AudioChannelLayout stands for.
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

  /// The labels of a tag's channels, in order; nil for a number that is no tag, and for the two that send the reader on
  /// to the descriptions or the bitmap.
  package static func labels(ofTag tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
    let count = tag & 0xFFFF
    switch tag & 0xFFFF_0000 {
    case discreteInOrder where count > 0: return (0..<count).map { discreteLabel | $0 }
    case ambisonicSN3D where count > 0, ambisonicN3D where count > 0: return (0..<count).map { ambisonicLabel | $0 }
    case unknownTag where count > 0: return Array(repeating: unknownLabel, count: Int(count))
    default: return table.first { $0.tag == tag }?.labels.map(\.rawValue)
    }
  }

  /// The labels of a bitmap, in order; nil where it is empty or has bits without a meaning.
  package static func labels(ofBitmap bitmap: UInt32) -> [AudioChannelLabel]? {
    guard bitmap != 0, bitmap & ~bitmapMask == 0 else { return nil }
    return (0..<18).filter { bitmap & (1 << $0) != 0 }.map { $0 + 1 }
  }

  /// The bitmap that stands for these channels in this order; nil where there is none.
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
    if let row = table.first(where: { $0.labels.map { plainLabel($0.rawValue) } == wanted }) { return row.tag }
    let isDiscrete = labels.enumerated().allSatisfy { $1 == discreteLabel | UInt32($0) }
    return isDiscrete && !labels.isEmpty ? discreteInOrder | UInt32(labels.count) : nil
  }

  /// The tags of the table with so many channels.
  static func tags(channelCount: UInt32) -> [AudioChannelLayoutTag] {
    table.map(\.tag).filter { $0 & 0xFFFF == channelCount }
  }

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

  /// What a tag is called, in this project's words; nil for a number that is not in the table.
  static func name(ofTag tag: AudioChannelLayoutTag) -> String? { table.first { $0.tag == tag }?.name }

  /// A channel's label, by its usual abbreviation.
  private enum Label: UInt32 {
    case L = 1, R, C, LFE, Ls, Rs, Lc, Rc, Cs, Lsd, Rsd, Ts, Vhl, Vhc, Vhr, Tbl, Tbc, Tbr
    case Rls = 33, Rrs, Lw, Rw, LFE2, Lt, Rt
    case Csd = 44, Ltm = 49, Rtm = 51, Ltr, Ctr, Rtr
    case Lss = 55, Rss, Lb, Rb, Cb, Lts, Rts, LFE3, Lbs, Rbs, Leos, Reos
    case W = 200, X, Y, Z, mid, side, x, y
  }

  // Where several tags have the same channels, the first of them is the answer of `tag(of:)`.
  private static let table: [(tag: UInt32, name: String, labels: [Label])] = [
    (0x0064_0001, "Mono", [.C]),
    (0x0065_0002, "Stereo", [.L, .R]),
    (0x0066_0002, "Stereo headphones", [.L, .R]),
    (0x0067_0002, "Matrix stereo", [.Lt, .Rt]),
    (0x0068_0002, "Mid and side", [.mid, .side]),
    (0x0069_0002, "Coincident pair", [.x, .y]),
    (0x006A_0002, "Binaural", [.L, .R]),
    (0x006B_0004, "Ambisonic B-format", [.W, .X, .Y, .Z]),
    (0x006C_0004, "Quadraphonic", [.L, .R, .Ls, .Rs]),
    (0x006D_0005, "Pentagonal", [.L, .R, .Ls, .Rs, .C]),
    (0x006E_0006, "Hexagonal", [.L, .R, .Ls, .Rs, .C, .Cs]),
    (0x006F_0008, "Octagonal", [.L, .R, .Ls, .Rs, .C, .Cs, .Lw, .Rw]),
    (0x0070_0008, "Cube", [.L, .R, .Rls, .Rrs, .Vhl, .Vhr, .Tbl, .Tbr]),
    (0x0071_0003, "3.0", [.L, .R, .C]),
    (0x0072_0003, "3.0, centre first", [.C, .L, .R]),
    (0x0073_0004, "4.0", [.L, .R, .C, .Cs]),
    (0x0074_0004, "4.0, centre first", [.C, .L, .R, .Cs]),
    (0x0075_0005, "5.0", [.L, .R, .C, .Ls, .Rs]),
    (0x0076_0005, "5.0, centre last", [.L, .R, .Ls, .Rs, .C]),
    (0x0077_0005, "5.0, left centre right", [.L, .C, .R, .Ls, .Rs]),
    (0x0078_0005, "5.0, centre first", [.C, .L, .R, .Ls, .Rs]),
    (0x0079_0006, "5.1", [.L, .R, .C, .LFE, .Ls, .Rs]),
    (0x007A_0006, "5.1, centre and effects last", [.L, .R, .Ls, .Rs, .C, .LFE]),
    (0x007B_0006, "5.1, left centre right", [.L, .C, .R, .Ls, .Rs, .LFE]),
    (0x007C_0006, "5.1, centre first", [.C, .L, .R, .Ls, .Rs, .LFE]),
    (0x007D_0007, "6.1", [.L, .R, .C, .LFE, .Ls, .Rs, .Cs]),
    (0x007E_0008, "7.1, five in front", [.L, .R, .C, .LFE, .Ls, .Rs, .Lc, .Rc]),
    (0x007F_0008, "7.1, five in front, centre first", [.C, .Lc, .Rc, .L, .R, .Ls, .Rs, .LFE]),
    (0x0080_0008, "7.1", [.L, .R, .C, .LFE, .Ls, .Rs, .Rls, .Rrs]),
    (0x0081_0008, "7.1, five in front, surround before centre", [.L, .R, .Ls, .Rs, .C, .LFE, .Lc, .Rc]),
    (0x0082_0008, "5.1 and matrix stereo", [.L, .R, .C, .LFE, .Ls, .Rs, .Lt, .Rt]),
    (0x0083_0003, "3.0, one surround", [.L, .R, .Cs]),
    (0x0084_0004, "4.0, two surrounds", [.L, .R, .Ls, .Rs]),
    (0x0085_0003, "2.1", [.L, .R, .LFE]),
    (0x0086_0004, "3.1, one surround", [.L, .R, .LFE, .Cs]),
    (0x0087_0005, "4.1, two surrounds", [.L, .R, .LFE, .Ls, .Rs]),
    (0x0088_0004, "3.1", [.L, .R, .C, .LFE]),
    (0x0089_0005, "4.1", [.L, .R, .C, .LFE, .Cs]),
    (0x008A_0005, "4.1, two surrounds, effects last", [.L, .R, .Ls, .Rs, .LFE]),
    (0x008B_0006, "6.0", [.L, .R, .Ls, .Rs, .C, .Cs]),
    (0x008C_0007, "7.0", [.L, .R, .Ls, .Rs, .C, .Rls, .Rrs]),
    (0x0094_0007, "7.0, five in front", [.L, .R, .Ls, .Rs, .C, .Lc, .Rc]),
    (0x00B9_0004, "4.0, two rear", [.L, .R, .Rls, .Rrs]),
    (0x00BA_0005, "5.0, two rear", [.L, .R, .C, .Rls, .Rrs]),
    (0x00BB_0006, "5.1, two rear", [.L, .R, .C, .LFE, .Rls, .Rrs]),
    (0x00BC_0007, "6.1, one rear before the sides", [.L, .R, .C, .LFE, .Cs, .Ls, .Rs]),
    (0x00BD_0008, "7.1, rear before the sides", [.L, .R, .C, .LFE, .Rls, .Rrs, .Ls, .Rs]),
    (0x008D_0006, "6.0 of AAC", [.C, .L, .R, .Ls, .Rs, .Cs]),
    (0x008E_0007, "6.1 of AAC", [.C, .L, .R, .Ls, .Rs, .Cs, .LFE]),
    (0x008F_0007, "7.0 of AAC", [.C, .L, .R, .Ls, .Rs, .Rls, .Rrs]),
    (0x0090_0008, "7.0 of AAC, octagonal", [.C, .L, .R, .Ls, .Rs, .Rls, .Rrs, .Cs]),
    (
      0x0091_0010, "10.2",
      [.L, .R, .C, .Vhc, .Lsd, .Rsd, .Ls, .Rs, .Vhl, .Vhr, .Lw, .Rw, .Csd, .Cs, .LFE, .LFE2]
    ),
    (0x0095_0002, "1.0.1 of AC-3", [.C, .LFE]),
    (0x0096_0003, "3.0 of AC-3", [.L, .C, .R]),
    (0x0097_0004, "3.1 of AC-3, one surround", [.L, .C, .R, .Cs]),
    (0x0098_0004, "3.0.1 of AC-3", [.L, .C, .R, .LFE]),
    (0x0099_0004, "2.1.1 of AC-3", [.L, .R, .Cs, .LFE]),
    (0x009A_0005, "3.1.1 of AC-3", [.L, .C, .R, .Cs, .LFE]),
    (0x009B_0006, "6.0 of E-AC-3", [.L, .C, .R, .Ls, .Rs, .Cs]),
    (0x009C_0007, "7.0 of E-AC-3", [.L, .C, .R, .Ls, .Rs, .Rls, .Rrs]),
    (0x009D_0007, "6.1 of E-AC-3, centre surround", [.L, .C, .R, .Ls, .Rs, .LFE, .Cs]),
    (0x009E_0007, "6.1 of E-AC-3, top", [.L, .C, .R, .Ls, .Rs, .LFE, .Ts]),
    (0x009F_0007, "6.1 of E-AC-3, high centre", [.L, .C, .R, .Ls, .Rs, .LFE, .Vhc]),
    (0x00A0_0008, "7.1 of E-AC-3, rear", [.L, .C, .R, .Ls, .Rs, .LFE, .Rls, .Rrs]),
    (0x00A1_0008, "7.1 of E-AC-3, five in front", [.L, .C, .R, .Ls, .Rs, .LFE, .Lc, .Rc]),
    (0x00A2_0008, "7.1 of E-AC-3, direct surrounds", [.L, .C, .R, .Ls, .Rs, .LFE, .Lsd, .Rsd]),
    (0x00A3_0008, "7.1 of E-AC-3, wide", [.L, .C, .R, .Ls, .Rs, .LFE, .Lw, .Rw]),
    (0x00A4_0008, "7.1 of E-AC-3, high", [.L, .C, .R, .Ls, .Rs, .LFE, .Vhl, .Vhr]),
    (0x00A5_0008, "7.1 of E-AC-3, centre surround and top", [.L, .C, .R, .Ls, .Rs, .LFE, .Cs, .Ts]),
    (0x00A6_0008, "7.1 of E-AC-3, centre surround and high centre", [.L, .C, .R, .Ls, .Rs, .LFE, .Cs, .Vhc]),
    (0x00A7_0008, "7.1 of E-AC-3, top and high centre", [.L, .C, .R, .Ls, .Rs, .LFE, .Ts, .Vhc]),
    (0x00A8_0004, "3.1 of DTS", [.C, .L, .R, .LFE]),
    (0x00A9_0005, "4.1 of DTS", [.C, .L, .R, .Cs, .LFE]),
    (0x00AA_0006, "6.0 of DTS, four in front", [.Lc, .Rc, .L, .R, .Ls, .Rs]),
    (0x00AB_0006, "6.0 of DTS, top", [.C, .L, .R, .Rls, .Rrs, .Ts]),
    (0x00AC_0006, "6.0 of DTS, centre surround", [.C, .Cs, .L, .R, .Rls, .Rrs]),
    (0x00AD_0007, "6.1 of DTS, four in front", [.Lc, .Rc, .L, .R, .Ls, .Rs, .LFE]),
    (0x00AE_0007, "6.1 of DTS, top", [.C, .L, .R, .Rls, .Rrs, .Ts, .LFE]),
    (0x00AF_0007, "6.1 of DTS, centre surround", [.C, .Cs, .L, .R, .Rls, .Rrs, .LFE]),
    (0x00B0_0007, "7.0 of DTS", [.Lc, .C, .Rc, .L, .R, .Ls, .Rs]),
    (0x00B1_0008, "7.1 of DTS", [.Lc, .C, .Rc, .L, .R, .Ls, .Rs, .LFE]),
    (0x00B2_0008, "8.0 of DTS, four in front", [.Lc, .Rc, .L, .R, .Ls, .Rs, .Rls, .Rrs]),
    (0x00B3_0008, "8.0 of DTS, centre surround", [.Lc, .C, .Rc, .L, .R, .Ls, .Cs, .Rs]),
    (0x00B4_0009, "8.1 of DTS, four in front", [.Lc, .Rc, .L, .R, .Ls, .Rs, .Rls, .Rrs, .LFE]),
    (0x00B5_0009, "8.1 of DTS, centre surround", [.Lc, .C, .Rc, .L, .R, .Ls, .Cs, .Rs, .LFE]),
    (0x00B6_0007, "6.1 of DTS, centre first", [.C, .L, .R, .Ls, .Rs, .LFE, .Cs]),
    (0x00B7_0008, "7.1 of AAC, rear", [.C, .L, .R, .Ls, .Rs, .Rls, .Rrs, .LFE]),
    (0x00B8_0008, "7.1 of AAC, high", [.C, .L, .R, .Ls, .Rs, .LFE, .Vhl, .Vhr]),
    (0x00C0_000C, "7.1.4", [.L, .R, .C, .LFE, .Ls, .Rs, .Rls, .Rrs, .Vhl, .Vhr, .Ltr, .Rtr]),
    (0x00C1_0010, "9.1.6", [.L, .R, .C, .LFE, .Ls, .Rs, .Rls, .Rrs, .Lw, .Rw, .Vhl, .Vhr, .Ltm, .Rtm, .Ltr, .Rtr]),
    (0x00C2_0008, "5.1.2", [.L, .R, .C, .LFE, .Ls, .Rs, .Ltm, .Rtm]),
    (0x00C3_000A, "5.1.4", [.L, .R, .C, .LFE, .Ls, .Rs, .Vhl, .Vhr, .Ltr, .Rtr]),
    (0x00C4_000A, "7.1.2", [.L, .R, .C, .LFE, .Ls, .Rs, .Rls, .Rrs, .Ltm, .Rtm]),
    (0x00C5_0004, "4.0, centre last", [.L, .R, .Cs, .C]),
    (0x00C6_0006, "6.0, centre last", [.L, .R, .Ls, .Rs, .Cs, .C]),
    (0x00C7_0007, "6.1, centre and effects last", [.L, .R, .Ls, .Rs, .Cs, .C, .LFE]),
    (0x00C8_0007, "6.1, left centre right", [.L, .C, .R, .Ls, .Cs, .Rs, .LFE]),
    (0x00C9_0008, "7.1, centre and effects last", [.L, .R, .Ls, .Rs, .Rls, .Rrs, .C, .LFE]),
    (0x00CA_000C, "7.1.4, rear before the sides", [.L, .R, .Rls, .Rrs, .Ls, .Rs, .C, .LFE, .Vhl, .Vhr, .Ltr, .Rtr]),
    (0x00CB_000E, "7.1.6", [.L, .R, .Rls, .Rrs, .Ls, .Rs, .C, .LFE, .Vhl, .Vhr, .Ltm, .Rtm, .Ltr, .Rtr]),
    (
      0x00CC_0018, "22.2",
      [
        .Lc, .Rc, .C, .LFE2, .Rls, .Rrs, .L, .R, .Cs, .LFE3, .Lss, .Rss,
        .Vhl, .Vhr, .Vhc, .Ts, .Ltr, .Rtr, .Ltm, .Rtm, .Ctr, .Cb, .Lb, .Rb,
      ]
    ),
    (0x00CD_0008, "5.1, two high", [.L, .R, .C, .LFE, .Ls, .Rs, .Vhl, .Vhr]),
    (0x00CE_000C, "10.2, two effects channels", [.L, .R, .C, .LFE2, .Rls, .Rrs, .LFE3, .Lss, .Rss, .Vhl, .Vhr, .Ctr]),
    (0x00CF_000A, "5.1, four high", [.L, .R, .C, .LFE, .Ls, .Rs, .Vhl, .Vhr, .Lts, .Rts]),
    (0x00D0_000C, "5.1, six high", [.L, .R, .C, .LFE, .Ls, .Rs, .Vhl, .Vhr, .Vhc, .Lts, .Rts, .Ts]),
    (0x00D1_000E, "7.1, six high", [.L, .R, .C, .LFE, .Ls, .Rs, .Lbs, .Rbs, .Vhl, .Vhr, .Vhc, .Lts, .Rts, .Ts]),
    (0x00D2_000C, "7.1, four high", [.L, .R, .C, .LFE, .Rls, .Rrs, .Lss, .Rss, .Vhl, .Vhr, .Ltr, .Rtr]),
    (
      0x00D3_000E, "7.1, four high, screen edges",
      [.L, .R, .C, .LFE, .Rls, .Rrs, .Lss, .Rss, .Vhl, .Vhr, .Ltr, .Rtr, .Leos, .Reos]
    ),
    (0x00D4_0005, "5.0 of Ogg", [.L, .C, .R, .Rls, .Rrs]),
    (0x00D5_0006, "5.1 of Ogg", [.L, .C, .R, .Rls, .Rrs, .LFE]),
    (0x00D6_0007, "6.1 of Ogg", [.L, .C, .R, .Ls, .Rs, .Cs, .LFE]),
    (0x00D7_0008, "7.1 of Ogg", [.L, .C, .R, .Ls, .Rs, .Rls, .Rrs, .LFE]),
    (0x00D8_0005, "5.0, two rear, centre last", [.L, .R, .Rls, .Rrs, .C]),
    (0x00D9_0006, "5.1, two rear, centre and effects last", [.L, .R, .Rls, .Rrs, .C, .LFE]),
    (0x00DA_0007, "6.1, centre before centre surround", [.L, .R, .Ls, .Rs, .C, .Cs, .LFE]),
    (0x00DB_0008, "7.1, rear before the sides, effects last", [.L, .R, .Rls, .Rrs, .Ls, .Rs, .C, .LFE]),
  ]
}
