// Streams of frames without a container: AAC in ADTS and LOAS (ISO 14496-3, 1.A.2, 1.7), AC-3 (ETSI TS 102 366) and AMR
// (RFC 4867). They are walked from header to header.

import AudioCore

extension PacketFile {
  /// Bytes behind the ID3 tags of version 2 at the beginning.
  private static func tagEnd(_ storage: any PacketBytes) -> Int64 {
    var offset: Int64 = 0
    for _ in 0..<16 {
      guard let head = storage.bytes(at: offset, count: 10), head.starts(with: "ID3".utf8),
        head[6...].allSatisfy({ $0 < 0x80 })
      else { break }
      offset += 10 + head[6...].reduce(Int64(0)) { $0 << 7 | Int64($1) } + (head[5] & 0x10 != 0 ? 10 : 0)
    }
    return offset
  }

  /// AAC in ADTS. A packet is a frame without its header, as a decoder takes it; a frame that holds several blocks is
  /// one packet.
  static func adts(_ storage: any PacketBytes) -> PacketFile? {
    var window = ByteWindow(storage)
    let start = tagEnd(storage)
    guard let first = ADTSHeader(&window, at: start), let channels = first.channelCount else { return nil }
    // One header may be anything.
    let second = start + Int64(first.frameBytes)
    guard second == storage.length || ADTSHeader(&window, at: second)?.isLike(first) ?? false else { return nil }
    var format = PacketFormat("aac ", sampleRate: Double(first.sampleRate), channelCount: channels)
    format.framesPerPacket = 1_024
    var track = PacketTrack(format)
    track.cookie = ElementaryStream.descriptor(first.config)
    track.layout = AudioSpecificConfig(first.config)?.layout ?? []
    track.readFrames(storage, from: start) { window, offset in
      guard let header = ADTSHeader(&window, at: offset), header.isLike(first) else { return nil }
      return Frame(bytes: header.frameBytes, lead: header.headerBytes, frames: Int64(1_024 * header.blocks))
    }
    return PacketFile(.adts, [track])
  }

  /// AAC in LATM packets with a sync word. A packet is a multiplexed frame without its three bytes of sync.
  static func loas(_ storage: any PacketBytes) -> PacketFile? {
    func size(_ window: inout ByteWindow, _ offset: Int64) -> Int? {
      guard let head = window.bytes(at: offset, count: 3).map(Array.init), head[0] == 0x56, head[1] & 0xE0 == 0xE0
      else { return nil }
      return 3 + Int(head[1] & 0x1F) << 8 + Int(head[2])
    }
    var window = ByteWindow(storage)
    guard let first = size(&window, 0), first > 8, let frame = storage.bytes(at: 3, count: min(first - 3, 64)),
      Int64(first) == storage.length || size(&window, Int64(first)) != nil
    else { return nil }
    var bits = BitReader(frame)
    // The frame has its own configuration, of version 0, one program, one layer, one frame.
    guard bits.read(1) == 0, bits.read(1) == 0, bits.read(1) == 1, bits.read(6) == 0, bits.read(4) == 0,
      bits.read(3) == 0, let config = AudioSpecificConfig(&bits), let channels = config.channelCount
    else { return nil }
    var format = PacketFormat(config.code, sampleRate: Double(config.sampleRate), channelCount: channels)
    format.framesPerPacket = config.framesPerPacket
    guard format.isPossible else { return nil }
    var track = PacketTrack(format)
    track.richerFormats = config.richerFormats
    track.layout = config.layout
    track.readFrames(storage, from: 0) { window, offset in
      size(&window, offset).map { Frame(bytes: $0, lead: 3, frames: Int64(config.framesPerPacket)) }
    }
    return PacketFile(.loas, [track])
  }

  static func ac3(_ storage: any PacketBytes) -> PacketFile? {
    var window = ByteWindow(storage)
    guard let first = AC3Header(&window, at: 0),
      first.frameBytes == storage.length || AC3Header(&window, at: first.frameBytes) != nil
    else { return nil }
    var format = PacketFormat("ac-3", sampleRate: Double(first.sampleRate), channelCount: first.channelCount)
    format.framesPerPacket = 1_536
    var track = PacketTrack(format)
    track.setAC3(storage, in: 0..<storage.length)
    return PacketFile(.ac3, [track])
  }

