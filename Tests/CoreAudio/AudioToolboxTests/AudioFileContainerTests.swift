import AudioCore
import AudioToolbox
import PacketFiles
import SoundFile
import TestSupport
import Testing

/// Files that are read packet by packet: MPEG-4, and codecs without a decoder.
@Suite struct AudioFileContainerTests {
  private let folder = TemporaryFolder()

  /// The packets of Apple Lossless that libsndfile has written to a CAF file, as they are and in an m4a file.
  private func losslessFiles(frames: Int, trim: PacketTrack.Trim) throws -> (caf: String, m4a: String) {
    let caf = folder.file("a.caf")
    try encode(caf, SoundFileFormat(container: .caf, encoding: .alac16), noise(2, frames: frames), rate: 44_100)
    let storage = MemoryStorage(bytes(ofFile: caf))
    var track = try #require(PacketFile(storage)?.tracks.first)
    let old = try #require(track.places)
    var places = PacketPlaces()
    var content: [UInt8] = []
    for number in 0..<old.count {
      let place = try #require(old.place(of: number))
      content += try #require(storage.bytes(at: place.offset, count: Int(place.bytes)))
      _ = places.append(offset: MPEG4Writer.dataOffset + places.byteCount, bytes: Int64(place.bytes))
    }
    track.places = places
    track.trim = trim
    track.durations = PacketDurations()
    track.durations.append(count: Int64(frames / 4_096), frames: 4_096)
    track.durations.append(count: 1, frames: Int64(frames % 4_096))
    let movie = try #require(MPEG4Writer.movie(track, texts: [("title", "Noise"), ("artist", "Nobody")]))
    return (caf, folder.write(MPEG4Writer.beginning(dataBytes: Int64(content.count)) + content + movie, to: "a.m4a"))
  }

  @Test func packetsOfMPEG4AreThoseOfCAF() throws {
    let trim = PacketTrack.Trim(priming: 100, valid: 20_000, remainder: 0)
    let paths = try losslessFiles(frames: 20_500, trim: trim)
    let caf = try #require(openFile(paths.caf).1)
    let file = try #require(openFile(paths.m4a).1)
    #expect(try value(file, kAudioFilePropertyFileFormat, UInt32(0)) == kAudioFileM4AType)
    let format = try value(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    let other = try value(caf, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    #expect(format.mFormatID == kAudioFormatAppleLossless && format.mFormatFlags == 1)
    #expect(format.mFramesPerPacket == other.mFramesPerPacket && format.mSampleRate == 44_100)
    let whole = readPackets(caf, count: 100)
    let same = readPackets(file, count: 100)
    #expect(same.packets == 6 && same.bytes == whole.bytes && !same.bytes.isEmpty)
    #expect(try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 6)
    #expect(try value(file, kAudioFilePropertyAudioDataByteCount, UInt64(0)) == UInt64(whole.bytes.count))
    #expect(
      try value(file, kAudioFilePropertyMaximumPacketSize, UInt32(0))
        == value(caf, kAudioFilePropertyMaximumPacketSize, UInt32(0)))
    let info = try value(file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
    #expect(
      info.mPrimingFrames == 100 && info.mNumberValidFrames == 20_000 && info.mRemainderFrames == 6 * 4_096 - 20_100)
    #expect(abs(try value(file, kAudioFilePropertyEstimatedDuration, 0.0) - 20_000 / 44_100.0) < 1e-9)
    // The same cookie.
    func cookie(_ file: AudioFileID) -> [UInt8] {
      var (size, bytes) = (UInt32(100), [UInt8](repeating: 0, count: 100))
      guard AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, &bytes) == 0 else { return [] }
      return Array(bytes.prefix(Int(size)))
    }
    #expect(cookie(file) == cookie(caf) && cookie(file).count >= 24)
    // Bytes are counted packet by packet.
    var (count, read) = (UInt32(50), [UInt8](repeating: 0, count: 50))
    #expect(AudioFileReadBytes(file, false, 1_000, &count, &read) == 0)
    #expect(read == Array(whole.bytes[1_000..<1_050]))
    #expect(AudioFileClose(file) == 0 && AudioFileClose(caf) == 0)
  }

