// Core Audio Format: the chunks 'desc', 'data', 'pakt', 'kuki', 'chan' and 'info', in any order. After Apple's
// specification of the format; where that is silent, docs/files.md says what is chosen.

import AudioCore

extension PacketFile {
  static func caf(_ storage: any PacketBytes) -> PacketFile? {
    let list = ChunkList(storage, ChunkList.Grammar(first: 8, sizeBytes: 8, alignment: 1))
    guard let description = list.first("desc"), let fields = storage.bytes(in: description.content, most: 32),
      let format = PacketFormat(cafDescription: fields), let sound = list.first("data")
    else { return nil }
    var track = PacketTrack(format)
    if let cookie = list.first("kuki") { track.cookie = storage.bytes(in: cookie.content, most: 1 << 20) ?? [] }
    if let layout = list.first("chan") { track.layout = storage.bytes(in: layout.content, most: 1 << 16) ?? [] }
    // A number of edits comes first.
    let start = sound.content.lowerBound + 4
    track.setPackets(storage, table: list.first("pakt"), sound: start..<max(start, sound.content.upperBound))
    if sound.isCut { track.remarks.append("the file ends before its sound does") }
    track.completeCAF()
    var file = PacketFile(.caf, [track])
    file.chunks = list.asUserData
    if let info = list.first("info") { file.texts = cafTexts(storage.bytes(in: info.content, most: 1 << 20) ?? []) }
    return file
  }

  /// Names and texts, each ended by a zero, behind their number.
  private static func cafTexts(_ bytes: [UInt8]) -> [(key: String, value: String)] {
    guard let count = bytes.number(0, 4) else { return [] }
    let pieces = bytes[4...].split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    return (0..<Int(min(count, Int64(pieces.count / 2)))).map { (pieces[2 * $0], pieces[2 * $0 + 1]) }
  }
}

extension PacketFormat {
  /// The 32 bytes of the chunk 'desc'; nil where no sound can be so.
  init?(cafDescription bytes: [UInt8]) {
    guard let rate = bytes.number(0, 8), let id = bytes.word(8), let flags = bytes.word(12),
      let packetBytes = bytes.word(16), let packetFrames = bytes.word(20), let channels = bytes.word(24),
      let bits = bytes.word(28)
    else { return nil }
    self.init(
      FourCharCode(rawValue: id), sampleRate: Double(bitPattern: UInt64(bitPattern: rate)), channelCount: channels)
    guard isPossible, packetBytes < 1 << 30 else { return nil }
    guard isPCM else {
      self.flags = flags
      bytesPerPacket = packetBytes
      framesPerPacket = packetFrames
      bitsPerChannel = bits
      if code == "ulaw" || code == "alaw" { setBytes() }
      return
    }
    // Bit 0 says float and bit 1 little-endian; bytes that the bits do not fill are at the low end.
    guard packetBytes > 0, packetBytes % channels == 0,
      let pcm = PacketFormat.pcm(
        sampleRate: sampleRate, channelCount: channels, bits: bits, bytes: packetBytes / channels,
        isFloat: flags & 1 != 0, isBigEndian: flags & 2 == 0)
    else { return nil }
    self = pcm
  }
}

extension PacketTrack {
  fileprivate mutating func setPackets(
    _ storage: any PacketBytes, table: ChunkList.Chunk?, sound: Range<Int64>
  ) {
    let length = sound.upperBound - sound.lowerBound
    let head = table.flatMap { storage.bytes(in: $0.content, most: 24) }
    if format.isFixed {
      setFixed(offset: sound.lowerBound, length: length)
    } else {
      (dataOffset, dataBytes) = (sound.lowerBound, length)
      if let table { readTable(storage, table.content, sound: sound) }
    }
    if let head, let valid = head.number(8, 8), let priming = head.number(16, 4), let remainder = head.number(20, 4),
      valid >= 0, valid < 1 << 61, priming < 1 << 31, remainder < 1 << 31, valid + priming + remainder > 0
    {
      trim = Trim(priming: priming, valid: valid, remainder: remainder)
    }
  }

  /// Reads the sizes and frames of packets, each as groups of seven bits.
  private mutating func readTable(_ storage: any PacketBytes, _ content: Range<Int64>, sound: Range<Int64>) {
    // A size takes four such bytes at the most, frames five.
    guard let bytes = storage.bytes(in: content, most: 128 << 20), let packets = bytes.number(0, 8) else { return }
    var places = PacketPlaces()
    var at = 24
    var offset = sound.lowerBound
    func number() -> Int64? {
      var value: Int64 = 0
      for _ in 0..<5 {
        guard at < bytes.count else { return nil }
        value = value << 7 | Int64(bytes[at] & 0x7F)
        at += 1
        if bytes[at - 1] & 0x80 == 0 { return value }
      }
      return nil
    }
    while places.count < packets, let size = number() {
      var frames = Int64(format.framesPerPacket)
      if format.framesPerPacket == 0 {
        guard let stated = number() else { break }
        frames = stated
      }
      guard offset + size <= sound.upperBound, places.append(offset: offset, bytes: size) else { break }
      durations.append(count: 1, frames: frames)
      offset += size
    }
    if packets > 0, places.count < packets {
      remarks.append("its packet table says \(packets) packets, and \(places.count) are there")
    }
    self.places = places
  }

  /// Bits and layers by the cookie.
  fileprivate mutating func completeCAF() {
    switch format.code {
    case "alac":
      if let config = LosslessConfig(cookie) {
        sourceBits = config.bits
        if format.flags == 0 { format.flags = config.flag }
        if format.framesPerPacket == 0 { format.framesPerPacket = config.frames }
      }
    case "aac ", "aach", "aacp", "aacl", "aace", "usac":
      if let config = ElementaryStream(cookie)?.config { richerFormats = config.richerFormats }
    case "lpcm": sourceBits = format.flags & 1 != 0 ? -Int(format.bitsPerChannel) : Int(format.bitsPerChannel)
    default: break
    }
  }
}
