import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The delay against its law, computed frame by frame in Double.
@Suite struct DelayTests {
  private struct Setting {
    var mix = 50.0
    var frames = 441
    var feedback = 50.0
    var cutoff = 15_000.0
  }

  /// - Parameter change: from which frame on the delay is another one.
  private func law(
    _ input: [Float], _ setting: Setting, rate: Double, change: (frame: Int, frames: Int)? = nil
  ) -> [Double] {
    let share = setting.cutoff >= 0.49 * rate ? 1 : 1 - exp(-2 * .pi * setting.cutoff / rate)
    let (dry, wet) = (cos(setting.mix / 200 * .pi), sin(setting.mix / 200 * .pi))
    let fade = Int(clamping: (0.02 * rate).rounded())
    var line: [Double] = []
    var heard = 0.0
    return input.indices.map { frame in
      func past(_ frames: Int) -> Double { frame >= frames ? line[frame - frames] : 0 }
      var echo = past(setting.frames)
      if let change, frame >= change.frame {
        let weight = min(1, Double(frame - change.frame + 1) / Double(fade))
        echo += (past(change.frames) - echo) * weight
      }
      heard = share * echo + (1 - share) * heard
      line.append(Double(input[frame]) + setting.feedback / 100 * heard)
      return dry * Double(input[frame]) + wet * heard
    }
  }

  private func unit(_ setting: Setting, rate: Double) throws -> Delay {
    let delay = Delay()
    try delay.set(.wetDryMix, to: Float(setting.mix))
    try delay.set(.delayTime, to: Float(Double(setting.frames) / rate))
    try delay.set(.feedback, to: Float(setting.feedback))
    try delay.set(.lowPassCutoff, to: Float(setting.cutoff))
    return delay
  }

  @Test(
    "its law, frame by frame",
    arguments: [
      (50.0, 441, 50.0, 15_000.0, 44_100.0), (100, 1, 99, 22_050, 44_100), (30, 37, -80, 500, 8_000),
      (0, 100, 50, 100, 48_000),
      (70, 5000, 0, 3_000, 96_000), (100, 700, 100, 48_000, 96_000),
    ])
  func law(_ mix: Double, _ frames: Int, _ feedback: Double, _ cutoff: Double, _ rate: Double) throws {
    let setting = Setting(mix: mix, frames: frames, feedback: feedback, cutoff: cutoff)
    let signal = noise(2, frames: 12_000)
    let output = try renderedSignal(fed(unit(setting, rate: rate), signal, sampleRate: rate), total: 12_000)
    for channel in 0..<2 {
      let expected = law(signal[channel], setting, rate: rate)
      let difference = zip(output[channel], expected).map { abs(Double($0) - $1) }.max() ?? 1
      #expect(difference < (feedback == 100 ? 1e-4 : 1e-5), "\(difference)")
    }
    if mix == 0 { #expect(output == signal) }
  }

  @Test("another delay time is a crossfade of 20 ms, and one that is set meanwhile waits for its end")
  func changes() throws {
    let setting = Setting(mix: 100, frames: 300, feedback: 40, cutoff: 9000)
    let signal = noise(1, frames: 8000)
    let delay = try fed(unit(setting, rate: 44_100), signal)
    let events = [
      HostEvent(frame: 3000) { try $0.setParameter(ParameterAddress(1), to: 900 / 44_100) },
      HostEvent(frame: 3500) { try $0.setParameter(ParameterAddress(1), to: 20 / 44_100) },
      HostEvent(frame: 3600) { try $0.setParameter(ParameterAddress(1), to: 900 / 44_100) },
    ]
    let output = try renderedSignal(delay, total: 8000, events: events)[0]
    let expected = law(signal[0], setting, rate: 44_100, change: (3000, 900))
    let difference = zip(output, expected).map { abs(Double($0) - $1) }.max() ?? 1
    #expect(difference < 1e-5, "\(difference)")
  }

  @Test("a mix that moves has no steps: a constant comes out along the curve of its law")
  func moves() throws {
    let delay = try unit(Setting(mix: 0, frames: 100, feedback: 0, cutoff: 22_050), rate: 44_100)
    try delay.setTimeline(.through((1000, 0), (5003, 100)), for: ParameterAddress(0))
    let output = try renderedSignal(fed(delay, [[Float](repeating: 1, count: 7000)]), total: 7000)[0]
    for frame in 500..<7000 {
      let mix = min(1, max(0, Double(frame - 1000) / 4003)) * .pi / 2
      #expect(abs(Double(output[frame]) - cos(mix) - sin(mix)) < 1e-3, "frame \(frame)")
    }
  }

  @Test("it says how long it rings: 120 dB down behind that, and not long before")
  func tail() throws {
    for (frames, feedback) in [(441, 50.0), (100, -90), (2000, 0)] {
      let setting = Setting(mix: 100, frames: frames, feedback: feedback, cutoff: 5000)
      let delay = try fed(unit(setting, rate: 44_100), [[1]])
      let tail = Int(try #require(delay.tailFrames))
      let output = try renderedSignal(delay, total: tail + 20_000)[0]
      #expect(output[tail...].allSatisfy { abs($0) < 1e-6 }, "\(frames), \(feedback)")
      #expect(output[(tail / 3)..<tail].contains { abs($0) > 1e-7 })
    }
  }

  @Test("an echo is a frame late at the least and two seconds at the most; from 0.49 of the rate on nothing dulls it")
  func echoes() throws {
    func echo(_ seconds: Float, cutoff: Float, rate: Double, total: Int) throws -> [Float] {
      let delay = Delay()
      try delay.setParameters([0: 100, 1: seconds, 2: 0, 3: cutoff])
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
      let delay = try opened(Delay(), rate: 10_000)
      try delay.setParameters([1: 0.1, 2: isTimed ? 0 : feedback, 3: 4900])
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
}
