// The one place that knows what containers say of channels: which order they have, and what cannot be said.
// Microsoft's WAVEFORMATEXTENSIBLE; RFC 9639, section 9.1.3 and 8.6.2 (FLAC); Vorbis I, section 4.3.9; RFC 7845,
// section 5.1.1.2 (Opus); Apple's Core Audio Format specification.

import AudioCore

/// The channels of a stream in a file: their order there, and what is said of them.
package struct ChannelPlacement: Hashable, Sendable {
  /// The channel of the stream that becomes number n of the file; nil: they stay as they are.
  package private(set) var order: [Int]?
  /// The layout that the file has then; nil: none.
  package private(set) var layout: ChannelLayout?
  /// The words about what the container does not say.
  package private(set) var remark: String?
  /// The mask of an extensible header; nil where the header is not extensible or keeps the mask that it has.
  private(set) var waveMask: UInt32?
  /// The contents of a `chan` or `CHAN` chunk.
  private(set) var chunk: [UInt8]?
  /// The mask in the comments of a FLAC file; nil where its number of channels says the same.
  package private(set) var flacMask: UInt32?

  /// Places the channels of a stream in a file of a format.
  /// - Parameter layout: the loudspeakers of the stream; nil: nothing is known.
  /// - Throws: `.usage` where the container would say another layout than the stream has.
  package init(
    _ layout: ChannelLayout?, channelCount: Int, in format: SoundFileFormat, at path: String
  ) throws(BenchError) {
    let usual = ChannelLayout(channelCount: channelCount)
    // One and two channels are mono and stereo wherever nothing else is said.
    let isUsual = usual.map { layout?.isSame(as: $0) ?? true } ?? false
    self.layout = layout ?? usual
    switch format.container {
    case .w64 where ![.pcmU8, .pcm16, .pcm24, .pcm32].contains(format.encoding):
      // libsndfile, and programs that read by it, take an extensible header of Wave64 for one of integers.
      break
    case .wav, .wavex, .rf64, .w64:
      if !isUsual, SoundFileFormat(container: .wavex, encoding: format.encoding).check(channelCount: channelCount) {
        place(layout, channelCount: channelCount) { $0.waveMask = $1 }
        return
      }
    case .caf where format.encoding.isALAC:
      if !isUsual, let fixed = Self.alacLayout(channelCount) {
        try place(layout, as: fixed, "caf file with \(format.encoding.rawValue)", path)
      }
      return
    case .caf, .aiff:
      if !isUsual { chunk = layout?.chunk }
      return
    case .flac:
      if !isUsual {
        place(layout, channelCount: channelCount) { placement, mask in
          // FFmpeg takes five and six channels without a mask for those with surrounds at the sides.
          let isClear = mask == Self.flacMasks[channelCount] && channelCount != 5 && channelCount != 6
          if !isClear { placement.flacMask = mask }
        }
      }
      return
    case .ogg, .opus:
      if !isUsual, let fixed = Self.oggLayout(channelCount) {
        try place(layout, as: fixed, "\(format.container.rawValue) file", path)
        return
      }
    default: break
    }
    guard !isUsual, let layout else { return }
    self.layout = usual
    remark =
      "its channel layout, \(layout), is not kept: \(Self.article(format)) has no place for it; wav, caf and flac have"
  }

  /// Orders by the bits of a mask.
  private mutating func place(
    _ layout: ChannelLayout?, channelCount: Int, _ set: (inout ChannelPlacement, UInt32) -> Void
  ) {
    guard let layout else { return set(&self, 0) }
    guard let places = layout.wavePlaces else {
      self.layout = ChannelLayout(channelCount: channelCount)
      remark = "its channel layout, \(layout), is not kept: a mask of loudspeakers cannot say it; caf and aiff can"
      return channelCount > 2 ? set(&self, 0) : ()
    }
    setOrder(places.order, of: layout)
    set(&self, places.mask)
  }

  /// Orders as the container has it for so many channels.
  private mutating func place(
    _ layout: ChannelLayout?, as fixed: ChannelLayout, _ name: String, _ path: String
  ) throws(BenchError) {
    let count = fixed.channelCount
    guard let layout else {
      self.layout = fixed
      remark =
        "its \(count) channels have no layout, and programs will take them for \(fixed): say what they are by --layout"
      return
    }
    if let order = layout.order(as: fixed.positions) { return setOrder(order, of: layout) }
    // The surround pair at the sides, where the container has it behind, and the other way round.
    let other = layout.withOtherSurrounds
    guard let order = other.order(as: fixed.positions) else {
      throw BenchError(
        .usage, at: path,
        "\(Self.article(name)) of \(count) channels has the layout \(fixed), and the sound has \(layout)",
        advice:
          "write it as pcm in wav, caf or flac, or convert it by --channels \(fixed.labels.count > 2 ? fixed.channelNames.joined(separator: ",") : fixed.description)"
      )
    }
    setOrder(order, of: fixed)
    self.layout = fixed
    remark = "its channel layout, \(layout), becomes \(fixed): \(Self.article(name)) has no other of \(count) channels"
  }

  private mutating func setOrder(_ order: [Int], of layout: ChannelLayout) {
    guard !order.elementsEqual(order.indices) else { return }
    self.order = order
    self.layout = layout.reordered(order)
  }

  private static func article(_ format: SoundFileFormat) -> String {
    "\(article(format.container.rawValue)) file with \(format.encoding.rawValue)"
  }

  private static func article(_ name: String) -> String {
    (name.first.map("aeiou".contains) ?? false ? "an " : "a ") + name
  }

  /// The masks that FLAC files of so many channels have without saying it.
  private static let flacMasks: [UInt32?] = [nil, 4, 3, 7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]

  /// The layout of a FLAC file by its number of channels.
  static func flacLayout(_ channelCount: Int) -> ChannelLayout? {
    guard channelCount > 2 else { return ChannelLayout(channelCount: channelCount) }
    guard flacMasks.indices.contains(channelCount), let mask = flacMasks[channelCount] else { return nil }
    return ChannelLayout(waveMask: mask, channelCount: channelCount)
  }

  /// The layout of Apple Lossless by the number of channels: that of its cookie.
  static func alacLayout(_ channelCount: Int) -> ChannelLayout? {
    let tags: [Int: UInt32] = [
      3: 0x0072_0003, 4: 0x0074_0004, 5: 0x0078_0005, 6: 0x007C_0006, 7: 0x008E_0007, 8: 0x007F_0008,
    ]
    guard let tag = tags[channelCount] else { return ChannelLayout(channelCount: channelCount) }
    return ChannelNumbers.labels(ofTag: tag).flatMap(ChannelLayout.init(labels:))
  }

  /// The layout of Vorbis and Opus by the number of channels.
  static func oggLayout(_ channelCount: Int) -> ChannelLayout? {
    switch channelCount {
    case 3: ChannelLayout(labels: [1, 3, 2])
    case 4: ChannelLayout(labels: [1, 2, 5, 6])
    case 5: ChannelLayout(labels: [1, 3, 2, 5, 6])
    case 6: ChannelLayout(labels: [1, 3, 2, 5, 6, 4])
    case 7: ChannelLayout(labels: [1, 3, 2, 10, 11, 9, 4])
    case 8: ChannelLayout(labels: [1, 3, 2, 10, 11, 5, 6, 4])
    default: ChannelLayout(channelCount: channelCount)
    }
  }
}

