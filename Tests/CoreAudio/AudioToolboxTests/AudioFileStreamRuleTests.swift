import AudioCore
import AudioToolbox
import CoreFoundation
import SoundFile
import TestSupport
import Testing

/// Seeks, discontinuities, errors, and what the client may do in its functions.
@Suite("File streams seek, recover and refuse as documented")
struct AudioFileStreamRuleTests {
  private static func file(_ name: String) throws -> StreamedFile {
    try #require((try StreamedFile.plain() + StreamedFile.coded()).first { $0.name == name })
  }

  /// The place of the sound.
  private static func dataOffset(_ client: StreamClient) throws -> Int {
    Int(try #require(client.value(kAudioFileStreamProperty_DataOffset, Int64(0))))
  }

  @Test(
    "a seek says the exact place of a packet where sizes or a table say it",
    arguments: [
      "wav pcm16", "rf64 pcm16", "aiff pcm24", "caf float32", "au ulaw", "wav imaADPCM", "alac", "mpeg4",
    ])
  func exactSeek(_ name: String) throws {
    let file = try Self.file(name)
    let whole = try StreamClient()
    whole.parse(file.bytes)
    let count = whole.told.packets.count
    let client = try StreamClient()
    #expect(client.seek(0).status == kAudioFileStreamError_DataUnavailable)
    // Half of it, so that a packet is cut.
    client.parse(file.bytes[..<(file.bytes.count / 2 + 1)], sizes: [977])
    let start = try Self.dataOffset(client)
    for packet in [0, 1, count / 2, count - 1] {
      let place = client.seek(Int64(packet))
      #expect(place.status == 0 && !place.isEstimated)
      client.told.packets = []
      // A flag that says so changes nothing.
      client.parse(
        file.bytes[(start + Int(place.offset))...], sizes: [977], flags: packet % 2 == 0 ? .discontinuity : [])
      #expect(
        client.told.status == 0 && client.told.packets == Array(whole.told.packets[packet...]), "packet \(packet)")
    }
    #expect(client.seek(-1).status == kAudioFileStreamError_InvalidPacketOffset)
    #expect(client.seek(Int64(count) + 1).status == kAudioFileStreamError_InvalidPacketOffset)
    #expect(client.seek(.max).status == kAudioFileStreamError_InvalidPacketOffset)
  }

  @Test(
    "a seek among frames is an estimate, and goes on with the next whole frame",
    arguments: [
      "mp3", "mp3 behind a tag", "adts", "ac3", "loas", "long flac",
    ])
  func estimatedSeek(_ name: String) throws {
    let file = try Self.file(name)
    let whole = try StreamClient()
    whole.parse(file.bytes)
    let client = try StreamClient()
    client.parse(file.bytes, sizes: [1_000])
    let start = try Self.dataOffset(client)
    var found = Set<Int>()
    for packet in stride(from: 1, to: whole.told.packets.count - 2, by: 3) {
      let place = client.seek(Int64(packet))
      #expect(place.status == 0 && place.isEstimated)
      client.told.packets = []
      guard start + Int(place.offset) < file.bytes.count else { continue }
      client.parse(file.bytes[(start + Int(place.offset))...], sizes: [313])
      let count = client.told.packets.count
      #expect(client.told.packets == Array(whole.told.packets.suffix(count)), "packet \(packet)")
      found.insert(count)
    }
    #expect(found.count > 2, "\(found)")
    // The first packet is no estimate.
    let first = client.seek(0)
    #expect(first.status == 0 && !first.isEstimated)
    client.told.packets = []
    client.parse(file.bytes[(start + Int(first.offset))...])
    #expect(client.told.packets == whole.told.packets)
  }

  @Test("behind a discontinuity frames are found again", arguments: ["mp3", "adts", "ac3", "loas", "long flac"])
  func recovery(_ name: String) throws {
    let file = try Self.file(name)
    let whole = try StreamClient()
    whole.parse(file.bytes)
    let client = try StreamClient()
    let (one, other) = (file.bytes.count / 3 + 5, file.bytes.count / 2 + 11)
    client.parse(file.bytes[..<one], sizes: [500])
    let before = client.told.packets.count
    #expect(client.told.packets == Array(whole.told.packets.prefix(before)))
    client.parse(file.bytes[other...], sizes: [501], flags: .discontinuity)
    let after = client.told.packets.count - before
    #expect(before > 2 && after > 2)
    #expect(Array(client.told.packets.suffix(after)) == Array(whole.told.packets.suffix(after)))
  }

