import AudioCore
import DSPKernels
import Glibc
import TestSupport
import Testing

@Suite("Eight times the rate and back")
struct OversamplerTests {
  /// The output for a signal, in blocks of the given lengths, one after another and over again.
  private func through(
    _ signal: [Float], blocks: [Int] = [64], _ change: (Oversampler, Int) -> Void = { _, _ in }
  ) -> [Float] {
    let oversampler = Oversampler()
    var output = [Float](repeating: 0, count: signal.count)
    var (done, block) = (0, 0)
    while done < signal.count {
      let count = min(blocks[block % blocks.count], signal.count - done)
      signal.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          let (input, output) = (Plane(input), Plane(output))
          oversampler.up(input + done, frames: count)
          change(oversampler, count)
          oversampler.down(to: output + done, frames: count)
        }
      }
      done += count
      block += 1
    }
    return output
  }

  private func sine(_ share: Double, _ frames: Int, phase: Double = 0) -> [Float] {
    (0..<frames).map { Float(sin(2 * .pi * share * Double($0) + phase)) }
  }

  @Test("what lies below 0.4535 of the rate comes back the same, 84 frames later, to 100 dB")
  func transparency() {
    for share in [0.001, 0.02, 0.1, 0.25, 0.333, 0.42, 0.4535] {
      let signal = sine(share, 6000, phase: 0.3)
      let output = through(signal)
      let latency = Oversampler.latencyFrames
      #expect(latency == 84)
      let errors = (400..<5800).map { (frame: Int) -> Double in
        abs(Double(output[frame + latency]) - Double(signal[frame]))
      }
      let worst = errors.max() ?? 1
      #expect(20 * log10(worst) < -100, "\(share): \(20 * log10(worst)) dB")
    }
  }

  @Test("an impulse response is symmetrical about the latency: the phase is linear")
  func linearPhase() {
    var signal = [Float](repeating: 0, count: 400)
    signal[0] = 1
    let output = through(signal)
    for distance in 1...84 {
      // Float's rounding, in another order on either side.
      #expect(abs(output[84 + distance] - output[84 - distance]) < 3e-7, "\(distance)")
    }
    #expect(abs(output.reduce(0, +) - 1) < 1e-5)
  }

  @Test("the planes are the signal at eighths of a frame: a sine of 1/5 of the rate, to 100 dB")
  func planes() {
    let share = 0.2
    let signal = sine(share, 1024)
    var at = 0
    var worst = 0.0
    _ = through(signal) { oversampler, count in
      for phase in 0..<8 {
        for frame in 0..<count where at + frame > 300 {
          // Up the three filters: (4 · 75 + 2 · 15 + 9) eighths.
          let time = Double(at + frame) + Double(phase) / 8 - 339.0 / 8
          let expected = sin(2 * .pi * share * time)
          worst = max(worst, abs(Double(oversampler.plane(phase)[frame]) - expected))
        }
      }
      at += count
    }
    #expect(20 * log10(worst) < -100, "\(20 * log10(worst)) dB")
  }

  @Test("where blocks begin makes no bit of a difference, and a reset makes it new")
  func blocks() {
    var random = SeededGenerator(seed: 5)
    let signal = random.noise(frames: 3000)
    let square: (Oversampler, Int) -> Void = { oversampler, count in
      for phase in 0..<8 {
        for frame in 0..<count { oversampler.plane(phase)[frame] *= oversampler.plane(phase)[frame] }
      }
    }
    let expected = through(signal, square)
    for blocks in [[1], [7, 64, 13], [16], [33, 1, 1, 48]] {
      #expect(through(signal, blocks: blocks, square) == expected, "\(blocks)")
    }
    #expect(expected.contains { abs($0) > 0.1 })
  }

  @Test("a tone's tenth harmonic, above half the rate, does not come back: 100 dB below it")
  func images() {
    // cos(10·φ) at eight times the rate for φ of 0.07 of the rate: 0.7 of the rate, which would fold to 0.3.
    var at = 0
    let output = through([Float](repeating: 0, count: 4096)) { oversampler, count in
      for phase in 0..<8 {
        for frame in 0..<count {
          let time = Double(at + frame) + Double(phase) / 8
          oversampler.plane(phase)[frame] = Float(cos(2 * .pi * 0.7 * time))
        }
      }
      at += count
    }
    let worst = output[400...].map { abs(Double($0)) }.max() ?? 1
    #expect(20 * log10(worst) < -100, "\(20 * log10(worst)) dB")
  }
}
