import Glibc
import Spectrum
import TestSupport
import Testing

@Suite("Spectrograms")
struct SpectrogramTests {
  private static let settings = SegmentSettings(segmentLength: 256, overlapFrames: 192)

  @Test("have a column for each segment while there are columns, and the Welch spectrum of a single segment in it")
  func columns() {
    let samples = SpectrumCase.noise(seed: 11, frames: 256 + 9 * 64)
    let spectrogram = Spectrogram(
      sampleRate: 8_000, channelCount: 1, settings: Self.settings, maximumColumns: 10)
    spectrogram.add(channels: [samples])
    #expect(spectrogram.columnCount == 10)
    #expect(spectrogram.segmentsPerColumn == 1)
    let times: [Double] = (0..<10).map { index in Double(64 * index + 128) / 8_000 }
    #expect(spectrogram.timesSeconds == times)
    for column in 0..<10 {
      let segment = Array(samples[(column * 64)..<(column * 64 + 256)])
      let welch = WelchSpectrum(sampleRate: 8_000, channels: [segment], settings: Self.settings)
      for (found, expected) in zip(spectrogram.decibels(channel: 0, column: column), welch.decibels(channel: 0)) {
        #expect(abs(Double(found) - expected) < 1e-4)
      }
    }
  }

  @Test("of long streams stay within their columns, each the largest of its segments", arguments: Partition.all)
  func decimation(_ partition: Partition) {
    let frames = 6_000
    let channels = [SpectrumCase.noise(seed: 12, frames: frames), SpectrumCase.noise(seed: 13, frames: frames)]
    let every = Spectrogram(sampleRate: 8_000, channelCount: 2, settings: Self.settings, maximumColumns: 1_000)
    every.add(channels: channels)
    let bounded = Spectrogram(sampleRate: 8_000, channelCount: 2, settings: Self.settings, maximumColumns: 16)
    inBlocks(channels, partition.lengths(total: frames)) { bounded.add($0, frames: $1) }
    // 90 segments: 16 columns of 8 hold 128, of 4 only 64.
    #expect(every.columnCount == 90)
    #expect(bounded.segmentsPerColumn == 8)
    #expect(bounded.columnCount == 12)
    for channel in 0..<2 {
      for column in 0..<12 {
        let members = (column * 8..<min(90, column * 8 + 8)).map { every.decibels(channel: channel, column: $0) }
        let largest = (0..<129).map { bin in members.map { $0[bin] }.max() }
        #expect(bounded.decibels(channel: channel, column: column) == largest)
      }
    }
  }

  @Test("show a click of one sample after the columns were joined many times")
  func click() {
    var samples = [Double](repeating: 0, count: 100_000)
    samples[70_000] = 1
    let spectrogram = Spectrogram(sampleRate: 8_000, channelCount: 1, settings: Self.settings, maximumColumns: 8)
    spectrogram.add(channels: [samples])
    let levels = (0..<spectrogram.columnCount).map { spectrogram.decibels(channel: 0, column: $0)[64] }
    let loud = levels.indices.filter { levels[$0] > -60 }
    #expect(loud.count == 1)
    // A column is 256 segments of 64 frames: 2 s.
    let times = loud.map { spectrogram.timesSeconds[$0] }
    #expect(times.allSatisfy { abs($0 - 8.75) < 1.1 })
  }

  @Test("in bands have the largest bin of each band, and the nearest one where a band has none")
  func bands() {
    let samples = SpectrumCase.noise(seed: 14, frames: 256)
    let spectrogram = Spectrogram(sampleRate: 25_600, channelCount: 1, settings: Self.settings)
    spectrogram.add(channels: [samples])
    let bins = spectrogram.decibels(channel: 0, column: 0)
    // Bins are 100 Hz apart.
    let bands = spectrogram.decibels(
      channel: 0, column: 0, edgesHertz: [0, 50, 150, 160, 170, 1_000, 1_300, 12_800, 20_000])
    var expected = [bins[0], bins[1], bins[2], bins[2]]
    for range in [2...9, 10...12, 13...127, 128...128] { expected.append(bins[range].max() ?? .nan) }
    #expect(bands == expected)
  }

  @Test("keep what is not a number where it is")
  func notANumber() {
    var samples = SpectrumCase.noise(seed: 15, frames: 20_000)
    samples[10_000] = .nan
    let spectrogram = Spectrogram(sampleRate: 8_000, channelCount: 1, settings: Self.settings, maximumColumns: 16)
    spectrogram.add(channels: [samples])
    let levels = (0..<spectrogram.columnCount).map { spectrogram.decibels(channel: 0, column: $0)[5] }
    let marked = levels.indices.filter { levels[$0].isNaN }
    // Segments 153 ... 156 hold the sample; 32 share a column.
    #expect(spectrogram.segmentsPerColumn == 32)
    #expect(marked == [4])
  }
}
