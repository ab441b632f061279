import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// The mixer against closed forms: out = o · Σ vᵢ · mapᵢ(xᵢ) in bus order, in Float32, each product rounded once.
@Suite struct MultichannelMixerTests {
  static let frames = 700
  static let rate = 44_100.0

  /// A mixer into `outputChannels` with one input for each signal, and the sources that feed it.
  static func mixer(_ signals: [Signal], outputChannels: Int = 2) throws -> (unit: MultichannelMixer, sources: [Source])
  {
    let unit = MultichannelMixer(inputs: signals.count)
    try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: outputChannels), .output)
    try unit.setMaximumFramesPerSlice(4096)
    let sources = signals.map { Source($0, sampleRate: rate) }
    for (bus, source) in sources.enumerated() {
      try unit.setStreamFormat(source.format, .input, element: bus)
      try unit.setRenderCallback(source.callback, input: bus)
    }
    return (unit, sources)
  }

  static func render(_ unit: MultichannelMixer) throws -> Signal {
    try unit.initialize()
    return try renderedSignal(unit, total: frames)
  }

  /// One input, one output channel after the other: the gains by which the mixer multiplied each input channel.
  private func expect(_ output: Signal, is expected: [(_ frame: Int) -> Float], _ note: Comment? = nil) {
    #expect(output.count == expected.count)
    for (channel, value) in expected.enumerated() {
      for frame in 0..<Self.frames where output[channel][frame] != value(frame) {
        Issue.record(
          "channel \(channel), frame \(frame): \(output[channel][frame]) in place of \(value(frame)) \(note ?? "")")
        return
      }
      #expect(output[channel].contains { $0 != 0 } || value(1) == 0)
    }
  }

  @Test("a sum is that of rounded products in bus order, times the output volume")
  func sums() throws {
    let signals = (1...5).map { noise(2, frames: Self.frames, seed: UInt64($0), amplitude: 0.9) }
    let volumes: [Float] = [0.3, -0.7, 1, 1.9, 0.01]
    let (unit, _) = try Self.mixer(signals)
    for (bus, volume) in volumes.enumerated() { try unit.setVolume(volume, input: bus) }
    try unit.setOutputVolume(0.77)
    let output = try Self.render(unit)
    func sum(_ channel: Int, _ frame: Int) -> Float {
      var sum: Float = 0
      for (bus, volume) in volumes.enumerated() { sum += signals[bus][channel][frame] * volume }
      return sum * 0.77
    }
    expect(output, is: [{ sum(0, $0) }, { sum(1, $0) }])
  }

  static let positions: [Float] = [-1, -0.999, -0.5, -0.001, 0, 0.3, 0.75, 1]

  @Test("a mono input is panned by its law", arguments: MonoPanLaw.allCases, positions)
  func monoPan(_ law: MonoPanLaw, _ position: Float) throws {
    let signal = noise(1, frames: Self.frames)
    let (unit, _) = try Self.mixer([signal])
    unit.monoPanLaw = law
    try unit.setPan(position, input: 0)
    let output = try Self.render(unit)
    let pan = Double(position)
    let (left, right): (Double, Double) =
      switch law {
      case .equalPower: (cos(.pi / 4 * (1 + pan)), sin(.pi / 4 * (1 + pan)))
      case .linear: ((1 - pan) / 2, (1 + pan) / 2)
      case .unityCentre: (min(1, 1 - pan), min(1, 1 + pan))
      }
    expect(output, is: [{ signal[0][$0] * Float(left) }, { signal[0][$0] * Float(right) }])
  }

  @Test("the default laws are equal power for mono, and a balance for stereo")
  func defaults() {
    let unit = MultichannelMixer()
    #expect(unit.monoPanLaw == .equalPower && unit.stereoPanLaw == .balance)
  }

  @Test("an equal-power pan keeps the power at every position", arguments: positions)
  func constantPower(_ position: Float) throws {
    let (unit, _) = try Self.mixer([[[Float](repeating: 1, count: Self.frames)]])
    try unit.setPan(position, input: 0)
    let output = try Self.render(unit)
    #expect(abs(output[0][9] * output[0][9] + output[1][9] * output[1][9] - 1) < 1e-6)
    if position == 0 { #expect(abs(20 * log10(Double(output[0][9])) + 3.0103) < 1e-4) }
  }

  @Test("a stereo input is balanced by its law", arguments: StereoPanLaw.allCases, positions)
  func stereoPan(_ law: StereoPanLaw, _ position: Float) throws {
    let signal = noise(2, frames: Self.frames)
    let (unit, _) = try Self.mixer([signal])
    unit.stereoPanLaw = law
    try unit.setPan(position, input: 0)
    let output = try Self.render(unit)
    let pan = Double(position)
    let (left, right): (Double, Double) =
      switch law {
      case .balance: (min(1, 1 - pan), min(1, 1 + pan))
      case .equalPower:
        (2.0.squareRoot() * cos(.pi / 4 * (1 + pan)), 2.0.squareRoot() * sin(.pi / 4 * (1 + pan)))
      }
    expect(output, is: [{ signal[0][$0] * Float(left) }, { signal[1][$0] * Float(right) }])
  }

  @Test(
    "a pan beyond its range stays at the end", arguments: [(-1.5, 0), (2, 1), (1e30, 1), (-1e30, 0)] as [(Float, Int)])
  func farPan(_ position: Float, _ loud: Int) throws {
    for channels in [1, 2] {
      let signal = noise(channels, frames: Self.frames)
      let (unit, _) = try Self.mixer([signal])
      try unit.setPan(position, input: 0)
      let output = try Self.render(unit)
      #expect(output[loud] == signal[channels == 1 ? 0 : loud])
      #expect(output[1 - loud].allSatisfy { abs($0) < 1e-15 })
    }
  }

  @Test("stereo into mono is the mean of both channels, whatever the pan")
  func stereoToMono() throws {
    let signal = noise(2, frames: Self.frames)
    let (unit, _) = try Self.mixer([signal], outputChannels: 1)
    try unit.setPan(0.8, input: 0)
    try unit.setVolume(0.6, input: 0)
    let half: Float = Float(Double(Float(0.6)) * 0.5)
    expect(try Self.render(unit), is: [{ signal[0][$0] * half + signal[1][$0] * half }])
  }

  @Test("mono into mono passes, whatever the pan")
  func monoToMono() throws {
    let signal = noise(1, frames: Self.frames)
    let (unit, _) = try Self.mixer([signal], outputChannels: 1)
    try unit.setPan(-1, input: 0)
    expect(try Self.render(unit), is: [{ signal[0][$0] }])
  }

  @Test("channels beyond what the output has are dropped, those it has beyond the input's are silent")
  func otherChannelCounts() throws {
    let signals = [noise(6, frames: Self.frames, seed: 1), noise(3, frames: Self.frames, seed: 2)]
    let (unit, _) = try Self.mixer(signals, outputChannels: 5)
    let expected: [(Int) -> Float] = (0..<5).map { channel in
      { frame in channel < 3 ? signals[0][channel][frame] + signals[1][channel][frame] : signals[0][channel][frame] }
    }
    expect(try Self.render(unit), is: expected)
    let (alone, _) = try Self.mixer([noise(2, frames: Self.frames)], outputChannels: 4)
    let output = try Self.render(alone)
    #expect(output[2].allSatisfy { $0 == 0 } && output[3].allSatisfy { $0 == 0 })
    #expect(output[0].contains { $0 != 0 })
  }

  @Test("more than 64 output channels mix as fewer do")
  func manyChannels() throws {
    let signals = [noise(70, frames: Self.frames, seed: 1), noise(70, frames: Self.frames, seed: 2)]
    let (unit, _) = try Self.mixer(signals, outputChannels: 70)
    expect(
      try Self.render(unit),
      is: (0..<70).map { channel in { signals[0][channel][$0] + signals[1][channel][$0] } })
  }

  // MARK: The matrix

  @Test("matrix levels are the gains from each input channel to each output channel, times the volume")
  func matrix() throws {
    let signal = noise(2, frames: Self.frames)
    let (unit, _) = try Self.mixer([signal], outputChannels: 3)
    let levels: [Float] = [0.1, -0.2, 0.3, 0.4, 0, 2]
    try unit.setMatrixLevels(levels, input: 0)
    try unit.setVolume(0.5, input: 0)
    #expect(try unit.matrixLevels(input: 0) == levels)
    let output = try Self.render(unit)
    func gain(_ input: Int, _ channel: Int) -> Float { levels[input * 3 + channel] * 0.5 }
    expect(
      output,
      is: (0..<3).map { channel in
        { frame in
          let first = signal[0][frame] * gain(0, channel)
          return gain(1, channel) == 0 ? first : first + signal[1][frame] * gain(1, channel)
        }
      })
  }

  @Test("pan ends the matrix, and a matrix replaces the pan: the last set wins, while rendering too")
  func lastSetWins() throws {
    let ones: Signal = [[Float](repeating: 1, count: 4000)]
    let (unit, _) = try Self.mixer([ones])
    try unit.setPan(1, input: 0)
    try unit.setMatrixLevels([0.25, 0.75], input: 0)
    try unit.initialize()
    func levels(_ time: Int64) throws -> [Float] {
      let bus = try unit.render(sampleTime: time, frames: 100)
      return [bus.planes[0][50], bus.planes[1][50]]
    }
    #expect(try levels(0) == [0.25, 0.75])
    try unit.setPan(-1, input: 0)
    #expect(try levels(100) == [1, 0])
    #expect(status { () throws(AudioStatus) in _ = try unit.matrixLevels(input: 0) } == .propertyNotInUse)
    try unit.setMatrixLevels([0, 0.5], input: 0)
    #expect(try levels(200) == [0, 0.5])
  }

  @Test("a matrix of another size is refused, at once or when the unit is initialized")
  func matrixSize() throws {
    let (unit, _) = try Self.mixer([noise(2, frames: 10)])
    #expect(
      status { () throws(AudioStatus) in try unit.setMatrixLevels([1, 1], input: 0) } == .invalidPropertyValue)
    #expect(
      status { () throws(AudioStatus) in try unit.setMatrixLevels([1, 1, 1, .nan], input: 0) } == .invalidPropertyValue)
    #expect(
      status { () throws(AudioStatus) in try unit.setMatrixLevels([1, 1, 1, 1], input: 1) } == .invalidElement)
    try unit.setMatrixLevels([1, 0, 0, 1], input: 0)
    try unit.setStreamFormat(StreamFormat(sampleRate: Self.rate, channelCount: 3), .output)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    try unit.setPan(0, input: 0)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .noError)
  }

  @Test("a bus that is removed and added again is a new one")
  func removedBus() throws {
    let unit = MultichannelMixer(inputs: 3)
    try unit.setVolume(0.25, input: 2)
    try unit.setMatrixLevels([1, 0, 0, 1], input: 2)
    try unit.setMetering(true, .input, element: 2)
    try unit.setElementCount(2, .input)
    try unit.setElementCount(3, .input)
    let volume = ParameterAddress(MultichannelMixer.Parameter.volume.rawValue, scope: .input, element: 2)
    #expect(try unit.parameter(volume) == 1)
    #expect(status { () throws(AudioStatus) in _ = try unit.matrixLevels(input: 2) } == .propertyNotInUse)
    #expect(try unit.property(.meteringMode, .input, element: 2) == .uint32(0))
  }

  // MARK: What is pulled

  @Test("disabled inputs and those at volume 0 are not pulled; others are, once a slice")
  func pulls() throws {
    let (unit, sources) = try Self.mixer((0..<5).map { noise(1, frames: 2000, seed: UInt64($0 + 1)) })
    try unit.setEnabled(false, input: 1)
    try unit.setVolume(0, input: 2)
    try unit.setVolume(1e-6, input: 3)
    let address = ParameterAddress(MultichannelMixer.Parameter.volume.rawValue, scope: .input, element: 4)
    try unit.setVolume(0, input: 4)
    try unit.setTimeline(.through((0, 0), (1_000_000, 0)), for: address)
    try unit.initialize()
    for slice in 0..<10 { _ = try unit.render(sampleTime: Int64(slice * 100), frames: 100) }
    #expect(sources.map(\.pulls) == [10, 0, 0, 10, 10])
    try unit.setEnabled(true, input: 1)
    try unit.setVolume(0.5, input: 2)
    try unit.setVolume(0, input: 0)
    for slice in 10..<15 { _ = try unit.render(sampleTime: Int64(slice * 100), frames: 100) }
    #expect(sources.map(\.pulls) == [10, 5, 5, 15, 15])
    #expect(sources[1].firstTime == 1000, "its source's clock is the puller's")
  }

  @Test("what is disabled or at volume 0 is not heard, and is again when it comes back")
  func silence() throws {
    let signal = noise(2, frames: 4000)
    let (unit, _) = try Self.mixer([signal])
    let output = try {
      try unit.initialize()
      return try renderedSignal(
        unit, total: 3000, in: .slices(of: 333),
        events: [
          HostEvent(frame: 500) { try ($0 as? MultichannelMixer)?.setEnabled(false, input: 0) },
          HostEvent(frame: 1000) { try ($0 as? MultichannelMixer)?.setEnabled(true, input: 0) },
          HostEvent(frame: 1500) { try ($0 as? MultichannelMixer)?.setVolume(0, input: 0) },
          HostEvent(frame: 2000) { try ($0 as? MultichannelMixer)?.setVolume(1, input: 0) },
        ])
    }()
    for channel in 0..<2 {
      for frame in 0..<3000 {
        let isSilent = (500..<1000).contains(frame) || (1500..<2000).contains(frame)
        #expect(output[channel][frame] == (isSilent ? 0 : signal[channel][frame]))
        if output[channel][frame] != (isSilent ? 0 : signal[channel][frame]) { return }
      }
    }
  }

  @Test("a mixer without any source gives silence, at every rate", arguments: [44_100.0, 48_000])
  func unconnected(_ rate: Double) throws {
    let unit = MultichannelMixer()
    try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: 2), .output)
    try unit.initialize()
    let first = try unit.render(sampleTime: 0, frames: 512)
    for channel in 0..<2 { first.planes[channel].update(repeating: 1, count: 512) }
    let output = try renderedSignal(unit, total: 1000, from: 512)
    #expect(output.allSatisfy { $0.count == 1000 && $0.allSatisfy { $0 == 0 } })
  }

  // MARK: Ramps

  /// v(n) = v0 + (v1 − v0)·(n − n0)/(n1 − n0), rounded to Float once.
  @Test("a volume ramp is exact on every frame, on an input and on the output", arguments: [true, false])
  func ramps(_ onInput: Bool) throws {
    let ones: Signal = Array(repeating: [Float](repeating: 1, count: 3000), count: 2)
    let (unit, _) = try Self.mixer([ones])
    let address = ParameterAddress(
      MultichannelMixer.Parameter.volume.rawValue, scope: onInput ? .input : .output, element: 0)
    try unit.setTimeline(.through((100, 0.25), (1100, 1), (1100, 0.5), (2017, -1)), for: address)
    try unit.initialize()
    let output = try renderedSignal(unit, total: 3000, in: .random(seed: 3))
    func value(_ frame: Int) -> Double {
      switch frame {
      case ..<100: 0.25
      case ..<1100: 0.25 + 0.75 * Double(frame - 100) / 1000
      case ..<2017: 0.5 - 1.5 * Double(frame - 1100) / 917
      default: -1
      }
    }
    for channel in 0..<2 {
      for frame in 0..<3000 {
        let expected = Float(value(frame))
        // The straight piece is evaluated between grid points, in Double: a last bit of Float at the most.
        if abs(output[channel][frame] - expected) > max(abs(expected).ulp, 0x1p-30) {
          Issue.record("frame \(frame): \(output[channel][frame]) in place of \(expected)")
          return
        }
      }
    }
    #expect(output[0][100] == 0.25 && output[0][1099] < 1 && output[0][1100] == 0.5 && output[0][2999] == -1)
  }

  @Test("smoothing is a straight line over its frames, from the first frame of the next slice")
  func smoothing() throws {
    let ones: Signal = Array(repeating: [Float](repeating: 1, count: 3000), count: 2)
    let (unit, _) = try Self.mixer([ones])
    try unit.setSmoothingFrames(400)
    try unit.setVolume(0.5, input: 0)
    try unit.initialize()
    let output = try renderedSignal(
      unit, total: 2000, in: .slices(of: 300),
      events: [HostEvent(frame: 700) { try ($0 as? MultichannelMixer)?.setVolume(1, input: 0) }])[0]
    for frame in 0..<2000 {
      let expected = 0.5 + 0.5 * Double(min(max(frame - 700, 0), 400)) / 400
      #expect(abs(Double(output[frame]) - expected) < 1e-7)
    }
    #expect(output[700] == 0.5 && output[1100] == 1)
  }

  @Test("a step without smoothing holds from the first frame of the next slice")
  func step() throws {
    let ones: Signal = Array(repeating: [Float](repeating: 1, count: 3000), count: 2)
    let (unit, _) = try Self.mixer([ones])
    try unit.initialize()
    let output = try renderedSignal(
      unit, total: 1000, in: .slices(of: 300),
      events: [HostEvent(frame: 600) { try ($0 as? MultichannelMixer)?.setOutputVolume(0.25) }])[0]
    #expect(output[599] == 1 && output[600] == 0.25)
  }

  // MARK: Other formats and rates

  @Test("a callback may deliver int16 interleaved")
  func int16() throws {
    let signal = noise(2, frames: Self.frames)
    let (unit, _) = try Self.mixer([signal])
    let format = StreamFormat(sampleRate: Self.rate, channelCount: 2, encoding: .int16, isInterleaved: true)
    try unit.setStreamFormat(format, .input)
    try unit.setRenderCallback(Source(signal, format: format).callback, input: 0)
    func quantized(_ x: Float) -> Float { (x * 32_768).rounded(.toNearestOrEven) / 32_768 }
    expect(try Self.render(unit), is: [{ quantized(signal[0][$0]) }, { quantized(signal[1][$0]) }])
  }

  @Test("an input of another rate keeps its pitch and its place", arguments: [8000.0, 22_050, 96_000])
  func otherRate(_ rate: Double) throws {
    let hertz = 440.0
    let unit = MultichannelMixer(inputs: 1)
    let format = StreamFormat(sampleRate: rate, channelCount: 1)
    try unit.setStreamFormat(format, .input)
    let source = Source([sine(hertz: hertz, sampleRate: rate, frames: Int(clamping: rate))], format: format)
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.setPan(-1, input: 0)
    try unit.setMaximumFramesPerSlice(512)
    try unit.initialize()
    let output = try renderedSignal(unit, total: 20_000, in: .slices(of: 512))[0]
    let expected = sine(hertz: hertz, sampleRate: Self.rate, frames: 20_000)
    for frame in 3000..<20_000 where abs(output[frame] - expected[frame]) > 1e-4 {
      Issue.record("frame \(frame): \(output[frame]) in place of \(expected[frame])")
      return
    }
    #expect(source.longestPull <= 512, "a pull is never longer than MaximumFramesPerSlice")
    #expect(source.pulls > 20)
  }

  @Test("the mixer publishes 7 parameters on each input, 5 on the output, none on global")
  func mixerTable() throws {
    let unit = MultichannelMixer()
    func count(_ scope: Scope, _ element: Int) -> Int {
      unit.allParameters.filter { $0.address.scope == scope && $0.address.element == element }.count
    }
    #expect((0..<8).map { count(.input, $0) } == Array(repeating: 7, count: 8))
    #expect(count(.output, 0) == 5 && count(.global, 0) == 0)
    #expect(unit.channelCapabilities == [ChannelCapability(inputChannels: -1, outputChannels: -2)])
  }

  @Test("the mixer gives no NaN for extreme volumes, pans, matrices and outputs", arguments: extremeFloats)
  func mixer(_ value: Float) throws {
    for other: Float in [0, 1, -1e30, 1e30, .greatestFiniteMagnitude] {
      let unit = MultichannelMixer(inputs: 1)
      // Silence first: an infinite gain times nothing would show.
      let signal: Signal = [[Float](repeating: 0, count: 1000) + noise(1, frames: 1000, amplitude: 0.5)[0]]
      let format = StreamFormat(sampleRate: 44_100, channelCount: 1)
      try unit.setStreamFormat(format, .input)
      try unit.setRenderCallback(Source(signal, format: format).callback, input: 0)
      try unit.setVolume(value, input: 0)
      try unit.setPan(other, input: 0)
      if other == -1e30 { try unit.setMatrixLevels([value, -value], input: 0) }
      try unit.setOutputVolume(other)
      try unit.initialize()
      let output = try renderedSignal(unit, total: 1500)
      #expect(!output.contains { $0.contains { $0.isNaN } }, "volume \(value), pan and output \(other)")
    }
  }
}
