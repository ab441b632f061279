import AudioCore
import AudioEngine
import BuiltInUnits
import DSPKernels
import Glibc
import Testing

/// Latencies, tails, properties and edges of effects, by what is written of them.
@Suite("Latencies, tails and edges of effects") struct EffectDetailTests {
  private func set(_ unit: Unit, _ values: [UInt32: Float]) throws {
    for (id, value) in values { try unit.setParameter(ParameterAddress(id), to: value) }
  }

  /// Open, with both formats at a rate.
  private func open<Kind: Unit>(_ unit: Kind, rate: Double, channels: Int = 1) throws -> Kind {
    let format = StreamFormat(sampleRate: rate, channelCount: channels)
    for scope in [Scope.input, .output] { try unit.setStreamFormat(format, scope) }
    return unit
  }

  // MARK: Limiter

  @Test("a limiter's ceiling is −60 to 0 dBFS, both ends in it; its properties say what its setters set, and set it")
  func ceilings() throws {
    let limiter = PeakLimiter()
    for value: Float in [-60, 0, -3] {
      try limiter.setCeiling(value)
      #expect(limiter.ceilingDecibels == value)
      #expect(try limiter.property(.limiterCeiling) == .float64(Double(value)))
    }
    for value: Float in [-60.001, 0.001] {
      #expect(throws: AudioStatus.invalidPropertyValue) { try limiter.setCeiling(value) }
    }
    #expect(limiter.ceilingDecibels == -3)
    try limiter.setProperty(.limiterCeiling, to: .float64(-12))
    try limiter.setProperty(.limitsTruePeak, to: .uint32(1))
    #expect(limiter.ceilingDecibels == -12 && limiter.limitsTruePeak)
    try limiter.setLimitsTruePeak(false)
    #expect(try limiter.property(.limitsTruePeak) == .uint32(0))
  }

  @Test("the look-ahead is the longest attack known at the start: a longer one is cut to it, a shorter one begins late")
  func lookAhead() throws {
    let rate = 48_000.0
    var signal = [Float](repeating: 0.5, count: 4000)
    signal[1000] = 2
    func limiter(_ attack: Float) throws -> PeakLimiter {
      let unit = PeakLimiter()
      try unit.set(.attackTime, to: 0.002)
      let ready = try fed(unit, [signal], sampleRate: rate)
      try ready.set(.attackTime, to: attack)
      return ready
    }
    let longer = try limiter(0.03)
    #expect(longer.latencyFrames == 96)
    #expect(try renderedSignal(longer, total: 4000) == renderedSignal(try limiter(0.002), total: 4000))
    longer.setBypass(true)
    #expect(longer.latencyFrames == 0)
    longer.setBypass(false)
    #expect(longer.latencyFrames == 96)
    longer.uninitialize()
    #expect(longer.latencyFrames == 1440)
    // Half of it: a straight line from 48 frames before the peak on.
    let shorter = try limiter(0.001)
    #expect(shorter.latencyFrames == 96)
    let output = try renderedSignal(shorter, total: 4000)[0]
    for frame in 800...1000 {
      let before = 1000 - frame
      let gain = before < 48 ? 0.5 + 0.5 * Double(before) / 48 : 1
      #expect(abs(Double(output[frame + 96]) - Double(signal[frame]) * gain) < 1e-6, "\(frame)")
    }
    let timed = try open(PeakLimiter(), rate: rate)
    try timed.setTimeline(.through((0, 0.002), (100, 0.002), (100, 0.02), (200, 0.001)), for: ParameterAddress(0))
    #expect(timed.latencyFrames == 960)
  }

  // MARK: Dynamics

  @Test(
    "the dynamics processor is late by 256 frames at 48 kHz and the same time elsewhere, bypassed by none",
    arguments: [(8000.0, 43), (44_100, 235), (48_000, 256), (96_000, 512)])
  func dynamicsLatency(rate: Double, frames: Int) throws {
    let unit = try open(DynamicsProcessor(), rate: rate)
    #expect(unit.latencyFrames == frames)
    unit.setBypass(true)
    #expect(unit.latencyFrames == 0)
    let signal = noise(1, frames: 3000, amplitude: 0.01)
    let output = try renderedSignal(fed(DynamicsProcessor(), signal, sampleRate: rate), total: 3000)[0]
    #expect(output[..<frames].allSatisfy { $0 == 0 })
    #expect(Array(output[frames...]) == Array(signal[0][..<(3000 - frames)]))
  }

