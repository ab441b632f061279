import AudioCore
import AudioToolbox
import SoundFile
import TestSupport
import Testing

/// Packets of plain files, held against the bytes of the file and against libsndfile.
@Suite struct AudioFilePacketTests {
  static let plain: [(AudioFileTypeID, AudioStreamBasicDescription)] = [
    (kAudioFileWAVEType, pcm(.uint8)), (kAudioFileWAVEType, pcm(.int16)), (kAudioFileWAVEType, pcm(.int24)),
    (kAudioFileWAVEType, pcm(.int32)), (kAudioFileWAVEType, pcm(.float32)), (kAudioFileWAVEType, pcm(.float64)),
    (kAudioFileWAVEType, pcm(.int16, channels: 6)), (kAudioFileWAVEType, pcm(.int24, rate: 44_100, channels: 1)),
    (kAudioFileAIFFType, pcm(.int8, channels: 1)), (kAudioFileAIFFType, pcm(.int16.bigEndian)),
    (kAudioFileAIFFType, pcm(.int24.bigEndian)), (kAudioFileAIFFType, pcm(.int32.bigEndian)),
    (kAudioFileAIFCType, pcm(.int16.bigEndian)), (kAudioFileAIFCType, pcm(.int16)),
    (kAudioFileAIFCType, pcm(.int24.bigEndian)), (kAudioFileAIFCType, pcm(.float32.bigEndian)),
    (kAudioFileAIFCType, pcm(.float64.bigEndian)), (kAudioFileCAFType, pcm(.int8)), (kAudioFileCAFType, pcm(.int16)),
    (kAudioFileCAFType, pcm(.int16.bigEndian)), (kAudioFileCAFType, pcm(.int24)),
    (kAudioFileCAFType, pcm(.float32, channels: 5)), (kAudioFileCAFType, pcm(.float64.bigEndian)),
    (kAudioFileNextType, pcm(.int16.bigEndian)), (kAudioFileNextType, pcm(.float32.bigEndian)),
    (kAudioFileRF64Type, pcm(.int16)), (kAudioFileRF64Type, pcm(.float32)), (kAudioFileBW64Type, pcm(.int24)),
    (kAudioFileWave64Type, pcm(.int16)), (kAudioFileWave64Type, pcm(.float32, channels: 1)),
  ]

  @Test(arguments: plain.indices)
  func packetsAreTheBytesOfTheFileAndOfLibsndfile(_ index: Int) throws {
    let (type, format) = Self.plain[index]
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    // An odd number of frames: some containers pad.
    let frames = 1_001
    let size = Int(format.mBytesPerFrame)
    var sound = noiseBytes(frames * size, seed: UInt64(index))
    if format.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
      // Numbers, not whatever the noise says.
      for at in stride(from: 0, to: sound.count, by: Int(format.mBitsPerChannel / 8)) {
        sound[at + (format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 ? 0 : Int(format.mBitsPerChannel / 8) - 1)] =
          0x3E
      }
    }
    let (created, new) = createFile(path, type, format)
    try #require(created == 0)
    let file = try #require(new)
    for (start, count) in [(0, 600), (600, 401)] {
      var packets = UInt32(count)
      let part = Array(sound[start * size..<(start + count) * size])
      #expect(AudioFileWritePackets(file, false, UInt32(part.count), nil, Int64(start), &packets, part) == 0)
      #expect(packets == UInt32(count))
    }
    // It can be read before it is closed.
    #expect(readPackets(file, from: 599, count: 2).bytes == Array(sound[599 * size..<601 * size]))
    #expect(AudioFileClose(file) == 0)

    let info = try SoundFileReader(path: path).info
    #expect(info.frameCount == Int64(frames) && info.channelCount == Int(format.mChannelsPerFrame))
    #expect(info.sampleRate == format.mSampleRate && info.promisedFrames == nil)
    let stream = try #require(StreamFormat(format))
    let decoded = try decode(path)
    for (frame, channel) in [(0, 0), (599, 0), (1_000, info.channelCount - 1)] {
      let at = frame * size + channel * stream.encoding.containerBytes
      let expected = sample(Array(sound[at..<at + stream.encoding.containerBytes]), stream.encoding)
      #expect(decoded[channel][frame] == Float(expected))
    }

    let (opened, again) = openFile(path)
    try #require(opened == 0)
    let readable = try #require(again)
    defer { _ = AudioFileClose(readable) }
    #expect(try value(readable, kAudioFilePropertyFileFormat, UInt32(0)) == type)
    let described = try value(readable, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    #expect(StreamFormat(described) == stream && described.mFormatFlags == format.mFormatFlags)
    #expect(try value(readable, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == UInt64(frames))
    #expect(try value(readable, kAudioFilePropertyAudioDataByteCount, UInt64(0)) == UInt64(sound.count))
    let all = readPackets(readable, count: UInt32(frames))
    #expect(all.status == 0 && all.bytes == sound)
    let offset = Int(try value(readable, kAudioFilePropertyDataOffset, Int64(0)))
    #expect(Array(bytes(ofFile: path)[offset..<offset + sound.count]) == sound)
  }

