// The configurations of decoders, as far as the format of packets follows from it: AudioSpecificConfig and descriptors of
// MPEG-4 (ISO 14496-3, 1.6; 14496-1, 7.2.6), and the cookie of Apple Lossless.

import AudioCore

/// The descriptor of an elementary stream ('esds' without its version).
struct ElementaryStream {
  /// The kind of stream: 0x40 is MPEG-4 audio.
  var objectType: UInt32 = 0
  /// Bits a second at the most, and in the mean; 0: not said.
  var averageBitRate: UInt32 = 0
  /// The content of the descriptor that belongs to the codec.
  var specific: [UInt8] = []
  var config: AudioSpecificConfig? { specific.isEmpty ? nil : AudioSpecificConfig(specific) }

  /// Nil where there is no descriptor of a decoder.
  init?(_ bytes: [UInt8]) {
    var at = 0
    var found = false
    // Each descriptor's header is stepped into or over: the content of tags 3 and 4 begins with fields of its own.
    for _ in 0..<8 {
      guard at < bytes.count else { break }
      let tag = bytes[at]
      at += 1
      var size = 0
      for _ in 0..<4 {
        guard at < bytes.count else { return nil }
        size = size << 7 | Int(bytes[at] & 0x7F)
        at += 1
        if bytes[at - 1] & 0x80 == 0 { break }
      }
      switch tag {
      case 3:
        guard at + 3 <= bytes.count else { return nil }
        let flags = bytes[at + 2]
        at += 3
        if flags & 0x80 != 0 { at += 2 }
        if flags & 0x40 != 0 { at += 1 + Int(bytes.number(at, 1) ?? 0) }
        if flags & 0x20 != 0 { at += 2 }
      case 4:
        guard at + 13 <= bytes.count else { return nil }
        objectType = UInt32(bytes[at])
        averageBitRate = bytes.word(at + 9) ?? 0
        found = true
        at += 13
      case 5:
        specific = Array(bytes[min(at, bytes.count)..<min(bytes.count, at + size)])
        at += size
      default: at += size
      }
    }
    guard found else { return nil }
  }

  /// A descriptor around a config, as MPEG-4 files have it.
  static func descriptor(_ config: [UInt8], bitRate: UInt32 = 0) -> [UInt8] {
    func wrapped(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      [tag, 0x80, 0x80, 0x80, UInt8(truncatingIfNeeded: min(127, content.count))] + content
    }
    let rate = (0..<4).map { UInt8(truncatingIfNeeded: bitRate >> (24 - 8 * UInt32($0))) }
    let decoder = wrapped(4, [0x40, 0x15, 0, 0, 0] + rate + rate + wrapped(5, config))
    return wrapped(3, [0, 0, 0] + decoder + wrapped(6, [2]))
  }
}

extension PacketTrack {
  /// The AudioSpecificConfig in the cookie of AAC; nil where there is none, or a damaged one.
  package var specificConfig: [UInt8]? {
    ElementaryStream(cookie).flatMap { $0.config == nil ? nil : $0.specific }
  }

  /// The cookie of AAC of low complexity as its format alone says it; empty for a rate or channels that need a cookie.
  package static func lowComplexityCookie(_ format: PacketFormat) -> [UInt8] {
    guard let rate = UInt32(exactly: format.sampleRate), let index = AudioSpecificConfig.rates.firstIndex(of: rate),
      let channels = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 7][format.channelCount]
    else { return [] }
    // Five bits of kind (2), four of rate, four of channels, three of options.
    let bits = 2 << 11 | UInt16(index) << 7 | UInt16(channels) << 3
    return ElementaryStream.descriptor([UInt8(bits >> 8), UInt8(bits & 0xFF)])
  }
}

/// The configuration of MPEG-4 audio.
struct AudioSpecificConfig {
  /// The kind of the lowest layer: 2 low complexity, 23 low delay, 39 enhanced low delay, 42 USAC.
  var objectType: UInt32
  /// Hertz of the lowest layer.
  var sampleRate: UInt32
  /// 1 to 7 for channels in the usual order; 0: the stream says it.
  var channelConfig: UInt32
  var framesPerPacket: UInt32 = 1_024
  /// Hertz with spectral band replication; nil without.
  var extendedRate: UInt32?
  var hasParametricStereo = false

  static let rates: [UInt32] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  init?(_ bytes: [UInt8]) {
    var bits = BitReader(bytes)
    self.init(&bits)
  }

