import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The settings of the spatial mixer: properties, buses, switches, meters.
@Suite("Settings and meters of the spatial mixer") struct SpatialSettingsTests {
  private static let rate = 48_000.0

  private func answer(
    _ mixer: SpatialMixer, _ id: PropertyID, _ scope: Scope, _ element: Int = 0, _ value: PropertyValue
  ) -> AudioStatus {
    status { () throws(AudioStatus) in try mixer.setProperty(id, scope, element: element, to: value) }
  }

  // MARK: Properties

  @Test("every choice and bit that is listed is taken and read back, of its input alone; all else is refused")
  func choices() throws {
    let mixer = SpatialMixer(inputs: 3)
    let rows: [(id: PropertyID, scope: Scope, taken: ClosedRange<UInt32>, initial: UInt32)] = [
      (.spatializationAlgorithm, .input, 0...7, 0), (.spatialRenderingFlags, .input, 0...127, 5),
      (.spatialSourceMode, .input, 0...3, 0), (.spatialAttenuationCurve, .input, 0...3, 2),
      (.spatialOutputType, .global, 1...3, 1), (.reverbRoomType, .global, 0...12, 0),
    ]
    for row in rows {
      let element = row.scope == .input ? 1 : 0
      for value in row.taken {
        #expect(answer(mixer, row.id, row.scope, element, .uint32(value)) == .noError, "\(row.id) \(value)")
        #expect(try mixer.property(row.id, row.scope, element: element) == .uint32(value))
      }
      for value in [row.taken.upperBound + 1, row.taken.lowerBound &- 1, 1000] where !row.taken.contains(value) {
        #expect(answer(mixer, row.id, row.scope, element, .uint32(value)) == .invalidPropertyValue)
      }
      #expect(try mixer.property(row.id, row.scope, element: element) == .uint32(row.taken.upperBound))
      guard row.scope == .input else { continue }
      for other in [0, 2] { #expect(try mixer.property(row.id, .input, element: other) == .uint32(row.initial)) }
      for nowhere in [-1, 3] { #expect(answer(mixer, row.id, .input, nowhere, .uint32(1)) == .invalidElement) }
    }
    let distances = PropertyValue.float32s([0.5, 40, 0])
    #expect(answer(mixer, .spatialDistanceParams, .input, 2, distances) == .noError)
    #expect(try mixer.property(.spatialDistanceParams, .input, element: 2) == distances)
    #expect(try mixer.property(.spatialDistanceParams, .input, element: 1) == .float32s([1, 10_000, 80]))
    for infinite in [[1, .infinity, 10], [1, 5, .infinity]] as [[Float]] {
      #expect(answer(mixer, .spatialDistanceParams, .input, 2, .float32s(infinite)) == .invalidPropertyValue)
    }
  }

  @Test("a room is known by its number and its name; both, the reverb and the file are set while open only")
  func rooms() throws {
    let mixer = SpatialMixer(inputs: 1)
    #expect(answer(mixer, .reverbRoomName, .global, 0, .text("Cathedral")) == .noError)
    // As the list in docs/units.md counts them.
    #expect(try mixer.property(.reverbRoomType) == .uint32(8))
    #expect(answer(mixer, .reverbRoomType, .global, 0, .uint32(5)) == .noError)
    #expect(try mixer.property(.reverbRoomName) == .text("Plate"))
    #expect(answer(mixer, .reverbRoomName, .global, 0, .text("Cellar")) == .invalidPropertyValue)
    #expect(try mixer.property(.reverbRoomType) == .uint32(5))
    #expect(status { () throws(AudioStatus) in _ = try mixer.property(.headResponses) } == .propertyNotInUse)
    #expect(answer(mixer, .headResponses, .global, 0, .text("/a/head.sofa")) == .noError)
    #expect(try mixer.property(.headResponses) == .text("/a/head.sofa"))
    try mixer.initialize()
    for (id, value) in [
      (PropertyID.reverbRoomType, PropertyValue.uint32(1)), (.reverbRoomName, .text("Plate")),
      (.usesInternalReverb, .uint32(1)), (.headResponses, .text("/b.sofa")),
    ] {
      #expect(answer(mixer, id, .global, 0, value) == .initialized, "\(id)")
    }
    #expect(answer(mixer, .spatialAttenuationCurve, .input, 0, .uint32(0)) == .noError)
  }

  @Test("the older mixer has neither a source mode nor an output type, nor a head to turn")
  func legacy() throws {
    let mixer = SpatialMixer(.legacy, inputs: 1)
    #expect(answer(mixer, .spatialSourceMode, .input, 0, .uint32(1)) == .invalidProperty)
    #expect(answer(mixer, .spatialOutputType, .global, 0, .uint32(1)) == .invalidProperty)
    for id in [9, 19, 20, 21] as [UInt32] {
      #expect(status { () throws(AudioStatus) in _ = try mixer.parameter(ParameterAddress(id)) } != .noError)
    }
    #expect(answer(mixer, .spatializationAlgorithm, .input, 0, .uint32(1)) == .noError)
  }

  // MARK: Buses

  @Test("there are 1 to 1024 inputs of 1 to 8 channels, and outputs for loudspeakers that there are")
  func limits() throws {
    let mixer = SpatialMixer()
    #expect(mixer.elementCount(.input) == 64 && mixer.elementCount(.output) == 1)
    for (count, expected) in [
      (0, AudioStatus.invalidPropertyValue), (1025, .invalidPropertyValue), (1024, .noError), (1, .noError),
    ] {
      #expect(status { () throws(AudioStatus) in try mixer.setElementCount(count, .input) } == expected, "\(count)")
    }
    #expect(status { () throws(AudioStatus) in try mixer.setElementCount(1, .output) } == .propertyNotWritable)
    func take(_ channels: Int, _ scope: Scope) -> AudioStatus {
      status { () throws(AudioStatus) in
        try mixer.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: channels), scope)
      }
    }
    for channels in 1...8 { #expect(take(channels, .input) == .noError, "\(channels)") }
    for channels in [9, 16] { #expect(take(channels, .input) == .formatNotSupported, "\(channels)") }
    for channels in [1, 2, 4, 5, 6] { #expect(take(channels, .output) == .noError, "\(channels)") }
  }

  @Test("settings and meter switches follow the number of inputs; a new input begins as a fresh one does")
  func countOfInputs() throws {
    let mixer = SpatialMixer(inputs: 3)
    for bus in 0..<3 {
      try mixer.setProperty(.spatialRenderingFlags, .input, element: bus, to: .uint32(UInt32(bus)))
      try mixer.setMetering(true, .input, element: bus)
    }
    try mixer.setElementCount(2, .input)
    try mixer.setElementCount(3, .input)
    for (bus, flags, isMetered) in [(0, UInt32(0), UInt32(1)), (1, 1, 1), (2, 5, 0)] {
      #expect(try mixer.property(.spatialRenderingFlags, .input, element: bus) == .uint32(flags), "input \(bus)")
      #expect(try mixer.property(.meteringMode, .input, element: bus) == .uint32(isMetered), "input \(bus)")
    }
    for element in [-1, 3] {
      #expect(
        status { () throws(AudioStatus) in try mixer.setMetering(true, .input, element: element) } == .invalidElement)
    }
    #expect(status { () throws(AudioStatus) in try mixer.setMetering(true, .output, element: 1) } == .invalidElement)
  }

  @Test("an input that is switched off is silent and not pulled, and its meter falls as in silence")
  func enable() throws {
    let source = Source([[Float](repeating: 0.5, count: 40_000)], sampleRate: Self.rate)
    let mixer = try spatialMixer([[0]]) {
      try $0.setRenderCallback(source.callback, input: 0)
      try $0.setMetering(true, .input, element: 0)
    }
    _ = try renderedSignal(mixer, total: 9600)
    let pulls = source.pulls
    #expect(pulls > 0)
    try mixer.set(.enable, input: 0, to: 0)
    let silent = try renderedSignal(mixer, total: 9600, from: 9600)
    #expect(silent.allSatisfy { $0.allSatisfy { $0 == 0 } })
    #expect(source.pulls == pulls)
    // RMS² = c²·(1 − e^(−t/0.3 s)), then falling with the same time.
    let square = 0.25 * (1 - exp(-0.2 / 0.3)) * exp(-0.2 / 0.3)
    let average = Double(try mixer.parameter(ParameterAddress(1000, scope: .input)))
    #expect(abs(average - 10 * log10(square)) < 1e-3, "\(average) dB")
    try mixer.set(.enable, input: 0, to: 1)
    let again = try renderedSignal(mixer, total: 2000, from: 19_200)
    #expect(abs(Double(again[0][1999]) - 0.5 * 0.5.squareRoot()) < 1e-5)
    #expect(source.pulls > pulls)
  }

  // MARK: Meters

  private func level(_ mixer: SpatialMixer, _ id: UInt32, _ scope: Scope) throws -> Double {
    Double(try mixer.parameter(ParameterAddress(id, scope: scope)))
  }

  @Test("meters stand in front of an input's level and behind it, and on both sides of the output's gain")
  func meters() throws {
    let frames = 24_000
    let mixer = try spatialMixer([[Float](repeating: 0.5, count: frames), [Float](repeating: -0.25, count: frames)]) {
      try $0.set(.gain, input: 0, to: Float(20 * log10(0.5)))
      try $0.set(.distance, input: 0, to: 4)
      try $0.setParameter(ParameterAddress(3, scope: .output), to: Float(20 * log10(0.1)))
      for scope in [Scope.input, .output] { try $0.setProperty(.meteringMode, scope, to: .uint32(1)) }
    }
    for (scope, base) in [(Scope.input, UInt32(1000)), (.output, 4001)] {
      #expect(try level(mixer, base, scope) == -120)
    }
    _ = try renderedSignal(mixer, total: frames)
    let mean = (1 - exp(-0.5 / 0.3)).squareRoot()
    for (channel, height) in [(UInt32(0), 0.5), (1, 0.25)] {
      // 1/2 by its gain, 1/4 by its distance; then a tenth.
      for (scope, pre, post) in [(Scope.input, 1.0, 0.125), (.output, 0.125, 0.0125)] {
        for (id, expected) in [
          (1000 + channel, pre * mean), (2000 + channel, pre), (3000 + channel, post * mean), (4000 + channel, post),
        ] {
          #expect(abs(try level(mixer, id, scope) - 20 * log10(expected * height)) < 1e-3, "\(scope) \(id)")
        }
      }
    }
    for id in [999, 1002, 1999, 2002, 4002, 4999, 5000, 5001] as [UInt32] {
      for scope in [Scope.input, .output] {
        #expect(
          status { () throws(AudioStatus) in _ = try mixer.parameter(ParameterAddress(id, scope: scope)) }
            == .invalidParameter, "\(scope) \(id)")
      }
    }
    #expect(status { () throws(AudioStatus) in _ = try mixer.parameter(ParameterAddress(1000)) } == .invalidScope)
    mixer.reset()
    for id in [1000, 2000, 3000, 4001] as [UInt32] {
      #expect(try level(mixer, id, .input) == -120)
      #expect(try level(mixer, id, .output) == -120)
    }
  }

  @Test("behind a level on its way the peak is that of the last frame")
  func movingMeter() throws {
    let ones = [Float](repeating: 1, count: 4800)
    let mixer = try spatialMixer([ones, ones]) {
      try $0.setTimeline(.through((0, -20), (4800, 0)), for: $0.address(.gain, input: 0))
      try $0.setTimeline(.through((0, -30), (4800, 0)), for: ParameterAddress(3, scope: .output))
      try $0.setMetering(true, .input, element: 0)
      try $0.setMetering(true, .output, element: 0)
    }
    var end = 0
    for length in [700, 1, 999, 1000] {
      _ = try mixer.render(sampleTime: Int64(end), frames: length)
      end += length
      let own = -20 + 20 * Double(end - 1) / 4800
      let whole = own - 30 + 30 * Double(end - 1) / 4800
      // Within 32 frames amplitudes run in a straight line, not decibels.
      #expect(abs(try level(mixer, 2000, .input)) < 1e-4)
      #expect(abs(try level(mixer, 4000, .input) - own) < 5e-3)
      #expect(abs(try level(mixer, 2001, .output) - own) < 5e-3)
      #expect(abs(try level(mixer, 4001, .output) - whole) < 1e-2)
    }
  }

  @Test("a meter's peaks, infinities and not-a-numbers are those since it was last read, over all channels")
  func clipping() throws {
    var (left, right) = ([Float](repeating: 0.5, count: 4000), [Float](repeating: -0.25, count: 4000))
    (left[10], right[20]) = (.nan, -0.75)
    right[1500] = -.infinity
    let mixer = try spatialMixer([left, right]) {
      #expect(try $0.property(.meterClipping, .input) == .float32s([0, 0, 0, 0]))
      try $0.set(.distance, input: 0, to: 2)
      try $0.setParameter(ParameterAddress(3, scope: .output), to: Float(20 * log10(0.25)))
      for scope in [Scope.input, .output] { try $0.setMetering(true, scope, element: 0) }
    }
    func expect(_ scope: Scope, _ values: [Float]) throws {
      guard case .float32s(let read) = try mixer.property(.meterClipping, scope) else {
        Issue.record("no list of numbers")
        return
      }
      #expect(zip(read, values).allSatisfy { abs($0 - $1) < 1e-5 } && read.count == 4, "\(scope): \(read)")
    }
    _ = try renderedSignal(mixer, total: 1000)
    try expect(.input, [0.75, 0, 1, 0.375])
    try expect(.output, [0.375, 0, 1, 0.09375])
    for scope in [Scope.input, .output] { try expect(scope, [0, 0, 0, 0]) }
    _ = try renderedSignal(mixer, total: 1000, from: 1000)
    try expect(.input, [0.5, 1, 0, 0.25])
    try expect(.output, [0.25, 1, 0, 0.0625])
    _ = try renderedSignal(mixer, total: 1000, from: 2000)
    try expect(.input, [0.5, 0, 0, 0.25])
    for scope in [Scope.input, .output] { try mixer.setMetering(false, scope, element: 0) }
    try expect(.output, [0.25, 0, 0, 0.0625])
    _ = try renderedSignal(mixer, total: 1000, from: 3000)
    for scope in [Scope.input, .output] { try expect(scope, [0, 0, 0, 0]) }
  }

  // MARK: Heads and speeds

  @Test("a head that cannot be read is refused while it renders, and what was set before stays; one channel needs none")
  func missingHead() throws {
    let nowhere = "/nowhere/at/all.sofa"
    let mixer = try spatialMixer(impulse(frames: 8)) { $0.responsesPath = nowhere }
    for algorithm in [SpatializationAlgorithm.hrtf, .hrtfHighQuality, .useOutputType] {
      #expect(
        status { () throws(AudioStatus) in try mixer.setAlgorithm(algorithm, input: 0) } == .failedInitialization)
    }
    #expect(try mixer.property(.spatializationAlgorithm, .input) == .uint32(0))
    #expect(status { () throws(AudioStatus) in try mixer.setAlgorithm(.soundField, input: 1) } == .invalidElement)
    #expect(abs(Double(try renderedSignal(mixer, total: 8)[0][0]) - 0.5.squareRoot()) < 1e-6)
    let single = try spatialMixer(impulse(frames: 8), outputs: 1) {
      $0.responsesPath = nowhere
      try $0.setAlgorithm(.hrtfHighQuality, input: 0)
    }
    #expect(single.latencyFrames == 0)
    let bypassed = try spatialMixer(impulse(frames: 8)) {
      $0.responsesPath = nowhere
      try $0.setAlgorithm(.hrtf, input: 0)
      try $0.setProperty(.spatialSourceMode, .input, to: .uint32(1))
    }
    #expect(bypassed.latencyFrames == 0)
  }

