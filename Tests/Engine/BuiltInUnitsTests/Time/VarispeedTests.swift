import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import SampleRate
import Testing
import TestSupport
import UnitTestSupport

/// The input read at p[n], the sum of the rates before n: a sine there is known in closed form.
@Suite("Varispeed") struct VarispeedTests {
  private static let rate = 48_000.0
  private static let playbackRate = ParameterAddress(0)
  private static let playbackCents = ParameterAddress(1)

  private static func rendered(
    _ signal: Signal, total: Int, events: [HostEvent] = [], configure: (Varispeed) throws -> Void = { _ in }
  ) throws -> Signal {
    let unit = Varispeed()
    try configure(unit)
    return try renderedSignal(try fed(unit, signal, sampleRate: rate), total: total, events: events)
  }

  /// The power of what differs from a sine of amplitude 1/2, read at these places of the input, against the sine's, in
  /// dB.
  private static func residual(_ output: [Float], hertz: Double, from first: Int, place: (Int) -> Double) -> Double {
    var (error, power) = (0.0, 0.0)
    for frame in first..<output.count {
      let expected = 0.5 * sin(2 * .pi * hertz * place(frame) / rate)
      error += (Double(output[frame]) - expected) * (Double(output[frame]) - expected)
      power += expected * expected
    }
    return 10 * log10(max(error, 1e-30) / power)
  }

  @Test("at rate 1 the input passes bit for bit, and is asked for no frame more")
  func passes() throws {
    let signal = noise(6, frames: 9000)
    let source = Source(signal, sampleRate: Self.rate)
    let unit = Varispeed()
    for scope in [Scope.input, .output] { try unit.setStreamFormat(source.format, scope) }
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.initialize()
    #expect(try renderedSignal(unit, total: 9000, in: .slices(of: 512)) == signal)
    #expect(source.framesPulled == 9000)
  }

  @Test(
    "a sine comes out at its frequency times the rate, in phase with the input from frame 0 on, 105 dB clean",
    arguments: [(0.25, 7000.0), (0.5, 20_000), (0.7937, 997), (0.9999, 12_000), (1.0001, 5000), (1.0595, 15_000)]
      + [(1.5, 997), (2, 9900), (3.7, 5000), (4, 4900)])
  func sines(speed: Double, hertz: Double) throws {
    let speed = Double(Float(speed))
    let total = 12_000
    let input = sine(hertz: hertz, sampleRate: Self.rate, frames: Int(clamping: Double(total) * speed) + 1000)
    let output = try Self.rendered([input], total: total) { try $0.setParameter(Self.playbackRate, to: Float(speed)) }
    // The sine's beginning is no sine.
    let decibels = Self.residual(output[0], hertz: hertz, from: 1000) { Double($0) * speed }
    #expect(decibels < -105, "\(decibels) dB")
  }

  @Test("what has no place below half the rate is 110 dB down", arguments: [(2.0, 15_000.0), (2, 12_500), (4, 7000)])
  func aliases(speed: Double, hertz: Double) throws {
    let total = 8000
    let input = sine(hertz: hertz, sampleRate: Self.rate, frames: Int(clamping: Double(total) * speed) + 1000)
    let output = try Self.rendered([input], total: total) { try $0.setParameter(Self.playbackRate, to: Float(speed)) }
    let power = output[0][1000...].reduce(0) { $0 + Double($1) * Double($1) } / Double(total - 1000)
    #expect(10 * log10(max(power, 1e-30) / 0.125) < -110)
  }

  @Test("twice as fast is what libsamplerate's best makes of it, below 0.4 of the output's rate")
  func reference() throws {
    // Noise without what the two filters differ by: from 8 kHz down, by going through 16 kHz.
    let narrow = try RateConverter.convert(noise(2, frames: 8000, amplitude: 0.3), from: 16_000, to: 48_000)
    let expected = try RateConverter.convert(narrow, from: 48_000, to: 24_000)
    let output = try Self.rendered(narrow, total: expected[0].count) { try $0.setParameter(Self.playbackRate, to: 2) }
    for channel in 0..<2 {
      var (error, power) = (0.0, 0.0)
      for frame in 300..<expected[0].count - 300 {
        let difference = Double(output[channel][frame]) - Double(expected[channel][frame])
        error += difference * difference
        power += Double(expected[channel][frame]) * Double(expected[channel][frame])
      }
      #expect(10 * log10(error / power) < -100, "\(10 * log10(error / power)) dB")
    }
  }

