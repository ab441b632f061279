import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// Noise against its laws.
@Suite struct NoiseGeneratorTests {
  private func noise(_ color: Float, seed: Float = 1, frames: Int, channels: Int = 1) throws -> Signal {
    let noise = NoiseGenerator()
    try noise.set(.color, to: color)
    try noise.set(.seed, to: seed)
    return try renderedSignal(noise.ready(channels: channels), total: frames)
  }

  private func rms(_ samples: some Collection<Float>) -> Double {
    20 * log10((samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(samples.count)).squareRoot())
  }

  @Test("white noise has its level, no memory, and a sound of its own on each channel and for each seed")
  func white() throws {
    let output = try noise(0, frames: 200_000, channels: 2)
    let again = try noise(0, frames: 200_000, channels: 2)
    let other = try noise(0, seed: 2, frames: 200_000)
    #expect(output == again && output[0] != output[1] && output[0] != other[0])
    #expect(abs(rms(output[0]) + 20) < 0.05)
    #expect(output[0].allSatisfy { abs($0) <= 0.173206 })
    func likeness(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
      zip(a, b).reduce(0) { $0 + Double($1.0 * $1.1) } / 0.01 / Double(a.count)
    }
    for lag in [1, 2, 5, 100] { #expect(abs(likeness(output[0][lag...], output[0][0...])) < 0.01) }
    #expect(abs(likeness(output[0][0...], output[1][0...])) < 0.01)
    #expect(abs(likeness(output[0][0...], other[0][0...])) < 0.01)
  }

  @Test("pink noise has the same level, and 3 dB less with each octave")
  func pink() throws {
    let samples = try noise(1, frames: 480_000)[0]
    #expect(abs(rms(samples[48_000...]) + 20) < 0.7)
    // Power in octaves, by the means of many transforms: the same in each.
    var powers: [Double] = []
    for octave in 0..<8 {
      let centre = 60 * exp2(Double(octave))
      var power = 0.0
      let length = 4800
      // Three frequencies of each octave.
      for part in 0..<3 {
        let hertz = centre * exp2(Double(part) / 3)
        for start in stride(from: 48_000, to: samples.count - length, by: length) {
          var (real, imaginary) = (0.0, 0.0)
          for frame in 0..<length {
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(length))
            let angle = 2 * .pi * hertz * Double(frame) / 48_000
            real += Double(samples[start + frame]) * window * cos(angle)
            imaginary += Double(samples[start + frame]) * window * sin(angle)
          }
          power += (real * real + imaginary * imaginary) * hertz
        }
      }
      powers.append(10 * log10(power))
    }
    let mean = powers.reduce(0, +) / Double(powers.count)
    #expect(powers.allSatisfy { abs($0 - mean) < 1.5 }, "\(powers.map { $0 - mean })")
  }

  @Test("pink noise is the white noise of its seed, 3 dB less with each octave, to 0.25 dB and up to the highest")
  func slope() throws {
    let (rate, length) = (44_100.0, 8820)
    func noise(_ color: Float) throws -> [Float] {
      let unit = NoiseGenerator()
      try unit.set(.color, to: color)
      return try renderedSignal(unit.ready(rate: rate), total: 22 * length)[0]
    }
    let (white, pink) = (try noise(0), try noise(1))
    // The gain from one to the other, by their common spectrum.
    let levels = [40.0, 160, 640, 2560, 5120, 10_240, 14_000, 19_800].map { hertz in
      let turns = (0..<length).map { frame in
        let angle = 2 * .pi * hertz * Double(frame) / rate
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(length))
        return (window * cos(angle), window * sin(angle))
      }
      func spectrum(_ samples: ArraySlice<Float>) -> (Double, Double) {
        zip(samples, turns).reduce((0, 0)) { ($0.0 + Double($1.0) * $1.1.0, $0.1 + Double($1.0) * $1.1.1) }
      }
      var (real, imaginary, power) = (0.0, 0.0, 0.0)
      for start in stride(from: 2 * length, to: white.count, by: length) {
        let (one, other) = (spectrum(white[start..<start + length]), spectrum(pink[start..<start + length]))
        real += one.0 * other.0 + one.1 * other.1
        imaginary += one.0 * other.1 - one.1 * other.0
        power += one.0 * one.0 + one.1 * one.1
      }
      return 10 * log10((real * real + imaginary * imaginary) / (power * power)) + 10 * log10(hertz)
    }
    let middle = ((levels.max() ?? 0) + (levels.min() ?? 0)) / 2
    #expect(levels.allSatisfy { abs($0 - middle) < 0.3 }, "\(levels.map { $0 - middle })")
  }

  @Test("white noise at a time is what it is at that time, however it was come to; at 0 dBFS it reaches √3 and no more")
  func whiteNoise() throws {
    func generator(level: Float = 0) throws -> NoiseGenerator {
      let unit = NoiseGenerator()
      try unit.set(.level, to: level)
      return try unit.ready(channels: 2)
    }
    let whole = try renderedSignal(try generator(), total: 20_000)
    #expect(try renderedSignal(try generator(), total: 3000, from: 7777) == whole.map { Array($0[7777..<10_777]) })
    for channel in whole {
      let most = channel.map(abs).max() ?? 0
      #expect(Double(most) <= 3.squareRoot() * (1 + 1e-7) && most > 1.73)
      #expect(channel.contains { $0 < -1.73 } && channel.contains { $0 > 1.73 })
    }
    let quiet = try renderedSignal(try generator(level: -40), total: 20_000)
    #expect(zip(quiet[0], whole[0]).allSatisfy { abs($0 - $1 / 100) < 1e-6 })
  }

  @Test("pink noise begins from rest where the time jumps, and goes on where it does not")
  func pinkNoise() throws {
    func generator() throws -> NoiseGenerator {
      let unit = NoiseGenerator()
      try unit.set(.color, to: 1)
      return try unit.ready()
    }
    let used = try generator()
    let first = try renderedSignal(used, total: 3000)
    let fresh = try renderedSignal(try generator(), total: 1000, from: 8000)
    #expect(try renderedSignal(used, total: 1000, from: 8000) == fresh)
    // From rest, and not from what 3000 frames have left: a slow part of it.
    let going = try renderedSignal(try generator(), total: 3000, in: .slices(of: 77))
    #expect(going == first)
    #expect(try renderedSignal(try generator(), total: 1000, from: 2000)[0] != Array(first[0][2000...]))
  }
}
