import AudioCore

/// Counts and sums of one channel, sample by sample in their order, so that the division into blocks makes no
/// difference.
struct ChannelTally {
  var frameCount = 0
  var sum = 0.0
  var squares = 0.0
  var peak = 0.0
  var notNumbers = 0
  var infinities = 0
  /// The first of either.
  var firstNonFinite: Int?
  /// Not 0, and below the smallest normal Float: slow, or flushed to zero, where floats are computed with.
  var subnormals = 0
  var clippedRuns = 0
  var clippedSamples = 0
  /// Samples in a row at the ceiling; negative at the negative one.
  private var run = 0

  /// Adds the next `frames` samples.
  mutating func add(_ samples: Plane<Double>, frames: Int, ceiling: Double, runLength: Int) {
    // Locals: the loop keeps them in registers.
    var (sum, squares, peak) = (sum, squares, peak)
    for frame in 0..<frames {
      let sample = samples[frame]
      let magnitude = abs(sample)
      sum += sample
      squares += sample * sample
      if magnitude > peak { peak = magnitude }
      if magnitude < Double(Float.leastNormalMagnitude) {
        if magnitude > 0 { subnormals += 1 }
      } else if !(magnitude < ceiling) {
        atCeiling(sample, runLength, frame: frameCount + frame)
        continue
      }
      if run != 0 { run = 0 }
    }
    (self.sum, self.squares, self.peak) = (sum, squares, peak)
    frameCount += frames
  }

  private mutating func atCeiling(_ sample: Double, _ runLength: Int, frame: Int) {
    // Neither has been clipped.
    guard sample.isFinite else {
      if sample.isNaN { notNumbers += 1 } else { infinities += 1 }
      firstNonFinite = firstNonFinite ?? frame
      run = 0
      return
    }
    run = sample > 0 ? max(run, 0) + 1 : min(run, 0) - 1
    let length = abs(run)
    if length == runLength {
      clippedRuns += 1
      clippedSamples += runLength
    } else if length > runLength {
      clippedSamples += 1
    }
  }

  var isFinite: Bool { notNumbers == 0 && infinities == 0 }
  /// Not a number where a sample is not finite, or there is none.
  var meanSquare: Double { isFinite && frameCount > 0 ? squares / Double(frameCount) : .nan }
  var mean: Double { isFinite && frameCount > 0 ? sum / Double(frameCount) : .nan }
  var peakAmplitude: Double { isFinite && frameCount > 0 ? peak : .nan }
}
