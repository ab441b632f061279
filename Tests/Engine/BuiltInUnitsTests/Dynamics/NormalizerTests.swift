import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The normalizer by what BS.1770 says of sines, and offline units by what a host does with them.
@Suite struct NormalizerTests {
  private static let rate = 48_000.0

  private func preflight(_ unit: Normalizer, frames: Int, slices: [Int] = [1000]) throws {
    unit.beginPreflight()
    defer { unit.endPreflight() }
    var (time, slice) = (0, 0)
    while time < frames {
      let count = min(frames - time, slices[slice % slices.count])
      _ = try unit.render(sampleTime: Int64(time), frames: count)
      (time, slice) = (time + count, slice + 1)
    }
  }

  /// A unit that has measured a signal and can render it.
  private func measured(
    _ signal: Signal, sampleRate: Double = Self.rate, slices: [Int] = [1000],
    _ set: (Normalizer) throws -> Void = { _ in }
  ) throws -> Normalizer {
    let unit = Normalizer()
    try set(unit)
    _ = try fed(unit, signal, sampleRate: sampleRate)
    try preflight(unit, frames: signal[0].count, slices: slices)
    unit.reset()
    return unit
  }

  private func tone(_ decibels: Double, seconds: Double = 2, rate: Double = Self.rate) -> [Float] {
    sine(hertz: 997, sampleRate: rate, frames: Int(clamping: seconds * rate), amplitude: pow(10, decibels / 20))
  }

  /// BS.1770-4, annex 1: a sine of 997 Hz at 0 dBFS in one channel reads −3.01 LKFS.
  @Test("997 Hz at −20 dBFS is −20 LUFS on two channels, −23.01 on one", arguments: [44_100.0, 48_000, 96_000])
  func sines(rate: Double) throws {
    let tone = tone(-20, rate: rate)
    let stereo = try measured([tone, tone], sampleRate: rate)
    #expect(abs(try #require(stereo.measuredLUFS) + 20) < 0.02)
    #expect(abs(try #require(stereo.measuredPeakDecibels) + 20) < 0.05)
    let mono = try measured([tone], sampleRate: rate)
    #expect(abs(try #require(mono.measuredLUFS) + 23.01) < 0.02)
    // Six decibels louder, by one gain.
    let output = try renderedSignal(stereo, total: tone.count)
    let gain = output[0][100] / tone[100]
    #expect(abs(20 * log10(Double(gain)) - 6) < 0.02)
    for channel in output {
      #expect((0..<tone.count).allSatisfy { abs(channel[$0] - tone[$0] * gain) < 1e-6 })
    }
  }

  @Test("the surrounds of 5.1 weigh 1.5 dB more, the low frequency effects nothing")
  func channels() throws {
    let (tone, none) = (tone(-20), [Float](repeating: 0, count: 96_000))
    func level(_ channel: Int) throws -> Double? {
      try measured((0..<6).map { $0 == channel ? tone : none }).measuredLUFS
    }
    #expect(abs(try #require(try level(0)) + 23.01) < 0.02)
    #expect(abs(try #require(try level(4)) + 23.01 - 10 * log10(1.41)) < 0.02)
    #expect(try level(3) == nil)
  }

  @Test("quiet parts do not count: half of it 25 dB down changes nothing, 5 dB down does")
  func gating() throws {
    let loud = tone(-20, seconds: 10)
    func level(_ decibels: Double) throws -> Double {
      let all = loud + tone(decibels, seconds: 10)
      return try #require(try measured([all, all]).measuredLUFS)
    }
    // Three blocks of a hundred lie across the edge.
    #expect(abs(try level(-45) + 20) < 0.1)
    let both = 10 * log10((pow(10, -2) + pow(10, -2.5)) / 2)
    #expect(abs(try level(-25) - both) < 0.1)
  }

