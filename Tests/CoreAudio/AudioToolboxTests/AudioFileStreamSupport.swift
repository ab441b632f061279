// A client of a file stream that writes down all that it is told, and files to stream.

import AudioCore
import AudioToolbox
import PacketFiles
import SoundFile
import TestSupport
import Testing

/// All that a stream tells.
final class StreamClient {
  struct Told: Equatable {
    /// Properties in order, with their values; objects without.
    var properties: [String] = []
    var packets: [[UInt8]] = []
    var frames: [UInt32] = []
    /// The last answer of the parser, and whether packets came before it was ready.
    var status: OSStatus = 0
    var isEarly = false
  }

  var told = Told()
  private(set) var stream: AudioFileStreamID?
  /// Called with each property, and with each call that has packets.
  var onProperty: (AudioFileStreamPropertyID) -> Void = { _ in }
  var onPackets: (UInt32) -> Void = { _ in }

  init(hint: AudioFileTypeID = 0) throws {
    let opened = AudioFileStreamOpen(
      Unmanaged.passUnretained(self).toOpaque(),
      { data, stream, id, flags in
        let client = Unmanaged<StreamClient>.fromOpaque(data).takeUnretainedValue()
        #expect(flags.pointee.contains(.propertyIsCached))
        client.note(id, of: stream)
        client.onProperty(id)
      },
      { data, bytes, count, memory, descriptions in
        let client = Unmanaged<StreamClient>.fromOpaque(data).takeUnretainedValue()
        client.note(UnsafeRawBufferPointer(start: memory, count: Int(bytes)), count, descriptions)
        client.onPackets(count)
      }, hint, &stream)
    try #require(opened == 0)
  }

  deinit { if let stream { AudioFileStreamClose(stream) } }

  private static let objects = [kAudioFileStreamProperty_InfoDictionary]

  private func note(_ id: AudioFileStreamPropertyID, of stream: AudioFileStreamID) {
    let name = "\(AudioCore.FourCharCode(rawValue: id))"
    var size = UInt32(0)
    #expect(AudioFileStreamGetPropertyInfo(stream, id, &size, nil) == 0)
    guard !Self.objects.contains(id) else { return told.properties.append(name) }
    told.properties.append("\(name) \(property(id) ?? [])")
    #expect(property(id)?.count == Int(size))
  }

  private func note(
    _ bytes: UnsafeRawBufferPointer, _ count: UInt32, _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
  ) {
    if value(kAudioFileStreamProperty_ReadyToProducePackets, UInt32(0)) != 1 { told.isEarly = true }
    guard let descriptions else {
      let size = bytes.count / max(1, Int(count))
      #expect(size * Int(count) == bytes.count)
      for index in 0..<Int(count) { told.packets.append(Array(bytes[index * size..<(index + 1) * size])) }
      return
    }
    for index in 0..<Int(count) {
      let start = Int(descriptions[index].mStartOffset)
      told.packets.append(Array(bytes[start..<start + Int(descriptions[index].mDataByteSize)]))
      told.frames.append(descriptions[index].mVariableFramesInPacket)
    }
  }

  /// The value of a property; nil where it is not to be had.
  func property(_ id: AudioFileStreamPropertyID) -> [UInt8]? {
    guard let stream else { return nil }
    var size = UInt32(65_536)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    guard AudioFileStreamGetProperty(stream, id, &size, &bytes) == 0 else { return nil }
    return Array(bytes.prefix(Int(size)))
  }

  func value<T: BitwiseCopyable>(_ id: AudioFileStreamPropertyID, _ initial: T) -> T? {
    property(id).flatMap {
      $0.count == MemoryLayout<T>.size ? $0.withUnsafeBytes { $0.loadUnaligned(as: T.self) } : nil
    }
  }

  /// Passes bytes in pieces of `sizes`, which begin anew at their end; empty: in one piece.
  /// - Returns: the first answer that is no success, or 0.
  @discardableResult
  func parse(_ bytes: some Collection<UInt8>, sizes: [Int] = [], flags: AudioFileStreamParseFlags = []) -> OSStatus {
    let bytes = Array(bytes)
    var (place, piece) = (0, 0)
    var flags = flags
    repeat {
      let count = sizes.isEmpty ? bytes.count : min(sizes[piece % sizes.count], bytes.count - place)
      guard let stream else { return -1 }
      told.status = AudioFileStreamParseBytes(stream, UInt32(count), Array(bytes[place..<place + count]), flags)
      if told.status != 0 { return told.status }
      flags = []
      place += count
      piece += 1
    } while place < bytes.count
    return 0
  }

