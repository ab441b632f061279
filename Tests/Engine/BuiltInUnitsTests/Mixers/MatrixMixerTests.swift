import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// The matrix mixer against its law: output o = (m·bₒ) · Σᵢ (aᵢ·cᵢₒ)·xᵢ, in the order of the input channels, in
/// Float32, with the products of levels in Double and each product with a sample rounded once.
@Suite struct MatrixMixerTests {
  private static let frames = 700

  /// Two inputs, stereo and mono, into two outputs, mono and stereo.
  private static func mixer(_ first: Signal, _ second: Signal) throws -> (unit: MatrixMixer, sources: [Source]) {
    let unit = MatrixMixer(inputs: 2, outputs: 2)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .output, element: 0)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 2), .output, element: 1)
    try unit.setMaximumFramesPerSlice(4096)
    let sources = [Source(first), Source(second)]
    for (bus, source) in sources.enumerated() {
      try unit.setStreamFormat(source.format, .input, element: bus)
      try unit.setRenderCallback(source.callback, input: bus)
    }
    return (unit, sources)
  }

  /// The channels of all outputs, one behind another.
  private func rendered(_ unit: Unit, outputs: Int, in partition: Partition = .reference) throws -> Signal {
    let counts = try (0..<outputs).map { try unit.streamFormat(.output, element: $0).channelCount }
    var signal = Signal(repeating: [], count: counts.reduce(0, +))
    var at = 0
    for length in partition.lengths(total: Self.frames) {
      var channel = 0
      for bus in 0..<outputs {
        let output = try unit.render(output: bus, sampleTime: Int64(at), frames: length)
        for index in 0..<counts[bus] {
          signal[channel] += output.planes[index].prefix(length).elements
          channel += 1
        }
      }
      at += length
    }
    return signal
  }

  @Test("each output channel is the sum of all input channels at their levels", arguments: Partition.all)
  func law(_ partition: Partition) throws {
    let (stereo, mono) = (noise(2, frames: Self.frames, seed: 1), noise(1, frames: Self.frames, seed: 2))
    let (unit, _) = try Self.mixer(stereo, mono)
    let inputs: [Float] = [0.7, -1.1, 0.31]
    let outputs: [Float] = [0.9, 1, -0.6]
    let crosspoints: [[Float]] = [[0.1, 0.2, 0.3], [1, 0, -0.45], [0.77, 1.9, 0]]
    for channel in 0..<3 {
      try unit.setVolume(inputs[channel], inputChannel: channel)
      try unit.setVolume(outputs[channel], outputChannel: channel)
      for output in 0..<3 { try unit.setCrosspoint(crosspoints[channel][output], input: channel, output: output) }
    }
    try unit.setMasterVolume(0.83)
    try unit.initialize()
    let heard = try rendered(unit, outputs: 2, in: partition)
    let signals = stereo + mono
    for output in 0..<3 {
      for frame in 0..<Self.frames {
        var sum: Float = 0
        for input in 0..<3 {
          sum += signals[input][frame] * Float(Double(inputs[input]) * Double(crosspoints[input][output]))
        }
        let expected = sum * Float(Double(Float(0.83)) * Double(outputs[output]))
        guard heard[output][frame] == expected else {
          Issue.record("channel \(output), frame \(frame): \(heard[output][frame]) in place of \(expected)")
          break
        }
      }
      #expect(heard[output].contains { $0 != 0 })
    }
  }

  @Test("nothing is heard until all four levels of a way are set")
  func levels() throws {
    let (unit, _) = try Self.mixer(noise(2, frames: Self.frames), noise(1, frames: Self.frames))
    #expect(unit.matrixLevels == [Float](repeating: 0, count: 16))
    try unit.initialize()
    let steps: [() throws -> Void] = [
      { try unit.setCrosspoint(1, input: 0, output: 2) }, { try unit.setVolume(1, inputChannel: 0) },
      { try unit.setVolume(1, outputChannel: 2) }, { try unit.setMasterVolume(1) },
    ]
    for (index, step) in steps.enumerated() {
      #expect(try rendered(unit, outputs: 2).allSatisfy { $0.allSatisfy { $0 == 0 } }, "\(index) levels set")
      try step()
      unit.reset()
    }
    let heard = try rendered(unit, outputs: 2)
    #expect(heard[2] == noise(2, frames: Self.frames)[0])
    #expect(heard[0].allSatisfy { $0 == 0 } && heard[1].allSatisfy { $0 == 0 })
  }

  @Test("levels are addressed by channels, switches by buses; all else is an invalid element")
  func addresses() throws {
    let (unit, _) = try Self.mixer(noise(2, frames: 10), noise(1, frames: 10))
    func set(_ id: UInt32, _ scope: Scope, _ element: Int) -> AudioStatus {
      status { () throws(AudioStatus) in
        try unit.setParameter(ParameterAddress(id, scope: scope, element: element), to: 1)
      }
    }
    for input in 0..<3 {
      for output in 0..<3 { #expect(set(0, .global, input << 16 | output) == .noError) }
      #expect(set(0, .input, input) == .noError && set(0, .output, input) == .noError)
    }
    #expect(set(0, .global, 0xFFFF_FFFF) == .noError)
    for element in [3, 3 << 16, 2 << 16 | 3, -1, 0xFFFF] { #expect(set(0, .global, element) == .invalidElement) }
    #expect(set(0, .input, 3) == .invalidElement && set(0, .output, 3) == .invalidElement)
    #expect(set(1, .input, 1) == .noError && set(1, .output, 1) == .noError)
    #expect(set(1, .input, 2) == .invalidElement && set(1, .global, 0) == .invalidScope)
    #expect(set(1000, .input, 0) == .invalidParameter && set(9, .input, 0) == .invalidParameter)
    #expect(try unit.property(.matrixDimensions) == .uint32s([3, 3]))
  }

  @Test("the whole of the levels has rows for input channels, then the outputs, and the master last")
  func wholeMatrix() throws {
    let (unit, _) = try Self.mixer(noise(2, frames: 10), noise(1, frames: 10))
    try unit.setCrosspoint(0.12, input: 1, output: 2)
    try unit.setVolume(0.2, inputChannel: 2)
    try unit.setVolume(0.3, outputChannel: 1)
    try unit.setMasterVolume(0.4)
    var expected = [Float](repeating: 0, count: 16)
    expected[1 * 4 + 2] = 0.12
    expected[2 * 4 + 3] = 0.2
    expected[3 * 4 + 1] = 0.3
    expected[15] = 0.4
    #expect(try unit.property(.matrixLevels) == .float32s(expected))
    let other = (0..<16).map { Float($0) / 16 }
    try unit.setProperty(.matrixLevels, to: .float32s(other))
    #expect(unit.matrixLevels == other)
    #expect(try unit.parameter(MatrixMixer.crosspointAddress(input: 2, output: 1)) == 9 / 16)
    #expect(try unit.parameter(MatrixMixer.masterAddress) == 15 / 16)
    for wrong in [Array(other.dropLast()), other + [1]] {
      #expect(status { () throws(AudioStatus) in try unit.setMatrixLevels(wrong) } == .invalidPropertyValue)
    }
    #expect(
      status { () throws(AudioStatus) in try unit.setMatrixLevels([.nan] + other.dropFirst()) }
        == .invalidParameterValue)
    #expect(unit.matrixLevels == other)
  }

  @Test("levels that still exist stay when the channels of a bus change")
  func persistence() throws {
    let unit = MatrixMixer(inputs: 2, outputs: 1)
    try unit.setCrosspoint(0.5, input: 2, output: 1)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .input, element: 0)
    #expect(unit.matrixLevels.count == 4 * 3)
    #expect(try unit.parameter(MatrixMixer.crosspointAddress(input: 2, output: 1)) == 0.5)
    #expect(status { () throws(AudioStatus) in try unit.setCrosspoint(1, input: 3, output: 0) } == .invalidElement)
  }

  @Test(
    "a ramp of any one level is a straight line, frame by frame", arguments: Partition.all,
    [
      MatrixMixer.masterAddress, MatrixMixer.crosspointAddress(input: 2, output: 0),
      MatrixMixer.channelAddress(.input, 2),
      MatrixMixer.channelAddress(.output, 0),
    ])
  func ramp(_ partition: Partition, _ address: ParameterAddress) throws {
    let ones: Signal = [[Float](repeating: 1, count: Self.frames)]
    let (unit, _) = try Self.mixer(ones + ones, ones)
    for level in [
      MatrixMixer.masterAddress, MatrixMixer.crosspointAddress(input: 2, output: 0),
      MatrixMixer.channelAddress(.input, 2), MatrixMixer.channelAddress(.output, 0),
    ] {
      try unit.setParameter(level, to: 1)
    }
    try unit.setTimeline(.through((100, 0.25), (500, 0.75)), for: address)
    try unit.initialize()
    let heard = try rendered(unit, outputs: 2, in: partition)
    for frame in 0..<Self.frames {
      let expected = 0.25 + 0.5 * min(1, max(0, Double(frame - 100) / 400))
      guard abs(Double(heard[0][frame]) - expected) < 1e-6 else {
        Issue.record("frame \(frame): \(heard[0][frame]) in place of \(expected)")
        return
      }
    }
  }

  @Test("scheduled events and smoothing move levels too")
  func scheduled() throws {
    let ones: Signal = [[Float](repeating: 1, count: Self.frames)]
    let (unit, _) = try Self.mixer(ones + ones, ones)
    try unit.setMatrixLevels([Float](repeating: 0, count: 15) + [1])
    for (address, value) in [
      (MatrixMixer.channelAddress(.input, 2), Float(1)), (MatrixMixer.channelAddress(.output, 0), 1),
    ] { try unit.setParameter(address, to: value) }
    try unit.initialize()
    let crosspoint = MatrixMixer.crosspointAddress(input: 2, output: 0)
    try unit.scheduleParameters([.ramp(crosspoint, startOffset: 10, durationFrames: 40, from: 0, to: 1)])
    let first = try unit.render(output: 0, sampleTime: 0, frames: 100)
    for frame in 0..<100 {
      let expected = min(1, max(0, Float(frame - 10) / 40))
      #expect(abs(first.planes[0][frame] - expected) < 1e-6, "frame \(frame)")
    }
  }

  @Test("an input that is off is not pulled, an output that is off is silent")
  func switches() throws {
    let (unit, sources) = try Self.mixer(noise(2, frames: Self.frames), noise(1, frames: Self.frames))
    try unit.setMatrixLevels([Float](repeating: 1, count: 16))
    try unit.setEnabled(false, .input, bus: 0)
    try unit.initialize()
    #expect(try rendered(unit, outputs: 2)[0] == noise(1, frames: Self.frames)[0])
    #expect(sources[0].pulls == 0 && sources[1].pulls == 1)
    try unit.setEnabled(false, .output, bus: 1)
    unit.reset()
    let heard = try rendered(unit, outputs: 2)
    #expect(heard[0] == noise(1, frames: Self.frames)[0])
    #expect(heard[1].allSatisfy { $0 == 0 } && heard[2].allSatisfy { $0 == 0 })
  }

  @Test("all outputs of a slice come from one render")
  func oneRender() throws {
    let (unit, sources) = try Self.mixer(noise(2, frames: Self.frames), noise(1, frames: Self.frames))
    try unit.initialize()
    _ = try rendered(unit, outputs: 2, in: .slices(of: 100))
    #expect(sources.map(\.pulls) == [7, 7])
  }

  @Test("an infinite sample at level 0 is not heard")
  func infinity() throws {
    let (unit, _) = try Self.mixer(
      [[Float](repeating: .infinity, count: Self.frames), [Float](repeating: .nan, count: Self.frames)],
      noise(1, frames: Self.frames))
    try unit.setMatrixLevels([Float](repeating: 1, count: 16))
    for output in 0..<3 {
      try unit.setCrosspoint(0, input: 0, output: output)
      try unit.setVolume(0, inputChannel: 1)
    }
    try unit.initialize()
    #expect(try rendered(unit, outputs: 2)[1] == noise(1, frames: Self.frames)[0])
  }

  @Test("an encoded output is the mix, rounded and clipped once")
  func encoded() throws {
    let samples: Signal = [[0.25, -0.5, 0.9, -0.9, 0.000_02]]
    let unit = MatrixMixer(inputs: 1, outputs: 2)
    let format = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .input)
    try unit.setStreamFormat(format, .output, element: 1)
    try unit.setRenderCallback(Source(samples).callback, input: 0)
    try unit.setMatrixLevels([0, 0, 1, 2, 1, 0, 0, 1, 1, 1])
    try unit.initialize()
    let output = try unit.render(output: 1, sampleTime: 0, frames: 5)
    let words = output.buffers[0].assumingMemoryBound(to: Int16.self)
    // × 32768, half to even, to the range of 16 bits.
    #expect((0..<5).map { words[2 * $0] } == [8192, -16384, 29491, -29491, 1])
    #expect((0..<5).map { words[2 * $0 + 1] } == [16384, -32768, 32767, -32768, 1])
  }

  // MARK: Life cycle

  @Test("a mixer of which nothing was configured cannot be initialized, as on macOS")
  func unconfigured() throws {
    let unit = MatrixMixer()
    #expect(unit.elementCount(.input) == 64 && unit.elementCount(.output) == 4)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .failedInitialization)
    #expect(unit.renderFailure?.message.contains("number of its buses") == true)
    try unit.setElementCount(1, .input)
    try unit.initialize()
    #expect(unit.isInitialized)
  }

  @Test("outputs of different rates, a matrix for other channels and too many crosspoints are refused")
  func refusals() throws {
    let unit = MatrixMixer(inputs: 1, outputs: 2)
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output, element: 1)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    let other = MatrixMixer(inputs: 1, outputs: 1)
    try other.setMatrix([[1, 0], [0, 1], [1, 1]])
    try other.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 2), .input)
    #expect(status { () throws(AudioStatus) in try other.initialize() } == .formatNotSupported)
    #expect(other.renderFailure?.message.contains("3 rows of 2 gains") == true)
    try other.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 3), .input)
    try other.initialize()
    #expect(other.matrixLevels == [1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1])
    let large = MatrixMixer()
    #expect(status { () throws(AudioStatus) in try large.setElementCount(4096, .input) } == .noError)
    #expect(status { () throws(AudioStatus) in try large.setElementCount(64, .output) } == .invalidPropertyValue)
    #expect(
      status { () throws(AudioStatus) in
        try large.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 8), .output)
      } == .formatNotSupported)
    // As many as there may be, 8 times 8192, and one more.
    let wide = MatrixMixer(inputs: 1, outputs: 4096)
    func widen(_ channels: Int) -> AudioStatus {
      status { () throws(AudioStatus) in
        try wide.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: channels), .input)
      }
    }
    #expect(widen(8) == .noError && widen(9) == .formatNotSupported)
    func matrix(_ inputs: Int, _ outputs: Int) -> AudioStatus {
      status { () throws(AudioStatus) in
        try MatrixMixer().setMatrix(Array(repeating: Array(repeating: 0, count: outputs), count: inputs))
      }
    }
    #expect(matrix(256, 256) == .noError && matrix(256, 257) == .invalidPropertyValue)
    #expect(matrix(1, 65_535) == .noError && matrix(65_536, 1) == .invalidPropertyValue)
  }

  // MARK: Meters

  /// A constant of height c: the peak is c, the mean square c²·(1 − e^(−t/0.3 s)).
  @Test("meters stand before and behind the level of a channel, in decibels and linear")
  func meters() throws {
    let rate = 44_100.0
    let half: [Float] = Array(repeating: 0.5, count: 30_000)
    let unit = MatrixMixer(inputs: 1, outputs: 1)
    let source = Source([half, half])
    try unit.setStreamFormat(source.format, .input)
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.setMaximumFramesPerSlice(4096)
    // Channel 1 at 0.8, its crosspoint to output channel 0 at 0.25, the output at 0.5, the master at 0.1.
    try unit.setMatrixLevels([0, 0, 0, 0.25, 0, 0.8, 0.5, 0, 0.1])
    try unit.setProperty(.meteringMode, .global, to: .uint32(1))
    try unit.initialize()
    for slice in 0..<10 { _ = try unit.render(sampleTime: Int64(slice * 3000), frames: 3000) }
    let mean = (1 - exp(-30_000 / (0.3 * rate))).squareRoot()
    func check(_ scope: Scope, _ element: Int, pre: Double, post: Double) throws {
      for (base, level, isAverage) in [(1000, pre, true), (2000, pre, false), (3000, post, true), (4000, post, false)] {
        let expected = level * (isAverage ? mean : 1)
        let decibels = try unit.parameter(ParameterAddress(UInt32(base), scope: scope, element: element))
        let linear = try unit.parameter(ParameterAddress(UInt32(base + 4000), scope: scope, element: element))
        if level == 0 {
          #expect(decibels == -120 && linear == 0)
        } else {
          #expect(abs(Double(decibels) - 20 * log10(expected)) < 1e-3, "\(scope):\(element) \(base)")
          #expect(abs(Double(linear) / expected - 1) < 1e-4, "\(scope):\(element) \(base)")
        }
      }
    }
    try check(.input, 0, pre: 0.5, post: 0)
    try check(.input, 1, pre: 0.5, post: 0.4)
    try check(.global, 1 << 16, pre: 0.4, post: 0.1)
    try check(.output, 0, pre: 0.1, post: 0.005)
    try check(.output, 1, pre: 0, post: 0)
    unit.reset()
    #expect(try unit.parameter(ParameterAddress(1000, scope: .input, element: 1)) == -120)
  }
}
