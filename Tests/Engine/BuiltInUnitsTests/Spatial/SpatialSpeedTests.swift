import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// The speed at which the spatial mixer plays its inputs: a sine read at the place that the law gives is known in
/// closed form.
@Suite("The speed of the spatial mixer's inputs") struct SpatialSpeedTests {
  private static let rate = 48_000.0
  private static let hertz = 1000.0
  private static let speedOfSound = 343.0

  /// A mixer with one input that passes to both channels, whatever its place.
  private func mixer(
    frames: Int = 60_000, flags: SpatialRenderingFlags, from start: StreamFormat? = nil,
    _ layout: SpatialMixer.Layout = .spatial,
    _ prepare: (SpatialMixer) throws -> Void
  ) throws -> SpatialMixer {
    let mixer = SpatialMixer(layout, inputs: 1)
    let format = start ?? StreamFormat(sampleRate: Self.rate, channelCount: 1)
    try mixer.setStreamFormat(format, .input)
    try mixer.setStreamFormat(StreamFormat(sampleRate: Self.rate, channelCount: 2), .output)
    let signal = [sine(hertz: Self.hertz, sampleRate: format.sampleRate, frames: frames)]
    try mixer.setRenderCallback(Source(signal, format: format).callback, input: 0)
    try mixer.setAlgorithm(.stereoPassThrough, input: 0)
    try mixer.setProperty(.spatialRenderingFlags, .input, to: .uint32(flags.rawValue))
    try prepare(mixer)
    try mixer.initialize()
    return mixer
  }

  /// The power of what differs from the sine at the places of the law, against the sine's, in dB.
  private func residual(_ output: [Float], from first: Int, amplitude: Double, place: (Int) -> Double) -> Double {
    var (error, power) = (0.0, 0.0)
    for frame in first..<output.count {
      let expected = amplitude * sin(2 * .pi * Self.hertz * place(frame) / Self.rate)
      error += (Double(output[frame]) - expected) * (Double(output[frame]) - expected)
      power += expected * expected
    }
    return 10 * log10(max(error, 1e-30) / power)
  }

  /// The amplitude in each of the two channels for the input's 1/2.
  private static let amplitude = 0.5 * 0.5.squareRoot()

  @Test(
    "a rate that stays, in both mixers",
    arguments: [(Float(0.5), SpatialMixer.Layout.spatial), (0.9, .legacy), (1.25, .spatial), (2, .legacy)])
  func constant(speed: Float, layout: SpatialMixer.Layout) throws {
    let mixer = try mixer(flags: [], layout) { try $0.set(.playbackRate, input: 0, to: speed) }
    let output = try renderedSignal(mixer, total: 20_000)
    let decibels = residual(output[0], from: 1000, amplitude: Self.amplitude) { Double($0) * Double(speed) }
    #expect(decibels < -105, "\(decibels) dB")
    #expect(output[0] == output[1])
  }

  @Test("a rate on its way: the sum of the rates of all frames before, in slices as in one")
  func ramp() throws {
    func made() throws -> SpatialMixer {
      try mixer(flags: []) {
        try $0.setTimeline(.through((1000, 0.75), (9000, 1.75), (9000, 1)), for: $0.address(.playbackRate, input: 0))
      }
    }
    let output = try renderedSignal(made(), total: 16_000)
    var places: [Double] = []
    var place = 0.0
    for frame in 0..<16_000 {
      places.append(place)
      place += frame < 1000 ? 0.75 : frame < 9000 ? 0.75 + Double(frame - 1000) / 8000 : 1
    }
    let decibels = residual(output[0], from: 1000, amplitude: Self.amplitude) { places[$0] }
    #expect(decibels < -105, "\(decibels) dB")
    #expect(try renderedSignal(made(), total: 16_000, in: .slices(of: 37)) == output)
    // From the middle on: the places are those of the law, but for what the filter reads in front of the jump.
    var late: [Float] = []
    let jumped = try made()
    for time in stride(from: Int64(12_000), to: 14_000, by: 500) {
      let bus = try jumped.render(sampleTime: time, frames: 500)
      for frame in 0..<500 { late.append(bus.planes[0][frame]) }
    }
    let worst = (700..<2000).map { (frame: Int) -> Float in abs(late[frame] - output[0][12_000 + frame]) }.max() ?? 1
    #expect(worst < 2e-6)
  }

