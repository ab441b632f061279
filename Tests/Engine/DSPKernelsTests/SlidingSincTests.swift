import AudioCore
import DSPKernels
import Glibc
import TestSupport
import Testing

/// The reading between frames against its formula, in double precision.
@Suite struct SlidingSincTests {
  /// c · sinc(c·d) · w(c·d / 48), w for 120 dB.
  private static func weight(_ distance: Double, _ cutoff: Double) -> Double {
    cutoff * kaiserSinc(distance * cutoff, reach: 48, beta: 0.1102 * (120 - 8.7))
  }

  @Test("the weights of a moving rate are those of the formula, and the same bits with each instruction set")
  func weights() throws {
    let before = InstructionSet.active
    defer { InstructionSet.use(before) }
    let length = 2 * (SlidingSinc.mostBehind + SlidingSinc.mostAhead)
    let input = PlanarBuffer(channelCount: 1, frameCapacity: length)
    let output = PlanarBuffer(channelCount: 1, frameCapacity: 1)
    let sinc = SlidingSinc(keepsFilters: false)
    let middle = length / 2
    var random = SplitMix64(seed: 4)
    for _ in 0..<300 {
      let rate = exp2(Double.random(in: -2...2, using: &random))
      let cutoff = SlidingSinc.cutoff(rate: rate)
      let fraction = Double.random(in: 0..<1, using: &random)
      let tap = Int.random(in: -200...200, using: &random)
      input.clear(frames: length)
      input.planes[0][middle + tap] = 1
      var bits: Set<UInt32> = []
      for set in InstructionSet.available {
        InstructionSet.use(set)
        sinc.apply(
          input: input.planes, place: middle, fraction: fraction, cutoff: cutoff, output: output.planes, frame: 0,
          channelCount: 1)
        bits.insert(output.planes[0][0].bitPattern)
      }
      #expect(bits.count == 1)
      let expected = Self.weight(Double(tap) - fraction, cutoff)
      #expect(abs(Double(output.planes[0][0]) - expected) < 3e-7, "\(tap) \(fraction) \(cutoff)")
    }
  }

  @Test("kept weights are those of the formula, for any number of channels, the same bits with each instruction set")
  func keptWeights() throws {
    let before = InstructionSet.active
    defer { InstructionSet.use(before) }
    let length = 2 * (SlidingSinc.mostBehind + SlidingSinc.mostAhead)
    let input = PlanarBuffer(channelCount: 3, frameCapacity: length)
    let output = PlanarBuffer(channelCount: 3, frameCapacity: 1)
    var random = SplitMix64(seed: 5)
    for plane in 0..<3 {
      for frame in 0..<length { input.planes[plane][frame] = Float.random(in: -1...1, using: &random) }
    }
    let middle = Int64(length / 2)
    for round in 0..<60 {
      let cutoff = SlidingSinc.cutoff(rate: exp2(Double.random(in: -2...2, using: &random)))
      let fraction = Double.random(in: 0..<1, using: &random)
      let channels = 1 + round % 3
      var bits: Set<[UInt32]> = []
      for set in InstructionSet.available {
        InstructionSet.use(set)
        let sinc = SlidingSinc()
        sinc.apply(
          1, input: input.planes, origin: 7, places: [middle + 7].plane, fractions: [fraction].plane, cutoff: cutoff,
          output: output.planes, offset: 0, channelCount: channels)
        bits.insert((0..<channels).map { output.planes[$0][0].bitPattern })
      }
      #expect(bits.count == 1)
      for channel in 0..<channels {
        var expected = 0.0
        for tap in -SlidingSinc.mostBehind...SlidingSinc.mostAhead {
          let weight = Self.weight(Double(tap) - fraction, cutoff)
          expected += weight * Double(input.planes[channel][Int(middle) + tap])
        }
        #expect(abs(Double(output.planes[channel][0]) - expected) < 2e-6, "\(cutoff) \(fraction)")
      }
    }
  }
}
