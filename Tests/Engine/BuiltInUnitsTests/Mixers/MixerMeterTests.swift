import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// Meters against closed forms: average = RMS with an exponential
/// window of 300 ms; peak hold = the largest sample of the last 1 s, then 20 dB/s down; dBFS re 1.0, floor −120.
@Suite struct MixerMeterTests {
  static let rate = 8000.0

  /// A meter's parameter, by its base id and channel.
  private func level(
    _ unit: Unit, _ base: UInt32, channel: UInt32 = 0, _ scope: Scope = .input, element: Int = 0
  ) throws -> Float {
    try unit.parameter(ParameterAddress(base + channel, scope: scope, element: element))
  }

  private static let preAverage: UInt32 = 1000
  private static let preHold: UInt32 = 2000
  private static let postAverage: UInt32 = 3000
  private static let postHold: UInt32 = 4000

  private func metered(_ signal: Signal) throws -> MultichannelMixer {
    let unit = MultichannelMixer(inputs: 2)
    try unit.setStreamFormat(StreamFormat(sampleRate: Self.rate, channelCount: 2), .output)
    let source = Source(signal, sampleRate: Self.rate)
    try unit.setStreamFormat(source.format, .input)
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.setMetering(true, .input, element: 0)
    try unit.setMetering(true, .output, element: 0)
    try unit.setMaximumFramesPerSlice(4096)
    try unit.initialize()
    return unit
  }

  /// The closed form for a constant of height c from rest: RMS² = c²·(1 − e^(−t/0.3 s)).
  @Test("the average of a constant rises with a time constant of 300 ms", arguments: [0.01, 0.1, 0.3, 1, 3])
  func average(_ seconds: Double) throws {
    let frames = Int(clamping: seconds * Self.rate)
    let height = 0.5
    let unit = try metered(Array(repeating: [Float](repeating: Float(height), count: frames), count: 2))
    try unit.setVolume(0.25, input: 0)
    _ = try rendered(unit, total: frames)
    let expected = 10 * log10(height * height * (1 - exp(-seconds / 0.3)))
    #expect(abs(Double(try level(unit, Self.preAverage)) - expected) < 1e-4)
    #expect(abs(Double(try level(unit, Self.preAverage, channel: 1)) - expected) < 1e-4)
    #expect(abs(Double(try level(unit, Self.postAverage)) - (expected + 20 * log10(0.25))) < 1e-4)
    let sum = expected + 20 * log10(0.25)
    #expect(abs(Double(try level(unit, Self.preAverage, .output)) - sum) < 1e-4)
  }

  @Test("the average of a long sine is 3.01 dB below its peak")
  func sineAverage() throws {
    let unit = try metered(
      Array(repeating: sine(hertz: 1000, sampleRate: Self.rate, frames: 40_000, amplitude: 1), count: 2))
    _ = try rendered(unit, total: 40_000)
    #expect(abs(try level(unit, Self.preAverage) + 3.0103) < 0.01)
  }

