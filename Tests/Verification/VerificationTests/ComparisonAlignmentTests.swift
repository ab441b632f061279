import Glibc
import Measurement
import TestSupport
import Testing
import Verification

/// Delay, gain, polarity and drift of signals that are closed forms of time.
@Suite("Comparing after alignment") struct ComparisonAlignmentTests {
  private static let frames = 24_000

  private static func pair(
    delay: Double, gain: Double = 1, drift: Double = 0, frames: Int = frames, seed: UInt64 = 11
  ) -> (actual: AudioSignal, expected: AudioSignal) {
    let tones = [TestTones(seed: seed), TestTones(seed: seed + 1)]
    return (
      AudioSignal(
        sampleRate: 48_000,
        channels: tones.map { tone in
          tone.samples(frames: frames) { $0 - delay - drift * $0 }.map { $0 * gain }
        }),
      AudioSignal(sampleRate: 48_000, channels: tones.map { $0.samples(frames: frames) })
    )
  }

  private static let anything = AlignedNullComparator(
    delayLimit: .infinity, gainLimit: .infinity, allowsInversion: true, nullLimit: -90)

  @Test(arguments: [0, 1, -1, 0.5, -0.5, 0.001, 0.25, -137.3, 200.875, 250])
  func delaysAreFoundToAThousandthOfAFrame(_ delay: Double) throws {
    let (actual, expected) = Self.pair(delay: delay)
    let outcome = Self.anything.compare(actual, with: expected)
    let found = try #require(outcome.readings.first { $0.id == "delay" })
    #expect(abs(found.value - delay) < 1e-4, "\(outcome.found)")
    #expect(abs(outcome.readings.first { $0.id == "gain" }?.value ?? 1) < 1e-4)
    #expect(outcome.verdict == .passed, "\(outcome.found)")
    // Nothing is hidden: without permission the same delay fails.
    let strict = AlignedNullComparator().compare(actual, with: expected)
    #expect((strict.verdict == .passed) == (abs(delay) <= 0.001 - 1e-6 || delay == 0), "\(strict.found)")
  }

  @Test(arguments: [(0.0, false), (-0.1, false), (6.02, true), (-40.0, true), (0.01, false)])
  func gainAndPolarityAreFound(_ decibels: Double, _ inverted: Bool) throws {
    let gain = pow(10, decibels / 20) * (inverted ? -1 : 1)
    let (actual, expected) = Self.pair(delay: 3.7, gain: gain)
    let outcome = Self.anything.compare(actual, with: expected)
    #expect(abs((outcome.readings.first { $0.id == "gain" }?.value ?? 99) - decibels) < 1e-4, "\(outcome.found)")
    #expect(outcome.readings.first { $0.id == "polarity" }?.value == (inverted ? -1 : 1))
    #expect(outcome.verdict == .passed, "\(outcome.found)")
    var strict = Self.anything
    strict.allowsInversion = false
    strict.gainLimit = 0.005
    let verdict = strict.compare(actual, with: expected)
    #expect((verdict.verdict == .passed) == (decibels == 0 && !inverted), "\(verdict.found)")
  }

  @Test func aPureFlipOfPolarityIsNamed() {
    let signal = noiseSignal(seed: 21, frames: 9_000)
    var flipped = signal
    flipped.channels = signal.channels.map { $0.map { -$0 } }
    let outcome = AlignedNullComparator().compare(flipped, with: signal)
    #expect(outcome.verdict == .failed)
    #expect(outcome.found == "no delay, no gain, inverted; without these no difference. Beyond its limit: polarity")
    #expect(outcome.firstFailure?.frame == 0)
  }

  @Test func oneFrameIsNoPlural() {
    let signal = noiseSignal(seed: 23, frames: 9_000)
    var later = signal
    later.channels = signal.channels.map { [0] + $0.dropLast() }
    #expect(AlignedNullComparator().compare(later, with: signal).found.hasPrefix("1 frame later, no gain"))
  }

  @Test func oneChannelFlippedShowsInItsOwnGain() throws {
    let signal = noiseSignal(seed: 22, frames: 9_000)
    var flipped = signal
    flipped.channels[1] = signal.channels[1].map { $0 * -0.5 }
    let outcome = Self.anything.compare(flipped, with: signal)
    #expect(outcome.verdict == .failed)
    let gains = outcome.readings.filter { $0.id == "channelGain" }
    #expect(abs(gains[0].value) < 1e-9 && abs(gains[1].value - 20 * log10(0.5)) < 1e-9)
    #expect(gains[1].remark == "inverted")
  }