  private func head(
    _ algorithm: SpatializationAlgorithm, _ type: SpatialOutputType = .headphones, flags: UInt32 = 5, outputs: Int = 2
  ) throws -> (output: Signal, latency: Int) {
    let mixer = try spatialMixer(impulse(frames: 1500), outputs: outputs) {
      try $0.setAlgorithm(algorithm, input: 0)
      try $0.setProperty(.spatialOutputType, to: .uint32(type.rawValue))
      try $0.setProperty(.spatialRenderingFlags, .input, to: .uint32(flags))
      try $0.set(.azimuth, input: 0, to: 70)
    }
    return (try renderedSignal(mixer, total: 1500), mixer.latencyFrames)
  }

  @Test("useOutputType: a measured head for headphones, pairs of loudspeakers for both kinds of these")
  func outputTypes() throws {
    for type in [SpatialOutputType.builtInSpeakers, .externalSpeakers] {
      let (speakers, pairs) = (try head(.useOutputType, type, outputs: 5), try head(.vectorBasedPanning, outputs: 5))
      #expect(speakers.output == pairs.output && speakers.latency == 0)
    }
    guard SpatialMixer.hasHeadResponses else { return }
    let (phones, whole) = (try head(.useOutputType), try head(.hrtfHighQuality))
    #expect(phones.output == whole.output && phones.latency == whole.latency && whole.latency > 0)
    #expect(try head(.hrtf).latency == whole.latency)
  }

