import AudioCore
import AudioToolbox
import CoreFoundation
import SoundFile
import TestSupport
import Testing

/// Reading a file in the client's format.
@Suite struct ExtAudioFileTests {
  private func open(_ path: String) throws -> ExtAudioFileRef {
    var file: ExtAudioFileRef?
    try #require(ExtAudioFileOpenURL(makeURL(path), &file) == 0)
    return try #require(file)
  }

  private func set(_ file: ExtAudioFileRef, _ client: AudioStreamBasicDescription) -> OSStatus {
    var client = client
    return ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client)
  }

  private func value<T: BitwiseCopyable>(_ file: ExtAudioFileRef, _ id: ExtAudioFilePropertyID, _ initial: T) throws
    -> T
  {
    var (result, size) = (initial, UInt32(MemoryLayout<T>.size))
    try #require(ExtAudioFileGetProperty(file, id, &size, &result) == 0)
    return result
  }

  /// Reads to the end in pieces of `piece` frames.
  private func readAll(_ file: ExtAudioFileRef, bytesPerFrame: Int, channels: Int, piece: Int) throws -> [UInt8] {
    let buffer = InterleavedBuffer(byteCount: piece * bytesPerFrame, channels: channels)
    var all: [UInt8] = []
    while true {
      var frames = UInt32(piece)
      let (status, size) = buffer.withList { ExtAudioFileRead(file, &frames, $0) }
      try #require(status == 0)
      #expect(size == Int(frames) * bytesPerFrame)
      if frames == 0 { return all }
      all += buffer.bytes[..<size]
    }
  }

  private func floats(_ bytes: [UInt8]) -> [Float] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }

  /// Codecs of the decoding program, in the client's format.
  @Test(arguments: ["tabla-aac.m4a", "drums-aac.aac", "surround-aac.m4a", "tabla.ac3", "tabla-opus.mp4"])
  func codedPacketsAreDecoded(_ name: String) throws {
    let path = "\(Repository.path)/fixtures/audio/coded/\(name)"
    let info = try SoundFileReader(path: path).info
    let file = try open(path)
    let format = try value(file, kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription())
    let codes = ["aac": kAudioFormatMPEG4AAC, "ac3": kAudioFormatAC3, "opu": kAudioFormatOpus]
    let code = codes.first { name.contains($0.key) }?.value
    #expect(format.mFormatID == code && format.mSampleRate == info.sampleRate)
    #expect(try value(file, kExtAudioFileProperty_FileLengthFrames, Int64(0)) == info.frameCount)
    #expect(set(file, pcm(.float32, rate: info.sampleRate, channels: info.channelCount)) == 0)
    let read = try readAll(file, bytesPerFrame: 4 * info.channelCount, channels: info.channelCount, piece: 1_000)
    let expected = try decode(path)
    let samples = floats(read)
    #expect(samples.count == expected.count * expected[0].count)
    for (channel, plane) in expected.enumerated() {
      #expect(plane.indices.allSatisfy { samples[$0 * info.channelCount + channel] == plane[$0] }, "\(channel)")
    }
    // From the middle, and from the beginning again.
    for frame in [Int64(10_007), 3] {
      #expect(ExtAudioFileSeek(file, frame) == 0)
      let buffer = InterleavedBuffer(byteCount: 10 * 4 * info.channelCount, channels: info.channelCount)
      var frames = UInt32(10)
      #expect(buffer.withList { ExtAudioFileRead(file, &frames, $0) }.0 == 0)
      #expect(frames == 10 && floats(buffer.bytes)[0] == expected[0][Int(frame)])
    }
    #expect(ExtAudioFileDispose(file) == 0)
  }

  /// Reading as Python's audioread does: one interleaved buffer of int16, its size set before each call, until no
  /// frames come.
  @Test(arguments: ["piano.flac", "crow-22050.flac"])
  func aFlacFileIsReadAsPlainIntegers(_ name: String) throws {
    let path = Repository.path + "/fixtures/audio/" + name
    let info = try SoundFileReader(path: path).info
    let file = try open(path)
    let format = try value(file, kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription())
    #expect(format.mFormatID == kAudioFormatFLAC && format.mSampleRate == info.sampleRate)
    #expect(try value(file, kExtAudioFileProperty_FileLengthFrames, Int64(0)) == info.frameCount)
    let channels = Int(format.mChannelsPerFrame)
    #expect(set(file, pcm(.int16, rate: info.sampleRate, channels: channels)) == 0)
    let read = try readAll(file, bytesPerFrame: 2 * channels, channels: channels, piece: 4_096)
    #expect(ExtAudioFileDispose(file) == 0)
    let expected = try decode(path)
    let samples = read.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    #expect(samples.count == expected[0].count * channels)
    // Round half to even, clipped.
    let wrong = samples.indices.first { index in
      let exact = (Double(expected[index % channels][index / channels]) * 32_768).rounded(.toNearestOrEven)
      return Double(samples[index]) != max(-32_768, min(32_767, exact))
    }
    #expect(wrong == nil)
  }

  /// Nothing that the file holds is lost on the way to a format that can hold it.
  @Test(arguments: [
    (SoundFileFormat(container: .wav, encoding: .pcm16), SampleEncoding.int16),
    (SoundFileFormat(container: .aiff, encoding: .pcm24), .int24),
    (SoundFileFormat(container: .caf, encoding: .pcm32), .int32),
    (SoundFileFormat(container: .wav, encoding: .float64), .float64),
    (SoundFileFormat(container: .wav, encoding: .pcm32), .float64),
    (SoundFileFormat(container: .flac, encoding: .pcm24), .float32),
    (SoundFileFormat(container: .wav, encoding: .pcm16), .int16.bigEndian),
    (SoundFileFormat(container: .caf, encoding: .alac16), .int16),
  ])
  func samplesComeUnchanged(_ format: SoundFileFormat, client: SampleEncoding) throws {
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    try encode(path, format, noise(2, frames: 5_000))
    let file = try open(path)
    #expect(set(file, pcm(client)) == 0)
    let read = try readAll(file, bytesPerFrame: 2 * client.containerBytes, channels: 2, piece: 777)
    #expect(ExtAudioFileDispose(file) == 0)
    let reader = try SoundFileReader(path: path)
    let planes = DoubleBuffer(channelCount: 2, frameCapacity: 5_000)
    #expect(try reader.read(into: planes.planes, frames: 5_000) == 5_000)
    #expect(read.count == 10_000 * client.containerBytes)
    let scale = client.kind == .float ? 1 : client.fullScale
    let wrong = (0..<10_000).first { index in
      let at = index * client.containerBytes
      let raw = Array(read[at..<at + client.containerBytes])
      let word = (client.isBigEndian ? raw : raw.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let expected = planes.planes[index % 2][index / 2] * scale
      switch (client.kind, client.bits) {
      case (.float, 32): return Double(Float(bitPattern: UInt32(word))) != expected
      case (.float, _): return Double(bitPattern: word) != expected
      default:
        let shift = 64 - UInt64(client.bits)
        return Double(Int64(bitPattern: word << shift) >> Int64(shift)) != expected
      }
    }
    #expect(wrong == nil)
  }

  @Test("the file's channels are put into the order of the client's layout")
  func clientLayout() throws {
    let folder = TemporaryFolder()
    let path = folder.file("centre.caf")
    let buffer = PlanarBuffer(channelCount: 3, frameCapacity: 8)
    for channel in 0..<3 { buffer[channel].fill(Float(channel + 1) / 4) }
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(container: .caf, encoding: .float32), sampleRate: 48_000, channelCount: 3,
      options: SoundFileWriterOptions(layout: ChannelLayout(name: "C,L,R")))
    try writer.write(buffer.planes, frames: 8)
    _ = try writer.finish()
    let file = try open(path)
    #expect(set(file, pcm(.float32, channels: 3)) == 0)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = 0x0071_0003
    let size = UInt32(MemoryLayout<AudioChannelLayout>.size)
    #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientChannelLayout, size, &layout) == 0)
    let read = floats(try readAll(file, bytesPerFrame: 12, channels: 3, piece: 5))
    #expect(read.count == 24 && Array(read[21...]) == [0.5, 0.75, 0.25])
    #expect(ExtAudioFileDispose(file) == 0)
  }

  @Test func planarChannelsAreMappedStraight() throws {
    let folder = TemporaryFolder()
    try encode(folder.file("mono.wav"), .init(container: .wav, encoding: .float32), noise(1, frames: 1_000))
    let expected = try decode(folder.file("mono.wav"))[0]
    let file = try open(folder.file("mono.wav"))
    defer { _ = ExtAudioFileDispose(file) }
    #expect(set(file, pcm(.float32, isInterleaved: false)) == 0)
    let list = AudioBufferListPair(frames: 1_500)
    var frames: UInt32 = 1_500
    #expect(ExtAudioFileRead(file, &frames, list.pointer) == 0)
    #expect(frames == 1_000 && list.sizes == [4_000, 4_000])
    // Mono reaches the left; the right stays silent until a channel map says otherwise.
    #expect(list.plane(0, 1_000) == expected && list.plane(1, 1_000) == [Float](repeating: 0, count: 1_000))

    var (converter, size) = (AudioConverterRef?.none, UInt32(8))
    #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &converter) == 0)
    var map: [Int32] = [0, 0]
    #expect(AudioConverterSetProperty(try #require(converter), kAudioConverterChannelMap, 8, &map) == 0)
    var config: UnsafeRawPointer?
    #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &config) == 0)
    #expect(ExtAudioFileSeek(file, 500) == 0)
    (frames, list.sizes) = (1_500, [6_000, 6_000])
    #expect(ExtAudioFileRead(file, &frames, list.pointer) == 0)
    #expect(
      frames == 500 && list.plane(0, 500) == Array(expected[500...]) && list.plane(1, 500) == Array(expected[500...]))
  }

  @Test(arguments: [
    (22_050.0, 44_100.0, 1_000), (44_100, 48_000, 10_007), (48_000, 44_100, 9_999), (48_000, 8_000, 4_801),
    (8_000, 96_000, 333),
  ])
  func theLengthAfterARateConversionIsExact(_ fileRate: Double, _ clientRate: Double, _ frames: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.wav")
    // A sine that both rates can carry: the same sine comes out.
    let wave = (0..<frames).map { Float(0.5 * sine(Double($0), 440 / fileRate)) }
    try encode(path, .init(container: .wav, encoding: .float32), [wave], rate: fileRate)
    var results: [[Float]] = []
    for piece in [100, 4_096, 33] {
      let file = try open(path)
      #expect(set(file, pcm(.float32, rate: clientRate, channels: 1)) == 0)
      results.append(floats(try readAll(file, bytesPerFrame: 4, channels: 1, piece: piece)))
      var place: Int64 = 0
      #expect(ExtAudioFileTell(file, &place) == 0)
      #expect(place == Int64(frames))
      #expect(ExtAudioFileDispose(file) == 0)
    }
    // round-half-up(frames × client ÷ file)
    #expect(results[0].count == Int(clamping: (Double(frames) * clientRate / fileRate + 0.5).rounded(.down)))
    #expect(results[0] == results[1] && results[0] == results[2])
    let middle = results[0].count / 4..<results[0].count * 3 / 4
    let worst = middle.map { abs(Double(results[0][$0]) - 0.5 * sine(Double($0), 440 / clientRate)) }.max() ?? 1
    #expect(worst < 1e-3)
  }

  @Test(arguments: [SoundFileContainer.wav, .flac, .ogg, .mp3, .caf])
  func aSeekIsSampleExact(_ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    try encode(folder.file("a"), .init(container: container), noise(2, frames: 20_000))
    let expected = try decode(folder.file("a"))
    let file = try open(folder.file("a"))
    defer { _ = ExtAudioFileDispose(file) }
    #expect(set(file, pcm(.float32)) == 0)
    let buffer = InterleavedBuffer(byteCount: 800, channels: 2)
    for place in [12_345, 0, 19_990, 1] {
      #expect(ExtAudioFileSeek(file, Int64(place)) == 0)
      var (frames, told) = (UInt32(10), Int64(0))
      #expect(buffer.withList { ExtAudioFileRead(file, &frames, $0) }.0 == 0)
      #expect(frames == 10)
      let read = floats(Array(buffer.bytes[..<80]))
      #expect((0..<20).allSatisfy { read[$0] == expected[$0 % 2][place + $0 / 2] }, "\(place)")
      #expect(ExtAudioFileTell(file, &told) == 0)
      #expect(told == Int64(place + 10))
    }
    #expect(ExtAudioFileSeek(file, -1) == kExtAudioFileError_InvalidSeek)
    #expect(ExtAudioFileSeek(file, Int64(expected[0].count) + 1) == kExtAudioFileError_InvalidSeek)
    #expect(ExtAudioFileSeek(file, Int64(expected[0].count)) == 0)
    var frames: UInt32 = 10
    #expect(buffer.withList { ExtAudioFileRead(file, &frames, $0) }.0 == 0)
    #expect(frames == 0)
  }

  /// Many programs set the size of their buffer once; what a read leaves in it is the room of the next.
  @Test func theSizeOfTheBufferIsItsRoom() throws {
    let folder = TemporaryFolder()
    try encode(folder.file("a.wav"), .init(container: .wav, encoding: .pcm16), noise(1, frames: 1_000))
    let file = try open(folder.file("a.wav"))
    defer { _ = ExtAudioFileDispose(file) }
    // Plain files need no client format: they are read as they are.
    let buffer = InterleavedBuffer(byteCount: 2_000, channels: 1)
    var frames: UInt32 = 600
    #expect(buffer.withList(room: 500) { ExtAudioFileRead(file, &frames, $0) }.0 == 0)
    #expect(frames == 250)
    frames = 600
    #expect(buffer.withList(room: 1) { ExtAudioFileRead(file, &frames, $0) }.0 == -50)
    #expect(frames == 0)
    frames = 4_000
    let (_, size) = buffer.withList { ExtAudioFileRead(file, &frames, $0) }
    #expect(frames == 750 && size == 1_500)
    frames = 10
    let (status, left) = buffer.withList { ExtAudioFileRead(file, &frames, $0) }
    #expect(status == 0 && frames == 0 && left == 0)
  }

  @Test func whatCannotBeIsNamed() throws {
    let folder = TemporaryFolder()
    try encode(folder.file("a.flac"), .init(container: .flac), noise(2, frames: 1_000))
    let file = try open(folder.file("a.flac"))
    defer { _ = ExtAudioFileDispose(file) }
    let buffer = InterleavedBuffer(byteCount: 400, channels: 2)
    var frames: UInt32 = 10
    #expect(buffer.withList { ExtAudioFileRead(file, &frames, $0) }.0 == kExtAudioFileError_NonPCMClientFormat)
    #expect(set(file, coded(kAudioFormatMPEG4AAC)) == kExtAudioFileError_NonPCMClientFormat)
    var broken = pcm(.int16)
    broken.mBytesPerFrame = 3
    #expect(set(file, broken) == kExtAudioFileError_InvalidDataFormat)
    broken = pcm(.int16)
    #expect(
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 39, &broken)
        == kExtAudioFileError_InvalidPropertySize)
    #expect(ExtAudioFileSetProperty(file, 0x7878_7878, 4, &broken) == kExtAudioFileError_InvalidProperty)
    var size: UInt32 = 4
    #expect(ExtAudioFileGetProperty(file, 0x7878_7878, &size, &broken) == kExtAudioFileError_InvalidProperty)
    #expect(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &broken)
        == kExtAudioFileError_InvalidPropertySize)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    let layoutSize = UInt32(MemoryLayout<AudioChannelLayout>.size)
    #expect(
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientChannelLayout, layoutSize, &layout)
        == kExtAudioFileError_InvalidOperationOrder)
    #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_FileChannelLayout, layoutSize, &layout) == 0)
    #expect(set(file, pcm(.float32)) == 0)
    #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientChannelLayout, layoutSize, &layout) == 0)
    #expect(
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_FileChannelLayout, layoutSize, &layout)
        == kExtAudioFileError_InvalidOperationOrder)
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
    #expect(
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientChannelLayout, layoutSize, &layout)
        == kExtAudioFileError_InvalidChannelMap)
    #expect(buffer.withList { ExtAudioFileWrite(file, 10, $0) }.0 == kExtAudioFileError_InvalidOperationOrder)
    #expect(ExtAudioFileWriteAsync(file, 0, nil) == kExtAudioFileError_InvalidOperationOrder)
    let planar = AudioBufferListPair(frames: 100)
    expectStatus(-50, ExtAudioFileRead(file, &frames, planar.pointer))
    var writable = false
    #expect(ExtAudioFileGetPropertyInfo(file, kExtAudioFileProperty_ClientDataFormat, &size, &writable) == 0)
    #expect(size == 40 && writable)
    #expect(ExtAudioFileGetPropertyInfo(file, kExtAudioFileProperty_FileDataFormat, nil, &writable) == 0)
    #expect(!writable)
    var missing: ExtAudioFileRef?
    #expect(ExtAudioFileOpenURL(makeURL(folder.file("no.wav")), &missing) == kAudioFileFileNotFoundError)
    #expect(missing == nil)
    #expect(try value(file, kExtAudioFileProperty_IOBufferSizeBytes, UInt32(0)) == 32_768)
    let inner = try value(file, kExtAudioFileProperty_AudioFile, UInt(0))
    #expect(AudioToolboxTests.status(try #require(AudioFileID(bitPattern: inner)), kAudioFilePropertyFileFormat) == 0)
  }

  private func sine(_ frame: Double, _ cycles: Double) -> Double {
    let phase = (frame * cycles).truncatingRemainder(dividingBy: 1)
    return Self.sineOf(phase * 2 * Double.pi)
  }

  private static func sineOf(_ angle: Double) -> Double {
    // A series that needs no library: 23 terms are exact for one turn.
    var (term, sum) = (angle, angle)
    for n in 1...22 {
      let divisor = 2 * n * (2 * n + 1)
      term *= -(angle * angle) / Double(divisor)
      sum += term
    }
    return sum
  }
}

