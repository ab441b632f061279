// The names of layouts, as FFmpeg, SoX and people say them: `5.1`, `5.1(side)`, `quad`, `L R C LFE`, `0x3F`.

extension ChannelLayout {
  /// The layouts that have a name of their own, with the names that mean the same. The order is that of a WAVE file.
  private static let named: [(name: String, others: [String], labels: [UInt32])] = [
    ("mono", ["1.0"], [42]), ("stereo", ["2.0"], [1, 2]), ("downmix", ["lt/rt", "dolby surround"], [38, 39]),
    ("2.1", [], [1, 2, 4]), ("3.0", ["lcr", "3.0(front)"], [1, 2, 3]), ("3.0(back)", [], [1, 2, 9]),
    ("3.1", [], [1, 2, 3, 4]), ("4.0", ["surround"], [1, 2, 3, 9]),
    ("quad", ["quadraphonic", "quadro", "2.2", "4.0(quad)"], [1, 2, 5, 6]), ("quad(side)", [], [1, 2, 10, 11]),
    ("4.1", [], [1, 2, 3, 4, 9]), ("5.0", ["5.0(back)"], [1, 2, 3, 5, 6]), ("5.0(side)", [], [1, 2, 3, 10, 11]),
    ("5.1", ["5.1(back)", "5.1(rear)"], [1, 2, 3, 4, 5, 6]), ("5.1(side)", [], [1, 2, 3, 4, 10, 11]),
    ("6.0", [], [1, 2, 3, 9, 10, 11]), ("6.0(front)", [], [1, 2, 7, 8, 10, 11]),
    ("hexagonal", [], [1, 2, 3, 5, 6, 9]), ("6.1", [], [1, 2, 3, 4, 9, 10, 11]),
    ("6.1(back)", [], [1, 2, 3, 4, 5, 6, 9]), ("6.1(front)", [], [1, 2, 4, 7, 8, 10, 11]),
    ("7.0", [], [1, 2, 3, 5, 6, 10, 11]), ("7.0(front)", [], [1, 2, 3, 7, 8, 10, 11]),
    ("7.1", [], [1, 2, 3, 4, 5, 6, 10, 11]), ("7.1(wide)", ["7.1(front)"], [1, 2, 3, 4, 5, 6, 7, 8]),
    ("7.1(wide-side)", [], [1, 2, 3, 4, 7, 8, 10, 11]), ("octagonal", [], [1, 2, 3, 5, 6, 9, 10, 11]),
    ("5.1.2", [], [1, 2, 3, 4, 5, 6, 49, 51]), ("5.1.4", [], [1, 2, 3, 4, 5, 6, 13, 15, 52, 54]),
    ("7.1.2", [], [1, 2, 3, 4, 5, 6, 10, 11, 49, 51]),
    ("7.1.4", [], [1, 2, 3, 4, 5, 6, 10, 11, 13, 15, 52, 54]),
    ("9.1.6", [], [1, 2, 3, 4, 5, 6, 33, 34, 35, 36, 13, 15, 49, 51, 52, 54]),
    ("22.2", [], ChannelNumbers.labels(ofTag: 0x00CC_0018) ?? []),
  ]

  /// The abbreviations of FFmpeg and WAVE that the table does not have.
  private static let abbreviations: [String: UInt32] = [
    "FL": 1, "FR": 2, "FC": 3, "LF": 4, "SUB": 4, "BL": 5, "BR": 6, "RL": 5, "RR": 6, "FLC": 7, "FRC": 8, "BC": 9,
    "RC": 9, "S": 9, "SL": 10, "SR": 11, "TC": 12, "TFL": 13, "TFC": 14, "TFR": 15, "TBL": 16, "TBC": 17, "TBR": 18,
    "DL": 38, "DR": 39, "WL": 35, "WR": 36, "TSL": 49, "TSR": 51, "BFC": 59, "BFL": 57, "BFR": 58, "LFE1": 4,
  ]

  /// Names that can be written for a layout: for help texts and errors.
  public static var names: [String] { named.map(\.name) }

