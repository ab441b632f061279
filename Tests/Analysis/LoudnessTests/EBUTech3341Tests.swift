// The synthesized signals of EBU Tech 3341 (2016 and 2023, table 1), numbers and tolerances as printed there. Signals 7
// and 8 are recordings of the EBU and not here.

import Loudness
import Testing

@Suite("EBU Tech 3341, loudness")
struct EBUTech3341Tests {
  @Test(
    "1, 2: a stereo sine of 1 kHz for 20 s at -23 and -33 dBFS: M, S, I as its level, ±0.1", arguments: [-23.0, -33])
  func steady(_ level: Double) throws {
    let readings = try ToneSequence(stretches: [Stretch(20, level)]).measured { seconds, meter in
      if seconds >= 1 { #expect(abs((meter.momentaryLUFS ?? 0) - level) <= 0.1) }
      if seconds >= 4 { #expect(abs((meter.shortTermLUFS ?? 0) - level) <= 0.1) }
    }
    #expect(abs(try #require(readings.integratedLUFS) - level) <= 0.1)
    #expect(abs(try #require(readings.momentaryMaximumLUFS) - level) <= 0.1)
    #expect(abs(try #require(readings.shortTermMaximumLUFS) - level) <= 0.1)
  }

  @Test(
    "3, 4, 5: levels that the gates leave out, or not: I = -23.0 ±0.1",
    arguments: [
      [Stretch(10, -36), Stretch(60, -23), Stretch(10, -36)],
      [Stretch(10, -72), Stretch(10, -36), Stretch(60, -23), Stretch(10, -36), Stretch(10, -72)],
      [Stretch(20, -26), Stretch(20.1, -20), Stretch(20, -26)],
    ])
  func gates(_ stretches: [Stretch]) throws {
    let readings = try ToneSequence(stretches: stretches).measured()
    #expect(abs(try #require(readings.integratedLUFS) + 23) <= 0.1)
  }

  @Test("6: five channels, -28 in L and R, -24 in C, -30 in Ls and Rs: I = -23.0 ±0.1", arguments: [5, 6])
  func surround(_ count: Int) throws {
    // With a sixth channel, what is in the LFE does not count.
    let gains: [Double] = count == 5 ? [-28, -28, -24, -30, -30] : [-28, -28, -24, -10, -30, -30]
    let sequence = ToneSequence(
      channels: LoudnessChannel.usual(count: count), gains: gains, stretches: [Stretch(20, 0)])
    let readings = try sequence.measured()
    #expect(abs(try #require(readings.integratedLUFS) + 23) <= 0.1)
    #expect(abs(readings.samplePeakDecibels(channel: 3) - gains[3]) < 1e-9)
  }

  @Test("9: 1.34 s at -20 and 1.66 s at -30, five times: S = -23.0 ±0.1, constant after 3 s")
  func shortTermOfSequence() throws {
    let pair = [Stretch(1.34, -20), Stretch(1.66, -30)]
    let sequence = ToneSequence(stretches: Array(repeating: pair, count: 5).flatMap { $0 })
    let readings = try sequence.measured { seconds, meter in
      if seconds >= 3 { #expect(abs((meter.shortTermLUFS ?? 0) + 23) <= 0.1, "at \(seconds) s") }
    }
    #expect(abs(try #require(readings.shortTermMaximumLUFS) + 23) <= 0.1)
  }

  @Test("10: silence of i·150 ms, 3 s at -23, 1 s of silence: greatest S = -23.0 ±0.1", arguments: 0..<20)
  func shortTermMaximum(_ i: Int) throws {
    let stretches = [Stretch(0.15 * Double(i), nil), Stretch(3, -23), Stretch(1, nil)]
    let readings = try ToneSequence(stretches: stretches).measured()
    #expect(abs(try #require(readings.shortTermMaximumLUFS) + 23) <= 0.1)
  }

  @Test("11: i·150 ms of silence, 3 s at -38+i, silence up to 6 s, twenty times: S reaches -38+i ±0.1 in each")
  func shortTermSteps() throws {
    try expectSteps(longSeconds: 3, shiftSeconds: 0.15) { $0.shortTermLUFS }
  }

  @Test("12: 0.18 s at -20 and 0.22 s at -30, 25 times: M = -23.0 ±0.1, constant after 1 s")
  func momentaryOfSequence() throws {
    let pair = [Stretch(0.18, -20), Stretch(0.22, -30)]
    let sequence = ToneSequence(stretches: Array(repeating: pair, count: 25).flatMap { $0 })
    let readings = try sequence.measured { seconds, meter in
      if seconds >= 1 { #expect(abs((meter.momentaryLUFS ?? 0) + 23) <= 0.1, "at \(seconds) s") }
    }
    #expect(abs(try #require(readings.momentaryMaximumLUFS) + 23) <= 0.1)
  }

  @Test("13: silence of i·20 ms, 0.4 s at -23, 1 s of silence: greatest M = -23.0 ±0.1", arguments: 0..<20)
  func momentaryMaximum(_ i: Int) throws {
    let stretches = [Stretch(0.02 * Double(i), nil), Stretch(0.4, -23), Stretch(1, nil)]
    let readings = try ToneSequence(stretches: stretches).measured()
    #expect(abs(try #require(readings.momentaryMaximumLUFS) + 23) <= 0.1)
  }

  @Test("14: i·20 ms of silence, 0.4 s at -38+i, silence up to 0.8 s, twenty times: M reaches -38+i ±0.1 in each")
  func momentarySteps() throws {
    try expectSteps(longSeconds: 0.4, shiftSeconds: 0.02) { $0.momentaryLUFS }
  }

  /// Signals 11 and 14: in each of twenty segments the largest value is that of its tone.
  private func expectSteps(
    longSeconds: Double, shiftSeconds: Double, _ value: (LoudnessMeter) -> Double?
  ) throws {
    var stretches: [Stretch] = []
    for i in 0..<20 {
      let shift = Double(i) * shiftSeconds
      stretches += [Stretch(shift, nil), Stretch(longSeconds, -38 + Double(i)), Stretch(longSeconds - shift, nil)]
    }
    var largest = [Double](repeating: -.infinity, count: 20)
    _ = try ToneSequence(stretches: stretches).measured { seconds, meter in
      let segment = min(19, Int((seconds - 0.005) / (2 * longSeconds)))
      if let value = value(meter) { largest[segment] = max(largest[segment], value) }
    }
    for i in 0..<20 { #expect(abs(largest[i] - (-38 + Double(i))) <= 0.1) }
  }
}

@Suite("EBU Tech 3342, loudness range")
struct EBUTech3342Tests {
  @Test(
    "1 to 4: steps of 20 s: LRA as their distance, ±1 LU",
    arguments: [
      RangeCase(levels: [-20, -30], expected: 10), RangeCase(levels: [-20, -15], expected: 5),
      RangeCase(levels: [-40, -20], expected: 20), RangeCase(levels: [-50, -35, -20, -35, -50], expected: 15),
    ])
  func ranges(_ range: RangeCase) throws {
    let readings = try ToneSequence(stretches: range.levels.map { Stretch(20, $0) }).measured()
    #expect(abs(try #require(readings.rangeLU) - range.expected) <= 1)
  }

  struct RangeCase: Sendable {
    let levels: [Double]
    let expected: Double
  }
}
