// Headers for packets that were taken out of their container: CAF for plain samples and Apple Lossless, AIFF-C for
// IMA4, WAVE for bytes without sign and for the ADPCM of WAVE files, FLAC's own.

import AudioCore
import PacketFiles

/// The bytes in front of a track's packets that make a file of them which can be decoded here.
struct DecoderHeader {
  let bytes: [UInt8]

  /// Nil where no decoder here takes the codec.
  init?(_ track: PacketTrack) {
    guard let places = track.places, places.count > 0, track.format.isPossible else { return nil }
    let format = track.format
    switch format.code {
    case "lpcm" where format.bitsPerChannel == 8 && format.flags & 4 == 0: bytes = Self.wave(format, places.byteCount)
    case "lpcm":
      let isPacked = format.flags & 8 != 0 && format.bytesPerFrame == format.bitsPerChannel / 8 * format.channelCount
      guard isPacked, [8, 16, 24, 32, 64].contains(format.bitsPerChannel) else { return nil }
      bytes = Self.caf(track, places)
    case "ulaw", "alaw", "alac": bytes = Self.caf(track, places)
    case "ima4": bytes = Self.aiff(format, places)
    case _ where format.isBlockADPCM: bytes = Self.wave(format, places)
    // A stream of MPEG audio has no header.
    case ".mp1", ".mp2", ".mp3": bytes = []
    case "flac":
      guard let info = Self.streamInfo(track.cookie) else { return nil }
      bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34] + info
    default: return nil
    }
  }

  private static func caf(_ track: PacketTrack, _ places: PacketPlaces) -> [UInt8] {
    let format = track.format
    // Bit 0 says float and bit 1 little-endian; of other formats the flags are the format's own.
    let flags = format.isPCM ? (format.flags & 1) | (format.flags & 2 == 0 ? 2 : 0) : format.flags
    var file = Array("caff".utf8) + [0, 1, 0, 0]
    func chunk(_ name: String, _ content: [UInt8]) {
      file += Array(name.utf8) + Int64(content.count).bigEndianBytes + content
    }
    chunk(
      "desc",
      format.sampleRate.bitPattern.bigEndianBytes + format.id.bigEndianBytes + flags.bigEndianBytes
        + format.bytesPerPacket.bigEndianBytes + format.framesPerPacket.bigEndianBytes
        + format.channelCount.bigEndianBytes + (format.code == "alac" ? 0 : format.bitsPerChannel).bigEndianBytes)
    if !track.layout.isEmpty { chunk("chan", track.layout) }
    if format.code == "alac" {
      chunk("kuki", track.cookie)
      let frames = track.codedFrames
      chunk(
        "pakt",
        places.count.bigEndianBytes + frames.bigEndianBytes + [0, 0, 0, 0, 0, 0, 0, 0]
          + places.sizes.flatMap(groupsOfSeven))
    }
    file += Array("data".utf8) + (places.byteCount + 4).bigEndianBytes + [0, 0, 0, 0]
    return file
  }

  /// A number in groups of seven bits, the highest first, each but the last with a bit that says so.
  private static func groupsOfSeven(_ size: UInt32) -> [UInt8] {
    var groups = [UInt8(size & 0x7F)]
    var rest = size >> 7
    while rest > 0 {
      groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return groups
  }

  private static func aiff(_ format: PacketFormat, _ places: PacketPlaces) -> [UInt8] {
    let common =
      UInt16(clamping: format.channelCount).bigEndianBytes + UInt32(clamping: places.count).bigEndianBytes
      + UInt16(16).bigEndianBytes + extended(format.sampleRate) + Array("ima4".utf8) + [0, 0]
    let version: [UInt8] = Array("FVER".utf8) + [0, 0, 0, 4, 0xA2, 0x80, 0x51, 0x40]
    let head =
      Array("AIFC".utf8) + version + Array("COMM".utf8) + UInt32(common.count).bigEndianBytes + common
      + Array("SSND".utf8) + UInt32(clamping: places.byteCount + 8).bigEndianBytes + [0, 0, 0, 0, 0, 0, 0, 0]
    return Array("FORM".utf8) + UInt32(clamping: Int64(head.count) + places.byteCount).bigEndianBytes + head
  }

  /// A positive number in the 80 bits of AIFF.
  private static func extended(_ value: Double) -> [UInt8] {
    let mantissa = value.significandBitPattern << 11 | 1 << 63
    return UInt16(clamping: Int(value.exponent) + 16_383).bigEndianBytes + mantissa.bigEndianBytes
  }

  private static func wave(_ format: PacketFormat, _ byteCount: Int64) -> [UInt8] {
    let rate = UInt32(exactly: format.sampleRate.rounded()) ?? 0
    let fields =
      UInt16(1).littleEndianBytes + UInt16(clamping: format.channelCount).littleEndianBytes + rate.littleEndianBytes
      + rate.multipliedReportingOverflow(by: format.channelCount).partialValue.littleEndianBytes
      + UInt16(clamping: format.channelCount).littleEndianBytes + UInt16(8).littleEndianBytes
    return Array("RIFF".utf8) + UInt32(clamping: byteCount + 36).littleEndianBytes + Array("WAVEfmt ".utf8)
      + [16, 0, 0, 0] + fields + Array("data".utf8) + UInt32(clamping: byteCount).littleEndianBytes
  }

  /// Blocks of Microsoft's or Intel's ADPCM. The standard coefficients of Microsoft's: others are in no known file.
  private static func wave(_ format: PacketFormat, _ places: PacketPlaces) -> [UInt8] {
    let coefficients: [Int16] = [256, 0, 512, -256, 0, 0, 192, 64, 240, 0, 460, -208, 392, -232]
    let isMicrosoft = format.id == waveCode(2)
    let extra =
      UInt16(clamping: format.framesPerPacket).littleEndianBytes
      + (isMicrosoft ? UInt16(coefficients.count / 2).littleEndianBytes : [])
      + (isMicrosoft ? coefficients.flatMap(\.littleEndianBytes) : [])
    let rate = UInt32(exactly: format.sampleRate.rounded()) ?? 0
    let bytesPerSecond = format.sampleRate * Double(format.bytesPerPacket) / Double(format.framesPerPacket)
    let fields =
      UInt16(format.id & 0xFFFF).littleEndianBytes + UInt16(clamping: format.channelCount).littleEndianBytes
      + rate.littleEndianBytes + UInt32(clamping: Int64(clamping: bytesPerSecond)).littleEndianBytes
      + UInt16(clamping: format.bytesPerPacket).littleEndianBytes + UInt16(4).littleEndianBytes
      + UInt16(extra.count).littleEndianBytes + extra
    let frames = places.count.multipliedReportingOverflow(by: Int64(format.framesPerPacket)).partialValue
    let head =
      Array("WAVEfmt ".utf8) + UInt32(fields.count).littleEndianBytes + fields + Array("fact".utf8)
      + UInt32(4).littleEndianBytes + UInt32(clamping: frames).littleEndianBytes + Array("data".utf8)
      + UInt32(clamping: places.byteCount).littleEndianBytes
    return Array("RIFF".utf8) + UInt32(clamping: Int64(head.count) + places.byteCount).littleEndianBytes + head
  }

  /// The block STREAMINFO, with its header or without, in what a container keeps of FLAC's header.
  private static func streamInfo(_ cookie: [UInt8]) -> [UInt8]? {
    var at = cookie.starts(with: "fLaC".utf8) ? 4 : 0
    if cookie.count == 34 { return cookie }
    while at + 4 <= cookie.count {
      let size = Int(cookie[at + 1...at + 3].bigEndianValue)
      guard at + 4 + size <= cookie.count else { return nil }
      if cookie[at] & 0x7F == 0 { return size == 34 ? Array(cookie[at + 4..<at + 38]) : nil }
      at += 4 + size
    }
    return nil
  }
}