/// Two planar buffers of floats.
final class AudioBufferListPair {
  private let planes: [UnsafeMutablePointer<Float>]
  private let memory: UnsafeMutableRawPointer
  let pointer: UnsafeMutablePointer<AudioBufferList>

  init(frames: Int) {
    let header = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    memory = .allocate(byteCount: header + 2 * MemoryLayout<AudioBuffer>.size, alignment: 16)
    pointer = memory.assumingMemoryBound(to: AudioBufferList.self)
    planes = (0..<2).map { _ in .allocate(capacity: frames) }
    pointer.pointee.mNumberBuffers = 2
    for (index, plane) in planes.enumerated() {
      plane.initialize(repeating: 0, count: frames)
      buffers[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: plane)
    }
  }

  deinit {
    for plane in planes { plane.deallocate() }
    memory.deallocate()
  }

  private var buffers: UnsafeMutablePointer<AudioBuffer> {
    let header = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    return (memory + header).assumingMemoryBound(to: AudioBuffer.self)
  }

  var sizes: [UInt32] {
    get { [buffers[0].mDataByteSize, buffers[1].mDataByteSize] }
    set { for index in 0..<2 { buffers[index].mDataByteSize = newValue[index] } }
  }

  func plane(_ index: Int, _ frames: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: planes[index], count: frames))
  }

  func fill(_ index: Int, _ samples: [Float]) {
    for (frame, sample) in samples.enumerated() { planes[index][frame] = sample }
  }
}
