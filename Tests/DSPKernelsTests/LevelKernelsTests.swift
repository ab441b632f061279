import DSPKernels
import TestSupport
import Testing

@Suite("Level kernels")
struct LevelKernelsTests {
  @Test("silence is zeros of either sign and nothing else", arguments: [0, 1, 63, 64, 65, 1000])
  func silence(frames: Int) {
    var signal = [Float](repeating: -0.0, count: frames)
    #expect(LevelKernels.isSilent(signal, frames: frames))
    if frames > 0 {
      signal[frames - 1] = .leastNonzeroMagnitude
      #expect(!LevelKernels.isSilent(signal, frames: frames))
      #expect(LevelKernels.isSilent(signal, frames: frames - 1))
    }
  }

  @Test("the peak is the largest magnitude")
  func peak() {
    var random = SeededGenerator(seed: 31)
    var signal = random.noise(frames: 777)
    #expect(LevelKernels.absolutePeak(signal, frames: 777) == signal.map(abs).max())
    signal[500] = -2
    #expect(LevelKernels.absolutePeak(signal, frames: 777) == 2)
    signal[3] = -.infinity
    #expect(LevelKernels.absolutePeak(signal, frames: 777) == .infinity)
    #expect(LevelKernels.absolutePeak(signal, frames: 0) == 0)
  }

  @Test("a NaN shows in the peak")
  func peakOfNaN() {
    for value in [Float.nan, -Float.nan] {
      var signal = [Float](repeating: 1, count: 100)
      signal[40] = value
      #expect(LevelKernels.absolutePeak(signal, frames: 100).isNaN)
    }
  }

  @Test("the square sum has the same bits however the stream is cut, and the value of a plain sum")
  func squares() {
    var random = SeededGenerator(seed: 32)
    let signal = random.noise(frames: 1003)
    var whole = SquareSum()
    whole.add(signal, frames: 1003)
    let plain = signal.reduce(0) { $0 + Double($1) * Double($1) }
    #expect(abs(whole.total - plain) < 1e-12 * plain)
    #expect(whole.frameCount == 1003)
    for length in [1, 3, 7, 8, 9, 64, 500] {
      var sum = SquareSum()
      for start in stride(from: 0, to: 1003, by: length) {
        signal.withUnsafeBufferPointer {
          guard let base = $0.baseAddress else { return }
          sum.add(base + start, frames: min(length, 1003 - start))
        }
      }
      #expect(sum.total == whole.total)
    }
  }
}
