import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The matrix mixer at its edges: levels from and to silence, what its meters show, what it refuses.
@Suite("Levels and meters of the matrix mixer at their edges") struct MatrixMixerLevelsTests {
  /// Two inputs, stereo and mono, into two outputs, mono and stereo, as yet open.
  private func mixer(_ stereo: Signal, _ mono: Signal) throws -> MatrixMixer {
    let unit = MatrixMixer(inputs: 2, outputs: 2)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .output, element: 0)
    for (bus, signal) in [stereo, mono].enumerated() {
      let source = Source(signal)
      try unit.setStreamFormat(source.format, .input, element: bus)
      try unit.setRenderCallback(source.callback, input: bus)
    }
    return unit
  }

  private func constant(_ channels: Int, _ height: Float = 0.5, frames: Int = 4000) -> Signal {
    Array(repeating: [Float](repeating: height, count: frames), count: channels)
  }

  /// The channels of both outputs, one behind another.
  private func rendered(_ unit: MatrixMixer, at time: Int64 = 0, frames: Int = 1000) throws -> Signal {
    try (0..<2).flatMap { bus in
      let output = try unit.render(output: bus, sampleTime: time, frames: frames)
      return (0..<output.count).map { Array(output.planes[$0].prefix(frames).elements) }
    }
  }

  private static let way = [
    MatrixMixer.masterAddress, MatrixMixer.crosspointAddress(input: 1, output: 2),
    MatrixMixer.channelAddress(.input, 1), MatrixMixer.channelAddress(.output, 2),
  ]

  // MARK: Levels

  @Test("a level that comes out of silence and goes back is heard all the way", arguments: way)
  func fromSilence(_ address: ParameterAddress) throws {
    let unit = try mixer(constant(2, 1), constant(1, 1))
    for level in Self.way { try unit.setParameter(level, to: 1) }
    try unit.setTimeline(.through((96, 0), (416, 1), (736, 0)), for: address)
    try unit.initialize()
    let heard = try rendered(unit)
    for frame in 0..<1000 {
      let expected = max(0, 1 - abs(Double(frame) - 416) / 320)
      guard abs(Double(heard[2][frame]) - expected) < 1e-6 else {
        Issue.record("frame \(frame): \(heard[2][frame]) in place of \(expected)")
        return
      }
    }
    #expect(heard[0].allSatisfy { $0 == 0 } && heard[1].allSatisfy { $0 == 0 })
  }

  @Test("what is switched on at a frame is heard from that frame on", arguments: [Scope.input, .output])
  func switchedAtAFrame(_ scope: Scope) throws {
    let unit = try mixer(constant(2, 1), constant(1, 1))
    for level in Self.way { try unit.setParameter(level, to: 1) }
    let enable = MatrixMixer.Parameter.enable.rawValue
    // Input channel 1 is of bus 0, output channel 2 of bus 1.
    let address = ParameterAddress(enable, scope: scope, element: scope == .input ? 0 : 1)
    try unit.setTimeline(.through((0, 0), (192, 0), (192, 1)), for: address)
    try unit.initialize()
    let heard = try rendered(unit)[2]
    #expect(heard[..<192].allSatisfy { $0 == 0 })
    #expect(heard[192...].allSatisfy { $0 == 1 })
  }

  @Test("products of levels beyond the largest number stay numbers: silence remains silence, sound has its sign")
  func hugeLevels() throws {
    let unit = try mixer([[0, 1e-37, -1e-37, 0], [0, 0, 0, 0]], [[0, 0, 0, 0]])
    try unit.setVolume(1e30, inputChannel: 0)
    for (output, sign) in [Float(1), -1, 1].enumerated() {
      try unit.setCrosspoint(sign * 1e30, input: 0, output: output)
      try unit.setVolume(1, outputChannel: output)
    }
    try unit.setMasterVolume(1)
    try unit.initialize()
    // The product is the largest Float, 2^128·(1 − 2^−24): 1e-37 of it is 34.028.
    let heard = try rendered(unit, frames: 4)
    for (channel, sign) in [Float(1), -1, 1].enumerated() {
      for (frame, expected) in [Float(0), 34.028_235, -34.028_235, 0].enumerated() {
        #expect(abs(heard[channel][frame] - sign * expected) < 1e-4, "channel \(channel): \(heard[channel])")
      }
    }
    try unit.setMatrixLevels([Float](repeating: 0, count: 16))
    for output in 0..<3 {
      try unit.setVolume(-1e30, outputChannel: output)
      try unit.setCrosspoint(1, input: 1, output: output)
    }
    try unit.setVolume(1, inputChannel: 1)
    try unit.setMasterVolume(1e30)
    #expect(try rendered(unit, at: 4, frames: 4).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test("an input of another rate and encoding is converted in front of its levels")
  func converted() throws {
    let unit = MatrixMixer(inputs: 1, outputs: 1)
    let format = StreamFormat(sampleRate: 44_100, channelCount: 1, encoding: .int16, isInterleaved: true)
    let source = Source([sine(hertz: 1000, sampleRate: 44_100, frames: 20_000)], format: format)
    try unit.setStreamFormat(format, .input)
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output)
    try unit.setRenderCallback(source.callback, input: 0)
    // To both channels, at 1/2 and −1/4; then 1/2 for all.
    try unit.setMatrixLevels([0.5, -0.25, 1, 1, 1, 0.5])
    try unit.initialize()
    let heard = try renderedSignal(unit, total: 16_000)
    for (channel, gain) in [0.25, -0.125].enumerated() {
      var worst = 0.0
      for frame in 2000..<16_000 {
        let expected = gain * 0.5 * sin(2 * .pi * Double(frame) / 48)
        worst = max(worst, abs(Double(heard[channel][frame]) - expected))
      }
      // 16 bits: half a step of the input, and what the converter leaves.
      #expect(worst < 1e-4 * abs(gain), "channel \(channel): \(worst)")
    }
  }

  // MARK: Meters

  private func level(_ unit: MatrixMixer, _ id: UInt32, _ scope: Scope, _ element: Int) throws -> Double {
    Double(try unit.parameter(ParameterAddress(id, scope: scope, element: element)))
  }

  private func isOn(_ unit: MatrixMixer, _ scope: Scope, _ bus: Int = 0) throws -> Bool {
    try unit.property(.meteringMode, scope, element: bus) == .uint32(1)
  }

  @Test("meters are switched for each bus, and for all at once; only the channels of such a bus show anything")
  func switchedMeters() throws {
    let unit = try mixer(constant(2), constant(1))
    try unit.setMatrixLevels([Float](repeating: 1, count: 16))
    try unit.setMetering(true, .input, element: 1)
    #expect(try [isOn(unit, .input), isOn(unit, .input, 1), isOn(unit, .output)] == [false, true, false])
    try unit.initialize()
    try unit.setMetering(true, .output, element: 0)
    _ = try rendered(unit)
    // Input channels 0 and 1 are of bus 0, output channels 1 and 2 of bus 1.
    for channel in 0..<2 { #expect(try level(unit, 2000, .input, channel) == -120) }
    #expect(abs(try level(unit, 2000, .input, 2) - 20 * log10(0.5)) < 1e-4)
    #expect(abs(try level(unit, 4000, .output, 0) - 20 * log10(1.5)) < 1e-4)
    for channel in 1..<3 { #expect(try level(unit, 4000, .output, channel) == -120) }
    #expect(try !isOn(unit, .global))
    try unit.setMetering(true, .input, element: 0)
    try unit.setMetering(true, .output, element: 1)
    #expect(try isOn(unit, .global))
    for (scope, bus) in [(Scope.input, 1), (.output, 0)] {
      try unit.setMetering(false, scope, element: bus)
      #expect(try !isOn(unit, .global) && !isOn(unit, scope, bus) && isOn(unit, scope, 1 - bus))
      try unit.setMetering(true, scope, element: bus)
    }
    unit.reset()
    try unit.setMetering(false, .global, element: 0)
    _ = try rendered(unit, at: 1000)
    for channel in 0..<3 {
      for scope in [Scope.input, .output] { #expect(try level(unit, 2000, scope, channel) == -120) }
    }
    for (scope, element) in [(Scope.input, 2), (.output, 2), (.input, -1), (.global, 1)] {
      #expect(
        status { () throws(AudioStatus) in try unit.setMetering(true, scope, element: element) } == .invalidElement)
    }
  }

  @Test("a bus that was taken away and comes again is not metered")
  func meteringOfNewBuses() throws {
    let unit = MatrixMixer(inputs: 3, outputs: 3)
    try unit.setMetering(true, .global, element: 0)
    for scope in [Scope.input, .output] {
      try unit.setElementCount(2, scope)
      #expect(try isOn(unit, .global))
      try unit.setElementCount(3, scope)
      #expect(try isOn(unit, scope, 1) && !isOn(unit, scope, 2) && !isOn(unit, .global))
      try unit.setMetering(true, scope, element: 2)
    }
  }

  @Test("an output at level 0 shows what it is mixed of and gives silence; what is switched off shows silence")
  func silentMeters() throws {
    let unit = try mixer(constant(2), constant(1))
    try unit.setMatrixLevels([Float](repeating: 1, count: 16))
    try unit.setVolume(0, outputChannel: 1)
    try unit.setEnabled(false, .input, bus: 1)
    try unit.setMetering(true, .global, element: 0)
    try unit.initialize()
    let heard = try rendered(unit)
    #expect(heard[0].allSatisfy { $0 == 1 } && heard[1].allSatisfy { $0 == 0 } && heard[2].allSatisfy { $0 == 1 })
    #expect(abs(try level(unit, 2000, .output, 1)) < 1e-4)
    #expect(try level(unit, 4000, .output, 1) == -120)
    for id in [1000, 2000, 3000, 4000] as [UInt32] {
      #expect(try level(unit, id, .input, 2) == -120)
      #expect(try level(unit, id, .global, 2 << 16) == -120)
    }
    unit.reset()
    try unit.setEnabled(false, .output, bus: 1)
    _ = try rendered(unit, at: 1000)
    for channel in 1..<3 { #expect(try level(unit, 2000, .output, channel) == -120) }
    #expect(abs(try level(unit, 2000, .output, 0)) < 1e-4)
  }

  @Test("a crosspoint shows magnitudes, −120 dB and 0 at the least; the master has no meter")
  func crosspointMeters() throws {
    let unit = try mixer([[Float](repeating: 1e-5, count: 1000), [Float](repeating: -1, count: 1000)], constant(1))
    try unit.setMatrixLevels([Float](repeating: 1, count: 16))
    try unit.setVolume(-0.5, inputChannel: 1)
    for (output, gain) in [Float(-0.25), 0, 4].enumerated() {
      try unit.setCrosspoint(0.001, input: 0, output: output)
      try unit.setCrosspoint(gain, input: 1, output: output)
    }
    try unit.setMetering(true, .global, element: 0)
    for (id, floor) in [(UInt32(1000), -120.0), (4000, -120), (5000, 0), (8000, 0)] {
      #expect(try level(unit, id, .input, 1) == floor && level(unit, id, .output, 2) == floor)
    }
    try unit.initialize()
    _ = try rendered(unit)
    for (output, post) in [0.125, 0, 2].enumerated() {
      let element = 1 << 16 | output
      #expect(abs(try level(unit, 2000, .global, element) - 20 * log10(0.5)) < 1e-4)
      #expect(abs(try level(unit, 8000, .global, element) - post) < 1e-4)
      let decibels = post == 0 ? -120 : 20 * log10(post)
      #expect(abs(try level(unit, 4000, .global, element) - decibels) < 1e-4, "\(output)")
      // −100 dB, and 60 dB less.
      #expect(abs(try level(unit, 2000, .global, output) + 100) < 1e-3)
      #expect(try level(unit, 4000, .global, output) == -120 && level(unit, 8000, .global, output) == 0)
    }
    let nowhere = [(Scope.global, 0xFFFF_FFFF), (.global, 3), (.global, 3 << 16), (.input, 3), (.output, 3)]
    for (scope, element) in nowhere {
      #expect(status { () throws(AudioStatus) in _ = try unit.parameter(address(2000, scope, element)) } != .noError)
    }
  }

  private func address(_ id: UInt32, _ scope: Scope, _ element: Int) -> ParameterAddress {
    ParameterAddress(id, scope: scope, element: element)
  }

  // MARK: Refusals

  @Test("while it renders a matrix of its own size is taken at once, and any other is refused and changes nothing")
  func matrixWhileRendering() throws {
    let unit = try mixer(constant(2), constant(1, 0.25))
    try unit.initialize()
    func set(_ gains: [[Float]]) -> AudioStatus { status { () throws(AudioStatus) in try unit.setMatrix(gains) } }
    #expect(set([[1, 0, 0], [0, 1, 0], [0, 0, -2]]) == .noError)
    #expect(try rendered(unit).map { $0[999] } == [0.5, 0.5, -0.5])
    let levels = unit.matrixLevels
    for wrong in [
      [[1, 1, 1], [1, 1, 1]], [[1, 1], [1, 1], [1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1]], [],
      [[1, 1, 1], [1, 1, 1], [1, 1, .nan]], [[1, 1, 1], [1, .infinity, 1], [1, 1, 1]],
    ] as [[[Float]]] {
      #expect(set(wrong) == .invalidPropertyValue, "\(wrong)")
    }
    #expect(unit.matrixLevels == levels)
    for (input, output) in [(-1, 0), (3, 0), (0, -1), (0, 3)] {
      #expect(
        status { () throws(AudioStatus) in try unit.setCrosspoint(1, input: input, output: output) }
          == .invalidElement)
    }
    #expect(status { () throws(AudioStatus) in try unit.setVolume(1, inputChannel: 3) } == .invalidElement)
    #expect(status { () throws(AudioStatus) in try unit.setVolume(1, outputChannel: -1) } == .invalidElement)
    #expect(status { () throws(AudioStatus) in try unit.setMasterVolume(.infinity) } == .invalidParameterValue)
    #expect(status { () throws(AudioStatus) in try unit.setEnabled(true, .output, bus: 2) } == .invalidElement)
    #expect(status { () throws(AudioStatus) in try unit.setEnabled(true, .global, bus: 0) } == .invalidScope)
    #expect(unit.matrixLevels == levels)
  }

  @Test("65536 crosspoints are the most, counted by the channels that all buses then have")
  func mostCrosspoints() throws {
    #expect(MatrixMixer.mostCrosspoints == 65_536)
    // 2048 · 2 input channels, and as they would be with eight in one of the outputs: 16 · 4096.
    let unit = MatrixMixer(inputs: 2048, outputs: 8)
    func set(_ channels: Int, _ scope: Scope, _ element: Int) -> AudioStatus {
      status { () throws(AudioStatus) in
        try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: channels), scope, element: element)
      }
    }
    func count(_ buses: Int, _ scope: Scope) -> AudioStatus {
      status { () throws(AudioStatus) in try unit.setElementCount(buses, scope) }
    }
    #expect(set(3, .output, 7) == .formatNotSupported && set(3, .input, 5) == .formatNotSupported)
    #expect(count(9, .output) == .invalidPropertyValue && count(2049, .input) == .invalidPropertyValue)
    #expect(try unit.property(.matrixDimensions) == .uint32s([4096, 16]))
    // Two buses of one channel make room for one of two.
    #expect(set(1, .input, 0) == .noError && count(2049, .input) == .invalidPropertyValue)
    #expect(set(1, .input, 1) == .noError && count(2049, .input) == .noError)
    #expect(try unit.property(.matrixDimensions) == .uint32s([4096, 16]))
    #expect(count(1, .input) == .noError)
    #expect(try unit.property(.matrixDimensions) == .uint32s([1, 16]))
  }

  @Test("outputs of different rates are named with both rates; the reason is gone when they agree")
  func rates() throws {
    let unit = MatrixMixer(inputs: 1, outputs: 3)
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output, element: 2)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    let message = try #require(unit.renderFailure?.message)
    #expect(message.contains("44100") && message.contains("48000"))
    for bus in 0..<2 {
      try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output, element: bus)
    }
    try unit.initialize()
    #expect(unit.renderFailure == nil)
  }
}
