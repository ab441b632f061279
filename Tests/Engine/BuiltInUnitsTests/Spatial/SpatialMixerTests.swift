import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// The spatial mixer against the laws of its units' pages, computed here another way.
@Suite struct SpatialMixerTests {
  private static let rate = 48_000.0

  private func place(_ mixer: SpatialMixer, _ azimuth: Double, _ elevation: Double = 0) throws {
    try mixer.set(.azimuth, input: 0, to: Float(azimuth))
    try mixer.set(.elevation, input: 0, to: Float(elevation))
  }

  /// The response to an impulse in each output channel.
  private func response(
    _ algorithm: SpatializationAlgorithm, _ azimuth: Double, _ elevation: Double = 0, outputs: Int = 2,
    frames: Int = 1024
  ) throws -> Signal {
    let mixer = try spatialMixer(impulse(frames: frames), outputs: outputs) {
      try $0.setAlgorithm(algorithm, input: 0)
      try place($0, azimuth, elevation)
    }
    return try renderedSignal(mixer, total: frames)
  }

  private func spectrum(_ samples: [Float], at hertz: Double) -> Complex {
    Complex.spectrum(samples, at: hertz, sampleRate: Self.rate)
  }

  // MARK: Levels

  @Test("equal power: cosine and sine of half the lateral angle beyond 45°, whatever lies behind folded to the front")
  func equalPower() throws {
    for azimuth in stride(from: -180.0, through: 180, by: 15) {
      for elevation in [-60.0, 0, 45] {
        let output = try response(.equalPowerPanning, azimuth, elevation, frames: 8)
        let lateral = asin(sin(azimuth * .pi / 180) * cos(elevation * .pi / 180)) * 180 / .pi
        #expect(abs(Double(output[0][0]) - cos((lateral + 90) / 2 * .pi / 180)) < 1e-6)
        #expect(abs(Double(output[1][0]) - sin((lateral + 90) / 2 * .pi / 180)) < 1e-6)
      }
    }
  }

  @Test("distance: each curve's law between the reference and the maximum, and constant outside")
  func distance() throws {
    let (reference, maximum, attenuation) = (2.0, 50.0, 30.0)
    let least = pow(10, -attenuation / 20)
    // 1/(1 + k(d − reference)/reference) with the k that gives the whole attenuation at the maximum.
    let k = (1 / least - 1) * reference / (maximum - reference)
    let exponent = -log(least) / log(maximum / reference)
    let laws: [(AttenuationCurve, (Double) -> Double)] = [
      (.linear, { 1 - (1 - least) * ($0 - reference) / (maximum - reference) }),
      (.inverse, { reference / (reference + k * ($0 - reference)) }),
      (.exponential, { pow($0 / reference, -exponent) }),
      (.power, { pow(10, -attenuation / 20 * ($0 - reference) / (maximum - reference)) }),
    ]
    for (curve, law) in laws {
      for distance in [0, 1, 2, 2.5, 7, 20, 49, 50, 4000] {
        let mixer = try spatialMixer(impulse(frames: 8)) {
          try $0.setProperty(.spatialAttenuationCurve, .input, to: .uint32(curve.rawValue))
          try $0.setProperty(
            .spatialDistanceParams, .input, to: .float32s([Float(reference), Float(maximum), Float(attenuation)]))
          try $0.set(.distance, input: 0, to: Float(distance))
        }
        let output = try renderedSignal(mixer, total: 8)
        let expected = law(min(maximum, max(reference, distance))) * 0.5.squareRoot()
        #expect(abs(Double(output[0][0]) / expected - 1) < 1e-5, "\(curve) at \(distance) m")
      }
    }
  }

  @Test("a fresh input falls by the field's law: 1/d from 1 m on")
  func standardDistance() throws {
    for distance in [0.2, 1, 2, 10, 1000] {
      let mixer = try spatialMixer(impulse(frames: 8)) { try $0.set(.distance, input: 0, to: Float(distance)) }
      let level = Double(try renderedSignal(mixer, total: 8)[1][0]) / 0.5.squareRoot()
      #expect(abs(level * max(1, distance) - 1) < 1e-4)
    }
  }

