import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TimeStretch
import UnitTestSupport

/// The edges of the laws of units that play at another speed: jumps of the clock, ends, limits, fades.
@Suite("Speed: jumps, ends, limits and fades") struct RateUnitTests {
  private static let sampleRate = 48_000.0
  private static let rate = ParameterAddress(0)
  private static let pitch = ParameterAddress(1)
  private static let blend = ParameterAddress(2)

  private static let stretchers = TimeStretcher.isAvailable ? [TimePitch.component, NewTimePitch.component] : []
  private static let components = [Varispeed.component] + stretchers

  private static func ready(
    _ component: Component, _ signal: Signal, _ set: (Unit) throws -> Void = { _ in }
  ) throws -> Unit {
    let unit = component.make()
    try set(unit)
    return try fed(unit, signal, sampleRate: sampleRate)
  }

  // MARK: Jumps

  @Test(
    "a jump goes to the place that belongs to its frame: by the timeline, by the rate that is set, or bypassed the frame",
    arguments: components)
  func jumps(_ component: Component) throws {
    let signal = noise(1, frames: 10_000)
    // A thousand frames at twice the speed, and then one for one.
    let timed = try Self.ready(component, signal) {
      try $0.setTimeline(.through((0, 2), (1000, 2), (1000, 1)), for: Self.rate)
    }
    #expect(try renderedSignal(timed, total: 1500, from: 5000)[0] == Array(signal[0][6000..<7500]))
    #expect(try renderedSignal(timed, total: 500, from: 3000)[0] == Array(signal[0][4000..<4500]))
    let unit = component.make()
    try unit.setParameter(Self.rate, to: 2)
    let source = Source(signal, sampleRate: Self.sampleRate)
    for scope in [Scope.input, .output] { try unit.setStreamFormat(source.format, scope) }
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.initialize()
    _ = try unit.render(sampleTime: 1500, frames: 64)
    #expect(source.firstTime == 3000)
    let bypassed = try Self.ready(component, signal) {
      try $0.setParameter(Self.rate, to: 2)
      try $0.setProperty(.bypassEffect, to: .uint32(1))
    }
    #expect(try renderedSignal(bypassed, total: 1500, from: 5000)[0] == Array(signal[0][5000..<6500]))
  }

  @Test("a timeline of the cents leads a jump as that of the rate does")
  func jumpInCents() throws {
    let signal = noise(1, frames: 10_000)
    let unit = try Self.ready(Varispeed.component, signal) {
      try $0.setTimeline(.through((0, 1200), (1000, 1200), (1000, 0)), for: ParameterAddress(1))
    }
    #expect(try renderedSignal(unit, total: 1500, from: 5000)[0] == Array(signal[0][6000..<7500]))
  }

  @Test(
    "a bypass in the middle of a cell passes frames from the whole place that is nearest to the one reached",
    arguments: components, [(1.25, 8001), (1.75, 11_202)] as [(Float, Int)])
  func bypassed(_ component: Component, _ values: (rate: Float, place: Int)) throws {
    // 6401 frames at these rates: 8001.25 and 11201.75.
    let signal = noise(1, frames: 20_000)
    let unit = try Self.ready(component, signal) { try $0.setParameter(Self.rate, to: values.rate) }
    let event = HostEvent(frame: 6401) { try $0.setProperty(.bypassEffect, to: .uint32(1)) }
    let output = try renderedSignal(unit, total: 7401, events: [event])[0]
    #expect(Array(output[6401...]) == Array(signal[0][values.place..<values.place + 1000]))
    #expect(output[6400] != signal[0][values.place - 1])
  }

  // MARK: Ends