  @Test func packetsAreDescribedAndTranslated() throws {
    let paths = try losslessFiles(frames: 20_500, trim: PacketTrack.Trim(priming: 0, valid: 20_500, remainder: 0))
    let file = try #require(openFile(paths.m4a).1)
    var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 4)
    var (packets, size) = (UInt32(4), UInt32(1 << 20))
    var room = [UInt8](repeating: 0, count: 1 << 20)
    #expect(AudioFileReadPacketData(file, false, &size, &descriptions, 2, &packets, &room) == 0)
    #expect(packets == 4)
    #expect(descriptions.reduce(0) { $0 + $1.mDataByteSize } == size)
    for (index, description) in descriptions.enumerated() where index > 0 {
      #expect(
        description.mStartOffset == descriptions[index - 1].mStartOffset + Int64(descriptions[index - 1].mDataByteSize))
    }
    // Room for less than two.
    (packets, size) = (4, descriptions[0].mDataByteSize + 1)
    #expect(AudioFileReadPacketData(file, false, &size, &descriptions, 2, &packets, &room) == 0)
    #expect(packets == 1 && size == descriptions[0].mDataByteSize)
    var (translation, bytes) = (AudioBytePacketTranslation(), UInt32(MemoryLayout<AudioBytePacketTranslation>.size))
    translation.mPacket = 3
    #expect(AudioFileGetProperty(file, kAudioFilePropertyPacketToByte, &bytes, &translation) == 0)
    translation.mByte += 5
    translation.mPacket = 0
    #expect(AudioFileGetProperty(file, kAudioFilePropertyByteToPacket, &bytes, &translation) == 0)
    #expect(translation.mPacket == 3 && translation.mByteOffsetInPacket == 5)
    // At the end there are none, and that is no error.
    (packets, size) = (4, 1 << 20)
    #expect(AudioFileReadPacketData(file, false, &size, nil, 6, &packets, &room) == 0)
    #expect(packets == 0 && size == 0)
    (packets, size) = (4, 1 << 20)
    #expect(AudioFileReadPacketData(file, false, &size, nil, Int64.max, &packets, &room) == 0)
    #expect(AudioFileClose(file) == 0)
  }

  @Test func anExtendedFileReadsWhatTheEditListLeaves() throws {
    let trim = PacketTrack.Trim(priming: 100, valid: 20_000, remainder: 0)
    let paths = try losslessFiles(frames: 20_500, trim: trim)
    var opened: ExtAudioFileRef?
    #expect(ExtAudioFileOpenURL(makeURL(paths.m4a), &opened) == 0)
    let file = try #require(opened)
    var client = pcm(.int16, rate: 44_100)
    #expect(
      ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &client)
        == 0)
    var (length, size) = (Int64(0), UInt32(8))
    #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length) == 0)
    #expect(length == 20_000)
    let buffer = InterleavedBuffer(byteCount: 30_000 * 4, channels: 2)
    var frames = UInt32(30_000)
    #expect(buffer.withList { ExtAudioFileRead(file, &frames, $0) }.0 == 0)
    #expect(frames == 20_000)
    let whole = try decode(paths.caf)
    for frame in [0, 1, 9_999, 19_999] {
      let sample = Int16(truncatingIfNeeded: Int(buffer.bytes[frame * 4]) | Int(buffer.bytes[frame * 4 + 1]) << 8)
      #expect(Float(sample) / 32_768 == whole[0][frame + 100])
    }
    #expect(ExtAudioFileDispose(file) == 0)
  }

  @Test func aCodecWithoutADecoderOpensAsPackets() throws {
    let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0xFF, 0xFC] + [UInt8](repeating: 0x21, count: 8)
    let path = folder.write(frame + frame + frame, to: "a.aac")
    let file = try #require(openFile(path).1)
    #expect(try value(file, kAudioFilePropertyFileFormat, UInt32(0)) == kAudioFileAAC_ADTSType)
    let format = try value(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    #expect(
      format.mFormatID == kAudioFormatMPEG4AAC && format.mFramesPerPacket == 1_024 && format.mChannelsPerFrame == 2)
    #expect(readPackets(file, count: 10).bytes == [UInt8](repeating: 0x21, count: 24))
    #expect(AudioFileClose(file) == 0)
    #expect(openFile(path, .readWritePermission).0 == kAudioFileOperationNotSupportedError)
    var extended: ExtAudioFileRef?
    #expect(ExtAudioFileOpenURL(makeURL(path), &extended) == kAudioFileUnsupportedDataFormatError)
    #expect(extended == nil)
  }

  @Test func aWAVFileOfAnyCodecHasItsChunks() throws {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + UInt32(content.count).littleEndianBytes + content
    }
    let format: [UInt8] = [0x61, 1, 2, 0, 0x44, 0xAC, 0, 0, 0, 0x10, 0, 0, 10, 0, 16, 0, 2, 0, 7, 8]
    let path = folder.write(
      Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + chunk("fmt ", format) + chunk("abcd", [1, 2, 3, 4])
        + chunk("data", [UInt8](0..<40)), to: "a.wav")
    let file = try #require(openFile(path).1)
    #expect(try value(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription()).mFormatID == 0x6D73_0161)
    #expect(readPackets(file, from: 1, count: 2).bytes == [UInt8](10..<30))
    var (size, content) = (UInt32(4), [UInt8](repeating: 0, count: 4))
    #expect(AudioFileGetUserData(file, 0x6162_6364, 0, &size, &content) == 0)
    #expect(content == [1, 2, 3, 4])
    #expect(AudioFileGetUserData(file, 0x6162_6364, 1, &size, &content) != 0)
    #expect(AudioFileClose(file) == 0)
  }

  /// LAME writes 576 frames in front; every decoder adds 529.
  @Test func anMP3FileSaysItsPriming() throws {
    let path = folder.file("a.mp3")
    try encode(path, SoundFileFormat(container: .mp3, encoding: .mp3), noise(1, frames: 30_000), rate: 44_100)
    let file = try #require(openFile(path).1)
    let info = try value(file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
    let packets = try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
    #expect(info.mNumberValidFrames == 30_000)
    #expect(info.mPrimingFrames == 576 + 529)
    #expect(Int64(packets) * 1_152 == 30_000 + Int64(info.mPrimingFrames) + Int64(info.mRemainderFrames))
    #expect(AudioFileClose(file) == 0)
  }

  @Test func blocksOfADPCMHaveARemainder() throws {
    let path = folder.file("a.wav")
    try encode(path, SoundFileFormat(container: .wav, encoding: .msADPCM), noise(1, frames: 3_000))
    let file = try #require(openFile(path).1)
    let format = try value(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    let info = try value(file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
    let packets = try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
    #expect(info.mNumberValidFrames == 3_000 && info.mPrimingFrames == 0)
    #expect(Int64(packets) * Int64(format.mFramesPerPacket) == 3_000 + Int64(info.mRemainderFrames))
    #expect(AudioFileClose(file) == 0)
  }
}
