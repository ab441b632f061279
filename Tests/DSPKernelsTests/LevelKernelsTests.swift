import DSPKernels
import TestSupport
import Testing

@Suite("Level kernels")
struct LevelKernelsTests {
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
}