  @Test("gain counts in decibels, and the level stays between both limits", arguments: [true, false])
  func limits(_ isSpatial: Bool) throws {
    for (gain, distance, least, most, expected) in [
      (-6.0, 1.0, 0.0, 10.0, 0.501187), (20, 1, 0, 2, 2), (-40, 100, 0.05, 10, 0.05), (0, 1, 3, 2, 2),
    ] {
      func limit(_ gain: Double) -> Float { Float(isSpatial ? gain : gain == 0 ? -120 : 20 * log10(gain)) }
      let mixer = try spatialMixer(impulse(frames: 8), layout: isSpatial ? .spatial : .legacy) {
        try $0.set(.gain, input: 0, to: Float(gain))
        try $0.set(.distance, input: 0, to: Float(distance))
        try $0.set(.minGain, input: 0, to: limit(least))
        try $0.set(.maxGain, input: 0, to: limit(most))
      }
      let level = Double(try renderedSignal(mixer, total: 8)[0][0]) / 0.5.squareRoot()
      #expect(abs(level / expected - 1) < 1e-4, "\(gain) dB, \(distance) m: \(level)")
    }
  }

  @Test("occlusion and obstruction take what they say at 5 kHz, and nothing at 0 Hz", arguments: [-3.0, -12, -40])
  func muffling(_ decibels: Double) throws {
    for parameter in [SpatialMixer.Parameter.occlusionAttenuation, .obstructionAttenuation] {
      let mixer = try spatialMixer(impulse(frames: 16_000)) { try $0.set(parameter, input: 0, to: Float(decibels)) }
      let output = try renderedSignal(mixer, total: 16_000, in: .reference)[0]
      let level = 20 * log10(spectrum(output, at: 5000).magnitude / 0.5.squareRoot())
      #expect(abs(level - decibels) < 0.01)
      #expect(abs(20 * log10(spectrum(output, at: 0).magnitude / 0.5.squareRoot())) < 0.01)
    }
  }

  // MARK: Heads

  /// exp(−jωT)·(1 + jα·w)/(1 + jw) with w = tan(ω/2)·(rate·a/c): Woodworth's way and Brown and Duda's shadow behind a
  /// bilinear transform, from their papers.
  private func sphere(_ angle: Double, at hertz: Double) -> Complex {
    let seconds = 0.0875 / 343
    let arrival = angle <= .pi / 2 ? -seconds * cos(angle) : seconds * (angle - .pi / 2)
    let alpha = 1.05 + 0.95 * cos(angle * 1.2)
    let w = tan(.pi * hertz / Self.rate) * Self.rate * seconds
    let shadow = Complex(re: 1, im: alpha * w) / Complex(re: 1, im: w)
    return Complex(re: cos(2 * .pi * hertz * arrival), im: -sin(2 * .pi * hertz * arrival)) * shadow
  }

  @Test("spherical head: both ears' ratio is the closed form's in level and time, all around and above")
  func sphericalHead() throws {
    for azimuth in stride(from: -180.0, through: 180, by: 30) {
      for elevation in [-45.0, 0, 70] {
        let output = try response(.sphericalHead, azimuth, elevation)
        let lateral = sin(azimuth * .pi / 180) * cos(elevation * .pi / 180)
        for hertz in [100.0, 700, 2000, 5000, 9000, 15_000] {
          let (left, right) = (sphere(acos(-lateral), at: hertz), sphere(acos(lateral), at: hertz))
          let ratio = spectrum(output[1], at: hertz) / spectrum(output[0], at: hertz)
          let wanted = right / left
          #expect((ratio / wanted - Complex(re: 1)).magnitude < 2e-3, "\(azimuth)°, \(elevation)°, \(hertz) Hz")
          #expect(abs(spectrum(output[0], at: hertz).magnitude / left.magnitude / 0.5.squareRoot() - 1) < 2e-3)
        }
      }
    }
  }

