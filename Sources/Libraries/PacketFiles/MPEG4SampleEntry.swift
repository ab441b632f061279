// The description of a track's samples: 'stsd' with its entry, as ISO 14496-12 and -14, QuickTime, 3GPP (TS 26.244),
// Apple Lossless, FLAC, Opus and AC-3 (ETSI TS 102 366, annex F) have it.

import AudioCore

/// The first description of a track; others are not looked at.
struct MPEG4SampleEntry {
  var format: PacketFormat
  var richerFormats: [PacketFormat] = []
  var cookie: [UInt8] = []
  var layout: [UInt8] = []
  var sourceBits: Int?
  /// Frames in front of the sound by the codec's own header; an edit list says the same.
  var preSkip: UInt32 = 0
  /// Frames that the table of sizes counts for a packet, where packets are of one size by their format.
  var samplesPerPacket: Int64 = 1

  /// True where the format says the size of a packet, whatever the table of sizes says.
  var isFixed: Bool { format.isFixed }

  init?(_ storage: any PacketBytes, _ description: MPEG4Box, timeScale: Int64) {
    let start = description.content.lowerBound
    guard
      let box = storage.boxes(in: min(start + 8, description.content.upperBound)..<description.content.upperBound)
        .first(where: { _ in true }),
      let head = storage.bytes(in: box.content, most: 64), let channels = head.word(16, 2), let bits = head.word(18, 2),
      let rate = head.number(24, 4)
    else { return nil }
    // The higher versions are QuickTime's; of ISO's files the description itself has a version then.
    let version = storage.bytes(at: start, count: 1)?.first == 0 ? head.number(8, 2) ?? 0 : 0
    let shown = Double(rate) / 65_536
    format = PacketFormat(box.type, sampleRate: shown > 0 ? shown : Double(timeScale), channelCount: channels)
    var fieldBytes: Int64 = 28
    var pcm: PacketFormat?
    switch version {
    case 1:
      fieldBytes = 44
    case 2:
      guard let double = head.number(32, 8), let many = head.word(40), let depth = head.word(48),
        let flags = head.word(52), let bytes = head.word(56)
      else { return nil }
      fieldBytes = 64
      format.sampleRate = Double(bitPattern: UInt64(bitPattern: double))
      format.channelCount = many
      guard format.isPossible else { return nil }
      if box.type == "lpcm", bytes % many == 0 {
        pcm = .pcm(
          sampleRate: format.sampleRate, channelCount: many, bits: depth, bytes: bytes / many, isFloat: flags & 1 != 0,
          isSigned: flags & 4 != 0, isBigEndian: flags & 2 != 0)
      }
    default: break
    }
    let first = min(box.content.upperBound, box.content.lowerBound + fieldBytes)
    var parts = Parts(storage, first..<box.content.upperBound)
    // The configuration of a codec may know more than sixteen bits of rate can say.
    guard read(&parts, bits: bits, version: version, head: head, pcm: pcm) else { return nil }
    if let layout = parts["chan"], layout.count > 4 { self.layout = Array(layout[4...]) }
    guard format.isPossible, format.bytesPerPacket < 1 << 24 else { return nil }
  }

  /// The boxes of an entry, and those of QuickTime's 'wave' in it, by their type.
  private struct Parts {
    private var contents: [FourCharCode: [UInt8]] = [:]

    init(_ storage: any PacketBytes, _ range: Range<Int64>, depth: Int = 0) {
      for box in storage.boxes(in: range).prefix(64) {
        if box.type == "wave", depth == 0 {
          contents.merge(Parts(storage, box.content, depth: 1).contents) { old, _ in old }
        } else if contents[box.type] == nil {
          contents[box.type] = storage.bytes(in: box.content, most: 1 << 16)
        }
      }
    }

    subscript(_ type: FourCharCode) -> [UInt8]? { contents[type] }
  }