  @Test("the short responses of a head end after 2.9 ms, and begin as the whole ones do")
  func shortResponses() throws {
    guard SpatialMixer.hasHeadResponses else { return }
    let (short, whole) = (try head(.hrtf), try head(.hrtfHighQuality))
    for ear in 0..<2 {
      // 139 taps, and what a fraction of a frame spreads them by.
      let end = whole.latency + 139 + 32 + 40
      #expect(short.output[ear][end...].allSatisfy { $0 == 0 })
      #expect(whole.output[ear][end...].contains { $0 != 0 })
      let same = 0..<whole.latency + 50
      #expect(same.allSatisfy { abs(short.output[ear][$0] - whole.output[ear][$0]) < 1e-6 })
      #expect(same.contains { abs(whole.output[ear][$0]) > 1e-3 })
    }
  }

  @Test("without interAuralDelay a measured head's ears hear at once: each moves by half the time between them")
  func earsAtOnce() throws {
    guard SpatialMixer.hasHeadResponses else { return }
    let (late, atOnce) = (try head(.hrtfHighQuality), try head(.hrtfHighQuality, flags: 4))
    func delays(_ hertz: Double) -> [Double] {
      (0..<2).map { ear in
        let (one, other) = (
          Complex.spectrum(late.output[ear], at: hertz, sampleRate: Self.rate),
          Complex.spectrum(atOnce.output[ear], at: hertz, sampleRate: Self.rate)
        )
        let ratio = one / other
        #expect(abs(ratio.magnitude - 1) < 2e-3, "ear \(ear), \(hertz) Hz: only a delay")
        return -atan2(ratio.im, ratio.re) / (2 * .pi * hertz)
      }
    }
    let expected = delays(300)
    // 70° to the right: 0.5 to 0.75 ms between the ears, half of it on each side.
    #expect(expected[0] > 0.25e-3 && expected[0] < 0.375e-3, "\(expected)")
    for hertz in [300.0, 600, 900, 1200] {
      let delays = delays(hertz)
      #expect(abs(delays[0] + delays[1]) < 1e-6)
      #expect(abs(delays[0] - expected[0]) < 1e-6)
    }
  }

