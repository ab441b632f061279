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

  @Test("one sample that is not finite is found wherever it is, and no other is taken for one")
  func finite() {
    let good: [Float] = [
      0, -0.0, 1, -1, 1e38, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude,
    ]
    var samples = (0..<101).map { good[$0 % good.count] }
    var wide = samples.map(Double.init) + [.greatestFiniteMagnitude, .leastNonzeroMagnitude]
    #expect(LevelKernels.isFinite(samples, frames: 101) && LevelKernels.isFinite(wide, frames: 103))
    #expect(LevelKernels.isFinite(samples, frames: 0))
    for bad in [Float.nan, -.nan, .signalingNaN, .infinity, -.infinity] {
      for place in 0..<101 {
        let (sample, value) = (samples[place], wide[place])
        (samples[place], wide[place]) = (bad, Double(bad))
        #expect(!LevelKernels.isFinite(samples, frames: 101) && !LevelKernels.isFinite(wide, frames: 103))
        #expect(LevelKernels.isFinite(samples, frames: place))
        (samples[place], wide[place]) = (sample, value)
      }
    }
  }
}