  @Test("the peak is held for 1 s, then falls by 20 dB a second")
  func hold() throws {
    let total = Int(clamping: 4 * Self.rate)
    var samples = [Float](repeating: 0, count: total)
    samples[100] = -0.5
    let unit = try metered([samples, [Float](repeating: 0, count: total)])
    try unit.setVolume(0.5, input: 0)
    try unit.setOutputVolume(0.1)
    let peak = 20 * log10(0.5)
    var at = 0
    for length in Partition.random(seed: 8).lengths(total: total) {
      _ = try unit.render(sampleTime: Int64(at), frames: length)
      at += length
      let last = Double(at - 1 - 100)
      let fall = at <= 100 ? -.infinity : peak - 20 * max(0, last - Self.rate) / Self.rate
      let expected = max(-120, fall)
      #expect(abs(Double(try level(unit, Self.preHold)) - expected) < 1e-3)
      #expect(abs(Double(try level(unit, Self.postHold)) - max(-120, expected + 20 * log10(0.5))) < 1e-3)
      // The balance at the centre passes left as it is; the output's meters stand before and after its volume.
      #expect(
        abs(Double(try level(unit, Self.postHold, .output)) - max(-120, expected + 20 * log10(0.05))) < 1e-3)
      #expect(try level(unit, Self.preHold, channel: 1) == -120)
    }
  }

  @Test("a larger sample begins the hold anew")
  func newPeak() throws {
    var samples = [Float](repeating: 0, count: 24_000)
    samples[0] = 0.5
    samples[4000] = 0.7
    let unit = try metered([samples, samples])
    _ = try rendered(unit, total: 12_001)
    #expect(abs(Double(try level(unit, Self.preHold)) - 20 * log10(0.7)) < 1e-4)
    _ = try rendered(unit, total: 4000, from: 12_001)
    #expect(abs(Double(try level(unit, Self.preHold)) - (20 * log10(0.7) - 10)) < 1e-2)
  }

  @Test("the peak, before and behind the volume, is the largest sample since it was last read, and reading begins anew")
  func clipping() throws {
    var samples = [Float](repeating: 0.25, count: 4000)
    samples[10] = -3
    samples[1500] = .infinity
    samples[2500] = .nan
    let unit = try metered([samples, [Float](repeating: 0.5, count: 4000)])
    // Before the volume, infinity, not-a-number; behind the volume.
    try unit.setParameter(ParameterAddress(0, scope: .input, element: 0), to: 0.5)
    func read() throws -> PropertyValue { try unit.property(.meterClipping, .input, element: 0) }
    _ = try rendered(unit, total: 1000)
    #expect(try read() == .float32s([3, 0, 0, 1.5]))
    #expect(try read() == .float32s([0, 0, 0, 0]))
    _ = try rendered(unit, total: 1000, from: 1000)
    #expect(try read() == .float32s([0.5, 1, 0, 0.25]))
    _ = try rendered(unit, total: 1000, from: 2000)
    #expect(try read() == .float32s([0.5, 0, 1, 0.25]))
    #expect(try level(unit, Self.preAverage).isFinite && level(unit, Self.preHold).isFinite)
  }

  @Test("the floor is −120 dB: before the first frame, under it, after a reset, on channels that do not exist")
  func floor() throws {
    let unit = try metered(Array(repeating: [Float](repeating: 1e-7, count: 4000), count: 2))
    #expect(try level(unit, Self.preAverage) == -120)
    _ = try rendered(unit, total: 1000)
    for base in [Self.preAverage, Self.preHold, Self.postAverage, Self.postHold] {
      #expect(try level(unit, base) == -120)
      #expect(try level(unit, base, element: 1) == -120)
    }
    let loud = try metered(Array(repeating: [Float](repeating: 0.9, count: 4000), count: 2))
    _ = try rendered(loud, total: 4000)
    #expect(try level(loud, Self.preHold) > -1)
    loud.reset()
    #expect(try level(loud, Self.preHold) == -120)
    #expect(try loud.property(.meterClipping, .input, element: 0) == .float32s([0, 0, 0, 0]))
    let beyond = ParameterAddress(Self.preHold + 2, scope: .input, element: 0)
    #expect(status { () throws(AudioStatus) in _ = try loud.parameter(beyond) } == .invalidParameter)
    for element in [-1, 2] {
      let nowhere = ParameterAddress(Self.preHold, scope: .input, element: element)
      #expect(status { () throws(AudioStatus) in _ = try loud.parameter(nowhere) } == .invalidElement)
    }
  }

  @Test("the meters of an input that is switched off fall as in silence", arguments: [true, false])
  func switchedOff(_ byVolume: Bool) throws {
    let height = 0.5
    let unit = try metered(Array(repeating: [Float](repeating: Float(height), count: 80_000), count: 2))
    let on = 8000
    _ = try rendered(unit, total: on)
    if byVolume { try unit.setVolume(0, input: 0) } else { try unit.setEnabled(false, input: 0) }
    _ = try rendered(unit, total: 16_000, from: Int64(on))
    let before = height * height * (1 - exp(-1 / 0.3))
    let expected = 10 * log10(before * exp(-2 / 0.3))
    #expect(abs(Double(try level(unit, Self.preAverage)) - expected) < 1e-3)
    // Held for one of the two seconds, falling for the other.
    #expect(abs(Double(try level(unit, Self.preHold)) - (20 * log10(height) - 20)) < 1e-2)
  }

  @Test("meters read the same bits whatever the slices, under a ramp as well", arguments: Partition.all)
  func sliceIndependence(_ partition: Partition) throws {
    func levels(_ partition: Partition) throws -> [UInt32] {
      let unit = MultichannelMixer(inputs: 2)
      let format = StreamFormat(sampleRate: 44_100, channelCount: 2)
      for bus in 0..<2 {
        try unit.setStreamFormat(format, .input, element: bus)
        try unit.setRenderCallback(Source(noise(2, frames: 9000, seed: UInt64(bus + 3))).callback, input: bus)
        try unit.setMetering(true, .input, element: bus)
      }
      try unit.setMetering(true, .output, element: 0)
      let volume = MultichannelMixer.Parameter.volume.rawValue
      try unit.setTimeline(.through((1001, 0.1), (5003, 1)), for: ParameterAddress(volume, scope: .input, element: 0))
      try unit.setTimeline(.through((0, 1), (8000, 0.3)), for: ParameterAddress(volume, scope: .output))
      try unit.setMaximumFramesPerSlice(4096)
      try unit.initialize()
      _ = try rendered(unit, total: 7000, in: partition)
      var values: [UInt32] = []
      for base in [Self.preAverage, Self.preHold, Self.postAverage, Self.postHold] {
        for channel in 0..<2 {
          values.append(try level(unit, base, channel: UInt32(channel)).bitPattern)
          values.append(try level(unit, base, channel: UInt32(channel), element: 1).bitPattern)
          values.append(try level(unit, base, channel: UInt32(channel), .output).bitPattern)
        }
      }
      return values
    }
    let expected = try levels(.reference)
    #expect(Set(expected).count > 15)
    #expect(try levels(partition) == expected)
  }

  @Test("meters are off until they are switched on")
  func off() throws {
    let unit = try metered(Array(repeating: [Float](repeating: 0.5, count: 4000), count: 2))
    try unit.setProperty(.meteringMode, .input, element: 0, to: .uint32(0))
    #expect(try unit.property(.meteringMode, .input, element: 0) == .uint32(0))
    #expect(try unit.property(.meteringMode, .output, element: 0) == .uint32(1))
    _ = try rendered(unit, total: 1000)
    #expect(try level(unit, Self.preHold) == -120)
    #expect(try level(unit, Self.preHold, .output) > -7)
  }
}
