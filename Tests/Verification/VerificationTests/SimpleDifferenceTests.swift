import AudioCore
import Foundation
import Measurement
import Testing

import Verification

@Suite("Failures say where a gain, a delay or the polarity is all of the difference")
struct SimpleDifferenceTests {
  private static let tenth = pow(10, 0.1 / 20)

  private func failure(_ checks: String, _ change: (AudioSignal) -> AudioSignal) throws -> String {
    let text = caseText("a", ShellDevice.sound, checks: checks)
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(frames: 20_000), "sound.wav")
    #expect(try folder.run(text, blessing: .missing, reason: "first").verdict == .passed)
    try folder.write(change(noiseSignal(frames: 20_000)), "sound.wav")
    let check = try folder.run(text).checks[0]
    #expect(check.verdict == .failed)
    return check.found
  }

  @Test(
    "A golden's failure by a gain says how much louder it is, and that the rest is the rounding of what is kept",
    arguments: [
      (#"{"check": "golden", "peak": -120, "bits": 24}"#, 24), (#"{"check": "golden", "bits": 24}"#, 24),
      (#"{"check": "golden"}"#, 16),
    ])
  func louder(checks: String, bits: Int) throws {
    let found = try failure(checks) { $0.mapped { Double(Float($0 * Self.tenth)) } }
    let match = try #require(
      found.firstMatch(of: /^0\.1 dB louder, otherwise the same to −(\d+) dB, no more than the/), "\(found)")
    // Rounding to steps of 2^(1−bits) leaves a step ÷ √12 RMS; even noise of ±0.5 has 1 ÷ √12. Noise that is itself in
    // steps of 2^−24 lies on a step of 24 bits or halfway between two: a step ÷ √8, 1.8 dB more. The worst 10 ms are
    // louder than the whole.
    #expect(abs(try #require(Double(match.output.1)) - 20 * log10(pow(2, Double(bits - 1)))) < 3, "\(found)")
    #expect(
      found.contains("rounding of the \(bits) bits that are kept; ") && found.contains("whole length"), "\(found)")
  }

  @Test("Delay, polarity, and gains of single channels are named")
  func others() throws {
    let sound = noiseSignal(frames: 5000)
    func text(_ change: (Int, [Double]) -> [Double]) -> String? {
      let channels = sound.channels.enumerated().map { change($0.offset, $0.element) }
      return SimpleDifference(AudioSignal(sampleRate: 48_000, channels: channels), sound)?.text
    }
    #expect(text { _, samples in [0] + samples.dropLast() } == "1 frame later, otherwise the same bit for bit")
    #expect(
      text { _, samples in samples.dropFirst(3).map { -$0 } + [0, 0, 0] }
        == "3 frames earlier, inverted, otherwise the same bit for bit")
    let one = text { channel, samples in channel == 1 ? samples.map { $0 / 2 } : samples }
    // 20 · log10(2)
    #expect(one == "6.0206 dB quieter in channel 1, otherwise the same bit for bit", "\(one ?? "nothing")")
  }

  @Test("A click, other noise, a filter, another length and NaN are no simple difference")
  func none() {
    let sound = noiseSignal(frames: 5000)
    func text(_ other: AudioSignal) -> String? { SimpleDifference(other, sound)?.text }
    var click = sound.mapped { $0 * Self.tenth }
    click.channels[1][1234] += 0.5
    var hole = sound
    hole.channels[0][7] = .nan
    var silent = sound
    silent.channels[0] = silent.channels[0].map { _ in 0 }
    let filtered = AudioSignal(
      sampleRate: 48_000, channels: sound.channels.map { zip($0, [0] + $0.dropLast()).map { $0 + 0.5 * $1 } })
    for other in [
      sound, click, hole, silent, filtered, noiseSignal(frames: 5000, seed: 2), noiseSignal(frames: 4999),
      noiseSignal(frames: 5000, channels: 1),
    ] { #expect(text(other) == nil) }
  }

  @Test("What is to be the same as another device or a file says it too; an alignment says it in its own words")
  func sameAs() throws {
    let folder = try SuiteFolder()
    let sound = noiseSignal()
    try folder.write(sound, "other.wav")
    try folder.write(sound.mapped { $0 / 2 }, "sound.wav")
    func found(_ more: String) throws -> String {
      try folder.run(
        caseText("a", ShellDevice.sound, checks: #"{"check": "sameAs", "file": "other.wav"\#(more)}"#)
      ).checks[0].found
    }
    #expect(try found("").hasPrefix("6.0206 dB quieter, otherwise the same bit for bit; "))
    #expect(try found(#", "peak": -90"#).hasPrefix("6.0206 dB quieter, otherwise the same bit for bit; "))
    #expect(try found(#", "align": {"gain": 0.1}"#).hasPrefix("no delay, gain −6.0206 dB"))
  }
}
