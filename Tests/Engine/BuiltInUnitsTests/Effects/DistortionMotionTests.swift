import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The distortion over time: ramps, tails, presets, values of any size.
@Suite struct DistortionMotionTests {
  @Test("a gain under a ramp: a constant comes out along the formula's curve, without steps")
  func gain() throws {
    let unit = try distortion([.softClipGain: -20])
    try unit.setTimeline(.through((2000, -20), (8001, 6)), for: ParameterAddress(14))
    let output = try renderedSignal(fed(unit, [[Float](repeating: 0.5, count: 12_000)]), total: 12_000)[0]
    for frame in 1000..<11_500 {
      // Behind the gain come the filters that take the rate back: 333/8 frames.
      let place = min(1, max(0, (Double(frame) - 333.0 / 8 - 2000) / 6001))
      let expected = softClip(0.5 * pow(10, (-20 + 26 * place) / 20))
      guard abs(Double(output[frame]) - expected) > 2e-5 else { continue }
      Issue.record("frame \(frame): \(output[frame]), not \(expected)")
      return
    }
  }

  /// By parameter: from where to where it moves, and what is set beside it.
  static let moves: [(parameter: Distortion.Parameter, from: Float, to: Float, beside: [Distortion.Parameter: Float])] =
    [
      (.delayMix, 0, 100, [.delay: 3]), (.decay, 0.2, 5, [.delayMix: 50, .delay: 2]),
      (.decimationMix, 0, 100, [.rounding: 0, .decimation: 0]), (.linearTerm, 0, 1, [.polynomialMix: 100]),
      (.squaredTerm, 0, 4, [.polynomialMix: 100]), (.cubicTerm, 0, 4, [.polynomialMix: 100]),
      (.polynomialMix, 0, 100, [.cubicTerm: 3]), (.ringModMix, 0, 100, [:]),
      (.ringModBalance, 0, 100, [.ringModMix: 100]),
      (.ringModFreq1, 100, 300, [.ringModMix: 100]), (.ringModFreq2, 300, 20, [.ringModMix: 100]),
      (.softClipGain, -20, 10, [:]), (.finalMix, 0, 100, [.softClipGain: 6]),
    ]
  @Test(
    "a move makes no click: nothing above 5 kHz of a tone of 200 Hz that is not there at rest", arguments: moves.indices
  )
  func clicks(_ index: Int) throws {
    let move = Self.moves[index]
    // The remainder of differences of tenth order at every fifth sample: a high pass from about 4 kHz on.
    func high(_ isMoving: Bool) throws -> Double {
      let unit = try distortion([.softClipGain: -6].merging(move.beside) { $1 })
      let address = ParameterAddress(move.parameter.rawValue)
      if isMoving { try unit.setTimeline(.through((5000, move.from), (15_003, move.to)), for: address) }
      if !isMoving { try unit.set(move.parameter, to: move.to) }
      let tone = sine(hertz: 200, sampleRate: 44_100, frames: 20_000, amplitude: 0.5)
      var samples = try renderedSignal(fed(unit, [tone]), total: 20_000)[0].map(Double.init)
      for _ in 0..<10 { samples = zip(samples.dropFirst(), samples).map { ($0 - $1) / 2 } }
      return samples[4000..<16_000].map(abs).max() ?? 1
    }
    let (moving, still) = (try high(true), try high(false))
    if getenv("AUBENCH_PRINT") != nil {
      print("\(move.parameter): \(20 * log10(moving)), at rest \(20 * log10(still)) dB")
    }
    #expect(20 * log10(moving) < max(-100, 20 * log10(still) + 6), "\(20 * log10(moving)) dB")
  }

