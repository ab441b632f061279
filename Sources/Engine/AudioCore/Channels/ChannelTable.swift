/// The channels that have a label, and the layouts that have a tag: what the C interface, sound files and the command
/// line know of channels.
package struct ChannelTable: Sendable {
  package struct Layout: Sendable {
    package let tag: UInt32
    package let name: String
    /// The labels of its channels, in order.
    package let labels: [UInt32]
  }

  /// By label: the abbreviation, and the name in full.
  package private(set) var channels: [UInt32: (short: String, name: String)] = [:]
  package private(set) var layouts: [Layout] = []
  /// The first label of an abbreviation.
  private(set) var labels: [String: UInt32] = [:]

  package static let shared = ChannelTable(rows)

  private init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t")
      let isLayout = columns[0] == "layout"
      guard let number = UInt32(columns[1], radix: isLayout ? 16 : 10) else {
        preconditionFailure("no number: \(line)")
      }
      if isLayout {
        let channels = columns[3].split(separator: " ").compactMap { labels[String($0)] ?? UInt32($0) }
        precondition(channels.count == number & 0xFFFF, "a tag's low half counts its channels: \(line)")
        layouts.append(Layout(tag: number, name: String(columns[2]), labels: channels))
      } else {
        channels[number] = (String(columns[2]), String(columns[3]))
        if labels[String(columns[2])] == nil { labels[String(columns[2])] = number }
      }
    }
  }
}

/// Labels and tags that are made of a number.
package enum ChannelNumbers {
  /// With a count in the low half: channels without a meaning, numbered.
  package static let discreteInOrder: UInt32 = 0x0093_0000
  /// With a count in the low half: ambisonics of higher orders, channels by their number (ACN).
  package static let ambisonicSN3D: UInt32 = 0x00BE_0000
  package static let ambisonicN3D: UInt32 = 0x00BF_0000
  /// Channel n of those is this with n in the low half.
  package static let ambisonicLabel: UInt32 = 0x0002_0000
  /// With a count in the low half: nothing is known.
  package static let unknownTag: UInt32 = 0xFFFF_0000
  /// Discrete channel n is this with n in the low half.
  package static let discreteLabel: UInt32 = 0x0001_0000
  package static let unknownLabel: UInt32 = 0xFFFF_FFFF
  /// The layout says by a list of descriptions what its channels are.
  package static let useChannelDescriptions: UInt32 = 0
  /// The layout says by bits 0...17 which of the labels 1...18 it has, in that order.
  package static let useChannelBitmap: UInt32 = 0x0001_0000
  /// Bits that a bitmap may have; those of a WAVE header are the same.
  package static let bitmapMask: UInt32 = 0x3FFFF

  /// The labels of a tag's channels, in order; nil for a number that is no tag, and for the two that send the reader on
  /// to the descriptions or the bitmap.
  package static func labels(ofTag tag: UInt32) -> [UInt32]? {
    let count = tag & 0xFFFF
    return switch tag & 0xFFFF_0000 {
    case discreteInOrder where count > 0: (0..<count).map { discreteLabel | $0 }
    case ambisonicSN3D where count > 0, ambisonicN3D where count > 0: (0..<count).map { ambisonicLabel | $0 }
    case unknownTag where count > 0: Array(repeating: unknownLabel, count: Int(count))
    default: ChannelTable.shared.layouts.first { $0.tag == tag }?.labels
    }
  }

  /// The first tag for these channels in this order: a tag of the table, or discrete channels.
  package static func tag(of labels: [UInt32]) -> UInt32? {
    let wanted = labels.map(plainLabel)
    if let row = ChannelTable.shared.layouts.first(where: { $0.labels.map(plainLabel) == wanted }) { return row.tag }
    let isDiscrete = labels.enumerated().allSatisfy { $1 == discreteLabel | UInt32($0) }
    return isDiscrete && !labels.isEmpty ? discreteInOrder | UInt32(labels.count) : nil
  }

  /// The labels of a bitmap, in order.
  package static func labels(ofBitmap bitmap: UInt32) -> [UInt32] {
    (0..<18).filter { bitmap & (1 << $0) != 0 }.map { $0 + 1 }
  }

  /// The bitmap of these channels in this order; nil if there is none.
  package static func bitmap(of labels: [UInt32]) -> UInt32? {
    guard let last = labels.last, last <= 18, !labels.contains(0),
      zip(labels, labels.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    return labels.reduce(0) { $0 | 1 << ($1 - 1) }
  }

  /// One name for each of the places that has several: mono is the centre, left and right are so on headphones too.
  package static func plainLabel(_ label: UInt32) -> UInt32 {
    switch label {
    case 42: 3
    case 208, 301: 1
    case 209, 302: 2
    default: label
    }
  }
}
