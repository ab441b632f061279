import AudioCore
import AudioEngine
import BuiltInUnits
import CAllocationCounter
import Glibc
import Testing
import TimeStretch
import UnitTestSupport

/// Tempo and pitch apart from one another, by a library that may be absent: then `Scripts/test-without-libraries` tests
/// the messages.
@Suite("Time pitch", .enabled(if: TimeStretcher.isAvailable, "libSoundTouchDll.so.1 is not installed"))
struct TimePitchTests {
  private static let sampleRate = 48_000.0
  private static let rate = ParameterAddress(0)
  private static let pitch = ParameterAddress(1)
  private static let components = [TimePitch.component, NewTimePitch.component]

  private static func unit(
    _ component: Component, _ signal: Signal, rate: Float = 1, cents: Float = 0, blend: Float? = nil
  ) throws -> Unit {
    let unit = component.make()
    try unit.setParameter(Self.rate, to: rate)
    try unit.setParameter(pitch, to: cents)
    if let blend { try unit.setParameter(ParameterAddress(2), to: blend) }
    return try fed(unit, signal, sampleRate: sampleRate)
  }

  @Test("at rate 1 and pitch 0 the input passes bit for bit", arguments: components)
  func passes(_ component: Component) throws {
    let signal = noise(2, frames: 9000)
    #expect(try renderedSignal(try Self.unit(component, signal), total: 9000) == signal)
  }

  @Test(
    "the pitch moves a sine by its cents at any rate, and the rate alone does not move it", arguments: components,
    [(1, 300), (1, -500), (1, 1200), (1, -2400), (1, 2400), (0.5, 0), (1.25, 0), (2, 0), (0.7, -700), (1.6, 400)]
      as [(Float, Float)])
  func frequency(_ component: Component, _ values: (rate: Float, cents: Float)) throws {
    let total = 60_000
    let input = sine(hertz: 440, sampleRate: Self.sampleRate, frames: 130_000)
    let output = try renderedSignal(
      try Self.unit(component, [input], rate: values.rate, cents: values.cents), total: total)[0]
    // By the first and the last of the upward zeros.
    let zeros: [Double] = (9600..<total - 1).compactMap { frame in
      let (before, behind) = (Double(output[frame]), Double(output[frame + 1]))
      return before < 0 && behind >= 0 ? Double(frame) + before / (before - behind) : nil
    }
    let first: Double = try #require(zeros.first)
    let last: Double = try #require(zeros.last)
    let hertz: Double = Double(zeros.count - 1) * Self.sampleRate / (last - first)
    let expected = 440 * exp2(Double(values.cents) / 1200)
    #expect(abs(1200 * log2(hertz / expected)) < 8, "\(hertz) Hz instead of \(expected) Hz")
  }

