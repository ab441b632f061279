import AudioCore
import AudioToolbox
import CoreFoundation
import FoundationEssentials
import SoundFile
import TestSupport
import Testing

/// Writing from the client's format, held against what libsndfile reads.
@Suite struct ExtAudioFileWritingTests {
  private func create(
    _ path: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription, flags: UInt32 = 1
  ) -> (OSStatus, ExtAudioFileRef?) {
    var (file, format) = (ExtAudioFileRef?.none, format)
    let status = ExtAudioFileCreateWithURL(makeURL(path), type, &format, nil, flags, &file)
    return (status, file)
  }

  private func set(_ file: ExtAudioFileRef, _ client: AudioStreamBasicDescription) -> OSStatus {
    var client = client
    return ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client)
  }

  /// Writes interleaved floats in pieces.
  private func write(_ file: ExtAudioFileRef, _ planes: [[Float]], piece: Int, isAsync: Bool = false) {
    let frames = planes[0].count
    var at = 0
    while at < frames {
      let count = min(piece, frames - at)
      let buffer = InterleavedBuffer(byteCount: count * planes.count * 4, channels: planes.count)
      buffer.bytes.withUnsafeMutableBytes { bytes in
        let samples = bytes.bindMemory(to: Float.self)
        for index in 0..<count * planes.count {
          samples[index] = planes[index % planes.count][at + index / planes.count]
        }
      }
      let status = buffer.withList {
        isAsync ? ExtAudioFileWriteAsync(file, UInt32(count), $0) : ExtAudioFileWrite(file, UInt32(count), $0)
      }.0
      #expect(status == 0)
      at += count
    }
  }

  static let kinds: [(AudioFileTypeID, AudioStreamBasicDescription, bits: Int)] = [
    (kAudioFileWAVEType, pcm(.int16), 16), (kAudioFileWAVEType, pcm(.int24), 24),
    (kAudioFileWAVEType, pcm(.float32), 0),
    (kAudioFileAIFFType, pcm(.int16.bigEndian), 16), (kAudioFileAIFFType, pcm(.int24.bigEndian), 24),
    (kAudioFileAIFCType, pcm(.float32.bigEndian), 0), (kAudioFileAIFCType, pcm(.int16), 16),
    (kAudioFileCAFType, pcm(.float32), 0), (kAudioFileCAFType, pcm(.int16), 16),
    (kAudioFileCAFType, coded(kAudioFormatAppleLossless, flags: 1), 16), (kAudioFileRF64Type, pcm(.int24), 24),
    (kAudioFileNextType, pcm(.int16.bigEndian), 16), (kAudioFileWave64Type, pcm(.float32), 0),
    (kAudioFileFLACType, coded(kAudioFormatFLAC, flags: 1), 16),
    (kAudioFileFLACType, coded(kAudioFormatFLAC, flags: 3), 24),
    (kAudioFileFLACType, coded(kAudioFormatFLAC), 24),
  ]

  @Test(arguments: kinds.indices)
  func everyKindIsReadBackAsItWasWritten(_ index: Int) throws {
    let (type, format, bits) = Self.kinds[index]
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    let (status, new) = create(path, type, format)
    try #require(status == 0)
    let file = try #require(new)
    #expect(set(file, pcm(.float32)) == 0)
    let sound = noise(2, frames: 10_001)
    write(file, sound, piece: 1_234)
    var (size, frames) = (UInt32(8), Int64(0))
    #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &frames) == 0)
    #expect(frames == 10_001)
    #expect(ExtAudioFileSeek(file, 0) == kExtAudioFileError_InvalidSeek)
    #expect(ExtAudioFileDispose(file) == 0)
    let read = try decode(path)
    #expect(read[0].count == 10_001)
    let scale = Float(sign: .plus, exponent: bits - 1, significand: 1)
    for channel in 0..<2 {
      let expected = bits == 0 ? sound[channel] : sound[channel].map { ($0 * scale).rounded(.toNearestOrEven) / scale }
      #expect(read[channel] == expected)
    }
  }

  @Test func logarithmicFilesAreCoded() throws {
    let folder = TemporaryFolder()
    let kinds: [(AudioFileTypeID, AudioFormatID, SoundFileFormat)] = [
      (kAudioFileWAVEType, kAudioFormatULaw, .init(container: .wav, encoding: .ulaw)),
      (kAudioFileAIFCType, kAudioFormatALaw, .init(container: .aiff, encoding: .alaw)),
      (kAudioFileNextType, kAudioFormatULaw, .init(container: .au, encoding: .ulaw)),
    ]
    for (type, id, format) in kinds {
      let path = folder.file("a\(type)")
      let file = try #require(create(path, type, coded(id, rate: 8_000, channels: 1)).1)
      #expect(set(file, pcm(.float32, rate: 8_000, channels: 1)) == 0)
      let sound = noise(1, frames: 2_000)
      write(file, sound, piece: 500)
      #expect(ExtAudioFileDispose(file) == 0)
      try encode(folder.file("twin"), format, sound, rate: 8_000)
      #expect(try decode(path) == decode(folder.file("twin")))
      // Sixteen steps to an octave (ITU-T G.711).
      #expect(zip(try decode(path)[0], sound[0]).allSatisfy { abs($0 - $1) <= max(abs($1) / 16, 0.002) })
    }
  }

  @Test(arguments: [(44_100.0, 48_000.0, 5_000), (48_000, 44_100, 5_001), (8_000, 48_000, 100), (48_000, 48_000, 1)])
  func theFileHasExactlyTheLengthOfTheSound(_ clientRate: Double, _ fileRate: Double, _ frames: Int) throws {
    let folder = TemporaryFolder()
    var results: [[Float]] = []
    for piece in [1, 100, 4_096] {
      let file = try #require(
        create(folder.file("a.wav"), kAudioFileWAVEType, pcm(.float32, rate: fileRate, channels: 1)).1)
      #expect(set(file, pcm(.float32, rate: clientRate, channels: 1)) == 0)
      write(file, noise(1, frames: frames), piece: piece)
      #expect(ExtAudioFileDispose(file) == 0)
      results.append(try decode(folder.file("a.wav"))[0])
    }
    #expect(results[0].count == Int(clamping: (Double(frames) * fileRate / clientRate + 0.5).rounded(.down)))
    #expect(results[0] == results[1] && results[0] == results[2])
  }

  /// The same bytes as the calls that wait, however the thread was scheduled.
  @Test func writingFromARenderThreadLosesNothing() throws {
    let folder = TemporaryFolder()
    let sound = noise(2, frames: 100_000)
    for isAsync in [false, true] {
      let file = try #require(create(folder.file("a\(isAsync)"), kAudioFileCAFType, pcm(.int24, rate: 44_100)).1)
      #expect(set(file, pcm(.float32)) == 0)
      if isAsync { #expect(ExtAudioFileWriteAsync(file, 0, nil) == 0) }
      write(file, sound, piece: 512, isAsync: isAsync)
      if isAsync {
        let buffer = InterleavedBuffer(byteCount: 8, channels: 2)
        #expect(buffer.withList { ExtAudioFileWrite(file, 1, $0) }.0 == kExtAudioFileError_InvalidOperationOrder)
        #expect(
          buffer.withList { ExtAudioFileWriteAsync(file, 200_000, $0) }.0 == kExtAudioFileError_AsyncWriteTooLarge)
      }
      #expect(ExtAudioFileDispose(file) == 0)
    }
    #expect(bytes(ofFile: folder.file("atrue")) == bytes(ofFile: folder.file("afalse")))
  }

  @Test func whatCannotBeWrittenIsNamed() throws {
    let folder = TemporaryFolder()
    #expect(
      create(folder.file("a.m4a"), kAudioFileM4AType, coded(kAudioFormatMPEG4AAC)).0
        == kAudioFileUnsupportedFileTypeError)
    #expect(create(folder.file("a.flac"), kAudioFileFLACType, pcm(.int16)).0 == kAudioFileUnsupportedDataFormatError)
    #expect(
      create(folder.file("a.flac"), kAudioFileFLACType, coded(kAudioFormatFLAC, channels: 9)).0
        == kAudioFileUnsupportedDataFormatError)
    #expect(
      create(folder.file("a.caf"), kAudioFileCAFType, coded(kAudioFormatMPEG4AAC)).0
        == kAudioFileUnsupportedDataFormatError)
    #expect(folder.names == [])
    folder.write("precious", to: "b.wav")
    #expect(create(folder.file("b.wav"), kAudioFileWAVEType, pcm(.int16), flags: 0).0 == kAudioFilePermissionsError)
    let coder = try #require(create(folder.file("a.flac"), kAudioFileFLACType, coded(kAudioFormatFLAC)).1)
    let buffer = InterleavedBuffer(byteCount: 800, channels: 2)
    #expect(buffer.withList { ExtAudioFileWrite(coder, 10, $0) }.0 == kExtAudioFileError_NonPCMClientFormat)
    #expect(set(coder, pcm(.float32)) == 0)
    #expect(buffer.withList { ExtAudioFileWrite(coder, 101, $0) }.0 == -50)
    #expect(buffer.withList { ExtAudioFileWrite(coder, 100, $0) }.0 == 0)
    #expect(set(coder, pcm(.int16)) == kExtAudioFileError_InvalidOperationOrder)
    var frames: UInt32 = 1
    #expect(buffer.withList { ExtAudioFileRead(coder, &frames, $0) }.0 == kExtAudioFileError_InvalidOperationOrder)
    #expect(ExtAudioFileDispose(coder) == 0)
    #expect(try decode(folder.file("a.flac"))[0].count == 100)
  }

  @Test func aWrappedFileStaysTheClients() throws {
    let folder = TemporaryFolder()
    let file = try #require(createFile(folder.file("a.wav"), kAudioFileWAVEType, pcm(.int16)).1)
    var wrapped: ExtAudioFileRef?
    #expect(ExtAudioFileWrapAudioFileID(file, true, &wrapped) == 0)
    let writer = try #require(wrapped)
    #expect(set(writer, pcm(.float32)) == 0)
    let sound = noise(2, frames: 1_000)
    write(writer, sound, piece: 300)
    #expect(ExtAudioFileDispose(writer) == 0)
    #expect(try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 1_000)
    #expect(AudioFileClose(file) == 0)
    #expect(try decode(folder.file("a.wav"))[0].count == 1_000)
  }

  /// Swift programs have a URL of Foundation, which does not convert to a CFURL on Linux.
  @Test func urlsOfFoundationServe() throws {
    let folder = TemporaryFolder()
    let url = URL(fileURLWithPath: folder.file("a.wav"))
    var (file, extended, format) = (AudioFileID?.none, ExtAudioFileRef?.none, pcm(.int16))
    #expect(ExtAudioFileCreateWithURL(url, kAudioFileWAVEType, &format, nil, 1, &extended) == 0)
    write(try #require(extended), noise(2, frames: 3), piece: 1)
    #expect(ExtAudioFileDispose(try #require(extended)) == 0)
    #expect(ExtAudioFileOpenURL(url, &extended) == 0)
    #expect(ExtAudioFileDispose(try #require(extended)) == 0)
    #expect(AudioFileOpenURL(url, .readPermission, 0, &file) == 0)
    #expect(AudioFileClose(try #require(file)) == 0)
    #expect(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, [], &file) == kAudioFilePermissionsError)
    #expect(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, .eraseFile, &file) == 0)
    #expect(AudioFileClose(try #require(file)) == 0)
    #expect(ExtAudioFileOpenURL(try #require(URL(string: "http://a.b/c.wav")), &extended) == -50)
  }

  /// A coded file may be created without a rate: it takes the client's.
  @Test func aCodedFileTakesTheRateOfItsClient() throws {
    let folder = TemporaryFolder()
    let file = try #require(create(folder.file("a.flac"), kAudioFileFLACType, coded(kAudioFormatFLAC, rate: 0)).1)
    let list = AudioBufferListPair(frames: 500)
    let sound = noise(2, frames: 500)
    list.fill(0, sound[0])
    list.fill(1, sound[1])
    #expect(ExtAudioFileWrite(file, 500, list.pointer) == kExtAudioFileError_NonPCMClientFormat)
    #expect(set(file, pcm(.float32, rate: 32_000, isInterleaved: false)) == 0)
    #expect(ExtAudioFileWrite(file, 500, list.pointer) == 0)
    #expect(ExtAudioFileDispose(file) == 0)
    #expect(try SoundFileReader(path: folder.file("a.flac")).info.sampleRate == 32_000)
    let scale: Float = 8_388_608
    #expect(
      try decode(folder.file("a.flac")) == sound.map { $0.map { ($0 * scale).rounded(.toNearestOrEven) / scale } })
  }

  /// The tables of ITU-T G.711 as libsndfile has them, at the client's rate.
  @Test(arguments: [kAudioFileWAVEType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType, kAudioFileRF64Type])
  func aFileOfMuLawOrALawTakesTheRateOfItsClient(_ type: AudioFileTypeID) throws {
    let folder = TemporaryFolder()
    let sound = noise(2, frames: 500)
    for id in [kAudioFormatULaw, kAudioFormatALaw] {
      func made(rate: Double, path: String) throws -> [[Float]] {
        let (status, new) = create(path, type, coded(id, rate: rate))
        #expect(status == 0)
        let file = try #require(new)
        #expect(set(file, pcm(.float32, rate: 16_000)) == 0)
        write(file, sound, piece: 500)
        #expect(ExtAudioFileDispose(file) == 0)
        #expect(try SoundFileReader(path: path).info.sampleRate == 16_000)
        return try decode(path)
      }
      let open = try made(rate: 0, path: folder.file("open"))
      let stated = try made(rate: 16_000, path: folder.file("stated"))
      #expect(open[0].count == 500 && open == stated)
      #expect(bytes(ofFile: folder.file("open")) == bytes(ofFile: folder.file("stated")))
    }
    // Samples as they are have a rate, and so has a file whose packets are written.
    let plain =
      type == kAudioFileWAVEType || type == kAudioFileRF64Type ? pcm(.int16, rate: 1) : pcm(.int16.bigEndian, rate: 1)
    var rateless = plain
    rateless.mSampleRate = 0
    #expect(create(folder.file("none"), type, rateless).0 == kAudioFileUnsupportedDataFormatError)
    #expect(
      createFile(folder.file("none"), type, coded(kAudioFormatULaw, rate: 0)).0 == kAudioFileUnsupportedDataFormatError)
  }

  /// xamarin-macios, tests/monotouch-test/AudioUnit/ExtAudioFileTest.cs.
  @Test func aFileThatIsOnlyReadCanBeWrappedForWritingAndNotWritten() throws {
    let folder = TemporaryFolder()
    for container in [SoundFileContainer.caf, .wav, .flac] {
      let path = folder.file("a")
      try encode(path, .init(container: container), noise(2, frames: 300))
      let before = bytes(ofFile: path)
      let file = try #require(openFile(path).1)
      var wrapped: ExtAudioFileRef?
      #expect(ExtAudioFileWrapAudioFileID(file, true, &wrapped) == 0)
      let writer = try #require(wrapped)
      #expect(set(writer, pcm(.float32)) == 0)
      let buffer = InterleavedBuffer(byteCount: 80, channels: 2)
      #expect(buffer.withList { ExtAudioFileWrite(writer, 10, $0) }.0 == kAudioFilePermissionsError)
      #expect(ExtAudioFileWriteAsync(writer, 0, nil) == kAudioFilePermissionsError)
      var frames: Int64 = 5
      #expect(
        ExtAudioFileSetProperty(writer, kExtAudioFileProperty_FileLengthFrames, 8, &frames)
          == kAudioFilePermissionsError)
      #expect(ExtAudioFileDispose(writer) == 0)
      #expect(AudioFileClose(file) == 0)
      #expect(bytes(ofFile: path) == before)
    }
  }

  /// Lengths that 32 bits do not hold are refused where the container has no more, and kept where it has.
  @Test func sizesBeyondFourGibibytes() throws { try FileSizeLimit.alone { try writeHoles() } }

  private func writeHoles() throws {
    let folder = TemporaryFolder()
    let limits: [(AudioFileTypeID, SampleEncoding, OSStatus)] = [
      (kAudioFileWAVEType, .int16, kAudioFileDoesNotAllow64BitDataSizeError),
      (kAudioFileAIFFType, .int16.bigEndian, kAudioFileDoesNotAllow64BitDataSizeError),
      (kAudioFileCAFType, .int16, 0), (kAudioFileRF64Type, .int16, 0),
    ]
    for (type, encoding, expected) in limits {
      let path = folder.file("a\(type)")
      let file = try #require(create(path, type, pcm(encoding)).1)
      // A hole of 5 GiB, which takes no room on the disk.
      var frames: Int64 = 5 << 28
      #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_FileLengthFrames, 8, &frames) == expected)
      if expected == 0 {
        let buffer = InterleavedBuffer(byteCount: 4, channels: 2)
        buffer.bytes = [1, 2, 3, 4]
        #expect(buffer.withList { ExtAudioFileWrite(file, 1, $0) }.0 == 0)
      }
      #expect(ExtAudioFileDispose(file) == 0)
      guard expected == 0 else { continue }
      let again = try #require(openFile(path).1)
      #expect(try value(again, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 5 << 28 + 1)
      #expect(readPackets(again, from: 5 << 28, count: 1).bytes == [1, 2, 3, 4])
      #expect(AudioFileClose(again) == 0)
    }
  }
}
