import AudioCore
import AudioToolbox
import CoreFoundation
import Glibc
import SoundFile
import TestSupport
import Testing

/// Calls that cannot succeed, and their status.
@Suite struct AudioFileErrorTests {
  @Test func whatIsNoSoundFileIsRefused() throws {
    let folder = TemporaryFolder()
    #expect(openFile(folder.file("missing.wav")).0 == kAudioFileFileNotFoundError)
    #expect(openFile(folder.path).0 == kAudioFileUnsupportedFileTypeError)
    #expect(openFile(folder.write([], to: "empty.wav")).0 == kAudioFileUnsupportedFileTypeError)
    #expect(
      openFile(folder.write("hello, this is a text and no sound", to: "t.wav")).0 == kAudioFileUnsupportedFileTypeError)
    // Texts that begin as many kinds of file do, and are none of sound.
    for text in [
      "FORM\0\0\0\u{10}8SVXVHDR\0\0\0\0", "RIFF\u{10}\0\0\0AVI LIST\0\0\0\0", "abcd\0\0\0\u{10}AIFFCOMM\0\0\0\0",
    ] {
      #expect(openFile(folder.write(text, to: "chunks")).0 == kAudioFileUnsupportedFileTypeError, "\(text)")
    }
    #expect(openFile("/dev/zero").0 == kAudioFileUnsupportedFileTypeError)
    mkfifo(folder.file("pipe"), 0o600)
    #expect(openFile(folder.file("pipe")).0 == kAudioFileUnsupportedFileTypeError)
    var file: AudioFileID? = OpaquePointer(bitPattern: 8)
    let web = CFURLCreateWithBytes(
      kCFAllocatorDefault, Array("http://a.b/c.wav".utf8), 16, CFStringBuiltInEncodings.UTF8.rawValue, nil)
    #expect(AudioFileOpenURL(try #require(web), .readPermission, 0, &file) != 0)
    #expect(file == nil)
    #expect(
      AudioFileOpenURL(makeURL(folder.file("t.wav")), AudioFilePermissions(rawValue: 9) ?? .readPermission, 0, &file)
        != 0)
  }

  /// Every beginning of a file is refused or read; a damaged header is 'dta?', a foreign codec 'fmt?'.
  @Test(arguments: [SoundFileContainer.wav, .aiff, .caf, .au, .rf64, .w64, .flac, .ogg, .mp3])
  func everyCutIsAnErrorOrAFile(_ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    try encode(folder.file("whole"), .init(container: container), noise(2, frames: 3_000))
    let whole = bytes(ofFile: folder.file("whole"))
    for length in Array(stride(from: 0, to: 130, by: 7)) + [whole.count / 2, whole.count - 1] {
      let path = folder.write(Array(whole[..<min(length, whole.count)]), to: "cut")
      let (status, file) = openFile(path)
      #expect((status == 0) == (file != nil))
      if status != 0 {
        #expect(
          [kAudioFileUnsupportedFileTypeError, kAudioFileInvalidFileError].contains(status), "\(length): \(status)")
      } else if let file {
        _ = readPackets(file, count: 10_000)
        #expect(AudioFileClose(file) == 0)
      }
      var extended: ExtAudioFileRef?
      if ExtAudioFileOpenURL(makeURL(path), &extended) == 0, let extended { _ = ExtAudioFileDispose(extended) }
    }
    // A plain file that ends before its header says is damaged, not short.
    if [.wav, .aiff, .rf64, .w64, .au].contains(container) {
      let path = folder.write(Array(whole[..<(whole.count / 2)]), to: "half")
      #expect(openFile(path).0 == kAudioFileInvalidFileError)
    }
  }

  @Test func aForeignCodecIsNamedForWhatItIs() throws {
    let folder = TemporaryFolder()
    try encode(folder.file("a.wav"), .init(container: .wav, encoding: .pcm16), noise(1, frames: 100))
    var bytes = bytes(ofFile: folder.file("a.wav"))
    bytes.replaceSubrange(20..<22, with: [0x61, 0x01])
    // Its packets can be read, its sound cannot.
    let path = folder.write(bytes, to: "wma.wav")
    let file = try #require(openFile(path).1)
    #expect(try value(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription()).mFormatID == 0x6D73_0161)
    #expect(AudioFileClose(file) == 0)
    var extended: ExtAudioFileRef?
    #expect(ExtAudioFileOpenURL(makeURL(path), &extended) == kAudioFileUnsupportedDataFormatError)
  }

  @Test func noisyHeadersNeverCrash() throws {
    let folder = TemporaryFolder()
    var generator = SeededGenerator(seed: 5)
    for container in [SoundFileContainer.wav, .aiff, .caf, .au, .rf64, .w64, .flac, .mp3] {
      try encode(folder.file("whole"), .init(container: container), noise(1, frames: 300))
      let whole = bytes(ofFile: folder.file("whole"))
      for _ in 0..<60 {
        var damaged = whole
        for _ in 0..<3 {
          damaged[Int.random(in: 4..<min(120, damaged.count), using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
        let (status, file) = openFile(folder.write(damaged, to: "damaged"))
        #expect((status == 0) == (file != nil))
        guard let file else { continue }
        _ = readPackets(file, count: 1_000)
        for id in [kAudioFilePropertyChunkIDs, kAudioFilePropertyChannelLayout, kAudioFilePropertyMagicCookieData] {
          _ = AudioToolboxTests.status(file, id)
        }
        #expect(AudioFileClose(file) == 0)
      }
    }
  }

  @Test func whatCannotBeCreatedLeavesWhatIsThere() throws {
    let folder = TemporaryFolder()
    let path = folder.write("precious", to: "a.wav")
    #expect(createFile(path, kAudioFileWAVEType, pcm(.int16), []).0 == kAudioFilePermissionsError)
    #expect(createFile(path, kAudioFileWAVEType, pcm(.int16.bigEndian)).0 == kAudioFileUnsupportedDataFormatError)
    #expect(createFile(path, kAudioFileAIFFType, pcm(.int16)).0 == kAudioFileUnsupportedDataFormatError)
    #expect(createFile(path, kAudioFileAIFFType, pcm(.float32.bigEndian)).0 == kAudioFileUnsupportedDataFormatError)
    #expect(createFile(path, kAudioFileWAVEType, coded(kAudioFormatMPEG4AAC)).0 == kAudioFileUnsupportedDataFormatError)
    #expect(
      createFile(path, kAudioFileWAVEType, pcm(.int16, channels: 2, isInterleaved: false)).0
        == kAudioFileUnsupportedDataFormatError)
    for type in [kAudioFileM4AType, kAudioFileMPEG4Type, kAudioFileAC3Type, kAudioFileMP3Type, 0] {
      #expect(createFile(path, type, pcm(.int16)).0 == kAudioFileUnsupportedFileTypeError)
    }
    #expect(createFile(path, kAudioFileFLACType, coded(kAudioFormatFLAC)).0 == kAudioFileOperationNotSupportedError)
    #expect(String(decoding: bytes(ofFile: path), as: UTF8.self) == "precious")
    #expect(
      createFile(folder.file("no/such/folder.wav"), kAudioFileWAVEType, pcm(.int16)).0 == kAudioFileFileNotFoundError)
    #expect(createFile(folder.path, kAudioFileWAVEType, pcm(.int16)).0 == kAudioFilePermissionsError)
  }

  @Test func staleAndForeignHandlesAreErrors() throws {
    let folder = TemporaryFolder()
    let file = try #require(createFile(folder.file("a.wav"), kAudioFileWAVEType, pcm(.int16)).1)
    #expect(AudioFileClose(file) == 0)
    let foreign = try #require(OpaquePointer(bitPattern: 0x1234_5670))
    for handle in [file, foreign] {
      #expect(AudioFileClose(handle) == kAudioFileNotOpenError)
      #expect(status(handle, kAudioFilePropertyFileFormat) == kAudioFileNotOpenError)
      #expect(readPackets(handle, count: 1).status == kAudioFileNotOpenError)
      expectStatus(-50, ExtAudioFileDispose(handle))
      var (frames, extended) = (UInt32(1), ExtAudioFileRef?.none)
      let buffer = InterleavedBuffer(byteCount: 4, channels: 2)
      #expect(buffer.withList { ExtAudioFileRead(handle, &frames, $0) }.0 == -50)
      #expect(ExtAudioFileWrapAudioFileID(handle, false, &extended) == kAudioFileNotOpenError)
    }
  }

  @Test func wrongSizesAndUnknownPropertiesAreErrors() throws {
    let folder = TemporaryFolder()
    let file = try #require(createFile(folder.file("a.wav"), kAudioFileWAVEType, pcm(.int16)).1)
    defer { _ = AudioFileClose(file) }
    #expect(status(file, kAudioFilePropertyDataFormat, room: 39) == kAudioFileBadPropertySizeError)
    #expect(status(file, kAudioFilePropertyPacketToFrame, room: 8) == kAudioFileBadPropertySizeError)
    #expect(status(file, 0x7878_7878) == kAudioFileUnsupportedPropertyError)
    #expect(status(file, kAudioFilePropertyPacketTableInfo) == kAudioFileUnsupportedPropertyError)
    #expect(status(file, kAudioFilePropertyMagicCookieData) == kAudioFileUnsupportedPropertyError)
    var (size, writable) = (UInt32(7), UInt32(7))
    #expect(AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, &writable) != 0)
    #expect(AudioFileGetPropertyInfo(file, kAudioFilePropertyDataFormat, nil, nil) == 0)
    #expect(AudioFileGetPropertyInfo(file, kAudioFilePropertyDataFormat, &size, &writable) == 0)
    #expect(size == 40 && writable == 0)
    #expect(AudioFileGetPropertyInfo(file, kAudioFilePropertyDeferSizeUpdates, &size, &writable) == 0)
    #expect(size == 4 && writable == 1)
    var number: UInt64 = 1
    #expect(
      AudioFileSetProperty(file, kAudioFilePropertyDeferSizeUpdates, 8, &number) == kAudioFileBadPropertySizeError)
    #expect(AudioFileSetProperty(file, kAudioFilePropertyDataOffset, 8, &number) == kAudioFileUnsupportedPropertyError)
  }
}