  init?(_ bits: inout BitReader) {
    objectType = bits.readObjectType()
    guard let first = bits.readSampleRate() else { return nil }
    sampleRate = first
    channelConfig = bits.read(4)
    if objectType == 5 || objectType == 29 {
      hasParametricStereo = objectType == 29
      guard let extended = bits.readSampleRate() else { return nil }
      extendedRate = extended
      objectType = bits.readObjectType()
    }
    switch objectType {
    case 1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23:
      let isShort = bits.read(1) == 1
      framesPerPacket = objectType == 23 ? (isShort ? 480 : 512) : (isShort ? 960 : 1_024)
      if bits.read(1) == 1 { _ = bits.read(14) }
      _ = bits.read(1)
      readSyncExtension(&bits)
    case 39: framesPerPacket = bits.read(1) == 1 ? 480 : 512
    default: break
    }
    guard !bits.isOver, sampleRate > 0 else { return nil }
  }

  /// Layers that older decoders step over, behind the config.
  private mutating func readSyncExtension(_ bits: inout BitReader) {
    guard extendedRate == nil, channelConfig > 0, bits.bitsLeft >= 16 else { return }
    guard bits.read(11) == 0x2B7, bits.readObjectType() == 5, bits.read(1) == 1,
      let extended = bits.readSampleRate()
    else { return }
    extendedRate = extended
    if bits.bitsLeft >= 12, bits.read(11) == 0x548 { hasParametricStereo = bits.read(1) == 1 }
  }

  /// Channels; nil where the stream itself says them.
  var channelCount: UInt32? {
    switch channelConfig {
    case 1...6: channelConfig
    case 7, 12, 14: 8
    case 11: 7
    default: nil
    }
  }

  /// A 'chan' chunk with the tag of the order in which MPEG-4 has its channels; empty where there is none.
  var layout: [UInt8] {
    let tags: [UInt32: UInt32] = [
      1: 100 << 16 | 1, 2: 101 << 16 | 2, 3: 114 << 16 | 3, 4: 116 << 16 | 4, 5: 120 << 16 | 5, 6: 124 << 16 | 6,
      7: 127 << 16 | 8,
    ]
    guard let tag = tags[channelConfig] else { return [] }
    return (0..<4).map { UInt8(truncatingIfNeeded: tag >> (24 - 8 * UInt32($0))) } + [UInt8](repeating: 0, count: 8)
  }

  /// The codec by Core Audio's names.
  var code: FourCharCode {
    switch objectType {
    case 8: "celp"
    case 9: "hvxc"
    case 7: "twvq"
    case 23: "aacl"
    case 39: "aace"
    case 42: "usac"
    case 32: ".mp1"
    case 33: ".mp2"
    case 34: ".mp3"
    default: "aac "
    }
  }

  /// The formats with all layers, the richest first; empty where there is one layer.
  var richerFormats: [PacketFormat] {
    guard let extendedRate, let channels = channelCount else { return [] }
    var replicated = PacketFormat("aach", sampleRate: Double(extendedRate), channelCount: channels)
    replicated.framesPerPacket = framesPerPacket * (extendedRate > sampleRate ? 2 : 1)
    guard hasParametricStereo, channels == 1 else { return [replicated] }
    var stereo = replicated
    stereo.id = ("aacp" as FourCharCode).rawValue
    stereo.channelCount = 2
    return [stereo, replicated]
  }
}

extension BitReader {
  fileprivate mutating func readObjectType() -> UInt32 {
    let short = read(5)
    return short == 31 ? 32 + read(6) : short
  }

  /// Hertz, by its place in a table or as a number; nil for a place that the table does not have.
  fileprivate mutating func readSampleRate() -> UInt32? {
    let index = Int(read(4))
    if index == 15 { return read(24) }
    return index < AudioSpecificConfig.rates.count ? AudioSpecificConfig.rates[index] : nil
  }
}

/// The cookie of Apple Lossless.
struct LosslessConfig {
  let frames: UInt32
  let bits: Int
  let channels: UInt32
  let sampleRate: UInt32

  /// - Parameter cookie: as files have it, with atoms in front or without.
  init?(_ cookie: [UInt8]) {
    var at = 0
    if cookie.count >= 48, cookie[4..<8].elementsEqual("frma".utf8) { at = 24 }
    guard let frames = cookie.word(at), let channels = cookie.word(at + 9, 1), let rate = cookie.word(at + 20),
      let bits = cookie.word(at + 5, 1), frames > 0, frames <= 1 << 20, [16, 20, 24, 32].contains(bits)
    else { return nil }
    (self.frames, self.channels, sampleRate, self.bits) = (frames, channels, rate, Int(bits))
  }

  /// `kAppleLosslessFormatFlag_16BitSourceData` to `…_32BitSourceData`.
  var flag: UInt32 { [16: 1, 20: 2, 24: 3, 32: 4][bits] ?? 0 }
}
