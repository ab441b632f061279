import AudioCore
import AudioToolbox
import SoundFile
import TestSupport
import Testing

/// The length in a file while it is written: the part that is left when its writer dies.
@Suite struct AudioFileSizeTests {
  /// Every container that can be written, in 16 bits of the order that it takes.
  static let containers: [(AudioFileTypeID, AudioStreamBasicDescription)] = [
    (kAudioFileWAVEType, pcm(.int16)), (kAudioFileRF64Type, pcm(.int16)), (kAudioFileBW64Type, pcm(.int16)),
    (kAudioFileWave64Type, pcm(.int16)), (kAudioFileAIFFType, pcm(.int16.bigEndian)),
    (kAudioFileAIFCType, pcm(.int16.bigEndian)), (kAudioFileAIFCType, pcm(.float32.bigEndian)),
    (kAudioFileCAFType, pcm(.int16)), (kAudioFileNextType, pcm(.int16.bigEndian)),
    // Floats, for which libsndfile begins with a longer header.
    (kAudioFileWAVEType, pcm(.float32)), (kAudioFileRF64Type, pcm(.float64)), (kAudioFileCAFType, pcm(.float32)),
    (kAudioFileAIFCType, pcm(.float64.bigEndian)), (kAudioFileWave64Type, pcm(.float32)),
    (kAudioFileNextType, pcm(.float32.bigEndian)), (kAudioFileWAVEType, pcm(.float32, channels: 6)),
    // Odd lengths, which some containers pad.
    (kAudioFileWAVEType, pcm(.uint8, channels: 1)), (kAudioFileAIFFType, pcm(.int8, channels: 1)),
    (kAudioFileWAVEType, coded(kAudioFormatULaw, channels: 1)),
    (kAudioFileAIFCType, coded(kAudioFormatALaw, channels: 1)),
  ]

  /// The length that a reader finds in a copy of the bytes as they are now, as after SIGKILL.
  private func frames(_ bytes: [UInt8]) throws -> Int64 {
    let info = try SoundFileReader(storage: MemoryStorage(bytes), name: "a copy").info
    // No promise that the bytes do not keep.
    #expect(info.promisedFrames == nil)
    return info.frameCount
  }

  @Test(arguments: containers.indices)
  func aFileHasItsLengthAfterEachWrite(_ index: Int) throws {
    let (type, format) = Self.containers[index]
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    let file = try #require(createFile(path, type, format).1)
    #expect(try value(file, kAudioFilePropertyDeferSizeUpdates, UInt32(9)) == 0)
    #expect(try frames(bytes(ofFile: path)) == 0)
    // Nothing lies where the sound is to be.
    #expect(Int64(bytes(ofFile: path).count) == (try value(file, kAudioFilePropertyDataOffset, Int64(0))))
    let size = max(1, Int(format.mBytesPerFrame))
    var position: Int64 = 0
    for count in [1, 1, 3, 1_000, 7] {
      var packets = UInt32(count)
      #expect(AudioFileWritePackets(file, false, 0, nil, position, &packets, noiseBytes(count * size)) == 0)
      position += Int64(count)
      #expect(try frames(bytes(ofFile: path)) == position)
    }
    // Over what is there: the length stays.
    var packets: UInt32 = 2
    #expect(AudioFileWritePackets(file, false, 0, nil, 0, &packets, noiseBytes(2 * size)) == 0)
    let before = bytes(ofFile: path)
    #expect(try frames(before) == position)
    // Nothing is left for the close.
    #expect(AudioFileClose(file) == 0)
    #expect(bytes(ofFile: path) == before)

    // A file that was there grows in the same way.
    let again = try #require(openFile(path, .readWritePermission).1)
    packets = 5
    #expect(AudioFileWritePackets(again, false, 0, nil, position, &packets, noiseBytes(5 * size)) == 0)
    #expect(try frames(bytes(ofFile: path)) == position + 5)
    #expect(AudioFileClose(again) == 0)
  }

