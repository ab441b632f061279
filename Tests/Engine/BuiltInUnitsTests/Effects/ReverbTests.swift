import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The reverb's impulse response: its decay times, its energy, how dense it is.
@Suite struct ReverbTests {
  private static let rate = 44_100.0

  private func response(
    _ low: Float = 1, _ high: Float = 0.5, seconds: Double = 1.2, channels: Int = 1, input: Int = 0,
    _ change: (Reverb) throws -> Void = { _ in }
  ) throws -> Signal {
    let reverb = Reverb()
    try reverb.set(.decayTimeAt0Hz, to: low)
    try reverb.set(.decayTimeAtNyquist, to: high)
    try change(reverb)
    var signal = [[Float]](repeating: [0], count: channels)
    signal[input][0] = 1
    return try renderedSignal(fed(reverb, signal), total: Int(clamping: seconds * Self.rate))
  }

  /// Seconds to −60 dB, by a straight line through the energy that is left (Schroeder) between two levels, of what a
  /// comb that adds or takes away neighbours leaves: the lowest or the highest frequencies.
  private func decay(_ samples: [Float], isHigh: Bool) -> Double {
    // Five times the mean of 8, with turned signs for the highest frequencies.
    var filtered = samples.enumerated().map { Double($1) * (isHigh && $0 % 2 == 1 ? -1 : 1) }
    for _ in 0..<5 {
      var sum = 0.0
      filtered = filtered.indices.map { frame in
        sum += filtered[frame] - (frame >= 8 ? filtered[frame - 8] : 0)
        return sum / 8
      }
    }
    var left = [Double](repeating: 0, count: filtered.count + 1)
    for frame in filtered.indices.reversed() { left[frame] = left[frame + 1] + filtered[frame] * filtered[frame] }
    func frame(_ decibels: Double) -> Int { left.firstIndex { $0 < left[0] * pow(10, decibels / 10) } ?? left.count }
    return Double(frame(-35) - frame(-5)) * 2 / Self.rate
  }

  @Test("it decays by 60 dB in the times that are set, at 0 Hz and at half the rate")
  func decays() throws {
    for (low, high) in [
      (1.0 as Float, 0.5 as Float), (0.4, 0.4), (3, 0.3), (0.5, 1.5), (0.1, 0.1), (0.03, 0.03), (1, 0.1),
    ] {
      let samples = try response(low, high, seconds: max(0.3, Double(max(low, high)) * 1.5))[0]
      for (isHigh, wanted) in [(false, low), (true, high)] {
        let found = decay(samples, isHigh: isHigh)
        #expect(abs(found / Double(wanted) - 1) < 0.15, "\(low) and \(high) s: \(found) s")
      }
    }
  }

  @Test("its energy is about that of an impulse, whatever the decay, the size and the channels")
  func energy() throws {
    for (low, high) in [(0.2 as Float, 0.1 as Float), (1, 0.5), (8, 8)] {
      for channels in 1...2 {
        for sizes in [(0.001, 0.004), (0.008, 0.05), (0.02, 0.3)] as [(Float, Float)] {
          let output = try response(low, high, seconds: Double(low) * 1.2 + 0.5, channels: channels) {
            try $0.set(.minDelayTime, to: sizes.0)
            try $0.set(.maxDelayTime, to: sizes.1)
          }
          let energy = output.joined().reduce(0.0) { $0 + Double($1) * Double($1) }
          #expect(abs(10 * log10(energy)) < 2.5, "\(low) s, \(channels) channels, \(sizes): \(10 * log10(energy)) dB")
        }
      }
    }
  }

  @Test("after a tenth of a second it is as dense as noise: a third of its samples lie beyond their deviation")
  func density() throws {
    for channels in 1...2 {
      let samples = try response(2, 2, seconds: 0.3, channels: channels)[channels - 1]
      let window = samples[4410..<8820]
      let deviation = (window.reduce(0.0) { $0 + Double($1 * $1) } / Double(window.count)).squareRoot()
      let outside = Double(window.filter { abs(Double($0)) > deviation }.count) / Double(window.count)
      // With Gaussian noise 0.3173 are.
      #expect(outside / 0.3173 > 0.85, "\(outside / 0.3173)")
    }
  }

  @Test("left and right are rooms of their own: what they give of the same sound is hardly alike")
  func width() throws {
    let output = try response(1, 1, seconds: 1, channels: 2)
    func product(_ a: [Float], _ b: [Float]) -> Double { zip(a, b).reduce(0) { $0 + Double($1.0 * $1.1) } }
    let likeness =
      product(output[0], output[1]) / (product(output[0], output[0]) * product(output[1], output[1])).squareRoot()
    #expect(abs(likeness) < 0.15, "\(likeness)")
    #expect(product(output[1], output[1]) > 0.2)
  }

  @Test("the first echo comes no sooner than the shortest delay; another seed is another room, the same one the same")
  func seeds() throws {
    let first = try response()
    let again = try response { try $0.set(.randomizeReflections, to: 1) }
    let other = try response { try $0.set(.randomizeReflections, to: 2) }
    #expect(first == again && first != other)
    let start = try #require(first[0].firstIndex { $0 != 0 })
    #expect(Double(start) / Self.rate > 0.0078 && Double(start) / Self.rate < 0.0092, "\(start)")
  }

