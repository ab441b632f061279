import Glibc

/// A steady sine: amplitude·sin(2π·frequency·t + phase).
public struct Tone: Hashable, Sendable {
  /// Hertz.
  public var frequencyHertz: Double
  /// Peak; full scale is 1.
  public var amplitude: Double
  /// Radians, at the frame that is called 0.
  public var phase: Double

  /// - Parameters:
  ///   - frequencyHertz: hertz; above 0, below half the rate.
  ///   - amplitude: the peak; full scale is 1.
  ///   - phase: radians, of the sine at frame 0.
  public init(_ frequencyHertz: Double, amplitude: Double, phase: Double = 0) {
    self.frequencyHertz = frequencyHertz
    self.amplitude = amplitude
    self.phase = phase
  }

  /// The sum of some tones.
  /// - Parameters:
  ///   - tones: any number of them.
  ///   - frames: their numbers; may begin below 0.
  ///   - sampleRate: hertz.
  public static func samples(_ tones: [Tone], frames: Range<Int>, sampleRate: Double) -> [Double] {
    var sum = [Double](repeating: 0, count: frames.count)
    sum.withUnsafeMutableBufferPointer { sum in
      for tone in tones {
        walk(tone.frequencyHertz, phase: tone.phase, frames: frames, sampleRate: sampleRate) { index, _, sine in
          sum[index] += tone.amplitude * sine
        }
      }
    }
    return sum
  }

  /// Σ x[n]·cos(2πfn/rate) and Σ x[n]·sin(2πfn/rate), n from 0.
  static func projection(
    _ samples: UnsafeBufferPointer<Double>, frequencyHertz: Double, sampleRate: Double
  ) -> (cosine: Double, sine: Double) {
    // Short sums first: a long one would lose digits where −200 dB still count.
    var (outer, inner) = ((0.0, 0.0), (0.0, 0.0))
    walk(frequencyHertz, phase: 0, frames: 0..<samples.count, sampleRate: sampleRate) { index, cosine, sine in
      if index & 255 == 0 {
        outer = (outer.0 + inner.0, outer.1 + inner.1)
        inner = (0, 0)
      }
      let sample = samples[index]
      inner.0 += sample * cosine
      inner.1 += sample * sine
    }
    return (outer.0 + inner.0, outer.1 + inner.1)
  }

  /// Cosine and sine of each frame's phase: a rotation, set right by the C library every 256 frames, so that its error
  /// stays below −270 dB.
  @inline(__always)
  static func walk(
    _ frequencyHertz: Double, phase: Double, frames: Range<Int>, sampleRate: Double,
    _ body: (_ index: Int, _ cosine: Double, _ sine: Double) -> Void
  ) {
    let step = 2 * Double.pi * frequencyHertz / sampleRate
    let (stepCosine, stepSine) = (cos(step), sin(step))
    var (cosine, sine) = (1.0, 0.0)
    var index = 0
    let count = frames.count
    while index < count {
      if index & 255 == 0 {
        let turns = frequencyHertz * Double(frames.lowerBound + index) / sampleRate
        let angle = 2 * Double.pi * (turns - turns.rounded(.down)) + phase
        (cosine, sine) = (cos(angle), sin(angle))
      }
      body(index, cosine, sine)
      (cosine, sine) = (cosine * stepCosine - sine * stepSine, cosine * stepSine + sine * stepCosine)
      index += 1
    }
  }
}