  static func amr(_ storage: any PacketBytes) -> PacketFile? {
    guard let head = storage.bytes(at: 0, count: 6), head.starts(with: "#!AMR".utf8) else { return nil }
    let isWide = storage.bytes(at: 0, count: 9)?.elementsEqual("#!AMR-WB\n".utf8) ?? false
    guard isWide || head[5] == 10 else { return nil }
    let sizes =
      isWide
      ? [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 0, 0, 0, 0, 0, 0]
      : [12, 13, 15, 17, 19, 20, 26, 31, 5, 0, 0, 0, 0, 0, 0, 0]
    var format = PacketFormat(isWide ? "sawb" : "samr", sampleRate: isWide ? 16_000 : 8_000, channelCount: 1)
    format.framesPerPacket = isWide ? 320 : 160
    var track = PacketTrack(format)
    let frames = Int64(format.framesPerPacket)
    track.readFrames(storage, from: isWide ? 9 : 6) { window, offset in
      guard let byte = window.bytes(at: offset, count: 1)?.first else { return nil }
      return Frame(bytes: 1 + sizes[Int(byte >> 3 & 15)], lead: 0, frames: frames)
    }
    return PacketFile(.amr, [track])
  }
}

/// A frame of a stream: its bytes, and those of them that are no packet's.
private struct Frame {
  let bytes: Int
  let lead: Int
  let frames: Int64
}

extension PacketTrack {
  /// Walks over frames to the first place where there is none; a last one that is cut short is none.
  fileprivate mutating func readFrames(
    _ storage: any PacketBytes, from start: Int64, to end: Int64? = nil, _ next: (inout ByteWindow, Int64) -> Frame?
  ) {
    var window = ByteWindow(storage)
    var places = PacketPlaces()
    let length = end ?? storage.length
    var offset = start
    while let frame = next(&window, offset), frame.bytes > frame.lead, offset + Int64(frame.bytes) <= length,
      places.append(offset: offset + Int64(frame.lead), bytes: Int64(frame.bytes - frame.lead))
    {
      durations.append(count: 1, frames: frame.frames)
      offset += Int64(frame.bytes)
    }
    self.places = places
    dataOffset = places.extents.first?.offset ?? start
    dataBytes = places.byteCount
  }

  mutating func setAC3(_ storage: any PacketBytes, in range: Range<Int64>) {
    readFrames(storage, from: range.lowerBound, to: range.upperBound) { window, offset in
      AC3Header(&window, at: offset).map { Frame(bytes: Int($0.frameBytes), lead: 0, frames: 1_536) }
    }
  }
}

private struct ADTSHeader {
  let sampleRate: UInt32
  let frameBytes: Int
  let headerBytes: Int
  let blocks: Int
  let channelCount: UInt32?
  /// The same as MPEG-4's configuration.
  let config: [UInt8]

  init?(_ window: inout ByteWindow, at offset: Int64) {
    guard let head = window.bytes(at: offset, count: 7).map(Array.init), head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else {
      return nil
    }
    let rate = Int(head[2] >> 2 & 15)
    guard rate < AudioSpecificConfig.rates.count else { return nil }
    sampleRate = AudioSpecificConfig.rates[rate]
    headerBytes = head[1] & 1 == 1 ? 7 : 9
    frameBytes = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
    guard frameBytes > headerBytes else { return nil }
    blocks = Int(head[6] & 3) + 1
    let channels = (head[2] & 1) << 2 | head[3] >> 6
    // 0: the stream says it itself; two is what nearly all have then.
    channelCount = channels == 0 ? 2 : channels == 7 ? 8 : UInt32(channels)
    let profile = head[2] >> 6 + 1
    config = [profile << 3 | UInt8(rate) >> 1, UInt8(rate & 1) << 7 | channels << 3]
  }

  func isLike(_ other: ADTSHeader) -> Bool { sampleRate == other.sampleRate && config == other.config }
}

private struct AC3Header {
  let sampleRate: UInt32
  let frameBytes: Int64
  let channelCount: UInt32

  init?(_ window: inout ByteWindow, at offset: Int64) {
    guard let head = window.bytes(at: offset, count: 8).map(Array.init), head[0] == 0x0B, head[1] == 0x77 else {
      return nil
    }
    let (rate, size) = (Int(head[4] >> 6), Int(head[4] & 63))
    let rates: [UInt32] = [48_000, 44_100, 32_000]
    let kilobits: [Int64] = [
      32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]
    // Versions above 8 have other rates, above 10 another syntax.
    guard rate < 3, size < 38, head[5] >> 3 <= 8 else { return nil }
    sampleRate = rates[rate]
    let bits = kilobits[size / 2] * 1_000
    // 1536 frames of so many bits a second, in words of two bytes; of 44100 Hz every other frame has one more.
    let words = bits * 1_536 / Int64(sampleRate) / 16
    frameBytes = 2 * (rate == 1 && size & 1 == 1 ? words + 1 : words)
    let mode = Int(head[6] >> 5)
    var bits2 = BitReader(head[6...])
    _ = bits2.read(3)
    if mode & 1 != 0, mode != 1 { _ = bits2.read(2) }
    if mode & 4 != 0 { _ = bits2.read(2) }
    if mode == 2 { _ = bits2.read(2) }
    let counts: [UInt32] = [2, 1, 2, 3, 3, 4, 4, 5]
    channelCount = counts[mode] + bits2.read(1)
  }
}
