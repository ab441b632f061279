import AudioCore
import Glibc
import Loudness
import Measurement
import SoundFile
import TestSupport
import Testing

/// Each measurement asks the device where nothing is given, and does what is given where something is.
@Suite("Settings that are given, and those that are left to the device")
struct GivenSettingsTests {
  private static let enough = BenchError(.render, "enough was seen")

  /// The first signal that a measurement plays.
  private func played(_ kind: MeasurementKind, _ settings: MeasurementSettings, channels: Int?) throws -> AudioSignal {
    let seen = Locked<[AudioSignal]>([])
    var device = FunctionDevice("ears", inputChannelCount: channels) { (input) throws(BenchError) in
      seen.withLock { $0.append(input) }
      throw Self.enough
    }
    device.preferredSampleRate = 24_000
    #expect(throws: BenchError.self) { try kind.findings(of: device, settings) }
    return try #require(seen.withLock { $0.first }, "\(kind.rawValue)")
  }

  @Test("A device is played what it prefers", arguments: MeasurementKind.general)
  func preferred(kind: MeasurementKind) throws {
    for count in [1, 3] {
      let signal = try played(kind, MeasurementSettings(), channels: count)
      #expect(signal.sampleRate == 24_000)
      #expect(signal.channelCount == count)
    }
  }

  @Test("What is given wins over what a device prefers", arguments: MeasurementKind.general)
  func given(kind: MeasurementKind) throws {
    let signal = try played(kind, MeasurementSettings(sampleRate: 32_000, channelCount: 2), channels: nil)
    #expect(signal.sampleRate == 32_000)
    #expect(signal.channelCount == 2)
  }

  @Test("A voice processor is measured at the rate that it prefers, 16 kHz, or the one that is given")
  func voice() throws {
    #expect(try played(.voice, MeasurementSettings(), channels: 2).sampleRate == 24_000)
    #expect(try played(.voice, MeasurementSettings(sampleRate: 8_000), channels: 2).sampleRate == 8_000)
  }

  @Test("The level that is given is the peak of what is played")
  func level() throws {
    let noise = try played(.levels, MeasurementSettings(levelDecibels: -20), channels: 1)
    #expect(abs((noise.channels[0].map(abs).max() ?? 0) - 0.1) < 1e-5)
    let usual = try played(.levels, MeasurementSettings(), channels: 1)
    #expect(abs((usual.channels[0].map(abs).max() ?? 0) - Decibels.amplitude(-12)) < 1e-5)
  }

  /// The gain falls with the level from −20 dBFS on, so that levels in a wrong order are seen.
  @Test("Levels, frequencies and tones may be given in any order")
  func order() throws {
    let device = FunctionDevice("shaper") { input in
      var output = input
      output.channels = input.channels.map { $0.map { $0 - 0.2 * $0 * $0 * $0 } }
      return output
    }
    func told(_ findings: Findings) -> [String] {
      findings.readings.map { "\($0.id) \($0.at.sorted { $0.key < $1.key }) \($0.channel ?? -1) \($0.value)" }.sorted()
        + findings.curves.map { "\($0.id) \($0.points.sorted { $0.x < $1.x }.map { "\($0.x) \($0.y)" })" }
    }
    var dynamics = DynamicsMeasurement()
    (dynamics.sampleRate, dynamics.settleSeconds, dynamics.leadSeconds) = (8_000, 0.1, 0.2)
    (dynamics.attackHoldSeconds, dynamics.releaseHoldSeconds) = (0.2, 0.3)
    dynamics.levels = stride(from: -50.0, through: 0, by: 5).map { $0 }
    let rising = try dynamics.measure(device)
    dynamics.levels = [-5, -50, 0, -10, -45, -15, -40, -20, -25, -30, -35]
    #expect(told(try dynamics.measure(device)) == told(rising))

    var distortion = DistortionMeasurement()
    (distortion.sampleRate, distortion.measuredFrames, distortion.parts) = (16_000, 1 << 14, [.levels, .frequencies])
    (distortion.sweepLevels, distortion.sweepFrequencies) = ([-20, -10, 0], [100, 500, 1500])
    let sorted = try distortion.measure(device)
    (distortion.sweepLevels, distortion.sweepFrequencies) = ([0, -20, -10], [1500, 100, 500])
    #expect(told(try distortion.measure(device)) == told(sorted))
    // x³/5 of a sine: the third harmonic is a twentieth of the cube of its amplitude, the tone 0.85 at full scale.
    let third = try #require(sorted.curve("harmonic3ByLevel")?.points.first { $0.x == 0 })
    #expect(abs(third.y - Decibels.of(amplitude: 0.05 / 0.85)) < 0.05)
  }

  @Test("Loudspeakers that are given win over those of a file or a signal, of a given layout over the file's own")
  func loudspeakers() throws {
    let tone = (0..<24_000).map { 0.1 * Double($0 % 48 < 24 ? 1 : -1) }
    var signal = AudioSignal(sampleRate: 48_000, channels: [tone, tone])
    func loudness(_ settings: LevelSettings, _ findings: (LevelSettings) throws -> Findings) throws -> Double {
      try #require(findings(settings).reading("loudnessIntegrated")).value
    }
    var second = LevelSettings()
    second.loudspeakers = [.ignored, .left]
    let stated = try ChannelLayout(name: "L,LFE")
    for layout in [nil, stated] {
      signal.layout = layout
      let alone = layout == nil ? 0 : -10 * log10(2.0)
      let path = TemporaryFolder.made() + "/sound.wav"
      try signal.write(to: path)
      let both = try loudness(LevelSettings()) { try LevelMeasurement.findings(of: self.bare(signal), settings: $0) }
      #expect(
        abs(try loudness(LevelSettings()) { try LevelMeasurement.findings(of: signal, settings: $0) } - both - alone)
          < 0.01)
      #expect(
        abs(try loudness(LevelSettings()) { try LevelMeasurement.findings(ofFile: path, settings: $0) } - both - alone)
          < 0.01)
      let one = both - 10 * log10(2)
      #expect(abs(try loudness(second) { try LevelMeasurement.findings(of: signal, settings: $0) } - one) < 0.01)
      #expect(abs(try loudness(second) { try LevelMeasurement.findings(ofFile: path, settings: $0) } - one) < 0.01)
      let centre = try ChannelLayout(name: "L,Ls")
      let louder = 10 * log10((1 + 1.41) / 2)
      #expect(
        abs(
          try loudness(LevelSettings()) {
            try LevelMeasurement.findings(of: SoundFileReader(path: path), settings: $0, layout: centre)
          } - both - louder) < 0.02)
      #expect(
        abs(
          try loudness(second) {
            try LevelMeasurement.findings(of: SoundFileReader(path: path), settings: $0, layout: centre)
          } - one) < 0.01)
    }
  }

  private func bare(_ signal: AudioSignal) -> AudioSignal {
    AudioSignal(sampleRate: signal.sampleRate, channels: signal.channels)
  }
}
