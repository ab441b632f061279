// The calls of a published program that converts a file: the output's format is the input's with another rate, whatever
// the type of the output file. It does so through the extended interface, and with a converter between two files.

import AudioCore
import AudioToolbox
import SoundFile
import TestSupport
import Testing

@Suite("A file converted to another rate, in the input's own format") struct ConvertFileTests {
  /// The reader for the converter, as in the program: any status but 0 is a failure.
  private final class Input {
    let file: AudioFileID
    let bytesPerPacket: UInt32
    var position: Int64 = 0
    var failures = 0
    var buffer = [UInt8](repeating: 0, count: 32_768)

    init(_ file: AudioFileID, _ format: AudioStreamBasicDescription) {
      self.file = file
      bytesPerPacket = format.mBytesPerPacket
    }

    static let proc: AudioConverterComplexInputDataProc = { _, packets, data, _, context in
      guard let context else { return kAudio_ParamError }
      let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
      packets.pointee = min(packets.pointee, UInt32(input.buffer.count) / input.bytesPerPacket)
      var size = UInt32(input.buffer.count)
      return input.buffer.withUnsafeMutableBytes { bytes in
        let status = AudioFileReadPacketData(
          input.file, false, &size, nil, input.position, packets, bytes.baseAddress)
        if status != 0 {
          input.failures += 1
          return status
        }
        input.position += Int64(packets.pointee)
        data.pointee.mBuffers.mData = bytes.baseAddress
        data.pointee.mBuffers.mDataByteSize = size
        return 0
      }
    }
  }

  private static let frames = 20_000

  /// A file of 48000 Hz and the format that it says it has.
  private func source(
    _ folder: TemporaryFolder, _ container: SoundFileContainer
  ) throws -> (path: String, format: AudioStreamBasicDescription) {
    let path = folder.file("source")
    try encode(path, .init(container: container, encoding: .pcm16), noise(2, frames: Self.frames))
    let file = try #require(openFile(path).1)
    defer { _ = AudioFileClose(file) }
    return (path, try value(file, kAudioFilePropertyFormatList, AudioFormatListItem()).mASBD)
  }

  @Test("An AIFF takes what is big-endian, at every rate", arguments: [8_000.0, 22_050, 44_100, 48_000, 96_000])
  func bigEndian(_ rate: Double) throws {
    let folder = TemporaryFolder()
    let (path, format) = try source(folder, .aiff)
    var target = format
    target.mSampleRate = rate
    let expected = FrameCount.converted(Int64(Self.frames), from: 48_000, to: rate)

    // The extended interface: the client's format is the input's, on both sides.
    var (reader, writer) = (ExtAudioFileRef?.none, ExtAudioFileRef?.none)
    try #require(ExtAudioFileOpenURL(makeURL(path), &reader) == 0)
    let output = folder.file("extended.aiff")
    try #require(ExtAudioFileCreateWithURL(makeURL(output), kAudioFileAIFFType, &target, nil, 1, &writer) == 0)
    let (from, to) = (try #require(reader), try #require(writer))
    var client = format
    #expect(ExtAudioFileSetProperty(from, kExtAudioFileProperty_ClientDataFormat, 40, &client) == 0)
    #expect(ExtAudioFileSetProperty(to, kExtAudioFileProperty_ClientDataFormat, 40, &client) == 0)
    let buffer = InterleavedBuffer(byteCount: 32_768, channels: 2)
    while true {
      var frames: UInt32 = 32_768 / 4
      #expect(buffer.withList { ExtAudioFileRead(from, &frames, $0) }.0 == 0)
      if frames == 0 { break }
      #expect(buffer.withList { ExtAudioFileWrite(to, frames, $0) }.0 == 0)
    }
    #expect(ExtAudioFileDispose(to) == 0)
    #expect(ExtAudioFileDispose(from) == 0)
    let info = try SoundFileReader(path: output).info
    #expect(info.frameCount == expected && info.sampleRate == rate && info.container == .aiff)

    // A converter between two files, to the first fill that gives nothing.
    let file = try #require(openFile(path).1)
    let created = createFile(folder.file("packets.aiff"), kAudioFileAIFFType, target)
    #expect(created.0 == 0)
    let written = try #require(created.1)
    var converter: AudioConverterRef?
    var input = format
    try #require(AudioConverterNew(&input, &target, &converter) == 0)
    let conversion = try #require(converter)
    let feed = Input(file, format)
    var position: Int64 = 0
    while true {
      var packets: UInt32 = 32_768 / 4
      let (status, size) = buffer.withList {
        AudioConverterFillComplexBuffer(
          conversion, Input.proc, Unmanaged.passUnretained(feed).toOpaque(), &packets, $0, nil)
      }
      try #require(status == 0)
      if packets == 0 { break }
      #expect(AudioFileWritePackets(written, false, UInt32(size), nil, position, &packets, buffer.bytes) == 0)
      position += Int64(packets)
    }
    #expect(feed.failures == 0 && feed.position == Int64(Self.frames))
    #expect(AudioConverterDispose(conversion) == 0)
    #expect(AudioFileClose(written) == 0)
    #expect(AudioFileClose(file) == 0)
    #expect(try SoundFileReader(path: folder.file("packets.aiff")).info.frameCount == position)
    #expect(abs(position - expected) <= 1)
  }

  /// The program copies the byte order of its input: AIFF has no little-endian samples, at the input's rate or another.
  @Test("An AIFF takes nothing little-endian: the rate has no part in it", arguments: [44_100.0, 48_000])
  func littleEndian(_ rate: Double) throws {
    let folder = TemporaryFolder()
    var (_, format) = try source(folder, .wav)
    format.mSampleRate = rate
    #expect(createFile(folder.file("a.aiff"), kAudioFileAIFFType, format).0 == kAudioFileUnsupportedDataFormatError)
    var file: ExtAudioFileRef?
    #expect(
      ExtAudioFileCreateWithURL(makeURL(folder.file("a.aiff")), kAudioFileAIFFType, &format, nil, 1, &file)
        == kAudioFileUnsupportedDataFormatError)
    // Types that can hold it do.
    for type in [kAudioFileCAFType, kAudioFileWAVEType, kAudioFileAIFCType] {
      let (status, made) = createFile(folder.file("b"), type, format)
      #expect(status == 0)
      if let made { #expect(AudioFileClose(made) == 0) }
    }
  }
}
