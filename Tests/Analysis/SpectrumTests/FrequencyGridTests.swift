import Glibc
import Spectrum
import Testing

@Suite("Frequency grids")
struct FrequencyGridTests {
  @Test("have equal ratios and both ends exactly")
  func logarithmic() {
    let grid = FrequencyGrid.logarithmic(from: 20, to: 20_480, count: 11)
    for (index, hertz) in grid.enumerated() {
      #expect(abs(hertz / (20 * exp2(Double(index))) - 1) < 1e-14)
    }
    #expect(grid[0] == 20 && grid[10] == 20_480)
    #expect(FrequencyGrid.logarithmic(from: 20, to: 20_480, perOctave: 3).count == 31)
    #expect(FrequencyGrid.logarithmic(from: 20, to: 20_000, perOctave: 3).count == 31)
  }

  @Test("of third octaves have the middles, edges and names of IEC 61260-1")
  func thirdOctaves() throws {
    let bands = FrequencyGrid.thirdOctaves()
    // The standard's names from 20 Hz to 20 kHz.
    let names = [
      20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000,
      2_500, 3_150, 4_000, 5_000, 6_300, 8_000, 10_000, 12_500, 16_000, 20_000,
    ]
    #expect(bands.map(\.nominalHertz) == names)
    // Exact middles of table E.1, to five digits as printed there.
    let exact = [25: 25.119, 31.5: 31.623, 63: 63.096, 1_000: 1_000, 1_250: 1_258.9, 8_000: 7_943.3, 16_000: 15_849]
    for (name, middle) in exact {
      let band = try #require(bands.first { $0.nominalHertz == name })
      #expect(abs(band.centreHertz / middle - 1) < 5e-5)
    }
    // Band edges meet.
    for (band, next) in zip(bands, bands.dropFirst()) { #expect(abs(band.highHertz / next.lowHertz - 1) < 1e-12) }
    #expect(FrequencyGrid.thirdOctaves(1_000...1_000).map(\.centreHertz) == [1_000])
    #expect(FrequencyGrid.thirdOctaves(1...2).map(\.nominalHertz) == [1, 1.25, 1.6, 2])
    #expect(FrequencyGrid.thirdOctaves(1_010...1_020).isEmpty)
  }
}

@Suite("Means over bands")
struct BandAveragerTests {
  private let frequencies = (0...480).map { 50 * Double($0) }

  @Test("of a straight line are its value in the middle of the band")
  func line() {
    let averager = BandAverager(frequenciesHertz: frequencies, values: frequencies.map { 3 + 2 * $0 })
    for (low, high) in [(100.0, 200.0), (101, 102), (133.3, 7_777.7), (0, 24_000)] {
      let middle = 3 + (low + high)
      #expect(abs(averager.mean(from: low, to: high) / middle - 1) < 1e-12)
      #expect(abs(averager.integral(from: low, to: high) / (middle * (high - low)) - 1) < 1e-12)
    }
    #expect(abs(averager.mean(from: 333, to: 333) - 669) < 1e-9)
  }

  @Test("at the ends are those of as much of the band as there is; beyond there is no power")
  func ends() {
    let averager = BandAverager(frequenciesHertz: [100, 200, 400], values: [1, 1, 3])
    #expect(averager.mean(from: 50, to: 150) == 1)
    #expect(averager.mean(from: 300, to: 500) == 2.5)
    #expect(averager.mean(from: 10, to: 20) == 1)
    #expect(averager.mean(from: 500, to: 600) == 3)
    #expect(averager.integral(from: 0, to: 1_000) == 500)
    #expect(averager.integral(from: 500, to: 600) == 0)
  }

  @Test("smooth a flat curve into itself, and a ripple by what its band leaves of it")
  func smoothing() {
    let flat = BandAverager(frequenciesHertz: frequencies, values: frequencies.map { _ in 7 })
    #expect(flat.smoothed(octaves: 1.0 / 3).allSatisfy { abs($0 - 7) < 1e-11 })
    // The mean of 1 + cos(2πf/P) over a band of width W around f is 1 + cos(2πm/P)·sin(πW/P)/(πW/P), m its middle.
    let period = 2_000.0
    let fine = (0...24_000).map(Double.init)
    let ripple = BandAverager(frequenciesHertz: fine, values: fine.map { 1 + cos(2 * Double.pi * $0 / period) })
    let smooth = ripple.smoothed(at: [8_000, 4_100], octaves: 1.0 / 3)
    for (frequency, found) in zip([8_000.0, 4_100], smooth) {
      let (low, high) = (frequency * exp2(-1.0 / 6), frequency * exp2(1.0 / 6))
      let angle = Double.pi * (high - low) / period
      let expected = 1 + cos(Double.pi * (low + high) / period) * sin(angle) / angle
      // Straight lines between points 1 Hz apart: (2π/2000)²/12 = 8e-7.
      #expect(abs(found - expected) < 2e-6)
    }
  }

  @Test("of a flat density have the power of their width: third octaves of white noise rise by 1 dB each")
  func bandPower() {
    let averager = BandAverager(frequenciesHertz: frequencies, values: frequencies.map { _ in 1e-3 })
    let powers = FrequencyGrid.thirdOctaves(100...10_000).map { averager.integral(from: $0.lowHertz, to: $0.highHertz) }
    for (power, next) in zip(powers, powers.dropFirst()) { #expect(abs(10 * log10(next / power) - 1) < 1e-9) }
  }
}
