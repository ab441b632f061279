import AVFAudio
import AudioEngine
import BuiltInUnits
import Foundation
import TestSupport
import Testing

@Suite("The filter behind an environment's room, and sources inside of the head")
struct EnvironmentRoomTests {
  /// A cathedral that hears one source, of which nothing comes directly.
  private struct Room {
    let harness: EngineHarness
    let environment = AVAudioEnvironmentNode()
    let player = AVAudioPlayerNode()
    let equalizer = AVAudioUnitEQ(numberOfBands: 1)

    init() throws {
      harness = try EngineHarness(channels: 2)
      let engine = harness.engine
      for node in [environment, player, equalizer] { engine.attach(node) }
      let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
      engine.connect(player, to: environment, format: mono)
      engine.connect(environment, to: equalizer, format: harness.format)
      engine.connect(equalizer, to: engine.outputNode, format: harness.format)
      environment.reverbParameters.enable = true
      environment.reverbParameters.loadFactoryReverbPreset(.cathedral)
      player.reverbBlend = 1
      var draw = SeededGenerator(seed: 5)
      player.scheduleBuffer(
        try EngineHarness.buffer(mono, 3000) { _, _ in Float.random(in: -0.5...0.5, using: &draw) })
      try engine.start()
      player.play()
    }
  }

  private static let types: [AVAudioUnitEQFilterType] = (0...10).compactMap { AVAudioUnitEQFilterType(rawValue: $0) }

  private func set(_ band: AVAudioUnitEQFilterParameters, _ type: AVAudioUnitEQFilterType) {
    (band.filterType, band.frequency, band.bandwidth, band.gain, band.bypass) = (type, 900, 0.75, 9, false)
  }

  private func furthest(_ found: [Float], _ expected: [Float]) -> Float {
    zip(found, expected).map { abs($0 - $1) }.max() ?? 1
  }