  @Test("the time between the ears is Woodworth's (a/c)(θ + sin θ), and none without the flag")
  func interAuralDelay() throws {
    for azimuth in [15.0, 40, 65, 90] {
      for hasDelay in [true, false] {
        let mixer = try spatialMixer(impulse(frames: 1024)) {
          try $0.setAlgorithm(.sphericalHead, input: 0)
          try place($0, azimuth)
          try $0.setProperty(.spatialRenderingFlags, .input, to: .uint32(hasDelay ? 5 : 4))
        }
        let output = try renderedSignal(mixer, total: 1024)
        let theta = azimuth * .pi / 180
        // The shadow's own phase is taken out: what is left is the way.
        func delay(_ hertz: Double) -> Double {
          let lateral = sin(theta)
          func shadow(_ angle: Double) -> Complex {
            let w = tan(.pi * hertz / Self.rate) * Self.rate * 0.0875 / 343
            return Complex(re: 1, im: (1.05 + 0.95 * cos(angle * 1.2)) * w) / Complex(re: 1, im: w)
          }
          let right = spectrum(output[1], at: hertz) / shadow(acos(lateral))
          let left = spectrum(output[0], at: hertz) / shadow(acos(-lateral))
          let ratio = right / left
          return atan2(ratio.im, ratio.re) / (2 * .pi * hertz)
        }
        let expected = hasDelay ? 0.0875 / 343 * (theta + sin(theta)) : 0
        for hertz in [200.0, 500, 700] { #expect(abs(delay(hertz) - expected) < 1e-7) }
      }
    }
  }

  @Test("a head that turns hears what a source on the other side would do")
  func headTurns() throws {
    let turned = try spatialMixer(impulse(frames: 512)) {
      try $0.setAlgorithm(.sphericalHead, input: 0)
      try place($0, 70, 0)
      try $0.setParameter(ParameterAddress(19), to: 40)
    }
    #expect(near(try renderedSignal(turned, total: 512), try response(.sphericalHead, 30, frames: 512)))
    // Face up: what was straight up is ahead. Right ear down: what was on the left is above.
    let raised = try spatialMixer(impulse(frames: 512)) {
      try $0.setAlgorithm(.sphericalHead, input: 0)
      try place($0, 20, 0)
      try $0.setParameter(ParameterAddress(20), to: 90)
      try $0.setParameter(ParameterAddress(21), to: 0)
    }
    let lateral = sin(20 * Double.pi / 180)
    #expect(
      near(
        try renderedSignal(raised, total: 512),
        try response(.sphericalHead, asin(lateral) * 180 / .pi, 0, frames: 512)))
    let tilted = try spatialMixer(impulse(frames: 512)) {
      try $0.setAlgorithm(.sphericalHead, input: 0)
      try place($0, -90, 0)
      try $0.setParameter(ParameterAddress(21), to: 90)
    }
    #expect(near(try renderedSignal(tilted, total: 512), try response(.sphericalHead, 0, 90, frames: 512)))
  }

