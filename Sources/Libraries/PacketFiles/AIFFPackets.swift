// AIFF and AIFF-C with any compression. After Apple's AIFF-C document, and what QuickTime has added to its list.

import AudioCore

extension PacketFile {
  static func aiff(_ storage: any PacketBytes) -> PacketFile? {
    guard let form = storage.code(at: 8).map(FourCharCode.init(rawValue:)), form == "AIFF" || form == "AIFC" else {
      return nil
    }
    let list = ChunkList(storage, ChunkList.Grammar(first: 12))
    guard let common = list.first("COMM"), let fields = storage.bytes(in: common.content, most: 22),
      let format = PacketFormat(aiffCommon: fields, isCompressed: form == "AIFC"), let sound = list.first("SSND"),
      let skip = storage.integer(at: sound.content.lowerBound, 4)
    else { return nil }
    var track = PacketTrack(format)
    if format.isPCM {
      track.sourceBits = format.flags & 1 != 0 ? -Int(format.bitsPerChannel) : Int(format.bitsPerChannel)
    }
    if let layout = list.first("CHAN") { track.layout = storage.bytes(in: layout.content, most: 1 << 16) ?? [] }
    // QuickTime's atom with what a decoder has to know.
    if let cookie = list.first("wave") { track.cookie = storage.bytes(in: cookie.content, most: 1 << 20) ?? [] }
    let start = sound.content.lowerBound + 8 + skip
    track.setFixed(offset: start, length: sound.content.upperBound - start)
    if sound.isCut { track.remarks.append("the file ends before its sound does") }
    var file = PacketFile(form == "AIFF" ? .aiff : .aifc, [track])
    file.chunks = list.asUserData
    return file
  }
}

extension PacketFormat {
  /// The chunk 'COMM'.
  fileprivate init?(aiffCommon bytes: [UInt8], isCompressed: Bool) {
    guard let channels = bytes.word(0, 2), let bits = bytes.word(6, 2),
      let rate = Double(extended: Array(bytes.dropFirst(8).prefix(10)))
    else { return nil }
    var compression: FourCharCode = "NONE"
    if isCompressed {
      guard let code = bytes.word(18) else { return nil }
      compression = FourCharCode(rawValue: code)
    }
    self.init(compression, sampleRate: rate, channelCount: channels)
    guard isPossible, setCompression(bits: bits) else { return nil }
  }

  /// Fills in what a compression of AIFF-C or QuickTime says by its name.
  /// - Returns: false for plain samples of a number of bits that there is not.
  mutating func setCompression(bits: UInt32) -> Bool {
    func samples(_ bits: UInt32, isFloat: Bool = false, isSigned: Bool = true, isBigEndian: Bool = true)
      -> PacketFormat?
    {
      .pcm(
        sampleRate: sampleRate, channelCount: channelCount, bits: bits, isFloat: isFloat, isSigned: isSigned,
        isBigEndian: isBigEndian && bits > 8)
    }
    let plain: PacketFormat??
    switch code {
    case "NONE", "twos": plain = samples(bits)
    case "sowt": plain = samples(bits, isBigEndian: false)
    case "raw ": plain = samples(8, isSigned: false)
    case "in24": plain = samples(24)
    case "in32": plain = samples(32)
    case "42ni": plain = samples(24, isBigEndian: false)
    case "23ni": plain = samples(32, isBigEndian: false)
    case "fl32", "FL32": plain = samples(32, isFloat: true)
    case "fl64", "FL64": plain = samples(64, isFloat: true)
    default: plain = nil
    }
    if let plain {
      guard let plain else { return false }
      self = plain
      return true
    }
    switch code {
    case "ulaw", "ULAW":
      id = ("ulaw" as FourCharCode).rawValue
      setBytes()
    case "alaw", "ALAW":
      id = ("alaw" as FourCharCode).rawValue
      setBytes()
    case "ima4": setIMA4()
    case "MAC3": (bytesPerPacket, framesPerPacket) = (2 * channelCount, 6)
    case "MAC6": (bytesPerPacket, framesPerPacket) = (channelCount, 6)
    case "GSM ": (bytesPerPacket, framesPerPacket) = (33 * channelCount, 160)
    default: break
    }
    return true
  }
}

extension Double {
  /// The 80 bits in which AIFF has its rate; nil for what is no positive number.
  fileprivate init?(extended bytes: [UInt8]) {
    guard let head = bytes.number(0, 2), let mantissa = bytes.number(2, 8), head & 0x8000 == 0 else { return nil }
    let exponent = head - 16_383 - 63
    guard (-200...200).contains(exponent) else { return nil }
    self = Double(sign: .plus, exponent: Int(exponent), significand: Double(UInt64(bitPattern: mantissa)))
  }
}