  @Test(
    "N frames of the input become N / rate", arguments: components,
    [(0.5, 0), (1.25, 0), (2, 700), (3, -300), (0.8, -1200), (0.25, 0)] as [(Float, Float)])
  func duration(_ component: Component, _ values: (rate: Float, cents: Float)) throws {
    // Silence, ten seconds on a burst of a quarter of one, silence.
    let (start, length) = (480_000, 12_000)
    var input = [Float](repeating: 0, count: start + length)
    input.replaceSubrange(start..., with: noise(1, frames: length)[0])
    let unit = try Self.unit(component, [input], rate: values.rate, cents: values.cents)
    let total = Int(clamping: Double(start + length) / Double(values.rate)) + 24_000
    let output = try renderedSignal(unit, total: total)[0]
    let first = try #require(output.firstIndex { abs($0) > 0.02 })
    let last = try #require(output.lastIndex { abs($0) > 0.02 })
    // A piece and the stretch over which it is looked for: 110 ms of the output, and of the input.
    let slack = 5300 * max(1, 1 / Double(values.rate))
    #expect(abs(Double(first) - Double(start) / Double(values.rate)) < slack, "\(first)")
    #expect(abs(Double(last) - Double(start + length) / Double(values.rate)) < slack, "\(last)")
    #expect(
      (unit as? RateUnit)?.outputEnd(ofInputEnd: 480_000)
        == Int64(clamping: (480_000 / Double(values.rate)).rounded(.up)))
  }

  @Test("frame 0 of the output is frame 0 of the input: the library's delay is taken out", arguments: components)
  func alignment(_ component: Component) throws {
    let slow = sine(hertz: 150, sampleRate: Self.sampleRate, frames: 20_000)
    let input = zip(slow, sine(hertz: 410, sampleRate: Self.sampleRate, frames: 20_000)).map { $0 + $1 * 0.3 }
    for (rate, cents) in [(Float(1.25), Float(0)), (0.6, 0), (1, 1200), (1, -1200), (1, -2400)] {
      let output = try renderedSignal(try Self.unit(component, [input], rate: rate, cents: cents), total: 1000)[0]
      // The first piece is played as it is, but for the pitch and the library's filter: 500 frames of it are sure.
      let factor = exp2(Double(cents) / 1200)
      for frame in stride(from: 100, to: Int(clamping: 500 / max(1, factor)), by: 52) {
        let place = Int(clamping: Double(frame) * factor)
        #expect(abs(output[frame] - input[place]) < 1e-3, "\(rate), \(cents), \(frame)")
      }
    }
  }

  @Test("channels keep their phase, and silence stays silence", arguments: components)
  func stereo(_ component: Component) throws {
    let left = noise(1, frames: 40_000)[0]
    let unit = try Self.unit(component, [left, left.map { $0 * -0.5 }, left.map { _ in 0 }], rate: 1.3, cents: -250)
    let output = try renderedSignal(unit, total: 24_000)
    #expect((0..<24_000).allSatisfy { abs(output[1][$0] + 0.5 * output[0][$0]) < 1e-6 })
    #expect(output[2].allSatisfy { $0 == 0 } && output[0].contains { abs($0) > 0.1 })
  }

  @Test(
    "the library takes over without a click, and a bypass gives the input at the place reached", arguments: components)
  func crossfade(_ component: Component) throws {
    let input = sine(hertz: 200, sampleRate: Self.sampleRate, frames: 60_000)
    let unit = try Self.unit(component, [input])
    let events = [
      HostEvent(frame: 5000) { try $0.setParameter(Self.pitch, to: 100) },
      HostEvent(frame: 20_000) { try $0.setProperty(.bypassEffect, to: .uint32(1)) },
    ]
    let output = try renderedSignal(unit, total: 30_000, events: events)[0]
    #expect(output[..<5000] == input[..<5000] && output[20_000...] == input[20_000..<30_000])
    // A sine of 212 Hz at 0.5 moves by 0.0139 a frame.
    let step = (5000..<19_999).map { (frame: Int) -> Float in abs(output[frame + 1] - output[frame]) }.max() ?? 1
    #expect(step < 0.021, "\(step)")
  }

  @Test("the effect's blend is a straight mix with the input where the rate is 1")
  func blend() throws {
    let signal = noise(1, frames: 20_000)
    func output(_ blend: Float, rate: Float = 1) throws -> [Float] {
      try renderedSignal(
        try Self.unit(TimePitch.component, signal, rate: rate, cents: 500, blend: blend), total: 12_000)[0]
    }
    let wet = try output(100)
    let half = try output(50)
    #expect(try output(0) == Array(signal[0][..<12_000]))
    #expect((0..<12_000).allSatisfy { abs(half[$0] - (wet[$0] + signal[0][$0]) / 2) < 1e-6 })
    #expect(try output(0, rate: 1.5) == output(100, rate: 1.5))
  }

  @Test("silence stays silence where the mix asks for input that is no longer kept")
  func mixBehindAHighRate() throws {
    // At 32 the library reads a second at a time, and no more than that is kept: in one of these the present place has
    // gone.
    for turn in stride(from: Int64(6400), to: 8000, by: 64) {
      let unit = TimePitch()
      try unit.setTimeline(.through((0, 32), (turn, 32), (turn, 1)), for: Self.rate)
      try unit.set(.effectBlend, to: 0)
      let silence = [[Float](repeating: 0, count: 1)]
      let output = try renderedSignal(try fed(unit, silence, sampleRate: Self.sampleRate), total: 9000)[0]
      #expect(output.allSatisfy { $0 == 0 }, "rate 1 from frame \(turn) on")
    }
  }

  @Test("a slice of no frames asks for none, and what follows sounds the same", arguments: components)
  func noFrames(_ component: Component) throws {
    let signal = noise(1, frames: 9000)
    let expected = try renderedSignal(try Self.unit(component, signal, rate: 1.25), total: 400)
    let source = Source(signal, sampleRate: Self.sampleRate)
    let unit = component.make()
    try unit.setParameter(Self.rate, to: 1.25)
    for scope in [Scope.input, .output] { try unit.setStreamFormat(source.format, scope) }
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.initialize()
    _ = try unit.render(sampleTime: 0, frames: 0)
    #expect(source.pulls == 1 && source.framesPulled == 0)
    let first = try renderedSignal(unit, total: 150)
    let pulled = source.framesPulled
    _ = try unit.render(sampleTime: 150, frames: 0)
    #expect(source.framesPulled == pulled)
    let second = try renderedSignal(unit, total: 250, from: 150)
    #expect(first[0] + second[0] == expected[0])
  }

  @Test("what is not a number does no harm, and is gone after a reset", arguments: components)
  func notANumber(_ component: Component) throws {
    var input = noise(1, frames: 20_000)[0]
    for frame in 5000..<5010 { input[frame] = frame % 2 == 0 ? .nan : .infinity }
    let unit = try Self.unit(component, [input], rate: 1.2, cents: 200)
    _ = try renderedSignal(unit, total: 12_000)
    unit.reset()
    let again = try renderedSignal(unit, total: 2000)
    #expect(again[0].allSatisfy(\.isFinite) && again[0].contains { $0 != 0 })
  }

  @Test("transient preservation and smoothness choose the library's lengths; spectral coherence does nothing")
  func settings() throws {
    let signal = noise(1, frames: 40_000)
    func output(_ id: UInt32, _ value: Float) throws -> [Float] {
      let unit = NewTimePitch()
      try unit.setParameter(Self.rate, to: 0.8)
      try unit.setParameter(ParameterAddress(id), to: value)
      return try renderedSignal(try fed(unit, signal, sampleRate: Self.sampleRate), total: 20_000)[0]
    }
    let fresh = try output(6, 1)
    #expect(try output(6, 0) == fresh)
    #expect(try output(7, 0) != fresh && output(4, 20) != fresh)
    // The older unit's pieces are the library's own.
    #expect(try output(7, 0) == renderedSignal(try Self.unit(TimePitch.component, signal, rate: 0.8), total: 20_000)[0])
  }

  #if !DEBUG
    @Test("the library allocates while its queues grow and where the pitch moves, and no more", arguments: components)
    func allocations(_ component: Component) throws {
      let unit = try Self.unit(component, noise(2, frames: 400_000), rate: 1.25, cents: 300)
      func slices(_ count: Int) throws -> Int {
        var allocations = 0
        for _ in 0..<count {
          allocation_counter_start()
          _ = try unit.render(sampleTime: next, frames: 512)
          allocations += Int(allocation_counter_stop())
          next += 512
        }
        return allocations
      }
      var next: Int64 = 0
      let growing = try slices(100)
      #expect(try slices(200) == 0)
      try unit.setParameter(Self.rate, to: 1.2)
      #expect(try slices(100) <= 4)
      try unit.setParameter(Self.pitch, to: 250)
      let moving = try slices(1)
      #expect(growing < 100 && moving > 0 && moving < 10, "\(growing), \(moving)")
    }
  #endif

  @Test("more channels than the library takes are refused, with the reason")
  func channels() throws {
    let unit = TimePitch()
    for scope in [Scope.input, .output] {
      try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 17), scope)
    }
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    #expect(unit.renderFailure?.message == "time stretching takes 1 to 16 channels, not 17")
  }
}