  @Test("mix and gain: dry it is the input, and the gain is of all")
  func mix() throws {
    let signal = noise(2, frames: 3000)
    let dry = Reverb()
    try dry.set(.dryWetMix, to: 0)
    #expect(try renderedSignal(fed(dry, signal), total: 3000) == signal)
    let loud = try response { try $0.set(.gain, to: 6) }
    let plain = try response()
    #expect(zip(loud[0], plain[0]).allSatisfy { abs($0 - $1 * Float(pow(10, 0.3))) < 1e-5 })
  }

  @Test("a preset sets the room and is told; three channels are refused; another size fades out and in without a click")
  func presets() throws {
    let reverb = Reverb()
    #expect(reverb.preset.number == -1 && reverb.factoryPresets.count == 13)
    try reverb.select(preset: 8)
    #expect(reverb.preset.name == "Cathedral")
    #expect(try reverb.parameter(ParameterAddress(4)) == 5.5)
    #expect(throws: AudioStatus.invalidPropertyValue) { try reverb.select(preset: 13) }
    #expect(throws: AudioStatus.formatNotSupported) { _ = try fed(Reverb(), noise(3, frames: 10)) }
    let tone = (0..<30_000).map { Float(0.5 * sin(Double($0) * 0.05)) }
    let unit = try fed(Reverb(), [tone])
    let output = try renderedSignal(
      unit, total: 30_000, events: [HostEvent(frame: 15_000) { try $0.setParameter(ParameterAddress(3), to: 0.09) }])[0]
    // A sine of 0.05 rad a frame moves by its twentieth at most; a room of it by no more than its level allows.
    let steps = zip(output, output.dropFirst()).map { abs($0 - $1) }
    let usual = steps[8000..<15_000].max() ?? 0
    #expect((steps[15_000...].max() ?? 1) < 1.5 * usual)
  }

  @Test("13 presets in the published order: larger rooms of a kind have later echoes and longer decays")
  func roomsOfPresets() throws {
    let names = Reverb.presets.map(\.name)
    #expect(names.count == 13 && names[0] == "Small Room" && names[8] == "Cathedral" && names[12] == "Large Hall 2")
    func values(_ name: String) throws -> [Float] {
      let reverb = Reverb()
      try reverb.select(preset: Int32(try #require(names.firstIndex(of: name))))
      return try [Reverb.Parameter.minDelayTime, .maxDelayTime, .decayTimeAt0Hz, .decayTimeAtNyquist].map {
        try reverb.parameter(ParameterAddress($0.rawValue))
      }
    }
    for (smaller, larger) in [
      ("Small Room", "Medium Room"), ("Medium Room", "Large Room"), ("Large Room", "Large Room 2"),
      ("Large Room 2", "Cathedral"), ("Plate", "Cathedral"), ("Plate", "Medium Chamber"),
      ("Medium Hall", "Large Hall"), ("Medium Hall", "Medium Hall 2"), ("Large Hall", "Large Hall 2"),
      ("Medium Hall 3", "Large Hall"), ("Medium Chamber", "Large Chamber"),
    ] {
      let (one, other) = (try values(smaller), try values(larger))
      #expect(one[0] < other[0] && one[1] < other[1], "\(smaller), \(larger)")
      if smaller != "Plate" { #expect(one[2] < other[2] && one[3] < other[3], "\(smaller), \(larger)") }
    }
    for name in names {
      let room = try values(name)
      // A sound's first echoes within 30 ms, all of them within a wall's distance; the highest decay first.
      #expect(room[0] <= 0.03 && room[0] < room[1] && room[1] <= 0.12 && room[3] < room[2] && room[2] < 6, "\(name)")
    }
  }

  @Test("a room is the same whichever of its two delays is the longer, and rings as long as the slower of its decays")
  func rooms() throws {
    let signal = noise(2, frames: 8000)
    func output(_ values: [UInt32: Float]) throws -> Signal {
      let reverb = Reverb()
      try reverb.setParameters(values)
      return try renderedSignal(fed(reverb, signal), total: 8000)
    }
    #expect(try output([2: 0.03, 3: 0.004]) == output([2: 0.004, 3: 0.03]))
    #expect(try output([2: 0.004, 3: 0.03]) != output([2: 0.004, 3: 0.031]))
    func tail(_ values: [UInt32: Float], isBypassed: Bool = false) throws -> Double {
      let reverb = try opened(Reverb(), rate: 10_000)
      try reverb.setParameters(values)
      reverb.setBypass(isBypassed)
      return Double(try #require(reverb.tailFrames)) / 10_000
    }
    for values in [[4: 3, 5: 1], [4: 1, 5: 3], [4: 3, 5: 3]] as [[UInt32: Float]] {
      // 120 dB are twice the 60 of a decay time; lines of 50 ms and the all-passes ring on.
      let seconds = try tail(values)
      #expect(seconds >= 6 + 0.05 && seconds < 7, "\(seconds)")
    }
    let long = try tail([2: 0.9, 3: 0.05]) - tail([2: 0.008, 3: 0.05])
    #expect(abs(long - 0.85) < 1e-3)
    #expect(try tail([:], isBypassed: true) == 0)
    let timed = try opened(Reverb(), rate: 10_000)
    try timed.setTimeline(.through((0, 0.1), (100, 4), (200, 0.1)), for: ParameterAddress(4))
    #expect(try #require(timed.tailFrames) > 80_000)
  }
}