  @Test func sizesWaitForTheEndWhereThatIsAskedFor() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.wav")
    let file = try #require(createFile(path, kAudioFileWAVEType, pcm(.int16)).1)
    var defers: UInt32 = 1
    #expect(AudioFileSetProperty(file, kAudioFilePropertyDeferSizeUpdates, 4, &defers) == 0)
    #expect(try value(file, kAudioFilePropertyDeferSizeUpdates, UInt32(9)) == 1)
    var packets: UInt32 = 100
    #expect(AudioFileWritePackets(file, false, 400, nil, 0, &packets, noiseBytes(400)) == 0)
    #expect(Array(bytes(ofFile: path)[40..<44]) == [0, 0, 0, 0])
    // Not any longer.
    defers = 0
    #expect(AudioFileSetProperty(file, kAudioFilePropertyDeferSizeUpdates, 4, &defers) == 0)
    #expect(Array(bytes(ofFile: path)[40..<44]) == [0x90, 1, 0, 0])
    defers = 1
    #expect(AudioFileSetProperty(file, kAudioFilePropertyDeferSizeUpdates, 4, &defers) == 0)
    #expect(AudioFileWritePackets(file, false, 400, nil, 100, &packets, noiseBytes(400)) == 0)
    #expect(Array(bytes(ofFile: path)[40..<44]) == [0x90, 1, 0, 0])
    #expect(AudioFileClose(file) == 0)
    #expect(Array(bytes(ofFile: path)[40..<44]) == [0x20, 3, 0, 0])
  }

  /// A file whose bytes cost the client a call each.
  @Test(arguments: containers.indices)
  func aClientsMemoryIsAWholeFileAfterEachWrite(_ index: Int) throws {
    let (type, format) = Self.containers[index]
    typealias Memory = AudioFileCallbackTests.Memory
    let memory = Memory()
    defer { withExtendedLifetime(memory) {} }
    var (file, wanted) = (AudioFileID?.none, format)
    #expect(
      AudioFileInitializeWithCallbacks(
        memory.pointer, AudioFileCallbackTests.read, AudioFileCallbackTests.write, AudioFileCallbackTests.size,
        AudioFileCallbackTests.setSize, type, &wanted, [], &file) == 0)
    let new = try #require(file)
    let size = max(1, Int(format.mBytesPerFrame))
    for position in Int64(0)..<3 {
      var packets: UInt32 = 1
      #expect(AudioFileWritePackets(new, false, 0, nil, position, &packets, noiseBytes(size)) == 0)
      #expect(try frames(memory.bytes) == position + 1)
    }
    // Over what is there: one write, and no header.
    let calls = memory.calls
    var packets: UInt32 = 1
    #expect(AudioFileWritePackets(new, false, 0, nil, 1, &packets, noiseBytes(size)) == 0)
    #expect(memory.calls == calls + 1)
    #expect(AudioFileClose(new) == 0)
  }

  /// The extended interface writes through the same file. With coders, this holds only for those that keep nothing
  /// back.
  @Test(arguments: [
    (kAudioFileWAVEType, kAudioFormatLinearPCM, true), (kAudioFileCAFType, kAudioFormatLinearPCM, true),
    (kAudioFileWAVEType, kAudioFormatULaw, true), (kAudioFileAIFCType, kAudioFormatALaw, true),
    (kAudioFileCAFType, kAudioFormatULaw, true), (kAudioFileNextType, kAudioFormatALaw, true),
    (kAudioFileRF64Type, kAudioFormatULaw, true), (kAudioFileWave64Type, kAudioFormatULaw, true),
    (kAudioFileFLACType, kAudioFormatFLAC, false), (kAudioFileCAFType, kAudioFormatAppleLossless, false),
  ])
  func anExtendedFileHasItsLengthAfterEachWrite(_ type: AudioFileTypeID, _ id: AudioFormatID, _ isKnown: Bool) throws {
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    var format = id == kAudioFormatLinearPCM ? pcm(.int16) : coded(id)
    var made: ExtAudioFileRef?
    try #require(ExtAudioFileCreateWithURL(makeURL(path), type, &format, nil, 1, &made) == 0)
    let file = try #require(made)
    var client = pcm(.float32)
    try #require(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client) == 0)
    let buffer = InterleavedBuffer(byteCount: 8 * 100, channels: 2)
    for number in Int64(1)...3 {
      #expect(buffer.withList { ExtAudioFileWrite(file, 100, $0) }.0 == 0)
      if isKnown { #expect(try frames(bytes(ofFile: path)) == 100 * number) }
    }
    #expect(ExtAudioFileDispose(file) == 0)
    #expect(try frames(bytes(ofFile: path)) == 300)
  }

  @Test func aLengthThatIsSetIsWrittenAtOnce() throws {
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    var (format, made) = (pcm(.int16), ExtAudioFileRef?.none)
    try #require(ExtAudioFileCreateWithURL(makeURL(path), kAudioFileWAVEType, &format, nil, 1, &made) == 0)
    let file = try #require(made)
    var length: Int64 = 1_234
    #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_FileLengthFrames, 8, &length) == 0)
    #expect(try frames(bytes(ofFile: path)) == 1_234)
    #expect(ExtAudioFileDispose(file) == 0)
  }
}
