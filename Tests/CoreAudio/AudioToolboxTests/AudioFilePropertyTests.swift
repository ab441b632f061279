import AudioCore
import AudioToolbox
import CoreFoundation
import SoundFile
import TestSupport
import Testing

/// The properties of a file, compared with its contents.
@Suite struct AudioFilePropertyTests {
  @Test func aPlainFileSaysWhatItIs() throws {
    let folder = TemporaryFolder()
    try encode(
      folder.file("a.wav"), .init(container: .wav, encoding: .pcm24), noise(2, frames: 22_050), rate: 44_100,
      metadata: SoundFileMetadata([.title: "Étude", .artist: "N. N."]))
    let file = try #require(openFile(folder.file("a.wav")).1)
    defer { _ = AudioFileClose(file) }
    #expect(try value(file, kAudioFilePropertyEstimatedDuration, 0.0) == 0.5)
    #expect(try value(file, kAudioFilePropertyBitRate, UInt32(0)) == 44_100 * 2 * 24)
    #expect(try value(file, kAudioFilePropertySourceBitDepth, Int32(0)) == 24)
    #expect(try value(file, kAudioFilePropertyMaximumPacketSize, UInt32(0)) == 6)
    #expect(try value(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0)) == 6)
    #expect(try value(file, kAudioFilePropertyAudioTrackCount, UInt32(0)) == 1)
    #expect(try value(file, kAudioFilePropertyMarkerList, UInt64(9)) == 0)
    #expect(try value(file, kAudioFilePropertyRegionList, UInt64(9)) == 0)
    #expect(try value(file, kAudioFilePropertyReserveDuration, 1.0) == 0)
    let item = try value(file, kAudioFilePropertyFormatList, AudioFormatListItem())
    #expect(item.mASBD.mBitsPerChannel == 24 && item.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo)

    var (dictionary, size) = (Unmanaged<CFDictionary>?.none, UInt32(8))
    #expect(AudioFileGetProperty(file, kAudioFilePropertyInfoDictionary, &size, &dictionary) == 0)
    let texts = try #require(dictionary).takeRetainedValue()
    for (key, text) in [
      ("title", "Étude"), ("artist", "N. N."), ("approximate duration in seconds", "0.500"),
    ] {
      #expect(string(CFDictionaryGetValue(texts, Unmanaged.passRetained(makeString(key)).toOpaque())) == text)
    }
  }