  func seek(_ packet: Int64) -> (status: OSStatus, offset: Int64, isEstimated: Bool) {
    guard let stream else { return (-1, 0, false) }
    var offset: Int64 = -1
    var flags: AudioFileStreamSeekFlags = []
    let status = AudioFileStreamSeek(stream, packet, &offset, &flags)
    return (status, offset, flags.contains(.offsetIsEstimated))
  }

  func close() -> OSStatus {
    defer { stream = nil }
    return stream.map { AudioFileStreamClose($0) } ?? -1
  }
}

/// A sound file in memory.
struct StreamedFile: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  var testDescription: String { name }

  init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

  private static func encoded(
    _ name: String, _ format: SoundFileFormat, channels: Int = 2, frames: Int = 20_001, rate: Double = 44_100,
    metadata: SoundFileMetadata = SoundFileMetadata()
  ) throws -> StreamedFile {
    let folder = TemporaryFolder()
    try encode(folder.file(name), format, noise(channels, frames: frames), rate: rate, metadata: metadata)
    return StreamedFile(name, TestSupport.bytes(ofFile: folder.file(name)))
  }

  /// Plain samples and G.711.
  static func plain() throws -> [StreamedFile] {
    let plain: [(SoundFileContainer, SoundFileEncoding)] = [
      (.wav, .pcmU8), (.wav, .pcm16), (.wav, .pcm24), (.wav, .float32), (.wav, .float64), (.wav, .ulaw), (.wav, .alaw),
      (.rf64, .pcm16), (.w64, .pcm24), (.aiff, .pcmS8), (.aiff, .pcm16), (.aiff, .pcm24), (.aiff, .float32),
      (.aiff, .ulaw), (.caf, .pcm16), (.caf, .pcm24), (.caf, .float32), (.caf, .ulaw), (.au, .pcm16), (.au, .ulaw),
    ]
    return try plain.map { container, encoding in
      try encoded("\(container) \(encoding)", SoundFileFormat(container: container, encoding: encoding))
    }
  }

  /// Codecs in containers, and streams of frames.
  static func coded() throws -> [StreamedFile] {
    let coded: [(SoundFileContainer, SoundFileEncoding, Int)] = [
      (.wav, .imaADPCM, 2), (.wav, .msADPCM, 2), (.wav, .gsm610, 1), (.aiff, .imaADPCM, 2), (.flac, .pcm24, 1),
    ]
    var files = try coded.map { container, encoding, channels in
      try encoded(
        "\(container) \(encoding)", SoundFileFormat(container: container, encoding: encoding), channels: channels)
    }
    files.append(try encoded("long flac", SoundFileFormat(container: .flac, encoding: .pcm16), frames: 100_001))
    files.append(
      try encoded(
        "tagged flac", SoundFileFormat(container: .flac, encoding: .pcm16),
        metadata: SoundFileMetadata([.title: "Noise", .artist: "Nobody"])))
    let mp3 = try encoded("mp3", SoundFileFormat(container: .mp3, encoding: .mp3), channels: 2)
    files += [mp3, StreamedFile("mp3 behind a tag", id3(3_000) + mp3.bytes)]
    files.append(StreamedFile("adts", (1...40).flatMap { adts(50 + $0 * 7, seed: $0) }))
    files.append(StreamedFile("adts behind a tag", id3(700) + (1...40).flatMap { adts(350 - $0 * 7, seed: $0) }))
    files.append(StreamedFile("ac3", (1...20).flatMap { ac3($0 % 3 == 0, seed: $0) }))
    files.append(StreamedFile("amr", Array("#!AMR\n".utf8) + (0..<60).flatMap { amr(UInt8($0 % 8)) }))
    files.append(StreamedFile("loas", (1...30).flatMap { loas(60 + $0 * 3, seed: $0) }))
    return files + [try lossless(), try mpeg4(movieFirst: true)]
  }

  /// Samples of 16 bits and two channels behind the shortest header, which takes 44 bytes.
  static func wave() -> StreamedFile {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let sound = noiseBytes(80_004)
    let format =
      [1, 2].flatMap { little($0, 2) } + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
    let chunks = Array("fmt ".utf8) + little(16, 4) + format + Array("data".utf8) + little(sound.count, 4) + sound
    return StreamedFile(
      "hand-made wave", Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WAVE".utf8) + chunks)
  }

  static func id3(_ bytes: Int) -> [UInt8] {
    Array("ID3".utf8) + [4, 0, 0] + (0..<4).map { UInt8(bytes >> (21 - 7 * $0) & 127) }
      + [UInt8](repeating: 0, count: bytes)
  }

  /// Bytes that are no header.
  private static func content(_ count: Int, _ seed: Int) -> [UInt8] {
    noiseBytes(count, seed: UInt64(seed)).map { $0 & 0x7F }
  }

  static func adts(_ bytes: Int, seed: Int) -> [UInt8] {
    let length = bytes + 7
    return [
      0xFF, 0xF1, 1 << 6 | 4 << 2, 2 << 6 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
      UInt8(length & 7) << 5 | 0x1F, 0xFC,
    ] + content(bytes, seed)
  }

  static func ac3(_ isLonger: Bool, seed: Int) -> [UInt8] {
    [0x0B, 0x77, 0, 0, 1 << 6 | (isLonger ? 13 : 12), 8 << 3, 2 << 5, 0] + content(isLonger ? 410 : 408, seed)
  }

  static func amr(_ mode: UInt8) -> [UInt8] {
    [mode << 3 | 4] + content([12, 13, 15, 17, 19, 20, 26, 31][Int(mode)], Int(mode) + 1)
  }

  /// A frame with the configuration of AAC LC at 44100 Hz with two channels.
  static func loas(_ bytes: Int, seed: Int) -> [UInt8] {
    // Same configuration 0, version 0, same time 1, frames 0, program 0, layer 0; then 00010 0100 0010 000.
    let head: [UInt8] = [0b0010_0000, 0b0000_0000, 0b0010_0100, 0b0010_0000, 0]
    let length = head.count + bytes
    return [0x56, 0xE0 | UInt8(length >> 8), UInt8(length & 255)] + head + content(bytes, seed)
  }

  /// Apple Lossless with its table in front of the sound, or behind it.
  static func lossless(tableFirst: Bool = true) throws -> StreamedFile {
    let whole = try encoded("alac", SoundFileFormat(container: .caf, encoding: .alac16))
    var (others, sound, table) = ([UInt8](), [UInt8](), [UInt8]())
    var offset = 8
    while offset + 12 <= whole.bytes.count {
      let size = whole.bytes[offset + 4..<offset + 12].reduce(0) { $0 << 8 | Int($1) }
      let end = min(whole.bytes.count, offset + 12 + max(0, size))
      switch String(decoding: whole.bytes[offset..<offset + 4], as: UTF8.self) {
      case "data": sound = Array(whole.bytes[offset..<end])
      case "pakt": table = Array(whole.bytes[offset..<end])
      default: others += whole.bytes[offset..<end]
      }
      offset = end
    }
    return StreamedFile("alac", whole.bytes[..<8] + others + (tableFirst ? table + sound : sound + table))
  }

  /// The same packets in MPEG-4.
  static func mpeg4(movieFirst: Bool) throws -> StreamedFile {
    let storage = MemoryStorage(try lossless().bytes)
    var track = try #require(PacketFile(storage)?.tracks.first)
    let old = try #require(track.places)
    func movie(at start: Int64) throws -> [UInt8] {
      var places = PacketPlaces()
      for number in 0..<old.count {
        _ = places.append(offset: start + places.byteCount, bytes: Int64(try #require(old.place(of: number)).bytes))
      }
      track.places = places
      return try #require(MPEG4Writer.movie(track, texts: [("title", "Noise")]))
    }
    let content = try (0..<old.count).flatMap { number in
      let place = try #require(old.place(of: number))
      return try #require(storage.bytes(at: place.offset, count: Int(place.bytes)))
    }
    let beginning = MPEG4Writer.beginning(dataBytes: Int64(content.count))
    let first = try movie(at: MPEG4Writer.dataOffset)
    guard movieFirst else { return StreamedFile("mpeg4", beginning + content + first) }
    let brand = Int(beginning[3])
    let moved = try movie(at: MPEG4Writer.dataOffset + Int64(first.count))
    return StreamedFile("mpeg4", beginning[..<brand] + moved + beginning[brand...] + content)
  }
}
