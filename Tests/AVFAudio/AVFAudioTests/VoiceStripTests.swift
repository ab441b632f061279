// The tests of docs/avfaudio-in-ci.md, line by line: a test holds the two together.

import AVFAudio
import Foundation
import Testing

@Suite struct VoiceStripTests {
  let format: AVAudioFormat

  init() throws { format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)) }

  func buffer(_ frames: Int, _ value: (Int) -> Float) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    buffer.frameLength = AVAudioFrameCount(frames)
    let samples = try #require(buffer.floatChannelData)
    for frame in 0..<frames { samples[0][frame] = value(frame) }
    return buffer
  }

  /// dB by which the strip changes a steady tone, from its last second.
  func gain(at hertz: Double, _ strip: VoiceStrip) throws -> Double {
    func tone(_ frame: Int) -> Float { Float(0.5 * sin(2 * .pi * hertz * Double(frame) / 48_000)) }
    let output = try strip.render(try buffer(96_000, tone), frames: 96_000)
    let power = output[48_000...].reduce(0) { $0 + Double($1 * $1) } / 48_000
    return 10 * log10(power / 0.125)
  }

  @Test("Rumble is cut by a filter of second order at 80 Hz", arguments: [20.0, 40, 80, 160, 1000])
  func lowCut(hertz: Double) throws {
    let strip = VoiceStrip(format: format)
    strip.echo.bypass = true
    // A Butterworth high pass: |H|² = r⁴ / (1 + r⁴), r = f / 80 Hz.
    let r = pow(hertz / 80, 4)
    #expect(abs(try gain(at: hertz, strip) - 10 * log10(r / (1 + r))) < 0.1)
  }

  @Test("The echo comes after a quarter of a second, to the frame")
  func echo() throws {
    let strip = VoiceStrip(format: format)
    strip.lowCut.bypass = true
    let output = try strip.render(try buffer(1) { _ in 1 }, frames: 24_000)
    let loud = output.indices.filter { abs(output[$0]) > 0.1 }
    #expect(loud == [0, 12_000])
  }

  @Test("The strip is silent when its echo is over, and renders the same bits each time")
  func end() throws {
    let click = try buffer(100) { _ in 0.5 }
    let output = try VoiceStrip(format: format).render(click, frames: 48_000)
    #expect(output.prefix(100).contains { abs($0) > 0.1 })
    #expect(output.suffix(12_000).allSatisfy { abs($0) < 1e-6 })
    #expect(try VoiceStrip(format: format).render(click, frames: 48_000) == output)
  }
}
