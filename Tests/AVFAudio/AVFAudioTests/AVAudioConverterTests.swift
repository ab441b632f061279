import AVFAudio
import Glibc
import TestSupport
import Testing

@Suite("AVAudioConverter: streams in pieces, ends and gaps")
struct AVAudioConverterTests {
  private func format(
    _ rate: Double, _ channels: UInt32 = 1, _ common: AVAudioCommonFormat = .pcmFormatFloat32, interleaved: Bool = false
  ) throws -> AVAudioFormat {
    try #require(AVAudioFormat(commonFormat: common, sampleRate: rate, channels: channels, interleaved: interleaved))
  }

  private func buffer(_ format: AVAudioFormat, _ frames: Range<Int>, _ value: (Int) -> Float) throws -> AVAudioPCMBuffer
  {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames.count)))
    buffer.frameLength = AVAudioFrameCount(frames.count)
    let samples = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
      for (index, frame) in frames.enumerated() { samples[channel][index] = value(frame) * Float(channel + 1) }
    }
    return buffer
  }

  private static func tone(_ frame: Int) -> Float { Float(0.25 * sin(2 * .pi * 997 * Double(frame) / 44_100)) }

  /// A whole stream through a converter, in pieces of drawn lengths on both sides.
  private func converted(
    _ converter: AVAudioConverter, frames: Int, seed: UInt64, largest: Int, withGaps: Bool = false
  ) throws -> [Float] {
    var draw = SeededGenerator(seed: seed)
    var next = 0
    var out: [Float] = []
    while true {
      let room = Int.random(in: 1...largest, using: &draw)
      let output = try #require(
        AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: AVAudioFrameCount(room)))
      var error: NSError?
      let status = converter.convert(to: output, error: &error) { _, status in
        if next == frames {
          status.pointee = .endOfStream
          return nil
        }
        if withGaps, Int.random(in: 0..<3, using: &draw) == 0 {
          status.pointee = .noDataNow
          return nil
        }
        let count = min(frames - next, Int.random(in: 1...largest, using: &draw))
        status.pointee = .haveData
        defer { next += count }
        return try? buffer(converter.inputFormat, next..<next + count, Self.tone)
      }
      #expect(error == nil)
      if status == .endOfStream {
        #expect(output.frameLength == 0)
        return out
      }
      if status == .haveData { #expect(output.frameLength > 0) }
      let samples = try #require(output.floatChannelData)
      out += (0..<Int(output.frameLength)).map { samples[0][$0] }
      guard [.haveData, .inputRanDry].contains(status), out.count < 10 * frames else { return out }
    }
  }

  @Test("A stream is as long as its rates say, the same bits in whatever pieces, and the tone that went in")
  func pieces() throws {
    for rate in [48_000.0, 16_000, 22_050] {
      let make = { AVAudioConverter(from: try format(44_100), to: try format(rate)) }
      let whole = try converted(#require(try make()), frames: 10_007, seed: 1, largest: 20_000)
      #expect(whole.count == Int((10_007 * rate / 44_100 + 0.5).rounded(.down)))
      for seed in 2...4 {
        let converter = try #require(try make())
        #expect(try converted(converter, frames: 10_007, seed: UInt64(seed), largest: 700, withGaps: seed > 2) == whole)
        converter.reset()
        #expect(try converted(converter, frames: 10_007, seed: UInt64(seed) + 7, largest: 300) == whole)
      }
      let worst = (600..<whole.count - 600).map {
        abs(Double(whole[$0]) - 0.25 * sin(2 * .pi * 997 * Double($0) / rate))
      }.max()
      #expect(try #require(worst) < 2e-7)
    }
  }

  @Test("The end stays the end until a reset")
  func end() throws {
    let converter = try #require(AVAudioConverter(from: format(44_100), to: format(48_000)))
    _ = try converted(converter, frames: 100, seed: 5, largest: 100)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 10))
    var asked = 0
    let status = converter.convert(to: output, error: nil) { _, status in
      asked += 1
      status.pointee = .haveData
      return try? buffer(converter.inputFormat, 0..<10, Self.tone)
    }
    #expect((status, asked) == (.endOfStream, 0))
  }

  @Test("Samples and channels change at equal rates, and a buffer goes over at once")
  func samples() throws {
    let input = try buffer(format(8000, 2), 0..<100) { Float($0 - 50) / 64 }
    let converter = try #require(
      AVAudioConverter(from: input.format, to: format(8000, 2, .pcmFormatInt16, interleaved: true)))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 100))
    try converter.convert(to: output, from: input)
    let values = try #require(output.int16ChannelData)
    for frame in 0..<100 {
      #expect(values[0][2 * frame] == Int16((frame - 50) * 512))
      #expect(values[1][2 * frame] == Int16(clamping: (frame - 50) * 1024))
    }
    let small = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 99))
    #expect(throws: NSError.self) { try converter.convert(to: small, from: input) }
    let other = try #require(AVAudioConverter(from: format(8000), to: format(16_000)))
    let mono = try buffer(format(8000), 0..<10) { Float($0) }
    #expect(throws: NSError.self) {
      try other.convert(to: #require(AVAudioPCMBuffer(pcmFormat: format(16_000), frameCapacity: 20)), from: mono)
    }
  }

  @Test("Channels: straight through, by a map, or mixed")
  func channels() throws {
    let mono = try buffer(format(8000), 0..<4) { Float($0 + 1) / 8 }
    let stereo = try buffer(format(8000, 2), 0..<4) { Float($0 + 1) / 8 }
    func output(_ converter: AVAudioConverter, _ input: AVAudioPCMBuffer) throws -> [[Float]] {
      let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 4))
      try converter.convert(to: output, from: input)
      let samples = try #require(output.floatChannelData)
      return (0..<Int(converter.outputFormat.channelCount)).map { channel in (0..<4).map { samples[channel][$0] } }
    }
    let up = try #require(AVAudioConverter(from: mono.format, to: stereo.format))
    let ramp: [Float] = [0.125, 0.25, 0.375, 0.5]
    let silence: [Float] = [0, 0, 0, 0]
    #expect(up.channelMap == [0, -1])
    #expect(try output(up, mono) == [ramp, silence])
    up.channelMap = [-1, 0]
    #expect(try output(up, mono) == [silence, ramp])
    up.channelMap = [0, 0]
    #expect(try output(up, mono) == [ramp, ramp])
    let down = try #require(AVAudioConverter(from: stereo.format, to: mono.format))
    #expect(try output(down, stereo) == [ramp])
    down.downmix = true
    #expect(down.downmix)
    // ITU-R BS.775: each of two channels at −3 dB.
    let mixed = try output(down, stereo)[0]
    for (found, left) in zip(mixed, ramp) { #expect(abs(found - 3 * left * Float(0.5).squareRoot()) < 1e-6) }
  }

  @Test("A block that has data and gives none, or of another format, is an error with words")
  func faults() throws {
    let converter = try #require(AVAudioConverter(from: format(8000), to: format(16_000)))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 10))
    var error: NSError?
    let none = converter.convert(to: output, error: &error) { _, status in
      status.pointee = .haveData
      return nil
    }
    #expect(none == .error)
    #expect(error?.localizedDescription.contains("returns none") == true)
    let wrong = try buffer(format(9000), 0..<10) { Float($0) }
    #expect(converter.convert(to: output, error: &error) { _, _ in wrong } == .error)
    #expect(error?.localizedDescription.contains("9000") == true)
    #expect(error?.code == -50)
    let aac = AVAudioFormat(
      settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1])
    #expect(AVAudioConverter(from: try format(8000), to: try #require(aac)) == nil)
  }
}