extension PacketFormat {
  /// True for blocks of Microsoft's ADPCM (2) or Intel's IMA (17) whose frames fit their bytes: seven or four bytes a
  /// channel begin a block, and two or one of its frames are in them.
  var isBlockADPCM: Bool {
    guard [waveCode(2), waveCode(17)].contains(id), (1...2).contains(channelCount), bytesPerPacket < 1 << 16 else {
      return false
    }
    let (header, frames): (Int, Int) = id == waveCode(2) ? (7, 2) : (4, 1)
    let channels = Int(channelCount)
    let coded = Int(bytesPerPacket) - header * channels
    return coded > 0 && coded * 2 % channels == 0 && Int(framesPerPacket) == coded * 2 / channels + frames
  }
}

/// Codecs that are known by name and have no decoder here.
package enum ForeignCodec {
  static func error(_ track: PacketTrack, _ container: PacketFile.Container, _ path: String) -> BenchError {
    if track.places?.count == 0 {
      return BenchError(.input, at: path, "has no packet of sound", advice: "whatever was to write it has failed")
    }
    return BenchError(
      .input, at: path, "holds \(track.format.codecName) in \(container.words), and there is no decoder for it here",
      advice: "convert it to WAV, FLAC or Apple Lossless by another program")
  }

  /// The error of a whole file whose codec has no decoder; nil for a file that is not known, or damaged.
  static func refusal(_ storage: any ByteStorage, _ path: String) -> BenchError? {
    guard let file = PacketFile(storage), let track = file.tracks.first, isForeign(track, in: file.container) else {
      return nil
    }
    return error(track, file.container, path)
  }

  /// True for a codec that libsndfile does not decode in that container.
  package static func isForeign(_ track: PacketTrack, in container: PacketFile.Container) -> Bool {
    let known: Set<FourCharCode>
    switch container {
    case .mpeg4, .adts, .loas, .ac3, .amr: return true
    case .caf: known = ["lpcm", "ulaw", "alaw", "alac", ".mp1", ".mp2", ".mp3"]
    case .aiff: return false
    case .aifc: known = ["lpcm", "ulaw", "alaw", "ima4", "GSM ", "DWVW"]
    case .wave, .rf64, .bw64, .wave64:
      known = ["lpcm", "ulaw", "alaw", ".mp2", ".mp3"]
      if [0x6D73_0002, 0x6D73_0011, 0x6D73_0031].contains(track.format.id) { return false }
    }
    return !known.contains(track.format.code)
  }
}