  @Test("at a rate that stays, a sound of n frames lasts n / rate, and any frame is read at its place times the rate")
  func constantRate() throws {
    for (rate, frames, expected) in [
      (Float(0.5), Int64(1000), Int64(2000)), (2, 1001, 501), (1.25, 10_000, 8000), (1, 777, 777), (2, 0, 0),
    ] {
      let mixer = SpatialMixer(inputs: 2)
      try mixer.set(.playbackRate, input: 1, to: rate)
      #expect(mixer.outputEnd(ofInputEnd: frames, input: 1) == expected, "\(rate)")
      #expect(mixer.outputEnd(ofInputEnd: frames, input: 0) == frames)
    }
    let tone = [sine(hertz: 1000, sampleRate: Self.rate, frames: 40_000)]
    let mixer = try spatialMixer(tone) { try $0.set(.playbackRate, input: 0, to: 1.5) }
    let output = try renderedSignal(mixer, total: 4000, from: 12_000)
    // Frame 12 000 of the output is frame 18 000 of the input; the filter reads a little in front of it.
    var worst = 0.0
    for frame in 500..<4000 {
      let place = (12_000 + Double(frame)) * 1.5
      let expected = 0.5 * 0.5.squareRoot() * sin(2 * .pi * place / 48)
      worst = max(worst, abs(Double(output[0][frame]) - expected))
    }
    #expect(worst < 1e-5, "\(worst)")
  }
}
