import Glibc
import Measurement
import TestSupport
import Testing
import Verification

/// Distances of bands and spectra, for changes whose size is known.
@Suite("Comparing spectra") struct ComparisonSpectralTests {
  private static let noise = noiseSignal(seed: 41, frames: 48_000, channels: 1)

  private static func scaled(_ signal: AudioSignal, by gain: Double, in range: Range<Int>? = nil) -> AudioSignal {
    var result = signal
    for channel in signal.channels.indices {
      for frame in range ?? 0..<signal.frameCount { result.channels[channel][frame] *= gain }
    }
    return result
  }

  @Test(arguments: [-6.0, -0.5, 1.0])
  func aGainIsTheDistanceInEveryBandAndWindow(_ decibels: Double) throws {
    let other = Self.scaled(Self.noise, by: pow(10, decibels / 20))
    let bands = BandComparator(limit: 0.1, floor: -200).compare(other, with: Self.noise)
    #expect(bands.verdict == .failed)
    let curve = try #require(bands.overlay?.actual)
    // Three bins of 1.25 Hz are what the band of 16 Hz is wide: 20 Hz to 20 kHz, 31 bands.
    #expect(curve.points.count == 31)
    #expect(curve.points.allSatisfy { abs($0.y - decibels) < 0.001 })
    let spectra = MultiResolutionComparator(limit: 0.1, floor: -300).compare(other, with: Self.noise)
    for reading in spectra.readings { #expect(abs(reading.value - abs(decibels)) < 0.001, "\(reading)") }
    #expect(BandComparator(limit: abs(decibels) + 0.001).compare(other, with: Self.noise).verdict == .passed)
    #expect(
      MultiResolutionComparator(limit: abs(decibels) + 0.001).compare(other, with: Self.noise).verdict == .passed)
  }

  @Test func aMissingToneIsFoundInItsBandAtItsTime() throws {
    // 50 ms of 3150 Hz at -40 dBFS in noise at -50 dBFS, gone.
    let quiet = Self.scaled(Self.noise, by: 0.006)
    var expected = quiet
    for frame in 30_000..<32_400 {
      expected.channels[0][frame] += 0.02 * sin(2 * Double.pi * 3_150 * Double(frame) / 48_000)
    }
    let outcome = BandComparator(limit: 6).compare(quiet, with: expected)
    #expect(outcome.verdict == .failed)
    let worst = try #require(outcome.readings.first { $0.id == "bandDistance" })
    #expect(worst.at["frequency"] == 3_150 && worst.value > 15)
    #expect(abs((worst.at["seconds"] ?? 0) - 30_000 / 48_000) < 0.05)
    #expect(outcome.found.hasPrefix("worst at 3.15 kHz: −"))
  }

  @Test func silenceAndWhatLiesFarBelowTheFloorAreTheSame() {
    let silence = AudioSignal(sampleRate: 48_000, channels: [[Double](repeating: 0, count: 48_000)])
    // 90 dB below full scale, spread over 24 kHz: below -100 dBFS in each low band.
    let hiss = Self.scaled(Self.noise, by: 1e-7)
    #expect(BandComparator(limit: 0.5).compare(hiss, with: silence).verdict == .passed)
    #expect(BandComparator(limit: 0.5).compare(silence, with: silence).found == "no band differs")
    #expect(MultiResolutionComparator(limit: 0.5).compare(hiss, with: silence).verdict == .passed)
    #expect(BandComparator(limit: 0.5).compare(Self.noise, with: silence).verdict == .failed)
    #expect(MultiResolutionComparator(limit: 0.5).compare(Self.noise, with: silence).verdict == .failed)
    for outcome in [
      BandComparator(limit: 0.5).compare(Self.noise, with: silence),
      MultiResolutionComparator(limit: 0.5).compare(silence, with: Self.noise),
    ] {
      for reading in outcome.readings { #expect(reading.value.isFinite) }
    }
  }

  @Test func aClickAtTheVeryEndIsSeen() {
    let quiet = Self.scaled(Self.noise, by: 0.05)
    var other = quiet
    for frame in 47_990..<48_000 { other.channels[0][frame] = 0.9 }
    let bands = BandComparator(limit: 3).compare(other, with: quiet)
    #expect(bands.verdict == .failed, "\(bands.found)")
    let spectra = MultiResolutionComparator(limit: 8, lengths: [256]).compare(other, with: quiet)
    #expect(spectra.verdict == .failed, "\(spectra.found)")
    #expect((spectra.firstFailure?.frame ?? 0) >= 48_000 - 256)
  }

  @Test func aRateWithoutBandsIsSaidSo() {
    let slow = AudioSignal(sampleRate: 20, channels: [[0, 1, 0]])
    #expect(BandComparator(limit: 1).compare(slow, with: slow).verdict == .error)
  }

  @Test func loudnessFollowsTheGain() throws {
    let signal = noiseSignal(seed: 42, frames: 48_000, channels: 2)
    let louder = Self.scaled(signal, by: pow(10, 0.5 / 20))
    let outcome = LoudnessComparator(limit: 0.4).compare(louder, with: signal)
    #expect(outcome.verdict == .failed)
    #expect(abs((outcome.readings.first { $0.id == "loudnessDelta" }?.value ?? 0) - 0.5) < 1e-6)
    #expect(abs((outcome.readings.first { $0.id == "truePeakDelta" }?.value ?? 0) - 0.5) < 1e-4)
    #expect(LoudnessComparator(limit: 0.51).compare(louder, with: signal).verdict == .passed)
    let silence = Self.scaled(signal, by: 0)
    // Neither has a loudness: nothing was compared.
    #expect(LoudnessComparator(limit: 1).compare(silence, with: silence).verdict == .failed)
    #expect(LoudnessComparator(limit: 1).compare(silence, with: signal).verdict == .failed)
    #expect(LoudnessComparator(limit: 1).compare(signal, with: silence).verdict == .failed)
  }
}