  @Test("meters: the gain is of the output alone, silence is −120 dB, and once it is put away they rest")
  func meters() throws {
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

  // MARK: Delay

  @Test("an echo is a frame late at the least and two seconds at the most; from 0.49 of the rate on nothing dulls it")
  func echoes() throws {
    func echo(_ seconds: Float, cutoff: Float, rate: Double, total: Int) throws -> [Float] {
      let delay = Delay()
      try set(delay, [0: 100, 1: seconds, 2: 0, 3: cutoff])
      return try renderedSignal(fed(delay, impulse(), sampleRate: rate), total: total)[0]
    }
    for (seconds, place) in [(0, 1), (2, 16_000), (3, 16_000), (0.0004, 3)] as [(Float, Int)] {
      let output = try echo(seconds, cutoff: 4000, rate: 8000, total: 17_000)
      #expect(output.indices.filter { output[$0] != 0 } == [place] && output[place] == 1, "\(seconds) s")
    }
    let bright = try echo(480 / 48_000, cutoff: 23_520, rate: 48_000, total: 1000)
    #expect(bright[480] == 1 && bright[481] == 0)
    let pole: Double = exp(-2 * Double.pi * 23_519 / 48_000)
    let dull = try echo(480 / 48_000, cutoff: 23_519, rate: 48_000, total: 1000)
    #expect(abs(Double(dull[480]) - (1 - pole)) < 1e-6 && abs(Double(dull[481]) - (1 - pole) * pole) < 1e-6)
  }

  @Test("a delay's tail ends where its echoes are 120 dB down: after one, after twenty or so, after a minute at most")
  func delayTail() throws {
    func tail(_ feedback: Float, isTimed: Bool = false, isBypassed: Bool = false) throws -> Int64? {
      let delay = try open(Delay(), rate: 10_000)
      try set(delay, [1: 0.1, 2: isTimed ? 0 : feedback, 3: 4900])
      if isTimed { try delay.setTimeline(.through((0, 0), (100, feedback), (200, 0)), for: ParameterAddress(2)) }
      delay.setBypass(isBypassed)
      return delay.tailFrames
    }
    #expect(try tail(0) == 1000)
    // The echo after twenty more is the first below 10^-6: 0.5^20.
    for (feedback, isTimed) in [(50, false), (-50, false), (50, true)] as [(Float, Bool)] {
      let frames = try #require(try tail(feedback, isTimed: isTimed))
      #expect(frames > 20 * 1000 && frames <= 21 * 1000, "\(feedback): \(frames)")
    }
    for feedback: Float in [100, -100, 99.99, 150] { #expect(try tail(feedback) == 600_000, "\(feedback)") }
    #expect(try tail(50, isBypassed: true) == 0)
  }

  // MARK: Reverb

  @Test("a room is the same whichever of its two delays is the longer, and rings as long as the slower of its decays")
  func rooms() throws {
    let signal = noise(2, frames: 8000)
    func output(_ values: [UInt32: Float]) throws -> Signal {
      let reverb = Reverb()
      try set(reverb, values)
      return try renderedSignal(fed(reverb, signal), total: 8000)
    }
    #expect(try output([2: 0.03, 3: 0.004]) == output([2: 0.004, 3: 0.03]))
    #expect(try output([2: 0.004, 3: 0.03]) != output([2: 0.004, 3: 0.031]))
    func tail(_ values: [UInt32: Float], isBypassed: Bool = false) throws -> Double {
      let reverb = try open(Reverb(), rate: 10_000)
      try set(reverb, values)
      reverb.setBypass(isBypassed)
      return Double(try #require(reverb.tailFrames)) / 10_000
    }
    for values in [[4: 3, 5: 1], [4: 1, 5: 3], [4: 3, 5: 3]] as [[UInt32: Float]] {
      // 120 dB are twice the 60 of a decay time; lines of 50 ms and the all-passes ring on.
      let seconds = try tail(values)
      #expect(seconds >= 6 + 0.05 && seconds < 7, "\(seconds)")
    }
    let long = try tail([2: 0.9, 3: 0.05]) - tail([2: 0.008, 3: 0.05])
    #expect(abs(long - 0.85) < 1e-3)
    #expect(try tail([:], isBypassed: true) == 0)
    let timed = try open(Reverb(), rate: 10_000)
    try timed.setTimeline(.through((0, 0.1), (100, 4), (200, 0.1)), for: ParameterAddress(4))
    #expect(try #require(timed.tailFrames) > 80_000)
  }

  // MARK: Distortion

  @Test("a distortion's tail: what is held and the filters; one more echo for each; a minute at the most")
  func distortionTail() throws {
    let unit = try open(distortion([:]), rate: 44_100)
    // The lowest rate of what is held is 500 Hz; the filters are 84 frames late.
    #expect(unit.tailFrames == Int64(clamping: (44_100.0 / 500 + 84).rounded(.up)))
    try set(unit, [0: 500, 1: 0.1, 2: 100, 14: 20])
    #expect(unit.tailFrames == Int64(60 * 44_100))
    unit.setBypass(true)
    #expect(unit.tailFrames == 0)
    unit.setBypass(false)
    try set(unit, [2: 0])
    #expect(unit.tailFrames == 173)
    // What is taken from squares goes by e^(−2π·10·t): 20 · 10^6 at 0 dB.
    try set(unit, [7: 20, 9: 100, 14: 0])
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

  // MARK: Graphic equalizer

  @Test("bands above 0.45 of the rate are silent, and the centres are 1000 Hz · 2^k and 2^(k/3)")
  func bands() throws {
    let signal = noise(1, frames: 3000)
    // 7200 Hz lies between the octaves at 4 and 8 kHz, and between the thirds at 6.35 and 8 kHz.
    for (bands, lowest) in [(GraphicEQ.Bands.octaves, 8), (.thirds, 26)] {
      for band in [lowest - 1, lowest] {
        let unit = GraphicEQ()
        try unit.setBands(bands)
        try unit.setGain(12, band: band)
        let output = try renderedSignal(fed(unit, signal, sampleRate: 16_000), total: 3000)
        #expect((output == signal) == (band == lowest), "\(bands) \(band)")
      }
      let centres = (0..<bands.count).map(bands.centerHertz)
      let (first, step) = bands == .octaves ? (31.25, 2.0) : (1000 * pow(2, -17.0 / 3), cbrt(2))
      for (band, centre) in centres.enumerated() {
        #expect(abs(centre / (first * pow(step, Double(band))) - 1) < 1e-12)
      }
    }
    for band in [-1, 31, 100] {
      #expect(throws: AudioStatus.invalidParameter) { try GraphicEQ().setGain(1, band: band) }
    }
    let unit = GraphicEQ()
    for band in [0, 30] {
      try unit.setGain(3, band: band)
      #expect(try unit.parameter(ParameterAddress(UInt32(band))) == 3)
    }
  }
}