  /// Completes the format by its codec.
  /// - Returns: false where it contradicts itself.
  private mutating func read(
    _ parts: inout Parts, bits: UInt32, version: Int64, head: [UInt8], pcm: PacketFormat?
  ) -> Bool {
    func set(_ code: FourCharCode, frames: UInt32 = 0) {
      format.id = code.rawValue
      format.framesPerPacket = frames
    }
    switch format.code {
    case "lpcm" where pcm != nil:
      if let pcm { format = pcm }
    case "NONE", "twos", "sowt", "raw ", "in24", "in32", "fl32", "fl64", "ipcm", "fpcm":
      return readPCM(parts, bits: bits)
    case "ulaw", "alaw", "ima4", "MAC3", "MAC6":
      guard format.isPossible, format.setCompression(bits: bits) else { return false }
      samplesPerPacket = Int64(format.framesPerPacket)
    case "alac":
      guard let box = parts["alac"], box.count >= 28 else { return false }
      cookie = Array(box[4...])
      guard let config = LosslessConfig(cookie) else { return false }
      format.framesPerPacket = config.frames
      format.flags = config.flag
      format.channelCount = config.channels
      if config.sampleRate > 0 { format.sampleRate = Double(config.sampleRate) }
      sourceBits = config.bits
    case "mp4a": readElementaryStream(parts["esds"].map { Array($0.dropFirst(4)) } ?? [])
    case "fLaC":
      set("flac")
      guard let box = parts["dfLa"], box.count >= 42 else { return true }
      cookie = Array(box[4...])
      // STREAMINFO: behind sizes of blocks and frames 20 bits of rate, 3 of channels, 5 of bits.
      guard let packed = box.number(18, 8), let largest = box.word(10, 2) else { return true }
      let value = UInt64(bitPattern: packed)
      format.sampleRate = Double(value >> 44)
      format.channelCount = UInt32(value >> 41 & 7) + 1
      sourceBits = Int(value >> 36 & 31) + 1
      format.flags = [16: 1, 20: 2, 24: 3, 32: 4][sourceBits ?? 0] ?? 0
      format.framesPerPacket = largest
    case "Opus":
      set("opus")
      format.sampleRate = 48_000
      guard let box = parts["dOps"], box.count >= 11 else { return true }
      cookie = box
      format.channelCount = UInt32(box[1])
      preSkip = box.word(2, 2) ?? 0
    case "ac-3":
      set("ac-3", frames: 1_536)
      if let field = parts["dac3"]?.number(0, 3) {
        let modes: [UInt32] = [2, 1, 2, 3, 3, 4, 4, 5]
        format.channelCount = modes[Int(field >> 11 & 7)] + UInt32(field >> 10 & 1)
      }
    case "ec-3":
      set("ec-3", frames: 1_536)
      if let field = parts["dec3"]?.number(2, 3) {
        let modes: [UInt32] = [2, 1, 2, 3, 3, 4, 4, 5]
        format.channelCount = modes[Int(field >> 9 & 7)] + UInt32(field >> 8 & 1)
      }
    case "samr", "sawb":
      let isWide = format.code == "sawb"
      let blocks = max(1, parts["damr"]?.word(8, 1) ?? 1)
      format.sampleRate = isWide ? 16_000 : 8_000
      format.channelCount = 1
      format.framesPerPacket = (isWide ? 320 : 160) * min(15, blocks)
    case ".mp3": set(".mp3", frames: format.sampleRate < 32_000 ? 576 : 1_152)
    default:
      // 'ms' and a number of WAVE: blocks of one size, by QuickTime's version 1.
      if format.id >> 16 == 0x6D73, version == 1, let frames = head.word(28), let bytes = head.word(36),
        format.isPossible, frames > 0, frames < 1 << 20, bytes > 0, bytes < 1 << 20
      {
        (format.framesPerPacket, format.bytesPerPacket) = (frames, bytes)
        samplesPerPacket = Int64(frames)
      }
    }
    return true
  }

  private mutating func readPCM(_ parts: Parts, bits: UInt32) -> Bool {
    guard format.isPossible else { return false }
    let code = format.code
    if code == "ipcm" || code == "fpcm" {
      // ISO 23003-5: bit 0 says little-endian, then the bits of a sample.
      guard let box = parts["pcmC"], box.count >= 6,
        let pcm = PacketFormat.pcm(
          sampleRate: format.sampleRate, channelCount: format.channelCount, bits: UInt32(box[5]),
          isFloat: code == "fpcm", isBigEndian: box[4] & 1 == 0)
      else { return false }
      format = pcm
    } else {
      guard format.setCompression(bits: bits) else { return false }
      if code != "sowt", let order = parts["enda"], order.last == 1, format.bitsPerChannel > 8 { format.flags &= ~2 }
    }
    sourceBits = format.flags & 1 != 0 ? -Int(format.bitsPerChannel) : Int(format.bitsPerChannel)
    return true
  }

  private mutating func readElementaryStream(_ bytes: [UInt8]) {
    cookie = bytes
    format.id = ("aac " as FourCharCode).rawValue
    guard let stream = ElementaryStream(bytes) else { return }
    switch stream.objectType {
    case 0x40, 0x66, 0x67, 0x68:
      guard let config = stream.config else { return }
      format.id = config.code.rawValue
      format.framesPerPacket = config.framesPerPacket
      format.sampleRate = Double(config.sampleRate)
      if let channels = config.channelCount { format.channelCount = channels }
      layout = config.layout
      richerFormats = config.richerFormats
    case 0x69, 0x6B:
      format.id = (".mp3" as FourCharCode).rawValue
      format.framesPerPacket = format.sampleRate < 32_000 ? 576 : 1_152
    case 0xA5:
      format.id = ("ac-3" as FourCharCode).rawValue
      format.framesPerPacket = 1_536
    case 0xA6:
      format.id = ("ec-3" as FourCharCode).rawValue
      format.framesPerPacket = 1_536
    case 0xAD: format.id = ("opus" as FourCharCode).rawValue
    case 0xDD: format.id = ("vorb" as FourCharCode).rawValue
    case 0xE1: format.id = ("Qclp" as FourCharCode).rawValue
    default: format.id = ("mp4a" as FourCharCode).rawValue
    }
  }
}