  private func near(_ one: Signal, _ other: Signal) -> Bool {
    zip(one, other).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) < 1e-5 } }
  }

  // MARK: Loudspeakers

  @Test("vector-based panning: the loudspeakers' vectors, times their gains, point to the source, with power 1")
  func vectorBased() throws {
    let speakers: [Int: [Double]] = [4: [-45, 45, -135, 135], 5: [-30, 30, -110, 110, 0]]
    for (count, angles) in speakers {
      for azimuth in stride(from: -180.0, to: 180, by: 7.5) {
        let gains = try response(.vectorBasedPanning, azimuth, outputs: count, frames: 8).map { Double($0[0]) }
        #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        #expect(gains.filter { abs($0) > 1e-6 }.count <= 2)
        #expect(gains.allSatisfy { $0 >= 0 })
        let x = zip(gains, angles).reduce(0) { $0 + $1.0 * sin($1.1 * .pi / 180) }
        let y = zip(gains, angles).reduce(0) { $0 + $1.0 * cos($1.1 * .pi / 180) }
        let difference = (atan2(x, y) * 180 / .pi - azimuth).remainder(dividingBy: 360)
        #expect(abs(difference) < 1e-3, "\(count) loudspeakers, \(azimuth)°: \(gains)")
      }
      let above = try response(.vectorBasedPanning, 33, 90, outputs: count, frames: 8).map { Double($0[0]) }
      #expect(above.allSatisfy { abs($0 * $0 * Double(count) - 1) < 1e-5 })
    }
    #expect(try response(.vectorBasedPanning, 25) == response(.equalPowerPanning, 25))
  }

  @Test("sound field: power 1 in any direction, and most where the source is")
  func soundField() throws {
    for (count, angles) in [2: [-90.0, 90], 4: [-45, 45, -135, 135], 5: [-30, 30, -110, 110, 0]] {
      for azimuth in stride(from: -180.0, to: 180, by: 22.5) {
        for elevation in [-30.0, 0, 60] {
          let gains = try response(.soundField, azimuth, elevation, outputs: count, frames: 8).map { Double($0[0]) }
          #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
          let cardioids = angles.map { 1 + cos(($0 - azimuth) * .pi / 180) * cos(elevation * .pi / 180) }
          let scale = gains.reduce(0, +) / cardioids.reduce(0, +)
          #expect(zip(gains, cardioids).allSatisfy { abs($0 - scale * $1) < 1e-5 })
        }
      }
    }
  }

  @Test("algorithms for two ears leave the other channels silent; 5.1 has its low frequencies to itself")
  func otherChannels() throws {
    for algorithm in [SpatializationAlgorithm.equalPowerPanning, .sphericalHead] {
      let output = try response(algorithm, 30, outputs: 5)
      #expect(output[2...].allSatisfy { $0.allSatisfy { $0 == 0 } })
    }
    let gains = try response(.soundField, 10, outputs: 6, frames: 8)
    #expect(gains[3][0] == 0 && gains[2][0] > 0)
  }

  // MARK: Several channels

  @Test("stereo passes as it is, falls with distance, and turns into a source or a bed where it is said")
  func stereo() throws {
    let signal = noise(2, frames: 400)
    func render(_ mode: SpatialSourceMode, distance: Double = 0, azimuth: Double = 0) throws -> Signal {
      let mixer = try spatialMixer(signal) {
        try $0.setProperty(.spatialSourceMode, .input, to: .uint32(mode.rawValue))
        try $0.set(.distance, input: 0, to: Float(distance))
        try place($0, azimuth)
      }
      return try renderedSignal(mixer, total: 400)
    }
    #expect(try render(.spatializeIfMono, azimuth: 90) == signal)
    #expect(try render(.bypass, distance: 100) == signal)
    let far = try render(.spatializeIfMono, distance: 4)
    #expect(near(far, signal.map { $0.map { $0 / 4 } }))
    let point = try render(.pointSource, distance: 1, azimuth: 90)
    let middle = zip(signal[0], signal[1]).map { ($0 + $1) / 2 }
    #expect(near(point, [middle.map { _ in 0 }, middle]))
    let bed = try render(.ambienceBed, azimuth: 0)
    let (near1, far1) = (Float(cos(Double.pi / 6)), Float(sin(Double.pi / 6)))
    var wanted: Signal = [[], []]
    for (left, right) in zip(signal[0], signal[1]) {
      wanted[0].append(left * near1 + right * far1)
      wanted[1].append(left * far1 + right * near1)
    }
    #expect(near(bed, wanted))
  }

  @Test("inside the head a point source is in both ears alike, and from its surface on it has its direction")
  func inHead() throws {
    let signal = noise(2, frames: 300)
    let middle = zip(signal[0], signal[1]).map { ($0 + $1) / 2 }
    for (distance, share) in [(0.0, 1.0), (0.04375, 0.5), (0.0875, 0)] {
      let mixer = try spatialMixer(signal) {
        try $0.setProperty(.spatialSourceMode, .input, to: .uint32(2))
        try $0.set(.distance, input: 0, to: Float(distance))
        try place($0, 90)
      }
      let output = try renderedSignal(mixer, total: 300)
      let inside = Float(share * 0.5.squareRoot())
      let outside = Float(1 - share)
      #expect(near(output, [middle.map { $0 * inside }, middle.map { $0 * (inside + outside) }]), "\(distance) m")
    }
  }

  // MARK: In time

  /// The largest step of the second difference, over that of the steady sine.
  private func roughness(_ output: [Float], hertz: Double, amplitude: Double) -> Double {
    let steady = amplitude * pow(2 * sin(.pi * hertz / Self.rate), 2)
    var largest: Float = 0
    for frame in 2..<output.count {
      let bend = output[frame] - 2 * output[frame - 1] + output[frame - 2]
      largest = max(largest, abs(bend))
    }
    return Double(largest) / steady
  }

  @Test(
    "a source that jumps to the other side, walks past or changes its way of being heard does not click",
    arguments: [SpatializationAlgorithm.equalPowerPanning, .sphericalHead, .hrtf])
  func clicks(_ algorithm: SpatializationAlgorithm) throws {
    if algorithm == .hrtf && !SpatialMixer.hasHeadResponses { return }
    let hertz = 300.0
    let signal = [sine(hertz: hertz, sampleRate: Self.rate, frames: 24_000)]
    let jumping = try spatialMixer(signal) {
      try $0.setAlgorithm(algorithm, input: 0)
      try place($0, -80)
    }
    let events = [
      HostEvent(frame: 5000) { try $0.setParameter(ParameterAddress(0, scope: .input), to: 80) },
      HostEvent(frame: 5100) { try $0.setParameter(ParameterAddress(0, scope: .input), to: 10) },
      HostEvent(frame: 9000) { try $0.setParameter(ParameterAddress(3, scope: .input), to: -60) },
      HostEvent(frame: 12_000) { try $0.setParameter(ParameterAddress(3, scope: .input), to: 0) },
      HostEvent(frame: 15_000) { try $0.setProperty(.spatializationAlgorithm, .input, to: .uint32(0)) },
    ]
    let output = try renderedSignal(jumping, total: 24_000, in: .slices(of: 500), events: events)
    for channel in output {
      #expect(roughness(Array(channel[1000...]), hertz: hertz, amplitude: 0.5) < 3.5)
    }
    let walking = try spatialMixer(signal) {
      try $0.setAlgorithm(algorithm, input: 0)
      let azimuth = ParameterAddress(0, scope: .input)
      try $0.setTimeline(.through((2000, -120), (12_000, 120), (12_000, 100), (20_000, -180)), for: azimuth)
    }
    for channel in try renderedSignal(walking, total: 24_000) {
      #expect(roughness(Array(channel[1000...]), hertz: hertz, amplitude: 0.5) < 2.5)
    }
  }

  @Test("a source on its way is, at any moment, where it would be if it stood there")
  func walking() throws {
    // A steady level at every moment of a slow walk: an input of ones.
    let mixer = try spatialMixer([[Float](repeating: 1, count: 20_000)]) {
      try $0.setTimeline(.through((0, -90), (19_200, 90)), for: ParameterAddress(0, scope: .input))
    }
    let output = try renderedSignal(mixer, total: 19_200)
    for frame in stride(from: 0, to: 19_200, by: 320) {
      let angle = (Double(frame) / 19_200 * 180) / 2 * .pi / 180
      #expect(abs(Double(output[0][frame]) - cos(angle)) < 1e-5)
      #expect(abs(Double(output[1][frame]) - sin(angle)) < 1e-5)
    }
  }

  @Test("all algorithms put a source from the front at the latency that is declared")
  func latency() throws {
    for algorithm in [SpatializationAlgorithm.equalPowerPanning, .sphericalHead, .hrtfHighQuality] {
      if algorithm == .hrtfHighQuality && !SpatialMixer.hasHeadResponses { continue }
      let mixer = SpatialMixer(inputs: 2)
      try mixer.setStreamFormat(StreamFormat(sampleRate: Self.rate, channelCount: 2), .output)
      for bus in 0..<2 {
        let format = StreamFormat(sampleRate: Self.rate, channelCount: 1)
        try mixer.setStreamFormat(format, .input, element: bus)
        try mixer.setRenderCallback(Source(impulse(frames: 8), format: format).callback, input: bus)
      }
      try mixer.setAlgorithm(algorithm, input: 0)
      try mixer.set(.gain, input: 1, to: -120)
      try mixer.initialize()
      let latency = mixer.latencyFrames
      let output = try renderedSignal(mixer, total: 512)[0]
      let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) } ?? -1
      // A measured response rises for some frames: half a millisecond.
      #expect(peak >= latency && peak <= latency + (algorithm == .hrtfHighQuality ? 24 : 0), "\(algorithm): \(peak)")
    }
  }

  // MARK: The room

  @Test("an input at a blend of 100 percent is heard in the room of a preset as the reverb makes it")
  func room() throws {
    let signal = noise(1, frames: 20_000)
    let mixer = try spatialMixer(signal) {
      try $0.setProperty(.usesInternalReverb, to: .uint32(1))
      try $0.setProperty(.reverbRoomType, to: .uint32(4))
      try $0.setProperty(.spatialRenderingFlags, .input, to: .uint32(5 | 16))
      try $0.set(.reverbBlend, input: 0, to: 100)
      try $0.set(.distance, input: 0, to: 8)
    }
    let reverb = Reverb()
    try reverb.select(preset: 4)
    let expected = try renderedSignal(fed(reverb, [signal[0], signal[0]], sampleRate: Self.rate), total: 20_000)
    let output = try renderedSignal(mixer, total: 20_000)
    #expect(near(output, expected))
    #expect(output[0].contains { abs($0) > 0.01 })
  }

  @Test("without the room, or without the flag, the blend does nothing")
  func noRoom() throws {
    let signal = noise(1, frames: 2000)
    for hasRoom in [true, false] {
      let mixer = try spatialMixer(signal) {
        try $0.setProperty(.usesInternalReverb, to: .uint32(hasRoom ? 1 : 0))
        try $0.setProperty(.spatialRenderingFlags, .input, to: .uint32(hasRoom ? 5 : 21))
        try $0.set(.reverbBlend, input: 0, to: 100)
      }
      let plain = try spatialMixer(signal) { _ in }
      #expect(try renderedSignal(mixer, total: 2000) == renderedSignal(plain, total: 2000))
    }
  }

  // MARK: Numbers and formats

  @Test("the older mixer's parameters answer to both of their numbers")
  func formerNumbers() throws {
    let mixer = SpatialMixer(.legacy, inputs: 3)
    for (former, present) in [(5, 23), (7, 25), (8, 26), (9, 21), (10, 22)] as [(UInt32, UInt32)] {
      try mixer.setParameter(ParameterAddress(former, scope: .input, element: 2), to: -7)
      #expect(try mixer.parameter(ParameterAddress(present, scope: .input, element: 2)) == -7)
      #expect(try mixer.parameter(ParameterAddress(former, scope: .input, element: 2)) == -7)
    }
    try mixer.setParameter(ParameterAddress(6), to: 12)
    #expect(try mixer.parameter(ParameterAddress(24)) == 12)
    #expect(status { () throws(AudioStatus) in _ = try SpatialMixer().parameter(ParameterAddress(24)) } != .noError)
  }

  @Test("inputs come in any linear PCM: unsigned 16 bit, 8.24 fixed point, signed 16 bit interleaved")
  func formats() throws {
    let signal = noise(1, frames: 1000, amplitude: 0.25)
    for encoding in [SampleEncoding.int16, .fixed8_24, SampleEncoding(kind: .unsignedInteger, bits: 16)] {
      let mixer = SpatialMixer(inputs: 1)
      let format = StreamFormat(sampleRate: Self.rate, channelCount: 1, encoding: encoding)
      try mixer.setStreamFormat(format, .input)
      try mixer.setStreamFormat(StreamFormat(sampleRate: Self.rate, channelCount: 2), .output)
      try mixer.setRenderCallback(Source(signal, format: format).callback, input: 0)
      try place(mixer, 90)
      try mixer.initialize()
      let output = try renderedSignal(mixer, total: 1000)
      #expect(zip(output[1], signal[0]).allSatisfy { abs($0 - $1) < 4e-5 }, "\(encoding)")
    }
  }

  @Test("outputs without loudspeakers for them, and distances that are none, are refused")
  func refusals() throws {
    let mixer = SpatialMixer(inputs: 1)
    for count in [3, 7, 8] {
      let format = StreamFormat(sampleRate: 48_000, channelCount: count)
      #expect(status { () throws(AudioStatus) in try mixer.setStreamFormat(format, .output) } == .formatNotSupported)
    }
    for values in [[1, 1, 10], [0, 5, 10], [1, 5, -1], [1, 5], [.nan, 5, 1]] as [[Float]] {
      let answer = status { () throws(AudioStatus) in
        try mixer.setProperty(.spatialDistanceParams, .input, to: .float32s(values))
      }
      #expect(answer == .invalidPropertyValue, "\(values)")
    }
    #expect(
      status { () throws(AudioStatus) in try mixer.setProperty(.spatializationAlgorithm, .input, to: .uint32(8)) }
        == .invalidPropertyValue)
  }

  @Test("a file of responses that is none is refused with its name")
  func badResponses() throws {
    guard SpatialMixer.hasHeadResponses else { return }
    let folder = TemporaryFolder(plainName: "head")
    let path = folder.write("no responses", to: "none.sofa")
    let mixer = SpatialMixer(inputs: 1)
    mixer.responsesPath = path
    try mixer.setAlgorithm(.hrtf, input: 0)
    #expect(status { () throws(AudioStatus) in try mixer.initialize() } == .failedInitialization)
    #expect(mixer.renderFailure?.description.contains(path) == true)
  }
}