  /// The layout that a name, a list of channels or a number means.
  ///
  /// - Parameter text: a name (`5.1`, `7.1(wide)`, `quad`), channels with commas, plus signs or blanks between them
  ///   (`L,R,C,LFE`, `FL+FR+LFE`), the mask of a WAVE header or the tag of a Core Audio layout in hexadecimal (`0x3F`).
  /// - Throws: `.usage` for a name that is not known, with those that are like it.
  public init(name text: String) throws(BenchError) {
    let wanted = text.lowercased().filter { $0 != " " }
    func matches(_ name: String) -> Bool { name.filter { $0 != " " } == wanted }
    if let row = Self.named.first(where: { matches($0.name) || $0.others.contains(where: matches) }) {
      self.init(known: row.labels)
      return
    }
    if wanted.hasPrefix("0x"), let number = UInt32(wanted.dropFirst(2), radix: 16) {
      let labels =
        number & ~ChannelNumbers.bitmapMask == 0
        ? ChannelNumbers.labels(ofBitmap: number)
        : (1...1024).contains(number & 0xFFFF) ? ChannelNumbers.labels(ofTag: number) : nil
      guard let layout = labels.flatMap(ChannelLayout.init(labels:)) else {
        throw BenchError(
          .usage, "\"\(text)\" is neither the mask of a WAVE header nor the tag of a layout",
          advice: "a mask has bits up to 0x3FFFF: 0x3F is 5.1")
      }
      self = layout
      return
    }
    if let layout = Self.layout(ofList: text) {
      self = layout
      return
    }
    let near = nearest(to: text, in: Self.names)
    let known = (near.isEmpty ? Self.names : near).joined(separator: ", ")
    throw BenchError(
      .usage, "there is no channel layout \"\(text)\"",
      advice: "\(near.isEmpty ? "the names are" : "did you mean") \(known)\(near.isEmpty ? "" : "?")"
        + " Channels can be listed too: L,R,C,LFE")
  }

  /// Channels by their abbreviations; nil where one of them is none, or comes twice.
  private static func layout(ofList text: String) -> ChannelLayout? {
    let parts = text.split { ",+ |".contains($0) }
    guard !parts.isEmpty, parts.count <= 64 else { return nil }
    var labels: [UInt32] = []
    for part in parts {
      let upper = part.uppercased()
      guard
        // `Rc`, as layouts are printed, is right of centre, and `RC` the rear centre of FFmpeg.
        let label = ChannelTable.shared.labels[String(part)].flatMap({ $0 > 0 ? $0 : nil }) ?? abbreviations[upper]
          ?? ChannelTable.shared.labels.first(where: { $0.key.uppercased() == upper && $0.value > 0 })?.value,
        !labels.contains(label)
      else { return nil }
      labels.append(label)
    }
    return ChannelLayout(labels: labels)
  }

  /// The name of the layout; nil where its channels, in this order, have none.
  public var name: String? {
    let positions = positions
    return Self.named.first { ChannelLayout(known: $0.labels).positions == positions }?.name
  }

  /// The channels in few letters: `L R C LFE Ls Rs`.
  public var channelNames: [String] {
    labels.map { label in
      if let known = ChannelTable.shared.channels[label] { return known.short }
      return Self.isWithoutPosition(label) && label != ChannelNumbers.unknownLabel ? String((label & 0xFFFF) + 1) : "?"
    }
  }

  /// The channels in full: `left`, `right`, `low frequency effects`.
  package var fullNames: [String] {
    zip(labels, channelNames).map { ChannelTable.shared.channels[$0]?.name.lowercased() ?? $1 }
  }
}

extension ChannelLayout: CustomStringConvertible {
  /// `5.1`; where the order is another, `5.1 as C L R Ls Rs LFE`; without a name, the channels.
  public var description: String {
    if let name { return name }
    let list = channelNames.joined(separator: " ")
    let own = Set(positions)
    let same =
      own.count == labels.count
      ? Self.named.first { Set(ChannelLayout(known: $0.labels).positions) == own } : nil
    return same.map { "\($0.name) as \(list)" } ?? list
  }
}

extension ChannelLayout {
  /// The layout in words; nil for mono and stereo, which their number of channels says.
  package var shown: String? {
    ChannelLayout(channelCount: channelCount)?.isSame(as: self) ?? false ? nil : description
  }
}
