/// The meaning of a stream's channels: a label for each, in the order in which they lie.
///
/// Labels have the numbers of CoreAudioBaseTypes.h, of which 1 to 18 are also the bits 0 to 17 of a WAVE header's mask.
/// Two layouts are equal where they have the same labels in the same order; ``positions`` are the loudspeakers meant,
/// as the same loudspeaker may have several labels.
public struct ChannelLayout: Hashable, Sendable {
  /// A label for each channel, at least one.
  public let labels: [UInt32]

  /// - Parameter labels: 1 to 1024; nil: fewer or more than that.
  public init?(labels: [UInt32]) {
    guard StreamFormat.channelCountRange.contains(labels.count) else { return nil }
    self.labels = labels
  }

  init(known labels: [UInt32]) { self.labels = labels }

  /// One channel, heard from the centre.
  public static let mono = ChannelLayout(known: [42])
  /// Left and right.
  public static let stereo = ChannelLayout(known: [1, 2])

  /// Mono and stereo, which one and two channels are where nothing else is said; nil: more channels say nothing.
  public init?(channelCount: Int) {
    switch channelCount {
    case 1: self = .mono
    case 2: self = .stereo
    default: return nil
    }
  }

  /// The channels of a WAVE header's mask: the loudspeakers of its bits, from the lowest up, as many as there are
  /// channels; further channels have no position.
  /// - Returns: nil where no channel has a position.
  public init?(waveMask mask: UInt32, channelCount: Int) {
    guard StreamFormat.channelCountRange.contains(channelCount) else { return nil }
    let known = ChannelNumbers.labels(ofBitmap: mask & ChannelNumbers.bitmapMask).prefix(channelCount)
    guard !known.isEmpty else { return nil }
    labels = known + Array(repeating: ChannelNumbers.unknownLabel, count: channelCount - known.count)
  }

  /// The number of channels.
  public var channelCount: Int { labels.count }

  /// The loudspeaker of each channel, by the one label that stands for it, whatever label the channel has.
  ///
  /// A pair behind the listener is the surround pair where there is no other; where there is a pair at the sides too,
  /// the sides are the surround pair and the others the rear pair. So 5.1 has the same loudspeakers by any convention,
  /// and 7.1 too; 5.1 with the pair at the sides stays another than 5.1.
  public var positions: [UInt32] {
    let plain = labels.map(ChannelNumbers.plainLabel)
    func has(_ left: UInt32) -> Bool { plain.contains(left) || plain.contains(left + 1) }
    let side: UInt32? = has(10) ? 10 : has(55) ? 55 : nil
    var others: [UInt32: UInt32] = [:]
    func move(_ left: UInt32, to other: UInt32) { (others[left], others[left + 1]) = (other, other + 1) }
    switch (has(5), has(33), side) {
    case (true, false, let side?):
      move(5, to: 33)
      move(side, to: 5)
    case (false, true, let side?): move(side, to: 5)
    case (false, true, nil): move(33, to: 5)
    case (false, false, 55): move(55, to: 10)
    default: break
    }
    return plain.map { others[$0] ?? $0 }
  }

  /// True where the same loudspeakers lie in the same order.
  public func isSame(as other: ChannelLayout) -> Bool { positions == other.positions }

  /// True for low frequency effects.
  public static func isLowFrequency(_ label: UInt32) -> Bool { label == 4 || label == 37 || label == 62 }

  /// True for a channel of which only its number is known, if that.
  public static func isWithoutPosition(_ label: UInt32) -> Bool {
    label == ChannelNumbers.unknownLabel || label & 0xFFFF_0000 == ChannelNumbers.discreteLabel || label == 400
  }

  /// The weight of each channel in loudness (ITU-R BS.1770-4, table 4): none for low frequency effects, 1.41 for
  /// loudspeakers at ear height between 60° and 120° to either side, 1 for all others.
  public var loudnessWeights: [Double] {
    positions.map { position in
      switch position {
      case _ where Self.isLowFrequency(position): 0
      case 0: 0
      case 5, 6, 10, 11, 35, 36: 1.41
      default: 1
      }
    }
  }

  /// The layout with its channels in another order: `order[n]` is the channel that becomes number n.
  package func reordered(_ order: [Int]) -> ChannelLayout { ChannelLayout(known: order.map { labels[$0] }) }

  /// The channel of this layout for each channel of the other; nil where they have not the same loudspeakers, each once.
  package func order(as other: [UInt32]) -> [Int]? {
    let own = positions
    guard own.count == other.count, Set(own).count == own.count else { return nil }
    let order = other.compactMap(own.firstIndex)
    return order.count == own.count ? order : nil
  }
}

// The numbers by which headers say a layout.
extension ChannelLayout {
  /// The bits of a WAVE header, and the channel that becomes number n; nil where a loudspeaker has no bit, or two
  /// channels have the same.
  package var wavePlaces: (mask: UInt32, order: [Int])? {
    let positions = positions
    // A bit of its own for the rear pair leaves the sides to the surround pair.
    let hasRear = positions.contains(33) || positions.contains(34)
    var bits: [(bit: UInt32, channel: Int)] = []
    var rest: [Int] = []
    for (channel, position) in positions.enumerated() {
      if Self.isWithoutPosition(position) {
        rest.append(channel)
        continue
      }
      let label =
        switch position {
        case 33, 34: position - 28
        case 5 where hasRear, 6 where hasRear: position + 5
        default: position
        }
      guard (1...18).contains(label), !bits.contains(where: { $0.bit == label - 1 }) else { return nil }
      bits.append((label - 1, channel))
    }
    bits.sort { $0.bit < $1.bit }
    return (bits.reduce(0) { $0 | 1 << $1.bit }, bits.map(\.channel) + rest)
  }

  /// The layout of a `chan` or `CHAN` chunk; nil where it contradicts itself or says nothing.
  package init?(chunk bytes: [UInt8]) {
    func word(_ index: Int) -> UInt32 { bytes[(4 * index)..<(4 * index + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
    guard bytes.count >= 12 else { return nil }
    let labels: [UInt32]?
    switch word(0) {
    case ChannelNumbers.useChannelDescriptions:
      let count = Int(word(2))
      guard StreamFormat.channelCountRange.contains(count), bytes.count >= 12 + 20 * count else { return nil }
      labels = (0..<count).map { word(3 + 5 * $0) }
    case ChannelNumbers.useChannelBitmap: labels = ChannelNumbers.labels(ofBitmap: word(1))
    case let tag: labels = tag & 0xFFFF <= 1024 ? ChannelNumbers.labels(ofTag: tag) : nil
    }
    guard let labels, !labels.allSatisfy(Self.isWithoutPosition) else { return nil }
    self.init(labels: labels)
  }

  /// The contents of such a chunk: a bitmap, else a tag, else descriptions. FFmpeg takes the surrounds of tags for those
  /// at the sides.
  package var chunk: [UInt8] {
    var words: [UInt32]
    if labels.count > 2, let bitmap = ChannelNumbers.bitmap(of: labels) {
      words = [ChannelNumbers.useChannelBitmap, bitmap, 0]
    } else if let tag = ChannelNumbers.tag(of: labels) {
      words = [tag, 0, 0]
    } else if let bitmap = ChannelNumbers.bitmap(of: labels) {
      words = [ChannelNumbers.useChannelBitmap, bitmap, 0]
    } else {
      words = [ChannelNumbers.useChannelDescriptions, 0, UInt32(labels.count)] + labels.flatMap { [$0, 0, 0, 0, 0] }
    }
    return words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }
}