  @Test("it says how long it rings: 120 dB down behind that, and not long before")
  func tail() throws {
    let settings: [[Distortion.Parameter: Float]] = [
      [.delay: 10, .decay: 0.5, .delayMix: 100, .softClipGain: 0],
      [.delay: 300, .decay: 2, .delayMix: 50, .softClipGain: 10],
      [.squaredTerm: 10, .polynomialMix: 100, .softClipGain: 0],
    ]
    for values in settings {
      let loud = [Float](repeating: 0.9, count: 2000)
      let unit = try fed(distortion(values), [loud])
      let tail = Int(try #require(unit.tailFrames))
      let end = 2000 + 84 + tail
      let output = try renderedSignal(unit, total: end + 30_000)[0]
      #expect(output[end...].allSatisfy { abs($0) < 1e-6 }, "\(values)")
      #expect(output[(2000 + tail / 3)..<end].contains { abs($0) > 1e-6 }, "\(values)")
    }
  }

  @Test("22 presets in the published order; each sets all parameters, sounds its own way and stays in level")
  func presets() throws {
    let unit = Distortion()
    #expect(unit.preset.number == -1 && unit.factoryPresets.count == 22)
    #expect(unit.factoryPresets.map(\.number) == Array(0..<22))
    let places = [
      (0, "Drums Bit Brush"), (5, "Multi Decimated 1"), (11, "Multi Distorted Squared"), (21, "Speech Waves"),
    ]
    for (number, name) in places { #expect(unit.factoryPresets[number].name == name) }
    #expect(throws: AudioStatus.invalidPropertyValue) { try unit.select(preset: 22) }
    let signal = noise(1, frames: 30_000, amplitude: 0.3)
    let power = signal[0].reduce(0.0) { $0 + Double($1 * $1) } / 30_000
    var outputs: Set<[Float]> = []
    for preset in Distortion.presets {
      let fresh = Distortion()
      try fresh.select(preset: preset.number)
      let used = Distortion()
      for (address, row) in used.allParameters { try used.setParameter(address, to: row.maximum) }
      try used.select(preset: preset.number)
      for (address, row) in used.allParameters {
        #expect(try used.parameter(address) == fresh.parameter(address))
        #expect(try (row.minimum...row.maximum).contains(used.parameter(address)), "\(preset.name), \(row.name)")
      }
      #expect(used.preset == preset)
      let output = try renderedSignal(fed(used, signal), total: 30_000)[0]
      let level = 10 * log10(output[10_000...].reduce(0.0) { $0 + Double($1 * $1) } / 20_000 / power)
      if getenv("AUBENCH_PRINT") != nil { print("preset \(preset.name): \(level) dB") }
      #expect((-6...4).contains(level), "\(preset.name): \(level) dB")
      outputs.insert(output)
    }
    #expect(outputs.count == 22)
  }

  @Test(
    "values of any size, and any samples, come out finite, within what the filters make of ±1",
    arguments: extremeFloats)
  func extremes(_ value: Float) throws {
    for other: Float in [0, 1e30, -1e30, 50] {
      let unit = Distortion()
      for (index, row) in unit.allParameters.enumerated() {
        try unit.setParameter(row.address, to: index % 2 == 0 ? value : other)
      }
      try unit.set(.finalMix, to: 100)
      let signal = noise(1, frames: 3000)[0] + [3e38, -3e38, 1e20, -.leastNonzeroMagnitude] + noise(1, frames: 500)[0]
      let output = try renderedSignal(fed(unit, [signal]), total: 9000)[0]
      #expect(output.allSatisfy { abs($0) < 2.5 }, "\(value), \(other)")
    }
  }

  @Test("a NaN or an infinity that comes in is heard at its own frame alone, in spite of the echo")
  func notANumber() throws {
    var signal = noise(1, frames: 2000)[0]
    (signal[500], signal[600]) = (.nan, .infinity)
    let values: [Distortion.Parameter: Float] = [
      .delayMix: 50, .delay: 2, .polynomialMix: 50, .squaredTerm: 3, .cubicTerm: 2, .ringModMix: 50, .finalMix: 50,
    ]
    let output = try renderedSignal(fed(distortion(values), [signal]), total: 2000)[0]
    #expect(output.indices.filter { !output[$0].isFinite } == [584, 684])
  }

  @Test("a distortion's tail: what is held and the filters; one more echo for each; a minute at the most")
  func distortionTail() throws {
    let unit = try opened(distortion([:]), rate: 44_100)
    // The lowest rate of what is held is 500 Hz; the filters are 84 frames late.
    #expect(unit.tailFrames == Int64(clamping: (44_100.0 / 500 + 84).rounded(.up)))
    try unit.setParameters([0: 500, 1: 0.1, 2: 100, 14: 20])
    #expect(unit.tailFrames == Int64(60 * 44_100))
    unit.setBypass(true)
    #expect(unit.tailFrames == 0)
    unit.setBypass(false)
    try unit.setParameters([2: 0])
    #expect(unit.tailFrames == 173)
    // The mean of squares decays by e^(−2π·10·t): 20 · 10^6 at 0 dB.
    try unit.setParameters([7: 20, 9: 100, 14: 0])
    let settling = log(2e7) / (2 * .pi * 10) * 44_100
    #expect(unit.tailFrames == Int64(clamping: (settling + 88.2 + 84).rounded(.up)))
  }

  @Test("the oscillators stand still while nothing of them is heard: the first frame that is, is at phase 0")
  func oscillators() throws {
    let unit = try fed(
      distortion([.ringModFreq1: 130, .ringModFreq2: 410, .ringModBalance: 25, .softClipGain: -80]),
      [[Float](repeating: 0.5, count: 12_000)])
    let events = [(3200, Float(100)), (6400, 0), (8000, 100)].map { frame, value in
      HostEvent(frame: frame) { try $0.setParameter(ParameterAddress(13), to: value) }
    }
    let output = try renderedSignal(unit, total: 12_000, events: events)[0]
    for frame in 3000..<12_000 {
      // In front of and behind each change lie the filters that take the rate back, 333/8 frames late.
      guard ![3200, 6400, 8000].contains(where: { abs(frame - $0 - 42) < 100 }) else { continue }
      let turning = min(max(0, Double(frame) - 333.0 / 8 - 3200), 3200) + max(0, Double(frame) - 333.0 / 8 - 8000)
      func point(_ hertz: Double) -> Double { sin(2 * .pi * hertz * turning / 44_100) }
      let isHeard = (3200..<6400).contains(frame - 42) || frame - 42 >= 8000
      let expected = isHeard ? 0.5 * (0.75 * point(130) + 0.25 * point(410)) : 0.5
      guard abs(1e4 * Double(output[frame]) - expected) > 2e-4 else { continue }
      Issue.record("frame \(frame): \(1e4 * output[frame]), not \(expected)")
      return
    }
  }
}