  /// A sample by its definition, whatever the codec under test does.
  private func sample(_ bytes: [UInt8], _ encoding: SampleEncoding) -> Double {
    let ordered = encoding.isBigEndian ? bytes : bytes.reversed()
    let word = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch (encoding.kind, encoding.bits) {
    case (.float, 32): return Double(Float(bitPattern: UInt32(word)))
    case (.float, _): return Double(bitPattern: word)
    case (.unsignedInteger, _): return (Double(word) - 128) / 128
    default:
      let half = UInt64(1) << UInt64(encoding.bits - 1)
      return (word >= half ? Double(word) - Double(half) * 2 : Double(word)) / Double(half)
    }
  }

  /// Fewer packets, or none, are no error; fewer bytes are.
  @Test func theEndIsAnErrorForBytesAndNoneForPackets() throws {
    let folder = TemporaryFolder()
    let (_, new) = createFile(folder.file("a.wav"), kAudioFileWAVEType, pcm(.int16))
    let file = try #require(new)
    defer { _ = AudioFileClose(file) }
    let sound = noiseBytes(400)
    var packets: UInt32 = 100
    #expect(AudioFileWritePackets(file, false, 400, nil, 0, &packets, sound) == 0)
    for (start, count, room, got, status) in [
      (Int64(0), UInt32(100), UInt32(400), UInt32(100), OSStatus(0)), (90, 20, 400, 10, 0),
      (100, 1, 400, 0, 0), (1 << 40, 1, 400, 0, 0), (.max, .max, 400, 0, 0), (99, .max, 400, 1, 0), (0, 0, 400, 0, 0),
      (0, 100, 43, 10, 0), (0, 5, 3, 0, 0), (-1, 1, 400, 0, kAudioFileInvalidPacketOffsetError),
      (.min, 1, 400, 0, kAudioFileInvalidPacketOffsetError),
    ] {
      let answer = readPackets(file, from: start, count: count, room: room)
      #expect(answer.status == status && answer.packets == got && answer.bytes.count == Int(got) * 4)
      if got > 0 { #expect(answer.bytes == Array(sound[Int(start) * 4..<Int(start) * 4 + Int(got) * 4])) }
    }
    for (start, count, got, status) in [
      (Int64(0), UInt32(400), UInt32(400), OSStatus(0)), (3, 5, 5, 0), (396, 10, 4, kAudioFileEndOfFileError),
      (400, 1, 0, kAudioFileEndOfFileError), (-1, 1, 0, kAudioFilePositionError),
    ] {
      var size = count
      var bytes = [UInt8](repeating: 0, count: 400)
      #expect(AudioFileReadBytes(file, false, start, &size, &bytes) == status)
      #expect(size == got)
      if got > 0 { #expect(Array(bytes[..<Int(got)]) == Array(sound[Int(start)..<Int(start) + Int(got)])) }
    }
    // The old call has no size to go in, and ends in the same way; so do counts without memory.
    var (bytes, size) = ([UInt8](repeating: 0, count: 400), UInt32(0))
    for (start, count, got) in [(Int64(0), UInt32(100), UInt32(100)), (90, 100, 10), (100, 100, 0), (.max, 1, 0)] {
      packets = count
      #expect(AudioFileReadPackets(file, false, &size, nil, start, &packets, &bytes) == 0)
      #expect(size == got * 4 && packets == got)
      #expect(Array(bytes[..<Int(size)]) == Array(sound[(start < 100 ? Int(start) * 4 : 0)...].prefix(Int(size))))
      (packets, size) = (count, 400)
      #expect(AudioFileReadPacketData(file, false, &size, nil, start, &packets, nil) == 0)
      #expect(size == got * 4 && packets == got)
    }
  }

  /// As programs read that take any status but 0 for a failure: to the first read that gives nothing.
  @Test func aLoopOfReadsEndsWithoutAnError() throws {
    let folder = TemporaryFolder()
    for (container, type) in [(SoundFileContainer.wav, kAudioFileWAVEType), (.mp3, kAudioFileMP3Type)] {
      let path = folder.file("sound")
      try encode(path, .init(container: container), noise(2, frames: 10_000))
      let file = try #require(openFile(path).1)
      defer { _ = AudioFileClose(file) }
      #expect(try value(file, kAudioFilePropertyFileFormat, UInt32(0)) == type)
      let total = try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
      var (position, reads) = (Int64(0), 0)
      while true {
        var (packets, size) = (UInt32(7), UInt32(1 << 16))
        var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 7)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        try #require(AudioFileReadPacketData(file, false, &size, &descriptions, position, &packets, &bytes) == 0)
        if packets == 0 { break }
        position += Int64(packets)
        reads += 1
      }
      #expect(UInt64(position) == total && UInt64(reads) == (total + 6) / 7)
    }
  }

  /// Programs pass the number of packets as that of bytes, or nothing, or what their buffer holds: the packets decide.
  @Test func theCountOfPacketsSaysHowMuchIsWritten() throws {
    let folder = TemporaryFolder()
    let sound = noiseBytes(400)
    for (index, byteCount) in [UInt32(100), 0, 400, 1_000_000, .max].enumerated() {
      let path = folder.file("a\(index).wav")
      let file = try #require(createFile(path, kAudioFileWAVEType, pcm(.int16)).1)
      var packets: UInt32 = 100
      #expect(AudioFileWritePackets(file, false, byteCount, nil, 0, &packets, sound) == 0)
      #expect(packets == 100)
      #expect(AudioFileClose(file) == 0)
      #expect(Array(bytes(ofFile: path)[44...]) == sound)
    }
    // More bytes than a count of 32 bits can say, packets past the end, and none at all.
    let file = try #require(createFile(folder.file("b.wav"), kAudioFileWAVEType, pcm(.int16)).1)
    defer { _ = AudioFileClose(file) }
    for (start, count, status) in [
      (Int64(0), UInt32(1) << 30, OSStatus(-50)), (0, .max, -50), (1, 1, kAudioFileInvalidPacketOffsetError),
      (-1, 1, kAudioFileInvalidPacketOffsetError), (.max, 1, kAudioFileInvalidPacketOffsetError), (0, 0, 0),
    ] {
      var packets = count
      #expect(AudioFileWritePackets(file, false, 4, nil, start, &packets, sound) == status)
      #expect(packets == 0)
    }
    #expect(try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(9)) == 0)
  }

  @Test func aFileIsChangedWhereItLies() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.aiff")
    try encode(path, .init(container: .aiff, encoding: .pcm16), noise(1, frames: 100))
    let before = try decode(path)[0]
    let (status, opened) = openFile(path, .readWritePermission)
    try #require(status == 0)
    let file = try #require(opened)
    var packets: UInt32 = 2
    #expect(AudioFileWritePackets(file, false, 4, nil, 50, &packets, [0x40, 0, 0xC0, 0] as [UInt8]) == 0)
    packets = 1
    #expect(AudioFileWritePackets(file, false, 2, nil, 100, &packets, [0x20, 0] as [UInt8]) == 0)
    packets = 1
    #expect(AudioFileWritePackets(file, false, 2, nil, 102, &packets, [0, 0]) == kAudioFileInvalidPacketOffsetError)
    #expect(packets == 0)
    #expect(AudioFileClose(file) == 0)
    #expect(try decode(path)[0] == before[..<50] + [0.5, -0.5] + before[52...] + [0.25])
  }