  @Test("sound ends with the first output frame whose place is its end: the sum of the rates before, frame by frame")
  func ends() throws {
    func check(_ unit: Varispeed, _ rate: (Int) -> Double) {
      var places = [0.0]
      for frame in 0..<1600 { places.append(places[frame] + rate(frame)) }
      var count = 0
      for end in 1...700 where !places.contains(where: { abs($0 - Double(end)) < 1e-6 }) {
        let expected = places.firstIndex { $0 >= Double(end) }
        #expect(expected.map(Int64.init) == unit.outputEnd(ofInputEnd: Int64(end)), "\(end)")
        count += 1
      }
      #expect(count > 100)
      for end: Int64 in [0, -1, -700] { #expect(unit.outputEnd(ofInputEnd: end) == 0) }
    }
    let straight = Varispeed()
    try straight.setTimeline(.through((100, 2), (200, 1), (900, 0.3)), for: Self.rate)
    check(straight) { frame in
      if frame < 200 { return 2 - Double(max(0, frame - 100)) / 100 }
      return 1 - (1 - Double(Float(0.3))) * Double(min(700, frame - 200)) / 700
    }
    // Before the first point its rate holds: 200 frames of the input are 100.
    #expect(straight.outputEnd(ofInputEnd: 200) == 100 && straight.outputEnd(ofInputEnd: 199) == 100)
    let curved = Varispeed()
    try curved.setTimeline(.through((50, -1200), (1250, 0), (1250, 700), (1300, 700)), for: ParameterAddress(1))
    check(curved) { frame in
      guard frame >= 50 else { return exp2(-1) }
      guard frame < 1250 else { return exp2(700.0 / 1200) }
      // A straight line of the factor in each cell of 32 frames.
      let (start, end) = (max(50, frame / 32 * 32), min(1250, (frame / 32 + 1) * 32))
      let (from, to) = (exp2(Double(start - 50) / 1200 - 1), exp2(Double(end - 50) / 1200 - 1))
      return from + (to - from) * Double(frame - start) / Double(end - start)
    }
  }

  @Test(
    "rates outside the range count as its ends where the end of sound and the most frames asked are told",
    arguments: components)
  func limits(_ component: Component) throws {
    let range = component.shortName == "varispeed" ? (low: 0.25, high: 4.0) : (low: 1.0 / 32, high: 32)
    for (value, expected) in [(Float(-3), range.low), (0, range.low), (1000, range.high)] {
      let set = try #require(component.make() as? RateUnit)
      try set.setParameter(Self.rate, to: value)
      let timed = try #require(component.make() as? RateUnit)
      try timed.setTimeline(.through((0, value)), for: Self.rate)
      let end = Int64(clamping: 64 / expected)
      #expect(set.outputEnd(ofInputEnd: 64) == end && timed.outputEnd(ofInputEnd: 64) == end, "\(value)")
      set.setBypass(true)
      #expect(set.outputEnd(ofInputEnd: 64) == 64)
      #expect(set.mostFramesAsked(ofInput: 0) == range.high)
    }
  }

  @Test(
    "values outside their ranges are heard as the nearest inside",
    .enabled(if: TimeStretcher.isAvailable, "libSoundTouchDll.so.1 is not installed"),
    arguments: [
      ("newTimePitch", 0, 100, 32, 30), ("newTimePitch", 0, -1, 1 / 32, 1 / 30), ("newTimePitch", 1, 9000, 2400, 2300),
      ("newTimePitch", 1, -9000, -2400, -2300), ("newTimePitch", 4, 500, 32, 31), ("newTimePitch", 4, -7, 3, 5),
      ("timePitch", 0, 40, 32, 30), ("timePitch", 2, 250, 100, 90), ("timePitch", 2, -50, 0, 10),
    ] as [(String, UInt32, Float, Float, Float)])
  func extremes(_ name: String, _ id: UInt32, _ outside: Float, _ nearest: Float, _ inside: Float) throws {
    let component = try #require(ComponentRegistry.builtIn.named(name))
    let signal = noise(1, frames: 140_000)
    func output(_ value: Float) throws -> Signal {
      let unit = try Self.ready(component, signal) {
        // Lengths are heard where pieces are joined, the blend where the rate is 1.
        if id == 4 { try $0.setParameter(Self.rate, to: 0.8) } else { try $0.setParameter(Self.pitch, to: 300) }
        try $0.setParameter(ParameterAddress(id), to: value)
      }
      return try renderedSignal(unit, total: id == 0 ? 4000 : 12_000)
    }
    let expected = try output(nearest)
    #expect(try output(outside) == expected)
    #expect(try output(inside) != expected)
  }

  // MARK: Fades

  @Test(
    "the library takes over at the next multiple of 64 frames, from that place on, in a straight crossfade of 10 ms",
    .enabled(if: TimeStretcher.isAvailable, "libSoundTouchDll.so.1 is not installed"), arguments: stretchers)
  func takeover(_ component: Component) throws {
    let signal = noise(1, frames: 20_000)
    let event = HostEvent(frame: 5000) { try $0.setParameter(Self.pitch, to: 100) }
    let output = try renderedSignal(try Self.ready(component, signal), total: 8000, events: [event])[0]
    // 79 · 64, and what the library gives where the sound begins there.
    let start = 5056
    let begun = try Self.ready(component, signal) { try $0.setParameter(Self.pitch, to: 100) }
    let wet = try renderedSignal(begun, total: 8000 - start, from: Int64(start))[0]
    #expect(output[..<start] == signal[0][..<start])
    for frame in wet.indices {
      let (dry, weight) = (signal[0][start + frame], min(1, Float(frame + 1) / 480))
      let expected = dry + (wet[frame] - dry) * weight
      guard abs(output[start + frame] - expected) > 1e-6 else { continue }
      Issue.record("frame \(frame): \(output[start + frame]), not \(expected)")
      return
    }
    #expect(wet != Array(signal[0][start..<8000]))
  }

  @Test(
    "another blend is reached in a straight line, of 10 ms for the whole way",
    .enabled(if: TimeStretcher.isAvailable, "libSoundTouchDll.so.1 is not installed"))
  func blends() throws {
    let signal = noise(1, frames: 20_000)
    func unit() throws -> Unit {
      try Self.ready(TimePitch.component, signal) { try $0.setParameter(Self.pitch, to: 500) }
    }
    let wet = try renderedSignal(try unit(), total: 9600)[0]
    let events = [(5120, Float(0)), (6400, 50)].map { frame, value in
      HostEvent(frame: frame) { try $0.setParameter(Self.blend, to: value) }
    }
    let output = try renderedSignal(try unit(), total: 9600, events: events)[0]
    var mix: Float = 1
    for frame in output.indices {
      let goal: Float = frame < 5120 ? 1 : frame < 6400 ? 0 : 0.5
      mix += min(1 / 480, max(-1 / 480, goal - mix))
      let expected = signal[0][frame] + (wet[frame] - signal[0][frame]) * mix
      guard abs(output[frame] - expected) > 5e-5 else { continue }
      Issue.record("frame \(frame): \(output[frame]), not \(expected)")
      return
    }
    #expect(output[5610..<6400] == signal[0][5610..<6400])
  }

  @Test(
    "a stretcher has a tail of the rest of a piece and its crossfade, and none where nothing is stretched",
    .enabled(if: TimeStretcher.isAvailable, "libSoundTouchDll.so.1 is not installed"), arguments: stretchers,
    [8000.0, 48_000, 96_000])
  func tails(_ component: Component, _ sampleRate: Double) throws {
    let unit = component.make()
    try unit.setStreamFormat(StreamFormat(sampleRate: sampleRate, channelCount: 2), .output)
    #expect(unit.tailFrames == 0)
    try unit.setParameter(ParameterAddress(0), to: 2)
    // 40 ms, and 8 ms.
    #expect(unit.tailFrames == Int64(clamping: (0.048 * sampleRate).rounded(.up)))
    try unit.setParameter(ParameterAddress(0), to: 1)
    try unit.setParameter(ParameterAddress(1), to: -300)
    #expect(unit.tailFrames == Int64(clamping: (0.048 * sampleRate).rounded(.up)))
    #expect(unit.latencyFrames == 0)
  }
}
