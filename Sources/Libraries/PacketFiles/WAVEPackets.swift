// WAVE, RF64, BW64 and Wave64 with any codec. Numbers of codecs are those of the registry of WAVE (RFC 2361 and later).

import AudioCore

extension PacketFile {
  static func wave(_ storage: any PacketBytes) -> PacketFile? {
    guard let beginning = storage.code(at: 0) else { return nil }
    var grammar = ChunkList.Grammar(first: 12, isBigEndian: false)
    let container: Container
    switch FourCharCode(rawValue: beginning) {
    case "riff":
      container = .wave64
      grammar = ChunkList.Grammar(
        first: 40, idBytes: 16, sizeBytes: 8, alignment: 8, isBigEndian: false, countsHeader: true)
    case "RF64", "BW64":
      container = beginning == ("RF64" as FourCharCode).rawValue ? .rf64 : .bw64
      if storage.code(at: 12) == ("ds64" as FourCharCode).rawValue,
        let size = storage.integer(at: 28, 8, isBigEndian: false), size > 0
      {
        grammar.dataBytes = size
      }
    default:
      container = .wave
      grammar.isBigEndian = beginning == ("RIFX" as FourCharCode).rawValue
    }
    guard container == .wave64 || storage.code(at: 8) == ("WAVE" as FourCharCode).rawValue else { return nil }
    let list = ChunkList(storage, grammar)
    guard let header = list.first("fmt "), let fields = storage.bytes(in: header.content, most: 1 << 16),
      let wave = WaveFormat(fields, isBigEndian: grammar.isBigEndian), let sound = list.first("data")
    else { return nil }
    var track = PacketTrack(wave.format)
    track.cookie = wave.cookie
    track.layout = wave.layout
    if wave.format.isPCM { track.sourceBits = wave.format.flags & 1 != 0 ? -wave.bits : wave.bits }
    track.setFixed(offset: sound.content.lowerBound, length: sound.content.upperBound - sound.content.lowerBound)
    if sound.isCut { track.remarks.append("the file ends before its sound does") }
    if let fact = list.first("fact"), let places = track.places, !track.format.isPCM,
      let valid = storage.integer(
        at: fact.content.lowerBound, container == .wave64 ? 8 : 4, isBigEndian: grammar.isBigEndian)
    {
      track.setValid(valid, of: places.count)
    }
    if wave.format.code == "ac-3", !wave.format.isFixed { track.setAC3(storage, in: sound.content) }
    var file = PacketFile(container, [track])
    file.chunks = list.asUserData
    return file
  }
}

extension PacketTrack {
  /// The frames of sound in packets of one number of frames, where that many fit into them.
  mutating func setValid(_ valid: Int64, of packets: Int64) {
    let frames = Int64(format.framesPerPacket)
    guard frames > 0, packets > 0, valid > (packets - 1) * frames, valid <= packets * frames else { return }
    trim = Trim(priming: 0, valid: valid, remainder: packets * frames - valid)
  }
}

/// The chunk 'fmt '.
private struct WaveFormat {
  var format: PacketFormat
  var cookie: [UInt8] = []
  var layout: [UInt8] = []
  let bits: Int

  init?(_ bytes: [UInt8], isBigEndian: Bool) {
    func field(_ at: Int, _ count: Int) -> UInt32? { bytes.word(at, count, isBigEndian: isBigEndian) }
    guard var tag = field(0, 2), let channels = field(2, 2), let rate = field(4, 4), let block = field(12, 2) else {
      return nil
    }
    let container = field(14, 2) ?? 0
    var valid = container
    let extra = bytes.count > 18 ? Array(bytes[18...]) : []
    format = PacketFormat("lpcm", sampleRate: Double(rate), channelCount: channels)
    guard format.isPossible else { return nil }
    if tag == 0xFFFE, extra.count >= 22, let first = extra.word(6, 2, isBigEndian: false) {
      tag = first
      if let stated = extra.word(0, 2, isBigEndian: isBigEndian), stated > 0, stated <= container { valid = stated }
      if let mask = extra.number(2, 4, isBigEndian: isBigEndian), mask != 0 {
        // "Use the bitmap", then the bitmap, and no descriptions.
        layout = [0, 1, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: mask >> (24 - 8 * $0)) } + [0, 0, 0, 0]
      }
    }
    bits = Int(valid)
    switch tag {
    case 1, 3:
      guard block > 0, block % channels == 0,
        let pcm = PacketFormat.pcm(
          sampleRate: format.sampleRate, channelCount: channels, bits: valid, bytes: block / channels,
          isFloat: tag == 3, isSigned: container > 8, isBigEndian: isBigEndian)
      else { return nil }
      format = pcm
      return
    case 6, 7:
      format.id = (tag == 7 ? "ulaw" as FourCharCode : "alaw").rawValue
      format.setBytes()
      return
    case 0x2, 0x11:
      format.id = waveCode(tag)
      (format.bytesPerPacket, format.framesPerPacket) = (block, field(18, 2) ?? 0)
    case 0x31:
      format.id = waveCode(tag)
      (format.bytesPerPacket, format.framesPerPacket) = (block > 0 ? block : 65, 320)
    case 0x50, 0x55: format.id = (tag == 0x50 ? ".mp2" as FourCharCode : ".mp3").rawValue
    case 0xFF, 0x706D, 0x4143:
      format.id = ("aac " as FourCharCode).rawValue
      format.framesPerPacket = 1_024
    case 0x2000:
      format.id = ("ac-3" as FourCharCode).rawValue
      format.framesPerPacket = 1_536
    case 0xF1AC: format.id = ("flac" as FourCharCode).rawValue
    default:
      // Blocks of one size, whose frames nothing says.
      format.id = waveCode(tag)
      format.bytesPerPacket = block
    }
    if let size = field(16, 2), size > 0 { cookie = Array(extra.prefix(Int(size))) }
  }
}
