import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Synchronization
import Testing
import TestSupport
import UnitTestSupport

/// Parameter events that live for one slice: closed forms, and bits against a timeline.
@Suite struct RenderParametersTests {
  // MARK: The same ramp as a timeline, and scheduled anew for each slice

  struct Ramped: Sendable, CustomTestStringConvertible {
    let name: String
    let addresses: [ParameterAddress]
    let from: Float
    let to: Float
    let make: @Sendable () throws -> Unit
    var testDescription: String { name }
  }

  static let ramped = [
    Ramped(name: "volume", addresses: [GainMixer.volume], from: 0.9, to: 0.13) { try GainMixer.ofNoise() },
    Ramped(name: "pan", addresses: [GainMixer.pan], from: -0.8, to: 0.7) { try GainMixer.ofNoise() },
    Ramped(name: "volume and pan", addresses: [GainMixer.volume, GainMixer.pan], from: 0.2, to: 0.95) {
      try GainMixer.ofNoise()
    },
    Ramped(name: "cutoff", addresses: [GainMixer.cutoff], from: 300, to: 9000) {
      try fed(try LowPassFilter(cutoffHertz: 300, resonanceDecibels: 6), noise(2, frames: 9000, seed: 4))
    },
  ]

  @Test(
    "a ramp that is scheduled anew for each slice has the bits of a timeline, for slices of any length",
    arguments: ramped, [1, 64, 441, 512, 4096])
  func bits(_ ramped: Ramped, slice: Int) throws {
    let start: Int64 = 1003
    let duration: Int64 = 5001
    let total = 8192

    let followed = try ramped.make()
    followed.uninitialize()
    for address in ramped.addresses {
      try followed.setTimeline(.through((start, ramped.from), (start + duration, ramped.to)), for: address)
    }
    try followed.initialize()
    let expected = try renderedSignal(followed, total: total)

    for isInNotify in [false, true] {
      let unit = try ramped.make()
      for address in ramped.addresses { try unit.setParameter(address, to: ramped.from) }
      @Sendable func schedule(_ time: Int64, _ frames: Int) throws(AudioStatus) {
        guard time + Int64(frames) > start, time <= start + duration else { return }
        try unit.scheduleParameters(
          ramped.addresses.map {
            .ramp(
              $0, startOffset: Int32(start - time), durationFrames: UInt32(duration), from: ramped.from, to: ramped.to)
          })
      }
      if isInNotify {
        _ = unit.addRenderNotify { [unowned unit] phase, time, frames, _ in
          guard case .before = phase else { return }
          _ = unit
          #expect(status { () throws(AudioStatus) in try schedule(time, frames) } == .noError)
        }
      }
      var output: Signal = [[], []]
      for time in stride(from: 0, to: total, by: slice) {
        let frames = min(slice, total - time)
        if !isInNotify { try schedule(Int64(time), frames) }
        let bus = try unit.render(sampleTime: Int64(time), frames: frames)
        for channel in 0..<2 { output[channel] += bus.planes[channel].prefix(frames).elements }
      }
      let difference = firstDifference(output, expected)
      #expect(difference == nil, "scheduled in the notify: \(isInNotify): \(difference ?? "")")
      for address in ramped.addresses { #expect(try unit.parameter(address) == ramped.to) }
    }
  }

  // MARK: Immediate events

  @Test("an immediate event is stored at once and sounds from its frame on, in the order of the offsets")
  func immediate() throws {
    let unit = try GainMixer.made()
    _ = try left(unit, at: 0, 100)
    try unit.scheduleParameters([
      .immediate(GainMixer.volume, offset: 200, value: 0.25), .immediate(GainMixer.volume, offset: 50, value: 0.5),
    ])
    #expect(try unit.parameter(GainMixer.volume) == 0.5, "the one that was scheduled last")
    let output = try left(unit, at: 100, 300)
    #expect(output[..<50].allSatisfy { $0 == 1 })
    #expect(output[50..<200].allSatisfy { $0 == 0.5 })
    #expect(output[200...].allSatisfy { $0 == 0.25 })
    #expect(try unit.parameter(GainMixer.volume) == 0.25, "the one that sounds")
    #expect(try left(unit, at: 400, 10).allSatisfy { $0 == 0.25 })
  }

  @Test("a value that is set before an event holds in front of it; one that is set behind it holds from the next slice")
  func withSet() throws {
    let unit = try GainMixer.made()
    _ = try left(unit, at: 0, 10)
    try unit.setParameter(GainMixer.volume, to: 0.75)
    try unit.scheduleParameters([.immediate(GainMixer.volume, offset: 5, value: 0.5)])
    #expect(try left(unit, at: 10, 10) == [0.75, 0.75, 0.75, 0.75, 0.75, 0.5, 0.5, 0.5, 0.5, 0.5])
    let token = unit.addRenderNotify { [unowned unit] phase, _, _, _ in
      guard case .before = phase else { return }
      #expect(
        status { () throws(AudioStatus) in
          try unit.scheduleParameters([.immediate(GainMixer.volume, offset: 2, value: 0.125)])
          try unit.setParameter(GainMixer.volume, to: 0.0625)
        } == .noError)
    }
    #expect(try left(unit, at: 20, 4) == [0.5, 0.5, 0.125, 0.125])
    unit.removeRenderNotify(token)
    #expect(try unit.parameter(GainMixer.volume) == 0.0625)
    #expect(try left(unit, at: 24, 2) == [0.0625, 0.0625])
  }

