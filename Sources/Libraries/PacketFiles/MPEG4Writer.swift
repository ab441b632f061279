// MPEG-4 audio files around packets that somebody else has coded: the beginning in front of them, and the movie behind
// them. The same packets give the same bytes: no times of the clock are written.

import AudioCore

/// The bytes of an m4a file around its packets.
package enum MPEG4Writer {
  /// Bytes of ``beginning(dataBytes:)``: the place of the first packet.
  package static let dataOffset: Int64 = 44

  /// The bytes in front of the packets.
  /// - Parameter dataBytes: bytes of all packets.
  package static func beginning(dataBytes: Int64) -> [UInt8] {
    box("ftyp", code("M4A ") + word(0) + code("M4A ") + code("mp42") + code("isom"))
      + word(1) + code("mdat") + long(dataBytes + 16)
  }

  /// The bytes behind the packets.
  /// - Parameter track: Apple Lossless or AAC with its cookie, packets one behind the other from ``dataOffset`` on, and
  ///   what of them is heard.
  /// - Returns: nil for another codec, and without packets.
  package static func movie(_ track: PacketTrack, texts: [(key: String, value: String)] = []) -> [UInt8]? {
    guard let places = track.places, places.count > 0, let entry = sampleEntry(track),
      let rate = UInt32(exactly: track.format.sampleRate), places.count < Int64(PacketPlaces.most)
    else { return nil }
    let media = track.durations.frameCount
    let trim = track.trim ?? PacketTrack.Trim(priming: 0, valid: media, remainder: 0)
    let heard = trim.valid
    let isLong = max(media, heard) > Int64(UInt32.max)
    func time(_ value: Int64) -> [UInt8] { isLong ? long(value) : word(value) }
    let version: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
    let matrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap { word($0) }
    let header = box(
      "mvhd",
      version + time(0) + time(0) + word(Int64(rate)) + time(heard) + word(0x1_0000) + [1, 0] + zeros(10) + matrix
        + zeros(24) + word(2))
    let trackHeader = box(
      "tkhd",
      [isLong ? 1 : 0, 0, 0, 7] + time(0) + time(0) + word(1) + word(0) + time(heard) + zeros(8) + [0, 0, 0, 1, 1, 0]
        + zeros(2) + matrix + zeros(8))
    let edits = box("edts", box("elst", version + word(1) + time(heard) + time(trim.priming) + word(0x1_0000)))
    let mediaHeader = box("mdhd", version + time(0) + time(0) + word(Int64(rate)) + time(media) + [0x55, 0xC4, 0, 0])
    let handler = box("hdlr", zeros(8) + code("soun") + zeros(12) + [0])
    let reference = box("dinf", box("dref", zeros(4) + word(1) + box("url ", [0, 0, 0, 1])))
    let tables = box(
      "stbl", box("stsd", zeros(4) + word(1) + entry) + times(track, places) + chunks(places) + sizes(places))
    let information = box("minf", box("smhd", zeros(8)) + reference + tables)
    let tags = texts.isEmpty ? [] : userData(texts)
    return box(
      "moov", header + box("trak", trackHeader + edits + box("mdia", mediaHeader + handler + information)) + tags)
  }

  private static func sampleEntry(_ track: PacketTrack) -> [UInt8]? {
    let format = track.format
    guard !track.cookie.isEmpty, format.channelCount <= 64 else { return nil }
    let bits = UInt8(clamping: track.sourceBits ?? 16)
    // Sixteen bits of rate; higher ones stand in the cookie.
    let rate = format.sampleRate < 65_536 ? Int64(clamping: format.sampleRate) << 16 : 0
    let fields =
      zeros(6) + [0, 1] + zeros(8) + [0, UInt8(clamping: format.channelCount), 0, bits] + zeros(4) + word(rate)
    switch format.code {
    case "alac": return box("alac", fields + box("alac", zeros(4) + track.cookie))
    case "aac ": return box("mp4a", fields + box("esds", zeros(4) + track.cookie))
    default: return nil
    }
  }

  private static func times(_ track: PacketTrack, _ places: PacketPlaces) -> [UInt8] {
    var runs: [(count: Int64, frames: Int64)] = []
    for packet in 0..<places.count {
      let frames = track.durations.frames(of: packet) ?? 0
      if runs.last?.frames == frames { runs[runs.count - 1].count += 1 } else { runs.append((1, frames)) }
    }
    return box("stts", zeros(4) + word(Int64(runs.count)) + runs.flatMap { word($0.count) + word($0.frames) })
  }

  private static let packetsPerChunk: Int64 = 16

  /// The chunks of a file: a player reads one at a time.
  private static func chunks(_ places: PacketPlaces) -> [UInt8] {
    let whole = places.count / packetsPerChunk
    let rest = places.count % packetsPerChunk
    var runs: [[Int64]] = []
    if whole > 0 { runs.append([1, packetsPerChunk, 1]) }
    if rest > 0 { runs.append([whole + 1, rest, 1]) }
    let offsets = stride(from: 0, to: places.count, by: Int(packetsPerChunk)).map { places.place(of: $0)?.offset ?? 0 }
    let isLong = offsets.last ?? 0 > Int64(UInt32.max)
    let head = zeros(4) + word(Int64(offsets.count))
    return box("stsc", zeros(4) + word(Int64(runs.count)) + runs.flatMap { $0.flatMap { word($0) } })
      + (isLong ? box("co64", head + offsets.flatMap { long($0) }) : box("stco", head + offsets.flatMap { word($0) }))
  }

  private static func sizes(_ places: PacketPlaces) -> [UInt8] {
    box("stsz", zeros(8) + word(places.count) + places.sizes.flatMap { word(Int64($0)) })
  }

  /// Texts as iTunes keeps them.
  private static func userData(_ texts: [(key: String, value: String)]) -> [UInt8] {
    let items = texts.flatMap { text -> [UInt8] in
      guard let name = MPEG4Texts.names.first(where: { $0.value == text.key })?.key else { return [] }
      return box(bytes(of: name), box("data", word(1) + word(0) + Array(text.value.utf8)))
    }
    let handler = box("hdlr", zeros(8) + code("mdir") + code("appl") + zeros(9))
    return box("udta", box("meta", zeros(4) + handler + box("ilst", items)))
  }

  private static func box(_ type: FourCharCode, _ content: [UInt8]) -> [UInt8] { box(code(type), content) }
  private static func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
    word(Int64(content.count + 8)) + type + content
  }
  private static func code(_ type: FourCharCode) -> [UInt8] { bytes(of: type.rawValue) }
  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
  private static func word(_ value: Int64) -> [UInt8] { bytes(of: UInt32(clamping: value)) }
  private static func long(_ value: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
  private static func bytes(of word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
  }
}