  @Test func permissionsAreKept() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.wav")
    try encode(path, .init(container: .wav, encoding: .pcm16), noise(1, frames: 10))
    let reading = try #require(openFile(path).1)
    var count: UInt32 = 2
    #expect(AudioFileWriteBytes(reading, false, 0, &count, [0, 0]) == kAudioFilePermissionsError)
    #expect(AudioFileSetUserData(reading, 0x7465_7374, 0, 2, [0, 0]) == kAudioFilePermissionsError)
    #expect(AudioFileOptimize(reading) == kAudioFilePermissionsError)
    #expect(AudioFileClose(reading) == 0)
    let writing = try #require(openFile(path, .writePermission).1)
    #expect(readPackets(writing, count: 1).status == kAudioFilePermissionsError)
    count = 2
    #expect(AudioFileWriteBytes(writing, false, 0, &count, [0, 0x40] as [UInt8]) == 0)
    #expect(AudioFileClose(writing) == 0)
    #expect(try decode(path)[0][0] == 0.5)
    try encode(folder.file("a.flac"), .init(container: .flac), noise(1, frames: 10))
    #expect(openFile(folder.file("a.flac"), .readWritePermission).0 == kAudioFileOperationNotSupportedError)
  }

  @Test(arguments: [kAudioFileWAVEType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType])
  func logarithmicBytesAreTheirOwnPackets(_ type: AudioFileTypeID) throws {
    let folder = TemporaryFolder()
    for id in [kAudioFormatULaw, kAudioFormatALaw] {
      let path = folder.file("a\(id)")
      let file = try #require(createFile(path, type, coded(id, rate: 8_000, channels: 1)).1)
      let sound = noiseBytes(801)
      var packets: UInt32 = 801
      #expect(AudioFileWritePackets(file, false, 801, nil, 0, &packets, sound) == 0)
      #expect(AudioFileClose(file) == 0)
      let again = try #require(openFile(path).1)
      defer { _ = AudioFileClose(again) }
      let format = try value(again, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
      #expect(format.mFormatID == id && format.mBytesPerPacket == 1 && format.mFramesPerPacket == 1)
      #expect(readPackets(again, count: 801).bytes == sound)
      #expect(try decode(path)[0].count == 801)
    }
  }
}
