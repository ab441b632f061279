import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The dynamics processor against its law.
@Suite struct DynamicsProcessorTests {
  /// Decibels of gain for a level that has held for long.
  private func gain(
    _ level: Double, threshold: Double = -20, headRoom: Double = 5, ratio: Double = 2, expansion: Double = -120,
    overall: Double = 0
  ) -> Double {
    let above = level - threshold
    let compression = above > 0 ? headRoom * (1 - exp(-above / headRoom)) - above : 0
    return compression + max(-120, min(0, level - expansion) * (ratio - 1)) + overall
  }

  @Test("the curve: what a constant of each level comes out as, once it has held")
  func curve() throws {
    for (threshold, headRoom, ratio, expansion, overall) in [
      (-20.0, 5.0, 2.0, -120.0, 0.0), (-40, 0.1, 1, -120, 10), (-10, 20, 4, -30, -6), (20, 5, 50, -40, 0),
    ] {
      for level in stride(from: -70.0, through: 10, by: 8) {
        let unit = DynamicsProcessor()
        for (parameter, value) in [
          (DynamicsProcessor.Parameter.threshold, threshold), (.headRoom, headRoom), (.expansionRatio, ratio),
          (.expansionThreshold, expansion), (.overallGain, overall),
        ] {
          try unit.set(parameter, to: Float(value))
        }
        let amplitude = Float(pow(10, level / 20))
        let output = try renderedSignal(
          fed(unit, [[Float](repeating: amplitude, count: 6000)], sampleRate: 48_000), total: 6000)[0]
        let expected = gain(
          level, threshold: threshold, headRoom: headRoom, ratio: ratio, expansion: expansion, overall: overall)
        let found = 20 * log10(Double(abs(output[5900])) / Double(amplitude))
        #expect(abs(found - expected) < 0.02, "\(level) dB: \(found) for \(expected)")
      }
    }
  }

  @Test("attack and release: the level that decides moves by its law, and the gain with it")
  func times() throws {
    let rate = 48_000.0
    var signal = [Float](repeating: 0.05, count: 30_000)
    for frame in 6000..<15_000 { signal[frame] = 0.8 }
    let unit = DynamicsProcessor()
    try unit.set(.attackTime, to: 0.02)
    try unit.set(.releaseTime, to: 0.1)
    let output = try renderedSignal(fed(unit, [signal], sampleRate: rate), total: 30_000)[0]
    var levels = [0.0]
    for sample in signal {
      let (former, peak) = (levels[levels.count - 1], Double(abs(sample)))
      levels.append(former + (peak - former) * (1 - exp(-1 / ((peak > former ? 0.02 : 0.1) * rate))))
    }
    for frame in stride(from: 4000, to: 29_000, by: 8) {
      // The gain of a multiple of eight is that of the level 248 frames later.
      let level = 20 * log10(levels[frame + 249])
      let found = 20 * log10(Double(output[frame + 256]) / Double(signal[frame]))
      #expect(abs(found - gain(level)) < 0.02, "frame \(frame)")
    }
  }

  @Test("all channels by one gain, and quiet sound unchanged but for the latency")
  func channels() throws {
    var signal = noise(2, frames: 4000, amplitude: 0.05)
    let quiet = try renderedSignal(fed(DynamicsProcessor(), signal, sampleRate: 48_000), total: 4256)
    #expect(quiet.map { Array($0[256...]) } == signal)
    for frame in signal[0].indices { signal[0][frame] = 0.9 }
    signal[1] = signal[0].map { $0 / 100 }
    let output = try renderedSignal(fed(DynamicsProcessor(), signal, sampleRate: 48_000), total: 4000)
    #expect(zip(output[0], output[1]).allSatisfy { abs($0 - 100 * $1) < 1e-5 })
  }

  @Test("meters say what was compressed, and the levels in and out; as new they rest")
  func meters() throws {
    let unit = DynamicsProcessor()
    func meter(_ parameter: DynamicsProcessor.Parameter) throws -> Float {
      try unit.parameter(ParameterAddress(parameter.rawValue))
    }
    #expect(try meter(.compressionAmount) == 0 && meter(.inputAmplitude) == -120)
    _ = try renderedSignal(fed(unit, [[Float](repeating: 1, count: 6000)], sampleRate: 48_000), total: 6000)
    let expected = -gain(0)
    #expect(abs(Double(try meter(.compressionAmount)) - expected) < 0.02)
    #expect(abs(try meter(.inputAmplitude)) < 0.02)
    #expect(abs(Double(try meter(.outputAmplitude)) + expected) < 0.02)
    #expect(throws: AudioStatus.invalidParameter) { try unit.set(.inputAmplitude, to: 0) }
  }

  @Test("a NaN or an infinity is heard at its own frame alone, and turns down for no longer than a loud sound")
  func notANumber() throws {
    let clean = noise(1, frames: 90_000)[0]
    var signal = clean
    (signal[500], signal[600]) = (.nan, .infinity)
    let output = try renderedSignal(fed(DynamicsProcessor(), [signal]), total: 90_000)[0]
    let expected = try renderedSignal(fed(DynamicsProcessor(), [clean]), total: 90_000)[0]
    let latency = DynamicsProcessor().latencyFrames
    #expect(output.indices.filter { !output[$0].isFinite } == [500 + latency, 600 + latency])
    for frame in 80_000..<90_000 { #expect(abs(output[frame] - expected[frame]) < 1e-4) }
  }

  @Test(
    "the dynamics processor is late by 256 frames at 48 kHz and the same time elsewhere, bypassed by none",
    arguments: [(8000.0, 43), (44_100, 235), (48_000, 256), (96_000, 512)])
  func dynamicsLatency(rate: Double, frames: Int) throws {
    let unit = try opened(DynamicsProcessor(), rate: rate)
    #expect(unit.latencyFrames == frames)
    unit.setBypass(true)
    #expect(unit.latencyFrames == 0)
    let signal = noise(1, frames: 3000, amplitude: 0.01)
    let output = try renderedSignal(fed(DynamicsProcessor(), signal, sampleRate: rate), total: 3000)[0]
    #expect(output[..<frames].allSatisfy { $0 == 0 })
    #expect(Array(output[frames...]) == Array(signal[0][..<(3000 - frames)]))
  }

  @Test("meters: the gain is of the output alone, silence is −120 dB, and once it is put away they rest")
  func restingMeters() throws {
    func values(_ unit: DynamicsProcessor) throws -> [Float] {
      try [DynamicsProcessor.Parameter.compressionAmount, .inputAmplitude, .outputAmplitude].map {
        try unit.parameter(ParameterAddress($0.rawValue))
      }
    }
    let unit = DynamicsProcessor()
    try unit.set(.overallGain, to: 6)
    _ = try renderedSignal(fed(unit, [[Float](repeating: 0.01, count: 8000)], sampleRate: 48_000), total: 8000)
    let found = try values(unit)
    #expect(found[0] == 0 && abs(found[1] + 40) < 0.01 && abs(found[2] + 34) < 0.01, "\(found)")
    unit.uninitialize()
    #expect(try values(unit) == [0, -120, -120])
    let silent = try fed(DynamicsProcessor(), [[Float](repeating: 0, count: 1000)])
    _ = try renderedSignal(silent, total: 1000)
    #expect(try values(silent) == [0, -120, -120])
  }
}