extension ChannelPlacement {
  /// Writes what libsndfile does not into a complete file. Throws where the storage does.
  func write(to storage: any ByteStorage) throws(StorageError) {
    if let waveMask, storage.bytes(at: 0, count: 4)?.elementsEqual("riff".utf8) ?? false {
      return try Wave64Header.write(waveMask, to: storage)
    }
    guard waveMask != nil || chunk != nil, let layout = ContainerLayout(storage) else { return }
    if let waveMask, let header = layout.extensibleHeader(storage) {
      try storage.write(
        layout.isBigEndian ? waveMask.bigEndianBytes : waveMask.littleEndianBytes, at: header.contentOffset + 20)
    }
    guard let chunk else { return }
    if layout.kind == .caf {
      let content = Array("chan".utf8) + Int64(chunk.count).bigEndianBytes + chunk
      // libsndfile fills the header up to the page where the sound begins.
      if let filler = layout.first(0x6672_6565), filler.contentBytes >= Int64(content.count) {
        let rest = filler.contentBytes - Int64(content.count)
        try storage.write(content + Array("free".utf8) + rest.bigEndianBytes, at: filler.headerOffset)
      } else {
        try storage.write(content, at: storage.length)
      }
    } else if layout.isAIFF {
      let lead = [UInt8](repeating: 0, count: Int(storage.length & 1))
      try storage.write(lead + Array("CHAN".utf8) + UInt32(chunk.count).bigEndianBytes + chunk, at: storage.length)
      try storage.write(UInt32(clamping: storage.length - 8).bigEndianBytes, at: 4)
    }
  }
}

extension ContainerLayout {
  /// The header of a WAVE file that has a mask.
  func extensibleHeader(_ storage: any ByteStorage) -> Chunk? {
    guard let header = first(0x666D_7420), header.contentBytes >= 40,
      storage.bytes(at: header.contentOffset, count: 2) == (isBigEndian ? [0xFF, 0xFE] : [0xFE, 0xFF])
    else { return nil }
    return header
  }
}

extension ChannelLayout {
  /// The same with the only pair of surrounds at the sides where it is behind, and behind where it is at the sides.
  fileprivate var withOtherSurrounds: ChannelLayout {
    let others: [UInt32: UInt32] = [5: 10, 6: 11, 10: 5, 11: 6]
    let positions = positions
    guard !positions.contains(33) else { return self }
    return ChannelLayout(labels: positions.map { others[$0] ?? $0 }) ?? self
  }
}

extension SoundFileEncoding {
  /// True for Apple Lossless, whose decoders know one order for each number of channels.
  var isALAC: Bool {
    switch self {
    case .alac16, .alac20, .alac24, .alac32: true
    default: false
    }
  }
}
