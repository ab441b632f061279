// Streams of frames without a container: AAC in ADTS and LOAS (ISO 14496-3, 1.A.2, 1.7), AC-3 (ETSI TS 102 366) and AMR
// (RFC 4867). They are walked from header to header, in a file as in what arrives piece by piece.

import AudioCore

/// A stream of frames by its beginning: what each packet is like, and where the frames begin.
package struct RawStream: Sendable {
  /// A frame of a stream: its bytes, and those of them that are no packet's.
  package struct Frame: Sendable {
    package let bytes: Int
    package let lead: Int
    package let frames: Int64
  }

  package let container: PacketFile.Container
  /// The track, without its packets.
  package let track: PacketTrack
  /// The place of the first frame.
  package let start: Int64
  /// Bytes of a frame that say how long it is.
  package let headerBytes: Int
  /// Bytes that no packet exceeds.
  package let largestPacket: UInt32
  private let read: @Sendable (ArraySlice<UInt8>) -> Frame?

  fileprivate init(
    _ container: PacketFile.Container, _ track: PacketTrack, start: Int64, headerBytes: Int, largestPacket: UInt32,
    _ read: @escaping @Sendable (ArraySlice<UInt8>) -> Frame?
  ) {
    (self.container, self.track, self.start, self.headerBytes) = (container, track, start, headerBytes)
    (self.largestPacket, self.read) = (largestPacket, read)
  }

  /// The frame whose first ``headerBytes`` bytes these are; nil where they are no header of this stream.
  package func frame(_ header: ArraySlice<UInt8>) -> Frame? {
    header.count >= headerBytes ? read(header).flatMap { $0.bytes > $0.lead ? $0 : nil } : nil
  }

  /// The stream that begins at `offset`, or behind the ID3 tags there; nil where it is none that is known here.
  package static func find(_ storage: any PacketBytes, at offset: Int64 = 0) -> RawStream? {
    amr(storage, at: offset) ?? adts(storage, at: offset) ?? ac3(storage, at: offset) ?? loas(storage, at: offset)
  }

  /// Bytes that ``find(_:at:)`` has to see to know a stream that begins with `head`; nil where none begins so.
  /// - Parameter head: at least ten bytes.
  package static func bytesToFind(_ head: ArraySlice<UInt8>) -> Int? {
    if head.starts(with: "#!AMR".utf8) { return 10 }
    if let header = ADTSHeader(head) { return header.frameBytes + ADTSHeader.size }
    if let header = AC3Header(head) { return Int(header.frameBytes) + AC3Header.size }
    return loasSize(head).map { $0 + 3 }
  }

  /// The frames of AC-3, for containers that say no more of them.
  package static func ac3Frame(_ header: ArraySlice<UInt8>) -> Frame? {
    AC3Header(header).map { Frame(bytes: Int($0.frameBytes), lead: 0, frames: 1_536) }
  }

  /// Bytes behind the ID3 tags of version 2 at a place.
  private static func tagEnd(_ storage: any PacketBytes, from start: Int64) -> Int64 {
    var offset = start
    for _ in 0..<16 {
      guard let head = storage.bytes(at: offset, count: 10), head.starts(with: "ID3".utf8),
        head[6...].allSatisfy({ $0 < 0x80 })
      else { break }
      offset += 10 + head[6...].reduce(Int64(0)) { $0 << 7 | Int64($1) } + (head[5] & 0x10 != 0 ? 10 : 0)
    }
    return offset
  }

  private static func head(_ storage: any PacketBytes, _ offset: Int64, _ count: Int) -> ArraySlice<UInt8>? {
    storage.bytes(at: offset, count: count)?[...]
  }

  /// AAC in ADTS. A packet is a frame without its header, as a decoder takes it; a frame that holds several blocks is
  /// one packet.
  private static func adts(_ storage: any PacketBytes, at offset: Int64) -> RawStream? {
    let start = tagEnd(storage, from: offset)
    func header(_ offset: Int64) -> ADTSHeader? { head(storage, offset, ADTSHeader.size).flatMap(ADTSHeader.init) }
    guard let first = header(start), let channels = first.channelCount else { return nil }
    // One header may be anything.
    let second = start + Int64(first.frameBytes)
    guard second == storage.length || header(second)?.isLike(first) ?? false else { return nil }
    var format = PacketFormat("aac ", sampleRate: Double(first.sampleRate), channelCount: channels)
    format.framesPerPacket = 1_024
    var track = PacketTrack(format)
    track.cookie = ElementaryStream.descriptor(first.config)
    track.layout = AudioSpecificConfig(first.config)?.layout ?? []
    return RawStream(.adts, track, start: start, headerBytes: ADTSHeader.size, largestPacket: 8_184) { bytes in
      guard let header = ADTSHeader(bytes), header.isLike(first) else { return nil }
      return Frame(bytes: header.frameBytes, lead: header.headerBytes, frames: Int64(1_024 * header.blocks))
    }
  }

  /// Bytes of a frame of LOAS.
  private static func loasSize(_ head: ArraySlice<UInt8>) -> Int? {
    let head = Array(head.prefix(3))
    guard head.count == 3, head[0] == 0x56, head[1] & 0xE0 == 0xE0 else { return nil }
    return 3 + Int(head[1] & 0x1F) << 8 + Int(head[2])
  }

  /// AAC in LATM packets with a sync word. A packet is a multiplexed frame without its three bytes of sync.
  private static func loas(_ storage: any PacketBytes, at offset: Int64) -> RawStream? {
    guard let first = head(storage, offset, 3).flatMap(loasSize), first > 8,
      let frame = storage.bytes(at: offset + 3, count: min(first - 3, 64)),
      offset + Int64(first) == storage.length || head(storage, offset + Int64(first), 3).flatMap(loasSize) != nil
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
    let frames = Int64(config.framesPerPacket)
    return RawStream(.loas, track, start: offset, headerBytes: 3, largestPacket: 8_191) { bytes in
      loasSize(bytes).map { Frame(bytes: $0, lead: 3, frames: frames) }
    }
  }

  private static func ac3(_ storage: any PacketBytes, at offset: Int64) -> RawStream? {
    guard let first = head(storage, offset, AC3Header.size).flatMap(AC3Header.init),
      offset + first.frameBytes == storage.length
        || head(storage, offset + first.frameBytes, AC3Header.size).flatMap(AC3Header.init) != nil
    else { return nil }
    var format = PacketFormat("ac-3", sampleRate: Double(first.sampleRate), channelCount: first.channelCount)
    format.framesPerPacket = 1_536
    return RawStream(
      .ac3, PacketTrack(format), start: offset, headerBytes: AC3Header.size, largestPacket: 3_840, ac3Frame)
  }

  private static func amr(_ storage: any PacketBytes, at offset: Int64) -> RawStream? {
    guard let head = storage.bytes(at: offset, count: 6), head.starts(with: "#!AMR".utf8) else { return nil }
    let isWide = storage.bytes(at: offset, count: 9)?.elementsEqual("#!AMR-WB\n".utf8) ?? false
    guard isWide || head[5] == 10 else { return nil }
    let sizes =
      isWide
      ? [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 0, 0, 0, 0, 0, 0]
      : [12, 13, 15, 17, 19, 20, 26, 31, 5, 0, 0, 0, 0, 0, 0, 0]
    var format = PacketFormat(isWide ? "sawb" : "samr", sampleRate: isWide ? 16_000 : 8_000, channelCount: 1)
    format.framesPerPacket = isWide ? 320 : 160
    let frames = Int64(format.framesPerPacket)
    return RawStream(
      .amr, PacketTrack(format), start: offset + (isWide ? 9 : 6), headerBytes: 1, largestPacket: 61
    ) { bytes in
      bytes.first.map { Frame(bytes: 1 + sizes[Int($0 >> 3 & 15)], lead: 0, frames: frames) }
    }
  }
}

