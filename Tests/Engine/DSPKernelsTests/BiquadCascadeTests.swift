import AudioCore
import DSPKernels
import Foundation
import TestSupport
import Testing

@Suite("Biquad cascade")
struct BiquadCascadeTests {
  @Test("in place gives the bits of out of place", arguments: [1, 2, 5, 10, 31])
  func inPlace(sectionCount: Int) {
    var random = SeededGenerator(seed: 11)
    let sections = (0..<sectionCount).map { _ in random.stableSection() }
    let signals = (0..<3).map { _ in random.noise(frames: 1500) }
    let apart = run(makeCascade(sections, channels: 3), over: signals, blocks: [512, 3, 100])
    let same = run(makeCascade(sections, channels: 3), over: signals, blocks: [512, 3, 100], inPlace: true)
    #expect(apart.map(bits) == same.map(bits))
  }

  @Test("without sections and with gain 1 passes every bit, of zeros and denormals too")
  func emptyPasses() {
    let signal: [Float] = [0, -0.0, 1, -1, .leastNonzeroMagnitude, .infinity, 0.1]
    #expect(run(makeCascade([], channels: 1), over: [signal], blocks: [3]).map(bits) == [bits(signal)])
  }

  @Test("without sections multiplies by the gain")
  func emptyScales() {
    #expect(run(makeCascade([], channels: 1, gain: -0.5), over: [[1, 3]], blocks: [2]) == [[-0.5, -1.5]])
  }

  @Test("of identity sections passes every sample")
  func identityPasses() {
    var random = SeededGenerator(seed: 12)
    let signal = random.noise(frames: 600)
    let cascade = BiquadCascade(sectionCapacity: 6, channelCount: 1)
    #expect(cascade.sectionCount == 6)
    #expect(run(cascade, over: [signal], blocks: [600]) == [signal])
  }

  /// Reference: the same sections in direct form I, in Double. One rounding to Float of a full-scale signal leaves
  /// about −150 dB.
  @Test(
    "is −140 dB clean, at 20 Hz and 192 kHz as well",
    arguments: [(20.0, 192_000.0), (31.5, 44_100.0), (1000, 48_000), (15_000, 44_100)])
  func residual(hertz: Double, sampleRate: Double) {
    let sections = [
      CookbookFilter.peaking(atHertz: hertz, sampleRate: sampleRate, width: .q(4), gainDecibels: 12),
      CookbookFilter.highPass(atHertz: hertz, sampleRate: sampleRate, width: .q(0.7)),
      CookbookFilter.lowShelf(atHertz: hertz, sampleRate: sampleRate, width: .shelfSlope1, gainDecibels: -6),
    ]
    var random = SeededGenerator(seed: 13)
    let signal = random.noise(frames: 96_000)
    let exact = directFormOne(sections, signal)
    let found = run(makeCascade(sections, channels: 2), over: [signal, signal], blocks: [512])
    let error = zip(found[1], exact).reduce(0) { $0 + pow(Double($1.0) - $1.1, 2) }
    let power = exact.reduce(0) { $0 + $1 * $1 }
    #expect(10 * log10(error / power) < -140)
  }

  @Test("answers an impulse with the response its coefficients declare")
  func magnitudeIsThatOfTheImpulseResponse() {
    let section = CookbookFilter.peaking(atHertz: 3000, sampleRate: 48_000, width: .q(1), gainDecibels: 9)
    var impulse = [Float](repeating: 0, count: 4096)
    impulse[0] = 1
    let response = run(makeCascade([section], channels: 1), over: [impulse], blocks: [64])[0]
    for hertz in [30.0, 1000, 3000, 9000, 23_000] {
      let step = 2 * Double.pi * hertz / 48_000
      let real = response.enumerated().reduce(0) { $0 + Double($1.element) * cos(step * Double($1.offset)) }
      let imaginary = response.enumerated().reduce(0) { $0 - Double($1.element) * sin(step * Double($1.offset)) }
      let declared = section.magnitude(atHertz: hertz, sampleRate: 48_000)
      #expect(abs(20 * log10(hypot(real, imaginary) / declared)) < 1e-4)
    }
  }

  @Test("touches nothing outside the frames it was given")
  func staysInside() {
    let input = PlanarBuffer(channelCount: 2, frameCapacity: 100)
    let output = PlanarBuffer(channelCount: 2, frameCapacity: 100)
    for channel in 0..<2 {
      input[channel].update(repeating: 1, count: 100)
      output[channel].update(repeating: 9, count: 100)
    }
    let cascade = BiquadCascade(sectionCapacity: 11, channelCount: 2)
    cascade.process(input: input.planes, output: output.planes, offset: 30, frames: 40)
    cascade.process(input: input.planes, output: output.planes, offset: 90, frames: 0)
    for channel in 0..<2 {
      let found = (0..<100).map { output[channel][$0] }
      #expect(found == (0..<100).map { $0 >= 30 && $0 < 70 ? 1 : 9 })
    }
  }

  @Test("starts again after a reset, and continues with another's state")
  func resetAndCopy() {
    var random = SeededGenerator(seed: 14)
    let sections = (0..<4).map { _ in random.stableSection() }
    let signals = (0..<2).map { _ in random.noise(frames: 200) }
    let cascade = makeCascade(sections, channels: 2)
    let first = run(cascade, over: signals, blocks: [50])
    let second = run(cascade, over: signals, blocks: [50])
    #expect(first != second)
    cascade.reset()
    #expect(run(cascade, over: signals, blocks: [50]) == first)

    let heir = BiquadCascade(sectionCapacity: 9, channelCount: 2)
    heir.sectionCount = 4
    for index in 0..<4 { heir[index] = cascade[index] }
    for index in 0..<4 { heir.copyState(ofSection: index, of: cascade, to: index) }
    #expect(run(heir, over: signals, blocks: [50]) == second)
  }

  @Test("puts sections at rest that come into use")
  func sectionsComeAtRest() {
    var random = SeededGenerator(seed: 15)
    let section = random.stableSection()
    let signal = random.noise(frames: 100)
    let cascade = makeCascade([.identity, section], channels: 1)
    let fresh = run(cascade, over: [signal], blocks: [100])
    cascade.sectionCount = 1
    #expect(run(cascade, over: [signal], blocks: [100]) == [signal])
    cascade.sectionCount = 2
    #expect(run(cascade, over: [signal], blocks: [100]) == fresh)
    #expect(cascade[1] == section)
  }
}
