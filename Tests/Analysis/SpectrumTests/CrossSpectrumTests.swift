import Spectrum
import Testing

@Suite("Cross spectra")
struct CrossSpectrumTests {
  @Test("are scipy's: transfer function, coherence and cross density", arguments: SpectrumCase.all)
  func scipy(_ reference: SpectrumCase) throws {
    let (x, y) = (reference.noise, reference.response)
    let cross = CrossSpectrum(
      sampleRate: SpectrumCase.sampleRate, reference: x, responses: [y], settings: reference.settings)
    let transfer = reference.chosen(cross.transferFunction())
    // Parts of a complex number are as exact as its magnitude.
    let largest = transfer.map(\.magnitude).max() ?? 0
    for (found, expected) in zip(transfer.map(\.real), try reference.expected("H1 real")) {
      #expect(abs(found - expected) < 1e-12 * largest)
    }
    for (found, expected) in zip(transfer.map(\.imaginary), try reference.expected("H1 imaginary")) {
      #expect(abs(found - expected) < 1e-12 * largest)
    }
    let coherence = reference.chosen(cross.coherence())
    #expect(largestRelativeDifference(coherence, try reference.expected("coherence")) < 1e-12)
    let density = reference.chosen(cross.referenceDensities())
    #expect(largestRelativeDifference(density, try reference.expected("density")) < 1e-12)
  }

  @Test("find a gain and full coherence in a gain, for each response of its own, whatever the threads")
  func gains() {
    let x = SpectrumCase.noise(seed: 8, frames: 90_000)
    let responses = [x.map { 0.5 * $0 }, x.map { -2 * $0 }]
    for threads in [1, 4] {
      let cross = CrossSpectrum(sampleRate: 48_000, reference: x, responses: responses, threads: threads)
      #expect(cross.transferFunction(response: 0).allSatisfy { ($0 - Complex(0.5)).magnitude < 1e-13 })
      #expect(cross.transferFunction(response: 1).allSatisfy { ($0 - Complex(-2)).magnitude < 1e-13 })
      #expect(cross.coherence(response: 1).allSatisfy { abs($0 - 1) < 1e-12 })
      #expect(cross.densities(response: 1) == cross.referenceDensities().map { 4 * $0 })
    }
  }

  @Test("find a coherence of half the power where a noise as loud is added")
  func coherence() {
    let x = SpectrumCase.noise(seed: 9, frames: 400_000)
    let e = SpectrumCase.noise(seed: 10, frames: 400_000)
    let settings = SegmentSettings(segmentLength: 256)
    let cross = CrossSpectrum(
      sampleRate: 48_000, reference: x, responses: [zip(x, e).map { $0 + $1 }], settings: settings)
    let inner = cross.coherence().dropFirst().dropLast()
    // 3124 segments, half overlapping: one bin scatters by about 0.01, the mean of 127 of them by 0.001.
    let mean: Double = inner.reduce(0, +) / Double(inner.count)
    #expect(abs(mean - 0.5) < 0.005)
  }
}
