import AVFAudio
import TestSupport
import Testing

@Suite("AVAudioFile: what is written comes back")
struct AVAudioFileTests {
  private let folder = TemporaryFolder()

  private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

  /// A buffer of samples by frame and channel.
  private func buffer(_ format: AVAudioFormat, frames: Int, _ value: (Int, Int) -> Float) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    buffer.frameLength = AVAudioFrameCount(frames)
    let samples = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<frames { samples[channel][frame * buffer.stride] = value(frame, channel) }
    }
    return buffer
  }

  private func settings(_ more: [String: Any] = [:]) -> [String: Any] {
    [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2].merging(more) { $1 }
  }

  /// Multiples of 2⁻⁷ are the same number in every encoding here.
  private func step(_ frame: Int, _ channel: Int) -> Float { Float((frame * 7 + channel * 31) % 255 - 127) / 128 }

  @Test("AAC in m4a is read as a file of the length of its edit list")
  func aac() throws {
    let file = try AVAudioFile(
      forReading: URL(fileURLWithPath: "\(Repository.path)/fixtures/audio/coded/tabla-aac.m4a"))
    #expect((file.length, file.fileFormat.sampleRate, file.fileFormat.channelCount) == (31_500, 44_100, 1))
    #expect(file.fileFormat.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
    let original = try AVAudioFile(forReading: URL(fileURLWithPath: "\(Repository.path)/fixtures/audio/tabla.flac"))
    let (heard, wanted) = (
      try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 32_000)),
      try #require(AVAudioPCMBuffer(pcmFormat: original.processingFormat, frameCapacity: 32_000))
    )
    try file.read(into: heard)
    try original.read(into: wanted)
    #expect(heard.frameLength == 31_500 && wanted.frameLength == 31_500)
    let (left, right) = (try #require(heard.floatChannelData)[0], try #require(wanted.floatChannelData)[0])
    let energy = (0..<31_500).reduce(0.0) { $0 + Double(right[$1] * right[$1]) }
    let error = (0..<31_500).reduce(0.0) { $0 + Double((left[$1] - right[$1]) * (left[$1] - right[$1])) }
    #expect(error < energy / 60)
  }

  @Test(
    "Each kind of file and encoding gives back its frames, whatever the pieces",
    arguments: [
      ("a.wav", [:]), ("b.wav", [AVLinearPCMBitDepthKey: 24]), ("c.wav", [AVLinearPCMBitDepthKey: 8]),
      ("d.wav", [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]), ("e.aiff", [AVLinearPCMBitDepthKey: 32]),
      ("f.caf", [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 64]),
      ("g.flac", [AVFormatIDKey: kAudioFormatFLAC]),
      ("h.caf", [AVFormatIDKey: kAudioFormatAppleLossless]), ("i.dat", [AVAudioFileTypeKey: kAudioFileAIFFType]),
    ] as [(String, [String: any Sendable])])
  func roundTrip(name: String, more: [String: any Sendable]) throws {
    let place = url(name)
    let file = try AVAudioFile(forWriting: place, settings: settings(more))
    #expect(file.processingFormat == AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    for (start, frames) in [(0, 1), (1, 4999), (5000, 3)] {
      try file.write(from: buffer(file.processingFormat, frames: frames) { step($0 + start, $1) })
    }
    #expect((file.length, file.framePosition) == (5003, 5003))
    try file.finish()
    #expect(!file.isOpen)

    let back = try AVAudioFile(forReading: place)
    #expect((back.length, back.framePosition) == (5003, 0))
    #expect((back.fileFormat.sampleRate, back.fileFormat.channelCount) == (44_100, 2))
    let whole = try #require(AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 6000))
    try back.read(into: whole)
    #expect(whole.frameLength == 5003)
    let samples = try #require(whole.floatChannelData)
    for channel in 0..<2 {
      #expect((0..<5003).allSatisfy { samples[channel][$0] == step($0, channel) })
    }
    #expect(throws: NSError.self) { try back.read(into: whole) }
    #expect(whole.frameLength == 0)

    back.framePosition = 4321
    try back.read(into: whole, frameCount: 5)
    #expect(whole.frameLength == 5)
    #expect(back.framePosition == 4326)
    #expect((0..<5).allSatisfy { samples[1][$0] == step($0 + 4321, 1) })
  }

  @Test("Integers come and go unchanged in a processing format of integers", arguments: [false, true])
  func integers(interleaved: Bool) throws {
    let place = url("int.wav")
    let file = try AVAudioFile(
      forWriting: place, settings: settings(), commonFormat: .pcmFormatInt16, interleaved: interleaved)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 32_768))
    buffer.frameLength = 32_768
    let samples = try #require(buffer.int16ChannelData)
    for frame in 0..<32_768 {
      samples[0][frame * buffer.stride] = Int16(frame - 32_768)
      samples[1][frame * buffer.stride] = Int16(frame)
    }
    try file.write(from: buffer)
    file.close()
    let back = try AVAudioFile(forReading: place, commonFormat: .pcmFormatInt16, interleaved: !interleaved)
    let read = try #require(AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 40_000))
    try back.read(into: read)
    let values = try #require(read.int16ChannelData)
    #expect(read.frameLength == 32_768)
    #expect((0..<32_768).allSatisfy { values[0][$0 * read.stride] == Int16($0 - 32_768) })
    #expect((0..<32_768).allSatisfy { values[1][$0 * read.stride] == Int16($0) })
  }

  @Test("A file has its name when it is closed, and an old one stays until then; its layout comes back")
  func names() throws {
    let place = url("surround.wav")
    try Data("old".utf8).write(to: place)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_WAVE_5_1_A))
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    do {
      let file = try AVAudioFile(forWriting: place, settings: format.settings)
      try file.write(from: buffer(format, frames: 100) { Float($0 + 100 * $1) / 1024 })
      #expect(try Data(contentsOf: place) == Data("old".utf8))
    }
    let back = try AVAudioFile(forReading: place)
    #expect(back.processingFormat == format)
    #expect(back.length == 100)
  }

  private func code(_ body: () throws -> Void) -> Int? {
    do { try body() } catch {
      let error = error as NSError
      return error.domain == "com.apple.coreaudio.avfaudio" ? error.code : 0
    }
    return nil
  }

  @Test("What cannot be is an error with its code")
  func errors() throws {
    let text = url("text.wav")
    try Data("no sound".utf8).write(to: text)
    #expect(code { _ = try AVAudioFile(forReading: url("none.wav")) } == 0x7768_743F)
    #expect(code { _ = try AVAudioFile(forReading: text) } == 0x7479_703F)
    #expect(code { _ = try AVAudioFile(forWriting: url("a.m4a"), settings: settings()) } == 0x666D_743F)
    #expect(code { _ = try AVAudioFile(forWriting: url("a.xyz"), settings: settings()) } == 0x7479_703F)
    #expect(
      code { _ = try AVAudioFile(forWriting: url("a.wav"), settings: settings([AVFormatIDKey: kAudioFormatMPEG4AAC])) }
        == 0x666D_743F)
    #expect(code { _ = try AVAudioFile(forWriting: url("none/a.wav"), settings: settings()) } == 0x7072_6D3F)
    let file = try AVAudioFile(forWriting: url("b.wav"), settings: settings())
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    #expect(code { try file.write(from: buffer(mono, frames: 1) { _, _ in 0 }) } == -50)
    file.close()
    #expect(code { try file.write(from: buffer(file.processingFormat, frames: 1) { _, _ in 0 }) } == 0x7072_6D3F)
    let back = try AVAudioFile(forReading: url("b.wav"))
    #expect(back.length == 0)
    #expect(code { try back.read(into: buffer(mono, frames: 1) { _, _ in 0 }) } == -50)
    #expect(code { try back.read(into: buffer(back.processingFormat, frames: 1) { _, _ in 0 }) } == -39)
  }

  @Test("A file that a global of the program still writes is whole when the program has ended")
  func programEnds() async throws {
    let path = folder.file("global.caf")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
      let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
      ]
      guard let format, let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 777),
        let file = try? AVAudioFile(forWriting: URL(fileURLWithPath: path), settings: settings)
      else { exit(2) }
      buffer.frameLength = 777
      buffer.floatChannelData?[0][776] = 0.5
      guard (try? file.write(from: buffer)) != nil, !FileManager.default.fileExists(atPath: path) else { exit(3) }
      // Held as by a global: never deinitialized.
      _ = Unmanaged.passRetained(file)
      exit(0)
    }
    let back = try AVAudioFile(forReading: URL(fileURLWithPath: path))
    #expect(back.length == 777)
    let last = try #require(AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 1))
    back.framePosition = 776
    try back.read(into: last)
    #expect(last.floatChannelData?[0][0] == 0.5)
  }
}
