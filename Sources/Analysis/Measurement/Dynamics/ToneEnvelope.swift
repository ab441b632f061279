import Glibc

/// The envelope of a tone whose period is a whole number of frames: the magnitude of its analytic signal in one period
/// around each frame.
///
/// The samples are turned down by the tone's frequency and averaged over exactly one period, in which DC, harmonics
/// and the mirror frequency vanish. A sudden change is spread over one period around it.
struct ToneEnvelope: Sendable {
  let periodFrames: Int
  /// The peak amplitude, per frame; the average begins half a period before the frame. 0 if it does not fit.
  let amplitudes: [Double]

  init(_ samples: ArraySlice<Double>, periodFrames: Int) {
    self.periodFrames = periodFrames
    let turns = (0..<periodFrames).map { index -> (Double, Double) in
      let angle = 2 * Double.pi * Double(index) / Double(periodFrames)
      return (cos(angle), sin(angle))
    }
    var result = [Double](repeating: 0, count: samples.count)
    // Sums from the start: their rounding is some 10⁻¹³ after a million frames.
    var (real, imaginary) = ([0.0], [0.0])
    real.reserveCapacity(samples.count + 1)
    imaginary.reserveCapacity(samples.count + 1)
    var (sumReal, sumImaginary, phase) = (0.0, 0.0, 0)
    for sample in samples {
      let turn = turns[phase]
      sumReal += sample * turn.0
      sumImaginary += sample * turn.1
      real.append(sumReal)
      imaginary.append(sumImaginary)
      phase = phase + 1 == periodFrames ? 0 : phase + 1
    }
    let half = periodFrames / 2
    for start in 0..<max(0, samples.count - periodFrames + 1) {
      let end = start + periodFrames
      result[start + half] =
        2 / Double(periodFrames) * hypot(real[end] - real[start], imaginary[end] - imaginary[start])
    }
    amplitudes = result
  }
}