  @Test("a source that comes near and goes away: c / (c + v), by its own speed and that of the playback")
  func doppler() throws {
    let speeds = [-20.0, 60, 0, 400, -300]
    var (points, distance): ([(Int64, Float)], Double) = ([(0, 100)], 100)
    for (index, speed) in speeds.enumerated() {
      distance += speed * 4000 / Self.rate
      points.append((Int64(4000 * (index + 1)), Float(distance)))
    }
    let timeline = try #require(ParameterTimeline(points.map { ParameterTimeline.Point(frame: $0.0, value: $0.1) }))
    for playback in [1.0, 1.5] {
      let mixer = try mixer(flags: [.dopplerShift]) {
        try $0.setTimeline(timeline, for: $0.address(.distance, input: 0))
        try $0.set(.playbackRate, input: 0, to: Float(playback))
      }
      let output = try renderedSignal(mixer, total: 22_000)
      var places: [Double] = []
      var place = 0.0
      for frame in 0..<22_000 {
        places.append(place)
        var speed = 0.0
        if frame < 20_000 {
          let (from, to) = (points[frame / 4000].1, points[frame / 4000 + 1].1)
          speed = (Double(to) - Double(from)) * Self.rate / 4000
        }
        // 400 m/s away is more than half, 300 m/s nearer more than twice.
        place += playback * min(2, max(0.5, Self.speedOfSound / (Self.speedOfSound + speed)))
      }
      let decibels = residual(output[0], from: 1000, amplitude: Self.amplitude) { places[$0] }
      #expect(decibels < -100, "\(decibels) dB at \(playback)")
      // The length of a sound of so many frames: the last frame whose place it has.
      let end = mixer.outputEnd(ofInputEnd: 10_000)
      #expect(abs(places[Int(end)] - 10_000) <= 2 * playback && places[Int(end)] >= 10_000 - 1e-6)
    }
  }

  @Test("without the flag, at rate 1 and where the distance jumps, frames pass as they are")
  func still() throws {
    let plain = try renderedSignal(mixer(flags: []) { _ in }, total: 9000)
    let moving = try renderedSignal(
      mixer(flags: []) { try $0.setTimeline(.through((0, 1), (9000, 90)), for: $0.address(.distance, input: 0)) },
      total: 9000)
    #expect(plain == moving)
    let jumps: [HostEvent] = [
      HostEvent(frame: 1000) { try $0.setParameter(ParameterAddress(2, scope: .input), to: 700) },
      HostEvent(frame: 2000) { try $0.setParameter(ParameterAddress(2, scope: .input), to: 3) },
    ]
    #expect(try renderedSignal(mixer(flags: [.dopplerShift]) { _ in }, total: 9000, events: jumps) == plain)
  }

  @Test("set while it renders: the flag holds from the next slice on")
  func liveFlag() throws {
    let timeline = try #require(
      ParameterTimeline([.init(frame: 0, value: 100), .init(frame: 12_000, value: 90)]))
    let events: [HostEvent] = [
      HostEvent(frame: 3000) { try $0.setProperty(.spatialRenderingFlags, .input, to: .uint32(2)) },
      HostEvent(frame: 6000) { try $0.setProperty(.spatialRenderingFlags, .input, to: .uint32(0)) },
    ]
    let mixer = try mixer(flags: []) { try $0.setTimeline(timeline, for: $0.address(.distance, input: 0)) }
    let output = try renderedSignal(mixer, total: 12_000, events: events)
    // 10 m in a quarter of a second.
    let shift = Self.speedOfSound / (Self.speedOfSound - 40)
    let decibels = residual(output[0], from: 200, amplitude: Self.amplitude) { frame in
      Double(frame) + (shift - 1) * Double(min(3000, max(0, frame - 3000)))
    }
    #expect(decibels < -100, "\(decibels) dB")
  }

  @Test("with fewer inputs than before, settings are those of the inputs that are left")
  func fewerInputs() throws {
    let mixer = SpatialMixer(.spatial, inputs: 4)
    for bus in 0..<4 { try mixer.setRenderCallback(RenderCallback { _, _, _, _ in .noError }, input: bus) }
    try mixer.initialize()
    mixer.uninitialize()
    try mixer.setElementCount(2, .input)
    try mixer.setProperty(.spatialRenderingFlags, .input, element: 1, to: .uint32(2))
    try mixer.initialize()
    try mixer.setProperty(.spatialRenderingFlags, .input, element: 1, to: .uint32(0))
    #expect(try mixer.property(.spatialRenderingFlags, .input, element: 1) == .uint32(0))
  }

  @Test("set while it renders: the rate holds from the next slice on")
  func live() throws {
    let events: [HostEvent] = [
      HostEvent(frame: 3000) { try $0.setParameter(ParameterAddress(4, scope: .input), to: 1.5) },
      HostEvent(frame: 6000) { try $0.setParameter(ParameterAddress(4, scope: .input), to: 1) },
    ]
    let output = try renderedSignal(mixer(flags: []) { _ in }, total: 12_000, events: events)
    let decibels = residual(output[0], from: 200, amplitude: Self.amplitude) { frame in
      Double(frame) + 0.5 * Double(min(3000, max(0, frame - 3000)))
    }
    #expect(decibels < -100, "\(decibels) dB")
  }

  @Test("an input of another rate and encoding is converted first")
  func converted() throws {
    let format = StreamFormat(sampleRate: 44_100, channelCount: 1, encoding: .int16, isInterleaved: true)
    let mixer = try mixer(flags: [], from: format) { try $0.set(.playbackRate, input: 0, to: 1.25) }
    let output = try renderedSignal(mixer, total: 20_000)
    // 16 bits and the converter of standard quality.
    let decibels = residual(output[0], from: 2000, amplitude: Self.amplitude) { Double($0) * 1.25 }
    #expect(decibels < -80, "\(decibels) dB")
  }
}
