import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// The output channels of a spatial mixer's source, its path, and the effect of its flags and its room.
@Suite("Ways through the spatial mixer") struct SpatialMixerRoutingTests {
  private static let rate = 48_000.0
  private static let middle = Float(0.5.squareRoot())

  private func near(_ one: Signal, _ other: Signal, within limit: Float = 1e-5) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { one, other in
        one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < limit }
      }
  }

  private func scaled(_ signal: Signal, _ gain: Float) -> Signal { signal.map { $0.map { $0 * gain } } }

  private func mode(_ mode: SpatialSourceMode, _ mixer: SpatialMixer) throws {
    try mixer.setProperty(.spatialSourceMode, .input, to: .uint32(mode.rawValue))
  }

  private func flags(_ flags: SpatialRenderingFlags, _ mixer: SpatialMixer) throws {
    try mixer.setProperty(.spatialRenderingFlags, .input, to: .uint32(flags.rawValue))
  }

  // MARK: Channels

  @Test("what has no direction goes to the channels of its numbers, all to a single one, one alone to the middle")
  func straight() throws {
    let three = noise(3, frames: 500)
    #expect(near(try renderedSignal(spatialMixer(three), total: 500), Array(three.prefix(2))))
    let wide = try renderedSignal(spatialMixer(three, outputs: 5), total: 500)
    #expect(near(wide, three + [[Float](repeating: 0, count: 500), [Float](repeating: 0, count: 500)]))
    let mean = (0..<500).map { (frame: Int) -> Float in (three[0][frame] + three[1][frame] + three[2][frame]) / 3 }
    #expect(near(try renderedSignal(spatialMixer(three, outputs: 1), total: 500), [mean]))
    let mono = Array(three.prefix(1))
    let halves = scaled(mono + mono, Self.middle)
    let silence = Signal(repeating: [Float](repeating: 0, count: 500), count: 2)
    let passing = try spatialMixer(mono, outputs: 4) { try $0.setAlgorithm(.stereoPassThrough, input: 0) }
    #expect(near(try renderedSignal(passing, total: 500), halves + silence))
    // A distance holds for what passes through, and not for what bypasses.
    for (isBypassed, gain) in [(true, Float(1)), (false, 0.25)] {
      let mixer = try spatialMixer(mono) {
        try $0.setAlgorithm(.stereoPassThrough, input: 0)
        if isBypassed { try mode(.bypass, $0) }
        try $0.set(.distance, input: 0, to: 4)
        try $0.set(.azimuth, input: 0, to: 90)
      }
      #expect(near(try renderedSignal(mixer, total: 500), scaled(halves, gain)), "bypass \(isBypassed)")
    }
    let single = try spatialMixer(mono, outputs: 1) { try mode(.bypass, $0) }
    #expect(near(try renderedSignal(single, total: 500), mono))
  }

  @Test("a bed's channels stand where their loudspeakers do, turn with the azimuth, and are at no distance")
  func beds() throws {
    // Quad: −45°, 45°, −135°, 135°. A quarter to the right, each loudspeaker has what the one to its left had.
    let quad = noise(4, frames: 300)
    let turned = try spatialMixer(quad, outputs: 4) {
      try mode(.ambienceBed, $0)
      try $0.setAlgorithm(.vectorBasedPanning, input: 0)
      try $0.set(.azimuth, input: 0, to: 90)
      try $0.set(.distance, input: 0, to: 100)
    }
    #expect(near(try renderedSignal(turned, total: 300), [quad[2], quad[0], quad[3], quad[1]]))
    for count in [5, 6] {
      let signal = noise(count, frames: 300)
      let bed = try spatialMixer(signal, outputs: count) {
        try mode(.ambienceBed, $0)
        try $0.setAlgorithm(.vectorBasedPanning, input: 0)
      }
      #expect(near(try renderedSignal(bed, total: 300), signal), "\(count) channels")
    }
    // The fourth channel of 5.1, of low frequencies, has no place to turn around.
    let low = [[Float](repeating: 0, count: 300)]
    let sound = noise(1, frames: 300)
    let still = try spatialMixer(low + low + low + sound + low + low, outputs: 6) {
      try mode(.ambienceBed, $0)
      try $0.setAlgorithm(.vectorBasedPanning, input: 0)
      try $0.set(.azimuth, input: 0, to: 180)
    }
    #expect(near(try renderedSignal(still, total: 300), low + low + low + sound + low + low))
  }

  @Test("a source between two loudspeakers of 5.1 has the gains of the tangent law")
  func sixChannels() throws {
    // Pulkki 1997: tan of the angle from the middle of the pair over tan of half its opening is (g1 − g2)/(g1 + g2).
    let places: [(azimuth: Double, left: (Int, Double), right: (Int, Double))] = [
      (12, (2, 0), (1, 30)), (-21, (0, -30), (2, 0)), (80, (1, 30), (5, 110)), (-70, (4, -110), (0, -30)),
      (150, (5, 110), (4, 250)), (-170, (5, 110), (4, 250)),
    ]
    for place in places {
      let mixer = try spatialMixer(impulse(frames: 4), outputs: 6) {
        try $0.setAlgorithm(.vectorBasedPanning, input: 0)
        try $0.set(.azimuth, input: 0, to: Float(place.azimuth))
      }
      let gains = try renderedSignal(mixer, total: 4).map { Double($0[0]) }
      let azimuth = place.azimuth < place.left.1 ? place.azimuth + 360 : place.azimuth
      let (half, centre) = ((place.right.1 - place.left.1) / 2, (place.right.1 + place.left.1) / 2)
      let share = tan((azimuth - centre) * .pi / 180) / tan(half * .pi / 180)
      let (left, right) = (gains[place.left.0], gains[place.right.0])
      #expect(abs((right - left) / (right + left) - share) < 1e-5, "\(place.azimuth)°: \(gains)")
      #expect(abs(left * left + right * right - 1) < 1e-5)
      for channel in 0..<6 where channel != place.left.0 && channel != place.right.0 {
        #expect(abs(gains[channel]) < 1e-6)
      }
    }
  }

  // MARK: Flags

  @Test("the air takes 0.04 dB a metre at 5 kHz with its flag, on top of an occlusion, and nothing at 0 Hz")
  func air() throws {
    for (hasFilter, occlusion, expected) in [(true, 0.0, -8.0), (true, -3, -11), (false, -3, -3)] {
      let mixer = try spatialMixer(impulse(frames: 8000)) {
        try flags(hasFilter ? [.distanceFilter] : [], $0)
        try $0.set(.distance, input: 0, to: 200)
        try $0.set(.occlusionAttenuation, input: 0, to: Float(occlusion))
      }
      let output = try renderedSignal(mixer, total: 8000)[0]
      func level(_ hertz: Double) -> Double {
        20 * log10(Complex.spectrum(output, at: hertz, sampleRate: Self.rate).magnitude / 0.5.squareRoot())
      }
      #expect(abs(level(5000) - expected) < 0.01, "\(level(5000)) dB")
      // Without the flag for it, the level does not fall with distance.
      #expect(abs(level(0)) < 0.01)
    }
  }

  @Test("with its flag attenuation is linear, whatever curve is set", arguments: AttenuationCurve.allCases)
  func linearFlag(_ curve: AttenuationCurve) throws {
    for distance in [1.0, 3, 12, 20, 500] {
      let mixer = try spatialMixer(impulse(frames: 4)) {
        try flags([.distanceAttenuation, .linearAttenuation], $0)
        try $0.setProperty(.spatialAttenuationCurve, .input, to: .uint32(curve.rawValue))
        try $0.setProperty(.spatialDistanceParams, .input, to: .float32s([2, 20, 12]))
        try $0.set(.distance, input: 0, to: Float(distance))
      }
      let share = (min(20, max(2, distance)) - 2) / 18
      let expected = (1 - (1 - pow(10, -12.0 / 20)) * share) * 0.5.squareRoot()
      let level = Double(try renderedSignal(mixer, total: 4)[1][0])
      #expect(abs(level / expected - 1) < 1e-5, "\(curve) at \(distance) m")
    }
  }

  @Test("the older mixer takes −120 dB as its largest gain for silence")
  func silentLimit() throws {
    let mixer = try spatialMixer(noise(1, frames: 100), layout: .legacy) { try $0.set(.maxGain, input: 0, to: -120) }
    #expect(try renderedSignal(mixer, total: 100).allSatisfy { $0.allSatisfy { $0 == 0 } })
    let heard = try spatialMixer(impulse(frames: 4), layout: .legacy) { try $0.set(.maxGain, input: 0, to: -119) }
    let level = Double(try renderedSignal(heard, total: 4)[0][0])
    #expect(abs(level / (pow(10, -119.0 / 20) * 0.5.squareRoot()) - 1) < 1e-4)
  }

  @Test("the output has a gain in decibels of its own, at once and on its way")
  func outputGain() throws {
    let ones = [[Float](repeating: 1, count: 5000)]
    for gain in [-6.0, 0, 12, 20, -60] {
      let mixer = try spatialMixer(ones) {
        try $0.setParameter(ParameterAddress(3, scope: .output), to: Float(gain))
      }
      let level = Double(try renderedSignal(mixer, total: 10)[1][9])
      #expect(abs(level / (pow(10, gain / 20) * 0.5.squareRoot()) - 1) < 1e-5, "\(gain) dB")
    }
    let moving = try spatialMixer(ones) {
      try $0.setTimeline(.through((0, -40), (4800, 8)), for: ParameterAddress(3, scope: .output))
    }
    let output = try renderedSignal(moving, total: 5000, in: .slices(of: 333))
    for frame in stride(from: 0, to: 4800, by: 96) {
      let expected = pow(10, (-40 + Double(frame) / 100) / 20) * 0.5.squareRoot()
      #expect(abs(Double(output[0][frame]) / expected - 1) < 1e-4, "frame \(frame)")
    }
  }

  // MARK: The room

  /// The reverb of a preset, with what the spatial mixer sends it.
  private func room(_ preset: Int32, _ sent: [Float]) throws -> Signal {
    let reverb = Reverb()
    try reverb.select(preset: preset)
    return try renderedSignal(fed(reverb, [sent, sent], sampleRate: Self.rate), total: sent.count)
  }

  private func useRoom(_ mixer: SpatialMixer, _ sendFlags: SpatialRenderingFlags = []) throws {
    try mixer.setProperty(.usesInternalReverb, to: .uint32(1))
    try mixer.setProperty(.reverbRoomType, to: .uint32(5))
    try flags(sendFlags.union([.interAuralDelay, .distanceAttenuation, .reverbSend]), mixer)
  }

  @Test("dry and wet are cosine and sine of the blend, 30 percent at first; the room has a gain of its own")
  func blend() throws {
    let signal = noise(1, frames: 9000)
    let wet = try room(5, signal[0])
    try #require(wet[0].contains { abs($0) > 0.01 })
    let settings: [(Float?, Double, SpatialMixer.Layout)] = [(nil, 0, .spatial), (75, -9, .spatial), (50, 6, .legacy)]
    for (blend, gain, layout) in settings {
      let mixer = try spatialMixer(signal, layout: layout) {
        try useRoom($0)
        if let blend { try $0.set(.reverbBlend, input: 0, to: blend) }
        try $0.setParameter(ParameterAddress(layout == .spatial ? 9 : 24), to: Float(gain))
      }
      let angle = Double(blend ?? 30) / 100 * .pi / 2
      let (direct, sent) = (Float(cos(angle)) * Self.middle, Float(sin(angle) * pow(10, gain / 20)))
      let expected = wet.map { zip(signal[0], $0).map { direct * $0 + sent * $1 } }
      #expect(near(try renderedSignal(mixer, total: 9000), expected, within: 3e-5), "\(angle), \(gain) dB")
    }
  }

  @Test("with constantReverbBlend what goes to the room falls as the source does, between the limits of its level")
  func constantBlend() throws {
    let signal = noise(1, frames: 9000)
    let wet = try room(5, signal[0])
    for (least, level) in [(Float(0), Float(0.125)), (0.5, 0.5)] {
      let mixer = try spatialMixer(signal) {
        try useRoom($0, .constantReverbBlend)
        try $0.set(.reverbBlend, input: 0, to: 100)
        try $0.set(.distance, input: 0, to: 8)
        try $0.set(.minGain, input: 0, to: least)
      }
      #expect(near(try renderedSignal(mixer, total: 9000), scaled(wet, level), within: 2e-5))
    }
  }

  @Test("an occlusion muffles what goes to the room, an obstruction the direct sound alone")
  func muffledRoom() throws {
    let signal = noise(1, frames: 9000)
    // (1 − a)² = g²·(1 − 2a·cos ω + a²) at 5 kHz, by halving.
    let (square, cosine) = (pow(10, -12.0 / 10), cos(2 * .pi * 5000 / Self.rate))
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let pole = (low + high) / 2
      if (1 - pole) * (1 - pole) > square * (1 - 2 * pole * cosine + pole * pole) { low = pole } else { high = pole }
    }
    var last = 0.0
    let muffled = signal[0].map { sample -> Float in
      last = (1 - low) * Double(sample) + low * last
      return Float(last)
    }
    for (parameter, sent) in [
      (SpatialMixer.Parameter.occlusionAttenuation, muffled), (.obstructionAttenuation, signal[0]),
    ] {
      let mixer = try spatialMixer(signal) {
        try useRoom($0)
        try $0.set(.reverbBlend, input: 0, to: 100)
        try $0.set(parameter, input: 0, to: -12)
      }
      #expect(near(try renderedSignal(mixer, total: 9000), try room(5, sent), within: 2e-5), "\(parameter)")
    }
  }

  // MARK: In time

  @Test("what jumps is crossfaded over 10 ms, and what jumps meanwhile waits for the end of the fade")
  func crossfades() throws {
    let mixer = try spatialMixer([[Float](repeating: 1, count: 4000)]) { try $0.set(.azimuth, input: 0, to: -90) }
    let events: [HostEvent] = [
      HostEvent(frame: 1000) { try $0.setParameter(ParameterAddress(0, scope: .input), to: 90) },
      HostEvent(frame: 1100) { try $0.setParameter(ParameterAddress(0, scope: .input), to: 0) },
    ]
    let output = try renderedSignal(mixer, total: 4000, events: events)
    func expect(_ frame: Int, _ left: Float, _ right: Float) {
      #expect(abs(output[0][frame] - left) < 1e-5, "left at \(frame): \(output[0][frame])")
      #expect(abs(output[1][frame] - right) < 1e-5, "right at \(frame): \(output[1][frame])")
    }
    expect(999, 1, 0)
    expect(1120, 0.75, 0.25)
    expect(1240, 0.5, 0.5)
    expect(1420, 0.125, 0.875)
    expect(1480, 0, 1)
    expect(1720, Self.middle / 2, (1 + Self.middle) / 2)
    expect(1960, Self.middle, Self.middle)
    expect(3999, Self.middle, Self.middle)
  }

  @Test("a source without a direction is as late as those with two ears; with nothing but loudspeakers nothing is late")
  func commonLatency() throws {
    let mixer = SpatialMixer(inputs: 2)
    try mixer.setStreamFormat(StreamFormat(sampleRate: Self.rate, channelCount: 2), .output)
    for bus in 0..<2 {
      let source = Source(impulse(bus + 1, frames: 8), sampleRate: Self.rate)
      try mixer.setStreamFormat(source.format, .input, element: bus)
      try mixer.setRenderCallback(source.callback, input: bus)
    }
    try mixer.setAlgorithm(.sphericalHead, input: 0)
    try mixer.set(.enable, input: 0, to: 0)
    try mixer.initialize()
    let latency = mixer.latencyFrames
    // At least the way to the middle of the head.
    #expect(latency > 12)
    var expected = [Float](repeating: 0, count: 200)
    expected[latency] = 1
    #expect(try renderedSignal(mixer, total: 200) == [expected, expected])
    func latencyFrames(_ prepare: (SpatialMixer) throws -> Void) throws -> Int {
      try spatialMixer(impulse(frames: 8), outputs: 4, prepare).latencyFrames
    }
    #expect(try latencyFrames { try $0.setAlgorithm(.sphericalHead, input: 0) } == latency)
    #expect(try latencyFrames { try $0.setAlgorithm(.vectorBasedPanning, input: 0) } == 0)
    #expect(try latencyFrames { try $0.setAlgorithm(.soundField, input: 0) } == 0)
    let bypassed = try latencyFrames {
      try $0.setAlgorithm(.sphericalHead, input: 0)
      try mode(.bypass, $0)
    }
    #expect(bypassed == 0)
  }
}
