import AudioCore
import AudioEngine
import Measurement
import TestSupport
import Testing
import VerificationTesting

/// Each limit of an expectation on both sides of what a device of known answers does, and devices that are the same one.
@Suite("Expectations: limits on both sides, and devices that are one")
struct ExpectationLimitTests {
  private let folder: ExpectationFolder
  init() throws { folder = try ExpectationFolder() }

  private func gain(_ gain: Double, _ second: Double? = nil, delay: Int = 0) -> FunctionDevice {
    FunctionDevice("gain", inputChannelCount: second == nil ? 1 : 2) { input in
      var output = input
      for (channel, samples) in input.channels.enumerated() {
        let late = [Double](repeating: 0, count: delay) + samples.dropLast(delay)
        output.channels[channel] = late.map { $0 * (channel == 1 ? second ?? gain : gain) }
      }
      return output
    }
  }

  /// True where nothing was recorded.
  private func passes(_ body: () throws -> Void) rethrows -> Bool { try folder.recorded([:], body).issues.isEmpty }

  @Test("Readings: at least, at most, both, around, of one channel and of each")
  func readings() {
    // 20·log10(0.5) = −6.0206 dB, and 0 dB in the second channel.
    let half = gain(0.5, 1)
    let limits: [(least: Double?, most: Double?, channel: Int?, isKept: Bool)] = [
      (-6.03, nil, 0, true), (-6.01, nil, 0, false), (nil, -6.01, 0, true), (nil, -6.03, 0, false),
      (-6.03, -6.01, 0, true), (-7, -6.03, 0, false), (-6.01, -5, 0, false), (-0.01, 0.01, 1, true),
      (-6.03, 0.01, nil, true), (-6.01, 0.01, nil, false), (-6.03, -0.01, nil, false), (nil, nil, 0, false),
    ]
    for limit in limits {
      let isKept = passes {
        expect(
          half, reading: "gainMaximum", of: .linear, atLeast: limit.least, atMost: limit.most, channel: limit.channel)
      }
      #expect(isKept == limit.isKept, "\(limit)")
    }
    for (value, within, isKept) in [(-6.02, 0.01, true), (-6.04, 0.01, false), (-6.0, 0.01, false)] {
      #expect(
        passes { expect(half, reading: "gainMaximum", of: .linear, equals: value, within: within, channel: 0) }
          == isKept)
      #expect(!passes { expect(half, reading: "gainMaximum", of: .linear, equals: value, within: within) })
    }
    let square = FunctionDevice("square", inputChannelCount: 1) { input in
      var output = input
      output.channels[0] = input.channels[0].map { $0 * 0.5 }
      return output
    }
    #expect(passes { expect(square, reading: "peak", of: .levels, equals: -18.0206, within: 0.001) })
    for (frequency, isThere) in [(997.0, true), (998, false)] {
      let isKept = passes {
        expect(
          gain(0.5, -0.25), reading: "level", of: .crosstalk, equals: -12.0412, within: 0.001, channel: 1,
          at: ["input": 1, "frequency": frequency])
      }
      #expect(isKept == isThere)
    }
  }

  private func flat(_ lower: Double, _ upper: Double) -> Response {
    .inside([.init(20, lower: lower, upper: upper), .init(20_000, lower: lower, upper: upper)])
  }

  @Test("Responses: from and to, one channel, each curve, another device")
  func responses() {
    let device = gain(0.5, 1, delay: 3)
    #expect(passes { expect(device, response: flat(-6.03, -6.01), channel: 0) })
    #expect(!passes { expect(device, response: flat(-6.03, -6.01)) })
    #expect(!passes { expect(device, response: flat(-6.01, -5), channel: 0) })
    #expect(!passes { expect(device, response: flat(-7, -6.03), channel: 0) })
    #expect(passes { expect(device, response: flat(2.9, 3.1), of: .groupDelay) })
    #expect(!passes { expect(device, response: flat(3.1, 4), of: .groupDelay) })
    #expect(passes { expect(device, response: .within(0.01, of: gain(0.5, 1, delay: 3)), of: .phase) })
    #expect(!passes { expect(device, response: .within(0.01, of: gain(0.5, 1, delay: 4)), of: .phase) })
    // Half a step up at 1 kHz: seen where it is looked at.
    let step = Response.within(0.1, of: { $0 < 1000 ? -6.0206 : 0 })
    #expect(passes { expect(device, response: step, from: 20, to: 900, channel: 0) })
    #expect(!passes { expect(device, response: step, from: 20, to: 1100, channel: 0) })
    #expect(!passes { expect(device, response: step, from: 900, channel: 0) })
    #expect(passes { expect(device, response: step, from: 1100, channel: 1) })
  }

  @Test("A device is compared with itself if it is one object or one command; another argument is another command")
  func same() throws {
    func command(_ words: String...) throws -> CommandDevice {
      try CommandDevice(["sh", "-c", "cp \"$1\" \"$2\"; : $3", "x", "{in}", "{out}"] + words)
    }
    let found = try folder.recorded { expect(try command("1"), equals: try command("1"), given: .impulse(frames: 9)) }
    #expect(found.text.contains("compared with itself"))
    #expect(try passes { expect(try command("1"), equals: try command("2"), given: .impulse(frames: 9)) })
    #expect(try passes { expect(try command("1"), equals: try command(), given: .impulse(frames: 9)) })
    let (one, two) = (try LowPassFilter(cutoffHertz: 500), try LowPassFilter(cutoffHertz: 500))
    let other = try LowPassFilter(cutoffHertz: 600)
    #expect(
      folder.recorded { expect(one, equals: one, given: .impulse(frames: 9)) }.text.contains("compared with itself"))
    #expect(passes { expect(one, equals: two, given: .impulse(frames: 9)) })
    #expect(!passes { expect(one, equals: other, given: .impulse(frames: 9)) })
  }

  @Test("Stimuli: levels, lengths and frequencies are those that were asked for")
  func stimuli() {
    let seen = Locked<[AudioSignal]>([])
    let device = FunctionDevice("ears", inputChannelCount: 1) { input in
      seen.withLock { $0.append(input) }
      return input
    }
    func played(_ stimulus: StimulusDescription) -> AudioSignal {
      seen.withLock { $0 = [] }
      _ = folder.recorded { expect(device, check: "length", ["channels": 1], given: stimulus) }
      return seen.withLock { $0[0] }
    }
    func peak(_ signal: AudioSignal) -> Double { Decibels.of(amplitude: signal.channels[0].map(abs).max() ?? 0) }
    for (stimulus, frames, level) in [
      (StimulusDescription.noise(seconds: 0.1, levelDecibels: -20), 4800, -20.0),
      (.impulse(frames: 33, levelDecibels: -6), 33, -6), (.sweep(seconds: 0.2, levelDecibels: -9), 9600, -9),
      (.sine(1000, seconds: 0.1, levelDecibels: -30), 4800, -30), (.silence(seconds: 0.25), 12_000, -.infinity),
      (.noise(), 24_000, -12), (.impulse(frames: 5), 5, 0), (.sine(500), 24_000, -12), (.sweep(), 48_000, -12),
    ] {
      let signal = played(stimulus)
      #expect(signal.frameCount == frames)
      #expect(level == -.infinity ? peak(signal) == level : abs(peak(signal) - level) < 0.01, "\(stimulus)")
    }
    #expect(played(.noise(seed: 1)) != played(.noise(seed: 2)))
    let sine = played(.sine(1000, levelDecibels: -6)).channels[0]
    // A twelfth of its period of 48 frames on is half its peak.
    #expect(abs(sine[4] - 0.25 * Decibels.amplitude(-6) / 0.5) < 0.001)
  }
}
