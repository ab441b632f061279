import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing

/// Tones and noise against their laws.
@Suite struct GeneratorTests {
  private func ready<Kind: GeneratorUnit>(
    _ unit: Kind, channels: Int = 1, rate: Double = 48_000
  ) throws -> Kind {
    try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: channels), .output)
    try unit.initialize()
    return unit
  }

  @Test("a sine of the frequency and level, alike on all channels, from phase 0 on or where the time begins")
  func tone() throws {
    let tone = ToneGenerator()
    try tone.set(.frequency, to: 997)
    try tone.set(.level, to: -6)
    let output = try renderedSignal(ready(tone, channels: 3), total: 9000)
    #expect(output[0] == output[1] && output[0] == output[2])
    let expected = (0..<9000).map { pow(10, -0.3) * sin(2 * .pi * 997 * Double($0) / 48_000) }
    #expect(zip(output[0], expected).allSatisfy { abs(Double($0) - $1) < 1e-6 })
    let later = try renderedSignal(ready(ToneGenerator()), total: 100, from: 12_345)[0]
    #expect(
      later.indices.allSatisfy {
        abs(Double(later[$0]) - pow(10, -0.6) * sin(2 * .pi * 1000 * Double(12_345 + $0) / 48_000)) < 1e-6
      })
  }

  @Test("a frequency that moves has no steps: the phase is the sum of what it was")
  func sweep() throws {
    let tone = ToneGenerator()
    try tone.setTimeline(.through((1000, 100), (9000, 9000)), for: ParameterAddress(0))
    let output = try renderedSignal(ready(tone), total: 12_000)[0]
    var phase = 0.0
    for frame in 0..<12_000 {
      #expect(abs(Double(output[frame]) - pow(10, -0.6) * sin(2 * .pi * phase)) < 1e-4, "frame \(frame)")
      phase += (100 + 8900 * min(1, max(0, Double(frame - 1000) / 8000))) / 48_000
    }
  }

  @Test("where a length is given, silence follows, and the graph knows when")
  func length() throws {
    let tone = ToneGenerator()
    #expect(tone.sourceFrames == nil)
    try tone.setLength(frames: 777)
    #expect(tone.sourceFrames == 777)
    let output = try renderedSignal(ready(tone), total: 2000)[0]
    #expect(output[777...].allSatisfy { $0 == 0 } && output[776] != 0)
    #expect(throws: AudioStatus.initialized) { try tone.setLength(frames: 1) }
    #expect(throws: AudioStatus.invalidPropertyValue) { try ToneGenerator().setLength(frames: -1) }
  }

  private func noise(_ color: Float, seed: Float = 1, frames: Int, channels: Int = 1) throws -> Signal {
    let noise = NoiseGenerator()
    try noise.set(.color, to: color)
    try noise.set(.seed, to: seed)
    return try renderedSignal(ready(noise, channels: channels), total: frames)
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
}