  @Test("under a ramp of the rate a sine is a chirp, whose phase is the sum of the rates")
  func chirp() throws {
    let (total, hertz) = (24_000, 1500.0)
    let input = sine(hertz: hertz, sampleRate: Self.rate, frames: 60_000)
    let output = try Self.rendered([input], total: total) { unit in
      try unit.setTimeline(.through((2000, 0.5), (22_000, 3.5)), for: Self.playbackRate)
    }
    let decibels = Self.residual(output[0], hertz: hertz, from: 1500) { frame in
      // A half each for 2000 frames, then n terms of an arithmetic series, then 3.5 each.
      let ramped = Double(min(max(frame - 2000, 0), 20_000))
      let before = 0.5 * Double(min(frame, 2000))
      return before + ramped * 0.5 + 3 / 20_000 * ramped * (ramped - 1) / 2 + 3.5 * Double(max(frame - 22_000, 0))
    }
    #expect(decibels < -100, "\(decibels) dB")
  }

  @Test("under a ramp of the cents the place is the sum of 2^(cents/1200)")
  func chirpInCents() throws {
    let (total, hertz) = (24_000, 400.0)
    let input = sine(hertz: hertz, sampleRate: Self.rate, frames: 60_000)
    let timeline = ParameterTimeline.through((0, -1200), (24_000, 1200))
    let output = try Self.rendered([input], total: total) { try $0.setTimeline(timeline, for: Self.playbackCents) }
    var places = [0.0]
    for frame in 0..<total { places.append(places[frame] + exp2((-1200 + 2400 * Double(frame) / 24_000) / 1200)) }
    // Straight lines between cells of 32 frames instead of the curve: 0.005 frames in the end.
    let decibels = Self.residual(output[0], hertz: hertz, from: 1000) { places[$0] }
    #expect(decibels < -60, "\(decibels) dB")
    let unit = Varispeed()
    try unit.setTimeline(timeline, for: Self.playbackCents)
    for frame in [1, 1000, 23_999, 24_000] {
      let end = Int64(clamping: places[frame].rounded(.up))
      #expect(abs(unit.outputEnd(ofInputEnd: end) - Int64(frame)) <= 1)
    }
  }

  @Test("rates that are set between slices hold at once, without a click")
  func steps() throws {
    let (total, hertz) = (9000, 3000.0)
    let input = sine(hertz: hertz, sampleRate: Self.rate, frames: 30_000)
    let events = [(3000, Float(1.5)), (5000, 0.3), (7000, 1)].map { frame, value in
      HostEvent(frame: frame) { try $0.setParameter(Self.playbackRate, to: value) }
    }
    let output = try Self.rendered([input], total: total, events: events)
    let decibels = Self.residual(output[0], hertz: hertz, from: 200) { frame in
      Double(min(frame, 3000)) + 1.5 * Double(min(max(frame - 3000, 0), 2000))
        + Double(Float(0.3)) * Double(min(max(frame - 5000, 0), 2000)) + Double(max(frame - 7000, 0))
    }
    #expect(decibels < -105, "\(decibels) dB")
  }

  @Test("the two parameters are views of one value: setting one sets the other")
  func views() throws {
    let unit = Varispeed()
    let pairs: [(Float, Float)] = [(2, 1200), (0.5, -1200), (1, 0), (4, 2400), (0.25, -2400)]
    for (rate, cents) in pairs {
      try unit.setParameter(Self.playbackRate, to: rate)
      #expect(try unit.parameter(Self.playbackCents) == cents && unit.parameter(Self.playbackRate) == rate)
      try unit.setParameter(Self.playbackRate, to: 1.3)
      try unit.setParameter(Self.playbackCents, to: cents)
      #expect(try unit.parameter(Self.playbackRate) == rate && unit.parameter(Self.playbackCents) == cents)
    }
    // Outside the range a value is kept as given; the other view is what is applied.
    try unit.setParameter(Self.playbackRate, to: -7)
    #expect(try unit.parameter(Self.playbackRate) == -7 && unit.parameter(Self.playbackCents) == -2400)
  }