extension PacketFile {
  /// A file that is a stream of frames.
  static func raw(_ storage: any PacketBytes) -> PacketFile? {
    guard let stream = RawStream.find(storage) else { return nil }
    var track = stream.track
    track.readFrames(storage, from: stream.start, headerBytes: stream.headerBytes, stream.frame)
    return PacketFile(stream.container, [track])
  }
}

extension PacketTrack {
  /// Walks over frames to the first place where there is none; a last one that is cut short is none.
  fileprivate mutating func readFrames(
    _ storage: any PacketBytes, from start: Int64, to end: Int64? = nil, headerBytes: Int,
    _ next: (ArraySlice<UInt8>) -> RawStream.Frame?
  ) {
    var window = ByteWindow(storage)
    var places = PacketPlaces()
    let length = end ?? storage.length
    var offset = start
    while let frame = window.bytes(at: offset, count: headerBytes).flatMap(next), frame.bytes > frame.lead,
      offset + Int64(frame.bytes) <= length,
      places.append(offset: offset + Int64(frame.lead), bytes: Int64(frame.bytes - frame.lead))
    {
      durations.append(count: 1, frames: frame.frames)
      offset += Int64(frame.bytes)
    }
    self.places = places
    dataOffset = start
    dataBytes = places.byteCount
  }

  mutating func setAC3(_ storage: any PacketBytes, in range: Range<Int64>) {
    readFrames(
      storage, from: range.lowerBound, to: range.upperBound, headerBytes: AC3Header.size, RawStream.ac3Frame)
  }
}

private struct ADTSHeader {
  static let size = 7
  let sampleRate: UInt32
  let frameBytes: Int
  let headerBytes: Int
  let blocks: Int
  let channelCount: UInt32?
  /// The same as MPEG-4's configuration.
  let config: [UInt8]

  init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(Self.size))
    guard head.count == Self.size, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
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
  static let size = 8
  let sampleRate: UInt32
  let frameBytes: Int64
  let channelCount: UInt32

  init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(Self.size))
    guard head.count == Self.size, head[0] == 0x0B, head[1] == 0x77 else { return nil }
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