  @Test func packetsFramesAndBytesTranslate() throws {
    let folder = TemporaryFolder()
    try encode(folder.file("a.wav"), .init(container: .wav, encoding: .pcm16), noise(2, frames: 100))
    let file = try #require(openFile(folder.file("a.wav")).1)
    defer { _ = AudioFileClose(file) }
    var frames = AudioFramePacketTranslation()
    frames.mFrame = 33
    #expect(try value(file, kAudioFilePropertyFrameToPacket, frames).mPacket == 33)
    frames.mPacket = 44
    #expect(try value(file, kAudioFilePropertyPacketToFrame, frames).mFrame == 44)
    var place = AudioBytePacketTranslation()
    place.mByte = 30
    let packet = try value(file, kAudioFilePropertyByteToPacket, place)
    #expect(packet.mPacket == 7 && packet.mByteOffsetInPacket == 2)
    place.mPacket = 9
    #expect(try value(file, kAudioFilePropertyPacketToByte, place).mByte == 36)
    var range = AudioPacketRangeByteCountTranslation()
    (range.mPacket, range.mPacketCount) = (3, 10)
    #expect(try value(file, kAudioFilePropertyPacketRangeByteCountUpperBound, range).mByteCountUpperBound == 40)
    frames.mFrame = -1
    var size = UInt32(MemoryLayout<AudioFramePacketTranslation>.size)
    #expect(
      AudioFileGetProperty(file, kAudioFilePropertyFrameToPacket, &size, &frames) == kAudioFileInvalidPacketOffsetError)
  }

  @Test(arguments: [
    (
      SoundFileFormat(container: .flac, encoding: .pcm24), kAudioFileFLACType, kAudioFormatFLAC, UInt32(4_096),
      UInt32(3)
    ),
    (SoundFileFormat(container: .mp3), kAudioFileMP3Type, kAudioFormatMPEGLayer3, 1_152, 0),
    (SoundFileFormat(container: .caf, encoding: .alac16), kAudioFileCAFType, kAudioFormatAppleLossless, 4_096, 1),
    (SoundFileFormat(container: .wav, encoding: .imaADPCM), kAudioFileWAVEType, AudioFormatID(0x6D73_0011), 0, 0),
    (SoundFileFormat(container: .wav, encoding: .gsm610), kAudioFileWAVEType, AudioFormatID(0x6D73_0031), 320, 0),
    (SoundFileFormat(container: .aiff, encoding: .imaADPCM), kAudioFileAIFCType, kAudioFormatAppleIMA4, 64, 0),
  ])
  func aCodedFileSaysWhatItIs(
    _ sound: SoundFileFormat, type: AudioFileTypeID, id: AudioFormatID, framesPerPacket: UInt32, flags: UInt32
  ) throws {
    let folder = TemporaryFolder()
    let channels = sound.encoding == .gsm610 || sound.encoding == .imaADPCM ? 1 : 2
    let path = folder.file("sound")
    try encode(path, sound, noise(channels, frames: 48_000))
    let file = try #require(openFile(path).1)
    defer { _ = AudioFileClose(file) }
    #expect(try value(file, kAudioFilePropertyFileFormat, UInt32(0)) == type)
    let format = try value(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    #expect(format.mFormatID == id && format.mFormatFlags == flags && format.mSampleRate == 48_000)
    #expect(format.mChannelsPerFrame == UInt32(channels))
    if framesPerPacket > 0 { #expect(format.mFramesPerPacket == framesPerPacket) }
    let frames = try SoundFileReader(path: path).info.frameCount
    #expect(try value(file, kAudioFilePropertyEstimatedDuration, 0.0) == Double(frames) / 48_000)
    let packets = try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
    #expect(packets * UInt64(format.mFramesPerPacket) >= 48_000)
    #expect((packets - 3) * UInt64(format.mFramesPerPacket) < 48_000)
    let size = try value(file, kAudioFilePropertyMaximumPacketSize, UInt32(0))
    let bound = try value(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0))
    #expect(size > 0 && size <= bound)
  }

  /// The packets that were read, one behind the other, are the sound of the file, and each begins as its format says.
  @Test func packetsOfCodedFilesAreTheFile() throws {
    let folder = TemporaryFolder()
    for format in [
      SoundFileFormat(container: .mp3), .init(container: .caf, encoding: .alac16), .init(container: .flac),
    ] {
      let path = folder.file("sound")
      try encode(path, format, noise(2, frames: 50_000))
      let whole = bytes(ofFile: path)
      let file = try #require(openFile(path).1)
      defer { _ = AudioFileClose(file) }
      let count = Int(try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0)))
      var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: count + 5)
      var (packets, size) = (UInt32(count + 5), UInt32(1 << 20))
      var sound = [UInt8](repeating: 0, count: 1 << 20)
      #expect(AudioFileReadPacketData(file, false, &size, &descriptions, 0, &packets, &sound) == 0)
      #expect(Int(packets) == count)
      var at = 0
      for packet in descriptions[..<count] {
        #expect(Int(packet.mStartOffset) == at && packet.mVariableFramesInPacket == 0)
        if format.container == .mp3 { #expect(sound[at] == 0xFF && sound[at + 1] & 0xE0 == 0xE0) }
        at += Int(packet.mDataByteSize)
      }
      #expect(at == Int(size))
      let first = whole.count - at
      if format.container == .mp3 {
        #expect(Array(whole[first...]) == Array(sound[..<at]))
      } else {
        let offset = Int(try value(file, kAudioFilePropertyDataOffset, Int64(0)))
        #expect(Array(whole[offset..<offset + at]) == Array(sound[..<at]))
        if format.container == .flac {
          // 50000 = 12 × 4096 + 848, and 24-bit noise does not get smaller than it is.
          #expect(count == 13 && offset + at == whole.count)
          #expect(descriptions[..<13].allSatisfy { sound[Int($0.mStartOffset)] == 0xFF })
          continue
        }
        let table = try value(file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
        #expect(table.mNumberValidFrames == 50_000)
        #expect(
          table.mNumberValidFrames + Int64(table.mPrimingFrames) + Int64(table.mRemainderFrames) == Int64(count) * 4_096
        )
        #expect(status(file, kAudioFilePropertyMagicCookieData) == 0)
      }
      // Behind the last there are none.
      for start in [Int64(count), 1 << 40, .max] {
        var (none, room) = (UInt32(3), UInt32(1 << 20))
        #expect(AudioFileReadPacketData(file, false, &room, &descriptions, start, &none, &sound) == 0)
        #expect(none == 0 && room == 0)
      }
      // From the middle, as many as fit.
      (packets, size) = (100, descriptions[7].mDataByteSize + descriptions[8].mDataByteSize + 1)
      var middle = [UInt8](repeating: 0, count: Int(size))
      #expect(AudioFileReadPacketData(file, false, &size, &descriptions, 7, &packets, &middle) == 0)
      #expect(packets == 2 && descriptions[0].mStartOffset == 0)
      #expect(size == descriptions[0].mDataByteSize + descriptions[1].mDataByteSize)
    }
  }

  /// Hosts use their own rule then; a given layout they would take for the file's.
  @Test func aFileThatDoesNotSayItsLayoutHasNone() throws {
    let folder = TemporaryFolder()
    for channels in [1, 2, 6] {
      // The writer's WAVE of six channels, and its RF64, have a mask of speakers.
      for container in [SoundFileContainer.wav, .aiff, .caf, .au, .w64] where container != .wav || channels < 6 {
        try encode(folder.file("a"), .init(container: container), noise(channels, frames: 300))
        let file = try #require(openFile(folder.file("a")).1)
        #expect(
          status(file, kAudioFilePropertyChannelLayout) == kAudioFileUnsupportedPropertyError,
          "\(container) \(channels)")
        var size: UInt32 = 0
        #expect(
          AudioFileGetPropertyInfo(file, kAudioFilePropertyChannelLayout, &size, nil)
            == kAudioFileUnsupportedPropertyError)
        var extended: ExtAudioFileRef?
        #expect(ExtAudioFileWrapAudioFileID(file, false, &extended) == 0)
        let reader = try #require(extended)
        #expect(
          ExtAudioFileGetPropertyInfo(reader, kExtAudioFileProperty_FileChannelLayout, &size, nil)
            == kExtAudioFileError_InvalidProperty)
        #expect(ExtAudioFileDispose(reader) == 0)
        #expect(AudioFileClose(file) == 0)
      }
    }
    // The coding of these defines the layout.
    for container in [SoundFileContainer.flac, .mp3] {
      try encode(folder.file("a"), .init(container: container), noise(2, frames: 3_000))
      let file = try #require(openFile(folder.file("a")).1)
      let layout = try value(file, kAudioFilePropertyChannelLayout, AudioChannelLayout())
      #expect(layout.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo)
      #expect(AudioFileClose(file) == 0)
    }
    // A program reads the layout that it has set, whatever the file can hold of it.
    let file = try #require(createFile(folder.file("b"), kAudioFileWAVEType, pcm(.int16)).1)
    #expect(status(file, kAudioFilePropertyChannelLayout) == kAudioFileUnsupportedPropertyError)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    #expect(AudioFileSetProperty(file, kAudioFilePropertyChannelLayout, 32, &layout) == 0)
    #expect(
      try value(file, kAudioFilePropertyChannelLayout, AudioChannelLayout()).mChannelLayoutTag
        == layout.mChannelLayoutTag)
    #expect(AudioFileClose(file) == 0)
  }

  @Test func theLayoutOfChannelsIsKept() throws {
    let folder = TemporaryFolder()
    for (type, encoding) in [(kAudioFileCAFType, SampleEncoding.int16), (kAudioFileAIFCType, .int16.bigEndian)] {
      let path = folder.file("a\(type)")
      let file = try #require(createFile(path, type, pcm(encoding, channels: 6)).1)
      var layout = AudioChannelLayout()
      layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
      #expect(
        AudioFileSetProperty(
          file, kAudioFilePropertyChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout) == 0)
      layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
      #expect(
        AudioFileSetProperty(
          file, kAudioFilePropertyChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout) == -50)
      var packets: UInt32 = 10
      #expect(AudioFileWritePackets(file, false, 120, nil, 0, &packets, noiseBytes(120)) == 0)
      #expect(AudioFileClose(file) == 0)
      let again = try #require(openFile(path).1)
      let found = try value(again, kAudioFilePropertyChannelLayout, AudioChannelLayout())
      #expect(found.mChannelLayoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
      #expect(readPackets(again, count: 10).bytes == noiseBytes(120))
      #expect(AudioFileClose(again) == 0)
    }
    // WAVE says it by a mask of speakers, whose bits are those of the layout.
    let path = folder.file("a.wav")
    let file = try #require(createFile(path, kAudioFileWAVEType, pcm(.int16, channels: 6)).1)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
    layout.mChannelBitmap = AudioChannelBitmap(rawValue: 0x3F)
    #expect(
      AudioFileSetProperty(
        file, kAudioFilePropertyChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout) == 0)
    #expect(AudioFileClose(file) == 0)
    #expect(Array(bytes(ofFile: path)[40..<44]) == [0x3F, 0, 0, 0])
    let again = try #require(openFile(path).1)
    let found = try value(again, kAudioFilePropertyChannelLayout, AudioChannelLayout())
    #expect(found.mChannelLayoutTag == kAudioChannelLayoutTag_UseChannelBitmap && found.mChannelBitmap.rawValue == 0x3F)
    #expect(AudioFileClose(again) == 0)
  }

  @Test(arguments: [kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileCAFType])
  func chunksComeAndGoWhileTheSoundStays(_ type: AudioFileTypeID) throws {
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    let note: UInt32 = 0x6E6F_7465
    let encoding: SampleEncoding = type == kAudioFileAIFFType ? .int16.bigEndian : .int16
    let file = try #require(createFile(path, type, pcm(encoding, channels: 1)).1)
    #expect(AudioFileSetUserData(file, note, 0, 5, noiseBytes(5)) == 0)
    #expect(AudioFileSetUserData(file, note, 2, 5, noiseBytes(5)) == kAudioFileInvalidChunkError)
    let sound = noiseBytes(2_002, seed: 8)
    var packets: UInt32 = 1_001
    #expect(AudioFileWritePackets(file, false, 2_002, nil, 0, &packets, sound) == 0)
    #expect(AudioFileSetUserData(file, note, 1, 300, noiseBytes(300)) == 0)
    var count: UInt32 = 9
    #expect(AudioFileCountUserData(file, note, &count) == 0)
    #expect(count == 2)
    for (index, size) in [(UInt32(0), UInt32(5)), (1, 300)] {
      var (found, room) = (UInt32(0), UInt32(1_000))
      #expect(AudioFileGetUserDataSize(file, note, index, &found) == 0)
      #expect(found == size)
      var content = [UInt8](repeating: 0, count: 1_000)
      #expect(AudioFileGetUserData(file, note, index, &room, &content) == 0)
      #expect(room == size && Array(content[..<Int(size)]) == noiseBytes(Int(size)))
    }
    var size: UInt32 = 0
    #expect(AudioFileGetUserDataSize(file, note, 2, &size) == kAudioFileInvalidChunkError)
    #expect(AudioFileGetUserDataSize(file, 0x7878_7878, 0, &size) == kAudioFileInvalidChunkError)
    // The sound cannot grow over the chunk behind it, until that has moved.
    #expect(try value(file, kAudioFilePropertyIsOptimized, UInt32(9)) == 0)
    packets = 1
    #expect(AudioFileWritePackets(file, false, 2, nil, 1_001, &packets, noiseBytes(2)) == kAudioFileNotOptimizedError)
    #expect(try SoundFileReader(path: path).info.frameCount == 1_001)
    #expect(AudioFileOptimize(file) == 0)
    #expect(try value(file, kAudioFilePropertyIsOptimized, UInt32(9)) == 1)
    packets = 1
    #expect(AudioFileWritePackets(file, false, 2, nil, 1_001, &packets, noiseBytes(2)) == 0)
    #expect(AudioFileRemoveUserData(file, note, 0) == 0)
    #expect(AudioFileCountUserData(file, note, &count) == 0)
    #expect(count == 1)
    #expect(
      AudioFileRemoveUserData(file, type == kAudioFileWAVEType ? 0x666D_7420 : 0x434F_4D4D, 0)
        == kAudioFileInvalidChunkError)
    #expect(AudioFileClose(file) == 0)

    #expect(try SoundFileReader(path: path).info.frameCount == 1_002)
    let again = try #require(openFile(path).1)
    #expect(readPackets(again, count: 1_002).bytes == sound + noiseBytes(2))
    var (room, content) = (UInt32(300), [UInt8](repeating: 0, count: 300))
    #expect(AudioFileGetUserData(again, note, 0, &room, &content) == 0)
    #expect(room == 300 && content == noiseBytes(300))
    var part = UInt32(10)
    #expect(AudioFileGetUserDataAtOffset(again, note, 0, 295, &part, &content) == 0)
    #expect(part == 5 && Array(content[..<5]) == Array(noiseBytes(300)[295...]))
    #expect(AudioFileClose(again) == 0)
  }

  private func string(_ pointer: UnsafeRawPointer?) -> String? {
    guard let pointer else { return nil }
    let text = Unmanaged<CFString>.fromOpaque(pointer).takeUnretainedValue()
    var characters = [CChar](repeating: 0, count: 200)
    guard CFStringGetCString(text, &characters, 200, CFStringBuiltInEncodings.UTF8.rawValue) else { return nil }
    return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func makeString(_ text: String) -> CFString {
    CFStringCreateWithCString(kCFAllocatorDefault, text, CFStringBuiltInEncodings.UTF8.rawValue)
  }
}