  @Test("an event at or past the slice's end has no sound in it; its value holds from the next slice on")
  func late() throws {
    let unit = try GainMixer.made()
    try unit.scheduleParameters([
      .immediate(GainMixer.volume, offset: 4, value: 0.5),
      .ramp(GainMixer.pan, startOffset: 4, durationFrames: 10, from: 1, to: 1),
    ])
    #expect(try unit.parameter(GainMixer.volume) == 0.5)
    #expect(try left(unit, at: 0, 4) == [1, 1, 1, 1])
    #expect(try unit.parameter(GainMixer.volume) == 0.5)
    #expect(try left(unit, at: 4, 4) == [0.5, 0.5, 0.5, 0.5], "the ramp of pan is dropped: it would silence the left")
    #expect(try unit.parameter(GainMixer.pan) == 0)
  }

  // MARK: Ramps

  @Test("a ramp runs in a straight line, is held where it has come to, and is stored as far as it was rendered")
  func ramp() throws {
    let unit = try GainMixer.made()
    try unit.scheduleParameters([.ramp(GainMixer.volume, startOffset: 10, durationFrames: 200, from: 0, to: 1)])
    #expect(try unit.parameter(GainMixer.volume) == 1, "nothing of it has been rendered")
    let output = try left(unit, at: 1000, 110)
    for frame in 0..<110 {
      let expected = frame < 10 ? 1 : Double(frame - 10) / 200
      #expect(abs(Double(output[frame]) - expected) < 1e-7, "frame \(frame)")
    }
    #expect(try unit.parameter(GainMixer.volume) == 0.5)
    #expect(try left(unit, at: 1110, 64).allSatisfy { $0 == 0.5 }, "nobody scheduled it anew")
    try unit.scheduleParameters([.ramp(GainMixer.volume, startOffset: -64, durationFrames: 128, from: 0, to: 1)])
    let rest = try left(unit, at: 1174, 100)
    for frame in 0..<100 { #expect(abs(Double(rest[frame]) - min(1, Double(frame + 64) / 128)) < 1e-7) }
    #expect(try unit.parameter(GainMixer.volume) == 1)
    try unit.scheduleParameters([.ramp(GainMixer.volume, startOffset: -500, durationFrames: 128, from: 0, to: 0.5)])
    #expect(try left(unit, at: 1274, 3) == [0.5, 0.5, 0.5], "it ended before the slice")
    try unit.scheduleParameters([.ramp(GainMixer.volume, startOffset: 1, durationFrames: 0, from: 0, to: 0.75)])
    #expect(try left(unit, at: 1277, 3) == [0.5, 0.75, 0.75])
  }

  @Test("a later event cuts a ramp")
  func cut() throws {
    let unit = try GainMixer.made()
    try unit.scheduleParameters([
      .ramp(GainMixer.volume, durationFrames: 100, from: 0, to: 1), .immediate(GainMixer.volume, offset: 50, value: 4),
      .ramp(GainMixer.volume, startOffset: 60, durationFrames: 10, from: 2, to: 3),
    ])
    let output = try left(unit, at: 64, 80)
    for frame in 0..<80 {
      let expected: Double
      switch frame {
      case ..<50: expected = Double(frame) / 100
      case ..<60: expected = 4
      case ..<70: expected = 2 + Double(frame - 60) / 10
      default: expected = 3
      }
      #expect(abs(Double(output[frame]) - expected) < 1e-6, "frame \(frame)")
    }
    #expect(try unit.parameter(GainMixer.volume) == 3)
  }

  @Test("a ramp on a switch jumps where it ends")
  func rampOnSwitch() throws {
    let unit = try GainMixer.made()
    try unit.scheduleParameters([.ramp(GainMixer.enable, startOffset: 2, durationFrames: 3, from: 1, to: 0)])
    #expect(try left(unit, at: 0, 8) == [1, 1, 1, 1, 1, 0, 0, 0])
    #expect(try unit.parameter(GainMixer.enable) == 0)
    #expect(try left(unit, at: 8, 2) == [0, 0])
  }

  // MARK: Around slices

  @Test("a reset drops what is scheduled and keeps the values")
  func reset() throws {
    let unit = try GainMixer.made()
    try unit.scheduleParameters([
      .immediate(GainMixer.volume, offset: 1, value: 0.5), .ramp(GainMixer.pan, durationFrames: 1, from: 1, to: 1),
    ])
    unit.reset()
    #expect(try unit.parameter(GainMixer.volume) == 0.5)
    #expect(try left(unit, at: 0, 3) == [0.5, 0.5, 0.5])
  }

  @Test("smoothing goes on in front of an event; the event itself jumps")
  func smoothing() throws {
    let unit = try GainMixer.made { try $0.setSmoothingFrames(100) }
    _ = try left(unit, at: 0, 10)
    try unit.setParameter(GainMixer.volume, to: 0)
    try unit.scheduleParameters([.immediate(GainMixer.volume, offset: 50, value: 8)])
    let output = try left(unit, at: 10, 100)
    for frame in 0..<100 {
      let expected = frame < 50 ? 1 - Double(frame) / 100 : 8
      #expect(abs(Double(output[frame]) - expected) < 1e-6, "frame \(frame)")
    }
    #expect(try left(unit, at: 110, 5).allSatisfy { $0 == 8 })
  }

  @Test("an input at volume 0 is pulled for a slice whose events raise it, and for that slice alone")
  func pulls() throws {
    let source = Source([[Float](repeating: 1, count: 5000)])
    let unit = MultichannelMixer(inputs: 1)
    try unit.setStreamFormat(source.format, .input)
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.setVolume(0, input: 0)
    try unit.initialize()
    for slice in 0..<4 {
      if slice == 2 {
        try unit.scheduleParameters([
          .ramp(GainMixer.volume, startOffset: 10, durationFrames: 20, from: 1, to: 0)
        ])
      }
      _ = try unit.render(sampleTime: Int64(slice * 100), frames: 100)
      #expect(source.pulls == (slice < 2 ? 0 : 1))
    }
  }

  /// Two inputs whose volumes cancel, set by pairs of events from another thread. A pair arrives whole: one half alone
  /// would be heard. Built with ThreadSanitizer this is also the search for a race.
  @Test("events from another thread arrive whole while the unit renders")
  func otherThread() throws {
    let unit = MultichannelMixer(inputs: 2)
    let ones = RenderCallback { _, _, frames, buffer in
      for index in 0..<buffer.count { buffer.planes[index].update(repeating: 1, count: frames) }
      return .noError
    }
    for bus in 0..<2 { try unit.setRenderCallback(ones, input: bus) }
    try unit.setVolume(-1, input: 1)
    try unit.initialize()
    let other = ParameterAddress(0, scope: .input, element: 1)
    let accepted = Count()
    let scheduling = LoopingThread {
      var generator = SeededGenerator(seed: UInt64(accepted.value.load(ordering: .relaxed)))
      let level = Float(Int.random(in: 1...1000, using: &generator))
      let offset = UInt32.random(in: 0..<70, using: &generator)
      let length = UInt32.random(in: 0..<90, using: &generator)
      let pair: [ParameterEvent] =
        length % 2 == 0
        ? [
          .immediate(GainMixer.volume, offset: offset, value: level), .immediate(other, offset: offset, value: -level),
        ]
        : [
          .ramp(GainMixer.volume, startOffset: Int32(offset), durationFrames: length, from: 1, to: level),
          .ramp(other, startOffset: Int32(offset), durationFrames: length, from: -1, to: -level),
        ]
      if status({ () throws(AudioStatus) in try unit.scheduleParameters(pair) }) == .noError {
        accepted.value.add(1, ordering: .relaxed)
      } else {
        sched_yield()
      }
    }
    defer { scheduling.stop() }
    var slices = 0
    var last: Float = 1
    var changes = 0
    while accepted.value.load(ordering: .relaxed) < 3000 {
      let output = try left(unit, at: Int64(slices * 64), 64)
      if let frame = output.firstIndex(where: { $0 != 0 }) {
        Issue.record("slice \(slices), frame \(frame): \(output[frame])")
        break
      }
      slices += 1
      let value = try unit.parameter(GainMixer.volume)
      if value != last { changes += 1 }
      last = value
    }
    #expect(changes > 0, "3000 pairs are more than can wait: some were rendered")
  }

  private final class Count: Sendable { let value = Atomic<Int>(0) }
}

/// A mixer with one input whose output is its gain, for tests of parameters that move.
enum GainMixer {
  static let volume = ParameterAddress(0, scope: .input, element: 0)
  static let enable = ParameterAddress(1, scope: .input, element: 0)
  static let pan = ParameterAddress(2, scope: .input, element: 0)
  static let cutoff = ParameterAddress(0)

  /// A mixer whose one stereo input is 1 everywhere: its output is the gain.
  static func made(_ configure: (MultichannelMixer) throws -> Void = { _ in }) throws -> MultichannelMixer {
    let unit = MultichannelMixer(inputs: 1)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 2), .output)
    let ones = RenderCallback { _, _, frames, buffer in
      for index in 0..<buffer.count { buffer.planes[index].update(repeating: 1, count: frames) }
      return .noError
    }
    try unit.setRenderCallback(ones, input: 0)
    try unit.setMaximumFramesPerSlice(4096)
    try configure(unit)
    try unit.initialize()
    return unit
  }

  /// One with noise in its input.
  static func ofNoise() throws -> Unit {
    let unit = MultichannelMixer(inputs: 1)
    return try fed(unit, noise(2, frames: 9000, seed: 4))
  }
}

/// The left channel of a slice.
func left(_ unit: Unit, at time: Int64, _ frames: Int) throws -> [Float] {
  let bus = try unit.render(sampleTime: time, frames: frames)
  return Array(bus.planes[0].prefix(frames).elements)
}