  @Test func swappedChannelsAndOtherSignalsFailWhateverIsAllowed() {
    let signal = noiseSignal(seed: 23, frames: 20_000)
    let swapped = AudioSignal(sampleRate: 48_000, channels: [signal.channels[1], signal.channels[0]])
    for other in [swapped, noiseSignal(seed: 24, frames: 20_000)] {
      let outcome = Self.anything.compare(other, with: signal)
      #expect(outcome.verdict == .failed)
      #expect(outcome.found.contains("little in common"))
    }
  }

  @Test func channelsThatAreDelayedApartAreNamed() {
    var signal = noiseSignal(seed: 26, frames: 20_000)
    for channel in 0..<2 { for frame in 19_000..<20_000 { signal.channels[channel][frame] = 0 } }
    var other = signal
    other.channels[1] = [Double](repeating: 0, count: 100) + signal.channels[1].dropLast(100).map { -$0 }
    let outcome = Self.anything.compare(other, with: signal)
    #expect(outcome.verdict == .failed)
    #expect(
      outcome.found.hasSuffix("Each by itself fits: channel 0 by 0 frames; channel 1 by 100 frames, inverted"),
      "\(outcome.found)")
  }

  @Test func anErrorOfOneMillisecondRemainsAfterAlignment() throws {
    var (actual, expected) = Self.pair(delay: 12.25, gain: 0.5)
    for frame in 15_000..<15_048 { actual.channels[1][frame] += frame % 2 == 0 ? 0.001 : -0.001 }
    var limited = Self.anything
    limited.nullLimit = nil
    limited.rmsLimit = -80
    let outcome = limited.compare(actual, with: expected)
    #expect(outcome.verdict == .failed)
    let place = try #require(outcome.firstFailure)
    #expect((15_000..<15_048).contains(place.frame) && place.channel == 1)
    // At the level of the expected signal: 0.002 for 1 ms of 10.
    let window = outcome.readings.first { $0.id == "residualWindow" }?.value ?? 0
    #expect(abs(window - (20 * log10(0.002) - 10)) < 0.1)
  }

  @Test(arguments: [100.0, -3.0])
  func driftIsFoundAndRemoved(_ partsPerMillion: Double) throws {
    var (actual, expected) = Self.pair(delay: 20.4, drift: partsPerMillion * 1e-6, frames: 48_000, seed: 31)
    actual.channels.removeLast()
    expected.channels.removeLast()
    var comparator = Self.anything
    comparator.driftLimit = 200
    comparator.nullLimit = -70
    let outcome = comparator.compare(actual, with: expected)
    let drift = try #require(outcome.readings.first { $0.id == "drift" })
    #expect(abs(drift.value - partsPerMillion) < 0.02, "\(outcome.found)")
    #expect(abs((outcome.readings.first { $0.id == "delay" }?.value ?? 0) - 20.4) < 0.001, "\(outcome.found)")
    #expect(outcome.verdict == .passed, "\(outcome.found)")
    comparator.driftLimit = 1
    #expect(comparator.compare(actual, with: expected).verdict == .failed)
    // Not looked for, it stays in the residual.
    if abs(partsPerMillion) > 10 { #expect(Self.anything.compare(actual, with: expected).verdict == .failed) }
  }

  @Test func silenceIsAlignedWithSilenceOnly() {
    let silence = AudioSignal(sampleRate: 48_000, channels: [[Double](repeating: 0, count: 5_000)])
    let noise = noiseSignal(seed: 25, frames: 5_000, channels: 1)
    #expect(Self.anything.compare(silence, with: silence).verdict == .passed)
    #expect(Self.anything.compare(silence, with: noise).verdict == .failed)
    #expect(Self.anything.compare(noise, with: silence).verdict == .failed)
  }

  @Test func anImpulseAtTheVeryStartIsAligned() throws {
    var expected = AudioSignal(sampleRate: 48_000, channels: [[Double](repeating: 0, count: 1_000)])
    var actual = expected
    expected.channels[0][0] = 1
    actual.channels[0][64] = 0.5
    let outcome = Self.anything.compare(actual, with: expected)
    #expect(outcome.readings.first { $0.id == "delay" }?.value == 64, "\(outcome.found)")
    #expect(outcome.verdict == .passed)
  }
}