  @Test("a peak between two samples counts, and the ceiling holds the loudness down")
  func ceiling() throws {
    // At a quarter of the rate, between the samples: they reach 0.7071 of its amplitude.
    // It fades in and out: at an edge the sound between the samples would be larger.
    let tone = (0..<96_000).map { frame in
      let fade = min(1, Double(min(frame, 96_000 - frame)) / 400)
      return Float(fade * 0.5 * sin(.pi / 2 * Double(frame) + .pi / 4))
    }
    let peak = try measured([tone, tone]) {
      try $0.set(.mode, to: 1)
      try $0.set(.level, to: -1)
    }
    #expect(abs(try #require(peak.measuredPeakDecibels) - 20 * log10(0.5)) < 0.05)
    let output = try renderedSignal(peak, total: 1000)
    #expect(abs(20 * log10(Double(output[0][500] / tone[500])) - (20 * log10(2) - 1)) < 0.05)
    let held = try measured([tone, tone]) {
      try $0.set(.level, to: 0)
      try $0.set(.ceiling, to: -6)
    }
    let heldOutput = try renderedSignal(held, total: 1000)
    #expect(abs(20 * log10(Double(heldOutput[0][500] / tone[500])) - (20 * log10(2) - 6)) < 0.05)
  }

  @Test("silence, and what was not measured, passes bit for bit")
  func nothing() throws {
    let signal = noise(2, frames: 5000, seed: 3)
    let unit = try fed(Normalizer(), signal)
    #expect(unit.measuredLUFS == nil && unit.measuredPeakDecibels == nil)
    #expect(try renderedSignal(unit, total: 5000) == signal)
    let silent = try measured([[Float](repeating: 0, count: 96_000)])
    #expect(silent.measuredLUFS == nil && silent.measuredPeakDecibels == -.infinity)
    #expect(try renderedSignal(silent, total: 100)[0] == [Float](repeating: 0, count: 100))
  }

  @Test(
    "what is measured does not depend on the slices; a NaN in the sound leaves no level, and does not stay in the meter"
  )
  func slices() throws {
    let signal = noise(2, frames: 60_000, seed: 5)
    let whole = try measured(signal)
    let cut = try measured(signal, slices: [1, 37, 4096, 255, 256, 257])
    #expect(whole.measuredLUFS == cut.measuredLUFS && whole.measuredPeakDecibels == cut.measuredPeakDecibels)
    var broken = signal
    broken[0][100] = .nan
    let unit = try measured(broken)
    #expect(unit.measuredLUFS == nil && unit.measuredPeakDecibels == nil)
    let passed = try renderedSignal(unit, total: 60_000)
    #expect(passed[1] == broken[1] && passed[0][101...] == broken[0][101...])
  }

  @Test("measured once more it is what it was: nothing of the first time is left", arguments: [1, 2, 3])
  func again(channels: Int) throws {
    let signal = noise(channels, frames: 60_000, seed: 7)
    let unit = try measured(signal)
    let (loudness, peak) = (unit.measuredLUFS, unit.measuredPeakDecibels)
    try preflight(unit, frames: 60_000)
    #expect(unit.measuredLUFS == loudness && unit.measuredPeakDecibels == peak)
    #expect(loudness != nil)
  }

  @Test("another input, or its length, lets the unit forget; the length is told and read")
  func forgetting() throws {
    let tone = tone(-20)
    let unit = try measured([tone, tone])
    #expect(unit.measuredLUFS != nil)
    try unit.setProperty(.offlineInputSize, to: .int64(96_000))
    #expect(unit.measuredLUFS == nil && unit.inputFrames == 96_000)
    #expect(try unit.property(.offlineOutputSize) == .int64(96_000))
    #expect(try unit.property(.offlinePreflightRequirements) == .uint32(2))
    #expect(status { () throws(AudioStatus) in try unit.setInput(frames: -1) } == .invalidPropertyValue)
    #expect(unit.wantsPreflight)
    unit.setBypass(true)
    #expect(!unit.wantsPreflight)
    // Frames behind the length are rendered, and not looked at.
    unit.setBypass(false)
    try unit.setInput(frames: 48_000)
    let loud = try measured([tone + self.tone(0), tone + self.tone(0)]) { try $0.setInput(frames: 96_000) }
    #expect(abs(try #require(loud.measuredLUFS) + 20) < 0.02)
  }
}