  @Test("packets of a table cannot be found again without a seek; samples go on with the next byte")
  func lostPlaces() throws {
    let table = try Self.file("alac")
    let client = try StreamClient()
    client.parse(table.bytes[..<(table.bytes.count / 2)])
    #expect(
      client.parse(table.bytes[100..<200], flags: .discontinuity) == kAudioFileStreamError_DiscontinuityCantRecover)
    #expect(client.parse(table.bytes[200..<300]) == kAudioFileStreamError_DiscontinuityCantRecover)
    #expect(client.seek(0).status == 0)
    #expect(client.parse(table.bytes[try Self.dataOffset(client)...]) == 0)
    // In the header nothing can be found again.
    let other = try StreamClient()
    other.parse(table.bytes[..<20], flags: .discontinuity)
    #expect(other.told.status == 0)
    #expect(other.parse(table.bytes[30...], flags: .discontinuity) == kAudioFileStreamError_DiscontinuityCantRecover)
    #expect(other.parse(table.bytes) == kAudioFileStreamError_DiscontinuityCantRecover)
    let plain = StreamedFile.wave()
    let samples = try StreamClient()
    // 44 bytes of header, a frame of four and half of another.
    samples.parse(plain.bytes[..<50])
    samples.parse(plain.bytes[84..<92], flags: .discontinuity)
    #expect(
      samples.told.packets == [Array(plain.bytes[44..<48]), Array(plain.bytes[84..<88]), Array(plain.bytes[88..<92])])
  }

  @Test("what is no sound file, or describes itself too late, is refused with its own number")
  func refusals() throws {
    func status(_ bytes: [UInt8], hint: AudioFileTypeID = 0) throws -> OSStatus {
      let client = try StreamClient(hint: hint)
      let answer = client.parse(bytes, sizes: [4_000])
      #expect(client.told.packets.isEmpty)
      // The next bytes do not mend it.
      #expect(client.parse(bytes) == answer)
      return answer
    }
    let text = Array("this is no sound, ".utf8)
    #expect(
      try status((0..<40_000).flatMap { _ in text }) == kAudioFileStreamError_UnsupportedFileType)
    #expect(try status(Array("OggS".utf8) + text) == kAudioFileStreamError_UnsupportedFileType)
    #expect(try status(try StreamedFile.mpeg4(movieFirst: false).bytes) == kAudioFileStreamError_NotOptimized)
    // The format behind the sound.
    let wave = StreamedFile.wave().bytes
    var turned = Array(wave[..<12])
    turned += wave[36...]
    turned += wave[12..<36]
    #expect(try status(turned) == kAudioFileStreamError_NotOptimized)
    #expect(
      try status(StreamedFile.lossless(tableFirst: false).bytes) == kAudioFileStreamError_NotOptimized)
    // A WAVE file of a codec whose packets nothing tells apart.
    var vorbis = wave
    vorbis[20] = 0x4F
    vorbis[21] = 0x67
    vorbis[32] = 0
    vorbis[33] = 0
    #expect(try status(vorbis) == kAudioFileStreamError_UnsupportedDataFormat)
  }

  @Test("a header of unknown length is streamed to its end, and its properties say so")
  func openLength() throws {
    var wave = StreamedFile.wave().bytes
    for index in 40..<44 { wave[index] = 0xFF }
    for index in 4..<8 { wave[index] = 0xFF }
    let client = try StreamClient()
    client.parse(wave, sizes: [3_000])
    #expect(client.told.packets.count == 20_001)
    let stream = try #require(client.stream)
    var (size, value) = (UInt32(8), UInt64(0))
    for id in [
      kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
      kAudioFileStreamProperty_PacketTableInfo,
    ] {
      #expect(AudioFileStreamGetProperty(stream, id, &size, &value) == kAudioFileStreamError_ValueUnknown)
    }
    #expect(client.seek(1 << 30).offset == 4 << 30)
  }

  @Test("properties are read, sized and refused as documented")
  func properties() throws {
    let client = try StreamClient()
    let stream = try #require(client.stream)
    var (size, value) = (UInt32(4), UInt32(7))
    var isWritable: DarwinBoolean = true
    #expect(
      AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_ReadyToProducePackets, &size, &value) == 0
        && value == 0)
    #expect(
      AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_FileFormat, &size, &value)
        == kAudioFileStreamError_DataUnavailable)
    #expect(AudioFileStreamGetProperty(stream, 1, &size, &value) == kAudioFileStreamError_UnsupportedProperty)
    client.parse(StreamedFile.wave().bytes[..<40])
    #expect(client.told.properties.isEmpty)
    client.parse(StreamedFile.wave().bytes[40...])
    #expect(
      AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_ReadyToProducePackets, &size, &value) == 0
        && value == 1)
    #expect(
      AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_DataFormat, &size, &isWritable) == 0 && size == 40
        && !isWritable.boolValue)
    size = 39
    var format = AudioStreamBasicDescription()
    #expect(
      AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &format)
        == kAudioFileStreamError_BadPropertySize)
    #expect(
      AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_MagicCookieData, &size, nil)
        == kAudioFileStreamError_ValueUnknown)
    #expect(
      AudioFileStreamSetProperty(stream, kAudioFileStreamProperty_BitRate, 4, &value)
        == kAudioFileStreamError_IllegalOperation)
    #expect(AudioFileStreamSetProperty(stream, 1, 4, &value) == kAudioFileStreamError_UnsupportedProperty)
    var translation = AudioBytePacketTranslation()
    translation.mPacket = 5
    size = UInt32(MemoryLayout<AudioBytePacketTranslation>.size)
    #expect(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_PacketToByte, &size, &translation) == 0)
    #expect(translation.mByte == 20 && translation.mFlags == [])
    var frames = AudioFramePacketTranslation()
    frames.mFrame = 9
    size = UInt32(MemoryLayout<AudioFramePacketTranslation>.size)
    #expect(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_FrameToPacket, &size, &frames) == 0)
    #expect(frames.mPacket == 9)
    var object: Unmanaged<CFDictionary>?
    size = 8
    #expect(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_InfoDictionary, &size, &object) == 0)
    #expect(object?.takeRetainedValue() != nil)
    let estimated = try StreamClient()
    estimated.parse(try Self.file("adts").bytes)
    size = UInt32(MemoryLayout<AudioBytePacketTranslation>.size)
    let frameStream = try #require(estimated.stream)
    #expect(AudioFileStreamGetProperty(frameStream, kAudioFileStreamProperty_PacketToByte, &size, &translation) == 0)
    #expect(translation.mFlags == .bytePacketTranslationFlag_IsEstimate && translation.mByte > 0)
    #expect(client.close() == 0 && AudioFileStreamClose(stream) == kAudio_ParamError)
  }

  @Test("inside of its functions the client may ask, seek and close; parsing is refused there")
  func reentrancy() throws {
    let file = StreamedFile.wave()
    let client = try StreamClient()
    var statuses: [OSStatus] = []
    client.onPackets = { _ in
      client.onPackets = { _ in }
      guard let stream = client.stream else { return }
      statuses.append(AudioFileStreamParseBytes(stream, 4, file.bytes, []))
      statuses.append(client.seek(20_000).status)
    }
    // The rest of the bytes belongs to the place before the seek, and is dropped.
    #expect(client.parse(file.bytes) == 0)
    #expect(statuses == [kAudioFileStreamError_IllegalOperation, 0])
    let count = client.told.packets.count
    #expect(count < 20_001)
    client.parse(file.bytes[(44 + 80_000)...])
    #expect(client.told.packets.count == count + 1 && client.told.packets.last == file.bytes.suffix(4))
    for place in ["dfmt", "redy", "packets"] {
      let closed = try StreamClient()
      closed.onProperty = { id in
        if "\(AudioCore.FourCharCode(rawValue: id))" == place { #expect(closed.close() == 0) }
      }
      closed.onPackets = { _ in if place == "packets" { #expect(closed.close() == 0) } }
      let stream = try #require(closed.stream)
      #expect(AudioFileStreamParseBytes(stream, UInt32(file.bytes.count), file.bytes, []) == 0)
      #expect(closed.stream == nil && AudioFileStreamParseBytes(stream, 0, nil, []) == kAudio_ParamError)
      let last = closed.told.properties.last ?? ""
      #expect(place == "packets" ? !closed.told.packets.isEmpty : last.hasPrefix(place) && closed.told.packets.isEmpty)
    }
  }

  @Test("several threads may use one stream: one parses, the others ask and seek")
  func threads() async throws {
    let file = try Self.file("adts")
    let client = try StreamClient()
    let address = UInt(bitPattern: client.stream)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          guard let stream = OpaquePointer(bitPattern: address) else { return }
          for _ in 0..<2_000 {
            var (size, mean) = (UInt32(8), 0.0)
            _ = AudioFileStreamGetProperty(
              stream, kAudioFileStreamProperty_AverageBytesPerPacket, &size, &mean)
          }
        }
      }
      for _ in 0..<20 {
        client.parse(file.bytes, sizes: [311])
        _ = client.seek(0)
      }
    }
    #expect(client.told.packets.count == 40 * 20)
  }
}
