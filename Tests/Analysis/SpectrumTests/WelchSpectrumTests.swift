import Glibc
import Spectrum
import TestSupport
import Testing

@Suite("Welch spectra")
struct WelchSpectrumTests {
  @Test("are scipy's, as power and as density, within 1e-12", arguments: SpectrumCase.all)
  func scipy(_ reference: SpectrumCase) throws {
    let welch = WelchSpectrum(
      sampleRate: SpectrumCase.sampleRate, channels: [reference.noise], settings: reference.settings)
    let densities = reference.chosen(welch.densities(channel: 0))
    #expect(largestRelativeDifference(densities, try reference.expected("density")) < 1e-12)
    let powers = reference.chosen(welch.powers(channel: 0))
    #expect(largestRelativeDifference(powers, try reference.expected("power")) < 1e-12)
  }

  @Test(
    "have the same bits whatever the blocks", arguments: Partition.all + [.slices(of: 40_000), .slices(of: 100_000)])
  func blocks(_ partition: Partition) {
    let channels = [SpectrumCase.noise(seed: 3, frames: 100_000), SpectrumCase.noise(seed: 4, frames: 100_000)]
    let settings = SegmentSettings(segmentLength: 1_000, overlapFrames: 300, window: .blackmanHarris)
    let whole = WelchSpectrum(sampleRate: 48_000, channels: channels, settings: settings, threads: 1)
    let parts = WelchSpectrum(sampleRate: 48_000, channelCount: 2, settings: settings)
    inBlocks(channels, partition.lengths(total: 100_000)) { parts.add($0, frames: $1) }
    #expect(parts.segmentCount == whole.segmentCount)
    #expect(Int64(parts.segmentCount) == settings.segmentCount(frames: 100_000))
    for channel in 0..<2 { #expect(parts.powers(channel: channel) == whole.powers(channel: channel)) }
  }

  @Test("have the same bits whatever the threads", arguments: [2, 3, 5])
  func threads(_ threads: Int) {
    let channels = (0..<3).map { SpectrumCase.noise(seed: UInt64($0), frames: 60_000) }
    let settings = SegmentSettings(segmentLength: 512)
    let alone = WelchSpectrum(sampleRate: 48_000, channels: channels, settings: settings, threads: 1)
    let many = WelchSpectrum(sampleRate: 48_000, channels: channels, settings: settings, threads: threads)
    for channel in 0..<3 { #expect(many.powers(channel: channel) == alone.powers(channel: channel)) }
  }

  @Test("of floats are those of the same values as doubles")
  func floats() {
    var generator = SeededGenerator(seed: 5)
    let samples = generator.noise(frames: 20_000)
    let welch = WelchSpectrum(sampleRate: 44_100, channelCount: 1)
    inBlocks([samples], [3_000, 17_000]) { welch.add($0, frames: $1) }
    let doubles = WelchSpectrum(sampleRate: 44_100, channels: [samples.map(Double.init)])
    #expect(welch.powers(channel: 0) == doubles.powers(channel: 0))
  }

  @Test(
    "read a full-scale sine as 0 dBFS in its bin, or as -3.01 where an RMS of 1 is full scale",
    arguments: [Window.hann, .blackmanHarris, .blackmanHarris7, .flatTop, .kaiser(beta: 20), .rectangular])
  func sine(_ window: Window) {
    let samples = (0..<16_384).map { sin(2 * Double.pi * Double($0 % 1_024) * 100 / 1_024) }
    let settings = SegmentSettings(segmentLength: 1_024, window: window)
    let welch = WelchSpectrum(sampleRate: 48_000, channels: [samples], settings: settings)
    #expect(abs(welch.decibels(channel: 0)[100]) < 1e-9)
    #expect(abs(welch.decibels(channel: 0, fullScale: .square)[100] + 10 * log10(2)) < 1e-9)
    #expect(abs(welch.frequenciesHertz[100] - 4_687.5) < 1e-9)
  }

  @Test("keep the power of noise: the densities add up to the mean square (Parseval)")
  func parseval() {
    // One rectangular segment: the sum over the bins is the mean square of the samples exactly.
    let samples = SpectrumCase.noise(seed: 6, frames: 4_096)
    let settings = SegmentSettings(segmentLength: 4_096, overlapFrames: 0, window: .rectangular)
    let welch = WelchSpectrum(sampleRate: 48_000, channels: [samples], settings: settings)
    let meanSquare = samples.reduce(0) { $0 + $1 * $1 } / 4_096
    let power = welch.densities(channel: 0).reduce(0, +) * 48_000 / 4_096
    #expect(abs(power / meanSquare - 1) < 1e-12)
    #expect(abs(welch.noiseBandwidthHertz - 48_000 / 4_096) < 1e-12)
  }

  @Test("have a noise bandwidth of 1.5 bins with Hann's window (Harris 1978)")
  func noiseBandwidth() {
    let welch = WelchSpectrum(sampleRate: 4_096, channelCount: 1)
    #expect(abs(welch.noiseBandwidthHertz - 1.5) < 1e-12)
  }

  @Test("of less than a segment are not a number; of silence, minus infinity")
  func nothing() {
    let welch = WelchSpectrum(sampleRate: 48_000, channelCount: 1)
    inBlocks([[Double](repeating: 0, count: 5_000)], [4_095]) { welch.add($0, frames: $1) }
    #expect(welch.segmentCount == 0)
    #expect(welch.decibels(channel: 0).allSatisfy { $0.isNaN })
    inBlocks([[0.0]], [1]) { welch.add($0, frames: $1) }
    #expect(welch.segmentCount == 1)
    #expect(welch.decibels(channel: 0).allSatisfy { $0 == -.infinity })
  }

  @Test("of a loud channel leave nothing in a silent one beside it")
  func silentChannel() {
    let loud = SpectrumCase.noise(seed: 7, frames: 50_000)
    let silent = [Double](repeating: 0, count: 50_000)
    let welch = WelchSpectrum(sampleRate: 48_000, channels: [loud, silent])
    #expect(welch.powers(channel: 1).allSatisfy { $0 == 0 })
  }
}