  @Test("The room's sound is filtered as an equalizer of one band behind it does", arguments: types)
  func equalizer(_ type: AVAudioUnitEQFilterType) throws {
    let (filtered, behind) = (try Room(), try Room())
    set(filtered.environment.reverbParameters.filterParameters, type)
    set(behind.equalizer.bands[0], type)
    let found = try filtered.harness.render(9000, seed: 3)
    let expected = try behind.harness.render(9000)
    for channel in 0..<2 { #expect(furthest(found[channel], expected[channel]) < 1e-7) }
    let plain = try Room().harness.render(9000)
    #expect(furthest(found[0], plain[0]) > 1e-3, "it is heard")
  }

  @Test("The band is that of the Audio EQ Cookbook, from the slice on in which it is set, until it is bypassed")
  func cookbook() throws {
    let (room, plain) = (try Room(), try Room())
    let band = room.environment.reverbParameters.filterParameters
    var found = try room.harness.render(4096)
    set(band, .parametric)
    for (index, part) in try room.harness.render(8192, seed: 9).enumerated() { found[index] += part }
    band.bypass = true
    for (index, part) in try room.harness.render(1000).enumerated() { found[index] += part }
    let sound = try plain.harness.render(13_288)
    // Peaking: A = 10^(dB/40), α = sin ω · sinh(ln 2/2 · octaves · ω/sin ω).
    let omega = 2 * Double.pi * 900 / 44_100
    let alpha = sin(omega) * sinh(log(2) / 2 * 0.75 * omega / sin(omega))
    let a = pow(10, 9.0 / 40)
    let (b0, b1, b2) = (1 + alpha * a, -2 * cos(omega), 1 - alpha * a)
    let (a0, a1, a2) = (1 + alpha / a, -2 * cos(omega), 1 - alpha / a)
    for channel in 0..<2 {
      var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
      var expected = sound[channel]
      for frame in 4096..<12_288 {
        let x = Double(sound[channel][frame])
        let y = (b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0
        (x1, x2, y1, y2) = (x, x1, y, y1)
        expected[frame] = Float(y)
      }
      #expect(furthest(found[channel], expected) < 1e-6)
    }
  }

  @Test("Values of the band are those of the environment's rate, and what is beyond a range is its end")
  func ranges() throws {
    let room = try Room()
    let band = room.environment.reverbParameters.filterParameters
    #expect((band.filterType, band.bypass) == (.parametric, true))
    (band.frequency, band.bandwidth, band.gain) = (1e9, 99, -1000)
    #expect((band.frequency, band.bandwidth, band.gain) == (22_050, 5, -96))
    let unit = try #require(room.environment.unit as? SpatialMixer)
    let rings = try #require(unit.tailFrames)
    (band.filterType, band.frequency, band.bandwidth, band.bypass) = (.bandPass, 30, 0.05, false)
    #expect(try #require(unit.tailFrames) > rings, "the tail is the room's and the filter's")
  }

  @Test(
    "Inside of the head a point source comes apart into its channels where it is asked to, and else is the same in both ears",
    arguments: [0, 0.02, 0.0875, 0.5], [AVAudio3DMixingPointSourceInHeadMode.mono, .bypass])
  func insideOfTheHead(metres: Double, mode: AVAudio3DMixingPointSourceInHeadMode) throws {
    let harness = try EngineHarness(channels: 2)
    let (environment, player) = (AVAudioEnvironmentNode(), AVAudioPlayerNode())
    for node in [environment, player] { harness.engine.attach(node) }
    harness.engine.connect(player, to: environment, format: harness.format)
    harness.engine.connect(environment, to: harness.engine.outputNode, format: harness.format)
    (player.sourceMode, player.renderingAlgorithm, player.pointSourceInHeadMode) = (.pointSource, .auto, mode)
    player.position = AVAudioMake3DPoint(Float(metres), 0, 0)
    func sound(_ frame: Int, _ channel: Int) -> Float { Float((frame * 37 + channel * 911) % 200 - 100) / 128 }
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 3000, sound))
    try harness.engine.start()
    player.play()
    let out = try harness.render(3000, seed: 4)
    // From the right by equal power; in the head as much of it as is left of a radius of 8.75 cm.
    let inside = max(0, 1 - metres / 0.0875)
    let ears = metres == 0 ? [Double(0.5).squareRoot(), Double(0.5).squareRoot()] : [0, 1]
    for channel in 0..<2 {
      for frame in 0..<3000 {
        let mean = (Double(sound(frame, 0)) + Double(sound(frame, 1))) / 2
        let own = mode == .bypass ? Double(sound(frame, channel)) : mean * Double(0.5).squareRoot()
        let expected = (1 - inside) * mean * ears[channel] + inside * own
        #expect(abs(Double(out[channel][frame]) - expected) < 1e-6)
        if abs(Double(out[channel][frame]) - expected) >= 1e-6 { return }
      }
    }
    // With any other algorithm it stays one source.
    player.renderingAlgorithm = .equalPowerPanning
    player.scheduleBuffer(try EngineHarness.buffer(harness.format, 3000, sound))
    let panned = try harness.render(3000)
    let mean = (Double(sound(2999, 0)) + Double(sound(2999, 1))) / 2
    let left = (1 - inside) * mean * ears[0] + inside * mean * Double(0.5).squareRoot()
    #expect(abs(Double(panned[0][2999]) - left) < 1e-6)
  }

  @Test("The ninth source has its own algorithm from its first slice on")
  func ninth() throws {
    let harness = try EngineHarness(channels: 2)
    let environment = AVAudioEnvironmentNode()
    harness.engine.attach(environment)
    harness.engine.connect(environment, to: harness.engine.outputNode, format: harness.format)
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    let player = AVAudioPlayerNode()
    harness.engine.attach(player)
    harness.engine.connect(player, to: environment, fromBus: 0, toBus: 8, format: mono)
    player.renderingAlgorithm = .stereoPassThrough
    player.position = AVAudioMake3DPoint(1, 0, 0)
    player.scheduleBuffer(try EngineHarness.buffer(mono, 1000) { _, _ in 1 })
    try harness.engine.start()
    player.play()
    let out = try harness.render(900)
    #expect(abs(Double(out[0][899]) - 0.5.squareRoot()) < 1e-6, "in the middle, and not to the right")
  }
}