  @Test("a ramp of one view is in the way of the other, and not of itself")
  func conflicts() throws {
    let views = [(Self.playbackRate, "playbackRate"), (Self.playbackCents, "playbackCents")]
    for (index, (ramped, name)) in views.enumerated() {
      let unit = Varispeed()
      #expect(views.allSatisfy { unit.conflict(withSetting: $0.0) == nil })
      try unit.setTimeline(.through((0, 1), (100, 2)), for: ramped)
      #expect(unit.conflict(withSetting: views[1 - index].0)?.contains("\"\(name)\"") == true)
      #expect(unit.conflict(withSetting: ramped) == nil)
    }
  }

  @Test("what moved last counts: scheduled events of either, read through both, and kept through a reset")
  func events() throws {
    let unit = try fed(Varispeed(), [sine(hertz: 1000, sampleRate: Self.rate, frames: 90_000)], sampleRate: Self.rate)
    /// Zero crossings of 4800 frames: twice the frequency, a tenth of a second.
    func crossings() throws -> Int {
      let output = try renderedSignal(unit, total: 5300, from: next)[0]
      next += 5300
      return (500..<5299).filter { (output[$0] < 0) != (output[$0 + 1] < 0) }.count
    }
    var next: Int64 = 0
    #expect(abs(try crossings() - 200) <= 1)
    try unit.scheduleParameters([.immediate(Self.playbackCents, offset: 0, value: 1200)])
    #expect(abs(try crossings() - 400) <= 1)
    #expect(try unit.parameter(Self.playbackRate) == 2 && unit.parameter(Self.playbackCents) == 1200)
    try unit.scheduleParameters([.immediate(Self.playbackRate, offset: 0, value: 0.5)])
    #expect(abs(try crossings() - 100) <= 1)
    #expect(try unit.parameter(Self.playbackCents) == -1200)
    unit.reset()
    next = 0
    #expect(abs(try crossings() - 100) <= 1)
    try unit.setParameter(Self.playbackCents, to: 0)
    #expect(abs(try crossings() - 200) <= 1)
  }

  @Test(
    "values outside the range act as the nearest inside", arguments: [Float(-1e30), 0, 4.5, .greatestFiniteMagnitude])
  func extremes(value: Float) throws {
    let signal = noise(1, frames: 4000)
    let output = try Self.rendered(signal, total: 3000) { try $0.setParameter(Self.playbackRate, to: value) }
    let nearest: Float = value < 1 ? 0.25 : 4
    #expect(output == (try Self.rendered(signal, total: 3000) { try $0.setParameter(Self.playbackRate, to: nearest) }))
    #expect(output[0].allSatisfy(\.isFinite) && output[0].contains { $0 != 0 })
  }

  @Test("bypassed, whole frames pass from the place that was reached, and then on at the rate")
  func bypass() throws {
    let ramp = (0..<40_000).map { Float($0) / 65_536 }
    let events = [(2000, true), (3000, false)].map { frame, isOn in
      HostEvent(frame: frame) { try $0.setProperty(.bypassEffect, to: .uint32(isOn ? 1 : 0)) }
    }
    let output = try Self.rendered([ramp], total: 5000, events: events) {
      try $0.setParameter(Self.playbackRate, to: 1.75)
    }[0]
    for frame in 2000..<3000 { #expect(output[frame] == ramp[3500 + frame - 2000]) }
    for frame in 3000..<5000 where frame % 100 == 0 {
      #expect(abs(Double(output[frame]) * 65_536 - (4500 + 1.75 * Double(frame - 3000))) < 0.05)
    }
  }

  @Test("sound ends where its last frame is played")
  func length() throws {
    let unit = Varispeed()
    #expect(unit.outputEnd(ofInputEnd: 1001) == 1001 && unit.outputEnd(ofInputEnd: 0) == 0)
    try unit.setParameter(Self.playbackRate, to: 2)
    #expect(unit.outputEnd(ofInputEnd: 1001) == 501)
    unit.setBypass(true)
    #expect(unit.outputEnd(ofInputEnd: 1001) == 1001)
    unit.setBypass(false)
    try unit.setTimeline(.through((100, 1), (100, 0.5)), for: Self.playbackRate)
    #expect(unit.outputEnd(ofInputEnd: 100) == 100 && unit.outputEnd(ofInputEnd: 150) == 200)
  }
}
